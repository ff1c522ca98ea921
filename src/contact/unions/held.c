/* No-slip by sets of pins (unions/pins.c): which contacts hold still, and whether that is right.
 *
 * The motion of a set is right when every ordinary contact is open, or touches and does not slip, and every union
 * has a side with a >= 0. Which impulses bring it about is asked of the relaxation: contacts at rest may push,
 * but sides only if no side of their union is open; all others are shut. Where a pin may not push, the relaxation may
 * find another motion, which belongs to a smaller set.
 *
 * A contact may also be open and held all the same (glued). The verifier takes that only where nothing else is
 * right, so sets with glue come after all others. It takes glued sides only in small islands, where it can prove by
 * itself that nothing else is right. */
#include "contact/unions/branch_parts.h"
#include <math.h>

/* States of a contact that is held, as abuti_decision has them. */
enum { SHUT, PINNED, GLUED };

static void add_tangents(abuti_branch *t, const abuti_unions *u, int contact, int from)
{
    for (int k = from; k < abuti_branch_tangents(&u->reduced, contact); ++k)
        abuti_pins_extend(&t->pins, t->place[contact].direction + k);
}

/* In an island of at most so many contacts the verifier knows whether sides need glue. */
enum { PROVED = 12 };

static void begin_pass(abuti_branch *t, const abuti_unions *u, abuti_glue_of glue)
{
    int glued = glue == ABUTI_GLUE_OF_NONE  ? 0
                : glue == ABUTI_GLUE_OF_ALL ? u->reduced.contact_count
                                            : u->ordinary_count;
    abuti_pins *p = &t->pins;
    bool sure = p->exhausted;
    t->glue = glue;
    abuti_pins_begin(p, t->shape.rows, t->shape.joints, p->dof, t->b, t->relax.tolerance);
    p->exhausted = sure || glue == ABUTI_GLUE_OF_NONE; /* what the passes before left in doubt stays so */
    for (int i = 0; i < u->reduced.contact_count; ++i) {
        abuti_pins_add(p, i, abuti_branch_normal(t, i));
        add_tangents(t, u, i, 0);
    }
    for (int i = 0; i < glued; ++i) {
        abuti_pins_add(p, i, t->place[i].direction);
        add_tangents(t, u, i, 1);
    }
}

bool abuti_held_begin(abuti_branch *t, const abuti_unions *u, const abuti_system *system)
{
    t->pins.dof = system->bodies * system->dim;
    if (!system->rows || t->pins.dof > ABUTI_PINS_RANK) return false;
    abuti_union_rows(system, &t->shape, t->place, t->pins.A);
    begin_pass(t, u, ABUTI_GLUE_OF_NONE);
    return true;
}

static double slip_of(const abuti_branch *t, const abuti_unions *u, int contact)
{
    const double *w = abuti_pins_motion(&t->pins);
    double most = 0.0;
    for (int k = 0; k < abuti_branch_tangents(&u->reduced, contact); ++k)
        most = fmax(most, fabs(w[t->place[contact].direction + k]));
    return most;
}

static bool ordinary_is_right(abuti_branch *t, const abuti_unions *u, int contact)
{
    double a = abuti_pins_motion(&t->pins)[abuti_branch_normal(t, contact)], zero = t->relax.tolerance;
    double slip = slip_of(t, u, contact);
    if (a < -zero || (a <= zero && slip > zero)) return false;
    bool glued = t->glue != ABUTI_GLUE_OF_NONE && slip <= zero;
    t->stack[contact].state = a <= zero ? PINNED : glued ? GLUED : SHUT;
    return true;
}

static bool union_is_right(abuti_branch *t, const abuti_unions *u, int group)
{
    const double *w = abuti_pins_motion(&t->pins);
    int begin = abuti_first_side(u, group), end = begin + abuti_sides_of(u, group);
    double most = -INFINITY, zero = t->relax.tolerance;
    for (int i = begin; i < end; ++i) most = fmax(most, w[abuti_branch_normal(t, i)]);
    if (most < -zero) return false;
    for (int i = begin; i < end; ++i) {
        bool still = slip_of(t, u, i) <= zero, touches = fabs(w[abuti_branch_normal(t, i)]) <= zero;
        t->stack[i].state = still && touches && most <= zero        ? PINNED
                            : still && t->glue == ABUTI_GLUE_OF_ALL ? GLUED
                                                                    : SHUT;
    }
    return true;
}

/* Whether the motion of the present set is right. The motion decides the states of all contacts. */
static bool is_right(abuti_branch *t, const abuti_unions *u)
{
    for (int g = 0; g < u->groups; ++g)
        if (!union_is_right(t, u, g)) return false;
    for (int i = 0; i < u->ordinary_count; ++i)
        if (!ordinary_is_right(t, u, i)) return false;
    /* Sets that do not need the glue of this pass were looked at before. */
    bool glued = t->glue == ABUTI_GLUE_OF_NONE;
    int first = t->glue == ABUTI_GLUE_OF_ALL ? u->ordinary_count : 0;
    for (int i = first; i < u->reduced.contact_count; ++i) glued |= t->stack[i].state == GLUED;
    return glued;
}

/* Begins the pass after the present one; false: there is none. */
static bool next_pass(abuti_branch *t, const abuti_unions *u)
{
    if (t->glue == ABUTI_GLUE_OF_NONE && u->ordinary_count > 0)
        begin_pass(t, u, ABUTI_GLUE_OF_ORDINARY);
    else if (t->glue != ABUTI_GLUE_OF_ALL && u->reduced.contact_count <= PROVED)
        begin_pass(t, u, ABUTI_GLUE_OF_ALL);
    else
        return false;
    return true;
}

abuti_pins_step abuti_held_next(abuti_branch *t, const abuti_unions *u)
{
    t->depth = u->reduced.contact_count;
    for (int i = 0; i < t->depth; ++i)
        t->stack[i] = (abuti_decision){.what = ABUTI_OF_CONTACT, .index = i, .states = 3};
    abuti_pins_step step = abuti_pins_next(&t->pins);
    if (step == ABUTI_PINS_SET && is_right(t, u)) return ABUTI_PINS_SET;
    t->depth = 0;
    return step == ABUTI_PINS_END && !next_pass(t, u) ? ABUTI_PINS_END : ABUTI_PINS_NONE;
}

bool abuti_held_agrees(const abuti_branch *t)
{
    static const double rounding = 100.0; /* of what counts as zero */
    const double *w = abuti_pins_motion(&t->pins);
    for (int k = 0; k < t->shape.rows; ++k)
        if (!(fabs(abuti_relax_value(&t->relax, t->shape.rows + k) - w[k]) <= rounding * t->relax.tolerance))
            return false;
    return true;
}
