/* faces: memory, and the stages in order of attack. What they do: faces.h. */
#include "contact/faces/faces.h"
#include "base/cpu.h"
#include "linalg/kernels.h"
#include "linalg/lanes.h"

/* The most slots of factors, and of a dense inverse at the doors that have nothing else. */
#define FACES_SLOTS_MAX 2048
/* The most slots of a dense inverse of many bodies: those of 64 bodies with all of their freedoms taken. An event costs
 * as much as the inverse has numbers; larger islands are served by the room sparse/, and then by the next solver. */
#define FACES_INVERSE_MAX 384

static const faces_kernels *kernels_for_this_machine(void)
{
    static const faces_kernels *const by_width[ABUTI_WIDTHS] = {
        &abuti_faces_plain, ABUTI_IF_AVX2(&abuti_faces_avx2), ABUTI_IF_AVX512(&abuti_faces_avx512)};
    return by_width[abuti_cpu_width()];
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

typedef struct faces_sizes {
    int lanes, seats, slots, inverse, width, space, directions;
    bool many; /* islands of several bodies, or of long rows: factors */
} faces_sizes;

static faces_sizes sizes_for(const abut_contact_limits *limits)
{
    faces_sizes z;
    int unknowns = 3 * limits->contacts + limits->joints;
    int freedom = larger(6 * limits->bodies, limits->nv);
    z.lanes = larger(abuti_padded(limits->contacts), ABUTI_LANES);
    z.seats = z.lanes;
    /* A basis has at most as many slots as there are freedoms; factors also hold dependent rows. */
    z.many = limits->bodies > 1 || limits->nv > ABUTI_LANES;
    z.slots = limits->local || z.many ? unknowns : smaller(unknowns, freedom);
    z.slots = larger(abuti_padded(smaller(z.slots, FACES_SLOTS_MAX) + 2), ABUTI_LANES);
    int independent = larger(smaller(6 * limits->bodies, FACES_INVERSE_MAX), limits->nv);
    z.inverse =
        limits->local ? z.slots : smaller(z.slots, larger(abuti_padded(independent + 2), ABUTI_LANES));
    z.width = larger(2 * ABUTI_LANES, abuti_padded(limits->nv));
    z.space = larger((limits->bodies + 1) * ABUTI_LANES, 2 * abuti_padded(limits->nv));
    if (limits->local) z.width = larger(z.width, abuti_padded(unknowns + 2));
    if (limits->local) z.space = larger(z.space, z.width);
    z.directions = limits->directions > 0 ? limits->directions : ABUT_DIRECTIONS_DEFAULT;
    return z;
}

/* A number in [0, 1) from a counter, the same on every machine: a scrambled integer as a fraction. */
static double scrambled(uint32_t counter)
{
    uint32_t h = counter * 0x9e3779b9u + 0x7f4a7c15u;
    h = (h ^ (h >> 16)) * 0x85ebca6bu;
    h = (h ^ (h >> 13)) * 0xc2b2ae35u;
    return (double)(h ^ (h >> 16)) * 0x1p-32;
}

static void take_contacts(faces *f, abuti_arena *arena, const faces_sizes *z)
{
    f->state = abuti_take(arena, z->lanes, uint8_t);
    f->face = abuti_take(arena, z->lanes, uint8_t);
    f->slack.open = abuti_take(arena, z->lanes, double);
    f->seats.of = abuti_take(arena, z->lanes, int);
    f->seats.contact = abuti_take(arena, z->seats, int);
    f->seats.active = abuti_take(arena, z->lanes, int);
    f->seats.active_at = abuti_take(arena, z->lanes, int);
    f->seats.rows = abuti_take(arena, (size_t)(3 * z->seats) * (size_t)z->width, double);
    f->eight.component_at = abuti_take(arena, ABUTI_LANES, int);
    f->eight.component_used = abuti_take(arena, ABUTI_LANES, double);
    f->still = abuti_take(arena, larger(z->lanes, z->space), double);
    f->loaded = abuti_take(arena, z->space, double);
    f->block.low = abuti_take(arena, z->lanes, int);
    f->block.high = abuti_take(arena, z->lanes, int);
    f->block.count = abuti_take(arena, z->lanes / ABUTI_LANES, int);
    f->block.component = abuti_take(arena, (size_t)(z->lanes / ABUTI_LANES) * (size_t)z->width, int);
    f->band.wanted = abuti_take(arena, z->lanes, uint8_t);
    f->memory.told = abuti_take(arena, z->lanes, abut_contact_face);
    f->memory.mu = abuti_take(arena, z->lanes, double);
    f->memory.directions = abuti_take(arena, z->lanes, int);
    f->memory.rows = abuti_take(arena, (size_t)(3 * ABUTI_LANES) * (size_t)z->lanes, double);
    for (int i = 0; i < 3; ++i) {
        f->tableau.held[i] = abuti_take(arena, z->lanes, double);
        f->seats.slot[i] = abuti_take(arena, z->seats, int);
        f->path.table[i] = abuti_take(arena, z->lanes, double);
        f->path.made[i] = abuti_take(arena, z->lanes, double);
        f->path.moved[i] = abuti_take(arena, z->lanes, double);
        for (int w = 0; w < 4; ++w) f->slack.weight[i][w] = abuti_take(arena, z->seats, double);
        for (int part = 0; part < 2; ++part) f->value[part][i] = abuti_take(arena, z->seats, double);
    }
    for (int i = 0; i < 2; ++i) {
        f->tableau.frame[i] = abuti_take(arena, z->lanes, double);
        f->tableau.lean[i] = abuti_take(arena, z->lanes, double);
        f->eight.tangent[i] = abuti_take(arena, ABUTI_LANES * ABUTI_LANES, double);
        f->un[i] = abuti_take(arena, z->lanes, double);
        for (int axis = 0; axis < 2; ++axis) {
            f->ut[i][axis] = abuti_take(arena, z->seats, double);
            f->eight.shift[i][axis] = abuti_take(arena, ABUTI_LANES, double);
        }
    }
}

static void take_slots(faces *f, abuti_arena *arena, const faces_sizes *z)
{
    size_t table = z->many ? (size_t)smaller(z->lanes, FACES_TABLEAU) : 0, whole = 9 * table * table;
    size_t square = (size_t)z->inverse * (size_t)z->inverse, rows = (size_t)z->slots * (size_t)z->width;
    size_t band = z->many ? (size_t)faces_band_room(z->slots / ABUTI_LANES) * ABUTI_LANES * ABUTI_LANES : 0;
    if (band > whole) whole = band;
    f->slots.contact = abuti_take(arena, z->slots, int);
    f->slots.kind = abuti_take(arena, z->slots, int);
    f->slots.R = abuti_take(arena, rows, double);
    f->slots.C = abuti_take(arena, rows, double);
    f->eight.RT = abuti_take(arena, ABUTI_LANES * ABUTI_LANES, double);
    f->eight.CT = abuti_take(arena, ABUTI_LANES * ABUTI_LANES, double);
    f->inverse.B = abuti_take(arena, square, double);
    f->inverse.BT = abuti_take(arena, square, double);
    f->work.dense = f->tableau.columns = f->band.blocks =
        abuti_take(arena, square > whole ? square : whole, double);
    f->work.list = f->tableau.places = abuti_take(arena, 2 * z->slots, int);
    for (int i = 0; i < 2; ++i) {
        f->slots.body[i] = abuti_take(arena, z->slots, int);
        f->x[i] = abuti_take(arena, larger(z->slots, 3 * z->lanes), double);
        f->v[i] = abuti_take(arena, z->space, double);
        f->slots.base[i] = abuti_take(arena, z->slots, double);
    }
    f->work.b = abuti_take(arena, larger(z->slots, 3 * z->lanes), double);
    f->work.g = abuti_take(arena, z->slots, double);
    f->work.beta = abuti_take(arena, larger(z->slots, 3 * z->lanes), double);
    f->work.eta = abuti_take(arena, z->slots, double);
    f->work.dv = abuti_take(arena, z->space, double);
    f->work.row = abuti_take(arena, z->width, double);
    f->work.column = abuti_take(arena, z->width, double);
}

static void take_factors(faces *f, abuti_arena *arena, const abut_contact_limits *limits,
                         const faces_sizes *z)
{
    int bodies = larger(limits->bodies, 1), stride = larger(ABUTI_LANES, abuti_padded(limits->nv));
    int pairs = limits->contacts + limits->joints, chunks = z->slots / ABUTI_LANES;
    /* A chunk meets two bodies for each of its slots at most. */
    size_t panels = (size_t)chunks * (size_t)smaller(2 * ABUTI_LANES, bodies);
    f->order.at = abuti_take(arena, pairs, int);
    f->order.pair = abuti_take(arena, 2 * pairs, int);
    f->order.rank = abuti_take(arena, bodies + 1, int);
    f->order.queue = abuti_take(arena, bodies + 1, int);
    f->order.link_first = abuti_take(arena, bodies + 2, int);
    f->order.link = abuti_take(arena, 2 * pairs, int);
    f->band.count = abuti_take(arena, chunks, int);
    f->band.entry = abuti_take(arena, 2 * z->slots, int);
    f->band.entry_first = abuti_take(arena, bodies + 2, int);
    f->band.panel_body = abuti_take(arena, panels, int);
    f->band.panel_first = abuti_take(arena, chunks + 1, int);
    f->band.low = abuti_take(arena, chunks, int);
    f->band.high = abuti_take(arena, chunks, int);
    f->band.first = abuti_take(arena, chunks, int);
    f->band.linked = abuti_take(arena, (size_t)chunks * (size_t)chunks / 2 + 1, uint8_t);
    /* Long rows are those of one block. */
    size_t most =
        panels * ABUTI_LANES > (size_t)(chunks * stride) ? panels * ABUTI_LANES : (size_t)(chunks * stride);
    f->band.panels = abuti_take(arena, most * ABUTI_LANES, double);
    f->band.reciprocal = abuti_take(arena, z->slots, double);
    for (int side = 0; side < 2; ++side) f->band.slot_panel[side] = abuti_take(arena, z->slots, int);
}

static void take_springs(faces_springs *g, abuti_arena *arena, const abut_contact_limits *limits,
                         const faces_sizes *z)
{
    size_t m = (size_t)larger(limits->bodies, 1), joints = (size_t)limits->joints + 1;
    size_t all = m * (m - 1) / 2, most = m * FACES_SPRING_BLOCKS, blocks = all < most ? all : most;
    g->block_capacity = (int)blocks;
    g->body_at = abuti_take(arena, m, int);
    g->first = abuti_take(arena, m, int);
    g->begin = abuti_take(arena, m, int);
    g->lower = abuti_take(arena, blocks * ABUTI_LANES * ABUTI_LANES, double);
    g->upper = abuti_take(arena, blocks * ABUTI_LANES * ABUTI_LANES, double);
    g->diagonal = abuti_take(arena, m * ABUTI_LANES * ABUTI_LANES, double);
    for (int k = 0; k < 6; ++k) g->K[k] = abuti_take(arena, z->lanes, double);
    for (int axis = 0; axis < 3; ++axis) {
        g->r[axis] = abuti_take(arena, z->lanes, double);
        g->x[axis] = abuti_take(arena, z->lanes, double);
    }
    g->joint_r = abuti_take(arena, joints, double);
    g->joint_x = abuti_take(arena, joints, double);
    g->joint_dx = abuti_take(arena, joints, double);
}

static void take_interior(faces_interior *in, abuti_arena *arena, const abut_contact_limits *limits,
                          const faces_sizes *z)
{
    double **const by_lane[] = {&in->theta,   &in->nu,      &in->lambda,  &in->gamma,  &in->count,
                                &in->live,    &in->gx,      &in->gy,      &in->pull,   &in->base,
                                &in->step[0], &in->step[1], &in->step[2], &in->step[3]};
    double **const by_pair[] = {&in->phi,    &in->sigma,        &in->dphi,
                                &in->dsigma, &in->direction[0], &in->direction[1]};
    size_t pairs = limits->bodies > 1 ? (size_t)z->lanes * (size_t)z->directions : 0;
    for (size_t i = 0; i < sizeof by_lane / sizeof *by_lane; ++i)
        *by_lane[i] = abuti_take(arena, z->lanes, double);
    for (size_t i = 0; i < sizeof by_pair / sizeof *by_pair; ++i)
        *by_pair[i] = abuti_take(arena, pairs, double);
    in->joint = abuti_take(arena, limits->joints + 1, double);
    in->most = abuti_take(arena, z->lanes / ABUTI_LANES, int);
}

static void take_polygons(faces *f, abuti_arena *arena, const faces_sizes *z)
{
    f->polygon = abuti_take(arena, z->directions + 1, faces_polygon);
    int each = abuti_padded(z->directions);
    double *room = abuti_take(arena, (size_t)(4 * each) * (size_t)(z->directions + 1), double);
    if (!f->polygon) return;
    for (int d = 0; d <= z->directions; ++d) {
        double *at = room + (size_t)(4 * each) * (size_t)d;
        f->polygon[d] = (faces_polygon){.dx = at, .dy = at + each, .ax = at + 2 * each, .ay = at + 3 * each};
    }
}

/* Everything that is not zero at first. */
static void make_tables(faces *f, const faces_sizes *z)
{
    f->kernels = kernels_for_this_machine();
    f->room.slots = z->slots;
    f->room.inverse = z->inverse;
    f->room.lanes = z->lanes;
    f->room.width = z->width;
    f->room.space = z->space;
    for (int s = 0; s < z->slots; ++s) f->slots.contact[s] = FACES_NONE;
    for (int i = 0; i < z->lanes; ++i) {
        f->path.table[0][i] = 1.0 + 0.5 * scrambled(3u * (uint32_t)i);
        f->path.table[1][i] = 0.6 * scrambled(3u * (uint32_t)i + 1u) - 0.3;
        f->path.table[2][i] = 0.6 * scrambled(3u * (uint32_t)i + 2u) - 0.3;
    }
}

static void *faces_layout(abuti_arena *arena, const abut_contact_limits *limits)
{
    faces_sizes z = sizes_for(limits);
    faces *scratch = abuti_take(arena, 1, faces), f = {0};
    take_contacts(&f, arena, &z);
    take_slots(&f, arena, &z);
    f.one = f.memory.common = abuti_take(arena, 1, faces_one);
    take_factors(&f, arena, limits, &z);
    take_springs(&f.springs, arena, limits, &z);
    take_interior(&f.interior, arena, limits, &z);
    take_polygons(&f, arena, &z);
    if (!scratch) return NULL;
    make_tables(&f, &z);
    *scratch = f;
    return scratch;
}

const abuti_family abuti_faces_family = {
    .solver = ABUT_SOLVER_FACES, .layout = faces_layout, .host = abuti_faces_host};

/* ---- the stages, in the variant for this machine ---- */

static abut_outcome check(const abuti_system *system, void *scratch, const abuti_stage_context *context,
                          abuti_answer *answer)
{
    faces *f = scratch;
    return f->kernels->check(f, system, context, answer);
}

static abut_outcome mend(const abuti_system *system, void *scratch, const abuti_stage_context *context,
                         abuti_answer *answer)
{
    faces *f = scratch;
    return f->kernels->mend(f, system, context, answer);
}

static abut_outcome greedy(const abuti_system *system, void *scratch, const abuti_stage_context *context,
                           abuti_answer *answer)
{
    faces *f = scratch;
    return f->kernels->greedy(f, system, context, answer);
}

static abut_outcome interior(const abuti_system *system, void *scratch, const abuti_stage_context *context,
                             abuti_answer *answer)
{
    faces *f = scratch;
    return f->kernels->interior(f, system, context, answer);
}

static abut_outcome narrow(const abuti_system *system, void *scratch, const abuti_stage_context *context,
                           abuti_answer *answer)
{
    faces *f = scratch;
    return f->kernels->narrow(f, system, context, answer);
}

static abut_outcome path(const abuti_system *system, void *scratch, const abuti_stage_context *context,
                         abuti_answer *answer)
{
    faces *f = scratch;
    return f->kernels->path(f, system, context, answer);
}

static abut_outcome cover(const abuti_system *system, void *scratch, const abuti_stage_context *context,
                          abuti_answer *answer)
{
    faces *f = scratch;
    return f->kernels->cover(f, system, context, answer);
}

/* What all stages have in common. */
#define FACES_STAGE                                                                                          \
    .family = &abuti_faces_family, .answers = ABUTI_CONES_OF_IMPULSES, .rows = true, .bounded = true

const abuti_stage abuti_faces_check = {FACES_STAGE,
                                       .local = true,
                                       .name = "faces-check",
                                       .needs_start = true,
                                       .most_bodies = ABUTI_LARGE_WARM - 1,
                                       .run = check};
const abuti_stage abuti_faces_mend = {FACES_STAGE,
                                      .local = true,
                                      .name = "faces-mend",
                                      .needs_start = true,
                                      .most_bodies = ABUTI_LARGE_WARM - 1,
                                      .run = mend};
const abuti_stage abuti_faces_greedy = {FACES_STAGE, .local = true, .name = "faces-greedy", .run = greedy};
const abuti_stage abuti_faces_interior = {FACES_STAGE, .local = true, .name = "faces-interior",
                                          .run = interior};
const abuti_stage abuti_faces_narrow = {FACES_STAGE, .name = "faces-narrow",
                                        .least_bodies = ABUTI_LARGE_ISLAND, .run = narrow};
const abuti_stage abuti_faces_path = {FACES_STAGE, .local = true, .name = "faces-path", .run = path};
const abuti_stage abuti_faces_cover = {FACES_STAGE, .local = true, .name = "faces-cover", .run = cover};
