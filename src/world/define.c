/* Adds bodies and joints: their definitions are checked first, then written down. Colliders are added in colliders.c;
 * motors, tendons and loops in attach.c. */
#include "base/space.h"
#include "contact/system/thresholds.h"
#include "world/check.h"
#include "world/list.h"
#include "world/topology.h"
#include <math.h>
#include <string.h>

abut_body_def abut_body_default_def(void)
{
    return (abut_body_def){.rotation = {1, 0, 0, 0}, .kind = ABUT_DYNAMIC, .gravity_scale = 1};
}

abut_joint_def abut_joint_default_def(abut_joint_kind kind)
{
    return (abut_joint_def){.kind = kind, .axis = {0, 0, 1}};
}

/* Whether moments (xx, yy, zz, xy, xz, yz) are positive definite, by the signs of the minors. */
static bool definite(const double s[6])
{
    double minor = s[0] * s[1] - s[3] * s[3];
    double determinant = s[2] * minor - s[0] * s[5] * s[5] + 2 * s[3] * s[4] * s[5] - s[1] * s[4] * s[4];
    return s[0] > 0 && minor > 0 && determinant > 0;
}

static abut_status check_body(const abut_world *world, const abut_body_def *def, abut_error *error)
{
    if (def->parent.index < 0 || def->parent.index > world->bodies.count) {
        return abuti_invalid(error, "parent: %d; expected the id of a body of this world, or {0}",
                             (int)def->parent.index);
    }
    if (!abuti_finite(def->position, 3))
        return abuti_invalid(error, "position: expected three finite numbers, m");
    if (def->kind != ABUT_DYNAMIC && def->kind != ABUT_KINEMATIC && def->kind != ABUT_STATIC) {
        return abuti_invalid(error, "kind: expected ABUT_DYNAMIC, ABUT_KINEMATIC or ABUT_STATIC");
    }
    if (def->kind != ABUT_DYNAMIC && def->parent.index != 0) {
        return abuti_invalid(error, "parent: a kinematic or static body stands on the ground, expected {0}");
    }
    if (!abuti_at_least(def->mass, 0)) return abuti_invalid(error, "mass: %g; expected kg >= 0", def->mass);
    if (!abuti_finite(def->com, 3)) return abuti_invalid(error, "com: expected three finite numbers, m");
    if (!abuti_finite(def->inertia, 6))
        return abuti_invalid(error, "inertia: expected six finite numbers, kg m^2");
    if (def->mass > 0 && !definite(def->inertia)) {
        return abuti_invalid(
            error, "inertia: expected a positive definite one (xx, yy, zz, xy, xz, yz) beside a mass");
    }
    if (def->mass > 0 && !abuti_triangle_holds(def->inertia)) {
        return abuti_invalid(
            error,
            "inertia: expected principal moments of which none is larger than the sum of the other two");
    }
    if (!abuti_finite(&def->gravity_scale, 1))
        return abuti_invalid(error, "gravity_scale: expected a finite number");
    return ABUT_OK;
}

abut_status abut_world_add_body(abut_world *world, const abut_body_def *def, abut_body_id *id,
                                abut_error *error)
{
    if (!world || !def) return abuti_invalid(error, "a world and a definition are needed");
    abut_status status = check_body(world, def, error);
    if (status != ABUT_OK) return status;
    abuti_world_body body = {
        .def = *def, .parent = def->parent.index - 1, .first_joint = -1, .mass = def->mass};
    if (!abuti_unit(body.def.rotation, 4)) {
        return abuti_invalid(error, "rotation: expected a quaternion (w, x, y, z) of length > 0");
    }
    abuti_v3_copy(body.com, def->com);
    memcpy(body.inertia, def->inertia, sizeof body.inertia);
    abuti_v3_copy(body.position, body.def.position);
    memcpy(body.rotation, body.def.rotation, sizeof body.rotation);
    if (!abuti_list_push(world, &world->bodies)) return abuti_no_memory(error);
    *abuti_list_last(&world->bodies) = body;
    if (id) *id = (abut_body_id){world->bodies.count};
    world->built = false;
    return ABUT_OK;
}

