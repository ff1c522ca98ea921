/* Included by cone/core.inl; see one.h.
 *
 * A step solves, with x = k + J'p and the rows R and columns C of the lanes that are held, the equations of rows.inl;
 * here J has six columns and lies in lanes. */

/* Sizes of the rows, and the unit of the island. */
static void one_begin(cone_one *o)
{
    const abuti_system *s = o->system;
    const lanes none = lanes_all(0.0), unit = lanes_all(1.0);
    lanes most = none;
    for (int at = 0; at < s->lanes; at += ABUTI_LANES) {
        lanes normal = lanes_load(s->size[0] + at), size = lanes_max(normal, lanes_load(s->size[1] + at));
        size = lanes_select(lanes_less(none, size), size, unit);
        lanes own = lanes_select(lanes_less(none, normal), normal, size), over = lanes_div(unit, size);
        lanes_store(o->s + at, size);
        lanes_store(o->over + at, over);
        lanes_store(o->own + at, own);
        lanes_store(o->over_own + at, lanes_div(unit, own));
        for (int axis = 0; axis < 3; ++axis)
            most = lanes_max(most, lanes_mul(lanes_abs(lanes_load(s->offset[axis] + at)), over));
    }
    lanes k = lanes_load(s->k);
    double fastest = lanes_most(most), size = sqrt(lanes_sum(lanes_mul(k, k)));
    o->unit = fastest > size ? fastest : size;
    if (!(o->unit > 0.0)) o->unit = 1.0;
}

/* to = J'p of all lanes. */
static inline void one_push(const cone_one *o, const double *const p[3], double *to)
{
    const abuti_system *s = o->system;
    lanes sum[CONE_SIX];
    for (int k = 0; k < CONE_SIX; ++k) sum[k] = lanes_all(0.0);
    for (int at = 0; at < s->lanes; at += ABUTI_LANES) {
        const double *row = s->rows + at;
        for (int axis = 0; axis < 3; ++axis) {
            lanes push = lanes_load(p[axis] + at);
            for (int k = 0; k < CONE_SIX; ++k, row += s->lanes)
                sum[k] = lanes_madd(lanes_load(row), push, sum[k]);
        }
    }
    for (int k = 0; k < CONE_SIX; ++k) to[k] = lanes_sum(sum[k]);
}

/* J v of one axis of eight contacts, in two chains. */
static inline lanes one_along(const abuti_system *s, int axis, int at, const lanes v[CONE_SIX])
{
    const double *row = s->rows + (ptrdiff_t)(axis * CONE_SIX) * s->lanes + at;
    ptrdiff_t apart = s->lanes;
    lanes even = lanes_mul(lanes_load(row), v[0]), odd = lanes_mul(lanes_load(row + apart), v[1]);
    for (int k = 2; k < CONE_SIX; k += 2) {
        even = lanes_madd(lanes_load(row + k * apart), v[k], even);
        odd = lanes_madd(lanes_load(row + (k + 1) * apart), v[k + 1], odd);
    }
    return lanes_add(even, odd);
}

static inline void one_spread(const double *v, lanes to[CONE_SIX])
{
    for (int k = 0; k < CONE_SIX; ++k) to[k] = lanes_all(v[k]);
}

/* x and all u from the impulses. */
static void one_move(cone_one *o)
{
    const abuti_system *s = o->system;
    const double *const p[3] = {o->p[0], o->p[1], o->p[2]};
    lanes x[CONE_SIX];
    one_push(o, p, o->x);
    for (int k = 0; k < CONE_SIX; ++k) o->x[k] += s->k[k];
    one_spread(o->x, x);
    for (int at = 0; at < s->lanes; at += ABUTI_LANES)
        for (int axis = 0; axis < 3; ++axis)
            lanes_store(o->u[axis] + at,
                        lanes_add(one_along(s, axis, at, x), lanes_load(s->offset[axis] + at)));
}

