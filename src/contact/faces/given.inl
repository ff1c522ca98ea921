/* Included by faces/core.inl.
 *
 * Bounded rows: contacts with two directions whose theta is given, so that their cones do not grow.
 *
 *     SLIDE j    at a bound: no slot; its impulse mu theta d_j is part of k
 *     EDGE       held between its bounds: slot 1, s in -+ mu theta
 *
 * An ordinary contact shears the column of its slot 0 to bring friction along. Here k changes instead: with slot b
 *
 *     k += tau theta C_b,   x_b -= tau theta                                             v does not change
 *
 * From nothing all rows are held that can be. Then rows that would pass their bounds give way, and come back, until all
 * are right while every contact is open. That is a convex problem, and its answer is where flips and the path begin. */

/* theta of an active contact. */
HOT double theta_of(const faces *f, int contact, int part)
{
    if (is_given(f, contact)) return part == 0 ? f->system->given[contact] : 0.0;
    return f->x[part][f->seats.slot[0][f->seats.of[contact]]];
}

/* COL: theta of a contact brings tau of slot b along. */
HOT void lean(faces *f, int contact, int b, double tau)
{
    if (!is_given(f, contact)) {
        f->basis->shear(f, f->seats.slot[0][f->seats.of[contact]], b, tau);
        return;
    }
    double pushed = tau * f->system->given[contact];
    f->x[0][b] -= pushed;
    f->door->add(f, pushed, slot_column(f, b), slot_at(f, b), f->loaded);
}
