/* The verifier's passes over eight contacts: straight lane-wise arithmetic, no reductions, so that every
 * vector width gives the same bits. Included once for each width by verify_kernel.c, verify_kernel_avx2.c and
 * verify_kernel_avx512.c, which name the table (VERIFY_KERNEL) and say how many doubles a register holds
 * (VERIFY_WIDTH).
 */
#include "base/columns.h"
#include "contact/verify_parts.h"
#include <stddef.h>

#define LANES for (int l = 0; l < ABUTI_LANES; ++l)

/* |min(z, w)|, the natural residual of a complementary pair; not finite when either is not. */
static inline double natural(double z, double w)
{
    return fabs(z < w ? z : w) + 0.0 * (z + w);
}

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

/* One register of lanes; loaded from any array of doubles. */
typedef double vec __attribute__((vector_size(8 * VERIFY_WIDTH), aligned(8), may_alias));
typedef long long mask __attribute__((vector_size(8 * VERIFY_WIDTH), aligned(8), may_alias));

#define LOAD(array) (*(const vec *)((array) + first))
#define STORE(array, value) (*(vec *)((array) + first) = (value))

/* 1 / sqrt(x) for x that is 1 up to a few ABUTI_NEARLY_ONE: the terms left out are below rounding. */
static inline vec inverse_root_near_one(vec x)
{
    vec e = x - 1.0;
    return 1.0 - e * (0.5 - 0.375 * e);
}

static inline vec magnitude(vec x)
{
    return (vec)((mask)x & (0x7fffffffffffffffll - (mask){0}));
}

/* Eight contacts into lanes, velocities and sizes cleared, normal and tangent made exact, the second tangent
 * n x t, and the impulse as a vector. */
static abuti_frames_seen frames_pass(const void *const *contact, const void *const *impulse,
                                     abuti_chunk *restrict chunk, abuti_frames *restrict g)
{
    /* By fours, as they lie in the struct: point and n_x; n_y, n_z, t_x, t_y; t_z and mu; gap, restitution
     * and viscosity. */
    ABUTI_ALIGNED double a[4][ABUTI_LANES], b[4][ABUTI_LANES], c[4][ABUTI_LANES], d[4][ABUTI_LANES],
        p[4][ABUTI_LANES];
    abuti_columns4(contact, offsetof(abut_contact, point), a);
    abuti_columns4(contact, offsetof(abut_contact, normal[1]), b);
    abuti_columns4(contact, offsetof(abut_contact, tangent[2]), c);
    abuti_columns4(contact, offsetof(abut_contact, gap), d);
    abuti_columns3(impulse, p);
    mask exact = -1 - (mask){0}, plain = exact;
    for (int first = 0; first < ABUTI_LANES; first += VERIFY_WIDTH) {
        vec nx = LOAD(a[3]), ny = LOAD(b[0]), nz = LOAD(b[1]), tx = LOAD(b[2]), ty = LOAD(b[3]),
            tz = LOAD(c[0]);
        vec pn = LOAD(p[0]), pt = LOAD(p[1]), pb = LOAD(p[2]);
        vec nn = nx * nx + ny * ny + nz * nz, tt = tx * tx + ty * ty + tz * tz,
            tn = tx * nx + ty * ny + tz * nz;
        exact &= (magnitude(nn - 1.0) <= ABUTI_NEARLY_ONE) & (magnitude(tt - 1.0) <= ABUTI_NEARLY_ONE) &
                 (magnitude(tn) <= ABUTI_NEARLY_ACROSS);
        plain &= (LOAD(d[0]) == 0.0) & (LOAD(d[1]) == 0.0) & (LOAD(d[2]) == 0.0);
        vec root = inverse_root_near_one(nn);
        nx *= root, ny *= root, nz *= root;
        vec along = tx * nx + ty * ny + tz * nz;
        tx -= along * nx, ty -= along * ny, tz -= along * nz;
        root = inverse_root_near_one(tx * tx + ty * ty + tz * tz);
        tx *= root, ty *= root, tz *= root;
        vec bx = ny * tz - nz * ty, by = nz * tx - nx * tz, bz = nx * ty - ny * tx;
        STORE(g->normal[0], nx);
        STORE(g->normal[1], ny);
        STORE(g->normal[2], nz);
        STORE(g->tangent[0], tx);
        STORE(g->tangent[1], ty);
        STORE(g->tangent[2], tz);
        STORE(g->binormal[0], bx);
        STORE(g->binormal[1], by);
        STORE(g->binormal[2], bz);
        STORE(g->push[0], pn * nx + pt * tx + pb * bx);
        STORE(g->push[1], pn * ny + pt * ty + pb * by);
        STORE(g->push[2], pn * nz + pt * tz + pb * bz);
        for (int axis = 0; axis < 3; ++axis) {
            STORE(g->point[axis], LOAD(a[axis]));
            STORE(chunk->velocity[axis], (vec){0});
            STORE(chunk->offset[axis], (vec){0});
            STORE(chunk->square[axis], (vec){0});
        }
        STORE(chunk->impulse[0], pn);
        STORE(chunk->impulse[1], pt);
        STORE(chunk->impulse[2], pb);
        STORE(chunk->mu, LOAD(c[1]));
    }
    long long all_exact = -1, all_plain = -1;
    for (int l = 0; l < VERIFY_WIDTH; ++l) all_exact &= exact[l], all_plain &= plain[l];
    return (abuti_frames_seen){.far = !all_exact, .special = !all_plain};
}