/* The direction along which the natural map projects, turned by at most 45 degrees from the one before. */
static inline void one_turn(const lanes g[2], lanes e[2])
{
    const lanes none = lanes_all(0.0), limit = lanes_all(CONE_LARGEST_TURN);
    lanes square = lanes_madd(g[0], g[0], lanes_mul(g[1], g[1]));
    lane_mask known = lanes_less(none, square);
    lanes over = lanes_div(lanes_all(1.0), lanes_sqrt(lanes_select(known, square, lanes_all(1.0))));
    lanes x = lanes_select(known, lanes_mul(g[0], over), e[0]);
    lanes y = lanes_select(known, lanes_mul(g[1], over), e[1]);
    lanes turned = lanes_madd(e[0], x, lanes_mul(e[1], y));
    lanes side = lanes_msub(e[1], x, lanes_mul(e[0], y));
    lanes sine = lanes_select(lanes_less(side, none), lanes_all(-CONE_LARGEST_TURN), limit);
    lane_mask far =
        lanes_and(lanes_less(turned, limit), lanes_less(none, lanes_madd(e[0], e[0], lanes_mul(e[1], e[1]))));
    lanes most_x = lanes_msub(sine, e[1], lanes_mul(limit, e[0]));
    lanes most_y = lanes_madd(sine, e[0], lanes_mul(limit, e[1]));
    e[0] = lanes_select(far, most_x, x);
    e[1] = lanes_select(far, most_y, y);
}

/* Directions and compliances of the step, and how friction has to be changed to lie on its cone along the direction,
 * which is where a step starts from. */
static void one_prepare(cone_one *o)
{
    const abuti_system *s = o->system;
    const lanes none = lanes_all(0.0), unit = lanes_all(1.0), tiny = lanes_all(CONE_TINY * o->unit);
    for (int at = 0; at < s->lanes; at += ABUTI_LANES) {
        lanes size = lanes_load(o->s + at), square = lanes_mul(size, size);
        lanes ux = lanes_load(o->u[1] + at), uy = lanes_load(o->u[2] + at);
        lanes fx = lanes_load(o->p[1] + at), fy = lanes_load(o->p[2] + at);
        lanes e[2] = {lanes_load(o->e[0] + at), lanes_load(o->e[1] + at)};
        const lanes g[2] = {lanes_sub(lanes_mul(fx, square), ux), lanes_sub(lanes_mul(fy, square), uy)};
        lane_mask slides = lanes_less(lanes_load(o->sticks + at), lanes_load(o->closed + at));
        one_turn(g, e);
        lanes lambda = lanes_max(lanes_sub(none, lanes_madd(e[0], ux, lanes_mul(e[1], uy))), none);
        lanes limit = lanes_mul(lanes_load(s->mu + at), lanes_load(o->p[0] + at));
        lane_mask row = lanes_and(slides, lanes_less(tiny, lanes_mul(limit, size)));
        lanes gives = lanes_div(lambda, lanes_select(row, limit, unit));
        lanes_store(o->gives + at, lanes_select(row, gives, lanes_all(-1.0)));
        lanes_store(o->e[0] + at, e[0]);
        lanes_store(o->e[1] + at, e[1]);
        lanes_store(o->shift[0] + at, lanes_select(slides, lanes_sub(lanes_mul(limit, e[0]), fx), none));
        lanes_store(o->shift[1] + at, lanes_select(slides, lanes_sub(lanes_mul(limit, e[1]), fy), none));
        lanes_store(o->moved + at, none);
    }
}

