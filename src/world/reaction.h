/* What joints carry. */
#ifndef ABUTI_WORLD_REACTION_H
#define ABUTI_WORLD_REACTION_H

#include "world/state.h"

/* Before a step: notes how bodies move, and what callers push them with. */
void abuti_note_motion(abut_world *world);

/* After the step, when its poses, contacts and rows are known: finds `reaction` of every body that hangs on a joint. */
void abuti_find_reactions(abut_world *world);

#endif
