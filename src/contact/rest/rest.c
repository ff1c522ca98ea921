#include "contact/rest/rest.h"
#include "base/clock.h"
#include "linalg/kernels.h"
#include <math.h>
#include <string.h>

static void *layout(abuti_arena *arena, const abut_contact_limits *limits)
{
    rest counting = {0}, *taken = abuti_take(arena, 1, rest), *r = taken ? taken : &counting;
    size_t contacts = (size_t)limits->contacts, joints = (size_t)limits->joints;
    size_t space = 8 * ((size_t)limits->bodies + 1), wide = 2 * (size_t)abuti_padded(limits->nv);
    if (wide > space) space = wide;
    r->one = abuti_rest_one_choose();
    r->width = limits->directions > 0 ? limits->directions : ABUT_DIRECTIONS_DEFAULT;
    abuti_rest_matrix_layout(&r->matrix, arena, limits);
    r->from = abuti_take(arena, contacts, int);
    r->count = abuti_take(arena, contacts, int);
    double **threes[] = {&r->offset, &r->p, &r->squeeze, &r->h, &r->step, &r->way};
    for (int i = 0; i < 6; ++i) *threes[i] = abuti_take(arena, 3 * contacts, double);
    r->K = abuti_take(arena, REST_K * contacts, double);
    double **by_joint[] = {&r->y, &r->dy, &r->kept, &r->joint_h, &r->joint_way};
    for (int i = 0; i < 5; ++i) *by_joint[i] = abuti_take(arena, joints, double);
    r->v = abuti_take(arena, space, double);
    r->dv = abuti_take(arena, space, double);
    r->lift = abuti_take(arena, space, double);
    double **pairs[] = {&r->x, &r->s, &r->dx, &r->ds, &r->side[0], &r->side[1]};
    for (int i = 0; i < 6; ++i) *pairs[i] = abuti_take(arena, contacts * (size_t)r->width, double);
    return taken;
}

/* ---- the question ---- */

/* The generators of contact i, once from and count are known. */
static void make_generators(rest *r, const abuti_system *s, int i)
{
    int d = s->directions[i];
    for (int j = 0; j < r->count[i]; ++j) {
        const double *direction = abuti_direction(d, (r->from[i] + j) % d);
        size_t at = (size_t)i * (size_t)r->width + (size_t)j;
        r->side[0][at] = s->mu[i] * direction[0];
        r->side[1][at] = s->mu[i] * direction[1];
    }
}

/* The largest of k and the offsets, which is what the verifier measures errors by. */
static double size_of(const abuti_system *s)
{
    double size = 0.0;
    for (int b = 0; b < s->bodies; ++b) {
        double sum = 0.0;
        for (int c = 0; c < s->dim; ++c) sum += s->k[b * s->stride + c] * s->k[b * s->stride + c];
        size = fmax(size, sum);
    }
    size = sqrt(size);
    for (int i = 0; i < s->n; ++i) size = fmax(size, fabs(s->offset[0][i]) / s->size[0][i]);
    return size;
}

/* Which directions oppose a slip u: one vertex, or both of an edge. */
static void oppose(rest *r, const abuti_system *s, int contact, const double u[2], double near)
{
    int d = s->directions[contact], best = 0;
    double least = INFINITY;
    for (int j = 0; j < d; ++j) {
        const double *direction = abuti_direction(d, j);
        double along = direction[0] * u[0] + direction[1] * u[1];
        if (along < least) {
            least = along;
            best = j;
        }
    }
    r->from[contact] = best;
    r->count[contact] = 1;
    for (int side = -1; side <= 1 && d > 2; side += 2) {
        int j = (best + side + d) % d;
        const double *direction = abuti_direction(d, j);
        if (direction[0] * u[0] + direction[1] * u[1] > least + near) continue;
        r->from[contact] = side < 0 ? j : best;
        r->count[contact] = 2;
        return;
    }
}

/* Whether bodies that stand still satisfy contact i. */
static bool lets_stand(const abuti_system *s, int i, double size)
{
    return s->offset[0][i] >= -REST_NEAR * size * s->size[0][i];
}