/* How much of the law has changed since the factor at hand was made; see newton.c. */
static double one_change(const cone_one *o)
{
    const lanes none = lanes_all(0.0), unit = lanes_all(1.0);
    lanes most = none;
    for (int at = 0; at < o->system->lanes; at += ABUTI_LANES) {
        lanes size = lanes_load(o->s + at), gives = lanes_load(o->gives + at), K = lanes_load(o->across + at);
        lanes dx = lanes_sub(lanes_load(o->e[0] + at), lanes_load(o->aimed[0] + at));
        lanes dy = lanes_sub(lanes_load(o->e[1] + at), lanes_load(o->aimed[1] + at));
        lane_mask is = lanes_less(lanes_all(-0.5), gives), was = lanes_less(none, K);
        lanes all = lanes_madd(lanes_all(CONE_RIDGE), lanes_mul(size, size), gives);
        lanes softer = lanes_abs(lanes_sub(lanes_mul(all, K), unit));
        lanes turned = lanes_max(lanes_abs(dx), lanes_abs(dy));
        lanes both = lanes_select(lanes_and(is, was), lanes_max(softer, turned), none);
        lanes differs = lanes_abs(lanes_sub(lanes_select(is, unit, none), lanes_select(was, unit, none)));
        most = lanes_max(most, lanes_max(both, lanes_mul(differs, lanes_all(2.0))));
    }
    return lanes_most(most);
}

/* The springs of the lanes, for the directions at hand. */
static void one_springs(cone_one *o)
{
    const abuti_system *s = o->system;
    const lanes none = lanes_all(0.0), unit = lanes_all(1.0), half = lanes_all(0.5);
    for (int at = 0; at < s->lanes; at += ABUTI_LANES) {
        lanes size = lanes_load(o->s + at), ridge = lanes_mul(lanes_all(CONE_RIDGE), lanes_mul(size, size));
        lanes gives = lanes_load(o->gives + at), K = lanes_div(unit, ridge);
        lanes x = lanes_load(o->e[0] + at), y = lanes_load(o->e[1] + at), mu = lanes_load(s->mu + at);
        lane_mask held = lanes_less(half, lanes_load(o->closed + at)),
                  stick = lanes_less(half, lanes_load(o->sticks + at));
        lane_mask row = lanes_less(lanes_all(-0.5), gives);
        mu = lanes_select(stick, none, mu);
        lanes_store(o->normal + at, lanes_select(held, K, none));
        lanes_store(o->side + at, lanes_select(stick, K, none));
        lanes_store(
            o->across + at,
            lanes_select(row, lanes_div(unit, lanes_add(lanes_select(row, gives, none), ridge)), none));
        lanes_store(o->aimed[0] + at, x);
        lanes_store(o->aimed[1] + at, y);
        lanes_store(o->column[0] + at, lanes_mul(mu, x));
        lanes_store(o->column[1] + at, lanes_mul(mu, y));
    }
}

/* matrix += J'B J of one contact. */
static inline void one_add(cone_one *o, int i, lanes row[CONE_SIX])
{
    const abuti_system *s = o->system;
    _Alignas(64) double J[3][CONE_EIGHT], left[CONE_EIGHT], right[CONE_EIGHT];
    const double *from = s->rows + i;
    for (int axis = 0; axis < 3; ++axis) {
        for (int k = 0; k < CONE_SIX; ++k, from += s->lanes) J[axis][k] = *from;
        J[axis][6] = J[axis][7] = 0.0;
    }
    lanes n = lanes_load(J[0]), x = lanes_load(J[1]), y = lanes_load(J[2]), K = lanes_all(o->normal[i]);
    lanes column = lanes_madd(lanes_all(o->column[1][i]), y, lanes_madd(lanes_all(o->column[0][i]), x, n));
    lanes Kn = lanes_mul(K, n);
    lanes_store(left, column);
    if (o->sticks[i] != 0.0) {
        lanes Kx = lanes_mul(K, x), Ky = lanes_mul(K, y);
        for (int k = 0; k < CONE_SIX; ++k) {
            lanes sum = lanes_madd(lanes_all(left[k]), Kn, row[k]);
            sum = lanes_madd(lanes_all(J[1][k]), Kx, sum);
            row[k] = lanes_madd(lanes_all(J[2][k]), Ky, sum);
        }
        return;
    }
    lanes across = lanes_msub(lanes_all(o->aimed[1][i]), x, lanes_mul(lanes_all(o->aimed[0][i]), y));
    lanes Ka = lanes_mul(lanes_all(o->across[i]), across);
    lanes_store(right, across);
    for (int k = 0; k < CONE_SIX; ++k)
        row[k] = lanes_madd(lanes_all(right[k]), Ka, lanes_madd(lanes_all(left[k]), Kn, row[k]));
}

