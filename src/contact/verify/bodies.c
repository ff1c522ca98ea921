/* The verifier through the bodies' door.
 *
 * For each dynamic body of the island, the inertia is factored as L D L', the free momentum k = M v + step force
 * goes into K, and a wrench adds up what contacts and joints push. Contacts are taken eight at a time: the velocity
 * at the point follows from the velocities of the answer, then come the sizes of the rows, then the judge. At the
 * end M (v+ - v) - step force must be that wrench, for each body and, about one point, for the island as a whole.
 */
#include "contact/verify/parts.h"
#include <stddef.h>
#include <string.h>

typedef abuti_body_record body_record;

enum { RECORD = sizeof(body_record) / sizeof(double) };

size_t abuti_verify_bodies_size(const abut_contact_problem *problem)
{
    return (size_t)problem->body_count * RECORD;
}

static body_record *record_of(const abuti_verification *v, int body)
{
    return (body_record *)(void *)v->scratch + body;
}

/* inertia = L D L', stored as in abut_body: xx, yy, zz, xy, xz, yz. Where the inertia is
 * diagonal, the quotients need not wait for each other. */
static void factor_inertia(const double *inertia, body_record *r)
{
    double d1 = inertia[0], d2 = inertia[1], d3 = inertia[2], l21 = 0.0, l31 = 0.0, l32 = 0.0;
    if (inertia[3] != 0.0 || inertia[4] != 0.0 || inertia[5] != 0.0) {
        l21 = inertia[3] / d1, l31 = inertia[4] / d1;
        d2 -= l21 * inertia[3];
        double m32 = inertia[5] - l21 * inertia[4];
        l32 = m32 / d2;
        d3 = d3 - l31 * inertia[4] - l32 * m32;
    }
    r->lower[0] = l21;
    r->lower[1] = l31;
    r->lower[2] = l32;
    r->inverse_pivot[0] = 1.0 / d1;
    r->inverse_pivot[1] = 1.0 / d2;
    r->inverse_pivot[2] = 1.0 / d3;
}

/* w M^-1 w' of a wrench (or row) on a body. */
static double wrench_square(const body_record *r, const double *w)
{
    double m1 = w[3], m2 = w[4] - r->lower[0] * m1, m3 = w[5] - r->lower[1] * m1 - r->lower[2] * m2;
    return (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]) * r->inverse_mass + m1 * m1 * r->inverse_pivot[0] +
           m2 * m2 * r->inverse_pivot[1] + m3 * m3 * r->inverse_pivot[2];
}

double abuti_verify_wrench_square(const abut_body *body, const double *w)
{
    body_record r = {.inverse_mass = 1.0 / body->mass};
    factor_inertia(body->inertia, &r);
    return wrench_square(&r, w);
}

void abuti_verify_momentum(const abut_body *body, const double *velocity, double *out)
{
    const double *i = body->inertia, *w = velocity + 3;
    for (int c = 0; c < 3; ++c) out[c] = body->mass * velocity[c];
    out[3] = i[0] * w[0] + i[3] * w[1] + i[4] * w[2];
    out[4] = i[3] * w[0] + i[1] * w[1] + i[5] * w[2];
    out[5] = i[4] * w[0] + i[5] * w[1] + i[2] * w[2];
}

static void open_body(abuti_verification *v, int index)
{
    const abut_body *body = &v->problem->bodies[index];
    body_record *r = record_of(v, index);
    r->inverse_mass = 1.0 / body->mass;
    factor_inertia(body->inertia, r);
    memcpy(r->com, body->com, sizeof r->com);
    memcpy(r->velocity, v->velocity + 6 * (size_t)index, sizeof r->velocity);
    memset(r->wrench, 0, sizeof r->wrench);
    double k[6];
    abuti_verify_momentum(body, body->velocity, k);
    for (int c = 0; c < 6; ++c) {
        k[c] = v->carry * k[c] + v->time * body->force[c];
        r->before[c] = v->carry * body->velocity[c];
    }
    v->findings->free2 += wrench_square(r, k);
}

/* The record of a body that impulses do not move, for its side of a contact. */
static void still_record(const abuti_verification *v, int index, body_record *r)
{
    memset(r, 0, sizeof *r);
    if (index < 0) return;
    const abut_body *body = &v->problem->bodies[index];
    memcpy(r->com, body->com, sizeof r->com);
    for (int c = 0; c < 6 && body->kind == ABUT_KINEMATIC; ++c) r->velocity[c] = v->carry * body->velocity[c];
}