bool abuti_rest_conceivable(const abuti_system *s)
{
    double size = size_of(s);
    for (int j = 0; j < s->joints; ++j) {
        if (fabs(s->joint_offset[j]) > REST_NEAR * size) return false;
    }
    for (int i = 0; i < s->n; ++i) {
        if (!lets_stand(s, i, size)) return false;
    }
    return true;
}

/* What contact i may do if nothing moves. */
static void ask_still(rest *r, const abuti_system *s, int i)
{
    double near = REST_NEAR * r->size * s->size[0][i], across = REST_NEAR * r->size * s->size[1][i];
    double u[2] = {s->offset[1][i], s->directions[i] == ABUT_DIRECTIONS_MIN ? 0.0 : s->offset[2][i]};
    if (s->offset[0][i] > near) r->count[i] = 0;
    if (r->count[i] > 1 && fmax(fabs(u[0]), fabs(u[1])) > across) oppose(r, s, i, u, across);
    for (int axis = 0; axis < 3; ++axis) r->offset[3 * i + axis] = 0.0;
}

/* First whether all can stand still; where that is out of the question, whether they move without slip. */
static void ask(rest *r, const abuti_system *s)
{
    r->size = size_of(s);
    r->still = abuti_rest_conceivable(s);
    for (int i = 0; i < s->n; ++i) {
        r->from[i] = 0;
        r->count[i] = s->mu[i] > 0.0 ? s->directions[i] : 1;
        for (int axis = 0; axis < 3; ++axis) r->offset[3 * i + axis] = s->offset[axis][i];
        if (r->still) ask_still(r, s, i);
        make_generators(r, s, i);
    }
}

bool abuti_rest_begin(rest *r, const abuti_system *s)
{
    ask(r, s);
    return r->size > 0.0 && abuti_rest_matrix_begin(&r->matrix, s);
}

/* ---- springs ---- */

void abuti_rest_move(rest *r, const abuti_system *s, const double *p, const double *y, const double *k)
{
    size_t space = (size_t)((s->bodies + 1) * s->stride);
    if (k) memcpy(r->v, k, space * sizeof(double));
    if (!k) memset(r->v, 0, space * sizeof(double));
    for (int i = 0; i < s->n; ++i) {
        if (r->count[i] > 0) abuti_rest_push(&r->matrix, s, i, p + 3 * i, r->v);
    }
    for (int j = 0; j < s->joints; ++j) abuti_rest_push_joint(s, j, y[j], r->v);
}

static void times_spring(const double *K, const double u[3], double out[3])
{
    out[0] = K[REST_NN] * u[0] + K[REST_NX] * u[1] + K[REST_NY] * u[2];
    out[1] = K[REST_NX] * u[0] + K[REST_XX] * u[1] + K[REST_XY] * u[2];
    out[2] = K[REST_NY] * u[0] + K[REST_XY] * u[1] + K[REST_YY] * u[2];
}

/* What is to be still and is not: all of v, or what contacts with springs and joint rows see of it. */
static double unrest(const rest *r, const abuti_system *s, bool moved)
{
    double worst = 0.0;
    if (r->still) {
        for (int c = 0; c < s->bodies * s->stride; ++c) worst = fmax(worst, fabs(r->v[c]));
        return worst;
    }
    for (int i = 0; i < s->n; ++i) {
        double u[3];
        if (r->count[i] == 0 || r->K[REST_K * i] == 0.0) continue;
        abuti_rest_velocity(&r->matrix, s, i, r->v, u);
        for (int axis = 0; axis < 3; ++axis)
            worst = fmax(worst, fabs(u[axis] + (moved ? r->offset[3 * i + axis] : 0.0)));
    }
    for (int j = 0; j < s->joints; ++j)
        worst = fmax(worst, fabs(abuti_rest_joint_velocity(s, j, r->v) + (moved ? s->joint_offset[j] : 0.0)));
    return worst;
}

/* How the springs answer v: what contacts and joint rows would add to their impulses, into step and dy. What v owes along these
 * is returned, u.step: the sum over contacts and rows. */