static bool one_factor(cone_one *o)
{
    lanes row[CONE_SIX];
    for (int k = 0; k < CONE_SIX; ++k) row[k] = lanes_with(lanes_all(0.0), k, 1.0);
    for (int i = 0; i < o->system->n; ++i)
        if (o->closed[i] != 0.0) one_add(o, i, row);
    for (int k = 0; k < CONE_SIX; ++k) lanes_store(o->matrix + k * CONE_EIGHT, row[k]);
    return factor_diagonal(o->matrix, o->perm, o->room, CONE_SIX, 1);
}

/* What the held rows lack: h = C K rho - shift. Returns the largest |rho|, in the units of the map. */
static inline double one_lack(cone_one *o)
{
    double *const *h = o->h;
    const lanes none = lanes_all(0.0);
    lanes most = none;
    for (int at = 0; at < o->system->lanes; at += ABUTI_LANES) {
        lanes n = lanes_load(o->u[0] + at), x = lanes_load(o->u[1] + at), y = lanes_load(o->u[2] + at);
        lanes K = lanes_load(o->normal + at), Ka = lanes_load(o->across + at), Ks = lanes_load(o->side + at);
        lanes ex = lanes_load(o->e[0] + at), ey = lanes_load(o->e[1] + at), over = lanes_load(o->over + at);
        lanes gives = lanes_max(lanes_load(o->gives + at), none);
        lanes rho = lanes_madd(gives, lanes_load(o->moved + at), lanes_msub(ey, x, lanes_mul(ex, y)));
        lane_mask held = lanes_less(none, K), row = lanes_less(none, Ka), stick = lanes_less(none, Ks);
        rho = lanes_select(row, rho, none);
        lanes_store(o->lack + at, rho);
        lanes q = lanes_mul(K, n), qa = lanes_mul(Ka, rho);
        lanes_store(h[0] + at, q);
        lanes fx = lanes_madd(
            Ks, x, lanes_msub(lanes_load(o->aimed[1] + at), qa, lanes_mul(lanes_load(o->column[0] + at), q)));
        lanes fy = lanes_madd(
            Ks, y, lanes_madd(lanes_load(o->aimed[0] + at), qa, lanes_mul(lanes_load(o->column[1] + at), q)));
        lanes_store(h[1] + at, lanes_sub(fx, lanes_load(o->shift[0] + at)));
        lanes_store(h[2] + at, lanes_sub(fy, lanes_load(o->shift[1] + at)));
        lanes tangent = lanes_max(lanes_abs(x), lanes_abs(y));
        lanes off = lanes_max(lanes_abs(rho), lanes_select(stick, tangent, none));
        off = lanes_max(lanes_mul(off, over), lanes_mul(lanes_abs(n), lanes_load(o->over_own + at)));
        most = lanes_max(most, lanes_select(held, off, none));
    }
    return lanes_most(most);
}

/* dp = shift - C K (rho + R J dx), added to p. */
static inline void one_advance(cone_one *o)
{
    const abuti_system *s = o->system;
    lanes dx[CONE_SIX];
    one_spread(o->dx, dx);
    for (int at = 0; at < s->lanes; at += ABUTI_LANES) {
        lanes n = one_along(s, 0, at, dx), x = one_along(s, 1, at, dx), y = one_along(s, 2, at, dx);
        lanes hx = lanes_load(o->aimed[0] + at), hy = lanes_load(o->aimed[1] + at),
              Ks = lanes_load(o->side + at);
        lanes turn = lanes_add(lanes_load(o->lack + at), lanes_msub(hy, x, lanes_mul(hx, y)));
        lanes q = lanes_mul(lanes_load(o->normal + at), lanes_add(lanes_load(o->u[0] + at), n));
        lanes qa = lanes_mul(lanes_load(o->across + at), turn);
        lanes qx = lanes_mul(Ks, lanes_add(lanes_load(o->u[1] + at), x));
        lanes qy = lanes_mul(Ks, lanes_add(lanes_load(o->u[2] + at), y));
        lanes fx = lanes_msub(hy, qa, lanes_madd(lanes_load(o->column[0] + at), q, qx));
        lanes fy = lanes_madd(hx, qa, lanes_madd(lanes_load(o->column[1] + at), q, qy));
        lanes_store(o->p[0] + at, lanes_sub(lanes_load(o->p[0] + at), q));
        fx = lanes_sub(fx, lanes_load(o->shift[0] + at));
        fy = lanes_sub(fy, lanes_load(o->shift[1] + at));
        lanes_store(o->p[1] + at, lanes_sub(lanes_load(o->p[1] + at), fx));
        lanes_store(o->p[2] + at, lanes_sub(lanes_load(o->p[2] + at), fy));
        lanes_store(o->shift[0] + at, lanes_all(0.0));
        lanes_store(o->shift[1] + at, lanes_all(0.0));
        lanes_store(o->moved + at, lanes_sub(lanes_load(o->moved + at), qa));
    }
}

