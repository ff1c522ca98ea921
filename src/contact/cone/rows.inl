/* Included by cone/core.inl.
 *
 * The linear step on the rows of bodies. With x = k + J'p, rows R and columns C of the contacts that are held, and D
 * the compliances of the rows,
 *
 *     (R J J'C + D + ridge) dy = -(R u + D y),     dp = C dy
 *
 * is solved in the space of the velocities: with K = 1 / (D + ridge) and B = C K R, contact by contact,
 *
 *     (I + J'B J) dx = -J'C K rho,     dp = -C K rho - B J dx.
 *
 * The ridge makes rows that depend on each other no exception: the increment is shared among them. What it leaves is
 * taken out by repeating the step with the same factor. */

/* u = J v of one contact. */
static inline void along(const cone *c, int i, const double *v, double u[3], int chunks)
{
    const abuti_system *s = c->system;
    int stride = ABUTI_LANES * chunks;
    lanes sum[3] = {lanes_all(0.0), lanes_all(0.0), lanes_all(0.0)};
    for (int side = 0; side < s->sides; ++side) {
        const double *at = v + (size_t)s->body[side][i] * (size_t)stride, *J = rows_on(c, i, side);
        for (int k = 0; k < stride; k += ABUTI_LANES) {
            lanes there = lanes_load(at + k);
            for (int axis = 0; axis < 3; ++axis)
                sum[axis] = lanes_madd(lanes_load(J + axis * stride + k), there, sum[axis]);
        }
    }
    for (int axis = 0; axis < 3; ++axis) u[axis] = lanes_sum(sum[axis]);
}

/* v += J'p */
static inline void push_with(const cone *c, int i, const double p[3], double *v, int chunks)
{
    const abuti_system *s = c->system;
    int stride = ABUTI_LANES * chunks;
    lanes n = lanes_all(p[0]), x = lanes_all(p[1]), y = lanes_all(p[2]);
    for (int side = 0; side < s->sides; ++side) {
        if (s->body[side][i] == s->bodies) continue;
        const double *J = rows_on(c, i, side);
        for (int k = 0; k < stride; k += ABUTI_LANES) {
            double *at = v + (size_t)s->body[side][i] * (size_t)stride + k;
            lanes sum = lanes_madd(lanes_load(J + k), n, lanes_load(at));
            sum = lanes_madd(lanes_load(J + stride + k), x, sum);
            lanes_store(at, lanes_madd(lanes_load(J + 2 * stride + k), y, sum));
        }
    }
}

static inline void velocities(const cone *c, int i, const double *v, double u[3])
{
    if (c->system->stride == ABUTI_LANES) {
        along(c, i, v, u, 1);
    } else {
        along(c, i, v, u, c->system->stride / ABUTI_LANES);
    }
}

static inline void push(const cone *c, int i, const double p[3], double *v)
{
    if (c->system->stride == ABUTI_LANES) {
        push_with(c, i, p, v, 1);
    } else {
        push_with(c, i, p, v, c->system->stride / ABUTI_LANES);
    }
}

static void velocity_of(cone *c, int i)
{
    const abuti_system *s = c->system;
    cone_touch *t = &c->touch[i];
    double prox = c->prox * t->s * t->s;
    velocities(c, i, c->x, t->u);
    for (int axis = 0; axis < 3; ++axis) {
        t->u[axis] += s->offset[axis][i];
        if (prox > 0.0) t->u[axis] += prox * (t->p[axis] - t->center.p[axis]);
    }
}

static void place_x(cone *c)
{
    const abuti_system *s = c->system;
    memcpy(c->x, s->k, (size_t)((s->bodies + 1) * s->stride) * sizeof(double));
    for (int i = 0; i < s->n; ++i) {
        const double *p = c->touch[i].p;
        if (p[0] != 0.0 || p[1] != 0.0 || p[2] != 0.0) push(c, i, p, c->x);
    }
    for (int j = 0; j < s->joints; ++j) abuti_rest_push_joint(s, j, c->joint[j], c->x);
}

static void move_all(cone *c)
{
    place_x(c);
    for (int i = 0; i < c->system->n; ++i) velocity_of(c, i);
}

/* A contact that sticks: springs along all axes that it has. */
static inline void stick_springs(cone_touch *t, double prox, double ridge)
{
    double K = 1.0 / (prox + ridge), side = t->kind == CONE_PLANE ? 0.0 : K;
    const double B[9] = {K, 0.0, 0.0, 0.0, K, 0.0, 0.0, 0.0, side};
    t->held.stiffness[0] = K;
    t->held.stiffness[1] = 0.0;
    for (int k = 0; k < 9; ++k) t->B[k] = B[k];
}

/* One that slides: B = K (n + mu e) n' + K_across e_perp e_perp'. */
static inline void slide_springs(cone_touch *t, double prox, double ridge)
{
    double wide = cone_width(t), along = t->kind == CONE_NONE ? 0.0 : t->mu * t->reach / wide;
    double x = t->e[0], y = t->e[1], K = 1.0 / (prox / wide + ridge);
    double across = t->compliance < 0.0 ? 0.0 : 1.0 / (t->compliance + prox + ridge);
    t->held = (cone_springs){{1.0 / wide, along * x, along * y}, {x, y}, {K, across}};
    for (int k = 0; k < 3; ++k) t->B[3 * k] = K * t->held.column[k];
    t->B[1] = t->B[2] = 0.0;
    t->B[4] = across * y * y;
    t->B[5] = t->B[7] = -across * x * y;
    t->B[8] = across * x * x;
}

