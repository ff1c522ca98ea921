/* What the files of branch and bound share (unions/branch.c, bounds.c, held.c). */
#ifndef ABUTI_CONTACT_UNIONS_BRANCH_PARTS_H
#define ABUTI_CONTACT_UNIONS_BRANCH_PARTS_H

#include "contact/unions/unions.h"

/* bounds.c: sets the bounds of all variables to what the node has decided. */
void abuti_branch_bound(abuti_branch *branch, const abuti_unions *unions);

/* held.c: begins with the sets of pins of a no-slip problem; those without glued contacts come first. False: too
 * large. */
bool abuti_held_begin(abuti_branch *branch, const abuti_unions *unions, const abuti_system *system);
/* Looks at the next set. If its motion is right, the set becomes the node (the states of all contacts). */
abuti_pins_step abuti_held_next(abuti_branch *branch, const abuti_unions *unions);
/* Whether the point of the relaxation moves as the set does. */
bool abuti_held_agrees(const abuti_branch *branch);

static inline int abuti_branch_directions(const abut_contact_problem *problem, int contact)
{
    int d = problem->contacts[contact].directions;
    return d ? d : ABUT_DIRECTIONS_DEFAULT;
}

/* Tangents of a no-slip contact, the first of which is variable place.direction. */
static inline int abuti_branch_tangents(const abut_contact_problem *problem, int contact)
{
    return abuti_branch_directions(problem, contact) == ABUT_DIRECTIONS_MIN ? 1 : 2;
}

/* Where a contact's normal impulse stands. */
static inline int abuti_branch_normal(const abuti_branch *t, int contact)
{
    return t->shape.normal + t->place[contact].number;
}

static inline int abuti_first_side(const abuti_unions *u, int group)
{
    return u->ordinary_count + u->first[group];
}

static inline int abuti_sides_of(const abuti_unions *u, int group)
{
    return u->first[group + 1] - u->first[group];
}

static inline bool abuti_branch_has_friction(const abuti_branch *t, const abuti_unions *u, int contact)
{
    return t->shape.friction && u->reduced.contacts[contact].friction > 0.0;
}

#endif