static double pull(rest *r, const abuti_system *s, bool moved)
{
    double u[3], push[3], owed = 0.0;
    memset(r->dv, 0, (size_t)((s->bodies + 1) * s->stride) * sizeof(double));
    for (int i = 0; i < s->n; ++i) {
        if (r->count[i] == 0) continue;
        abuti_rest_velocity(&r->matrix, s, i, r->v, u);
        for (int axis = 0; axis < 3; ++axis) u[axis] += moved ? r->offset[3 * i + axis] : 0.0;
        times_spring(r->K + REST_K * i, u, push);
        for (int axis = 0; axis < 3; ++axis) {
            r->h[3 * i + axis] = u[axis];
            push[axis] = -push[axis];
        }
        abuti_rest_push(&r->matrix, s, i, push, r->dv);
    }
    for (int j = 0; j < s->joints; ++j) {
        r->joint_h[j] = abuti_rest_joint_velocity(s, j, r->v) + (moved ? s->joint_offset[j] : 0.0);
        abuti_rest_push_joint(s, j, -REST_STIFF * r->joint_h[j], r->dv);
    }
    abuti_rest_matrix_solve(&r->matrix, s, r->dv);
    for (int i = 0; i < s->n; ++i) {
        double *step = r->step + 3 * i;
        if (r->count[i] == 0) continue;
        abuti_rest_velocity(&r->matrix, s, i, r->dv, u);
        for (int axis = 0; axis < 3; ++axis) u[axis] += r->h[3 * i + axis];
        times_spring(r->K + REST_K * i, u, step);
        for (int axis = 0; axis < 3; ++axis) {
            step[axis] = -step[axis];
            owed -= step[axis] * r->h[3 * i + axis];
        }
    }
    for (int j = 0; j < s->joints; ++j) {
        r->dy[j] = -REST_STIFF * (r->joint_h[j] + abuti_rest_joint_velocity(s, j, r->dv));
        owed -= r->dy[j] * r->joint_h[j];
    }
    return owed;
}

/* The next of conjugate directions: the springs' answer and `share` of the last direction. */
static void turn(rest *r, const abuti_system *s, double share)
{
    for (int c = 0; c < 3 * s->n; ++c) r->way[c] = share > 0.0 ? r->step[c] + share * r->way[c] : r->step[c];
    for (int j = 0; j < s->joints; ++j)
        r->joint_way[j] = share > 0.0 ? r->dy[j] + share * r->joint_way[j] : r->dy[j];
}

/* How far to go along the way: to the least |v|; v does not follow yet. */
static double length_of_way(rest *r, const abuti_system *s, double owed)
{
    double square = 0.0;
    memset(r->dv, 0, (size_t)((s->bodies + 1) * s->stride) * sizeof(double));
    for (int i = 0; i < s->n; ++i) {
        if (r->count[i] > 0) abuti_rest_push(&r->matrix, s, i, r->way + 3 * i, r->dv);
    }
    for (int j = 0; j < s->joints; ++j) abuti_rest_push_joint(s, j, r->joint_way[j], r->dv);
    for (int c = 0; c < s->bodies * s->stride; ++c) square += r->dv[c] * r->dv[c];
    return square > 0.0 ? owed / square : 0.0;
}

/* Conjugate gradients on J J' p = -u, the springs being what they are preconditioned by: stiff ones alone would leave soft
 * modes (a high stack that sways) for many steps, and each direction takes one of those away. */
bool abuti_rest_hold(rest *r, const abuti_system *s, double *p, double *y, const double *k)
{
    double left = INFINITY, owed_before = 0.0;
    for (int step = 0; step <= REST_STEPS; ++step) {
        abuti_rest_move(r, s, p, y, k);
        double now = unrest(r, s, k);
        if (now <= REST_STILL * r->size) return true;
        if (step == REST_STEPS || !(now < REST_FALLS * left)) return now <= REST_LOOSE * r->size;
        left = now;
        double owed = pull(r, s, k);
        turn(r, s, step > 0 && owed_before > 0.0 ? owed / owed_before : 0.0);
        double length = length_of_way(r, s, owed);
        for (int i = 0; i < s->n; ++i) {
            for (int c = 3 * i; c < 3 * i + 3 && r->count[i] > 0; ++c) p[c] += length * r->way[c];
        }
        for (int j = 0; j < s->joints; ++j) y[j] += length * r->joint_way[j];
        owed_before = owed;
    }
    return false;
}

