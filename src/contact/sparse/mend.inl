/* Included by sparse/core.inl.
 *
 * Mends a few wrong states exactly.
 *
 * Far along its path the point inside names the states of almost all contacts; a few are in doubt. These become a
 * problem of their own: all other contacts keep their states, stiff springs hold their rows, and what is left is
 *
 *     u = W x + u_0,     W = J_d (I + J'K J)^-1 J_d',
 *
 * with three rows for each contact in doubt, and u_0 their velocities without impulses of their own. The path of
 * `faces` answers this exactly. Contacts whose inequalities then fail are in doubt, too, and the next round takes them
 * in. */

/* Contacts whose rows or inequalities are off by more than `share` of the worst. With `join` they become contacts in
 * doubt, else they are counted. */
static int count_doubts(sparse *p, const settle_error *worst, double share, bool join)
{
    sparse_doubt *d = &p->doubt;
    double rows = fmax(p->zero, share * worst->rows), slack = fmax(p->zero, share * worst->slack);
    int more = 0;
    for (int i = 0; i < p->system->n; ++i) {
        if (d->in[i]) continue;
        settle_error e = face_error(p, i);
        if (e.rows <= rows && e.slack <= slack) continue;
        ++more;
        if (!join) continue;
        d->in[i] = 1;
        d->contact[d->count++] = i;
    }
    return more;
}

/* The contacts that are wrong join those in doubt: all of them, or the worst ones for which there is room. False when
 * there is no room, or no other contact is wrong. */
static bool find_doubts(sparse *p, const settle_error *worst)
{
    static const double shares[] = {0.0, 1e-3, 1e-2, 0.1, 0.3, 0.9};
    for (size_t k = 0; k < sizeof shares / sizeof *shares; ++k) {
        int more = count_doubts(p, worst, shares[k], false);
        if (more == 0) return false;
        if (p->doubt.count + more > p->doubt.most) continue;
        count_doubts(p, worst, shares[k], true);
        return true;
    }
    return false;
}

/* One row of W's columns: the velocities that a unit impulse of a contact in doubt gives to all of them. */
static void doubt_column(sparse *p, int column)
{
    sparse_doubt *d = &p->doubt;
    int i = d->contact[column / 3], axis = column % 3, size = 3 * d->count;
    double *v = p->error;
    take_row(p, i, axis, v);
    solve(matrix_of(p), v);
    for (int row = 0; row < size; ++row)
        d->W[(size_t)row * (size_t)size + (size_t)column] = row_along(p, d->contact[row / 3], row % 3, v);
    if (anything_gives(p)) d->W[(size_t)column * (size_t)(size + 1)] += p->system->parts->give[axis][i];
}

/* The problem of the contacts in doubt. */
static abuti_system doubt_system(sparse *p)
{
    const abuti_system *s = p->system;
    sparse_doubt *d = &p->doubt;
    int lane_count = abuti_padded(d->count);
    for (int k = 0; k < lane_count; ++k) {
        int i = k < d->count ? d->contact[k] : -1;
        size_t at = (size_t)(3 * k) * (size_t)(3 * d->count + 1);
        d->directions[k] = i >= 0 ? s->directions[i] : ABUT_DIRECTIONS_DEFAULT;
        d->mu[k] = i >= 0 ? p->mu[i] : 0.0;
        d->body[k] = 0;
        for (int axis = 0; axis < 3; ++axis) d->offset[axis][k] = i >= 0 ? p->u[axis][i] : 0.0;
        d->size[0][k] = i >= 0 ? sqrt(fmax(d->W[at], 0.0)) : 0.0;
        d->size[1][k] = i >= 0 ? sqrt(fmax(d->W[at + (size_t)(3 * d->count + 1)], 0.0)) : 0.0;
    }
    return (abuti_system){.model = ABUT_COULOMB,
                          .n = d->count,
                          .lanes = lane_count,
                          .sides = 1,
                          .body = {d->body, d->body},
                          .offset = {d->offset[0], d->offset[1], d->offset[2]},
                          .mu = d->mu,
                          .directions = d->directions,
                          .size = {d->size[0], d->size[1]},
                          .W = d->W,
                          .W_ld = 3 * d->count,
                          .unit = 1.0};
}

/* States and impulses of the contacts in doubt while all others keep theirs. */
static bool solve_doubts(sparse *p, const abuti_stage_context *context)
{
    sparse_doubt *d = &p->doubt;
    for (int k = 0; k < d->count; ++k) p->state[d->contact[k]] = ABUT_OPEN;
    hold_rows(p, SETTLE_STIFF, 3);
    for (int column = 0; column < 3 * d->count; ++column) doubt_column(p, column);
    abuti_system local = doubt_system(p);
    static const abuti_stage *const stages[] = {&abuti_faces_path, &abuti_faces_cover};
    abut_outcome outcome = ABUT_FAILED;
    for (int k = 0; k < 2 && outcome != ABUT_SOLVED; ++k) {
        for (int i = 0; i < local.lanes; ++i) {
            d->answer.theta[i] = d->answer.f[0][i] = d->answer.f[1][i] = 0.0;
            d->answer.face[i] = (abut_contact_face){.state = ABUT_OPEN};
        }
        abuti_stage_context inner = {
            .options = context->options, .pivots_left = d->pivots_left, .deadline = context->deadline};
        d->answer.pivots = 0;
        outcome = stages[k]->run(&local, d->faces, &inner, &d->answer);
        d->pivots_left -= d->answer.pivots;
    }
    return outcome == ABUT_SOLVED;
}

