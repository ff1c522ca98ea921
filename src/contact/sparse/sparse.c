/* Large islands: memory, the choice of the machine's variant, the stages. */
#include "contact/sparse/sparse.h"
#include "base/cpu.h"
#include "linalg/kernels.h"
#include "linalg/lanes.h"
#include <math.h>

/* Islands of fewer bodies have no use for this room. */
#define FEWEST_BODIES 2
/* Islands of fewer bodies than this use it only to hold what acted in the last step. */
#define FEWEST_MENDED ABUTI_FEW_INSIDE
/* There is room for so many numbers of factors, however few bodies there are. */
#define FEW_NUMBERS 5e4
/* How many numbers of bodies around a larger block are eliminated after it, at most on average. */
#define WIDE_BORDER 64.0

const sparse_kernels *abuti_sparse_kernels(void)
{
    static const sparse_kernels *const by_width[ABUTI_WIDTHS] = {
        &abuti_sparse_plain, ABUTI_IF_AVX2(&abuti_sparse_avx2), ABUTI_IF_AVX512(&abuti_sparse_avx512)};
    return by_width[abuti_cpu_width()];
}

/* How many rows of supernodes, and how many numbers (factors, updates that wait, packed panels) there is room for.
 * Blocks in space (heaps as high as they are wide) took 7 x 128 m^(4/3) numbers for 3,000 bodies, walls and flat heaps
 * less; 10 in place of 7 leaves some room. A block that is larger than a body counts as several bodies, with a border
 * of its own width and some bodies around it. There is never more than four dense matrices take, and up to 39 bodies
 * have just that. */
static void room_for(const sparse_extent *e, int *rows, size_t *numbers)
{
    bool wide = e->largest > ABUTI_RIGID;
    double nodes = e->bodies, all = e->numbers, m = fmax(nodes, all / ABUTI_RIGID);
    double side = all + 16.0 + (wide ? 8.0 * nodes : 0.0), root = 1.0; /* the cube root of m, rounded up */
    double border = wide ? 4.0 * all * (e->largest + WIDE_BORDER) : 0.0;
    while (root * root * root < m) root += 1.0;
    *rows = (int)fmin(nodes * (nodes + 1.0) / 2.0 + 1.0, 100.0 * nodes);
    *numbers = (size_t)fmin(4.0 * side * side, 10.0 * 128.0 * m * root + FEW_NUMBERS + border);
}

void abuti_sparse_matrix_layout(sparse_matrix *a, abuti_arena *arena, const sparse_extent *e)
{
    int rows, bodies = e->bodies, pairs = e->pairs;
    size_t numbers;
    room_for(e, &rows, &numbers);
    abuti_sparse_graph_layout(&a->graph, arena, bodies, pairs);
    abuti_sparse_scratch_layout(&a->scratch, arena, bodies, pairs);
    abuti_sparse_shape_layout(&a->shape, arena, bodies, rows, numbers);
    a->order = abuti_take(arena, bodies, int);
    a->numbers = abuti_take(arena, numbers + 8, double);
    a->place = abuti_take(arena, pairs, size_t);
    a->upper = abuti_take(arena, pairs, uint8_t);
    a->own = abuti_take(arena, bodies, size_t);
    a->local = abuti_take(arena, 8 * (size_t)bodies + (size_t)e->numbers + 16, double);
    a->update = abuti_take(arena, bodies, size_t);
}

static void take_step(sparse_step *step, abuti_arena *arena, size_t space, size_t lanes, size_t joints,
                      size_t directions)
{
    step->v = abuti_take(arena, space, double);
    step->joint = abuti_take(arena, joints, double);
    for (int axis = 0; axis < 3; ++axis) step->u[axis] = abuti_take(arena, lanes, double);
    for (int k = 0; k < 4; ++k) step->single[k] = abuti_take(arena, lanes, double);
    step->phi = abuti_take(arena, lanes * directions, double);
    step->sigma = abuti_take(arena, lanes * directions, double);
}

