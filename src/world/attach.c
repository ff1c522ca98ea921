/* Adds tendons, motors and loops. */
#include "base/space.h"
#include "world/check.h"
#include "world/list.h"
#include "world/sleep.h"
#include <string.h>

abut_tendon_def abut_tendon_default_def(void)
{
    return (abut_tendon_def){0};
}

abut_motor_def abut_motor_default_def(void)
{
    return (abut_motor_def){.gear = {1}, .gain = 1, .rotation = {1, 0, 0, 0}};
}

abut_loop_def abut_loop_default_def(abut_loop_kind kind)
{
    return (abut_loop_def){.kind = kind, .rotation = {1, 0, 0, 0}, .polynomial = {0, 1}, .active = true};
}

static bool is_body(const abut_world *world, abut_body_id id)
{
    return id.index >= 1 && id.index <= world->bodies.count;
}

/* Whether a joint is a hinge or a slide, which have one coordinate. */
static bool is_scalar_joint(const abut_world *world, abut_joint_id id)
{
    if (id.index < 1 || id.index > world->joints.count) return false;
    abut_joint_kind kind = world->joints.items[id.index - 1].def.kind;
    return kind == ABUT_JOINT_HINGE || kind == ABUT_JOINT_SLIDE;
}

static bool is_tendon(const abut_world *world, abut_tendon_id id)
{
    return id.index >= 1 && id.index <= world->tendons.count;
}

static abut_status check_tendon(const abut_world *world, const abut_tendon_def *def, abut_error *error)
{
    if (def->count < 1 || def->count > ABUT_COUNT_MAX || !def->joints || !def->coefficients) {
        return abuti_invalid(error, "count: %d; expected at least one joint with its coefficient",
                             def->count);
    }
    for (int i = 0; i < def->count; ++i) {
        if (!is_scalar_joint(world, def->joints[i]))
            return abuti_invalid(error, "joints[%d]: expected a hinge or a slide", i);
        if (!abuti_finite(&def->coefficients[i], 1)) {
            return abuti_invalid(error, "coefficients[%d]: expected a finite number", i);
        }
    }
    if (def->limited &&
        !(def->lower <= def->upper && abuti_finite(&def->lower, 1) && abuti_finite(&def->upper, 1))) {
        return abuti_invalid(error, "lower, upper: %g, %g; expected lower <= upper", def->lower, def->upper);
    }
    if (!abuti_at_least(def->stiffness, 0) || !abuti_at_least(def->damping, 0) ||
        !abuti_at_least(def->dry_friction, 0) || !abuti_at_least(def->armature, 0)) {
        return abuti_invalid(error, "stiffness, damping, dry_friction, armature: expected numbers >= 0");
    }
    if (!(def->spring_lower <= def->spring_upper)) {
        return abuti_invalid(error, "spring_lower, spring_upper: expected lower <= upper");
    }
    return ABUT_OK;
}

abut_status abut_world_add_tendon(abut_world *world, const abut_tendon_def *def, abut_tendon_id *id,
                                  abut_error *error)
{
    if (!world || !def) return abuti_invalid(error, "a world and a definition are needed");
    abut_status status = check_tendon(world, def, error);
    if (status != ABUT_OK) return status;
    int first = world->tendon_terms.count;
    if (!abuti_list_resize(world, &world->tendon_terms, first + def->count) ||
        !abuti_list_push(world, &world->tendons)) {
        return abuti_no_memory(error);
    }
    for (int i = 0; i < def->count; ++i) {
        world->tendon_terms.items[first + i] = (abuti_entry){def->joints[i].index - 1, def->coefficients[i]};
    }
    *abuti_list_last(&world->tendons) =
        (abuti_world_tendon){.def = *def, .first = first, .count = def->count};
    if (id) *id = (abut_tendon_id){world->tendons.count};
    world->built = false;
    return ABUT_OK;
}

/* ------------------------------------------------------------------------------------------------
 * Motors */

static abut_status check_motor(const abut_world *world, const abut_motor_def *def, abut_error *error)
{
    switch (def->target) {
    case ABUT_MOTOR_JOINT:
        if (def->joint.index < 1 || def->joint.index > world->joints.count) {
            return abuti_invalid(error, "joint: %d; expected the id of a joint", (int)def->joint.index);
        }
        break;
    case ABUT_MOTOR_TENDON:
        if (!is_tendon(world, def->tendon))
            return abuti_invalid(error, "tendon: expected the id of a tendon");
        break;
    case ABUT_MOTOR_SITE:
        if (!is_body(world, def->body)) return abuti_invalid(error, "body: expected the id of a body");
        if (def->reference_body.index != 0 && !is_body(world, def->reference_body)) {
            return abuti_invalid(error, "reference_body: expected the id of a body, or {0}");
        }
        break;
    default: return abuti_invalid(error, "target: expected a joint, a tendon or a site");
    }
    if (!abuti_finite(def->gear, 6) || !abuti_finite(&def->gain, 1) || !abuti_finite(def->bias, 3)) {
        return abuti_invalid(error, "gear, gain, bias: expected finite numbers");
    }
    if (def->control_limited && !(def->control_lower <= def->control_upper)) {
        return abuti_invalid(error, "control_lower, control_upper: expected lower <= upper");
    }
    if (def->force_limited && !(def->force_lower <= def->force_upper)) {
        return abuti_invalid(error, "force_lower, force_upper: expected lower <= upper");
    }
    return ABUT_OK;
}

