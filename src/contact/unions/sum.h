/* Lemke's method on the LCP of the summation formulation. */
#ifndef ABUTI_CONTACT_UNIONS_SUM_H
#define ABUTI_CONTACT_UNIONS_SUM_H

#include "abut/lcp.h"
#include "contact/unions/lcp.h"

/* Levels of slack, from none. */
enum { ABUTI_SUM_SLACKS = 5 };

typedef struct abuti_sum {
    int capacity; /* rows at most */
    abuti_union_shape shape;
    double *B, *b, *slacked;
    int *free; /* joint impulses */
    abut_lcp_workspace *work;
} abuti_sum;

abuti_sum *abuti_sum_layout(abuti_arena *arena, const abut_contact_limits *limits);
/* Forms the LCP of a problem whose contact i is lane i of the system; false: too large. */
bool abuti_sum_form(abuti_sum *sum, const abuti_system *system, const abut_contact_problem *problem,
                    const abut_contact_options *options, abuti_union_place *place);
/* Solves the LCP with a level of slack. */
abut_outcome abuti_sum_run(abuti_sum *sum, const abuti_system *system, const abut_contact_problem *problem,
                           const abuti_union_place *place, int level, int pivots_left, abuti_answer *answer);

#endif