/* ---- cones ---- */

/* The slack of an impulse to edge l of its polygon, positive inside; a contact with fewer generators than its
 * polygon lies on a face of the cone, where weights do the same. */
static double edge_slack(const abuti_system *s, int i, int l, const double *p)
{
    int d = s->directions[i];
    if (s->mu[i] == 0.0) return p[0];
    const double *a = abuti_direction(d, l), *b = abuti_direction(d, (l + 1) % d);
    double mu = s->mu[i];
    if (d == ABUT_DIRECTIONS_MIN) return mu * p[0] - a[0] * p[1];
    /* mu theta kap - a_l.f, with a_l kap the middle of the edge. */
    double mx = 0.5 * (a[0] + b[0]), my = 0.5 * (a[1] + b[1]), kap2 = mx * mx + my * my;
    return (mu * p[0] * kap2 - mx * p[1] - my * p[2]) / sqrt(kap2);
}

/* Of a contact that slips: the weights of its one or two generators. */
static double face_slack(const rest *r, int i, int l, const double *p)
{
    double c[2][3];
    if (r->count[i] == 1) return p[0];
    rest_generator(r, i, 0, c[0]);
    rest_generator(r, i, 1, c[1]);
    double along[2] = {c[1][1] - c[0][1], c[1][2] - c[0][2]};
    double share = ((p[1] - p[0] * c[0][1]) * along[0] + (p[2] - p[0] * c[0][2]) * along[1]) /
                   (along[0] * along[0] + along[1] * along[1]);
    return l == 0 ? p[0] - share : share;
}

static bool on_face(const rest *r, const abuti_system *s, int i)
{
    return s->mu[i] > 0.0 && r->count[i] < s->directions[i];
}

static int slacks_of(const rest *r, const abuti_system *s, int i)
{
    return on_face(r, s, i) ? r->count[i] : s->mu[i] > 0.0 ? s->directions[i] : 1;
}

static double slack_of(const rest *r, const abuti_system *s, int i, int l, const double *p)
{
    return on_face(r, s, i) ? face_slack(r, i, l, p) : edge_slack(s, i, l, p);
}

/* Impulses are measured by what they do: theta times the size of its row. */
static double largest_of(const rest *r, const abuti_system *s, const double *p)
{
    double largest = r->size;
    for (int i = 0; i < s->n; ++i) {
        if (r->count[i] > 0) largest = fmax(largest, p[3 * i] * s->size[0][i]);
    }
    return largest;
}

bool abuti_rest_in_cones(const rest *r, const abuti_system *s, const double *p)
{
    double allowed = -REST_CONE * largest_of(r, s, p);
    for (int i = 0; i < s->n; ++i) {
        if (r->count[i] == 0) continue;
        for (int l = slacks_of(r, s, i) - 1; l >= 0; --l) {
            if (!(slack_of(r, s, i, l, p + 3 * i) >= allowed)) return false;
        }
    }
    return true;
}

/* ---- even springs, and a squeeze ---- */

bool abuti_rest_spring_alike(rest *r, const abuti_system *s)
{
    for (int i = 0; i < s->n; ++i) {
        double *K = r->K + REST_K * i, normal = REST_STIFF / (s->size[0][i] * s->size[0][i]), c[3];
        memset(K, 0, REST_K * sizeof(double));
        if (r->count[i] > ABUT_DIRECTIONS_MIN) { /* the whole polygon */
            K[REST_NN] = normal;
            K[REST_XX] = K[REST_YY] = 0.5 * normal * s->mu[i] * s->mu[i];
            continue;
        }
        for (int j = 0; j < r->count[i]; ++j) {
            double share = normal / r->count[i];
            rest_generator(r, i, j, c);
            rest_add_spring(K, share, c);
        }
    }
    return abuti_rest_matrix_factor(&r->matrix, s, 1.0, r->K, REST_STIFF);
}

