/* The second door with blocks (trees).
 *
 * Each block's mass matrix is factored by itself, M = G G' (tree.h), and a row J on it becomes G^-1 J'. Where every
 * block of the island has at most six numbers, and nothing is to be lifted (lift.h), the system has the form of rigid
 * bodies: blocks of six, two sides. Otherwise all blocks of the island stand one after the other in one block, with
 * dense rows. */
#include "contact/build/blocks.h"
#include "contact/build/build.h"
#include "contact/build/validate.h"
#include <math.h>
#include <string.h>

void abuti_blocks_layout(abuti_blocks *blocks, abuti_arena *arena, const abut_contact_limits *limits)
{
    bool used = limits->blocks > 0;
    size_t largest = (size_t)abuti_block_size(limits);
    blocks->clusters = 0;
    blocks->block = abuti_take(arena, limits->blocks, abuti_block);
    blocks->factors = abuti_take(arena, used ? (size_t)limits->nv * largest : 0, double);
    blocks->contact = abuti_take(arena, used ? limits->contacts : 0, size_t);
    blocks->joint = abuti_take(arena, used ? limits->joints : 0, size_t);
    blocks->row = abuti_take(arena, used ? largest : 0, double);
    int **const by_block[] = {&blocks->cluster, &blocks->first, &blocks->size};
    for (size_t k = 0; k < sizeof by_block / sizeof *by_block; ++k)
        *by_block[k] = abuti_take(arena, limits->blocks, int);
    blocks->around = abuti_take(arena, used ? limits->nv : 0, abuti_range);
}

/* The numbers of a row on the blocks of a pair. */
static size_t width(const abuti_blocks *blocks, const int pair[2])
{
    return (size_t)(blocks->block[pair[0]].size + (pair[1] >= 0 ? blocks->block[pair[1]].size : 0));
}

void abuti_blocks_find(abuti_blocks *blocks, const abut_contact_problem *problem)
{
    const abut_generalised *g = problem->generalised;
    size_t mass = 0, row = 0;
    int at = 0;
    for (int b = 0; b < g->block_count; ++b) {
        int size = g->block_sizes[b];
        blocks->block[b] = (abuti_block){.size = size,
                                         .at = at,
                                         .parent = g->parents ? g->parents + at : NULL,
                                         .mass = g->mass_matrix + mass,
                                         .factor = blocks->factors + mass};
        at += size;
        mass += (size_t)size * (size_t)size;
    }
    for (int i = 0; i < problem->contact_count; ++i) {
        blocks->contact[i] = row;
        row += width(blocks, problem->contacts[i].bodies);
    }
    row = 0;
    for (int j = 0; j < problem->joint_count; ++j) {
        blocks->joint[j] = row;
        row += width(blocks, problem->joints[j].bodies);
    }
}

int abuti_block_ranges(const abuti_blocks *blocks, const int bodies[2], int dim, abuti_range range[2])
{
    range[0] = range[1] = (abuti_range){0, dim};
    if (blocks->clusters == 0) return 1;
    int a = blocks->cluster[blocks->block[bodies[0]].place];
    int b = bodies[1] >= 0 ? blocks->cluster[blocks->block[bodies[1]].place] : a;
    int low = a < b ? a : b, high = a < b ? b : a;
    range[0] = (abuti_range){blocks->first[low], blocks->size[low]};
    range[1] = (abuti_range){blocks->first[high], blocks->size[high]};
    return low < high ? 2 : 1;
}

static bool finite_all(const double *x, size_t count)
{
    bool good = true;
    for (size_t i = 0; i < count; ++i) good &= fabs(x[i]) <= ABUTI_LARGEST;
    return good;
}

/* Joins the blocks of an island between which dampers act. A cluster is named by its first block. */
static void join_blocks(abuti_build *build, const abut_contact_problem *problem, const abuti_island *island)
{
    abuti_blocks *blocks = &build->blocks;
    for (int b = 0; b < island->bodies; ++b) blocks->cluster[b] = b;
    for (int i = 0; i < island->contacts && build->implicit; ++i) {
        const abut_contact *contact = &problem->contacts[island->contact[i]];
        if (contact->bodies[1] < 0 || !abuti_damped(contact)) continue;
        int at[2];
        for (int side = 0; side < 2; ++side) {
            at[side] = blocks->block[contact->bodies[side]].place;
            while (blocks->cluster[at[side]] != at[side]) at[side] = blocks->cluster[at[side]];
        }
        int low = at[0] < at[1] ? at[0] : at[1];
        blocks->cluster[at[0]] = blocks->cluster[at[1]] = low;
    }
}