static inline void make_springs(const cone *c, cone_touch *t)
{
    double square = t->s * t->s;
    if (t->state == ABUT_STICK) {
        stick_springs(t, c->prox * square, c->gives * square);
    } else {
        slide_springs(t, c->prox * square, c->gives * square);
    }
}

/* Finds C K rho of one contact, in h. Returns the largest |rho|, in the unit of the map. The law is that of this step;
 * the springs may be those of an earlier one. */
static inline double lacks(const cone_touch *t, double h[3])
{
    const cone_springs *held = &t->held;
    double normal = fabs(t->u[0]) * t->over_own, K = held->stiffness[0];
    if (t->state == ABUT_STICK) {
        double side = t->kind == CONE_PLANE ? 0.0 : t->u[2];
        double along = fabs(t->u[1]) * t->over, across = fabs(side) * t->over;
        h[0] = K * t->u[0];
        h[1] = K * t->u[1];
        h[2] = K * side;
        along = along > across ? along : across;
        return normal > along ? normal : along;
    }
    K *= t->u[0];
    for (int k = 0; k < 3; ++k) h[k] = K * held->column[k];
    if (!(held->stiffness[1] > 0.0)) return normal;
    double rho = t->e[0] * t->u[2] - t->e[1] * t->u[1] + t->compliance * t->moved;
    double y = rho * held->stiffness[1], across = fabs(rho) * t->over;
    h[1] -= y * held->e[1];
    h[2] += y * held->e[0];
    return normal > across ? normal : across;
}

/* dp = -h - B J dx, added to p; what of it goes along the row across e is remembered. */
static void advance(cone *c, int i, const double h[3])
{
    cone_touch *t = &c->touch[i];
    double du[3], dp[3];
    velocities(c, i, c->dx, du);
    for (int a = 0; a < 3; ++a) {
        dp[a] = -h[a] - (t->B[3 * a] * du[0] + t->B[3 * a + 1] * du[1] + t->B[3 * a + 2] * du[2]);
        t->p[a] += dp[a];
    }
    t->moved += t->held.e[0] * dp[2] - t->held.e[1] * dp[1];
    push(c, i, dp, c->x);
}

/* Finds what the held rows lack. Returns the largest |rho|, in units of the island. */
static double lack(cone *c)
{
    const abuti_system *s = c->system;
    double most = 0.0;
    for (int i = 0; i < s->n; ++i) {
        cone_touch *t = &c->touch[i];
        if (t->state == ABUT_OPEN) continue;
        velocity_of(c, i);
        double rho = lacks(t, c->pushed + 3 * (size_t)i);
        most = rho > most ? rho : most;
    }
    for (int j = 0; j < s->joints; ++j) {
        c->joint_rho[j] = abuti_rest_joint_velocity(s, j, c->x) + s->joint_offset[j];
        most = fmax(most, fabs(c->joint_rho[j]));
    }
    return most / c->unit;
}

/* One solution with the factor at hand. */
static void correct(cone *c)
{
    const abuti_system *s = c->system;
    memset(c->dx, 0, (size_t)((s->bodies + 1) * s->stride) * sizeof(double));
    for (int i = 0; i < s->n; ++i) {
        const double *h = c->pushed + 3 * (size_t)i, minus[3] = {-h[0], -h[1], -h[2]};
        if (c->touch[i].state != ABUT_OPEN) push(c, i, minus, c->dx);
    }
    for (int j = 0; j < s->joints; ++j) abuti_rest_push_joint(s, j, -c->joint_rho[j] / CONE_RIDGE, c->dx);
    divide(c, c->dx);
    for (int i = 0; i < s->n; ++i)
        if (c->touch[i].state != ABUT_OPEN) advance(c, i, c->pushed + 3 * (size_t)i);
    for (int j = 0; j < s->joints; ++j) {
        double dy = -(c->joint_rho[j] + abuti_rest_joint_velocity(s, j, c->dx)) / CONE_RIDGE;
        c->joint[j] += dy;
        abuti_rest_push_joint(s, j, dy, c->x);
    }
}

/* Makes and factors the springs of this step, unless those of the last step serve once more. */
static bool make_matrix(cone *c)
{
    if (c->kept) return true;
    for (int i = 0; i < c->system->n; ++i)
        if (c->touch[i].state != ABUT_OPEN) make_springs(c, &c->touch[i]);
    return factor(c, 1.0 / CONE_RIDGE);
}

static bool solve_rows(cone *c)
{
    const abuti_system *s = c->system;
    if (!make_matrix(c)) return false;
    place_x(c);
    double before = INFINITY;
    int pass = 0;
    for (; pass < CONE_PASSES; ++pass) {
        double rho = lack(c);
        if (!(rho < INFINITY)) return false;
        c->left = rho;
        if (pass > 0 && (rho <= c->hold || (pass > CONE_PASSES_LEAST && rho > 0.5 * before))) break;
        correct(c);
        before = rho;
    }
    for (int i = 0; i < s->n; ++i) /* the others have moved on with the last pass */
        if (c->touch[i].state == ABUT_OPEN || pass == CONE_PASSES) velocity_of(c, i);
    return true;
}