/* x = D^-1 b with the factors of matrix.inl, term by term. */
static inline void one_solve(const double *D, const int *perm, const double *b, double *x)
{
    const double *r1 = D + 8, *r2 = D + 16, *r3 = D + 24, *r4 = D + 32, *r5 = D + 40;
    double y0 = b[perm[0]], y1 = b[perm[1]] - r1[0] * y0, y2 = b[perm[2]] - r2[0] * y0 - r2[1] * y1;
    double y3 = b[perm[3]] - r3[0] * y0 - r3[1] * y1 - r3[2] * y2;
    double y4 = b[perm[4]] - r4[0] * y0 - r4[1] * y1 - r4[2] * y2 - r4[3] * y3;
    double y5 = b[perm[5]] - r5[0] * y0 - r5[1] * y1 - r5[2] * y2 - r5[3] * y3 - r5[4] * y4;
    x[5] = y5 * r5[5];
    x[4] = (y4 - r4[5] * x[5]) * r4[4];
    x[3] = (y3 - r3[5] * x[5] - r3[4] * x[4]) * r3[3];
    x[2] = (y2 - r2[5] * x[5] - r2[4] * x[4] - r2[3] * x[3]) * r2[2];
    x[1] = (y1 - r1[5] * x[5] - r1[4] * x[4] - r1[3] * x[3] - r1[2] * x[2]) * r1[1];
    x[0] = (y0 - D[5] * x[5] - D[4] * x[4] - D[3] * x[3] - D[2] * x[2] - D[1] * x[1]) * D[0];
}

/* The linear step from the impulses at hand: the factor is made anew unless the last one serves. Held rows may move by
 * `hold`, in units of the island, after it; `left` is what they do. */
static bool one_step(cone_one *o, bool kept, double hold, double *left)
{
    if (!kept) {
        one_springs(o);
        if (!one_factor(o)) return false;
    }
    double before = INFINITY;
    for (int pass = 0; pass < CONE_PASSES; ++pass) {
        double rho = one_lack(o) / o->unit;
        if (!(rho < INFINITY)) return false;
        *left = rho;
        if (pass > 0 && (rho <= hold || (pass > CONE_PASSES_LEAST && rho > 0.5 * before))) break;
        const double *const h[3] = {o->h[0], o->h[1], o->h[2]};
        one_push(o, h, o->room);
        for (int k = 0; k < CONE_SIX; ++k) o->room[k] = -o->room[k];
        one_solve(o->matrix, o->perm, o->room, o->dx);
        one_advance(o);
        one_move(o);
        before = rho;
    }
    return true;
}

