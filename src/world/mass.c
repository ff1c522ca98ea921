/* Mass matrices by composite bodies: M_ij = s_i . (I s_j), where I is the inertia of all that freedom j carries, and i
 * is a freedom that j hangs on (Featherstone, table 6.2), all about the reference point of the tree. */
#include "world/list.h"
#include "world/mechanics.h"
#include "world/spatial.h"
#include "world/topology.h"
#include <string.h>

void abuti_body_inertia(const abut_world *world, const abuti_world_body *body, double inertia[10])
{
    double arm[3];
    abuti_v3_sub(arm, body->world_com, world->trees.items[body->tree].reference);
    inertia[0] = body->mass;
    abuti_v3_scale(inertia + 1, body->mass, arm);
    memcpy(inertia + 4, body->world_inertia, 6 * sizeof(double));
    abuti_symmetric_shift(inertia + 4, body->mass, arm);
}

/* The inertia of each body and all that hangs on it. */
static void compose(abut_world *world)
{
    double *composite = world->composite.items;
    for (int i = 0; i < world->bodies.count; ++i) {
        const abuti_world_body *body = &world->bodies.items[i];
        if (body->tree != ABUTI_GROUND) abuti_body_inertia(world, body, composite + 10 * i);
    }
    for (int i = world->bodies.count - 1; i >= 0; --i) {
        const abuti_world_body *body = &world->bodies.items[i];
        if (body->tree == ABUTI_GROUND || body->parent == ABUTI_GROUND) continue;
        if (world->bodies.items[body->parent].tree == ABUTI_GROUND) continue;
        for (int k = 0; k < 10; ++k) composite[10 * body->parent + k] += composite[10 * i + k];
    }
}

static void fill_tree(abut_world *world, const abuti_world_tree *tree)
{
    double *matrix = world->mass.items + tree->matrix;
    int n = tree->dof_count, first = tree->first_dof;
    memset(matrix, 0, (size_t)n * (size_t)n * sizeof *matrix);
    for (int j = 0; j < n; ++j) {
        const abuti_dof *dof = &world->dofs.items[first + j];
        double momentum[6];
        abuti_inertia_apply(momentum, world->composite.items + 10 * dof->body, dof->motion);
        for (int i = first + j; i >= 0; i = world->dofs.items[i].parent) {
            double entry = abuti_s6_dot(world->dofs.items[i].motion, momentum);
            matrix[(i - first) * n + j] = matrix[j * n + (i - first)] = entry;
        }
        matrix[j * n + j] += world->joints.items[dof->joint].def.armature;
    }
}

/* The armature of a tendon adds a r r', r the row of its length; its joints are in one block (topology.c). */
static void add_tendon(abut_world *world, const abuti_world_tendon *tendon)
{
    for (int a = tendon->first; a < tendon->first + tendon->count; ++a) {
        const abuti_entry *row = &world->tendon_terms.items[a];
        int i = world->joints.items[row->index].dof;
        const abuti_world_tree *tree = &world->trees.items[world->dofs.items[i].tree];
        double *line = world->mass.items + tree->matrix + (i - tree->first_dof) * tree->dof_count;
        for (int b = tendon->first; b < tendon->first + tendon->count; ++b) {
            const abuti_entry *column = &world->tendon_terms.items[b];
            line[world->joints.items[column->index].dof - tree->first_dof] +=
                tendon->def.armature * row->value * column->value;
        }
    }
}

bool abuti_find_mass(abut_world *world)
{
    if (!abuti_list_resize(world, &world->composite, 10 * world->bodies.count)) return false;
    if (!abuti_list_resize(world, &world->mass, abuti_matrix_size(world))) return false;
    compose(world);
    for (int t = 0; t < world->trees.count; ++t) fill_tree(world, &world->trees.items[t]);
    for (int i = 0; i < world->tendons.count; ++i)
        if (world->tendons.items[i].def.armature > 0) add_tendon(world, &world->tendons.items[i]);
    return true;
}
