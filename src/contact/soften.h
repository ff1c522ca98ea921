/* The point that a call returns when its budget is spent (soften.c). */
#ifndef ABUTI_CONTACT_SOFTEN_H
#define ABUTI_CONTACT_SOFTEN_H

#include "contact/system/system.h"

/* Whether there is such a point: there is for systems that have rows. */
bool abuti_soften_serves(const abuti_system *system);
/* Writes into x a point within the cones that gives no energy. Where x is `near` an answer, it starts from x itself;
 * else sweeps lead to it from the impulses of the last step, or from x if there are none. They go on until the
 * deadline, and some are made in any case. `v` is room for the velocities of all blocks. */
void abuti_soften(const abuti_system *system, const abuti_stage_context *context, double deadline, bool near,
                  double *v, abuti_answer *x);

/* Brings the point in x, which is near an answer, nearer by sweeps; the verifier has to say what that is worth. False:
 * time is up. */
bool abuti_polish(const abuti_system *system, const abuti_stage_context *context, double *v, abuti_answer *x);

#endif
