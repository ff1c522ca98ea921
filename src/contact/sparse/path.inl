/* Included by sparse/core.inl.
 *
 * The long way inside, which does not stall: it follows a path round its turns.
 *
 * With friction the products of the pairs do not always go to zero by Newton's method: steps shrink to nothing. What
 * happens there is a turn. The points with
 *
 *     products = tau share,     errors of the equations = tau first errors
 *
 * form a curve that starts at tau = 1. Without gaps the matrix of the problem is copositive, so the curve stays bounded
 * and leads to tau = 0, an answer; but tau need not fall all along it. Where the curve turns back the matrix of the
 * springs is singular, and behind it its determinant has the other sign. So the sign tells which way is forward: along
 * the rate with falling tau while the determinant is positive, against it while it is negative.
 *
 * A round takes the rate of all pairs with tau (a), and makes a step of it that changes no pair by more than a given
 * share (boldness). It adds a Newton step back to the path, which includes the second-order terms of the first step,
 * and takes out the part of the Newton step along the rate itself: near a turn both are huge, and their difference is
 * not. Steps and angles are measured in relative changes of the pairs. A point that has strayed takes steps back to the
 * path only; if these do not help, the path through the last good point, with the products as they are there, is
 * followed instead. */

typedef struct path_scan {
    lanes square, cross, most;
} path_scan;

static inline void scan_pair(path_scan *scan, lane_mask used, lanes a, lanes b, lanes value)
{
    lanes inverse = lanes_div(lanes_all(1.0), value), zero = lanes_all(0.0);
    a = lanes_select(used, lanes_mul(a, inverse), zero);
    b = lanes_select(used, lanes_mul(b, inverse), zero);
    scan->square = lanes_madd(a, a, scan->square);
    scan->cross = lanes_madd(a, b, scan->cross);
    scan->most = lanes_max(lanes_abs(a), scan->most);
}

/* Two steps in terms of relative changes of the pairs: |a|^2, a.b, the largest of a. */
static path_scan compare_steps(const sparse *p, const sparse_step *a, const sparse_step *b)
{
    const sparse_interior *in = &p->inside;
    path_scan scan = {lanes_all(0.0), lanes_all(0.0), lanes_all(0.0)};
    for (int g = 0; g < p->lanes; g += 8) {
        lane_mask live = lanes_less(lanes_all(0.0), lanes_load(in->live + g));
        lanes count = lanes_load(in->count + g);
        lane_mask rubs = lanes_less(lanes_all(0.0), count);
        for (int k = 0; k < 4; ++k)
            scan_pair(&scan, k < 2 ? live : rubs, lanes_load(a->single[k] + g), lanes_load(b->single[k] + g),
                      lanes_load(in->single[k] + g));
        for (int j = 0; j < in->most[g / 8]; ++j) {
            size_t at = (size_t)j * (size_t)p->lanes + (size_t)g;
            lane_mask used = lanes_less(lanes_all(j), count);
            scan_pair(&scan, used, lanes_load(a->phi + at), lanes_load(b->phi + at),
                      lanes_load(in->phi + at));
            scan_pair(&scan, used, lanes_load(a->sigma + at), lanes_load(b->sigma + at),
                      lanes_load(in->sigma + at));
        }
    }
    return scan;
}

/* to += a from */
static void add_step(const sparse *p, double a, const sparse_step *from, sparse_step *to)
{
    const sparse_interior *in = &p->inside;
    for (int k = 0; k < 4; ++k) add_scaled(a, from->single[k], to->single[k], p->lanes);
    for (int axis = 0; axis < 3; ++axis) add_scaled(a, from->u[axis], to->u[axis], p->lanes);
    for (int g = 0; g < p->lanes; g += 8) {
        for (int j = 0; j < in->most[g / 8]; ++j) {
            size_t at = (size_t)j * (size_t)p->lanes + (size_t)g;
            add_scaled(a, from->phi + at, to->phi + at, 8);
            add_scaled(a, from->sigma + at, to->sigma + at, 8);
        }
    }
    add_scaled(a, from->v, to->v, p->space);
    for (int j = 0; j < p->system->joints; ++j) to->joint[j] += a * from->joint[j];
}

static inline void scan_fall(lanes *most, lane_mask used, lanes step, lanes value)
{
    lanes fall = lanes_sub(lanes_all(0.0), lanes_div(step, value));
    *most = lanes_max(lanes_select(used, fall, lanes_all(0.0)), *most);
}

/* How far a step could go. */
static double reach_of(const sparse *p, const sparse_step *step)
{
    const sparse_interior *in = &p->inside;
    lanes most = lanes_all(0.0);
    for (int g = 0; g < p->lanes; g += 8) {
        lane_mask live = lanes_less(lanes_all(0.0), lanes_load(in->live + g));
        lanes count = lanes_load(in->count + g);
        lane_mask rubs = lanes_less(lanes_all(0.0), count);
        for (int k = 0; k < 4; ++k)
            scan_fall(&most, k < 2 ? live : rubs, lanes_load(step->single[k] + g),
                      lanes_load(in->single[k] + g));
        for (int j = 0; j < in->most[g / 8]; ++j) {
            size_t at = (size_t)j * (size_t)p->lanes + (size_t)g;
            lane_mask used = lanes_less(lanes_all(j), count);
            scan_fall(&most, used, lanes_load(step->phi + at), lanes_load(in->phi + at));
            scan_fall(&most, used, lanes_load(step->sigma + at), lanes_load(in->sigma + at));
        }
    }
    return 1.0 / lanes_most(most);
}