/* The largest of the clusters; of equals the last, so that bodies keep their order. */
static int largest_cluster(const abuti_blocks *blocks)
{
    int largest = 0;
    for (int k = 1; k < blocks->clusters; ++k)
        if (blocks->size[k] >= blocks->size[largest]) largest = k;
    return largest;
}

/* Finds the places of all blocks in the one block, cluster after cluster. The largest cluster comes last: what many
 * things touch is best eliminated after them. */
static void place_blocks(abuti_build *build, const abuti_island *island)
{
    abuti_blocks *blocks = &build->blocks;
    int total = 0;
    blocks->clusters = 0;
    for (int b = 0; b < island->bodies; ++b) { /* the first of a cluster comes before the others */
        int *at = &blocks->cluster[b], size = blocks->block[island->body[b]].size;
        bool first = *at == b;
        *at = first ? blocks->clusters++ : blocks->cluster[*at];
        blocks->size[*at] = first ? size : blocks->size[*at] + size;
    }
    int last = blocks->clusters - 1, largest = largest_cluster(blocks);
    for (int turn = 0; turn <= last; ++turn) {
        int k = turn == last ? largest : turn < largest ? turn : turn + 1;
        blocks->first[k] = total;
        for (int c = total; c < total + blocks->size[k]; ++c)
            blocks->around[c] = (abuti_range){total, blocks->size[k]};
        total += blocks->size[k];
        blocks->size[k] = 0;
    }
    for (int b = 0; b < island->bodies; ++b) {
        abuti_block *block = &blocks->block[island->body[b]];
        int at = blocks->cluster[b];
        block->first = blocks->first[at] + blocks->size[at];
        blocks->size[at] += block->size;
    }
}

/* Block b of the island, with its place there. */
static const abuti_block *place_block(abuti_build *build, const abuti_island *island, int b)
{
    abuti_block *block = &build->blocks.block[island->body[b]];
    block->place = b;
    block->body = abuti_block_is_body(block) ? &build->factor[b] : NULL;
    return block;
}

/* The form of the system: blocks of six on two sides, or one dense block. */
static void choose_form(abuti_build *build, const abut_contact_problem *problem, const abuti_island *island)
{
    abuti_system *s = &build->system;
    abuti_block *block = build->blocks.block;
    int total = 0, largest = 0, sides = 1;
    for (int b = 0; b < island->bodies; ++b) {
        const abuti_block *at = place_block(build, island, b);
        total += at->size;
        largest = at->size > largest ? at->size : largest;
    }
    bool rigid = largest <= ABUTI_RIGID && !build->lift.wanted, bodies = true;
    for (int i = 0; i < island->contacts && build->implicit; ++i)
        rigid = rigid && !abuti_damped(&problem->contacts[island->contact[i]]); /* dampers join blocks */
    for (int b = 0; b < island->bodies; ++b) bodies = bodies && block[island->body[b]].body;
    build->blocks.rigid = rigid;
    build->blocks.bodies = bodies;
    for (int i = 0; i < island->contacts; ++i)
        if (problem->contacts[island->contact[i]].bodies[1] >= 0) sides = 2;
    for (int j = 0; j < island->joints; ++j)
        if (problem->joints[island->joint[j]].bodies[1] >= 0) sides = 2;
    s->bodies = rigid ? island->bodies : 1;
    s->dim = rigid ? ABUTI_RIGID : total;
    s->stride = abuti_padded(s->dim);
    s->sides = rigid ? sides : 1;
    if (rigid) return;
    join_blocks(build, problem, island);
    place_blocks(build, island);
}

/* Where a block stands in the system: its block of numbers, its side of the rows, its first component there. */
typedef struct seat {
    const abuti_block *block;
    int body, side, first;
} seat;

static seat seat_of(const abuti_build *build, int index, int side)
{
    const abuti_block *block = &build->blocks.block[index];
    if (build->blocks.rigid) return (seat){block, block->place, side, 0};
    return (seat){block, 0, 0, block->first};
}

/* Spreads a row of the caller's, J on both blocks, over one axis of a lane. Returns its square; J v before the step is
 * written, too. */
static double spread_row(abuti_build *build, const abut_contact_problem *problem, const int pair[2],
                         const double *J, int axis, int lane, double *before)
{
    const abuti_system *s = &build->system;
    double square = 0.0, *row = build->blocks.row;
    *before = 0.0;
    for (int side = 0; side < 2 && pair[side] >= 0; ++side) {
        seat to = seat_of(build, pair[side], side);
        const double *v = problem->generalised->velocity + to.block->at;
        int size = to.block->size;
        for (int c = 0; c < size; ++c) *before += J[c] * v[c];
        memcpy(row, J, (size_t)size * sizeof(double));
        abuti_block_scale(to.block, row);
        double *rows =
            build->store.rows + (size_t)((axis * s->sides + to.side) * s->dim + to.first) * (size_t)s->lanes;
        for (int c = 0; c < size; ++c) rows[(size_t)c * (size_t)s->lanes + (size_t)lane] = row[c];
        square += abuti_block_square(to.block, row);
        J += size;
    }
    return square;
}