static int moves(const abut_contact_problem *problem, int index)
{
    return index >= 0 && problem->bodies[index].kind == ABUT_DYNAMIC;
}

enum { MIXED = -2, NOBODY = -1 };

static void side_lane(abuti_side *s, int l, const body_record *r)
{
    for (int c = 0; c < 3; ++c) {
        s->com[c][l] = r->com[c];
        s->linear[c][l] = r->velocity[c];
        s->angular[c][l] = r->velocity[3 + c];
        s->lower[c][l] = r->lower[c];
        s->inverse_pivot[c][l] = r->inverse_pivot[c];
    }
    s->inverse_mass[l] = r->inverse_mass;
}

/* Hands the sums of a side that showed one body to that body. */
static void flush_side(abuti_verification *v, abuti_side *s, double sign)
{
    if (s->body < 0 || !moves(v->problem, s->body)) return;
    double *wrench = record_of(v, s->body)->wrench;
    for (int c = 0; c < 6; ++c) {
        const double *lanes = s->sum[c];
        wrench[c] += sign * (((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) +
                             ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7])));
    }
}

static const body_record *any_record(const abuti_verification *v, int body, body_record *still)
{
    if (moves(v->problem, body)) return record_of(v, body);
    still_record(v, body, still);
    return still;
}

/* Eight contacts at a glance: what they have in common. */
typedef struct glance {
    const void *contact[ABUTI_LANES]; /* abut_contact */
    const void *impulse[ABUTI_LANES]; /* three numbers */
    bool special;                     /* some are compliant, or have two points */
    int body[2];                      /* the same for all, or MIXED */
} glance;

static bool is_kinematic(const abut_contact_problem *problem, int body)
{
    return body >= 0 && problem->bodies[body].kind == ABUT_KINEMATIC;
}

static void glance_at(const abuti_verification *v, const int *contact, int count, abuti_chunk *chunk,
                      glance *look)
{
    static const double nothing[3] = {0};
    const abut_contact *contacts = v->problem->contacts, *head = &contacts[contact[0]];
    int differ_a = 0, differ_b = 0, differ_d = 0, special = 0;
    chunk->count = count;
    chunk->rounds = false;
    for (int l = 0; l < count; ++l) {
        int index = contact[l];
        const abut_contact *c = &contacts[index];
        chunk->index[l] = index;
        look->contact[l] = c;
        look->impulse[l] = v->impulses + 3 * (size_t)index;
        differ_a |= c->bodies[0] ^ head->bodies[0];
        differ_b |= c->bodies[1] ^ head->bodies[1];
        differ_d |= c->directions ^ head->directions;
        chunk->rounds |= abuti_verify_is_round(c);
        special |= (c->compliance != 0.0) | c->two_points;
    }
    look->special = special;
    for (int l = count; l < ABUTI_LANES; ++l) {
        chunk->index[l] = contact[0];
        look->contact[l] = head;
        look->impulse[l] = nothing;
    }
    look->body[0] = differ_a ? MIXED : head->bodies[0];
    look->body[1] = differ_b || special ? MIXED : head->bodies[1];
    chunk->alike = !differ_d;
    double d = head->directions != 0 ? head->directions : ABUT_DIRECTIONS_DEFAULT;
    for (int l = 0; l < ABUTI_LANES; ++l) chunk->directions[l] = d;
    for (int l = 0; l < ABUTI_LANES && differ_d; ++l) {
        int other = contacts[chunk->index[l]].directions;
        chunk->directions[l] = other != 0 ? other : ABUT_DIRECTIONS_DEFAULT;
    }
}

/* Whether no contact of the chunk has anything but friction: there is no gap, restitution, viscosity or kinematic body,
 * and the level is that of velocities. */
static bool is_plain(const abuti_verification *v, const abuti_chunk *chunk, const glance *look, bool special)
{
    if (special || v->accelerations) return false;
    bool mixed = look->body[0] == MIXED || look->body[1] == MIXED;
    for (int l = 0; l < (mixed ? chunk->count : 1); ++l) {
        const int *pair = v->problem->contacts[chunk->index[l]].bodies;
        if (is_kinematic(v->problem, pair[0]) || is_kinematic(v->problem, pair[1])) return false;
    }
    return true;
}

/* The vector pass finds tangents that are not given, and makes frames exact that are off by some parts in a million,
 * as those of single-precision callers are. Other frames are made exact before it, on copies. */
