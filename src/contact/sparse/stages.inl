/* Included by sparse/core.inl.
 *
 * The stages. Each reads in the order of what it tries. */

/* The impulses and states at hand, as an answer. */
static abut_outcome tell_answer(sparse *p, walk_end end, abuti_answer *answer)
{
    const abuti_system *s = p->system;
    for (int i = 0; i < s->n; ++i) {
        bool within = p->state[i] == ABUT_STICK || (p->state[i] == ABUT_EDGE && s->directions[i] == 2);
        answer->theta[i] = fmax(p->springs.x[0][i], 0.0);
        answer->f[0][i] = p->springs.x[1][i];
        answer->f[1][i] = p->springs.x[2][i];
        answer->face[i] =
            (abut_contact_face){.state = within ? ABUT_STICK : p->state[i], .face = within ? 0 : p->face[i]};
    }
    for (int j = 0; j < s->joints; ++j) answer->joint[j] = p->springs.joint_x[j];
    return end == WALK_DONE ? ABUT_SOLVED : ABUT_LIMIT;
}

/* How many bodies there are; for parts, how many free bodies have as many freedoms, of which joint rows take some
 * away. */
static int bodies_like(const abuti_system *s)
{
    int freedoms = -s->joints;
    for (int b = 0; b < s->bodies && s->parts; ++b) freedoms += s->parts->size[b];
    return s->parts && freedoms / ABUTI_RIGID < s->bodies ? freedoms / ABUTI_RIGID : s->bodies;
}

/* Small islands are left to other stages. A stage that is asked for by name is not passed over. `few`: the fewest bodies
 * of an island that is not passed over where states are given. */
static bool passed_over(const abuti_system *s, int few, const abuti_stage_context *context)
{
    int fewest = s->parts ? ABUTI_LARGE_WARM : context->start ? few : ABUTI_LARGE_ISLAND;
    return !context->options->stage && bodies_like(s) < fewest;
}

/* The most rounds of one path: fewer where each takes long. */
static int path_rounds(const abuti_system *s)
{
    return PATH_ROUNDS_LEAST + (int)(PATH_ROUNDS / (1.0 + s->bodies * (1.0 / SPARSE_HUGE)));
}

/* Takes given states as the states at hand. */
static void take_states(sparse *p, const abut_contact_face *start)
{
    for (int i = 0; i < p->system->n; ++i) {
        bool acts = start[i].state != ABUT_OPEN, rubs = p->mu[i] > 0.0;
        bool within = start[i].state == ABUT_STICK && p->system->directions[i] == 2;
        p->state[i] = acts && !rubs ? ABUT_SLIDE : within ? ABUT_EDGE : start[i].state;
        p->face[i] = rubs && start[i].state != ABUT_STICK ? start[i].face : 0;
    }
}

/* Tries the impulses of the last step once more. */
static abut_outcome run_hold(sparse *p, const abuti_system *s, const abuti_stage_context *context,
                             abuti_answer *answer)
{
    if (!context->start || !context->impulse[0] || s->round || !borrow(p, s)) return ABUT_FAILED;
    take_impulses(p, context);
    take_states(p, context->start);
    if (hold(p, context->options) != WALK_DONE) return ABUT_FAILED;
    abut_outcome outcome = tell_answer(p, WALK_DONE, answer);
    memcpy(answer->face, context->start,
           (size_t)s->n * sizeof *answer->face); /* with the rows that they told */
    return outcome;
}

/* Tries the states of the last step, from its impulses. Where they are wrong, what has changed is mended. */
static abut_outcome run_check(sparse *p, const abuti_system *s, const abuti_stage_context *context,
                              abuti_answer *answer)
{
    if (!context->start || passed_over(s, ABUTI_LARGE_WARM, context) || !begin(p, s)) return ABUT_FAILED;
    take_impulses(p, context);
    copy_impulses(p, false);
    take_states(p, context->start);
    int few = few_doubts(s) - MEND_LESS;
    walk_end end = settle(p, SETTLE_ROUNDS, MEND_HOPELESS * few, context);
    if (end == WALK_STUCK) {
        copy_impulses(p, true);
        take_states(p, context->start);
        forget_doubts(p);
        end = mend(p, few, context);
    }
    answer->pivots += p->rounds;
    return end == WALK_DONE ? tell_answer(p, end, answer) : ABUT_FAILED;
}

