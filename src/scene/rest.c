/* The reference configuration: positions, and poses of bodies in the world. */
#include "scene/reader.h"

#include <string.h>

static const int positions[] = {
    [ABUT_SCENE_FREE] = 7, [ABUT_SCENE_BALL] = 4, [ABUT_SCENE_SLIDE] = 1, [ABUT_SCENE_HINGE] = 1};
static const int velocities[] = {
    [ABUT_SCENE_FREE] = 6, [ABUT_SCENE_BALL] = 3, [ABUT_SCENE_SLIDE] = 1, [ABUT_SCENE_HINGE] = 1};

static bool number(abuti_reader *reader)
{
    abut_scene *scene = reader->scene;
    abut_scene_joint *joints = reader->joints.items;
    for (int i = 0; i < reader->joints.count; ++i) {
        joints[i].qpos = scene->nq;
        joints[i].qvel = scene->nv;
        scene->nq += positions[joints[i].type];
        scene->nv += velocities[joints[i].type];
    }
    scene->qpos0 = abuti_pool_take(reader->source.pool, ((size_t)scene->nq + 1) * sizeof *scene->qpos0);
    return scene->qpos0 || abuti_fail_memory(&reader->source);
}

static void fill_positions(abuti_reader *reader)
{
    double *q = reader->scene->qpos0;
    const abut_scene_joint *joints = reader->joints.items;
    const abut_scene_body *bodies = reader->bodies.items;
    for (int i = 0; i < reader->joints.count; ++i) {
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

bool abuti_reference_configuration(abuti_reader *reader)
{
    const abut_scene_body *bodies = reader->bodies.items;
    reader->poses = abuti_pool_take(&reader->scratch, (size_t)reader->bodies.count * sizeof *reader->poses);
    if (!reader->poses) return abuti_fail_memory(&reader->source);
    abuti_pose_identity(&reader->poses[0]);
    for (int i = 1; i < reader->bodies.count; ++i) {
        abuti_pose_compose(&reader->poses[i], &reader->poses[bodies[i].parent], &bodies[i].pose);
        if (bodies[i].mocap) reader->scene->nmocap++;
    }
    if (!number(reader)) return false;
    fill_positions(reader);
    return abuti_weigh_joints(reader);
}
