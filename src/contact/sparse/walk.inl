/* Included by sparse/core.inl.
 *
 * The short way inside: predictor and corrector (Mehrotra), with one factorisation and two solves in each round.
 * Without friction it always ends; with friction it mostly ends, and is given up as soon as its steps tell that it does
 * not. */

/* Keeps the point, or (`back`) takes the kept one back. */
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

/* Finds the point's impulses, and the velocities that they give. */
static void interior_restore(sparse *p)
{
    interior_impulses(p);
    velocity_of_impulses(p);
    p->springs.joint_stiffness = INSIDE_JOINT;
}

/* Whether the point that was kept is near an answer. */
static bool is_near(const sparse *p)
{
    return p->reached <= INSIDE_NEAR * p->size * p->size;
}

/* A walk, as far as it has come. */
typedef struct walk {
    /* The mean product of the pairs at the point, and at the best point so far, which is kept. */
    double gap, reached;
    double owed;       /* the share of the equations' first error that is left */
    double next;       /* products from which the states are tried again */
    int tries, fewest; /* tries so far; the fewest states that were open since the last one, */
    int waited;        /* and rounds since there were so few */
    int slow, idle;    /* short steps in a row; rounds without gain */
} walk;

/* One round of predictor and corrector; returns the length of its step. */
static double walk_round(sparse *p, walk *w)
{
    double product, pays = w->owed > INSIDE_PAID ? 1.0 : 0.0;
    aim none = {.pays = pays}, centre = {.pays = pays, .bent = &p->step[0]};
    double reach = fmin(1.0, newton_step(p, &none, true, &p->step[0], &product));
    double predicted = (1.0 - reach) * w->gap + reach * reach * product / p->inside.pairs;
    double ratio = fmin(fmax(predicted / w->gap, INSIDE_LEAST), 1.0);
    centre.target = ratio * ratio * ratio * w->gap;
    double length = fmin(1.0, INSIDE_REACH * newton_step(p, &centre, false, &p->step[1], &product));
    p->rounds++;
    advance(p, length, &p->step[1]);
    w->gap = mean_product(p);
    w->owed *= 1.0 - length;
    return length;
}

/* Judges a round, and keeps the point if it is the best. False: the start is lost, or rounding ends the walk. */
static bool walk_judge(sparse *p, walk *w, double length)
{
    w->slow = length < INSIDE_SHORT ? w->slow + 1 : 0;
    w->idle = w->gap < INSIDE_GAINS * w->reached ? 0 : w->idle + 1;
    if (w->idle == 0) {
        copy_point(p, false);
        w->reached = w->gap;
    }
    bool near = w->reached <= INSIDE_NEAR * p->size * p->size;
    return w->gap > 0.0 && w->gap < INFINITY && w->slow <= INSIDE_SLOW && !(near && w->idle > INSIDE_IDLE);
}

/* Near enough to an answer, the states are tried. Those that the larger members name, which are right where nothing
 * moves, are tried at once. Those that the point goes to are tried when few of them are open, or when the number of
 * open ones no longer falls. */
static walk_end walk_try(sparse *p, walk *w, const abuti_stage_context *context)
{
    if (!(w->gap <= w->next && w->owed <= INSIDE_OWED)) return WALK_STUCK;
    walk_end end = WALK_STUCK;
    int open = note_faces(p), more = w->gap > INSIDE_DOUBTS * p->size * p->size ? 0 : few_doubts(p->system);
    bool fewer = open < w->fewest, first = w->tries == 0;
    w->fewest = fewer ? open : w->fewest;
    w->waited = fewer ? 0 : w->waited + 1;
    bool clear = open <= p->system->bodies / INSIDE_OPEN || w->waited >= INSIDE_WAIT;
    if (!first && !clear) return WALK_STUCK;
    w->tries++;
    if (first) end = try_larger(p, context);
    if (clear && end == WALK_STUCK && open <= 2 * more) end = try_noted(p, open, more, context);
    if (end != WALK_STUCK) return end;
    interior_restore(p);
    if (clear) {
        w->next = INSIDE_AGAIN * w->gap;
        w->fewest = p->system->n + 1;
        w->waited = 0;
    }
    return w->next < INSIDE_LAST * p->size * p->size ? WALK_LIMIT : WALK_STUCK;
}

/* Takes rounds from the point at hand until its states give an answer. Where the walk gets stuck, the point is the best
 * so far, and `reached` is its mean product. */
static walk_end walk_inside(sparse *p, double *reached, const abuti_stage_context *context)
{
    double unit = p->size * p->size;
    share_alike(p);
    interior_restore(p);
    copy_point(p, false);
    walk w = {.owed = 1.0, .next = INSIDE_NEAR * unit, .fewest = p->system->n + 1};
    w.gap = w.reached = mean_product(p);
    for (int round = 0; round < INSIDE_ROUNDS; ++round) {
        walk_end end = walk_try(p, &w, context);
        if (end != WALK_STUCK) return end;
        if (budget_spent(p, context)) return WALK_LIMIT;
        if (!walk_judge(p, &w, walk_round(p, &w))) break;
    }
    copy_point(p, true);
    *reached = w.reached;
    return WALK_STUCK;
}
