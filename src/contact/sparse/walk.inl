/* Included by sparse/core.inl.
 *
 * The short way inside: predictor and corrector (Mehrotra), one factorisation and two solves a round. Without friction it
 * ends; with friction it ends mostly, and is given up as soon as its steps tell that it does not. */

/* The point's impulses, and the velocities that they give. */
static void interior_restore(sparse *p)
{
    interior_impulses(p);
    velocity_of_impulses(p);
    p->springs.joint_stiffness = INSIDE_JOINT;
}

/* The answer that belongs to the states which the point names, its mean product being `product`. */
static walk_end try_states(sparse *p, double product, const abuti_stage_context *context)
{
    read_faces(p);
    copy_impulses(p, false);
    walk_end end = settle(p, SETTLE_ROUNDS, context);
    if (end != WALK_STUCK) return end;
    read_faces(p);
    return mend(p, product > MEND_LATE * p->size * p->size ? few_doubts(p->system) : MEND_MOST, context);
}

/* Rounds of predictor and corrector; when the products have shrunk enough, the states are tried. */
static walk_end walk_inside(sparse *p, double start, const abuti_stage_context *context)
{
    double unit = p->size * p->size, owed = 1.0, next = INSIDE_NEAR * unit;
    int slow = 0;
    interior_begin(p, start * p->size);
    share_alike(p);
    interior_restore(p);
    double gap = mean_product(p);
    for (int round = 0; round < INSIDE_ROUNDS; ++round) {
        if (gap <= next && owed <= INSIDE_OWED) {
            walk_end end = try_states(p, gap, context);
            if (end != WALK_STUCK) return end;
            interior_restore(p);
            next = INSIDE_AGAIN * gap;
            if (next < INSIDE_LAST * unit) return WALK_LIMIT;
        }
        if (budget_spent(p, context)) return WALK_LIMIT;
        double product;
        aim none = {.pays = 1.0}, centre = {.pays = 1.0, .bent = &p->step[0]};
        double reach = fmin(1.0, newton_step(p, &none, true, &p->step[0], &product));
        double predicted = (1.0 - reach) * gap + reach * reach * product / p->inside.pairs;
        double ratio = fmin(fmax(predicted / gap, INSIDE_LEAST), 1.0);
        centre.target = ratio * ratio * ratio * gap;
        double length = fmin(1.0, INSIDE_REACH * newton_step(p, &centre, false, &p->step[1], &product));
        p->rounds++;
        advance(p, length, &p->step[1]);
        gap = mean_product(p);
        owed *= 1.0 - length;
        slow = length < INSIDE_SHORT ? slow + 1 : 0;
        if (!(gap > 0.0 && gap < INFINITY) || slow > INSIDE_SLOW) return WALK_STUCK;
    }
    return WALK_STUCK;
}
