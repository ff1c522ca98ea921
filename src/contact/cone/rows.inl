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

static inline void make_B(const cone *c, cone_touch *t)
{
    double ridge = CONE_RIDGE * t->s * t->s;
    t->held = cone_rows_of(c, t);
    memset(t->B, 0, sizeof t->B);
    for (int k = 0; k < t->held.count; ++k) {
        double stiffness = t->stiffness[k] = 1.0 / (t->held.compliance[k] + ridge);
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b)
                t->B[3 * a + b] += stiffness * t->held.column[k][a] * t->held.row[k][b];
    }
}

/* C K rho of one contact, in h; the largest |rho|, in the unit of the map. */
static inline double lacks(const cone_touch *t, double h[3])
{
    double most = 0.0;
    h[0] = h[1] = h[2] = 0.0;
    for (int k = 0; k < t->held.count; ++k) {
        const double *row = t->held.row[k], *column = t->held.column[k];
        double rho = row[0] * t->u[0] + row[1] * t->u[1] + row[2] * t->u[2] + t->held.own[k] * t->moved;
        double y = rho * t->stiffness[k], size = fabs(rho) * (k == 0 ? t->over_own : t->over);
        most = size > most ? size : most;
        for (int a = 0; a < 3; ++a) h[a] += y * column[a];
    }
    return most;
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
    t->moved += t->e[0] * dp[2] - t->e[1] * dp[1];
    push(c, i, dp, c->x);
}

/* What the held rows lack, as a push in dx; the largest |rho|, in units of the island. */
static double lack(cone *c)
{
    const abuti_system *s = c->system;
    double most = 0.0;
    memset(c->dx, 0, (size_t)((s->bodies + 1) * s->stride) * sizeof(double));
    for (int i = 0; i < s->n; ++i) {
        cone_touch *t = &c->touch[i];
        if (t->state == ABUT_OPEN) continue;
        double *h = c->pushed + 3 * (size_t)i;
        velocity_of(c, i);
        double rho = lacks(t, h);
        most = rho > most ? rho : most;
        const double minus[3] = {-h[0], -h[1], -h[2]};
        push(c, i, minus, c->dx);
    }
    for (int j = 0; j < s->joints; ++j) {
        c->joint_rho[j] = abuti_rest_joint_velocity(s, j, c->x) + s->joint_offset[j];
        most = fmax(most, fabs(c->joint_rho[j]));
        abuti_rest_push_joint(s, j, -c->joint_rho[j] / CONE_RIDGE, c->dx);
    }
    return most / c->unit;
}

/* One solution with the factor at hand. */
static void correct(cone *c)
{
    const abuti_system *s = c->system;
    divide(c, c->dx);
    for (int i = 0; i < s->n; ++i)
        if (c->touch[i].state != ABUT_OPEN) advance(c, i, c->pushed + 3 * (size_t)i);
    for (int j = 0; j < s->joints; ++j) {
        double dy = -(c->joint_rho[j] + abuti_rest_joint_velocity(s, j, c->dx)) / CONE_RIDGE;
        c->joint[j] += dy;
        abuti_rest_push_joint(s, j, dy, c->x);
    }
}

static bool solve_rows(cone *c)
{
    const abuti_system *s = c->system;
    for (int i = 0; i < s->n; ++i)
        if (c->touch[i].state != ABUT_OPEN) make_B(c, &c->touch[i]);
    if (!factor(c, 1.0 / CONE_RIDGE)) return false;
    place_x(c);
    double before = INFINITY;
    for (int k = 0; k < CONE_PASSES; ++k) {
        double rho = lack(c);
        if (!(rho < INFINITY)) return false;
        c->left = rho;
        if (k > 0 && (rho <= c->hold || (k > CONE_PASSES_LEAST && rho > 0.5 * before))) break;
        correct(c);
        before = rho;
    }
    move_all(c);
    return true;
}
