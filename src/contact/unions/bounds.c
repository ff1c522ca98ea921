/* Bounds of a node of branch and bound (unions/branch.c): what its decisions make of each variable. */
#include "contact/unions/branch_parts.h"

static void bound(abuti_branch *t, int variable, unsigned char z, unsigned char w)
{
    t->relax.may_be[variable] = z;
    t->relax.may_be[t->shape.rows + variable] = w;
}

/* The contact of a normal impulse. */
static int contact_of(const abuti_branch *t, int variable)
{
    int contact = 0;
    while (abuti_branch_normal(t, contact) != variable) ++contact;
    return contact;
}

/* Bounds all directions (no-slip: tangents) of a contact, and its slip (z) and cone (w). */
static void bound_friction(abuti_branch *t, const abut_contact_problem *problem, int contact,
                           const unsigned char direction[2], const unsigned char slip[2])
{
    int count = t->shape.friction ? abuti_branch_directions(problem, contact) : 0;
    if (t->shape.held) count = abuti_branch_tangents(problem, contact);
    for (int j = 0; j < count; ++j) bound(t, t->place[contact].direction + j, direction[0], direction[1]);
    if (t->shape.friction) bound(t, t->shape.slip + t->place[contact].number, slip[0], slip[1]);
}

/* A contact that does not push has no friction, and nothing is asked of its slip. */
static void shut(abuti_branch *t, const abut_contact_problem *problem, int contact)
{
    static const unsigned char nothing[2] = {ABUTI_ZERO, ABUTI_FREE};
    t->relax.may_be[abuti_branch_normal(t, contact)] = ABUTI_ZERO;
    bound_friction(t, problem, contact, nothing, nothing);
}

static void bound_gap(abuti_branch *t, int contact, unsigned char may_be)
{
    t->relax.may_be[t->shape.rows + abuti_branch_normal(t, contact)] = may_be;
}

/* Lets exactly the chosen sides push: they are touched, and the body is behind all others. */
static void bound_choice(abuti_branch *t, const abuti_unions *u, int group)
{
    int begin = abuti_first_side(u, group);
    for (int k = 0; k < abuti_sides_of(u, group); ++k) {
        shut(t, &u->reduced, begin + k);
        bound_gap(t, begin + k, u->chosen[group] > 0 ? ABUTI_NEGATIVE : ABUTI_FREE);
    }
    for (int k = 0; k < u->chosen[group]; ++k) {
        static const unsigned char signs[2] = {ABUTI_POSITIVE, ABUTI_POSITIVE},
                                   any[2] = {ABUTI_FREE, ABUTI_FREE};
        int at = u->first[group], contact = u->ordinary_count + u->order[at + u->combination[at + k]];
        bound(t, abuti_branch_normal(t, contact), ABUTI_POSITIVE, ABUTI_ZERO);
        bound_friction(t, &u->reduced, contact, t->shape.held ? any : signs, signs);
    }
}

/* Pins a touched contact of no-slip: it may push, and does not move. */
static void pin(abuti_branch *t, const abuti_unions *u, int contact)
{
    static const unsigned char nothing[2] = {ABUTI_ZERO, ABUTI_FREE}, held[2] = {ABUTI_FREE, ABUTI_ZERO};
    bound(t, abuti_branch_normal(t, contact), ABUTI_POSITIVE, ABUTI_ZERO);
    bound_friction(t, &u->reduced, contact, held, nothing);
}

/* No-slip: no side pushes (state 0), or side `state` - 1 is the first that does. */
static void bound_held_group(abuti_branch *t, const abuti_unions *u, const abuti_decision *d)
{
    int begin = abuti_first_side(u, d->index);
    for (int k = 0; k < abuti_sides_of(u, d->index); ++k) {
        if (d->state > 0) bound_gap(t, begin + k, ABUTI_NEGATIVE);
        if (d->state == 0 || k < d->state - 1) shut(t, &u->reduced, begin + k);
    }
    if (d->state > 0) pin(t, u, begin + d->state - 1);
}

static void bound_group(abuti_branch *t, const abuti_unions *u, const abuti_decision *d)
{
    int begin = abuti_first_side(u, d->index);
    if (t->shape.held) {
        bound_held_group(t, u, d);
        return;
    }
    for (int k = 0; k < abuti_sides_of(u, d->index); ++k) {
        if (d->state == 1) shut(t, &u->reduced, begin + k);
        if (d->state == 0) bound_gap(t, begin + k, ABUTI_NEGATIVE);
    }
}