/* How much squeeze brings p into the cones; negative: none does. */
static double squeeze_needed(const rest *r, const abuti_system *s)
{
    double low = 0.0, high = INFINITY;
    for (int i = 0; i < s->n; ++i) {
        if (r->count[i] == 0) continue;
        for (int l = slacks_of(r, s, i) - 1; l >= 0; --l) {
            double slack = slack_of(r, s, i, l, r->p + 3 * i),
                   gain = slack_of(r, s, i, l, r->squeeze + 3 * i);
            if (gain > REST_NEAR) low = fmax(low, -slack / gain);
            if (gain < -REST_NEAR) high = fmin(high, slack / -gain);
            if (fabs(gain) <= REST_NEAR && slack < -REST_CONE * r->size) return -1.0;
        }
    }
    if (low > high || low > REST_SQUEEZE * r->size) return -1.0;
    double wanted = 1.5 * low; /* with some room on all sides */
    return wanted < 0.5 * (low + high) ? wanted : 0.5 * (low + high);
}

bool abuti_rest_spent(const abuti_stage_context *context, int rounds)
{
    return abuti_budget_spent(rounds, context->pivots_left, context->deadline);
}

/* The load shared evenly, and if need be squeezed. */
static bool quick(rest *r, const abuti_system *s, const abuti_stage_context *context)
{
    if (!abuti_rest_spring_alike(r, s) || abuti_rest_spent(context, 0)) return false;
    memset(r->p, 0, 3 * (size_t)s->n * sizeof(double));
    if (s->joints) memset(r->y, 0, (size_t)s->joints * sizeof(double));
    if (!abuti_rest_hold(r, s, r->p, r->y, s->k)) return false;
    if (abuti_rest_in_cones(r, s, r->p)) return true;
    if (abuti_rest_spent(context, 0)) return false;
    double *y = r->kept;
    for (int i = 0; i < s->n; ++i) {
        r->squeeze[3 * i] = r->count[i] > 0 ? 1.0 / s->size[0][i] : 0.0;
        r->squeeze[3 * i + 1] = r->squeeze[3 * i + 2] = 0.0;
    }
    for (int j = 0; j < s->joints; ++j) y[j] = 0.0;
    if (!abuti_rest_hold(r, s, r->squeeze, y, NULL) || abuti_rest_spent(context, 0)) return false;
    double amount = squeeze_needed(r, s);
    if (amount < 0.0) return false;
    for (int c = 0; c < 3 * s->n; ++c) r->p[c] += amount * r->squeeze[c];
    for (int j = 0; j < s->joints; ++j) r->y[j] += amount * y[j];
    return abuti_rest_hold(r, s, r->p, r->y, s->k) && abuti_rest_in_cones(r, s, r->p);
}

void abuti_rest_lift(rest *r, const abuti_system *s)
{
    memset(r->lift, 0, (size_t)((s->bodies + 1) * s->stride) * sizeof(double));
    for (int i = 0; i < s->n; ++i) {
        double stiffness = r->K[REST_K * i + REST_NN];
        if (r->count[i] > 0) abuti_rest_push(&r->matrix, s, i, (double[3]){stiffness, 0.0, 0.0}, r->lift);
    }
    abuti_rest_matrix_solve(&r->matrix, s, r->lift);
}

double abuti_rest_opening(const rest *r, const abuti_system *s)
{
    double least = INFINITY, u[3], c[3];
    for (int i = 0; i < s->n; ++i) {
        if (r->count[i] == 0) continue;
        abuti_rest_velocity(&r->matrix, s, i, r->lift, u);
        for (int j = 0; j < r->count[i]; ++j) {
            rest_generator(r, i, j, c);
            least = fmin(least, (c[0] * u[0] + c[1] * u[1] + c[2] * u[2]) / s->size[0][i]);
        }
    }
    return least;
}

double abuti_rest_power(const abuti_system *s, const double *v)
{
    double sum = 0.0;
    for (int c = 0; c < s->bodies * s->stride; ++c) sum += s->k[c] * v[c];
    return sum;
}

