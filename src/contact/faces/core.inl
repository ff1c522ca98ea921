/* Included by faces/core_avx2.c, faces/core_avx512.c and faces/core_plain.c.
 *
 * The stages of `faces`, in one body of code that three files compile, each for its vector width.
 *
 *     check       are the states of the last step still right? one solve, one pass over the slacks
 *     greedy      flip what is violated, a few times
 *     interior    many bodies: through the inside to the states of all contacts at once
 *     path        the parametric path from all open
 *     cover       the same with other covers
 *
 * The including file has defined FACES_VARIANT, the name of its table. */
#include "base/clock.h"
#include "contact/faces/faces.h"
#include "linalg/kernels.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

/* For small steps of the hot loops, for which a call would cost as much as the step. */
#define HOT static inline __attribute__((always_inline))

/* Representations of the basis. Those of many bodies come in order of what they stand on. */
#include "contact/faces/vectors.inl"

#include "contact/faces/rows.inl"

#include "contact/faces/block.inl"

#include "contact/faces/inverse.inl"

#include "contact/faces/refresh.inl"

#include "contact/faces/eight.inl"

#include "contact/faces/tableau.inl"

#include "contact/faces/order.inl"

#include "contact/faces/band.inl"

/* Slacks and changes of state, whatever the representation. */
#include "contact/faces/slack.inl"

#include "contact/faces/given.inl"

#include "contact/faces/events.inl"

#include "contact/faces/begin.inl"

#include "contact/faces/finish.inl"

#include "contact/faces/start.inl"

/* What walks from state to state. */
#include "contact/faces/path.inl"

#include "contact/faces/greedy.inl"

#include "contact/faces/bounds.inl"

/* One body in the space of v. */
#include "contact/faces/one.inl"

#include "contact/faces/one_flips.inl"

#include "contact/faces/one_kept.inl"

#include "contact/faces/one_states.inl"

/* Many bodies. */
#include "contact/faces/mend.inl"

#include "contact/faces/homotopy.inl"

#include "contact/faces/springs.inl"

#include "contact/faces/settle.inl"

#include "contact/faces/interior.inl"

#include "contact/faces/stages.inl"

const faces_kernels FACES_VARIANT = {run_check,  run_mend, run_greedy, run_interior,
                                     run_narrow, run_path, run_cover};
