/* The table of solvers and their stages, and the order of attack. */
#ifndef ABUTI_CONTACT_SOLVERS_H
#define ABUTI_CONTACT_SOLVERS_H

#include "contact/system/system.h"

/* More stages than any plan has. */
#define ABUTI_PLAN_MAX 24
#define ABUTI_FAMILIES_MAX 24

typedef struct abuti_plan {
    abut_contact_solver solver; /* whose stages come first */
    int count;
    const abuti_stage *stage[ABUTI_PLAN_MAX];
    bool rests; /* the stage that looks for rest is one of them */
} abuti_plan;

/* The solver that ABUT_SOLVER_AUTO stands for; other solvers are returned as they are. */
abut_contact_solver abuti_solver_resolve(abut_contact_model model, abut_contact_solver solver, bool local);

/* The solver's own stages for this model and door, in order; with `fallback` the stages of the solvers that come to
 * help follow. Families outside `served` (an OR of 1u << solver) are left out. */
abuti_plan abuti_plan_make(abut_contact_model model, abut_contact_solver solver, bool local, bool fallback,
                           unsigned served);

/* The stage of that name that answers this model through this door, NULL when there is none. */
const abuti_stage *abuti_stage_find(abut_contact_model model, bool local, const char *name);

/* Lists all families of the solvers in `served`, in the table's order, and returns their number. */
int abuti_families(unsigned served, const abuti_family *families[ABUTI_FAMILIES_MAX]);

/* What limits.solvers = 0 and the bit of ABUT_SOLVER_AUTO stand for: every solver that `auto` or its
 * fallbacks use. */
unsigned abuti_solvers_served(unsigned solvers);

#endif
