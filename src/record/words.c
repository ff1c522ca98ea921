#include "record/words.h"

#include "record/refuse.h"

#include <math.h>
#include <string.h>

#define NANOSECOND 1e-9
#define UNIT_SCALE 1048576.0 /* 2^20: components of quaternions */
#define OCTAHEDRON 32767.0
#define TURN 65536.0
/* Impulses that are rounding beside the largest of their step would cost bytes and show nothing. */
#define NEGLIGIBLE (1.0 / 16777216)

/* ---- floats ---- */

int64_t abuti_word_of_float(double value, int drop)
{
    float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    uint32_t magnitude = bits & 0x7fffffffu;
    if (drop > 0 && magnitude < 0x7f800000u)
        magnitude += 1u << (drop - 1); /* rounds to nearest; infinity at worst */
    int64_t word = (int64_t)(magnitude >> drop);
    return bits >> 31 ? -word : word;
}

double abuti_float_of_word(int64_t word, int drop)
{
    uint32_t bits = (uint32_t)(word < 0 ? -word : word) << drop;
    float single;
    memcpy(&single, &bits, sizeof single);
    return word < 0 ? -(double)single : (double)single;
}

static bool is_float_word(int64_t word, int drop)
{
    int64_t magnitude = word < 0 ? -word : word;
    return magnitude <= (int64_t)(0x7fffffffu >> drop);
}

/* ---- unit vectors ---- */