abut_status abut_world_add_motor(abut_world *world, const abut_motor_def *def, abut_motor_id *id,
                                 abut_error *error)
{
    if (!world || !def) return abuti_invalid(error, "a world and a definition are needed");
    abut_status status = check_motor(world, def, error);
    if (status != ABUT_OK) return status;
    abuti_world_motor motor = {.def = *def};
    if (!abuti_unit(motor.def.rotation, 4))
        return abuti_invalid(error, "rotation: expected a quaternion of length > 0");
    if (!abuti_list_push(world, &world->motors)) return abuti_no_memory(error);
    *abuti_list_last(&world->motors) = motor;
    if (id) *id = (abut_motor_id){world->motors.count};
    world->built = false;
    return ABUT_OK;
}

abut_status abut_motor_set_control(abut_world *world, abut_motor_id id, double control)
{
    if (!world || id.index < 1 || id.index > world->motors.count) return ABUT_INVALID_ARGUMENT;
    if (!abuti_finite(&control, 1)) return ABUT_INVALID_ARGUMENT;
    abuti_world_motor *motor = &world->motors.items[id.index - 1];
    if (control != motor->control) abuti_wake_motor(world, &motor->def);
    motor->control = control;
    return ABUT_OK;
}

abut_status abut_motor_get_force(const abut_world *world, abut_motor_id id, double *force)
{
    if (!world || !force || id.index < 1 || id.index > world->motors.count) return ABUT_INVALID_ARGUMENT;
    *force = world->motors.items[id.index - 1].force;
    return ABUT_OK;
}

/* ------------------------------------------------------------------------------------------------
 * Loops */

static abut_status check_couple(const abut_world *world, const abut_loop_def *def, abut_error *error)
{
    for (int k = 0; k < 2; ++k) {
        bool joint = def->joints[k].index != 0, tendon = def->tendons[k].index != 0;
        if (joint && tendon)
            return abuti_invalid(error, "joints[%d], tendons[%d]: expected one of the two", k, k);
        if (joint && !is_scalar_joint(world, def->joints[k])) {
            return abuti_invalid(error, "joints[%d]: expected a hinge or a slide", k);
        }
        if (tendon && !is_tendon(world, def->tendons[k]))
            return abuti_invalid(error, "tendons[%d]: expected a tendon", k);
        if (k == 0 && !joint && !tendon)
            return abuti_invalid(error, "joints[0]: expected a joint or a tendon");
    }
    if (!abuti_finite(def->polynomial, 5))
        return abuti_invalid(error, "polynomial: expected five finite numbers");
    return ABUT_OK;
}

static abut_status check_loop(const abut_world *world, const abut_loop_def *def, abut_error *error)
{
    if ((int)def->kind < 0 || def->kind > ABUT_LOOP_COUPLE)
        return abuti_invalid(error, "kind: expected one of abut_loop_kind");
    if (!abuti_at_least(def->compliance, 0))
        return abuti_invalid(error, "compliance: expected a number >= 0");
    if (def->kind == ABUT_LOOP_COUPLE) return check_couple(world, def, error);
    if (!is_body(world, def->bodies[0])) return abuti_invalid(error, "bodies[0]: expected the id of a body");
    if (def->bodies[1].index != 0 && !is_body(world, def->bodies[1])) {
        return abuti_invalid(error, "bodies[1]: expected the id of a body, or {0}");
    }
    if (def->bodies[0].index == def->bodies[1].index)
        return abuti_invalid(error, "bodies: expected two different ones");
    if (!abuti_finite(def->points[0], 3) || !abuti_finite(def->points[1], 3)) {
        return abuti_invalid(error, "points: expected finite numbers, m");
    }
    if (def->kind == ABUT_LOOP_DISTANCE && !abuti_at_least(def->distance, 1e-100)) {
        return abuti_invalid(error, "distance: %g; expected metres > 0", def->distance);
    }
    return ABUT_OK;
}

abut_status abut_world_add_loop(abut_world *world, const abut_loop_def *def, abut_loop_id *id,
                                abut_error *error)
{
    if (!world || !def) return abuti_invalid(error, "a world and a definition are needed");
    abut_status status = check_loop(world, def, error);
    if (status != ABUT_OK) return status;
    abut_loop_def loop = *def;
    if (!abuti_unit(loop.rotation, 4))
        return abuti_invalid(error, "rotation: expected a quaternion of length > 0");
    if (!abuti_list_push(world, &world->loops)) return abuti_no_memory(error);
    *abuti_list_last(&world->loops) = loop;
    if (id) *id = (abut_loop_id){world->loops.count};
    world->posed = false;
    abuti_wake_all(world);
    return ABUT_OK;
}

abut_status abut_loop_set_active(abut_world *world, abut_loop_id id, bool active)
{
    if (!world || id.index < 1 || id.index > world->loops.count) return ABUT_INVALID_ARGUMENT;
    world->loops.items[id.index - 1].active = active;
    world->posed = false;
    abuti_wake_all(world);
    return ABUT_OK;
}