/* row M^-1 row' of the row (a, r x a) on one body. */
#define ROW_SQUARE(a, rx, ry, rz)                                                                            \
    double m1 = ry * a[2][l] - rz * a[1][l], m2 = rz * a[0][l] - rx * a[2][l],                               \
           m3 = rx * a[1][l] - ry * a[0][l];                                                                 \
    m2 -= s->lower[0][l] * m1;                                                                               \
    m3 -= s->lower[1][l] * m1 + s->lower[2][l] * m2;                                                         \
    double square = m1 * m1 * s->inverse_pivot[0][l] + m2 * m2 * s->inverse_pivot[1][l] +                    \
                    m3 * m3 * s->inverse_pivot[2][l]

static void body_pass(const abuti_body_record *restrict r, abuti_side *restrict s)
{
    for (int c = 0; c < 3; ++c) {
        LANES s->com[c][l] = r->com[c];
        LANES s->linear[c][l] = r->velocity[c];
        LANES s->angular[c][l] = r->velocity[3 + c];
        LANES s->lower[c][l] = r->lower[c];
        LANES s->inverse_pivot[c][l] = r->inverse_pivot[c];
        LANES s->sum[c][l] = 0.0;
        LANES s->sum[3 + c][l] = 0.0;
    }
    LANES s->inverse_mass[l] = r->inverse_mass;
}

/* One side of the contacts: its share of u and of s^2, and the moment of the impulse about its centre of
 * mass. */
