/* How heavy joints are at the reference configuration: the diagonal of the mass matrix, and springs and dampers that
 * follow from what a force on a joint moves. */
#include "scene/reader.h"

#include "base/space.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int velocities[] = {
    [ABUT_SCENE_FREE] = 6, [ABUT_SCENE_BALL] = 3, [ABUT_SCENE_SLIDE] = 1, [ABUT_SCENE_HINGE] = 1};

/* One freedom, with the motion that it gives to what it moves: the angular velocity, and the linear one at the
 * origin of the world. */
typedef struct freedom {
    int body;
    double angular[3], linear[3], armature;
} freedom;

/* Mass, centre and inertia of each body with all that hangs on it, in the world. */
static abuti_mass *composites(abuti_reader *reader)
{
    const abut_scene_body *bodies = reader->bodies.items;
    int count = reader->bodies.count;
    abuti_mass *sums = abuti_pool_take(&reader->scratch, (size_t)count * sizeof *sums);
    if (!sums) return NULL;
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

static void find_freedoms(const abuti_reader *reader, freedom *freedoms)
{
    const abut_scene_joint *joints = reader->joints.items;
    for (int i = 0; i < reader->joints.count; ++i) {
        const abut_scene_joint *joint = &joints[i];
        const abut_scene_pose *pose = &reader->poses[joint->body];
        double point[3], axis[3];
        abuti_quat_apply(point, pose->quat, joint->pos);
        abuti_v3_add(point, point, pose->pos);
        for (int k = 0; k < velocities[joint->type]; ++k) {
            freedom *f = &freedoms[joint->qvel + k];
            bool free = joint->type == ABUT_SCENE_FREE,
                 slides = joint->type == ABUT_SCENE_SLIDE || (free && k < 3);
            *f = (freedom){.body = joint->body, .armature = joint->armature};
            abuti_v3_copy(axis, joint->axis);
            if (free || joint->type == ABUT_SCENE_BALL)
                for (int d = 0; d < 3; ++d) axis[d] = d == k % 3;
            if (!(free && k < 3)) abuti_quat_apply(axis, pose->quat, axis);
            if (slides) {
                abuti_v3_copy(f->linear, axis);
            } else {
                abuti_v3_copy(f->angular, axis);
                abuti_v3_cross(f->linear, point, axis);
            }
        }
    }
}

/* Twice the kinetic energy that two motions of a mass have in common. */
static double common(const abuti_mass *mass, const freedom *a, const freedom *b)
{
    double va[3], vb[3];
    const double *s = mass->inertia, *w = a->angular;
    abuti_v3_cross(va, a->angular, mass->com);
    abuti_v3_add(va, va, a->linear);
    abuti_v3_cross(vb, b->angular, mass->com);
    abuti_v3_add(vb, vb, b->linear);
    double turned[3] = {s[0] * w[0] + s[3] * w[1] + s[4] * w[2], s[3] * w[0] + s[1] * w[1] + s[5] * w[2],
                        s[4] * w[0] + s[5] * w[1] + s[2] * w[2]};
    return mass->mass * abuti_v3_dot(va, vb) + abuti_v3_dot(turned, b->angular);
}

static bool hangs_on(const abut_scene_body *bodies, int body, int ancestor)
{
    while (body > ancestor) body = bodies[body].parent;
    return body == ancestor;
}

/* The root of the tree of a body: the child of the world that it hangs on. */
static int root_of(const abut_scene_body *bodies, int body)
{
    while (body > 0 && bodies[body].parent > 0) body = bodies[body].parent;
    return body;
}

/* Fills in the lower triangle of the mass matrix of n freedoms and factorises it as L L'. */
static void factorise(const abuti_reader *reader, const abuti_mass *sums, const freedom *freedoms, int n,
                      double *matrix)
{
    const abut_scene_body *bodies = reader->bodies.items;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j <= i; ++j) {
            bool related = hangs_on(bodies, freedoms[i].body, freedoms[j].body);
            double sum = related ? common(&sums[freedoms[i].body], &freedoms[i], &freedoms[j]) : 0;
            if (i == j) sum += freedoms[i].armature;
            for (int k = 0; k < j; ++k) sum -= matrix[i * n + k] * matrix[j * n + k];
            matrix[i * n + j] = i == j ? sqrt(fmax(sum, ABUTI_TINY)) : sum / matrix[j * n + j];
        }
    }
}

/* How freedom c answers a force of one on itself: the entry of the inverse, |L^-1 e_c|^2. */
static double ease(const double *matrix, int n, int c, double *x)
{
    double sum = 0;
    for (int i = c; i < n; ++i) {
        x[i] = i == c ? 1 : 0;
        for (int k = c; k < i; ++k) x[i] -= matrix[i * n + k] * x[k];
        x[i] /= matrix[i * n + i];
        sum += x[i] * x[i];
    }
    return sum;
}

/* springdamper: a time constant and a damping ratio, for what the joint moves. */
static bool set_spring(abuti_reader *reader, const abuti_mass *sums, const freedom *freedoms,
                       const abuti_spring *spring)
{
    const abut_scene_body *bodies = reader->bodies.items;
    abut_scene_joint *joint = (abut_scene_joint *)reader->joints.items + spring->joint;
    int root = root_of(bodies, joint->body), first = joint->qvel, end = joint->qvel, nv = reader->scene->nv;
    while (first > 0 && root_of(bodies, freedoms[first - 1].body) == root) first--;
    while (end < nv && root_of(bodies, freedoms[end].body) == root) end++;
    size_t n = (size_t)(end - first);
    double *room = malloc((n * n + n) * sizeof *room), sum = 0;
    if (!room) return abuti_fail_memory(&reader->source);
    factorise(reader, sums, freedoms + first, (int)n, room);
    int width = velocities[joint->type];
    for (int k = 0; k < width; ++k) sum += ease(room, (int)n, joint->qvel - first + k, room + n * n);
    double inertia = width / fmax(sum, ABUTI_TINY);
    joint->stiffness[0] = inertia / (spring->time * spring->time * spring->ratio * spring->ratio);
    joint->damping[0] = 2 * inertia / spring->time;
    free(room);
    return true;
}

bool abuti_weigh_joints(abuti_reader *reader)
{
    size_t nv = (size_t)reader->scene->nv + 1;
    const abuti_mass *sums = composites(reader);
    freedom *freedoms = abuti_pool_take(&reader->scratch, nv * sizeof *freedoms);
    reader->m0 = abuti_pool_take(&reader->scratch, nv * sizeof *reader->m0);
    if (!sums || !freedoms || !reader->m0) return abuti_fail_memory(&reader->source);
    find_freedoms(reader, freedoms);
    for (int i = 0; i < reader->scene->nv; ++i)
        reader->m0[i] = freedoms[i].armature + common(&sums[freedoms[i].body], &freedoms[i], &freedoms[i]);
    for (int i = 0; i < reader->springs.count; ++i)
        if (!set_spring(reader, sums, freedoms, (abuti_spring *)reader->springs.items + i)) return false;
    return true;
}