void abuti_across(const double n[3], double x[3], double y[3])
{
    /* Frisvad's axes as Duff et al. (2017) made them safe: smooth but for one half circle. */
    double sign = copysign(1, n[2]), a = -1 / (sign + n[2]), b = n[0] * n[1] * a;
    x[0] = 1 + sign * n[0] * n[0] * a, x[1] = sign * b, x[2] = -sign * n[0];
    y[0] = b, y[1] = sign + n[1] * n[1] * a, y[2] = -n[1];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void words_of_normal(const double n[3], int64_t words[2])
{
    double sum = fabs(n[0]) + fabs(n[1]) + fabs(n[2]), u = n[0] / sum, v = n[1] / sum;
    if (n[2] < 0) {
        double folded = (1 - fabs(v)) * copysign(1, u);
        v = (1 - fabs(u)) * copysign(1, v);
        u = folded;
    }
    words[0] = (int64_t)rint(u * OCTAHEDRON);
    words[1] = (int64_t)rint(v * OCTAHEDRON);
}

static void normal_of_words(const int64_t words[2], double n[3])
{
    double u = (double)words[0] / OCTAHEDRON, v = (double)words[1] / OCTAHEDRON, w = 1 - fabs(u) - fabs(v);
    if (w < 0) {
        double unfolded = (1 - fabs(v)) * copysign(1, u);
        v = (1 - fabs(u)) * copysign(1, v);
        u = unfolded;
    }
    double length = sqrt(u * u + v * v + w * w);
    n[0] = u / length, n[1] = v / length, n[2] = w / length;
}

/* The angle of a vector from the first axis, in 65536ths of a turn, is found by halving, because the standard does not
 * define the bits of libm's functions for it. */
typedef struct turn_table {
    double cosine[16], sine[16]; /* of pi, pi/2, pi/4, ..., 2 pi / 65536 */
} turn_table;

static turn_table turns(void)
{
    turn_table t;
    t.cosine[0] = -1, t.sine[0] = 0;
    t.cosine[1] = 0, t.sine[1] = 1;
    for (int i = 2; i < 16; ++i) {
        t.cosine[i] = sqrt((1 + t.cosine[i - 1]) / 2);
        t.sine[i] = t.sine[i - 1] / (2 * t.cosine[i]);
    }
    return t;
}

static int64_t angle_of(double x, double y)
{
    if (x == 0 && y == 0) return 0;
    turn_table t = turns();
    int64_t angle = 0;
    for (int i = 0; i < 16; ++i) {
        /* The vector is turned back by this angle. If it does not fall below the axis, this bit belongs to the
         * angle. */
        double bx = t.cosine[i] * x + t.sine[i] * y, by = t.cosine[i] * y - t.sine[i] * x;
        bool part = i == 0 ? y < 0 || (y == 0 && x < 0) : by >= 0;
        if (!part) continue;
        x = bx, y = by;
        angle |= (int64_t)1 << (15 - i);
    }
    /* What is left is less than one unit, and is rounded to the nearest. */
    return (angle + (2 * y > t.sine[15] * (fabs(x) + fabs(y)) ? 1 : 0)) & 65535;
}

static void direction_of(int64_t angle, double *x, double *y)
{
    turn_table t = turns();
    *x = 1, *y = 0;
    for (int i = 0; i < 16; ++i) {
        if (!(angle >> (15 - i) & 1)) continue;
        double turned = t.cosine[i] * *x - t.sine[i] * *y;
        *y = t.sine[i] * *x + t.cosine[i] * *y;
        *x = turned;
    }
}

/* ---- a step to words ---- */

int abuti_fixed_count(int bodies, int joints)
{
    return STEP_WORDS + POSE_WORDS * bodies + JOINT_WORDS * joints;
}

abuti_words abuti_words_take(abuti_arena *arena, int bodies, int joints, int contact_limit)
{
    abuti_words words = {.bodies = bodies, .joints = joints};
    words.fixed = abuti_take(arena, abuti_fixed_count(bodies, joints), int64_t);
    words.contact = abuti_take(arena, (size_t)CONTACT_WORDS * (size_t)contact_limit, int64_t);
    return words;
}

/* value / unit, rounded; false where it is no number or too large. */
static bool whole(double value, double unit, int64_t *word)
{
    double scaled = rint(value / unit);
    if (!(fabs(scaled) <= (double)ABUTI_WORD_MAX)) return false;
    *word = (int64_t)scaled;
    return true;
}

static bool normalise(const double *from, double *to, int count)
{
    double sum = 0;
    for (int k = 0; k < count; ++k) sum += from[k] * from[k];
    double length = sqrt(sum);
    if (!(length >= 1e-6 && length <= 1e6)) return false;
    for (int k = 0; k < count; ++k) to[k] = from[k] / length;
    return true;
}

static bool words_of_pose(const abut_record_pose *pose, double resolution, const int64_t *previous,
                          int64_t *words)
{
    double q[4], along = 0;
    for (int k = 0; k < 3; ++k)
        if (!whole(pose->position[k], resolution, &words[k])) return false;
    if (!normalise(pose->orientation, q, 4)) return false;
    for (int k = 0; k < 4; ++k) along += q[k] * (double)previous[3 + k];
    for (int k = 0; k < 4; ++k) words[3 + k] = (int64_t)rint((along < 0 ? -q[k] : q[k]) * UNIT_SCALE);
    return true;
}

static bool words_of_scalars(const abut_record_step *s, int64_t *words, abut_error *error)
{
    if (!whole(s->time, NANOSECOND, &words[WORD_TIME]))
        return abuti_refuse(error, "time: %g; expected seconds", s->time);
    if (!(s->microseconds >= 0))
        return abuti_refuse(error, "microseconds: %g; expected 0 or more", s->microseconds);
    if (s->pivots < 0 || s->islands < 0)
        return abuti_refuse(error, "pivots or islands: %d, %d; expected 0 or more", s->pivots, s->islands);
    if ((int)s->outcome < 0 || s->outcome > ABUT_FAILED)
        return abuti_refuse(error, "outcome: %d; expected an abut_outcome", (int)s->outcome);
    words[WORD_KINETIC] = abuti_word_of_float(isnan(s->kinetic) ? (double)NAN : s->kinetic, ABUTI_DROP_NONE);
    words[WORD_POTENTIAL] =
        abuti_word_of_float(isnan(s->potential) ? (double)NAN : s->potential, ABUTI_DROP_NONE);
    words[WORD_RESIDUAL] =
        abuti_word_of_float(isnan(s->residual) ? (double)INFINITY : s->residual, ABUTI_DROP_SHORT);
    words[WORD_MICROSECONDS] = abuti_word_of_float(s->microseconds, ABUTI_DROP_SHORT);
    words[WORD_PIVOTS] = s->pivots;
    words[WORD_ISLANDS] = s->islands;
    words[WORD_OUTCOME] = (int64_t)s->outcome;
    return true;
}

static const char *words_of_contact(const abut_record_contact *c, int bodies, double resolution,
                                    double negligible, int64_t *words)
{
    double n[3], x[3], y[3];
    for (int k = 0; k < 2; ++k) {
        if (c->bodies[k] < ABUT_RECORD_WORLD || c->bodies[k] >= bodies) return "bodies: no such body";
        words[WORD_A + k] = c->bodies[k];
    }
    for (int k = 0; k < 3; ++k) {
        if (!whole(c->point[k], resolution, &words[WORD_POINT + k]))
            return "point: not finite, or too far away";
        if (!isfinite(c->impulse[k])) return "impulse: not finite";
        double small = fabs(c->impulse[k]) <= negligible ? 0 : c->impulse[k];
        words[WORD_IMPULSE + k] = abuti_word_of_float(small, ABUTI_DROP_IMPULSE);
    }
    if (!normalise(c->normal, n, 3)) return "normal: expected a unit vector";
    words_of_normal(n, &words[WORD_NORMAL]);
    normal_of_words(&words[WORD_NORMAL], n);
    abuti_across(n, x, y);
    double along = dot(c->tangent, x), aside = dot(c->tangent, y);
    if (!isfinite(along) || !isfinite(aside)) return "tangent: not finite";
    words[WORD_TANGENT] = angle_of(along, aside);
    if (!(c->friction >= 0 && c->friction <= 1e30)) return "friction: expected a number from 0 to 1e30";
    words[WORD_FRICTION] = abuti_word_of_float(c->friction, ABUTI_DROP_NONE);
    if (c->directions < 0 || c->directions > 64) return "directions: expected 0 to 64";
    words[WORD_DIRECTIONS] = c->directions;
    if ((int)c->state < 0 || c->state >= ABUT_RECORD_CONTACT_STATES) return "state: no such state";
    words[WORD_STATE] = (int64_t)c->state;
    if (!whole(c->gap, resolution / 256, &words[WORD_GAP])) return "gap: not finite, or too large";
    return NULL;
}

static double negligible_impulse(const abut_record_step *step)
{
    double largest = 0;
    for (int i = 0; i < step->contact_count; ++i) largest = fmax(largest, fabs(step->contacts[i].impulse[0]));
    return largest * NEGLIGIBLE;
}

bool abuti_words_from_step(const abut_record_step *step, double resolution, const abuti_words *previous,
                           abuti_words *words, abut_error *error)
{
    int64_t *to = words->fixed;
    if (!words_of_scalars(step, to, error)) return false;
    if (to[WORD_TIME] < previous->fixed[WORD_TIME])
        return abuti_refuse(error, "time: %g; expected no less than the step before", step->time);
    to += STEP_WORDS;
    for (int i = 0; i < words->bodies; ++i, to += POSE_WORDS)
        if (!words_of_pose(&step->poses[i], resolution, &previous->fixed[to - words->fixed], to))
            return abuti_refuse(error, "poses[%d]: expected a finite position and a unit quaternion", i);
    for (int i = 0; i < words->joints; ++i, to += JOINT_WORDS) {
        abut_record_joint_state zero = {0}, j = step->joints ? step->joints[i] : zero;
        if (!isfinite(j.position) || !isfinite(j.impulse))
            return abuti_refuse(error, "joints[%d]: not finite", i);
        to[0] = abuti_word_of_float(j.position, ABUTI_DROP_NONE);
        to[1] = abuti_word_of_float(j.impulse, ABUTI_DROP_IMPULSE);
    }
    double negligible = negligible_impulse(step);
    words->contacts = step->contact_count;
    for (int i = 0; i < step->contact_count; ++i) {
        const char *wrong = words_of_contact(&step->contacts[i], words->bodies, resolution, negligible,
                                             words->contact + (ptrdiff_t)CONTACT_WORDS * i);
        if (wrong) return abuti_refuse(error, "contacts[%d].%s", i, wrong);
    }
    return true;
}

/* ---- words to a step ---- */

static bool pose_of_words(const int64_t *words, double resolution, abut_record_pose *pose)
{
    double q[4];
    for (int k = 0; k < 3; ++k) pose->position[k] = (double)words[k] * resolution;
    for (int k = 0; k < 4; ++k) q[k] = (double)words[3 + k] / UNIT_SCALE;
    return normalise(q, pose->orientation, 4);
}

static bool in_range(int64_t word, int64_t low, int64_t high)
{
    return word >= low && word <= high;
}

static bool contact_of_words(const int64_t *words, int bodies, double resolution, abut_record_contact *c)
{
    for (int k = 0; k < 2; ++k) {
        if (!in_range(words[WORD_A + k], ABUT_RECORD_WORLD, bodies - 1)) return false;
        if (!in_range(words[WORD_NORMAL + k], -(int64_t)OCTAHEDRON, (int64_t)OCTAHEDRON)) return false;
        c->bodies[k] = (int)words[WORD_A + k];
    }
    for (int k = 0; k < 3; ++k) {
        if (!is_float_word(words[WORD_IMPULSE + k], ABUTI_DROP_IMPULSE)) return false;
        c->point[k] = (double)words[WORD_POINT + k] * resolution;
        c->impulse[k] = abuti_float_of_word(words[WORD_IMPULSE + k], ABUTI_DROP_IMPULSE);
    }
    if (!in_range(words[WORD_TANGENT], 0, (int64_t)TURN - 1)) return false;
    if (!in_range(words[WORD_FRICTION], 0, 0x7f7fffff)) return false;
    if (!in_range(words[WORD_DIRECTIONS], 0, 64)) return false;
    if (!in_range(words[WORD_STATE], 0, ABUT_RECORD_CONTACT_STATES - 1)) return false;
    double x[3], y[3], along, aside;
    normal_of_words(&words[WORD_NORMAL], c->normal);
    abuti_across(c->normal, x, y);
    direction_of(words[WORD_TANGENT], &along, &aside);
    for (int k = 0; k < 3; ++k) c->tangent[k] = along * x[k] + aside * y[k];
    c->friction = abuti_float_of_word(words[WORD_FRICTION], ABUTI_DROP_NONE);
    c->directions = (int)words[WORD_DIRECTIONS];
    c->state = (abut_record_contact_state)words[WORD_STATE];
    c->gap = (double)words[WORD_GAP] * resolution / 256;
    return true;
}

bool abuti_words_to_step(const abuti_words *words, double resolution, abut_record_pose *poses,
                         abut_record_joint_state *joints, abut_record_contact *contacts,
                         abut_record_step *step)
{
    const int64_t *from = words->fixed;
    if (!is_float_word(from[WORD_KINETIC], 0) || !is_float_word(from[WORD_POTENTIAL], 0) ||
        !is_float_word(from[WORD_RESIDUAL], ABUTI_DROP_SHORT) || !in_range(from[WORD_PIVOTS], 0, INT32_MAX) ||
        !in_range(from[WORD_MICROSECONDS], 0, 0x7fffffff >> ABUTI_DROP_SHORT) ||
        !in_range(from[WORD_OUTCOME], 0, ABUT_FAILED) || !in_range(from[WORD_ISLANDS], 0, INT32_MAX))
        return false;
    *step = (abut_record_step){
        .time = (double)from[WORD_TIME] * NANOSECOND,
        .outcome = (abut_outcome)from[WORD_OUTCOME],
        .pivots = (int)from[WORD_PIVOTS],
        .islands = (int)from[WORD_ISLANDS],
        .residual = abuti_float_of_word(from[WORD_RESIDUAL], ABUTI_DROP_SHORT),
        .microseconds = abuti_float_of_word(from[WORD_MICROSECONDS], ABUTI_DROP_SHORT),
        .kinetic = abuti_float_of_word(from[WORD_KINETIC], ABUTI_DROP_NONE),
        .potential = abuti_float_of_word(from[WORD_POTENTIAL], ABUTI_DROP_NONE),
        .poses = poses,
        .contact_count = words->contacts,
        .contacts = contacts,
        .joints = joints,
    };
    from += STEP_WORDS;
    for (int i = 0; i < words->bodies; ++i, from += POSE_WORDS)
        if (!pose_of_words(from, resolution, &poses[i])) return false;
    for (int i = 0; i < words->joints; ++i, from += JOINT_WORDS) {
        if (!is_float_word(from[0], 0) || !is_float_word(from[1], ABUTI_DROP_IMPULSE)) return false;
        joints[i].position = abuti_float_of_word(from[0], ABUTI_DROP_NONE);
        joints[i].impulse = abuti_float_of_word(from[1], ABUTI_DROP_IMPULSE);
    }
    for (int i = 0; i < words->contacts; ++i)
        if (!contact_of_words(words->contact + (ptrdiff_t)CONTACT_WORDS * i, words->bodies, resolution,
                              &contacts[i]))
            return false;
    return true;
}
