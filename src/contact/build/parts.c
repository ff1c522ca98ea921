#include "contact/build/parts.h"
#include "contact/build/build.h"
#include <string.h>

void abuti_parts_layout(abuti_part_store *p, abuti_arena *arena, const abut_contact_limits *limits)
{
    abut_contact_limits stages = abuti_limits_of_stages(limits);
    bool used = abuti_parts_possible(limits);
    int largest =
        limits->blocks > 0 && abuti_block_size(limits) > ABUTI_RIGID ? abuti_block_size(limits) : ABUTI_RIGID;
    /* Dampers may make blocks of twice the size, or leave the one block as it is. */
    bool damped = limits->compliant > 0;
    size_t wide = (damped ? 4 : 2) * (size_t)abuti_padded(largest), blocks = used ? (size_t)stages.bodies : 0;
    size_t lanes = used ? (size_t)abuti_padded(stages.contacts) : 0,
           joints = used ? (size_t)limits->joints : 0;
    *p = (abuti_part_store){.first = abuti_take(arena, blocks, int),
                            .size = abuti_take(arena, blocks, int),
                            .at = abuti_take(arena, blocks, int),
                            .row = abuti_take(arena, lanes, size_t),
                            .joint_row = abuti_take(arena, joints, size_t),
                            .rows = abuti_take(arena, 3 * wide * lanes, double),
                            .joint_rows = abuti_take(arena, wide * joints, double),
                            .k = abuti_take(arena, abuti_parts_space(&stages), double),
                            .joint_give = abuti_take(arena, joints, double),
                            .row_room = 3 * wide * lanes,
                            .joint_room = wide * joints};
    for (int side = 0; side < 2; ++side) {
        p->body[side] = abuti_take(arena, lanes, int);
        p->joint_body[side] = abuti_take(arena, joints, int);
        p->offset[side] = abuti_take(arena, lanes, double);
    }
    for (int axis = 0; axis < 3; ++axis) p->give[axis] = abuti_take(arena, lanes, double);
}

/* The block that a body of the problem is in; `count` stands for none. */
static int block_of(const abuti_build *build, const abuti_islands *islands, int body)
{
    int place = body >= 0 ? islands->block[body] : -1;
    if (place < 0) return build->partition.count;
    return build->blocks.clusters > 0 ? build->blocks.cluster[place] : place;
}

/* The one or two blocks that a row acts on, in order. */
static void find_pair(const abuti_build *build, const abuti_islands *islands, const int bodies[2],
                      int *const block[2], int at)
{
    int count = build->partition.count, a = block_of(build, islands, bodies[0]),
        b = block_of(build, islands, bodies[1]);
    block[0][at] = a < b ? a : b;
    block[1][at] = a < b ? b : a > b ? a : count;
}

/* How many numbers a block has, padded; 0 where there is no block. */
static size_t numbers_of(const abuti_part_store *p, int block)
{
    return block < p->count ? (size_t)abuti_padded(p->size[block]) : 0;
}

/* Clusters may be larger than any block. */
static bool there_is_room(const abuti_part_store *p, const abuti_system *s)
{
    size_t rows = 0, joints = 0;
    for (int lane = 0; lane < s->n; ++lane)
        rows += 3 * (numbers_of(p, p->body[0][lane]) + numbers_of(p, p->body[1][lane]));
    for (int j = 0; j < s->joints; ++j)
        joints += numbers_of(p, p->joint_body[0][j]) + numbers_of(p, p->joint_body[1][j]);
    return rows <= p->row_room && joints <= p->joint_room;
}

void abuti_parts_find(abuti_build *build, const abut_contact_problem *problem, const abuti_islands *islands,
                      const abuti_island *island)
{
    abuti_part_store *p = &build->partition;
    const abuti_system *s = &build->system;
    const abuti_blocks *blocks = &build->blocks;
    const abuti_lift *lift = &build->lift;
    bool bodies = !problem->generalised && !problem->local && lift->used && !build->merged;
    int count = bodies ? island->bodies : blocks->clusters;
    p->made = false;
    p->count = count > 1 ? count : 0;
    p->bodies = 0;
    if (count < 2) return;
    int freedoms = -s->joints;
    for (int b = 0; b < count; ++b) {
        p->first[b] = bodies ? ABUTI_RIGID * b : blocks->first[b];
        p->size[b] = bodies ? ABUTI_RIGID : blocks->size[b];
        freedoms += p->size[b];
    }
    int contacts = lift->used ? lift->plain.n : s->n;
    for (int lane = 0; lane < s->n; ++lane)
        find_pair(build, islands,
                  lane < contacts ? problem->contacts[s->index[lane]].bodies
                                  : problem->joints[lift->lane[lane - contacts].joint].bodies,
                  p->body, lane);
    for (int lane = s->n; lane < s->lanes; ++lane) p->body[0][lane] = p->body[1][lane] = count;
    p->islands = islands;
    for (int j = 0; j < s->joints; ++j)
        find_pair(build, islands, problem->joints[s->joint_index[j]].bodies, p->joint_body, j);
    if (!there_is_room(p, s)) p->count = 0;
    if (p->count > 0) p->bodies = freedoms / ABUTI_RIGID < count ? freedoms / ABUTI_RIGID : count;
}

/* Copies the numbers of a dense row, which lie `apart` from each other, on one block. Returns the place behind them. */
static double *take_block(const abuti_part_store *p, int block, const double *row, size_t apart, double *to)
{
    size_t numbers = numbers_of(p, block);
    for (size_t c = 0; c < numbers; ++c)
        to[c] = c < (size_t)p->size[block] ? row[((size_t)p->first[block] + c) * apart] : 0.0;
    return to + numbers;
}