/* |f - P(f - u_t)| with P onto the disc of radius mu theta, of eight contacts. */
static inline lanes one_friction(const cone_one *o, int at)
{
    lanes size = lanes_load(o->s + at), over = lanes_load(o->over + at);
    lanes theta = lanes_max(lanes_load(o->p[0] + at), lanes_all(0.0));
    lanes radius = lanes_mul(lanes_mul(lanes_load(o->system->mu + at), theta), size);
    lanes fx = lanes_mul(lanes_load(o->p[1] + at), size), fy = lanes_mul(lanes_load(o->p[2] + at), size);
    lanes gx = lanes_msub(lanes_load(o->u[1] + at), over, fx),
          gy = lanes_msub(lanes_load(o->u[2] + at), over, fy);
    lanes length = lanes_sqrt(lanes_madd(gx, gx, lanes_mul(gy, gy)));
    lane_mask beyond = lanes_less(radius, length);
    lanes by =
        lanes_select(beyond, lanes_div(radius, lanes_select(beyond, length, lanes_all(1.0))), lanes_all(1.0));
    lanes dx = lanes_msub(by, gx, fx), dy = lanes_msub(by, gy, fy);
    return lanes_sqrt(lanes_madd(dx, dx, lanes_mul(dy, dy)));
}

/* The violation of the states of eight contacts. */
static inline lanes one_violations(const cone_one *o, int at)
{
    const lanes none = lanes_all(0.0), half = lanes_all(0.5);
    lanes size = lanes_load(o->s + at), over = lanes_load(o->over + at), theta = lanes_load(o->p[0] + at);
    lanes ux = lanes_load(o->u[1] + at), uy = lanes_load(o->u[2] + at), mu = lanes_load(o->system->mu + at);
    lanes fx = lanes_load(o->p[1] + at), fy = lanes_load(o->p[2] + at);
    lanes opens = lanes_sub(none, lanes_mul(theta, size));
    lanes closes = lanes_sub(none, lanes_mul(lanes_load(o->u[0] + at), over));
    lanes f = lanes_sqrt(lanes_madd(fx, fx, lanes_mul(fy, fy)));
    lanes slips = lanes_mul(lanes_msub(mu, theta, f), size);
    lanes grips =
        lanes_mul(lanes_madd(lanes_load(o->e[0] + at), ux, lanes_mul(lanes_load(o->e[1] + at), uy)), over);
    lanes beyond = lanes_select(lanes_less(half, lanes_load(o->sticks + at)), slips, grips);
    beyond = lanes_select(lanes_less(none, mu), lanes_max(beyond, opens), opens);
    return lanes_select(lanes_less(half, lanes_load(o->closed + at)), beyond, closes);
}

static cone_one_judgement one_judge(const cone_one *o)
{
    const lanes none = lanes_all(0.0);
    lanes map = none, moving = none, largest = none;
    cone_one_judgement is = {.violated = 0.0, .worst = -1};
    for (int at = 0; at < o->system->lanes; at += ABUTI_LANES) {
        lanes theta = lanes_load(o->p[0] + at), n = lanes_load(o->u[0] + at), size = lanes_load(o->s + at);
        lanes over = lanes_load(o->over + at), speed = lanes_mul(n, over);
        lanes normal = lanes_abs(lanes_min(lanes_mul(theta, size), speed));
        lanes own = lanes_abs(
            lanes_min(lanes_mul(theta, lanes_load(o->own + at)), lanes_mul(n, lanes_load(o->over_own + at))));
        map = lanes_max(map, lanes_max(lanes_max(normal, own), one_friction(o, at)));
        moving = lanes_max(moving, lanes_mul(lanes_abs(speed), lanes_load(o->closed + at)));
        lanes all = lanes_add(lanes_abs(theta), lanes_abs(lanes_load(o->p[1] + at)));
        all = lanes_add(all, lanes_abs(lanes_load(o->p[2] + at)));
        largest = lanes_max(largest, lanes_mul(all, size));
        lanes violated = lanes_sub(none, one_violations(o, at));
        double most = -lanes_least(violated);
        if (most > is.violated) {
            is.violated = most;
            is.worst = at + lanes_argmin(violated);
        }
    }
    double finite = lanes_sum(lanes_mul(lanes_load(o->x), none)); /* what is no number is passed over above */
    is.residual = finite == 0.0 ? lanes_most(map) / o->unit : INFINITY;
    is.moving = lanes_most(moving);
    is.largest = lanes_most(largest);
    return is;
}
