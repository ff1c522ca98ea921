/* The published LCPs of problems with unions, formed from a contact system; abut/union.h has the story. */
#ifndef ABUTI_CONTACT_UNIONS_LCP_H
#define ABUTI_CONTACT_UNIONS_LCP_H

#include "contact/build/build.h"

/* Which LCP it is: that of a rule, or (6), (7), in which every contact is an ordinary one. For the no-slip model (HELD)
 * the LCP has the normals and, in the place of directions, the two tangents (one in the plane). */
typedef enum abuti_union_kind {
    ABUTI_LCP_MAX,
    ABUTI_LCP_SUM,
    ABUTI_LCP_PLAIN,
    ABUTI_LCP_HELD,
    ABUTI_LCP_SUM_HELD
} abuti_union_kind;

/* Where the variables stand: each number is the first variable of its kind. `pick` is the paper's g. */
typedef struct abuti_union_shape {
    bool sum, plain, friction, held;
    int y, g, x, joints, rows;
    int c, d, pick, h, p, normal, direction, slip, free;
} abuti_union_shape;

/* Where a contact stands. */
typedef struct abuti_union_place {
    int number;    /* among all contacts, sides first */
    int group;     /* of a side, numbered by first sides; -1: no side */
    int direction; /* its first direction variable */
} abuti_union_place;

/* Whether the model has one of the published LCPs. */
bool abuti_union_has_lcp(const abut_contact_problem *problem);
abuti_union_shape abuti_union_shape_of(const abut_contact_problem *problem, abuti_union_kind kind);
/* Finds the places of all contacts. */
void abuti_union_places(const abut_contact_problem *problem, const abuti_union_shape *shape,
                        abuti_union_place *place);

/* epsilon / step: the caller's epsilon, or 1e-4 of the free motion (abut/union.h). */
double abuti_union_cap(const abuti_system *system, const abut_contact_problem *problem,
                       const abut_contact_options *options);

/* Forms B (shape.rows square) and b in the caller's units; lane i of the system is contact i of the problem.
 * `constant` is gamma, or epsilon / step. */
void abuti_union_form(const abuti_system *system, const abut_contact_problem *problem,
                      const abuti_union_shape *shape, const abuti_union_place *place, double constant,
                      double *B, double *b);

/* Writes the rows themselves (HELD; shape.rows times all numbers of all blocks). Their products with each other are
 * B. */
void abuti_union_rows(const abuti_system *system, const abuti_union_shape *shape,
                      const abuti_union_place *place, double *A);

/* The impulse of one contact from z. */
void abuti_union_gather(const abut_contact_problem *problem, const abuti_union_shape *shape, int contact,
                        abuti_union_place place, const double *z, double impulse[3]);
/* The answer of all contacts and joints, in the system's units, from z and w. */
void abuti_union_answer(const abuti_union_shape *shape, const abuti_system *system,
                        const abut_contact_problem *problem, const abuti_union_place *place, const double *z,
                        const double *w, abuti_answer *answer);

#endif