static void take_contacts(sparse *p, abuti_arena *arena, size_t lanes, size_t joints, size_t directions,
                          size_t soft)
{
    sparse_interior *in = &p->inside;
    double **const by_lane[] = {&p->still,  &in->single[0], &in->single[1], &in->single[2], &in->single[3],
                                &in->count, &in->live,      &in->gx,        &in->gy,        &in->pull,
                                &in->base,  &in->follow,    &in->share[0],  &in->share[1]};
    double **const by_pair[] = {&in->phi, &in->sigma, &in->phi_share, &in->direction[0], &in->direction[1]};
    for (size_t i = 0; i < sizeof by_lane / sizeof *by_lane; ++i)
        *by_lane[i] = abuti_take(arena, lanes, double);
    for (size_t i = 0; i < sizeof by_pair / sizeof *by_pair; ++i)
        *by_pair[i] = abuti_take(arena, lanes * directions, double);
    in->joint = abuti_take(arena, joints, double);
    in->most = abuti_take(arena, lanes / ABUTI_LANES, int);
    p->rows = abuti_take(arena, lanes * 48, double);
    p->state = abuti_take(arena, lanes, uint8_t);
    p->face = abuti_take(arena, lanes, uint8_t);
    p->at.shared.held_state = abuti_take(arena, lanes, uint8_t);
    p->at.shared.held_face = abuti_take(arena, lanes, uint8_t);
    for (int k = 0; k < K_COUNT; ++k) {
        p->springs.K[k] = abuti_take(arena, lanes, double);
        p->springs.soft[k] = abuti_take(arena, soft, double);
    }
    for (int axis = 0; axis < 3; ++axis) {
        p->springs.r[axis] = abuti_take(arena, lanes, double);
        p->springs.x[axis] = abuti_take(arena, lanes, double);
        p->springs.dx[axis] = abuti_take(arena, lanes, double);
        p->springs.from[axis] = abuti_take(arena, lanes, double);
        p->u[axis] = abuti_take(arena, lanes, double);
    }
    p->springs.joint_r = abuti_take(arena, joints, double);
    p->springs.joint_x = abuti_take(arena, joints, double);
    p->springs.joint_from = abuti_take(arena, joints, double);
    p->independent = abuti_take(arena, joints, uint8_t);
    for (int axis = 0; axis < 3; ++axis) p->near.x[axis] = abuti_take(arena, lanes, double);
    p->near.joint = abuti_take(arena, joints, double);
    p->near.state = abuti_take(arena, lanes, uint8_t);
    p->near.face = abuti_take(arena, lanes, uint8_t);
}

/* The edge of a polygon with corners k and k + 1 of d. */
static sparse_edge edge_between(int d, int k)
{
    const double *at = abuti_direction(d, k), *next = abuti_direction(d, k + 1 == d ? 0 : k + 1);
    double ex = next[0] - at[0], ey = next[1] - at[1], length = sqrt(ex * ex + ey * ey);
    sparse_edge e = {.ax = ey / length, .ay = -ex / length, .h = 0.5 * length};
    e.kap = d == 2 ? 0.0 : e.ax * at[0] + e.ay * at[1];
    return e;
}

/* The edges of all polygons of up to `most` directions: those of d directions begin at d (d - 1) / 2. */
static sparse_edge *take_edges(abuti_arena *arena, int most)
{
    sparse_edge *edges = abuti_take(arena, most * (most + 1) / 2, sparse_edge);
    for (int d = ABUT_DIRECTIONS_MIN; d <= most && edges; ++d)
        for (int k = 0; k < d; ++k) edges[d * (d - 1) / 2 + k] = edge_between(d, k);
    return edges;
}

static void take_doubt(sparse_doubt *d, abuti_arena *arena, size_t lanes, int directions)
{
    double **const numbers[] = {&d->offset[0], &d->offset[1],   &d->offset[2],   &d->mu,          &d->size[0],
                                &d->size[1],   &d->answer.f[0], &d->answer.f[1], &d->answer.theta};
    abut_contact_limits few = {.contacts = MEND_MOST, .local = true, .directions = directions};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k)
        *numbers[k] = abuti_take(arena, MEND_MOST, double);
    d->in = abuti_take(arena, lanes, uint8_t);
    d->W = abuti_take(arena, 9 * MEND_MOST * MEND_MOST, double);
    d->directions = abuti_take(arena, MEND_MOST, int);
    d->body = abuti_take(arena, MEND_MOST, int);
    d->answer.face = abuti_take(arena, MEND_MOST, abut_contact_face);
    d->answer.ray = abuti_take(arena, 3 * MEND_MOST, double);
    d->faces = abuti_faces_family.layout(arena, &few);
}