/* How far the products are from their shares of tau: the largest |x s / (tau share) - 1|. */
static double off_path(const sparse *p, double tau)
{
    const sparse_interior *in = &p->inside;
    double worst = 0.0;
    for (int i = 0; i < p->system->n; ++i) {
        worst = fmax(worst, fabs(in->single[0][i] * in->single[1][i] / (tau * in->share[0][i]) - 1.0));
        if (in->count[i] == 0.0) continue;
        worst = fmax(worst, fabs(in->single[2][i] * in->single[3][i] / (tau * in->share[1][i]) - 1.0));
        for (int j = 0; j < in->count[i]; ++j) {
            size_t at = (size_t)j * (size_t)p->lanes + (size_t)i;
            worst = fmax(worst, fabs(in->phi[at] * in->sigma[at] / (tau * in->phi_share[at]) - 1.0));
        }
    }
    return worst;
}

/* Where a walk along the path is. */
typedef struct path_place {
    double tau, kept_tau; /* at the point, and at the one that is kept */
    double off;           /* how far the point is from the path */
    /* The largest relative change of a pair in a step, and the most that it may grow to: less after a step strayed,
     * lest it stray again and again. */
    double bold, most_bold;
    int strayed, shares; /* rounds since the point was near the path; paths that were begun anew */
} path_place;

/* Steps and tau of one round; returns the share of the step that was taken. */
static double path_round(sparse *p, path_place *at)
{
    sparse_step *rate = &p->step[0], *step = &p->step[1];
    aim none = {.pays = 1.0}, back = {.target = at->tau};
    double product;
    newton_step(p, &back, true, step, &product);
    newton_step(p, &none, false, rate, &product);
    add_step(p, -1.0, step, rate);
    path_scan scan = compare_steps(p, rate, step);
    double forward = fmin(PATH_FALL, at->bold / lanes_most(scan.most)), along = 1.0, share;
    if (matrix_of(p)->turned) forward = -forward;
    if (at->off <= PATH_NEAR) {
        add_step(p, forward - 1.0, rate, rate);
        back.bent = rate;
        newton_step(p, &back, false, step, &product);
        scan = compare_steps(p, rate, step);
    } else {
        forward = 1.0;
        along = 0.0;
    }
    share = along - lanes_sum(scan.cross) / (lanes_sum(scan.square) + forward * forward);
    share = fmin(fmax(share, -PATH_SHARE), at->off <= PATH_NEAR ? PATH_SHARE : PATH_FALL);
    add_step(p, share, rate, step);
    double length = fmin(1.0, PATH_REACH * reach_of(p, step));
    advance(p, length, step);
    at->tau *= 1.0 - length * share * forward;
    at->off = off_path(p, at->tau);
    return length;
}

/* Judges a round: keeps the point, lets it come back, or begins a new path at the last good point. False: the walk is
 * lost. */
static bool path_judge(sparse *p, path_place *at, double length)
{
    if (at->off <= PATH_NEAR) {
        copy_point(p, false);
        at->kept_tau = at->tau;
        if (at->strayed == 0) at->most_bold = fmin(PATH_FORGETS * at->most_bold, PATH_BOLDEST);
        if (at->strayed == 0 && at->off < PATH_CLOSE) at->bold = fmin(PATH_BOLDER * at->bold, at->most_bold);
        if (at->strayed > 0 || length < PATH_SHORT) at->bold *= PATH_LESS_BOLD;
        at->strayed = 0;
        return at->tau > 0.0 && at->tau < PATH_OUTWARD;
    }
    if (at->strayed == 0) at->most_bold = fmax(PATH_LESS_BOLD * at->bold, PATH_LEAST_BOLD);
    if (++at->strayed > PATH_STRAYED) {
        copy_point(p, true);
        interior_restore(p);
        at->tau = at->kept_tau;
        at->off = 0.0;
        at->bold = fmax(PATH_TIMID * at->bold, PATH_LEAST_BOLD);
        at->strayed = 0;
        share_as_is(p, at->tau);
        if (++at->shares > PATH_SHARES) return false;
    }
    return at->tau > 0.0 && at->tau < PATH_OUTWARD;
}

/* Follows the path through the point. The states are tried when the mean product is at most `next`, and again whenever
 * it has shrunk enough since. */
static walk_end follow_path(sparse *p, double next, int rounds, const abuti_stage_context *context)
{
    path_place at = {.tau = 1.0, .kept_tau = 1.0, .bold = PATH_FIRST_BOLD, .most_bold = PATH_BOLDEST};
    share_as_is(p, 1.0);
    interior_restore(p);
    copy_point(p, false);
    double first = mean_product(p), last = INSIDE_LAST * p->size * p->size;
    for (int round = 0; round < rounds; ++round) {
        if (round > 0 && at.tau * first <= next && at.off <= PATH_NEAR) {
            walk_end end = try_states(p, context);
            if (end != WALK_STUCK) return end;
            interior_restore(p);
            next = INSIDE_AGAIN * at.tau * first;
            if (next < last) return WALK_LIMIT;
        }
        if (budget_spent(p, context)) return WALK_LIMIT;
        p->rounds++;
        if (!path_judge(p, &at, path_round(p, &at))) return WALK_STUCK;
    }
    return WALK_STUCK;
}

/* The path from a start. */
static walk_end walk_path(sparse *p, double start, int rounds, const abuti_stage_context *context)
{
    interior_begin(p, start * p->size);
    return follow_path(p, PATH_TRY * p->size * p->size, rounds, context);
}

/* Whether the point that a path has kept is near an answer. */
static bool has_come_near(sparse *p)
{
    copy_point(p, true);
    return mean_product(p) <= PATH_TRY * p->size * p->size;
}