static void side_pass(abuti_chunk *restrict c, const abuti_frames *restrict g, abuti_side *restrict s,
                      double sign)
{
    LANES
    {
        double rx = g->point[0][l] - s->com[0][l], ry = g->point[1][l] - s->com[1][l],
               rz = g->point[2][l] - s->com[2][l];
        double wx = s->angular[0][l], wy = s->angular[1][l], wz = s->angular[2][l];
        double ux = sign * (s->linear[0][l] + (wy * rz - wz * ry));
        double uy = sign * (s->linear[1][l] + (wz * rx - wx * rz));
        double uz = sign * (s->linear[2][l] + (wx * ry - wy * rx));
        c->velocity[0][l] += g->normal[0][l] * ux + g->normal[1][l] * uy + g->normal[2][l] * uz;
        c->velocity[1][l] += g->tangent[0][l] * ux + g->tangent[1][l] * uy + g->tangent[2][l] * uz;
        c->velocity[2][l] += g->binormal[0][l] * ux + g->binormal[1][l] * uy + g->binormal[2][l] * uz;
        s->moment[0][l] = ry * g->push[2][l] - rz * g->push[1][l];
        s->moment[1][l] = rz * g->push[0][l] - rx * g->push[2][l];
        s->moment[2][l] = rx * g->push[1][l] - ry * g->push[0][l];
        for (int axis = 0; axis < 3; ++axis) {
            s->sum[axis][l] += g->push[axis][l];
            s->sum[3 + axis][l] += s->moment[axis][l];
        }
        {
            ROW_SQUARE(g->normal, rx, ry, rz);
            c->square[0][l] += s->inverse_mass[l] + square;
        }
        {
            ROW_SQUARE(g->tangent, rx, ry, rz);
            c->square[1][l] += s->inverse_mass[l] + square;
        }
        {
            ROW_SQUARE(g->binormal, rx, ry, rz);
            c->square[2][l] += s->inverse_mass[l] + square;
        }
    }
}

/* 1 / sqrt(x) for x > 0 by Newton's iteration from a guess on the exponent: multiplications only, several
 * times as fast as the root and the quotient, and the same in every vector width. Three
 * steps from an error of 3.5 percent end at 3e-11 of the size, which only weighs errors. */
static inline double inverse_root(double x)
{
    union {
        double value;
        uint64_t bits;
    } guess = {.value = x};
    guess.bits = 0x5fe6eb50c7b537a9u - (guess.bits >> 1);
    double y = guess.value, half = 0.5 * x;
    for (int i = 0; i < 3; ++i) y = y * (1.5 - half * y * y);
    return y + 0.0 * x;
}

/* s of normal and tangents. A contact whose tangents cannot move takes s of the normal for both, and the
 * other way round, so that a useless impulse is still seen; where nothing can move, s is 1 and any impulse at
 * all is wrong. */
static void sizes_pass(abuti_chunk *restrict c, abuti_findings *restrict f)
{
    LANES
    {
        double n2 = c->square[0][l], t2 = larger(c->square[1][l], c->square[2][l]);
        double any = larger(n2, t2);
        any = any > 0.0 ? any : 1.0;
        n2 = n2 > 0.0 ? n2 : any;
        t2 = t2 > 0.0 ? t2 : any;
        double n = inverse_root(n2), t = inverse_root(t2);
        c->inverse_size[0][l] = n;
        c->inverse_size[1][l] = t;
        c->size[0][l] = n2 * n;
        c->size[1][l] = t2 * t;
        double offset = larger(fabs(c->offset[1][l]), fabs(c->offset[2][l])) * c->inverse_size[1][l];
        offset = larger(offset, fabs(c->offset[0][l]) * c->inverse_size[0][l]);
        f->offset[l] = larger(f->offset[l], abuti_finite_or_infinite(offset));
        double pushes = larger(fabs(c->impulse[1][l]), fabs(c->impulse[2][l])) * c->size[1][l];
        pushes = larger(pushes, fabs(c->impulse[0][l]) * c->size[0][l]);
        f->impulse[l] = larger(f->impulse[l], abuti_finite_or_infinite(pushes));
    }
}

/* 0 <= normal impulse perp gap velocity >= 0. */
static void normal_pass(const abuti_chunk *restrict c, abuti_findings *restrict f, double *restrict error)
{
    LANES
    {
        double e = natural(c->impulse[0][l] * c->size[0][l], c->velocity[0][l] * c->inverse_size[0][l]);
        e = abuti_finite_or_infinite(e);
        f->normal[l] = larger(f->normal[l], e);
        error[l] = larger(error[l], e);
    }
}

static inline vec choose(mask which, vec a, vec b)
{
    return (vec)(((mask)a & which) | ((mask)b & ~which));
}

