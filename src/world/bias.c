/* Bias by recursive Newton-Euler. A walk outwards finds accelerations of bodies whose joints do not accelerate, a walk
 * inwards the forces that this takes. Gravity is an acceleration of the ground upwards. */
#include "world/list.h"
#include "world/mechanics.h"
#include "world/spatial.h"
#include <string.h>

/* The spatial acceleration of each body, in world->wrench, and in its place the wrench it takes. */
static void outwards(abut_world *world)
{
    for (int i = 0; i < world->bodies.count; ++i) {
        abuti_world_body *body = &world->bodies.items[i];
        if (body->tree == ABUTI_GROUND) continue;
        double *acceleration = world->scratch.items + 6 * i;
        bool on_ground =
            body->parent == ABUTI_GROUND || world->bodies.items[body->parent].tree == ABUTI_GROUND;
        memset(acceleration, 0, 6 * sizeof(double));
        if (on_ground) {
            abuti_v3_scale(acceleration + 3, -1, world->def.gravity);
        } else {
            memcpy(acceleration, world->scratch.items + 6 * body->parent, 6 * sizeof(double));
        }
        int end = on_ground ? -1 : world->bodies.items[body->parent].last_dof;
        for (int d = body->last_dof; d != end && d >= 0; d = world->dofs.items[d].parent) {
            const abuti_dof *dof = &world->dofs.items[d];
            abuti_s6_add_scaled(acceleration, world->velocities.items[dof->velocity], dof->motion_dot);
        }
        double inertia[10], momentum[6], *wrench = world->wrench.items + 6 * i, turning[6];
        abuti_body_inertia(world, body, inertia);
        abuti_inertia_apply(wrench, inertia, acceleration);
        abuti_inertia_apply(momentum, inertia, body->velocity);
        abuti_s6_cross_force(turning, body->velocity, momentum);
        abuti_s6_add_scaled(wrench, 1, turning);
    }
}

bool abuti_find_bias(abut_world *world)
{
    int bodies = world->bodies.count;
    if (!abuti_list_resize(world, &world->wrench, 6 * bodies)) return false;
    if (!abuti_list_resize(world, &world->scratch, 6 * bodies)) return false;
    if (!abuti_list_resize(world, &world->bias, world->dofs.count)) return false;
    outwards(world);
    for (int i = bodies - 1; i >= 0; --i) {
        const abuti_world_body *body = &world->bodies.items[i];
        if (body->tree == ABUTI_GROUND || body->parent == ABUTI_GROUND) continue;
        if (world->bodies.items[body->parent].tree == ABUTI_GROUND) continue;
        abuti_s6_add_scaled(world->wrench.items + 6 * body->parent, 1, world->wrench.items + 6 * i);
    }
    for (int d = 0; d < world->dofs.count; ++d) {
        const abuti_dof *dof = &world->dofs.items[d];
        world->bias.items[d] = abuti_s6_dot(dof->motion, world->wrench.items + 6 * dof->body);
    }
    return true;
}