static bool load_frames(const abuti_verification *v, glance *look, abuti_chunk *chunk, abuti_frames *g)
{
    abut_contact made[ABUTI_LANES];
    abuti_frames_seen seen = v->kernel->frames(look->contact, look->impulse, chunk, g);
    if (!seen.far) return seen.special;
    for (int l = 0; l < ABUTI_LANES; ++l) {
        const abut_contact *contact = look->contact[l];
        made[l] = *contact;
        abuti_verify_frame(contact, made[l].normal, made[l].tangent);
        look->contact[l] = &made[l];
    }
    return v->kernel->frames(look->contact, look->impulse, chunk, g).special;
}

/* One side of a chunk. The bodies' numbers go into lanes, unless the chunk before left them there; then comes the pass;
 * and where bodies differ from lane to lane, the push is added to each body at once. */
static void one_side(abuti_verification *v, abuti_chunk *chunk, const abuti_frames *g, abuti_side *s,
                     int body, int side)
{
    const abut_contact_problem *problem = v->problem;
    body_record still;
    double sign = side == 0 ? 1.0 : -1.0;
    if (body == MIXED || body != s->body) {
        flush_side(v, s, sign);
        s->body = body;
        if (body >= 0) v->kernel->body(any_record(v, body, &still), s);
        if (body == MIXED) memset(s->sum, 0, sizeof s->sum);
    }
    if (body == NOBODY) return;
    for (int l = 0; body == MIXED && l < ABUTI_LANES; ++l) {
        int other = l < chunk->count ? problem->contacts[chunk->index[l]].bodies[side] : NOBODY;
        side_lane(s, l, any_record(v, other, &still));
        const abut_contact *contact = &problem->contacts[chunk->index[l]];
        /* The arm at B is second_point - com = point - (com + point - second_point). */
        for (int c = 0; side == 1 && contact->two_points && c < 3; ++c)
            s->com[c][l] += contact->point[c] - contact->second_point[c];
    }
    v->kernel->side(chunk, g, s, sign);
    for (int l = 0; body == MIXED && l < chunk->count; ++l) {
        int other = problem->contacts[chunk->index[l]].bodies[side];
        if (!moves(problem, other)) continue;
        double *wrench = record_of(v, other)->wrench;
        for (int c = 0; c < 3; ++c) {
            wrench[c] += sign * g->push[c][l];
            wrench[3 + c] += sign * s->moment[c][l];
        }
    }
}

/* Puts the contacts of the island from `first` on into lanes, with their velocities and the squares of their sizes. */
static void open_chunk(abuti_verification *v, const abuti_island *island, int first, abuti_side sides[2],
                       abuti_chunk *chunk)
{
    abuti_frames g;
    glance look;
    int count = island->contacts - first < ABUTI_LANES ? island->contacts - first : ABUTI_LANES;
    chunk->place = first;
    glance_at(v, island->contact + first, count, chunk, &look);
    chunk->plain = is_plain(v, chunk, &look, load_frames(v, &look, chunk, &g));
    for (int l = 0; !chunk->plain && l < count; ++l) abuti_verify_offset(v, chunk, &g, l);
    one_side(v, chunk, &g, &sides[0], look.body[0], 0);
    one_side(v, chunk, &g, &sides[1], look.body[1], 1);
    for (int l = 0; look.special && l < count; ++l)
        abuti_verify_give_way(&v->problem->contacts[chunk->index[l]], chunk, l);
    for (int l = count; l < ABUTI_LANES; ++l)
        for (int axis = 0; axis < 3; ++axis) chunk->velocity[axis][l] = 0.0;
}

/* A pair of bodies with fewer contacts than this is better off in a chunk with contacts of other pairs. */
enum { WORTH_A_RUN = 3 };

/* How many contacts from `first` on may have the same two bodies. Where the first eight have, the answer is all that
 * are left, since a run stops by itself. */
static int run_length(const abut_contact_problem *problem, const abuti_island *island, int first)
{
    const int *pair = problem->contacts[island->contact[first]].bodies;
    int left = island->contacts - first, count = 1;
    for (; count < left && count < ABUTI_LANES; ++count) {
        const int *other = problem->contacts[island->contact[first + count]].bodies;
        if (other[0] != pair[0] || other[1] != pair[1]) return count;
    }
    return left;
}

/* Goes in one pass through as many contacts from `first` on as have the bodies, directions and cone of the first, and
 * nothing but friction, gap and restitution. Returns the place of the first contact that does not. */
