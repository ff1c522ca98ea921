/* Mechanics at the present state in the coordinates that callers see, for tests and controllers; impulses that act at
 * once. */
#include "base/space.h"
#include "world/check.h"
#include "world/kinematics.h"
#include "world/list.h"
#include "world/mechanics.h"
#include "world/read.h"
#include "world/sleep.h"
#include "world/topology.h"
#include <math.h>
#include <string.h>

/* Solves A x = b for a symmetric positive definite A of order n, by Cholesky's L L' in its lower half; b becomes x. */
static bool solve_definite(double *A, int n, double *b)
{
    for (int j = 0; j < n; ++j) {
        for (int k = 0; k < j; ++k) {
            for (int i = j; i < n; ++i) A[i * n + j] -= A[i * n + k] * A[j * n + k];
        }
        if (!(A[j * n + j] > 0)) return false;
        double root = sqrt(A[j * n + j]);
        for (int i = j; i < n; ++i) A[i * n + j] /= root;
    }
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < i; ++k) b[i] -= A[i * n + k] * b[k];
        b[i] /= A[i * n + i];
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int k = i + 1; k < n; ++k) b[i] -= A[k * n + i] * b[k];
        b[i] /= A[i * n + i];
    }
    return true;
}

/* b (by freedom) becomes M^-1 b; the mass matrices are used up. */
static bool solve_trees(abut_world *world, double *b)
{
    bool fine = true;
    for (int t = 0; t < world->trees.count; ++t) {
        const abuti_world_tree *tree = &world->trees.items[t];
        fine = solve_definite(world->mass.items + tree->matrix, tree->dof_count, b + tree->first_dof) && fine;
    }
    return fine;
}

/* Inside a world free bodies have coordinates of their own; from here to `end_public` all coordinates are as callers
 * see them. */
static bool begin_public(abut_world *world)
{
    if (!abuti_refresh(world)) return false;
    for (int j = 0; j < world->joints.count; ++j) {
        abuti_world_joint *joint = &world->joints.items[j];
        double *v = world->velocities.items + joint->velocity;
        if (!joint->at_com) continue;
        abuti_velocity_from_com(world, joint, v, v);
        joint->at_com = false;
    }
    abuti_pose(world);
    abuti_move(world);
    return abuti_find_mass(world) && abuti_find_bias(world);
}

static void end_public(abut_world *world)
{
    abuti_keep_free_velocities(world);
    world->posed = false;
    abuti_refresh(world);
}

abut_status abut_world_get_mass_matrix(abut_world *world, double *matrix)
{
    if (!world || !matrix) return ABUT_INVALID_ARGUMENT;
    int n = world->velocities.count;
    bool fine = begin_public(world);
    if (fine) {
        memset(matrix, 0, (size_t)n * (size_t)n * sizeof *matrix);
        for (int t = 0; t < world->trees.count; ++t) {
            const abuti_world_tree *tree = &world->trees.items[t];
            const double *block = world->mass.items + tree->matrix;
            const abuti_dof *dofs = world->dofs.items + tree->first_dof;
            for (int i = 0; i < tree->dof_count; ++i) {
                for (int j = 0; j < tree->dof_count; ++j) {
                    matrix[dofs[i].velocity * n + dofs[j].velocity] = block[i * tree->dof_count + j];
                }
            }
        }
    }
    end_public(world);
    return fine ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

abut_status abut_world_get_bias(abut_world *world, double *bias)
{
    if (!world || !bias) return ABUT_INVALID_ARGUMENT;
    bool fine = begin_public(world);
    for (int d = 0; fine && d < world->dofs.count; ++d)
        bias[world->dofs.items[d].velocity] = world->bias.items[d];
    end_public(world);
    return fine ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

abut_status abut_world_get_free_acceleration(abut_world *world, double *acceleration)
{
    if (!world || !acceleration) return ABUT_INVALID_ARGUMENT;
    bool fine = begin_public(world) && abuti_find_forces(world, false);
    bool definite = fine && solve_trees(world, world->force.items);
    for (int d = 0; definite && d < world->dofs.count; ++d) {
        acceleration[world->dofs.items[d].velocity] = world->force.items[d];
    }
    end_public(world);
    return !fine ? ABUT_OUT_OF_MEMORY : definite ? ABUT_OK : ABUT_UNSUPPORTED;
}

abut_status abut_body_apply_impulse(abut_world *world, abut_body_id id, const double impulse[3],
                                    const double point[3])
{
    if (!world || id.index < 1 || id.index > world->bodies.count) return ABUT_INVALID_ARGUMENT;
    if (!impulse || !point || !abuti_finite(impulse, 3) || !abuti_finite(point, 3))
        return ABUT_INVALID_ARGUMENT;
    if (!abuti_refresh(world) || !abuti_find_mass(world)) return ABUT_OUT_OF_MEMORY;
    const abuti_world_body *body = &world->bodies.items[id.index - 1];
    if (body->tree == ABUTI_GROUND) return ABUT_OK;
    const abuti_world_tree *tree = &world->trees.items[body->tree];
    if (!abuti_list_resize(world, &world->scratch, tree->dof_count)) return ABUT_OUT_OF_MEMORY;
    double *change = world->scratch.items;
    memset(change, 0, (size_t)tree->dof_count * sizeof *change);
    abuti_add_point_row(world, id.index - 1, point, impulse, 1, change);
    if (!solve_definite(world->mass.items + tree->matrix, tree->dof_count, change)) return ABUT_UNSUPPORTED;
    for (int k = 0; k < tree->dof_count; ++k) {
        world->velocities.items[world->dofs.items[tree->first_dof + k].velocity] += change[k];
    }
    world->posed = false;
    abuti_wake_body(world, id.index - 1);
    return ABUT_OK;
}