/* What acts on a lane, and how it gives way. */
static void take_lane(abuti_part_store *p, const abuti_lift *lift, const abut_contact_problem *problem,
                      const abuti_system *s, int lane)
{
    double give = 0.0, scale = s->row_scale[lane];
    int axis = ABUTI_NORMAL, contacts = lift->used ? lift->plain.n : s->n;
    for (int t = 0; t < 3; ++t) p->give[t][lane] = 0.0;
    if (lane < contacts) {
        const abut_contact *contact = &problem->contacts[s->index[lane]];
        give = contact->compliance * scale * scale;
    } else {
        const abuti_bound_lane *bound = &lift->lane[lane - contacts];
        const abut_joint *joint = &problem->joints[bound->joint];
        give = joint->compliance * scale * scale;
        axis = bound->boxed ? ABUTI_TANGENT_X : ABUTI_NORMAL;
        if (bound->boxed) p->give[ABUTI_NORMAL][lane] = 1.0;
    }
    p->give[axis][lane] += give;
    p->parts.gives = p->parts.gives || give > 0.0 || p->give[ABUTI_NORMAL][lane] > 0.0;
}

static void take_rows(abuti_build *build, const abut_contact_problem *problem, const abuti_system *s)
{
    abuti_part_store *p = &build->partition;
    double *to = p->rows;
    for (int lane = 0; lane < s->n; ++lane) {
        take_lane(p, &build->lift, problem, s, lane);
        p->row[lane] = (size_t)(to - p->rows);
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side)
                to =
                    take_block(p, p->body[side][lane], abuti_row(s, axis, 0, 0) + lane, (size_t)s->lanes, to);
    }
    for (int lane = s->n; lane < s->lanes; ++lane) {
        for (int axis = 0; axis < 3; ++axis) p->give[axis][lane] = 0.0;
    }
    to = p->joint_rows;
    for (int j = 0; j < s->joints; ++j) {
        const abut_joint *joint = &problem->joints[s->joint_index[j]];
        find_pair(build, p->islands, joint->bodies, p->joint_body, j); /* rows have moved */
        p->joint_row[j] = (size_t)(to - p->joint_rows);
        for (int side = 0; side < 2; ++side)
            to = take_block(p, p->joint_body[side][j], s->joint_rows + (size_t)j * (size_t)s->stride, 1, to);
        p->joint_give[j] = joint->compliance * s->joint_scale[j] * s->joint_scale[j];
        p->parts.gives = p->parts.gives || p->joint_give[j] > 0.0;
    }
}

/* Takes into the offsets what impulses that always act have done to a compliant row, and the speed with which given
 * normals come in. */
static void take_offsets(abuti_part_store *p, const abuti_lift *lift, const abuti_system *s)
{
    int contacts = lift->plain.n;
    memcpy(p->offset[0], s->offset[ABUTI_NORMAL], (size_t)s->lanes * sizeof(double));
    memcpy(p->offset[1], s->offset[ABUTI_TANGENT_X], (size_t)s->lanes * sizeof(double));
    for (int l = 0; l < lift->lanes; ++l) {
        const abuti_bound_lane *bound = &lift->lane[l];
        int lane = contacts + l, axis = bound->boxed ? ABUTI_TANGENT_X : ABUTI_NORMAL;
        p->offset[axis][lane] += bound->sign * bound->given * p->give[axis][lane];
        if (bound->boxed) p->offset[ABUTI_NORMAL][lane] = -s->given[lane];
    }
}

/* Makes the parts of the system s, which is that of the build. */
static void make_parts(abuti_build *build, const abut_contact_problem *problem, const abuti_system *s)
{
    abuti_part_store *p = &build->partition;
    double *to = p->k;
    p->parts = (abuti_parts){.size = p->size,
                             .at = p->at,
                             .row = p->row,
                             .rows = p->rows,
                             .joint_row = p->joint_row,
                             .joint_rows = p->joint_rows,
                             .give = {p->give[0], p->give[1], p->give[2]},
                             .joint_give = p->joint_give};
    for (int b = 0; b < p->count; ++b) {
        p->at[b] = (int)(to - p->k);
        to = take_block(p, b, s->k, 1, to);
    }
    memset(to, 0, ABUTI_LANES * sizeof(double));
    p->parts.space = (int)(to - p->k) + ABUTI_LANES;
    take_rows(build, problem, s);
    p->made = true;
}

const abuti_system *abuti_parts_system(abuti_build *build, const abut_contact_problem *problem,
                                       const abuti_system *s)
{
    abuti_part_store *p = &build->partition;
    const abuti_lift *lift = &build->lift;
    if (p->count == 0 || s->rows != build->system.rows) return s;
    if (!p->made) make_parts(build, problem, s);
    p->system = *s; /* of the same rows, whatever its directions */
    p->system.bodies = p->count;
    p->system.sides = 2;
    p->system.dim = p->system.stride = 0;
    p->system.rows = p->system.joint_rows = NULL;
    p->system.given = NULL;
    p->system.boxed = 0;
    p->system.k = p->k;
    p->system.parts = &p->parts;
    for (int side = 0; side < 2; ++side) {
        p->system.body[side] = p->body[side];
        p->system.joint_body[side] = p->joint_body[side];
    }
    if (lift->used) {
        take_offsets(p, lift, s);
        p->system.offset[ABUTI_NORMAL] = p->offset[0];
        p->system.offset[ABUTI_TANGENT_X] = p->offset[1];
    }
    return &p->system;
}
