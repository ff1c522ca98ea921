/* Included by faces/core.inl.
 *
 * The five stages. Each reads in the order of what it tries. */

/* ---- a basis with an inverse, or a tableau ---- */

static const faces_basis *inverse_for(const abuti_system *s)
{
    return eight_serves(s) ? &basis_of_eight : &basis_of_inverse;
}

/* A basis with the given states, or with everything open, for the path (two parts) or without it. False:
 * joint rows contradict each other. */
static bool start_basis(faces *f, const faces_basis *basis, int parts, const abut_contact_face *start)
{
    f->parts = parts;
    f->memory.ready = FACES_LEFT_NOTHING;
    f->inverse.fresh = false;
    clear(f, basis);
    make_polygons(f);
    if (!add_joints(f)) return false;
    if (start) load_states(f, start);
    return true;
}

static abut_outcome finish(faces *f, abuti_answer *answer)
{
    tell_pivots(f, answer);
    if (!f->basis->polish(f)) return ABUT_FAILED;
    write_answer(f, answer);
    return ABUT_SOLVED;
}

/* Where flips have come to, as an answer. */
static abut_outcome finish_flips(faces *f, flips end, abuti_answer *answer)
{
    if (end == FLIPS_DONE) return finish(f, answer);
    tell_pivots(f, answer);
    if (end == FLIPS_STUCK || !f->regular) return ABUT_FAILED;
    write_answer(f, answer);
    return ABUT_LIMIT;
}

/* ---- check ---- */

/* Looks at the point of given states. The next stage can go on from what it leaves behind. */
static abut_outcome judge(faces *f, abuti_answer *answer)
{
    f->memory.ready = FACES_LEFT_INVERSE;
    return violated(f, f->zero) ? ABUT_FAILED : finish(f, answer);
}

static abut_outcome check_on_inverse(faces *f, const abuti_stage_context *context, abuti_answer *answer)
{
    if (f->system->given) return start_bounded(f, 1, context->start) ? judge(f, answer) : ABUT_FAILED;
    if (!start_basis(f, &basis_of_inverse, 1, context->start)) return ABUT_INFEASIBLE;
    return judge(f, answer);
}

/* Numbers of the rows of all contacts on one block. */
static size_t row_numbers(const abuti_system *s)
{
    return (size_t)(3 * s->dim) * (size_t)s->lanes;
}

/* Keeps the basis for the next call, with the states of the answer that it belongs to. */
static void keep_eight(faces *f, const abuti_answer *answer)
{
    const abuti_system *s = f->system;
    keep(f, FACES_LEFT_INVERSE, answer);
    memcpy(f->memory.rows, s->rows, row_numbers(s) * sizeof(double));
}

/* Whether the kept basis belongs to these rows and these states, and is the one that they would give anew: a
 * step must not depend on how its states were found. */
static bool same_basis(const faces *f, const abut_contact_face *start)
{
    const abuti_system *s = f->system;
    return f->memory.stood == FACES_LEFT_INVERSE && s->joints == 0 && stays(f, start) &&
           f->memory.dim == s->dim && memcmp(f->memory.rows, s->rows, row_numbers(s) * sizeof(double)) == 0;
}

static abut_outcome check_on_eight(faces *f, const abuti_stage_context *context, abuti_answer *answer)
{
    if (same_basis(f, context->start)) {
        rebase(f);
    } else {
        if (!start_basis(f, &basis_of_eight, 1, context->start)) return ABUT_INFEASIBLE;
        f->inverse.fresh = !f->inverse.shaky;
    }
    if (f->inverse.fresh) {
        fill(f->x[0], 0.0, ABUTI_LANES);
        refine(f, 0);
    }
    abut_outcome outcome = judge(f, answer);
    bool keeps = context->options->warm && outcome == ABUT_SOLVED && f->inverse.fresh;
    if (keeps) keep_eight(f, answer);
    return outcome;
}

/* States that share the load say less than the impulses of the last step do. Where these impulses are known,
 * sparse-hold goes on from them. */
static bool left_to_hold(const faces *f, const abuti_stage_context *context)
{
    return context->impulse[0] && f->system->bodies > 1 && !f->system->round && !context->options->stage;
}

/* Are the given states still right? */
static abut_outcome run_check(faces *f, const abuti_system *s, const abuti_stage_context *context,
                              abuti_answer *answer)
{
    f->pivots = 0;
    f->memory.ready = FACES_LEFT_NOTHING;
    f->memory.mended = false;
    if (!context->start || !begin(f, s)) return ABUT_FAILED;
    if (states_share(f, context->start))
        return left_to_hold(f, context) ? ABUT_FAILED : settle_given(f, 1, context, answer);
    if (band_serves(s)) return check_on_band(f, context, answer);
    if (one_serves(s) && one_given(f, context)) return one_check(f, context, answer);
    if (eight_serves(s)) return check_on_eight(f, context, answer);
    return check_on_inverse(f, context, answer);
}

/* ---- mend ---- */