static int one_run(abuti_verification *v, const abuti_island *island, int first)
{
    const abut_contact_problem *problem = v->problem;
    const abut_contact *contacts = problem->contacts, *head = &contacts[island->contact[first]];
    const int *pair = head->bodies;
    int d = head->directions != 0 ? head->directions : ABUT_DIRECTIONS_DEFAULT;
    int count = run_length(problem, island, first);
    if (count < WORTH_A_RUN || d == 2 || head->cone == ABUT_CONE_ELLIPSE || is_kinematic(problem, pair[0]) ||
        is_kinematic(problem, pair[1]))
        return first;
    abuti_run run = {.contacts = contacts,
                     .impulses = v->impulses,
                     .contact = island->contact,
                     .count = first + count,
                     .polygon = head->cone == ABUT_CONE_CIRCLE ? NULL : abuti_polygon_of(d, &v->polygon),
                     .step = v->time,
                     .restitution_threshold = v->options->restitution_threshold,
                     .true_cone = v->want_true_cone};
    memcpy(&run.pair, pair, sizeof run.pair);
    _Static_assert(offsetof(abut_contact, cone) == offsetof(abut_contact, directions) + sizeof(int),
                   "directions and cone lie side by side");
    memcpy(&run.directions, (const char *)head + offsetof(abut_contact, directions), sizeof run.directions);
    for (int side = 0; side < 2; ++side)
        run.body[side] = moves(problem, pair[side]) ? record_of(v, pair[side]) : NULL;
    ABUTI_ALIGNED double pushed[2][ABUTI_LANES];
    int next = v->kernel->run(&run, first, v->findings, pushed);
    for (int side = 0; side < 2; ++side) {
        for (int c = 0; c < 6 && run.body[side]; ++c)
            record_of(v, pair[side])->wrench[c] += side == 0 ? pushed[0][c] : -pushed[1][c];
    }
    return next;
}

/* All contacts, by runs where there are some, else by chunks. Four chunks go through each pass together: in a pass over
 * one chunk each operation waits for the one before, and the other three chunks fill the waiting. */
static void all_contacts(abuti_verification *v, const abuti_island *island, abuti_judge *judge)
{
    enum { TOGETHER = 4 };
    bool runs = v->model->runs && judge == v->model->judge;
    abuti_side sides[2];
    abuti_chunk chunks[TOGETHER];
    sides[0].body = sides[1].body = MIXED;
    for (int first = 0; first < island->contacts;) {
        int count = 0;
        for (int last = -1; runs && first < island->contacts && first != last;)
            first = one_run(v, island, last = first);
        for (; count < TOGETHER && first < island->contacts; ++count, first += ABUTI_LANES)
            open_chunk(v, island, first, sides, &chunks[count]);
        for (int i = 0; i < count; ++i) v->kernel->sizes(&chunks[i], v->findings);
        for (int i = 0; i < count; ++i) {
            if (!chunks[i].plain) abuti_chunk_take_viscous(&chunks[i], v);
            judge(v, &chunks[i]);
        }
    }
    flush_side(v, &sides[0], 1.0);
    flush_side(v, &sides[1], -1.0);
}

/* One joint row: whether jacobian . velocities = target, the row's size, and what it pushes. */
static void one_joint(abuti_verification *v, int index)
{
    const abut_contact_problem *problem = v->problem;
    const abut_joint *joint = &problem->joints[index];
    double rate = 0.0, given = 0.0, square = 0.0;
    for (int side = 0; side < 2; ++side) {
        int body = joint->bodies[side];
        if (body < 0) continue;
        body_record still, *r = &still;
        if (moves(problem, body)) {
            r = record_of(v, body);
        } else {
            still_record(v, body, &still);
        }
        double along = 0.0;
        for (int c = 0; c < 6; ++c) along += joint->jacobian[side][c] * r->velocity[c];
        rate += along;
        if (r == &still) {
            given += along;
            continue;
        }
        square += wrench_square(r, joint->jacobian[side]);
        for (int c = 0; c < 6; ++c) r->wrench[c] += v->joints[index] * joint->jacobian[side][c];
    }
    abuti_verify_joint(v, index, rate, given, square);
}

/* The part of M (v+ - v) - step force that no impulse explains; 0 on a right answer. The difference is taken between
 * velocities, where it is exact for a body whose motion hardly changes. */
static void missing_wrench(const abuti_verification *v, int index, double *missing)
{
    const abut_body *body = &v->problem->bodies[index];
    const body_record *r = record_of(v, index);
    double change[6];
    for (int c = 0; c < 6; ++c) change[c] = r->velocity[c] - v->carry * body->velocity[c];
    abuti_verify_momentum(body, change, missing);
    for (int c = 0; c < 6; ++c) missing[c] -= v->time * body->force[c];
}

