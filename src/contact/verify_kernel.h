/* The verifier's passes over eight contacts: straight lane-wise arithmetic, no reductions, so that every
 * vector width gives the same bits. Included once for each width by verify_kernel.c, verify_kernel_avx2.c and
 * verify_kernel_avx512.c, which name the table (VERIFY_KERNEL).
 */
#include "contact/verify_parts.h"

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

/* The second tangent n x t, and the impulse as a vector. */
static void frames_pass(const abuti_chunk *c, abuti_frames *g)
{
    LANES
    {
        double nx = g->normal[0][l], ny = g->normal[1][l], nz = g->normal[2][l];
        double tx = g->tangent[0][l], ty = g->tangent[1][l], tz = g->tangent[2][l];
        double bx = ny * tz - nz * ty, by = nz * tx - nx * tz, bz = nx * ty - ny * tx;
        g->binormal[0][l] = bx;
        g->binormal[1][l] = by;
        g->binormal[2][l] = bz;
        double p = c->impulse[0][l], x = c->impulse[1][l], y = c->impulse[2][l];
        g->push[0][l] = p * nx + x * tx + y * bx;
        g->push[1][l] = p * ny + x * ty + y * by;
        g->push[2][l] = p * nz + x * tz + y * bz;
    }
}

/* row M^-1 row' of the row (a, r x a) on one body. */
#define ROW_SQUARE(a, rx, ry, rz)                                                                            \
    double m1 = ry * a[2][l] - rz * a[1][l], m2 = rz * a[0][l] - rx * a[2][l],                               \
           m3 = rx * a[1][l] - ry * a[0][l];                                                                 \
    m2 -= s->lower[0][l] * m1;                                                                               \
    m3 -= s->lower[1][l] * m1 + s->lower[2][l] * m2;                                                         \
    double square = m1 * m1 * s->inverse_pivot[0][l] + m2 * m2 * s->inverse_pivot[1][l] +                    \
                    m3 * m3 * s->inverse_pivot[2][l]

/* One side of the contacts: its share of u and of s^2, and the moment of the impulse about its centre of
 * mass. */
static void side_pass(abuti_chunk *c, const abuti_frames *g, abuti_side *s, double sign)
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

/* s of normal and tangents. A contact whose tangents cannot move takes s of the normal for both, and the
 * other way round, so that a useless impulse is still seen; where nothing can move, s is 1 and any impulse at
 * all is wrong. */
static void sizes_pass(abuti_chunk *c, abuti_findings *f)
{
    LANES
    {
        double n = sqrt(c->square[0][l]), t = sqrt(larger(c->square[1][l], c->square[2][l]));
        double any = larger(n, t);
        any = any > 0.0 ? any : 1.0;
        c->size[0][l] = n > 0.0 ? n : any;
        c->size[1][l] = t > 0.0 ? t : any;
        double offset = larger(fabs(c->offset[1][l]), fabs(c->offset[2][l])) / c->size[1][l];
        offset = larger(offset, fabs(c->offset[0][l]) / c->size[0][l]);
        f->offset[l] = larger(f->offset[l], abuti_finite_or_infinite(offset));
        double pushes = larger(fabs(c->impulse[1][l]), fabs(c->impulse[2][l])) * c->size[1][l];
        pushes = larger(pushes, fabs(c->impulse[0][l]) * c->size[0][l]);
        f->impulse[l] = larger(f->impulse[l], abuti_finite_or_infinite(pushes));
    }
}

/* 0 <= normal impulse perp gap velocity >= 0. */
static void normal_pass(const abuti_chunk *c, abuti_findings *f, double *error)
{
    LANES
    {
        double e = natural(c->impulse[0][l] * c->size[0][l], c->velocity[0][l] / c->size[0][l]);
        e = abuti_finite_or_infinite(e);
        f->normal[l] = larger(f->normal[l], e);
        error[l] = larger(error[l], e);
    }
}

/* Coulomb friction on the polygon (Lloyd eqs. 4, 5). The friction impulse is written with the two
 * neighbouring vertices between which it points, phi_k and phi_k+1, all other phi being 0; lambda is the
 * smallest that makes every sigma_j = d_j.u + lambda nonnegative. What is left to ask: phi_k perp sigma_k,
 * phi_k+1 perp sigma_k+1 (direction), and 0 <= lambda perp gamma = mu theta - sum phi >= 0 (cone). */