/* Few bodies: from given states by flips, one at a time. Where the interior point follows, there are fewer of them. */
static abut_outcome mend_on_tableau(faces *f, const abuti_stage_context *context, abuti_answer *answer)
{
    int bodies = f->system->bodies;
    if (!start_basis(f, &basis_of_tableau, 1, context->start)) return ABUT_INFEASIBLE;
    return finish_flips(
        f, flip(f, (bodies < ABUTI_FEW_INSIDE ? FACES_MEND : FACES_MEND_FEW) * bodies, context), answer);
}

/* Bounded rows: one block, which counts as the bodies that have as many freedoms. */
static abut_outcome mend_bounded(faces *f, bool anew, const abuti_stage_context *context,
                                 abuti_answer *answer)
{
    if (anew && !start_bounded(f, 1, context->start)) return ABUT_FAILED;
    return finish_flips(f, flip(f, FACES_MEND * (1 + f->system->dim / SIX), context), answer);
}

/* Mends the states of the check that has just failed (`ready` says whose basis they are in), or given states. */
static abut_outcome mend_given(faces *f, faces_left ready, const abuti_stage_context *context,
                               abuti_answer *answer)
{
    const abuti_system *s = f->system;
    bool anew = ready == FACES_LEFT_NOTHING;
    if (anew && states_share(f, context->start)) return settle_given(f, FACES_SETTLE_ROUNDS, context, answer);
    if (tableau_serves(s) && !rows_untold(f, context->start)) return mend_on_tableau(f, context, answer);
    if (band_serves(s)) return mend_on_band(f, ready, context, answer);
    if (anew ? one_serves(s) && one_given(f, context) : ready == FACES_LEFT_ONE)
        return one_finish(f, one_flip(f, FACES_MEND, context), answer);
    if (s->given) return mend_bounded(f, anew, context, answer);
    if (anew && !start_basis(f, inverse_for(s), 1, context->start)) return ABUT_INFEASIBLE;
    return flip(f, FACES_MEND, context) == FLIPS_DONE ? finish(f, answer) : ABUT_FAILED;
}

/* From the given states by flips. Greedy flips from all open come later. */
static abut_outcome run_mend(faces *f, const abuti_system *s, const abuti_stage_context *context,
                             abuti_answer *answer)
{
    faces_left ready = context->continued ? f->memory.ready : FACES_LEFT_NOTHING;
    f->pivots = 0;
    f->memory.ready = FACES_LEFT_NOTHING;
    f->memory.mended = true;
    if (!context->start || !begin(f, s)) return ABUT_FAILED;
    return mend_given(f, ready, context, answer);
}

/* ---- greedy ---- */

/* With bounded rows flips from nothing mostly go in circles, and the path does not. So only a caller who asks for this
 * stage by name gets it. */
static abut_outcome greedy_bounded(faces *f, const abuti_stage_context *context, abuti_answer *answer)
{
    if (!context->options->stage || !settle_bounded(f, 1, context)) return ABUT_FAILED;
    return finish_flips(f, flip(f, FACES_FLIPS * (1 + f->system->dim / SIX), context), answer);
}

/* Cold solves of many bodies go through the inside, not over flips, unless a tableau makes flips cheap. A caller who
 * goes on from the states of an answer is better served by flips and the path, which leave no more rows than act by
 * themselves; unless there are so many bodies that the next step goes on from their impulses (sparse/hold.inl). A stage
 * that is asked for by name is not passed over. */
static bool passed_over(const faces *f, const abuti_stage_context *context, bool inside)
{
    const abuti_system *s = f->system;
    bool goes_on = context->options->warm || (context->start && !states_share(f, context->start));
    bool corner = goes_on && s->bodies < ABUTI_LARGE_WARM;
    if (context->options->stage || !springs_serve(s)) return false;
    bool flips_serve = s->bodies < FACES_FEW || (tableau_serves(s) && s->bodies < FACES_MANY);
    return inside ? corner : !corner && !flips_serve;
}

/* How many flips are worth trying before the path. Where neither flips from given states nor the interior point have
 * led anywhere, none are. */
static int flips_worthwhile(const faces *f, const abuti_stage_context *context)
{
    int bodies = f->system->bodies > 0 ? f->system->bodies : 1 + f->system->n;
    bool in_vain = context->start && f->system->bodies >= ABUTI_FEW_INSIDE && !context->options->stage;
    if (in_vain && !f->rests) return 0;
    if (f->rests || bodies < FACES_MANY) return FACES_FLIPS * bodies;
    return bodies <= FACES_TOO_MANY ? FACES_FLIPS_MANY * bodies : 0;
}