static void close_body(abuti_verification *v, int index)
{
    double missing[6];
    const body_record *r = record_of(v, index);
    missing_wrench(v, index, missing);
    for (int c = 0; c < 6; ++c) missing[c] -= r->wrench[c];
    abuti_raise(&v->findings->dynamics, sqrt(wrench_square(r, missing)));
    double momentum[6];
    abuti_verify_momentum(&v->problem->bodies[index], r->velocity, momentum);
    for (int c = 0; c < 6; ++c) v->findings->after2 += momentum[c] * r->velocity[c];
}

static void add_at(double total[6], const double *force, const double *moment, const double *at,
                   const double *origin)
{
    double r[3] = {at[0] - origin[0], at[1] - origin[1], at[2] - origin[2]};
    for (int c = 0; c < 3; ++c) {
        int d = (c + 1) % 3, e = (c + 2) % 3;
        total[c] += force[c];
        total[3 + c] += r[d] * force[e] - r[e] * force[d] + (moment ? moment[c] : 0.0);
    }
}

/* The island as a whole: its bodies' change of momentum must be what came from outside. Contacts between two of its
 * bodies must cancel and are not looked at. Linear momentum is compared, and angular momentum about the island's first
 * body; together they say the same about every other point. */
static void check_momentum(abuti_verification *v, const abuti_island *island)
{
    const abut_contact_problem *problem = v->problem;
    const double *origin = problem->bodies[island->body[0]].com;
    double total[6] = {0}, mass = 0.0, inertia = 0.0;
    for (int i = 0; i < island->bodies; ++i) {
        const abut_body *body = &problem->bodies[island->body[i]];
        double missing[6], distance2 = 0.0;
        missing_wrench(v, island->body[i], missing);
        add_at(total, missing, missing + 3, body->com, origin);
        for (int c = 0; c < 3; ++c) distance2 += (body->com[c] - origin[c]) * (body->com[c] - origin[c]);
        mass += body->mass;
        inertia += (body->inertia[0] + body->inertia[1] + body->inertia[2]) / 3.0 + body->mass * distance2;
    }
    for (int i = 0; i < island->contacts; ++i) {
        int index = island->contact[i];
        const abut_contact *contact = &problem->contacts[index];
        int a = moves(problem, contact->bodies[0]), b = moves(problem, contact->bodies[1]);
        if (a == b && !contact->two_points) continue;
        double n[3], t[3];
        abuti_verify_frame(contact, n, t);
        const double *p = v->impulses + 3 * (size_t)index;
        double force[3];
        for (int c = 0; c < 3; ++c) {
            int d = (c + 1) % 3, e = (c + 2) % 3;
            force[c] = p[0] * n[c] + p[1] * t[c] + p[2] * (n[d] * t[e] - n[e] * t[d]);
        }
        double against[3] = {-force[0], -force[1], -force[2]};
        if (a) add_at(total, against, NULL, contact->point, origin);
        if (b) add_at(total, force, NULL, abuti_verify_point(contact, 1), origin);
    }
    for (int i = 0; i < island->joints; ++i) {
        const abut_joint *joint = &problem->joints[island->joint[i]];
        for (int side = 0; side < 2; ++side) {
            if (!moves(problem, joint->bodies[side])) continue;
            double push[6];
            for (int c = 0; c < 6; ++c) push[c] = -v->joints[island->joint[i]] * joint->jacobian[side][c];
            add_at(total, push, push + 3, problem->bodies[joint->bodies[side]].com, origin);
        }
    }
    const double *l = total + 3;
    abuti_raise(&v->findings->momentum,
                sqrt((total[0] * total[0] + total[1] * total[1] + total[2] * total[2]) / mass));
    abuti_raise(&v->findings->momentum, sqrt((l[0] * l[0] + l[1] * l[1] + l[2] * l[2]) / inertia));
}

void abuti_verify_bodies(abuti_verification *v, const abuti_island *island, abuti_judge *judge)
{
    for (int i = 0; i < island->bodies; ++i) open_body(v, island->body[i]);
    all_contacts(v, island, judge);
    for (int i = 0; i < island->joints; ++i) one_joint(v, island->joint[i]);
    for (int i = 0; i < island->bodies; ++i) close_body(v, island->body[i]);
    /* For one body alone it would be the same sum again. */
    if (island->bodies > 1) check_momentum(v, island);
}