/* What a look at all edges and vertices of the polygon tells. */
typedef struct round_trip {
    ABUTI_ALIGNED double
        reach[ABUTI_LANES]; /* of the friction impulse along the edge normal it reaches furthest */
    double x[ABUTI_LANES], y[ABUTI_LANES]; /* that normal */
    double slip[ABUTI_LANES];              /* lambda */
} round_trip;

/* In registers by hand: compilers keep these four in memory from edge to edge. With an even number of
 * directions edge k + d/2 looks the other way, so half a round suffices: what points backwards counts with
 * the normal turned. */
static void go_round(const abuti_chunk *restrict c, const abuti_polygon *restrict p, round_trip *restrict out)
{
    const long long sign_bit = (long long)(1ull << 63);
    const int even = p->d % 2 == 0, edges = even ? p->d / 2 : p->d;
    const mask turns = (even ? sign_bit : 0) - (mask){0};
    for (int first = 0; first < ABUTI_LANES; first += VERIFY_WIDTH) {
        const vec fx = *(const vec *)(c->impulse[1] + first), fy = *(const vec *)(c->impulse[2] + first);
        const vec ux = *(const vec *)(c->velocity[1] + first), uy = *(const vec *)(c->velocity[2] + first);
        vec reach = -INFINITY - (vec){0}, x = {0}, y = {0}, slip = {0};
        for (int k = 0; k < edges; ++k) {
            vec along = p->x[k] * fx + p->y[k] * fy, against = -(p->vertex_x[k] * ux + p->vertex_y[k] * uy);
            mask turned = (mask)along & turns;
            along = (vec)((mask)along & ~turns);
            against = (vec)((mask)against & ~turns);
            mask further = along > reach;
            x = choose(further, (vec)((mask)(p->x[k] - (vec){0}) ^ turned), x);
            y = choose(further, (vec)((mask)(p->y[k] - (vec){0}) ^ turned), y);
            reach = choose(further, along, reach);
            slip = choose(against > slip, against, slip);
        }
        STORE(out->reach, reach);
        STORE(out->x, x);
        STORE(out->y, y);
        STORE(out->slip, slip);
    }
}

/* Coulomb friction on the polygon (Lloyd eqs. 4, 5). The friction impulse is written with the two
 * neighbouring vertices between which it points, phi_k and phi_k+1, all other phi being 0; lambda is the
 * smallest that makes every sigma_j = d_j.u + lambda nonnegative. What is left to ask: phi_k perp sigma_k,
 * phi_k+1 perp sigma_k+1 (direction), and 0 <= lambda perp gamma = mu theta - sum phi >= 0 (cone). */
static void polygon_pass(const abuti_chunk *restrict c, const abuti_polygon *restrict p,
                         abuti_findings *restrict f, double *restrict error)
{
    round_trip around;
    go_round(c, p, &around);
    double inverse_kappa = p->over_kappa, inverse_half = p->over_half, d = p->d;
    LANES
    {
        double fx = c->impulse[1][l], fy = c->impulse[2][l], ux = c->velocity[1][l], uy = c->velocity[2][l];
        double s = c->size[1][l], inverse_s = c->inverse_size[1][l];
        double ax = around.x[l], ay = around.y[l], lambda = around.slip[l];
        double sum = around.reach[l] * inverse_kappa, difference = (ax * fy - ay * fx) * inverse_half;
        double low = 0.5 * (sum - difference), high = 0.5 * (sum + difference);
        double ka = p->kappa * (ax * ux + ay * uy), he = p->half * (ax * uy - ay * ux);
        double sigma_low = ka - he + lambda, sigma_high = ka + he + lambda;
        double cone = natural(lambda * inverse_s, (c->mu[l] * c->impulse[0][l] - sum) * s);
        double direction = larger(abuti_finite_or_infinite(natural(low * s, sigma_low * inverse_s)),
                                  abuti_finite_or_infinite(natural(high * s, sigma_high * inverse_s)));
        cone = abuti_finite_or_infinite(cone);
        cone = c->directions[l] == d ? cone : 0.0;
        direction = c->directions[l] == d ? direction : 0.0;
        f->cone[l] = larger(f->cone[l], cone);
        f->direction[l] = larger(f->direction[l], direction);
        error[l] = larger(error[l], larger(cone, direction));
    }
}