static void polygon_pass(const abuti_chunk *c, const abuti_polygon *p, abuti_findings *f, double *error)
{
    double reach[ABUTI_LANES], ax[ABUTI_LANES], ay[ABUTI_LANES], lambda[ABUTI_LANES];
    LANES
    {
        reach[l] = -INFINITY;
        ax[l] = ay[l] = lambda[l] = 0.0;
    }
    for (int k = 0; k < p->d; ++k) {
        double x = p->x[k], y = p->y[k];
        double vertex_x = p->kappa * x + p->half * y, vertex_y = p->kappa * y - p->half * x;
        LANES
        {
            double along = x * c->impulse[1][l] + y * c->impulse[2][l];
            int further = along > reach[l];
            reach[l] = further ? along : reach[l];
            ax[l] = further ? x : ax[l];
            ay[l] = further ? y : ay[l];
            lambda[l] = larger(lambda[l], -(vertex_x * c->velocity[1][l] + vertex_y * c->velocity[2][l]));
        }
    }
    double inverse_kappa = 1.0 / p->kappa, inverse_half = 1.0 / p->half;
    LANES
    {
        double fx = c->impulse[1][l], fy = c->impulse[2][l], ux = c->velocity[1][l], uy = c->velocity[2][l];
        double s = c->size[1][l], inverse_s = 1.0 / s;
        double sum = reach[l] * inverse_kappa, difference = (ax[l] * fy - ay[l] * fx) * inverse_half;
        double low = 0.5 * (sum - difference), high = 0.5 * (sum + difference);
        double ka = p->kappa * (ax[l] * ux + ay[l] * uy), he = p->half * (ax[l] * uy - ay[l] * ux);
        double sigma_low = ka - he + lambda[l], sigma_high = ka + he + lambda[l];
        double cone = natural(lambda[l] * inverse_s, (c->mu[l] * c->impulse[0][l] - sum) * s);
        double direction = larger(abuti_finite_or_infinite(natural(low * s, sigma_low * inverse_s)),
                                  abuti_finite_or_infinite(natural(high * s, sigma_high * inverse_s)));
        cone = abuti_finite_or_infinite(cone);
        int mine = c->directions[l] == p->d;
        cone = mine ? cone : 0.0;
        direction = mine ? direction : 0.0;
        f->cone[l] = larger(f->cone[l], cone);
        f->direction[l] = larger(f->direction[l], direction);
        error[l] = larger(error[l], larger(cone, direction));
    }
}

/* The true cone: 0 <= |u_t| perp mu theta - |f| >= 0, and f opposite to u_t where it slips. And the work of
 * friction, which may not be positive. */
static void true_cone_pass(const abuti_chunk *c, abuti_findings *f)
{
    LANES
    {
        double fx = c->impulse[1][l], fy = c->impulse[2][l], ux = c->velocity[1][l], uy = c->velocity[2][l];
        double s = c->size[1][l], inverse_s = 1.0 / s;
        double force = sqrt(fx * fx + fy * fy), slip = sqrt(ux * ux + uy * uy);
        double inverse_slip = slip > 0.0 ? 1.0 / slip : 0.0;
        double dx = fx + force * ux * inverse_slip, dy = fy + force * uy * inverse_slip;
        double cone = natural(slip * inverse_s, (c->mu[l] * c->impulse[0][l] - force) * s);
        double direction = natural(sqrt(dx * dx + dy * dy) * s, slip * inverse_s);
        cone = larger(abuti_finite_or_infinite(cone), abuti_finite_or_infinite(direction));
        f->true_cone[l] = larger(f->true_cone[l], cone);

        double work = abuti_finite_or_infinite(larger(fx * ux + fy * uy, 0.0) + 0.0 * (force + slip));
        double power = work > 0.0 ? work / (force * s) : 0.0;
        f->work[l] = larger(f->work[l], work);
        f->power[l] = larger(f->power[l], power);
    }
}

/* Remembers which contact is worst. */
static void record_pass(const abuti_chunk *c, const double *error, abuti_findings *f)
{
    LANES
    {
        int worse = error[l] > f->worst[l];
        f->worst[l] = worse ? error[l] : f->worst[l];
        f->worst_contact[l] = worse ? (double)c->index[l] : f->worst_contact[l];
    }
}

const abuti_verify_kernel VERIFY_KERNEL = {frames_pass,  side_pass,      sizes_pass, normal_pass,
                                           polygon_pass, true_cone_pass, record_pass};