static bool valid_contact(const abuti_blocks *blocks, const abut_contact_problem *problem, int index)
{
    const abut_generalised *g = problem->generalised;
    const abut_contact *contact = &problem->contacts[index];
    size_t at = blocks->contact[index], numbers = width(blocks, contact->bodies);
    if (!abuti_valid_contact(contact) || !finite_all(g->normal_rows + at, numbers)) return false;
    return g->tangent_rows ? finite_all(g->tangent_rows + 2 * at, 2 * numbers)
                           : !abuti_needs_tangents(problem, contact);
}

static bool valid_joint(const abuti_blocks *blocks, const abut_contact_problem *problem, int index)
{
    const abut_joint *joint = &problem->joints[index];
    return abuti_valid_right_side(joint) &&
           finite_all(problem->generalised->joint_rows + blocks->joint[index], width(blocks, joint->bodies));
}

/* Factors its mass matrix on the way. */
static bool valid_block(const abut_generalised *g, const abuti_block *block)
{
    size_t size = (size_t)block->size;
    return finite_all(g->velocity + block->at, size) && finite_all(g->force + block->at, size) &&
           abuti_block_factor(block);
}

bool abuti_valid_blocks(abuti_build *build, const abut_contact_problem *problem, const abuti_island *island)
{
    bool good = true;
    for (int b = 0; b < island->bodies; ++b) {
        place_block(build, island, b);
        good &= valid_block(problem->generalised, &build->blocks.block[island->body[b]]);
    }
    for (int i = 0; i < island->contacts; ++i)
        good &= valid_contact(&build->blocks, problem, island->contact[i]);
    for (int j = 0; j < island->joints; ++j) good &= valid_joint(&build->blocks, problem, island->joint[j]);
    return good;
}

/* A root with the bits that the first door has. */
static double root_of(double square)
{
    return square <= 0x1p1022 ? abuti_root(square) : sqrt(square);
}

static bool make_contact(abuti_build *build, const abut_contact_problem *problem, int lane, int index)
{
    abuti_system_store *store = &build->store;
    const abut_generalised *g = problem->generalised;
    const abut_contact *contact = &problem->contacts[index];
    const abuti_blocks *blocks = &build->blocks;
    bool acceleration = abuti_model_of(problem->model)->acceleration;
    size_t at = blocks->contact[index], numbers = width(blocks, contact->bodies);
    bool tangents = g->tangent_rows;
    const double *J[3] = {g->normal_rows + at, tangents ? g->tangent_rows + 2 * at : NULL,
                          tangents ? g->tangent_rows + 2 * at + numbers : NULL};
    if (!valid_contact(blocks, problem, index)) return false;
    double square[3] = {0.0, 0.0, 0.0}, u[3] = {0.0, 0.0, 0.0};
    for (int axis = 0; axis < 3 && J[axis]; ++axis)
        square[axis] = spread_row(build, problem, contact->bodies, J[axis], axis, lane, &u[axis]);
    abuti_lane_of_contact(build, contact, lane, index);
    for (int side = 0; side < 2; ++side) {
        int body = contact->bodies[side];
        seat to = body >= 0 ? seat_of(build, body, side) : (seat){.body = build->system.bodies};
        store->body[side][lane] = side == 0 || build->system.sides == 2 ? to.body : build->system.bodies;
    }
    bool planar = store->directions[lane] == ABUT_DIRECTIONS_MIN;
    double tangent = planar ? square[1] : fmax(square[1], square[2]);
    store->size[0][lane] = root_of(square[0]);
    store->size[1][lane] = root_of(tangent);
    store->row_scale[lane] = abuti_scale_of_square(square[0] > 0.0 ? square[0] : tangent);
    for (int axis = 0; axis < 3; ++axis) {
        double given = acceleration ? contact->drift[axis] : contact->surface[axis];
        build->before[axis][lane] = u[axis] + contact->surface[axis];
        store->offset[axis][lane] = given;
    }
    build->bias[lane] = acceleration ? contact->drift[0]
                                     : abuti_bias(contact, problem->step, build->restitution_threshold,
                                                  build->before[0][lane]);
    if (!acceleration) store->offset[0][lane] += build->bias[lane];
    return true;
}

