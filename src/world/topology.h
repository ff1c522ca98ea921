/* Which bodies move together: trees and their freedoms (topology.c). */
#ifndef ABUTI_WORLD_TOPOLOGY_H
#define ABUTI_WORLD_TOPOLOGY_H

#include "world/state.h"

/* Velocities and positions that a joint of this kind has. */
int abuti_joint_dofs(abut_joint_kind kind);
int abuti_joint_positions(abut_joint_kind kind);

/* Makes trees and freedoms fit what was added; false when there is no memory. */
bool abuti_build_topology(abut_world *world);

/* The numbers in the mass matrices of all trees, block after block. */
int abuti_matrix_size(const abut_world *world);

/* Keeps the velocity of a free joint at the centre of mass in world axes where its body is alone, and else as callers
 * see it. */
void abuti_keep_free_velocities(abut_world *world);

#endif
