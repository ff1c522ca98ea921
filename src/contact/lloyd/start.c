/* Where a path starts: memory, covering vectors, the empty basis, or a basis of earlier states; and the order
 * of attack. */
#include "contact/lloyd/lloyd.h"
#include "contact/system/models.h"
#include <math.h>
#include <string.h>

static void point_layout(abuti_lloyd_point *p, abuti_arena *arena, const abuti_lloyd *l)
{
    p->slots = abuti_take(arena, abuti_padded(l->slot_capacity), double);
    p->pairs = abuti_take(arena, abuti_padded(l->pair_capacity), double);
    p->theta = abuti_take(arena, l->lane_capacity, double);
    for (int i = 0; i < 2; ++i) p->f[i] = abuti_take(arena, l->lane_capacity, double);
    for (int i = 0; i < 3; ++i) p->u[i] = abuti_take(arena, l->lane_capacity, double);
    p->v = abuti_take(arena, l->velocity_capacity, double);
}

static int least(long a, long b)
{
    return (int)(a < b ? a : b);
}

/* Sizes for any island of a problem within the limits. */
static void capacities(abuti_lloyd *l, const abut_contact_limits *limits)
{
    long directions = limits->directions > 0 ? limits->directions : ABUT_DIRECTIONS_DEFAULT;
    long lanes = abuti_padded(limits->contacts > 0 ? limits->contacts : 1);
    long dim = limits->nv > 6 ? limits->nv : 6, stride = abuti_padded((int)dim);
    long maximal = 6L * limits->bodies, freedom = maximal > limits->nv ? maximal : limits->nv;
    l->lane_capacity = (int)lanes;
    l->pair_capacity = (int)(2 * lanes + limits->contacts * (long)abuti_padded((int)directions));
    /* independent rows and z0, and room for the slots outside velocity space: a restored quadruple, an odd
     * cone row */
    long rows = limits->contacts * (directions + 1) + limits->joints;
    l->slot_capacity = least(least(rows, freedom) + 8, ABUTI_LLOYD_MAX_SIZE);
    l->vector_capacity = (int)(2 * abuti_padded(6) > stride ? 2 * abuti_padded(6) : stride);
    long padded_bodies = (limits->bodies + 1L) * abuti_padded(6);
    l->velocity_capacity = (int)(padded_bodies > 2 * stride ? padded_bodies : 2 * stride);
}

void *abuti_lloyd_layout(abuti_arena *arena, const abut_contact_limits *limits)
{
    abuti_lloyd *scratch = abuti_take(arena, 1, abuti_lloyd), counting = {0};
    abuti_lloyd *l = scratch ? scratch : &counting;
    capacities(l, limits);
    int lanes = l->lane_capacity, pairs = l->pair_capacity, slots = l->slot_capacity;
    long dim = limits->nv > 6 ? limits->nv : 6;
    l->kernels = abuti_kernels_get();
    l->passes = abuti_lloyd_passes_choose();

    l->contact = abuti_take(arena, pairs, int);
    l->basic = abuti_take(arena, pairs, uint8_t);
    l->cover = abuti_take(arena, pairs, double);
    l->dx = abuti_take(arena, pairs, double);
    l->dy = abuti_take(arena, pairs, double);
    l->real = abuti_take(arena, pairs, double);
    l->unknown_of = abuti_take(arena, pairs, int);
    l->equation_of = abuti_take(arena, pairs, int);
    l->ties = abuti_take(arena, pairs, int);
    l->joint_cover = abuti_take(arena, limits->joints > 0 ? limits->joints : 1, double);

    l->block = abuti_take(arena, lanes, int);
    l->eliminated = abuti_take(arena, lanes, int);
    l->expanded = abuti_take(arena, lanes, int);
    l->reach = abuti_take(arena, lanes, double);
    l->gathered = abuti_take(arena, lanes, uint8_t);
    l->early = abuti_take(arena, lanes, uint8_t);
    l->axes = abuti_take(arena, (size_t)lanes * 3 * (size_t)l->vector_capacity, double);
    l->lane_work = abuti_take(arena, 2 * (size_t)lanes, double);
    l->spread = abuti_take(arena, (size_t)lanes * (size_t)dim, double);

    abuti_inverse_layout(&l->inverse, arena, slots);
    abuti_lu_layout(&l->lu, arena, slots);
    l->unknowns = abuti_take(arena, slots, abuti_lloyd_slot);
    l->equations = abuti_take(arena, slots, abuti_lloyd_slot);
    l->columns = abuti_take(arena, (size_t)slots * (size_t)l->vector_capacity, double);
    l->rows = abuti_take(arena, (size_t)slots * (size_t)l->vector_capacity, double);
    l->constants = abuti_take(arena, abuti_padded(slots), double);
    l->cover_column = abuti_take(arena, l->velocity_capacity, double);
    l->entering = abuti_take(arena, abuti_padded(slots), double);
    l->leaving = abuti_take(arena, abuti_padded(slots), double);
    for (int i = 0; i < 2; ++i) l->solved[i] = abuti_take(arena, abuti_padded(slots), double);
    l->vectors = abuti_take(arena, 2 * (size_t)l->vector_capacity, double);
    l->seen = abuti_take(arena, ABUTI_LLOYD_SEEN, uint64_t);

    point_layout(&l->point, arena, l);
    point_layout(&l->edge, arena, l);
    point_layout(&l->spare, arena, l);
    return scratch;
}

