/* Included by sparse/core_avx2.c, sparse/core_avx512.c and sparse/core_plain.c.
 *
 * The stages of the room, in one body of code that three files compile, each for its vector width. The including file
 * has defined SPARSE_VARIANT, the name of its table. */
#include "base/clock.h"
#include "contact/sparse/numbers.h"
#include "contact/sparse/sparse.h"
#include "linalg/kernels.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

/* For small steps of the hot loops, for which a call would cost as much as the step. */
#define HOT static inline __attribute__((always_inline))

#include "contact/sparse/factor.inl"

#include "contact/sparse/assemble.inl"

#include "contact/sparse/wide.inl"

#include "contact/sparse/springs.inl"

#include "contact/sparse/rank.inl"

#include "contact/sparse/interior.inl"

#include "contact/sparse/settle.inl"

#include "contact/sparse/proximal.inl"

#include "contact/sparse/pieces.inl"

#include "contact/sparse/hold.inl"

#include "contact/sparse/mend.inl"

#include "contact/sparse/states.inl"

#include "contact/sparse/walk.inl"

#include "contact/sparse/near.inl"

#include "contact/sparse/path.inl"

#include "contact/sparse/resume.inl"

#include "contact/sparse/stages.inl"
