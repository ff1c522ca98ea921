/* Included by sparse/core.inl.
 *
 * The short way inside: predictor and corrector (Mehrotra), one factorisation and two solves a round. Without friction it
 * ends; with friction it ends mostly, and is given up as soon as its steps tell that it does not. */

/* The point is kept, or the kept one comes back. */
static void copy_point(sparse *p, bool back)
{
    sparse_interior *in = &p->inside;
    size_t lane_count = (size_t)p->lanes;
    int most = 0;
    for (int g = 0; g < p->lanes / 8; ++g) most = in->most[g] > most ? in->most[g] : most;
    for (int k = 0; k < 4; ++k) copy_numbers(in->single[k], p->kept.single[k], lane_count, back);
    copy_numbers(in->phi, p->kept.phi, (size_t)most * lane_count, back);
    copy_numbers(in->sigma, p->kept.sigma, (size_t)most * lane_count, back);
    if (p->system->joints > 0) copy_numbers(in->joint, p->kept.joint, (size_t)p->system->joints, back);
}

/* The point's impulses, and the velocities that they give. */
static void interior_restore(sparse *p)
{
    interior_impulses(p);
    velocity_of_impulses(p);
    p->springs.joint_stiffness = INSIDE_JOINT;
}

/* Rounds of predictor and corrector; when the products have shrunk enough, the states are tried. Where it gets stuck the point
 * is the best so far, and `reached` is its mean product. */
static walk_end walk_inside(sparse *p, double start, double *reached, const abuti_stage_context *context)
{
    double unit = p->size * p->size, owed = 1.0, next = INSIDE_NEAR * unit;
    int slow = 0, idle = 0;
    interior_begin(p, start * p->size);
    share_alike(p);
    interior_restore(p);
    copy_point(p, false);
    double gap = *reached = mean_product(p);
    for (int round = 0; round < INSIDE_ROUNDS; ++round) {
        if (gap <= next && owed <= INSIDE_OWED) {
            walk_end end = try_states(p, context);
            if (end != WALK_STUCK) return end;
            interior_restore(p);
            next = INSIDE_AGAIN * gap;
            if (next < INSIDE_LAST * unit) return WALK_LIMIT;
        }
        if (budget_spent(p, context)) return WALK_LIMIT;
        double product, pays = owed > INSIDE_PAID ? 1.0 : 0.0;
        aim none = {.pays = pays}, centre = {.pays = pays, .bent = &p->step[0]};
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
        idle = gap < INSIDE_GAINS * *reached ? 0 : idle + 1;
        if (idle == 0) {
            copy_point(p, false);
            *reached = gap;
        }
        bool near = *reached <= INSIDE_NEAR * unit;
        if (!(gap > 0.0 && gap < INFINITY) || slow > INSIDE_SLOW || (near && idle > INSIDE_IDLE)) break;
    }
    copy_point(p, true);
    return WALK_STUCK;
}