/* ---- the stage ---- */

static abut_contact_face face_of(const rest *r, const abuti_system *s, int i)
{
    const double *p = r->p + 3 * i;
    if (r->count[i] == 0 || !(p[0] > 0.0)) return (abut_contact_face){.state = ABUT_OPEN};
    if (s->mu[i] == 0.0) return (abut_contact_face){.state = ABUT_SLIDE};
    if (!on_face(r, s, i)) return (abut_contact_face){.state = ABUT_STICK};
    uint8_t state = r->count[i] == 1 ? ABUT_SLIDE : ABUT_EDGE;
    return (abut_contact_face){.state = state, .face = (uint8_t)r->from[i]};
}

static void write_answer(const rest *r, const abuti_system *s, bool held, abuti_answer *answer)
{
    for (int i = 0; i < s->n; ++i) {
        if (held) answer->face[i] = face_of(r, s, i);
        bool carries = answer->face[i].state != ABUT_OPEN;
        answer->theta[i] = carries ? r->p[3 * i] : 0.0;
        answer->f[0][i] = carries ? r->p[3 * i + 1] : 0.0;
        answer->f[1][i] = carries ? r->p[3 * i + 2] : 0.0;
    }
    for (int j = 0; j < s->joints; ++j) answer->joint[j] = r->y[j];
}

/* One body that contacts hold together: its own kernel writes the answer. */
static bool hold_one(const rest *r, const abuti_system *s, abuti_answer *answer)
{
    double *const p[3] = {answer->theta, answer->f[0], answer->f[1]};
    if (!abuti_rest_one_serves(s) || !r->one->hold(s, p, answer->ray)) return false;
    for (int i = 0; i < s->n; ++i) {
        bool carries = answer->theta[i] > 0.0;
        uint8_t state = !carries ? ABUT_OPEN : s->mu[i] > 0.0 ? ABUT_STICK : ABUT_SLIDE;
        answer->face[i] = (abut_contact_face){.state = state};
        if (!carries) answer->theta[i] = answer->f[0][i] = answer->f[1][i] = 0.0;
    }
    return true;
}

static abut_outcome decide(rest *r, const abuti_system *s, const abuti_stage_context *context, bool inside,
                           abuti_answer *answer)
{
    if (s->bodies == 0 || s->n == 0) return ABUT_FAILED;
    answer->pivots++;
    if (hold_one(r, s, answer)) return ABUT_SOLVED;
    if (!abuti_rest_begin(r, s)) return ABUT_FAILED;
    bool held = r->still && quick(r, s, context);
    inside = inside && !abuti_rest_spent(context, 0);
    if (!held && inside) held = abuti_rest_inside(r, s, context, &answer->pivots);
    write_answer(r, s, held, answer);
    return held ? ABUT_SOLVED : ABUT_FAILED;
}

static abut_outcome run_quick(const abuti_system *s, void *scratch, const abuti_stage_context *context,
                              abuti_answer *answer)
{
    return decide(scratch, s, context, false, answer);
}

static abut_outcome run(const abuti_system *s, void *scratch, const abuti_stage_context *context,
                        abuti_answer *answer)
{
    return decide(scratch, s, context, true, answer);
}

const abuti_family abuti_rest_family = {.solver = ABUT_SOLVER_FACES, .layout = layout};
const abuti_stage abuti_stage_rest_again = {.name = "rest-again",
                                            .family = &abuti_rest_family,
                                            .answers = ABUTI_ON_IMPULSES(ABUT_LAW_COULOMB),
                                            .rows = true};
const abuti_stage abuti_stage_rest_quick = {.name = "rest-quick",
                                            .family = &abuti_rest_family,
                                            .answers = ABUTI_ON_IMPULSES(ABUT_LAW_COULOMB),
                                            .rows = true,
                                            .run = run_quick};
const abuti_stage abuti_stage_rest = {.name = "rest",
                                      .family = &abuti_rest_family,
                                      .answers = ABUTI_ON_IMPULSES(ABUT_LAW_COULOMB),
                                      .rows = true,
                                      .run = run};