/* The decided side of a group that is touched has a = 0, that of an idle group has a >= 0. */
static void bound_side(abuti_branch *t, const abuti_unions *u, const abuti_decision *d)
{
    int contact = abuti_first_side(u, d->index) + d->state;
    bool idle = t->relax.may_be[abuti_branch_normal(t, contact)] == ABUTI_ZERO;
    bound_gap(t, contact, idle ? ABUTI_POSITIVE : ABUTI_ZERO);
}

static void bound_pair(abuti_branch *t, const abuti_unions *u, const abuti_decision *d)
{
    if (d->w_first == (d->state == 0)) {
        t->relax.may_be[t->shape.rows + d->index] = ABUTI_ZERO;
    } else if (d->index >= t->shape.normal && d->index < t->shape.direction) {
        shut(t, &u->reduced, contact_of(t, d->index));
    } else {
        t->relax.may_be[d->index] = ABUTI_ZERO;
    }
}

/* Bounds a contact by its state (abuti_decision). */
static void bound_contact(abuti_branch *t, const abuti_unions *u, const abuti_decision *d)
{
    static const unsigned char nothing[2] = {ABUTI_ZERO, ABUTI_FREE}, stuck[2] = {ABUTI_POSITIVE, ABUTI_ZERO},
                               still[2] = {ABUTI_ZERO, ABUTI_POSITIVE};
    int contact = d->index, count = abuti_branch_directions(&u->reduced, contact),
        at = t->place[contact].direction;
    if (d->state == 0) {
        shut(t, &u->reduced, contact);
        return;
    }
    bound(t, abuti_branch_normal(t, contact), ABUTI_POSITIVE, ABUTI_ZERO);
    if (t->shape.held) {
        pin(t, u, contact);
        bool side = contact >= u->ordinary_count;
        if (d->state == 2)
            bound(t, abuti_branch_normal(t, contact), ABUTI_ZERO, side ? ABUTI_FREE : ABUTI_POSITIVE);
    } else if (!abuti_branch_has_friction(t, u, contact)) {
        bound_friction(t, &u->reduced, contact, nothing, nothing);
    } else if (d->state == 1) {
        bound_friction(t, &u->reduced, contact, stuck, still);
    } else {
        int first = (d->state - 2) % count, last = d->state - 2 < count ? first : (first + 1) % count;
        bound_friction(t, &u->reduced, contact, still, stuck);
        bound(t, at + first, ABUTI_POSITIVE, ABUTI_ZERO);
        bound(t, at + last, ABUTI_POSITIVE, ABUTI_ZERO);
    }
}

void abuti_branch_bound(abuti_branch *t, const abuti_unions *u)
{
    for (int k = 0; k < t->shape.free; ++k) bound(t, k, ABUTI_POSITIVE, ABUTI_POSITIVE);
    for (int k = t->shape.direction; k < t->shape.free && t->shape.held; ++k)
        bound(t, k, ABUTI_FREE, ABUTI_FREE);
    for (int k = t->shape.free; k < t->shape.rows; ++k) bound(t, k, ABUTI_FREE, ABUTI_ZERO);
    for (int i = u->ordinary_count; i < u->reduced.contact_count && !t->shape.sum; ++i)
        bound_gap(t, i, ABUTI_FREE);
    for (int g = 0; g < u->groups && !t->shape.sum; ++g)
        if (u->chosen[g] >= 0) bound_choice(t, u, g);
    for (int k = 0; k < t->depth; ++k) {
        if (t->stack[k].what == ABUTI_OF_GROUP) bound_group(t, u, &t->stack[k]);
        if (t->stack[k].what == ABUTI_OF_SIDE) bound_side(t, u, &t->stack[k]); /* comes after its group */
    }
    for (int k = 0; k < t->depth; ++k) {
        if (t->stack[k].what == ABUTI_OF_PAIR) bound_pair(t, u, &t->stack[k]);
        if (t->stack[k].what == ABUTI_OF_CONTACT) bound_contact(t, u, &t->stack[k]);
    }
}