static void *sparse_layout(abuti_arena *arena, const abut_contact_limits *limits)
{
    sparse *scratch = abuti_take(arena, 1, sparse), p = {0};
    bool used = limits->bodies >= FEWEST_BODIES;
    size_t lanes = used ? (size_t)abuti_padded(limits->contacts) : 0,
           bodies = used ? (size_t)limits->bodies : 0;
    size_t joints = used ? (size_t)limits->joints : 0;
    int directions = limits->directions > 0 ? limits->directions : ABUT_DIRECTIONS_DEFAULT;
    size_t parts = used ? abuti_parts_space(limits) : 0, space = 8 * (bodies + 1);
    if (parts > space) space = parts;
    int largest = parts > 0 && limits->blocks > 0 ? abuti_block_size(limits) : ABUTI_RIGID;
    sparse_extent extent = {.bodies = (int)bodies,
                            .pairs = used ? limits->contacts + limits->joints : 0,
                            .numbers = ABUTI_RIGID * (int)bodies,
                            .largest = largest > ABUTI_RIGID ? largest : ABUTI_RIGID};
    if (parts > 0 && limits->nv > extent.numbers) extent.numbers = limits->nv;
    take_contacts(&p, arena, lanes, joints, (size_t)directions, parts > 0 ? lanes : 0);
    abuti_sparse_matrix_layout(&p.at.shared.matrix, arena, &extent);
    p.v = abuti_take(arena, space, double);
    p.error = abuti_take(arena, space, double);
    p.first = abuti_take(arena, space, double);
    p.edges = take_edges(arena, used ? directions : 0);
    for (int k = 0; k < 2; ++k) take_step(&p.step[k], arena, space, lanes, joints, (size_t)directions);
    take_step(&p.kept, arena, space, lanes, joints, (size_t)directions);
    if (limits->bodies >= FEWEST_MENDED) take_doubt(&p.doubt, arena, lanes, directions);
    if (!scratch) return NULL;
    p.kernels = abuti_sparse_kernels();
    p.room_bodies = (int)bodies;
    p.room_lanes = (int)lanes;
    p.room_joints = (int)joints;
    p.room_directions = directions;
    p.room_space = (int)space;
    p.at.own = &scratch->at.shared;
    p.at.keeper = ABUTI_KEPT_FACTORS;
    *scratch = p;
    return scratch;
}

static void host(void *scratch, abuti_home *home)
{
    ((sparse *)scratch)->at.home = home;
}

const abuti_family abuti_sparse_family = {.solver = ABUT_SOLVER_FACES, .layout = sparse_layout, .host = host};

abuti_rank abuti_sparse_rank(void *scratch, const abuti_system *system, const uint8_t **keep)
{
    sparse *p = scratch;
    return p->kernels->rank(p, system, keep);
}

static abut_outcome hold(const abuti_system *system, void *scratch, const abuti_stage_context *context,
                         abuti_answer *answer)
{
    sparse *p = scratch;
    return p->kernels->hold(p, system, context, answer);
}

static abut_outcome check(const abuti_system *system, void *scratch, const abuti_stage_context *context,
                          abuti_answer *answer)
{
    sparse *p = scratch;
    return p->kernels->check(p, system, context, answer);
}

static abut_outcome interior(const abuti_system *system, void *scratch, const abuti_stage_context *context,
                             abuti_answer *answer)
{
    sparse *p = scratch;
    return p->kernels->interior(p, system, context, answer);
}

static abut_outcome path(const abuti_system *system, void *scratch, const abuti_stage_context *context,
                         abuti_answer *answer)
{
    sparse *p = scratch;
    return p->kernels->path(p, system, context, answer);
}

/* What all stages have in common. */
#define SPARSE_STAGE                                                                                         \
    .family = &abuti_sparse_family, .answers = ABUTI_CONES_OF_IMPULSES, .rows = true, .parts = true

const abuti_stage abuti_sparse_hold = {SPARSE_STAGE, .name = "sparse-hold", .needs_start = true,
                                       .least_bodies = FEWEST_BODIES, .run = hold};
const abuti_stage abuti_sparse_check = {SPARSE_STAGE, .name = "sparse-check", .needs_start = true,
                                        .least_bodies = ABUTI_LARGE_WARM, .run = check};
const abuti_stage abuti_sparse_interior = {SPARSE_STAGE, .name = "sparse-interior",
                                           .least_bodies = ABUTI_FEW_INSIDE, .run = interior};
const abuti_stage abuti_sparse_path = {SPARSE_STAGE, .name = "sparse-path", .last = true,
                                       .least_bodies = ABUTI_LARGE_WARM, .run = path};
