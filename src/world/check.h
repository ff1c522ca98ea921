/* Definitions are looked at before anything is added: a message names the field and what was expected. */
#ifndef ABUTI_WORLD_CHECK_H
#define ABUTI_WORLD_CHECK_H

#include "base/invalid.h"
#include "world/state.h"

/* Says in `error` that memory has run out, and returns that. */
abut_status abuti_no_memory(abut_error *error);

/* Whether all numbers are finite and of magnitude at most 1e100. */
bool abuti_finite(const double *numbers, int count);
/* Likewise, and not below `least`. */
bool abuti_at_least(double number, double least);

/* Makes a quaternion or vector of any length > 0 one of length 1; false where it has none. */
bool abuti_unit(double *numbers, int count);

#endif