static abut_status check_joint(const abut_world *world, abut_body_id body, const abut_joint_def *def,
                               abut_error *error)
{
    if (body.index < 1 || body.index > world->bodies.count) {
        return abuti_invalid(error, "body: %d; expected the id of a body of this world", (int)body.index);
    }
    const abuti_world_body *b = &world->bodies.items[body.index - 1];
    if ((int)def->kind < 0 || def->kind > ABUT_JOINT_SLIDE) {
        return abuti_invalid(error, "kind: expected free, ball, hinge or slide");
    }
    if (def->kind == ABUT_JOINT_FREE && (b->parent != ABUTI_GROUND || b->first_joint >= 0)) {
        return abuti_invalid(error, "kind: a free joint is the only joint of a body on the ground");
    }
    if (b->first_joint >= 0 && world->joints.items[b->first_joint].def.kind == ABUT_JOINT_FREE) {
        return abuti_invalid(error, "body: it has a free joint and moves in all ways already");
    }
    for (int i = body.index - 1; i != ABUTI_GROUND; i = world->bodies.items[i].parent) {
        if (world->bodies.items[i].def.kind != ABUT_DYNAMIC) {
            return abuti_invalid(error, "body: what is kinematic or static, or hangs on it, has no joints");
        }
    }
    if (!abuti_finite(def->anchor, 3))
        return abuti_invalid(error, "anchor: expected three finite numbers, m");
    if (!abuti_finite(&def->reference, 1)) return abuti_invalid(error, "reference: expected a finite number");
    if (def->limited &&
        !(def->lower <= def->upper && abuti_finite(&def->lower, 1) && abuti_finite(&def->upper, 1))) {
        return abuti_invalid(error, "lower, upper: %g, %g; expected lower <= upper", def->lower, def->upper);
    }
    const double least_zero[] = {def->stiffness, def->damping, def->armature, def->dry_friction};
    static const char *const names[] = {"stiffness", "damping", "armature", "dry_friction"};
    for (int k = 0; k < 4; ++k) {
        if (!abuti_at_least(least_zero[k], 0))
            return abuti_invalid(error, "%s: %g; expected >= 0", names[k], least_zero[k]);
    }
    if (!abuti_finite(&def->spring_reference, 1))
        return abuti_invalid(error, "spring_reference: expected a finite number");
    return ABUT_OK;
}

/* Positions of a joint in the pose of its body's definition. */
static void first_positions(const abuti_world_body *body, const abut_joint_def *def, double *q)
{
    if (def->kind == ABUT_JOINT_FREE) {
        abuti_v3_copy(q, body->def.position);
        memcpy(q + 3, body->def.rotation, 4 * sizeof *q);
    } else if (def->kind == ABUT_JOINT_BALL) {
        q[0] = 1;
        q[1] = q[2] = q[3] = 0;
    } else {
        q[0] = def->reference;
    }
}

/* Puts a joint at the end of its body's list. */
static void hook(abut_world *world, int joint)
{
    int *place = &world->bodies.items[world->joints.items[joint].body].first_joint;
    while (*place >= 0) place = &world->joints.items[*place].next;
    *place = joint;
}

abut_status abut_world_add_joint(abut_world *world, abut_body_id body, const abut_joint_def *def,
                                 abut_joint_id *id, abut_error *error)
{
    if (!world || !def) return abuti_invalid(error, "a world and a definition are needed");
    abut_status status = check_joint(world, body, def, error);
    if (status != ABUT_OK) return status;
    abuti_world_joint joint = {.def = *def,
                               .body = body.index - 1,
                               .next = -1,
                               .position = world->positions.count,
                               .velocity = world->velocities.count};
    if (!abuti_unit(joint.def.axis, 3)) return abuti_invalid(error, "axis: expected a vector of length > 0");
    int positions = joint.position + abuti_joint_positions(def->kind);
    int velocities = joint.velocity + abuti_joint_dofs(def->kind);
    /* First room is made for everything, so that nothing is half done. */
    if (!abuti_reserve(world, (void **)&world->positions.items, &world->positions.capacity, positions,
                       sizeof(double)) ||
        !abuti_reserve(world, (void **)&world->velocities.items, &world->velocities.capacity, velocities,
                       sizeof(double)) ||
        !abuti_reserve(world, (void **)&world->applied.items, &world->applied.capacity, velocities,
                       sizeof(double)) ||
        !abuti_list_push(world, &world->joints)) {
        return abuti_no_memory(error);
    }
    *abuti_list_last(&world->joints) = joint;
    hook(world, world->joints.count - 1);
    first_positions(&world->bodies.items[joint.body], def, world->positions.items + joint.position);
    for (int k = joint.velocity; k < velocities; ++k)
        world->velocities.items[k] = world->applied.items[k] = 0;
    world->positions.count = positions;
    world->velocities.count = world->applied.count = velocities;
    if (id) *id = (abut_joint_id){world->joints.count};
    world->built = false;
    return ABUT_OK;
}