/* Takes the answer of the contacts in doubt; all others follow it on the springs that held them. */
static void take_doubts(sparse *p)
{
    const sparse_doubt *d = &p->doubt;
    for (int k = 0; k < d->count; ++k) {
        int i = d->contact[k];
        abut_contact_face face = d->answer.face[k];
        p->springs.x[0][i] = d->answer.theta[k];
        p->springs.x[1][i] = d->answer.f[0][k];
        p->springs.x[2][i] = d->answer.f[1][k];
        bool planar = face.state == ABUT_STICK && p->system->directions[i] == 2;
        p->state[i] = planar                                        ? ABUT_EDGE
                      : face.state == ABUT_STICK && p->mu[i] == 0.0 ? ABUT_SLIDE
                                                                    : face.state;
        p->face[i] = face.face;
    }
    velocity_of_impulses(p);
    for (int step = 0; step < MEND_STEPS; ++step) settle_step(p);
}

/* The impulses at hand are put aside, or come back. */
static void put_aside(sparse *p, bool back)
{
    sparse_springs *g = &p->springs;
    sparse_step *aside = &p->step[1];
    for (int axis = 0; axis < 3; ++axis) copy_numbers(g->x[axis], aside->u[axis], (size_t)p->lanes, back);
    if (p->system->joints > 0) copy_numbers(g->joint_x, aside->joint, (size_t)p->system->joints, back);
}

/* Makes all rows as still as they become. Rows that do not become still even under stiff springs contradict each other,
 * and the springs have pushed in vain. */
static settle_error hold_firmly(sparse *p)
{
    settle_error soft = hold_rows(p, SETTLE_SOFT, SETTLE_STEPS);
    p->rounds++;
    if (soft.rows <= p->zero) return soft;
    put_aside(p, false);
    settle_error stiff = hold_rows(p, SETTLE_STIFF, 2);
    if (stiff.rows <= p->zero) return stiff;
    if (stiff.rows <= SETTLE_SLOW * soft.rows) return hold_rows(p, SETTLE_SOFT, SETTLE_STEPS);
    put_aside(p, true);
    velocity_of_impulses(p);
    return soft;
}

/* How many contacts in doubt can be solved in the time of some rounds inside. */
static int few_doubts(const abuti_system *s)
{
    int few = MEND_FEW + s->bodies / MEND_BODIES;
    return few < MEND_EARLY ? few : MEND_EARLY;
}

/* Nothing is in doubt so far. */
static void forget_doubts(sparse *p)
{
    memset(p->doubt.in, 0, (size_t)p->lanes);
    p->doubt.count = 0;
}

/* Goes to an exact answer from states that are nearly right except for the contacts in doubt. */
static walk_end mend_exactly(sparse *p, int most, const abuti_stage_context *context)
{
    sparse_doubt *d = &p->doubt;
    bool doubted = d->count > 0;
    d->most = most;
    d->pivots_left = MEND_PIVOTS * most;
    for (int round = 0; round < MEND_ROUNDS; ++round) {
        if (budget_spent(p, context)) return WALK_LIMIT;
        if (round > 0 || !doubted) {
            settle_error worst = round > 0 ? worst_error(p) : (settle_error){INFINITY, 0.0, 0};
            if (!(worst.rows <= p->enough && worst.slack <= p->enough)) worst = hold_firmly(p);
            if (worst.rows <= p->enough && worst.slack <= p->enough) return WALK_DONE;
            if (fmax(worst.rows, worst.slack) < p->near_error) {
                p->near_error = fmax(worst.rows, worst.slack);
                copy_near(p, false);
            }
            bool hopeless = round == 0 && worst.bad > MEND_HOPELESS * most;
            if (!(worst.rows < INFINITY && worst.slack < INFINITY) || hopeless || !find_doubts(p, &worst))
                return WALK_STUCK;
        }
        copy_impulses(p, true);
        if (!solve_doubts(p, context)) return WALK_STUCK;
        take_doubts(p);
    }
    return WALK_STUCK;
}

/* Goes to an answer from states that are nearly right except for the contacts in doubt, of which there may be none so
 * far. At most `most` contacts in doubt are solved apart. Where rows contradict each other by less than the tolerance,
 * the point with the least contradiction is an answer, too. */
static walk_end mend(sparse *p, int most, const abuti_stage_context *context)
{
    double enough = NEAR_ENOUGH * context->options->tolerance * p->scale;
    p->near_error = enough;
    walk_end end = mend_exactly(p, most, context);
    if (end != WALK_STUCK || !(p->near_error < enough)) return end;
    copy_near(p, true);
    return WALK_DONE;
}
