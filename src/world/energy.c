/* Energy of each tree at the present positions and velocities. */
#include "world/energy.h"
#include "base/space.h"
#include "world/list.h"
#include "world/mechanics.h"
#include "world/spatial.h"

static double kinetic_of(const abut_world *world, const abuti_world_body *body)
{
    double inertia[10], momentum[6];
    abuti_body_inertia(world, body, inertia);
    abuti_inertia_apply(momentum, inertia, body->velocity);
    return 0.5 * abuti_s6_dot(momentum, body->velocity);
}

/* Armature and spring of a tendon, whose joints are in one block. */
static void add_tendon(abut_world *world, int index)
{
    const abuti_world_tendon *tendon = &world->tendons.items[index];
    const abut_tendon_def *def = &tendon->def;
    if (def->armature == 0 && def->stiffness == 0) return;
    double length = abuti_tendon_length(world, index), velocity = 0;
    int tree = ABUTI_GROUND;
    for (int k = tendon->first; k < tendon->first + tendon->count; ++k) {
        const abuti_entry *term = &world->tendon_terms.items[k];
        const abuti_dof *dof = &world->dofs.items[world->joints.items[term->index].dof];
        velocity += term->value * world->velocities.items[dof->velocity];
        tree = dof->tree;
    }
    double stretch = length > def->spring_upper   ? length - def->spring_upper
                     : length < def->spring_lower ? length - def->spring_lower
                                                  : 0;
    world->energy.items[tree].kinetic += 0.5 * def->armature * velocity * velocity;
    world->energy.items[tree].potential += 0.5 * def->stiffness * stretch * stretch;
}

bool abuti_find_energy(abut_world *world)
{
    if (!abuti_list_resize(world, &world->energy, world->trees.count)) return false;
    for (int t = 0; t < world->trees.count; ++t) world->energy.items[t] = (abuti_energy){0, 0};
    for (int i = 0; i < world->bodies.count; ++i) {
        const abuti_world_body *body = &world->bodies.items[i];
        if (body->tree == ABUTI_GROUND) continue;
        abuti_energy *energy = &world->energy.items[body->tree];
        energy->kinetic += kinetic_of(world, body);
        energy->potential -=
            body->def.gravity_scale * body->mass * abuti_v3_dot(world->def.gravity, body->world_com);
    }
    for (int d = 0; d < world->dofs.count; ++d) {
        const abuti_dof *dof = &world->dofs.items[d];
        const abuti_world_joint *joint = &world->joints.items[dof->joint];
        abuti_energy *energy = &world->energy.items[dof->tree];
        double v = world->velocities.items[dof->velocity];
        energy->kinetic += 0.5 * joint->def.armature * v * v;
        if (joint->def.stiffness == 0) continue;
        double stretch = abuti_joint_stretch(world, joint, d);
        energy->potential += 0.5 * joint->def.stiffness * stretch * stretch;
    }
    for (int i = 0; i < world->tendons.count; ++i) add_tendon(world, i);
    return true;
}
