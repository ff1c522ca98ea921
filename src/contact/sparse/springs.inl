/* Included by sparse/core.inl.
 *
 * Factors the matrix of the springs, adds up what impulses push, finds velocities of rows, and solves for a step of the
 * springs. */

/* Assembles and factors the matrix of the springs at hand. In the padding it is the identity. */
static void springs_factor(sparse *p)
{
    const abuti_system *s = p->system;
    sparse_matrix *m = matrix_of(p);
    const sparse_shape *h = &m->shape;
    p->at.own->held = false;
    memset(m->numbers, 0, h->numbers * sizeof(double));
    for (int k = 0; k < h->supernodes; ++k) {
        double *U = m->numbers + h->begin[k];
        for (int c = 0; c < h->pivots[k]; ++c) U[(size_t)c * (size_t)(h->width[k] + 1)] = 1.0;
    }
    bool turned = s->parts && add_wide(p);
    for (int i = 0; i < s->n && !s->parts; ++i) add_contact(p, i);
    for (int j = 0; j < s->joints && !s->parts; ++j) add_joint(p, j);
    factor(m);
    m->turned ^= turned;
}

/* ---- impulses and velocities ---- */

/* v += J'x over contacts and joints. */
static void push(const sparse *p, double *const x[3], const double *joint, double *v)
{
    const abuti_system *s = p->system;
    if (s->parts) {
        push_wide(p, x, joint, v);
        return;
    }
    for (int i = 0; i < s->n; ++i) {
        lanes n = lanes_all(x[0][i]), tx = lanes_all(x[1][i]), ty = lanes_all(x[2][i]);
        for (int side = 0; side < 2; ++side) {
            const double *J = contact_rows(p, i, 0, side);
            double *at = v + (size_t)s->body[side][i] * 8;
            lanes sum = lanes_madd(n, lanes_load(J), lanes_load(at));
            sum = lanes_madd(tx, lanes_load(J + 16), sum);
            lanes_store(at, lanes_madd(ty, lanes_load(J + 32), sum));
        }
    }
    for (int j = 0; j < s->joints; ++j) {
        for (int side = 0; side < 2; ++side) {
            double *at = v + (size_t)s->joint_body[side][j] * 8;
            lanes_store(at,
                        lanes_madd(lanes_all(joint[j]), lanes_load(joint_row(p, j, side)), lanes_load(at)));
        }
    }
    lanes_store(v + (size_t)s->bodies * 8, lanes_all(0.0));
}

/* u = J v of all contacts, with their offsets or without. */
static void tell_velocities(const sparse *p, const double *v, bool offsets, double *const u[3])
{
    const abuti_system *s = p->system;
    if (s->parts) {
        tell_wide(p, v, offsets, u);
        return;
    }
    size_t axis_rows = (size_t)(2 * s->dim) * (size_t)p->lanes;
    for (int g = 0; g < p->lanes; g += 8) {
        lanes each[3];
        for (int axis = 0; axis < 3; ++axis)
            each[axis] = offsets ? lanes_load(s->offset[axis] + g) : lanes_all(0.0);
        for (int side = 0; side < 2; ++side) {
            _Alignas(64) int at[8];
            for (int l = 0; l < 8; ++l) at[l] = s->body[side][g + l] * 8;
            const double *row = s->rows + (size_t)(side * s->dim) * (size_t)p->lanes + g;
            for (int c = 0; c < s->dim; ++c, row += p->lanes) {
                lanes vc = lanes_gather(v + c, at);
                for (int axis = 0; axis < 3; ++axis)
                    each[axis] = lanes_madd(lanes_load(row + (size_t)axis * axis_rows), vc, each[axis]);
            }
        }
        for (int axis = 0; axis < 3; ++axis) lanes_store(u[axis] + g, each[axis]);
    }
}

