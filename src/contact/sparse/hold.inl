/* Included by sparse/core.inl.
 *
 * Bodies that rest, or move as they did, need almost the same impulses as in the last step.
 *
 * The velocities that these impulses leave behind tell whether they are right as they are; this needs no factors.
 * Otherwise the impulses that the states of the last step ask for are found nearby. With u the velocities of the
 * states' rows, which are to be still, and K stiff springs on these rows,
 *
 *     (I + J'K J) dv = -J'K u,     (I + J'K J) w = dv,     dx = K J w:
 *
 * dv is the motion that stills the rows as far as a motion can, and dx are the smallest impulses that cause it. The
 * corners of a body are not quite in one plane, and no motion stills them all; impulses that tried would add up to a
 * load that nobody asked for. (Where a heavy stack comes to rest slowly, the impulses that the springs ask for are
 * taken as they are.)
 *
 * In a sequence of steps of one workspace the factors may be those of an earlier step, when bodies stood a little
 * elsewhere, since the outcome is measured on the rows at hand. Where the old factors no longer lead to still rows, new
 * ones are made. A caller who gives states and impulses gets what belongs to them, whatever the workspace has solved
 * before. */

/* Factors for the states at hand: those of an earlier step, or (`anew`) new ones. */
static bool hold_springs(sparse *p, bool *anew)
{
    const abuti_system *s = p->system;
    size_t bytes = (size_t)s->n * sizeof *p->state;
    if (!find_structure(p)) return false;
    p->springs.joint_stiffness = 1.0 / SETTLE_STIFF;
    for (int i = 0; i < s->n; ++i) face_springs(p, i, SETTLE_STIFF); /* rows may have been scaled anew */
    if (!*anew && p->at.own->held && memcmp(p->state, p->at.own->held_state, bytes) == 0 &&
        memcmp(p->face, p->at.own->held_face, bytes) == 0)
        return true;
    springs_factor(p);
    memcpy(p->at.own->held_state, p->state, bytes);
    memcpy(p->at.own->held_face, p->face, bytes);
    *anew = p->at.own->held = true;
    return true;
}

/* One step from where the point is. */
static void hold_step(sparse *p)
{
    sparse_springs *g = &p->springs;
    sparse_step *step = &p->step[0];
    spring_answer(p, p->u, NULL, g->r);
    for (int j = 0; j < p->system->joints; ++j)
        g->joint_r[j] = -g->joint_stiffness * joint_error(p, j, g->joint_x);
    springs_solve(p, step);
    springs_follow(p, step);
    spring_answer(p, step->u, NULL, g->dx);
    for (int axis = 0; axis < 3; ++axis) add_scaled(-1.0, g->dx[axis], g->x[axis], p->lanes);
    for (int j = 0; j < p->system->joints; ++j) g->joint_x[j] -= step->joint[j];
    for (int i = 0; i < p->system->n; ++i) onto_face(p, i);
    velocity_of_impulses(p);
}

/* Whether to go on with factors of an earlier step, which have taken the velocity of the rows from `before` to `now`.
 * For a small island new factors cost less than a second step with the old ones. Rows that are as good as still are
 * left to the factors at hand. */
static bool old_factors_do(const sparse *p, double before, double now)
{
    bool large = p->system->bodies >= ABUTI_LARGE_ISLAND;
    return large || now <= HOLD_STILL * p->size || now * now <= HOLD_STILL * p->size * before;
}

/* Goes from the impulses at hand to those nearby that their states ask for. */
static walk_end hold(sparse *p, const abut_contact_options *options)
{
    bool anew = options->start;
    double enough = HOLD_ENOUGH * options->tolerance * p->scale, left = anew ? 0.0 : p->at.own->held_rows;
    double look = fmin(fmax(HOLD_LOOK * p->zero, HOLD_AGAIN * left), enough);
    for (int i = 0; i < p->system->n; ++i) onto_face(p, i);
    velocity_of_impulses(p);
    settle_error worst = worst_error(p);
    if (worst.rows <= look) return worst.slack <= enough ? WALK_DONE : WALK_STUCK;
    if (!hold_springs(p, &anew)) return WALK_STUCK;
    bool slow = false;
    for (int step = 0; worst.rows > HOLD_STILL * p->size && step < HOLD_STEPS; ++step) {
        double before = worst.rows;
        (slow ? settle_step : hold_step)(p);
        worst = worst_error(p);
        if (worst.rows <= SETTLE_SLOW * before && (anew || old_factors_do(p, before, worst.rows))) continue;
        if (before <= enough || slow) break;
        slow = anew;
        anew = true;
        if (!slow) (void)hold_springs(p, &anew);
    }
    p->at.own->held_rows = worst.rows;
    return worst.rows <= enough && worst.slack <= enough ? WALK_DONE : WALK_STUCK;
}
