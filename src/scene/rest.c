/* The reference configuration: positions, poses of bodies in the world, and how heavy each joint is there. */
#include "scene/reader.h"

#include "base/space.h"
#include <string.h>

static const int positions[] = {
    [ABUT_SCENE_FREE] = 7, [ABUT_SCENE_BALL] = 4, [ABUT_SCENE_SLIDE] = 1, [ABUT_SCENE_HINGE] = 1};
static const int velocities[] = {
    [ABUT_SCENE_FREE] = 6, [ABUT_SCENE_BALL] = 3, [ABUT_SCENE_SLIDE] = 1, [ABUT_SCENE_HINGE] = 1};

static bool number(abuti_reader *reader)
{
    abut_scene *scene = reader->scene;
    abut_scene_joint *joints = reader->joints.items;
    for (int i = 0; i < reader->joints.count; i++) {
        joints[i].qpos = scene->nq;
        joints[i].qvel = scene->nv;
        scene->nq += positions[joints[i].type];
        scene->nv += velocities[joints[i].type];
    }
    scene->qpos0 = abuti_pool_take(reader->source.pool, ((size_t)scene->nq + 1) * sizeof *scene->qpos0);
    return scene->qpos0 != NULL || abuti_fail_memory(&reader->source);
}

static void fill_positions(abuti_reader *reader)
{
    double *q = reader->scene->qpos0;
    const abut_scene_joint *joints = reader->joints.items;
    const abut_scene_body *bodies = reader->bodies.items;
    for (int i = 0; i < reader->joints.count; i++) {
        const abut_scene_joint *joint = &joints[i];
        if (joint->type == ABUT_SCENE_FREE) {
            memcpy(q + joint->qpos, bodies[joint->body].pose.pos, 3 * sizeof *q);
            memcpy(q + joint->qpos + 3, bodies[joint->body].pose.quat, 4 * sizeof *q);
        } else if (joint->type == ABUT_SCENE_BALL) {
            memcpy(q + joint->qpos, (double[4]){1, 0, 0, 0}, 4 * sizeof *q);
        } else {
            q[joint->qpos] = joint->ref;
        }
    }
}

/* Mass, centre and inertia of each body with all that hangs on it, in the world. */
static abuti_mass *composites(abuti_reader *reader)
{
    const abut_scene_body *bodies = reader->bodies.items;
    int count = reader->bodies.count;
    abuti_mass *sums = abuti_pool_take(&reader->scratch, (size_t)count * sizeof *sums);
    if (sums == NULL) return NULL;
    static const abut_scene_pose world = {{0, 0, 0}, {1, 0, 0, 0}};
    for (int i = count - 1; i > 0; i--) {
        abuti_mass own = {.mass = bodies[i].mass};
        abuti_v3_copy(own.com, bodies[i].com);
        memcpy(own.inertia, bodies[i].inertia, sizeof own.inertia);
        abuti_mass_add(&sums[i], &own, &reader->poses[i]);
        abuti_mass_add(&sums[bodies[i].parent], &sums[i], &world);
    }
    return sums;
}

/* What a joint feels of a mass when it turns about (or moves along) an axis of the world. */
static double felt(const abuti_mass *mass, bool turns, const double axis[3], const double point[3])
{
    if (!turns) return mass->mass * abuti_v3_dot(axis, axis);
    double r[3], across[3];
    abuti_v3_sub(r, mass->com, point);
    abuti_v3_cross(across, axis, r);
    const double *s = mass->inertia;
    double turned[3] = {s[0] * axis[0] + s[3] * axis[1] + s[4] * axis[2],
                        s[3] * axis[0] + s[1] * axis[1] + s[5] * axis[2],
                        s[4] * axis[0] + s[5] * axis[1] + s[2] * axis[2]};
    return abuti_v3_dot(axis, turned) + mass->mass * abuti_v3_dot(across, across);
}

static bool weigh_joints(abuti_reader *reader)
{
    const abut_scene_joint *joints = reader->joints.items;
    const abuti_mass *sums = composites(reader);
    reader->m0 = abuti_pool_take(&reader->scratch, ((size_t)reader->scene->nv + 1) * sizeof *reader->m0);
    if (sums == NULL || reader->m0 == NULL) return abuti_fail_memory(&reader->source);
    for (int i = 0; i < reader->joints.count; i++) {
        const abut_scene_joint *joint = &joints[i];
        const abut_scene_pose *pose = &reader->poses[joint->body];
        double point[3], axis[3];
        abuti_quat_apply(point, pose->quat, joint->pos);
        abuti_v3_add(point, point, pose->pos);
        for (int k = 0; k < velocities[joint->type]; k++) {
            bool free = joint->type == ABUT_SCENE_FREE,
                 linear = joint->type == ABUT_SCENE_SLIDE || (free && k < 3);
            abuti_v3_copy(axis, joint->axis);
            if (free || joint->type == ABUT_SCENE_BALL)
                for (int d = 0; d < 3; d++) axis[d] = d == k % 3;
            if (!(free && k < 3)) abuti_quat_apply(axis, pose->quat, axis);
            reader->m0[joint->qvel + k] = joint->armature + felt(&sums[joint->body], !linear, axis, point);
        }
    }
    return true;
}

/* springdamper: a time constant and a damping ratio, for the inertia that the joint feels. */
static void set_springs(abuti_reader *reader)
{
    abut_scene_joint *joints = reader->joints.items;
    const abuti_spring *springs = reader->springs.items;
    for (int i = 0; i < reader->springs.count; i++) {
        abut_scene_joint *joint = &joints[springs[i].joint];
        double inertia = 0, time = springs[i].time, ratio = springs[i].ratio;
        int n = velocities[joint->type];
        for (int k = 0; k < n; k++) inertia += reader->m0[joint->qvel + k] / n;
        joint->stiffness[0] = inertia / (time * time * ratio * ratio);
        joint->damping[0] = 2 * inertia / time;
    }
}

bool abuti_reference_configuration(abuti_reader *reader)
{
    const abut_scene_body *bodies = reader->bodies.items;
    reader->poses = abuti_pool_take(&reader->scratch, (size_t)reader->bodies.count * sizeof *reader->poses);
    if (reader->poses == NULL) return abuti_fail_memory(&reader->source);
    abuti_pose_identity(&reader->poses[0]);
    for (int i = 1; i < reader->bodies.count; i++) {
        abuti_pose_compose(&reader->poses[i], &reader->poses[bodies[i].parent], &bodies[i].pose);
        if (bodies[i].mocap) reader->scene->nmocap++;
    }
    if (!number(reader)) return false;
    fill_positions(reader);
    if (!weigh_joints(reader)) return false;
    set_springs(reader);
    return true;
}