/* A joint's row times v. */
static double joint_along(const sparse *p, int j, const double *v)
{
    const abuti_system *s = p->system;
    if (s->parts) return joint_along_wide(p, j, v);
    lanes sum = lanes_all(0.0);
    for (int side = 0; side < 2; ++side)
        sum = lanes_madd(lanes_load(joint_row(p, j, side)),
                         lanes_load(v + (size_t)s->joint_body[side][j] * 8), sum);
    return lanes_sum(sum);
}

/* v = a row of a contact. */
static void take_row(const sparse *p, int i, int axis, double *v)
{
    const abuti_system *s = p->system;
    memset(v, 0, (size_t)p->space * sizeof(double));
    if (s->parts) {
        take_wide_row(p, i, axis, v);
        return;
    }
    for (int side = 0; side < 2; ++side) {
        if (s->body[side][i] < s->bodies)
            lanes_store(v + (size_t)s->body[side][i] * 8, lanes_load(contact_rows(p, i, axis, side)));
    }
}

/* A row of a contact times v. */
static double row_along(const sparse *p, int i, int axis, const double *v)
{
    const abuti_system *s = p->system;
    lanes sum = lanes_all(0.0);
    if (s->parts) return wide_row_along(p, i, axis, v);
    for (int side = 0; side < 2; ++side)
        sum = lanes_madd(lanes_load(contact_rows(p, i, axis, side)),
                         lanes_load(v + (size_t)s->body[side][i] * 8), sum);
    return lanes_sum(sum);
}

/* Whether some contact or joint row gives way. */
static bool anything_gives(const sparse *p)
{
    return p->system->parts && p->system->parts->gives;
}

/* What a joint's row is off by, with these joint impulses. */
static double joint_error(const sparse *p, int j, const double *joint)
{
    double error = joint_along(p, j, p->v) + p->system->joint_offset[j];
    return anything_gives(p) ? error + p->system->parts->joint_give[j] * joint[j] : error;
}

/* v and u from the impulses of the springs. */
static void velocity_of_impulses(sparse *p)
{
    memcpy(p->v, p->system->k, (size_t)p->space * sizeof(double));
    push(p, p->springs.x, p->springs.joint_x, p->v);
    tell_velocities(p, p->v, true, p->u);
    if (anything_gives(p)) add_given(p, p->springs.x, p->u);
}

/* What dv lacks of J'dx, in `error`. Returns its size relative to dv. */
static double solve_error(const sparse *p, const sparse_step *step, double *error)
{
    lanes worst = lanes_all(0.0), size = lanes_all(0.0);
    spring_answer(p, step->u, p->springs.r, p->springs.dx);
    memset(error, 0, (size_t)p->space * sizeof(double));
    push(p, p->springs.dx, step->joint, error);
    for (int c = 0; c < p->space; c += 8) {
        lanes dv = lanes_load(step->v + c), e = lanes_sub(lanes_load(error + c), dv);
        lanes_store(error + c, e);
        worst = lanes_max(lanes_abs(e), worst);
        size = lanes_max(lanes_abs(dv), size);
    }
    return lanes_most(worst) / fmax(lanes_most(size), NO_SIZE);
}

/* The velocities of contacts and the impulses of joints that belong to a step of the bodies. */
static void tell_step(const sparse *p, sparse_step *step)
{
    const sparse_springs *g = &p->springs;
    bool soft = anything_gives(p);
    tell_velocities(p, step->v, false, step->u);
    if (soft) {
        soft_answer(p, step->u, g->r, g->dx);
        add_given(p, g->dx, step->u);
    }
    for (int j = 0; j < p->system->joints; ++j) {
        double k = g->joint_stiffness, give = soft ? 1.0 + k * p->system->parts->joint_give[j] : 1.0;
        step->joint[j] = (g->joint_r[j] - k * joint_along(p, j, step->v)) / give;
    }
}

