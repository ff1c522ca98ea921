/* The point that a call returns whose budget is spent (soften.c). */
#ifndef ABUTI_CONTACT_SOFTEN_H
#define ABUTI_CONTACT_SOFTEN_H

#include "contact/system/system.h"

/* Whether there is such a point: velocity level, rows. */
bool abuti_soften_serves(const abuti_system *system);
/* A point within the cones that gives no energy, into x: from x itself where it is `near` an answer, else by sweeps
 * from the impulses of the last step, or from x, until the deadline, some in any case. `v`: room for the velocities of
 * all blocks. */
void abuti_soften(const abuti_system *system, const abuti_stage_context *context, double deadline, bool near,
                  double *v, abuti_answer *x);

/* From a point near an answer, in x, nearer by sweeps; the verifier has to say what that is worth. False: time is
 * up. */
bool abuti_polish(const abuti_system *system, const abuti_stage_context *context, double *v, abuti_answer *x);

#endif