/* Friction may not do positive work. */
static void work_pass(const abuti_chunk *restrict c, abuti_findings *restrict f)
{
    LANES
    {
        double fx = c->impulse[1][l], fy = c->impulse[2][l], ux = c->velocity[1][l], uy = c->velocity[2][l];
        double work = fx * ux + fy * uy, force = larger(fabs(fx), fabs(fy)) * c->size[1][l];
        double power = work > 0.0 ? work / force : 0.0;
        f->work[l] = larger(f->work[l], abuti_finite_or_infinite(larger(work, 0.0)));
        f->power[l] = larger(f->power[l], power);
    }
}

/* The true cone: 0 <= |u_t| perp mu theta - |f| >= 0, and f opposite to u_t where it slips. */
static void true_cone_pass(const abuti_chunk *restrict c, abuti_findings *restrict f)
{
    LANES
    {
        double fx = c->impulse[1][l], fy = c->impulse[2][l], ux = c->velocity[1][l], uy = c->velocity[2][l];
        double s = c->size[1][l], inverse_s = c->inverse_size[1][l];
        double force = sqrt(fx * fx + fy * fy), slip = sqrt(ux * ux + uy * uy);
        double inverse_slip = slip > 0.0 ? 1.0 / slip : 0.0;
        double dx = fx + force * ux * inverse_slip, dy = fy + force * uy * inverse_slip;
        double cone = natural(slip * inverse_s, (c->mu[l] * c->impulse[0][l] - force) * s);
        double direction = natural(sqrt(dx * dx + dy * dy) * s, slip * inverse_s);
        cone = larger(abuti_finite_or_infinite(cone), abuti_finite_or_infinite(direction));
        f->true_cone[l] = larger(f->true_cone[l], cone);
    }
}

/* Remembers which contact is worst. */
static void record_pass(const abuti_chunk *restrict c, const double *restrict error,
                        abuti_findings *restrict f)
{
    const double here = c->place;
    LANES
    {
        double worst = f->worst[l], place = f->worst_place[l];
        f->worst_place[l] = error[l] > worst ? here : place;
        f->worst[l] = error[l] > worst ? error[l] : worst;
    }
}

static void coulomb_pass(const abuti_chunk *restrict c, const abuti_polygon *restrict p,
                         abuti_findings *restrict f)
{
    ABUTI_ALIGNED double error[ABUTI_LANES] = {0};
    normal_pass(c, f, error);
    polygon_pass(c, p, f, error);
    work_pass(c, f);
    record_pass(c, error, f);
}

/* Turned, the eight lanes of each finding stand in one column. */
static void largest_pass(const abuti_findings *restrict f, double *restrict out)
{
    const void *row[ABUTI_BY_LANE] = {f->normal, f->cone,  f->direction, f->true_cone,
                                      f->work,   f->power, f->impulse,   f->offset};
    ABUTI_ALIGNED double low[4][ABUTI_LANES], high[4][ABUTI_LANES];
    abuti_columns4(row, 0, low);
    abuti_columns4(row, 4 * sizeof(double), high);
    LANES
    {
        double a = larger(larger(low[0][l], high[0][l]), larger(low[2][l], high[2][l]));
        double b = larger(larger(low[1][l], high[1][l]), larger(low[3][l], high[3][l]));
        out[l] = larger(a, b);
    }
}

const abuti_verify_kernel VERIFY_KERNEL = {.frames = frames_pass,
                                           .body = body_pass,
                                           .side = side_pass,
                                           .sizes = sizes_pass,
                                           .normal = normal_pass,
                                           .polygon = polygon_pass,
                                           .work = work_pass,
                                           .true_cone = true_cone_pass,
                                           .record = record_pass,
                                           .coulomb = coulomb_pass,
                                           .largest = largest_pass};