/* Begins a walk inside. False when this island is not for such walks. */
static bool begin_inside(sparse *p, const abuti_system *s, int few, const abuti_stage_context *context)
{
    if (passed_over(s, few, context) || !begin(p, s)) return false;
    prepare_pairs(p);
    p->inside.lift = 0.0;
    return true;
}

/* Tells where a walk inside has come to: an answer, or a point that may be near one. */
static abut_outcome end_inside(sparse *p, walk_end end, abuti_answer *answer)
{
    if (end != WALK_DONE) read_faces(p);
    answer->pivots += p->rounds;
    return tell_answer(p, end, answer);
}

/* A walk from the point at hand; where it stalls near an answer, that answer is drawn near to. */
static walk_end walk_and_try(sparse *p, const abuti_stage_context *context)
{
    walk_end end = walk_inside(p, &p->reached, context);
    return end == WALK_STUCK && is_near(p) ? draw_near_inside(p, context) : end;
}

/* The short way through the inside to the states of all contacts at once, from the impulses of the last step if they
 * are known. */
static abut_outcome run_interior(sparse *p, const abuti_system *s, const abuti_stage_context *context,
                                 abuti_answer *answer)
{
    if (!begin_inside(p, s, ABUTI_FEW_INSIDE, context)) return ABUT_FAILED;
    walk_end end = WALK_STUCK;
    p->reached = INFINITY;
    if (context->start && context->impulse[0]) {
        interior_resume(p, context);
        end = walk_and_try(p, context);
    }
    if (end == WALK_STUCK && !is_near(p)) {
        interior_begin(p, INSIDE_START * p->size);
        end = walk_and_try(p, context);
    }
    return end_inside(p, end, answer);
}

/* When the short way stalls near an answer, the reason is mostly a turn. The path through its best point is followed
 * for some rounds, and where that has led may be nearer. */
static walk_end turn_and_try(sparse *p, const abuti_stage_context *context)
{
    double unit = p->size * p->size;
    if (!(p->reached <= TURN_FROM * unit)) return WALK_STUCK;
    copy_point(p, true);
    walk_end end = follow_path(p, INSIDE_AGAIN * fmin(p->reached, PATH_TRY * unit), TURN_ROUNDS, context);
    return end == WALK_STUCK && has_come_near(p) ? draw_near_inside(p, context) : end;
}

/* The long way. It goes on from where the short way stalled, then tries a short way from far outside, then paths from
 * up to five starts. Most paths that lead anywhere do so in a few hundred rounds, so all of them get as many before any
 * is followed further. */
static abut_outcome run_path(sparse *p, const abuti_system *s, const abuti_stage_context *context,
                             abuti_answer *answer)
{
    static const double starts[] = {0.2, 2.0, 20.0, 0.6, 6.0};
    const int count = (int)(sizeof starts / sizeof *starts);
    bool goes_on = context->continued && p->system == s;
    bool pivots = s->parts && bodies_like(s) < ABUTI_LARGE_ISLAND && !context->options->stage;
    if (pivots || !begin_inside(p, s, ABUTI_LARGE_WARM, context)) return ABUT_FAILED;
    walk_end end = goes_on ? turn_and_try(p, context) : WALK_STUCK;
    if (end == WALK_STUCK) {
        interior_begin(p, INSIDE_FAR * p->size);
        end = walk_and_try(p, context);
        if (end == WALK_STUCK) end = turn_and_try(p, context);
    }
    for (int k = 0; k < 2 * count && end == WALK_STUCK; ++k) {
        end = walk_path(p, starts[k % count], k < count ? PATH_ROUNDS_FEW : path_rounds(s), context);
        if (end == WALK_STUCK && has_come_near(p)) end = draw_near_inside(p, context);
    }
    return end_inside(p, end, answer);
}

const sparse_kernels SPARSE_VARIANT = {run_hold, run_check, run_interior, run_path, rank, factor, solve};