/* ------------------------------------------------------------------------------------------------
 * Covering vectors */

/* A number in [1, 1.5) from a table of endless length: covers that differ from row to row make ties rare. */
double abuti_lloyd_cover_number(uint32_t seed, int attempt, int index)
{
    uint32_t x =
        seed * 0x9e3779b1u + (uint32_t)attempt * 0x85ebca77u + (uint32_t)index * 0xc2b2ae3du + 0x27d4eb2fu;
    x = (x ^ (x >> 15)) * 0x2c1b3c6du;
    x = (x ^ (x >> 12)) * 0x297a2d39u;
    x ^= x >> 15;
    return 1 + 0.5 * ((double)x / 4294967296.0);
}

bool abuti_lloyd_has_friction(const abuti_system *s, int contact)
{
    return abuti_model_of(s->model)->friction != ABUT_LAW_NONE && s->mu[contact] > 0;
}

/* Joint rows are equations from the start. Dependent ones are left out, and must then hold by themselves. */
bool abuti_lloyd_start_joints(abuti_lloyd *l)
{
    const abuti_system *s = l->s;
    for (int j = 0; j < s->joints; ++j) abuti_lloyd_admit_joint(l, j);
    return l->size == 0 || abuti_lloyd_rebuild(l);
}

bool abuti_lloyd_start_cold(abuti_lloyd *l, int cover, uint32_t seed)
{
    const abuti_system *s = l->s;
    abuti_lloyd_clear(l);
    if (!abuti_lloyd_start_joints(l)) return false;
    for (int i = 0; i < s->n; ++i) l->cover[i] = abuti_lloyd_cover_number(seed, cover, 3 * i);
    for (int i = 0; i < s->n; ++i) {
        if (abuti_lloyd_has_friction(s, i) && (!l->reduced || l->early[i]))
            abuti_lloyd_expand(l, i, abuti_lloyd_cover_number(seed, cover, 3 * i + 1),
                               abuti_lloyd_cover_number(seed, cover, 3 * i + 2));
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------
 * The order of attack */

/* Joint rows that were left out of a solve may miss zero by this much, in units of l->scale, before they count as a
 * contradiction. */
#define CONTRADICTION 1e-9

/* Whether the joint rows that were left out as dependent hold at the present vertex. */
static bool joints_agree(abuti_lloyd *l)
{
    const abuti_system *s = l->s;
    for (int j = 0; j < s->joints; ++j) {
        double sum = s->joint_offset[j];
        for (int side = 0; side < s->sides; ++side) {
            const double *row = s->joint_rows + (size_t)(j * s->sides + side) * (size_t)s->stride;
            const double *v = l->point.v + (size_t)s->joint_body[side][j] * (size_t)s->stride;
            for (int c = 0; c < s->dim; ++c) sum += row[c] * v[c];
        }
        if (!(fabs(sum) <= CONTRADICTION * l->scale)) return false;
    }
    return true;
}

static double largest(int count, const double *x, double most)
{
    for (int i = 0; i < count; ++i) most = fabs(x[i]) > most ? fabs(x[i]) : most;
    return most;
}

static bool begin(abuti_lloyd *l)
{
    const abuti_system *s = l->s;
    l->vector = s->sides * s->stride;
    long freedom = (long)s->bodies * s->dim, rows = s->joints, friction = 0;
    for (int i = 0; i < s->n; ++i) {
        rows += s->directions[i] + 1;
        friction += abuti_padded(s->directions[i]);
    }
    if (least(rows, freedom) + 8 > l->slot_capacity || 2 * s->lanes + friction > l->pair_capacity)
        return false;
    l->pair_count = (int)(2 * s->n + friction);
    memset(l->gathered, 0, (size_t)s->lanes);
    memset(l->early, 0, (size_t)s->lanes);
    double scale = largest(s->bodies * s->stride, s->k, 0);
    for (int axis = 0; axis < 3; ++axis) scale = largest(s->n, s->offset[axis], scale);
    scale = largest(s->joints, s->joint_offset, scale);
    l->scale = scale > 0 ? scale : 1;
    return true;
}

/* Whether the theory of (8) lets a path end on a ray (lloyd/pivot.c): overlap, rebound, or driven joints. */
static bool may_be_unsolvable(const abuti_system *s)
{
    for (int i = 0; i < s->n; ++i) {
        if (s->offset[0][i] < 0) return true;
    }
    for (int j = 0; j < s->joints; ++j) {
        if (s->joint_offset[j] != 0) return true;
    }
    return false;
}

/* Where it does, so many paths must end on a ray before the outcome is a ray; elsewhere every attempt is made. */
#define RAYS_BELIEVED 3

/* Failed attempts after which a reduced path starts like a structural one. */
#define ALL_EARLY 2

/* Numbers are of order one (system.h) and solves accurate to some 1e-14, so a first path needs little slack.
 * Contacts that differ by less than that from each other make bases singular; a path with more slack steps
 * over them. What it gives up is far below the tolerance of the verifier, who has the last word. */
#define SLACK_FIRST 1e-12
#define SLACK_MORE 1e-11
#define SLACK_MOST 1e-10

abut_outcome abuti_lloyd_run(abuti_lloyd *l, const abuti_stage_context *context, abuti_answer *answer)
{
    /* The first attempt is as fast as can be. The others have other covers, fresher inverses and mostly more slack.
     * Two of the last break ties by the lexicographic rule, whose pivots may be small. */
    static const struct {
        int cover;
        abuti_lloyd_rules rules;
    } attempts[] = {
        {0, {false, 64, SLACK_FIRST}}, {1, {false, 8, SLACK_MORE}}, {2, {false, 1, SLACK_MOST}},
        {3, {false, 1, SLACK_FIRST}},  {4, {true, 1, SLACK_FIRST}}, {5, {false, 1, SLACK_MOST}},
        {6, {true, 1, SLACK_MORE}},
    };
    const int count = sizeof attempts / sizeof *attempts;
    if (!begin(l)) return ABUT_FAILED;
    uint32_t seed = context->options ? context->options->seed : 0;
    abut_outcome outcome = ABUT_FAILED;
    int pivots = 0, rays = 0, first = context->start ? -1 : 0;
    for (int a = first; a < count; ++a) {
        bool started = a < 0 ? abuti_lloyd_start_warm(l, context->start, seed)
                             : abuti_lloyd_start_cold(l, attempts[a].cover, seed);
        if (!started) continue;
        if (a == first && l->s->joints > 0) {
            abuti_lloyd_vertex(l);
            if (!joints_agree(l)) {
                outcome = ABUT_INFEASIBLE;
                break;
            }
        }
        outcome = abuti_lloyd_path(l, attempts[a < 0 ? 0 : a].rules, context, &pivots);
        if (outcome == ABUT_SOLVED || outcome == ABUT_LIMIT) break;
        if (outcome == ABUT_RAY && a >= 0 && ++rays == RAYS_BELIEVED && may_be_unsolvable(l->s)) break;
        /* A failed reduced path mostly had a tiny z0 and large covers. From the start, the next path has the
         * friction that this one came to need; later paths have all friction. */
        for (int e = 0; e < l->expanded_count; ++e) l->early[l->expanded[e]] = 1;
        if (a >= ALL_EARLY) memset(l->early, 1, (size_t)l->s->lanes);
    }
    answer->pivots += pivots;
    if (outcome == ABUT_LIMIT) abuti_lloyd_vertex(l); /* carried vertices have no impulses */
    if (outcome == ABUT_SOLVED || outcome == ABUT_LIMIT) abuti_lloyd_answer(l, answer);
    if (outcome == ABUT_RAY) abuti_lloyd_answer_ray(l, answer);
    return outcome;
}