/* v = J'r, with what is left of r where springs give way. */
static void push_sides(sparse *p, sparse_step *step)
{
    sparse_springs *g = &p->springs;
    memset(step->v, 0, (size_t)p->space * sizeof(double));
    if (!anything_gives(p)) {
        push(p, g->r, g->joint_r, step->v);
        return;
    }
    for (int axis = 0; axis < 3; ++axis) memset(step->u[axis], 0, (size_t)p->lanes * sizeof(double));
    soft_answer(p, step->u, g->r, g->dx);
    for (int j = 0; j < p->system->joints; ++j)
        step->joint[j] = g->joint_r[j] / (1.0 + g->joint_stiffness * p->system->parts->joint_give[j]);
    push(p, g->dx, step->joint, step->v);
}

/* Finds dv and du of the springs at hand and their r. No rows are exchanged in the factors, and springs are of all
 * sizes: refinement finds what the factors lose. */
static void springs_solve(sparse *p, sparse_step *step)
{
    push_sides(p, step);
    solve(matrix_of(p), step->v);
    tell_step(p, step);
    double before = INFINITY;
    for (int again = 0; again < REFINEMENTS; ++again) {
        double error = solve_error(p, step, p->error);
        if (!(error > REFINED && error < REFINES * before)) break;
        before = error;
        solve(matrix_of(p), p->error);
        for (int c = 0; c < p->space; c += 8)
            lanes_store(step->v + c, lanes_add(lanes_load(step->v + c), lanes_load(p->error + c)));
        tell_step(p, step);
    }
}

/* Replaces the step of the springs by that of springs without r, which the step itself drives: w with
 * (I + J'K J) w = dv. What gives way has moved, too, by C dx, and drives likewise. */
static void springs_follow(sparse *p, sparse_step *step)
{
    sparse_springs *g = &p->springs;
    if (!anything_gives(p)) {
        solve(matrix_of(p), step->v);
        tell_velocities(p, step->v, false, step->u);
        for (int j = 0; j < p->system->joints; ++j)
            step->joint[j] = -g->joint_stiffness * joint_along(p, j, step->v);
        return;
    }
    const double *give = p->system->parts->joint_give;
    double *const *moved = g->r; /* r is used up */
    spring_answer(p, step->u, g->r, g->dx);
    for (int axis = 0; axis < 3; ++axis) memset(moved[axis], 0, (size_t)p->lanes * sizeof(double));
    add_given(p, g->dx, moved);
    soft_answer(p, moved, NULL, g->dx);
    for (int j = 0; j < p->system->joints; ++j) {
        g->joint_r[j] = give[j] * step->joint[j];
        step->joint[j] = -joint_spring(p, j) * g->joint_r[j];
    }
    push(p, g->dx, step->joint, step->v);
    solve(matrix_of(p), step->v);
    tell_velocities(p, step->v, false, step->u);
    for (int axis = 0; axis < 3; ++axis) add_scaled(1.0, moved[axis], step->u[axis], p->lanes);
    soft_answer(p, step->u, NULL, g->dx);
    add_given(p, g->dx, step->u);
    for (int j = 0; j < p->system->joints; ++j)
        step->joint[j] = -joint_spring(p, j) * (joint_along(p, j, step->v) + g->joint_r[j]);
}

/* Keeps numbers, or (`back`) takes the kept ones back. */
static void copy_numbers(double *point, double *kept, size_t count, bool back)
{
    memcpy(back ? point : kept, back ? kept : point, count * sizeof(double));
}

/* Keeps the impulses at hand as those from which states are tried, or (`back`) takes these. */
static void copy_impulses(sparse *p, bool back)
{
    sparse_springs *g = &p->springs;
    size_t bytes = (size_t)p->lanes * sizeof(double), joints = (size_t)p->system->joints * sizeof(double);
    for (int axis = 0; axis < 3; ++axis)
        memcpy(back ? g->x[axis] : g->from[axis], back ? g->from[axis] : g->x[axis], bytes);
    if (joints > 0) memcpy(back ? g->joint_x : g->joint_from, back ? g->joint_from : g->joint_x, joints);
}

static bool budget_spent(const sparse *p, const abuti_stage_context *context)
{
    return abuti_budget_spent(p->rounds, context->pivots_left, context->deadline);
}
