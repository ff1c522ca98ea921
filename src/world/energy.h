/* Energy of each tree (energy.c). */
#ifndef ABUTI_WORLD_ENERGY_H
#define ABUTI_WORLD_ENERGY_H

#include "world/state.h"

/* J: finds world->energy, the kinetic energy (rotors included) and the potential energy (gravity, springs of joints) of
 * each tree, from poses and motions as they are. False when there is no memory. */
bool abuti_find_energy(abut_world *world);

#endif
