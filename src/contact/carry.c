/* What an island starts from: states and impulses of the last step, turned into the tangents of this one.
 *
 * A contact without a tangent of its own gets the axis across its normal that is least along it (contact.h), and which
 * axis that is may be a matter of rounding: the normal of a box on the ground is (1e-17, 0, 1) in one step and
 * (0, 1e-17, 1) in the next. Its friction is the same vector in both; the numbers that tell it are not. */
#include "contact/call.h"
#include "contact/system/classify.h"
#include <math.h>

/* Tangents whose cosine is at least this count as the same: they differ by less than half a face of any polygon. */
#define SAME 0.9998

void abuti_turn_friction(const double along[2], int directions, abut_contact_face *face, double *x, double *y)
{
    double length = sqrt(along[0] * along[0] + along[1] * along[1]);
    if (!(length > 0.0)) return;
    const double cosine = along[0] / length, sine = along[1] / length, back[2] = {-cosine, -sine};
    int turn = abuti_opposing(directions, back); /* in faces, to the nearest */
    if (face->state == ABUT_SLIDE || face->state == ABUT_EDGE)
        face->face = (uint8_t)((face->face + turn) % directions);
    if (face->state == ABUT_STICK) face->frame = (uint8_t)((face->frame + turn) % directions);
    double before = *x;
    *x = cosine * before - sine * *y;
    *y = sine * before + cosine * *y;
}

/* Turns what is carried over where a contact's tangents are not those of the last step. */
static void turn(abuti_warm *warm, const abuti_build *build, const abuti_system *s)
{
    for (int lane = 0; lane < s->n; ++lane) {
        if (warm->place[lane] < 0) continue;
        const double *old = warm->axis + 3 * (size_t)warm->place[lane];
        const abuti_frame_chunk *frames = &build->frames[lane / ABUTI_LANES];
        double along[2] = {0.0, 0.0};
        for (int c = 0; c < 3; ++c) {
            for (int axis = 0; axis < 2; ++axis)
                along[axis] += old[c] * frames->axis[1 + axis][c][lane % ABUTI_LANES];
        }
        if (along[0] >= SAME) continue;
        abuti_turn_friction(along, s->directions[lane], &warm->start[lane], &warm->again[1][lane],
                            &warm->again[2][lane]);
    }
}

/* Turns what acted along bounded rows into the impulses of their lanes (build/lift.h). */
static void lift_impulses(abuti_warm *warm, const abuti_lift *lift, const abuti_system *s)
{
    for (int l = 0; l < lift->lanes; ++l) {
        const abuti_bound_lane *bound = &lift->lane[l];
        int lane = lift->plain.n + l;
        double beyond = warm->again[0][lane] - bound->given;
        warm->again[0][lane] = bound->boxed ? s->given[lane] : fmax(bound->sign * beyond, 0.0);
        warm->again[1][lane] = bound->boxed ? beyond : 0.0;
    }
}

void abuti_take_start(abuti_call *c, const abuti_system *system)
{
    abuti_warm *warm = &c->work->warm;
    abuti_stage_context *context = &c->context;
    context->start = abuti_warm_start(warm, system, c->problem, c->options);
    context->impulse[0] = NULL;
    const abuti_build *build = &c->work->build;
    bool bounded = build->lift.used && build->lift.lanes > 0;
    if (bounded && build->partition.bodies < ABUTI_LARGE_WARM) return; /* nobody asks */
    if (!context->start || !abuti_warm_impulses(warm, system, c->problem, c->options)) return;
    if (c->problem->body_count > 0 && !system->round) turn(warm, &c->work->build, system);
    if (bounded) lift_impulses(warm, &build->lift, system);
    for (int axis = 0; axis < 3; ++axis) context->impulse[axis] = warm->again[axis];
    context->joint_impulse = warm->joint_again;
}