/* Flips from all open; before them, where no stage has done so, from the given states. */
static abut_outcome run_greedy(faces *f, const abuti_system *s, const abuti_stage_context *context,
                               abuti_answer *answer)
{
    faces_left ready = context->continued ? f->memory.ready : FACES_LEFT_NOTHING;
    bool mended = context->continued && f->memory.mended;
    f->pivots = 0;
    f->memory.ready = FACES_LEFT_NOTHING;
    if (!begin(f, s)) return ABUT_FAILED;
    if (!mended && (ready != FACES_LEFT_NOTHING || context->start)) {
        abut_outcome outcome = mend_given(f, ready, context, answer);
        if (outcome != ABUT_FAILED) return outcome;
    }
    if (one_serves(s)) {
        abut_outcome outcome = one_greedy(f, context, answer);
        if (outcome != ABUT_FAILED) return outcome;
        if (f->regular) {
            tell_pivots(f, answer);
            return outcome;
        }
    }
    if (s->given) return greedy_bounded(f, context, answer);
    if (!start_basis(f, tableau_serves(s) ? &basis_of_tableau : inverse_for(s), 1, NULL))
        return ABUT_INFEASIBLE;
    f->rests = f->basis->at_rest(f); /* flips find such answers in two events a body */
    if (!f->rests && passed_over(f, context, false)) return ABUT_FAILED;
    return finish_flips(f, flip(f, flips_worthwhile(f, context), context), answer);
}

/* ---- interior ---- */

/* Through the inside to the states of all contacts at once. */
static abut_outcome go_inside(faces *f, const abuti_stage_context *context, abuti_answer *answer)
{
    flips end = walk_inside(f, context);
    if (end == FLIPS_LIMIT) read_faces(f);
    abut_outcome outcome = finish_settled(f, end, answer);
    bool goes_on = (context->options->warm || context->start) && !context->rough;
    answer->rough = context->rough;
    if (outcome == ABUT_SOLVED && goes_on && f->system->bodies < ABUTI_LARGE_WARM)
        to_corner(f, context, answer);
    return outcome;
}

static abut_outcome run_interior(faces *f, const abuti_system *s, const abuti_stage_context *context,
                                 abuti_answer *answer)
{
    f->pivots = 0;
    if (!begin(f, s) || !springs_serve(s) || passed_over(f, context, true)) return ABUT_FAILED;
    return springs_begin(f) ? go_inside(f, context, answer) : ABUT_FAILED;
}

/* The same for large islands that are long and narrow (towers, columns, chains), before sparse factors are made. A row
 * of blocks is short there, and a round costs less than finding the places of sparse factors does. */
static abut_outcome run_narrow(faces *f, const abuti_system *s, const abuti_stage_context *context,
                               abuti_answer *answer)
{
    const abut_contact_options *options = context->options;
    f->pivots = 0;
    if (!context->continued) { /* forget what another system's stages have left */
        f->memory.ready = FACES_LEFT_NOTHING;
        f->memory.mended = false;
    }
    if (!options->stage && (s->bodies < ABUTI_LARGE_ISLAND || context->start)) return ABUT_FAILED;
    if (!begin(f, s) || !springs_serve(s) || !springs_begin(f)) return ABUT_FAILED;
    if (f->springs.blocks > FACES_NARROW * s->bodies) return ABUT_FAILED;
    return go_inside(f, context, answer);
}

/* ---- path and cover ---- */

/* One path with one cover. */
static abut_outcome run_path_with(faces *f, int attempt, const abuti_stage_context *context,
                                  abuti_answer *answer)
{
    choose_cover(f, attempt);
    if (f->system->given && !settle_bounded(f, 2, context)) return ABUT_FAILED;
    if (!f->system->given && !start_basis(f, inverse_for(f->system), 2, NULL)) return ABUT_INFEASIBLE;
    path_end end = cold_path(f, context);
    if (end == PATH_DONE) {
        if (!f->basis->polish(f) || violated(f, FACES_ACCEPT * f->size)) return ABUT_FAILED;
        write_answer(f, answer);
        return ABUT_SOLVED;
    }
    if (end == PATH_RAY) {
        write_ray(f, 1.0, answer);
        return ABUT_RAY;
    }
    if (end == PATH_FAILED || !f->regular) return ABUT_FAILED;
    write_answer(f, answer);
    return ABUT_LIMIT;
}

/* The parametric path from all open. */
static abut_outcome run_path(faces *f, const abuti_system *s, const abuti_stage_context *context,
                             abuti_answer *answer)
{
    f->pivots = 0;
    if (!begin(f, s)) return ABUT_FAILED;
    abut_outcome outcome = run_path_with(f, 0, context, answer);
    tell_pivots(f, answer);
    return outcome;
}

/* The same with other covers. */
static abut_outcome run_cover(faces *f, const abuti_system *s, const abuti_stage_context *context,
                              abuti_answer *answer)
{
    f->pivots = 0;
    if (!begin(f, s)) return ABUT_FAILED;
    abut_outcome outcome = ABUT_FAILED;
    for (int attempt = 1; attempt <= FACES_COVERS && (outcome == ABUT_FAILED || outcome == ABUT_RAY);
         ++attempt)
        outcome = run_path_with(f, attempt, context, answer);
    tell_pivots(f, answer);
    return outcome;
}
