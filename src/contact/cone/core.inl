/* Included by cone/core_plain.c, cone/core_avx2.c and cone/core_avx512.c, which name CONE_KERNEL. */
#include "contact/cone/cone.h"
#include "linalg/lanes.h"
#include <math.h>
#include <string.h>

#include "contact/cone/matrix.inl"

#include "contact/cone/rows.inl"

#include "contact/cone/one.inl"

const cone_kernel CONE_KERNEL = {.factor = factor,
                                 .divide = divide,
                                 .move = move_all,
                                 .solve = solve_rows,
                                 .one_begin = one_begin,
                                 .one_move = one_move,
                                 .one_prepare = one_prepare,
                                 .one_change = one_change,
                                 .one_step = one_step,
                                 .one_judge = one_judge};
