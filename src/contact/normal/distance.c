/* Frictionless contacts by least distance (Lawson and Hanson): of all velocities that satisfy contacts and joint
 * rows, the one nearest to the free motion. With v = k + x it is the least x with
 *
 *     n_i.x + (n_i.k + b_i) >= 0,     j.x + (j.k + b_j) = 0,
 *
 * and its impulses are the weights that system/farkas.c finds. The method is a last resort, slower than pivoting: it
 * keeps the rows orthonormal and never forms their products, in which normals that differ by 1e-8 would be the same. */
#include "contact/normal/normal.h"
#include "contact/system/farkas.h"

typedef struct distance {
    abuti_farkas farkas;
    double *offset; /* [lane]: what the free motion leaves of a contact's condition */
    double *joint_offset;
} distance;

static void *layout(abuti_arena *arena, const abut_contact_limits *limits)
{
    distance plan = {0}, *s = abuti_take(arena, 1, distance);
    abuti_farkas_layout(&plan.farkas, arena, limits);
    plan.offset = abuti_take(arena, abuti_padded(limits->contacts), double);
    plan.joint_offset = abuti_take(arena, limits->joints, double);
    if (s) *s = plan;
    return s;
}

/* Offsets of the free motion k. */
static void take_free_motion(distance *d, const abuti_system *s)
{
    for (int i = 0; i < s->n; ++i) {
        d->offset[i] = s->offset[ABUTI_NORMAL][i];
        for (int side = 0; side < s->sides; ++side) {
            const double *k = s->k + (size_t)s->body[side][i] * (size_t)s->stride;
            for (int c = 0; c < s->dim; ++c) d->offset[i] += abuti_row(s, ABUTI_NORMAL, side, c)[i] * k[c];
        }
    }
    for (int j = 0; j < s->joints; ++j) {
        d->joint_offset[j] = s->joint_offset[j];
        for (int side = 0; side < s->sides; ++side) {
            const double *k = s->k + (size_t)s->joint_body[side][j] * (size_t)s->stride,
                         *row = s->joint_rows + (size_t)(j * s->sides + side) * (size_t)s->stride;
            for (int c = 0; c < s->dim; ++c) d->joint_offset[j] += row[c] * k[c];
        }
    }
}

static abut_outcome run(const abuti_system *system, void *scratch, const abuti_stage_context *context,
                        abuti_answer *answer)
{
    distance *d = scratch;
    abuti_system moved = *system;
    int rounds = 0;
    answer->too_large = system->bodies * system->dim + 1 > d->farkas.width;
    if (answer->too_large || system->bodies == 0) return ABUT_FAILED;
    d->farkas.deadline = context->deadline;
    take_free_motion(d, system);
    moved.offset[ABUTI_NORMAL] = d->offset;
    moved.joint_offset = d->joint_offset;
    bool found = abuti_farkas_least_motion(&d->farkas, &moved, answer->theta, answer->joint, &rounds);
    answer->pivots += rounds;
    for (int i = 0; i < system->n; ++i)
        if (answer->theta[i] > 0.0) answer->face[i].state = ABUT_SLIDE;
    return found ? ABUT_SOLVED : abuti_clock_passed(context->deadline) ? ABUT_LIMIT : ABUT_FAILED;
}

static const abuti_family family = {.solver = ABUT_SOLVER_FACES, .layout = layout, .late = true};

const abuti_stage abuti_stage_distance = {.name = "least-distance",
                                          .family = &family,
                                          .answers = ABUTI_ON_IMPULSES(ABUT_LAW_NONE),
                                          .rows = true,
                                          .run = run};