static bool make_joint(abuti_build *build, const abut_contact_problem *problem, int j, int index)
{
    abuti_system_store *store = &build->store;
    const abuti_system *s = &build->system;
    const abut_joint *joint = &problem->joints[index];
    const double *J = problem->generalised->joint_rows + build->blocks.joint[index];
    double *rows = store->joint_rows + (size_t)(j * s->sides) * (size_t)s->stride, square = 0.0;
    if (!valid_joint(&build->blocks, problem, index)) return false;
    memset(rows, 0, (size_t)(s->sides * s->stride) * sizeof(double));
    store->joint_body[0][j] = store->joint_body[1][j] = s->bodies;
    for (int side = 0; side < 2 && joint->bodies[side] >= 0; ++side) {
        seat to = seat_of(build, joint->bodies[side], side);
        double *row = rows + (size_t)(to.side * s->stride + to.first);
        memcpy(row, J, (size_t)to.block->size * sizeof(double));
        abuti_block_scale(to.block, row);
        for (int c = 0; c < to.block->size; ++c) square += row[c] * row[c];
        store->joint_body[to.side][j] = to.body;
        J += to.block->size;
    }
    double scale = abuti_scale_of_square(square);
    for (int c = 0; c < s->sides * s->stride; ++c) rows[c] *= scale;
    bool acceleration = abuti_model_of(problem->model)->acceleration;
    store->joint_scale[j] = scale;
    store->joint_offset[j] = (acceleration ? joint->drift : 0.0) - joint->target;
    store->joint_index[j] = index;
    return true;
}

/* Factors and k of the island's blocks. */
static bool make_blocks(abuti_build *build, const abut_contact_problem *problem, const abuti_island *island)
{
    const abut_generalised *g = problem->generalised;
    const abuti_system *s = &build->system;
    bool acceleration = abuti_model_of(problem->model)->acceleration;
    memset(build->store.k, 0, (size_t)((s->bodies + 1) * s->stride) * sizeof(double));
    for (int b = 0; b < island->bodies; ++b) {
        seat to = seat_of(build, island->body[b], 0);
        const double *velocity = g->velocity + to.block->at, *force = g->force + to.block->at;
        if (!valid_block(g, to.block)) return false;
        abuti_block_k(to.block, velocity, force, acceleration ? 0.0 : 1.0, acceleration ? 1.0 : problem->step,
                      build->store.k + (size_t)(to.body * s->stride + to.first));
    }
    return true;
}

abut_status abuti_build_blocks(abuti_build *build, const abut_contact_problem *problem,
                               const abuti_island *island)
{
    abuti_system *s = &build->system;
    abuti_system_store *store = &build->store;
    *s = (abuti_system){.model = problem->model,
                        .n = island->contacts,
                        .lanes = abuti_padded(island->contacts),
                        .joints = island->joints};
    choose_form(build, problem, island);
    if (!build->blocks.rigid && s->dim > build->dense) return ABUT_TOO_LARGE;
    abuti_point_system(build);
    if (!make_blocks(build, problem, island)) return ABUT_INVALID_ARGUMENT;
    abuti_pad_lanes(build);
    abuti_offsets_begin(build);
    memset(store->rows, 0, (size_t)(3 * s->sides * s->dim) * (size_t)s->lanes * sizeof(double));
    bool good = true;
    for (int lane = 0; lane < s->n; ++lane) good &= make_contact(build, problem, lane, island->contact[lane]);
    for (int j = 0; j < s->joints; ++j) good &= make_joint(build, problem, j, island->joint[j]);
    if (!good) return ABUT_INVALID_ARGUMENT;
    if (abuti_model_of(problem->model)->friction == ABUT_LAW_NONE)
        memset(store->mu, 0, (size_t)s->lanes * sizeof(double));
    for (int lane = s->n; lane < s->lanes; ++lane) store->row_scale[lane] = 1.0;
    abuti_apply_row_scales(build);
    for (int lane = 0; lane < s->n; ++lane) {
        if (abuti_take_viscous(build, problem, &problem->contacts[s->index[lane]], lane))
            abuti_add_viscous(build, lane);
    }
    abuti_scale_right_sides(build);
    abuti_damp_rows(build, problem);
    return ABUT_OK;
}

void abuti_unbuild_blocks(const abuti_build *build, const abuti_island *island, const double *v_scaled,
                          double *velocity)
{
    int stride = build->blocks.rigid ? abuti_padded(ABUTI_RIGID) : 0;
    for (int b = 0; b < island->bodies; ++b) {
        seat from = seat_of(build, island->body[b], 0);
        abuti_block_velocity(from.block, v_scaled + (size_t)(from.body * stride + from.first),
                             build->system.unit, velocity + from.block->at);
    }
}
