/* Included by sparse/core.inl.
 *
 * The way from a point near an answer to the answer: proximal problems one after the other, each from the answer of the
 * one before, with contacts that give way less and less. */

/* The pieces that a path may have: fewer where each takes long. */
static int pieces_most(const abuti_system *s)
{
    return PIECES_LEAST + (int)(PIECES / (1.0 + s->bodies * (1.0 / SPARSE_HUGE)));
}

/* The answer of the proximal problem around the impulses in `from`. If there is none, the point is at these again. */
static bool proximal_answer(sparse *p, double softness, int *steps, const abuti_stage_context *context)
{
    if (proximal_newton(p, softness, steps)) return true;
    copy_impulses(p, true);
    velocity_of_impulses(p);
    if (follow_pieces(p, softness, pieces_most(p->system), context) && proximal_newton(p, softness, steps))
        return true;
    copy_impulses(p, true);
    velocity_of_impulses(p);
    return false;
}

/* Comes as near to an answer as it can from the impulses at hand. Where this is near enough it is the answer. */
static walk_end draw_near(sparse *p, const abuti_stage_context *context)
{
    double enough = NEAR_ENOUGH * context->options->tolerance * p->scale, shrink = NEAR_SHRINK, last = 0.0;
    int steps = 0, idle = 0, failed = 0;
    if (anything_gives(p)) return WALK_STUCK;
    p->near_error = natural_map(p);
    double softness = fmin(fmax(NEAR_FIRST * p->near_error / p->size, NEAR_SOFT), 1.0);
    copy_impulses(p, false);
    copy_near(p, false);
    while (p->near_error > enough && idle < NEAR_IDLE && failed < NEAR_FAILURES && steps < NEAR_STEPS) {
        int before = steps;
        if (budget_spent(p, context)) return WALK_LIMIT;
        if (!proximal_answer(p, softness, &steps, context)) {
            ++failed;
            shrink = sqrt(shrink);
            softness = last > 0.0 ? last * shrink : softness / NEAR_SHRINK;
            continue;
        }
        double error = natural_map(p);
        copy_impulses(p, false);
        idle = error < NEAR_FALLS * p->near_error ? 0 : idle + 1;
        if (error < p->near_error) {
            p->near_error = error;
            copy_near(p, false);
        }
        last = softness;
        if (steps - before <= 2) shrink = fmax(shrink * shrink, NEAR_SHRINK);
        softness = fmax(softness * shrink, NEAR_SOFT);
    }
    copy_near(p, true);
    return p->near_error <= enough ? WALK_DONE : WALK_STUCK;
}

/* The same from the point inside that was kept. */
static walk_end draw_near_inside(sparse *p, const abuti_stage_context *context)
{
    copy_point(p, true);
    read_faces(p);
    return draw_near(p, context);
}
