/* The judge of Coulomb friction at the acceleration level (coulomb-accel). u and p of a chunk are
 * accelerations and forces here; `before` is the velocity, which says who slides.
 *
 *     normal     |min(theta s, a_n / s)|, as everywhere; |theta s| where n.v > slide_threshold: it separates
 *     dynamic    |v_t| > slide_threshold: |f + mu theta v_t / |v_t|| s_t
 *     static     with two directions, Coulomb's law on the segment; for a contact that asks for the circle, the
 *                natural map |f s - P(f s - a_t / s)| with P onto the disc of radius mu theta s, as at the velocity
 *                level; for all others, Coulomb's law on the round cone or on the polygon of accel.directions
 *                directions, whichever the answer satisfies better:
 *                    0 <= |a_t| perp mu theta - |f| >= 0,   f = -|f| a_t / |a_t| where a_t is not 0.
 *                The published condition f.a_t <= 0 is weaker and is not enough here: a box that spins on a
 *                slope where it should rest meets it.
 */
#include "base/length.h"
#include "contact/verify/parts.h"

/* An acceleration, scaled, that no force has to answer. */
#define FAR_AWAY 1e100

/* Friction of one lane: both components, or the first alone in the plane. */
typedef struct tangential {
    double fx, fy, ax, ay, s;
} tangential;

static double natural(double z, double w)
{
    return abuti_finite_or_infinite(fabs(fmin(z, w)) + 0.0 * (z + w));
}

static double round_error(const tangential *t, double cone)
{
    double force = abuti_length(t->fx, t->fy), slip = abuti_length(t->ax, t->ay),
           inverse = slip > 0.0 ? 1.0 / slip : 0.0;
    double across = abuti_length(t->fx + force * t->ax * inverse, t->fy + force * t->ay * inverse);
    return fmax(natural(slip / t->s, (cone - force) * t->s), natural(across * t->s, slip / t->s));
}

/* The force written with the two vertices between which it points, as in verify/kernel.inl. */
static double polygon_error(const tangential *t, double cone, const abuti_polygon *p)
{
    double reach = -INFINITY, lambda = 0.0, x = 1.0, y = 0.0;
    for (int k = 0; k < p->d; ++k) {
        double along = p->x[k] * t->fx + p->y[k] * t->fy;
        lambda = fmax(lambda, -(p->vertex_x[k] * t->ax + p->vertex_y[k] * t->ay));
        if (!(along > reach)) continue;
        reach = along;
        x = p->x[k];
        y = p->y[k];
    }
    double sum = reach / p->kappa, difference = (x * t->fy - y * t->fx) / p->half;
    double ka = p->kappa * (x * t->ax + y * t->ay), he = p->half * (x * t->ay - y * t->ax);
    double low = natural(0.5 * (sum - difference) * t->s, (ka - he + lambda) / t->s);
    double high = natural(0.5 * (sum + difference) * t->s, (ka + he + lambda) / t->s);
    return fmax(natural(lambda / t->s, (cone - sum) * t->s), fmax(low, high));
}

static void raise_cone(abuti_verification *v, int l, double wrong, double *error)
{
    abuti_raise(&v->findings->cone[l], wrong);
    abuti_raise(&error[l], wrong);
}

/* The natural map on the disc. Along f - a_t it gives what friction lacks, or the slip where f - a_t lies inside the
 * disc; the part across f - a_t is an error of direction. */
static void judge_disc(abuti_verification *v, const abuti_chunk *chunk, int l, double *error)
{
    double s = fmax(chunk->size[0][l], chunk->size[1][l]),
           radius = chunk->mu[l] * fmax(chunk->impulse[0][l], 0.0) * s;
    double fx = chunk->impulse[1][l] * s, fy = chunk->impulse[2][l] * s;
    double ax = chunk->velocity[1][l] / s, ay = chunk->velocity[2][l] / s, gx = fx - ax, gy = fy - ay;
    double length = abuti_length(gx, gy), whole = 0.0 * (fx + fy + ax + ay + radius);
    bool outside = length > radius;
    double along = outside ? fabs(radius - (fx * gx + fy * gy) / length) : abuti_length(ax, ay);
    double across = outside ? fabs(fx * gy - fy * gx) / length : 0.0;
    raise_cone(v, l, abuti_finite_or_infinite(along + whole), error);
    abuti_raise(&v->findings->direction[l], abuti_finite_or_infinite(across + whole));
    abuti_raise(&error[l], abuti_finite_or_infinite(across + whole));
    abuti_raise(&v->findings->true_cone[l], fmax(along, across));
}

static void judge_static(abuti_verification *v, const abuti_chunk *chunk, int l, double *error)
{
    tangential t = {chunk->impulse[1][l], chunk->impulse[2][l], chunk->velocity[1][l], chunk->velocity[2][l],
                    chunk->size[1][l]};
    double cone = chunk->mu[l] * chunk->impulse[0][l], exact = round_error(&t, cone);
    int directions = v->options->accel.directions;
    double wrong = exact;
    if (directions >= 3 && directions <= ABUT_DIRECTIONS_MAX)
        wrong = fmin(exact, polygon_error(&t, cone, abuti_polygon_of(directions, &v->polygon)));
    raise_cone(v, l, wrong, error);
    abuti_raise(&v->findings->true_cone[l], exact);
    double work = t.fx * t.ax + t.fy * t.ay, force = abuti_length(t.fx, t.fy) * t.s;
    abuti_raise(&v->findings->work[l], fmax(work, 0.0));
    abuti_raise(&v->findings->power[l], work > 0.0 ? work / force : 0.0);
}

static void judge_dynamic(abuti_verification *v, const abuti_chunk *chunk, int l, double speed, double *error)
{
    double cone = chunk->mu[l] * chunk->impulse[0][l] / speed;
    double x = chunk->impulse[1][l] + cone * chunk->before[1][l];
    double y = chunk->impulse[2][l] + (chunk->directions[l] == 2 ? 0.0 : cone * chunk->before[2][l]);
    double wrong = abuti_length(x, y) * chunk->size[1][l];
    raise_cone(v, l, wrong, error);
    abuti_raise(&v->findings->true_cone[l], wrong);
}

/* A contact that separates faster than slide_threshold already. */
static bool parts(const abuti_verification *v, const abuti_chunk *chunk, int l)
{
    return chunk->before[0][l] > v->options->accel.slide_threshold;
}

/* The normal condition. For contacts that separate it is theta = 0 alone, as if they accelerated away. */
static void judge_normals(abuti_verification *v, const abuti_chunk *chunk, double *error)
{
    bool any = false;
    for (int l = 0; l < chunk->count; ++l) any = any || parts(v, chunk, l);
    if (!any) {
        v->kernel->normal(chunk, v->findings, error);
        return;
    }
    abuti_chunk freed = *chunk;
    for (int l = 0; l < chunk->count; ++l)
        if (parts(v, chunk, l)) freed.velocity[0][l] = FAR_AWAY * freed.size[0][l];
    v->kernel->normal(&freed, v->findings, error);
}

void abuti_judge_accel(abuti_verification *v, const abuti_chunk *chunk)
{
    ABUTI_ALIGNED double error[ABUTI_LANES] = {0};
    judge_normals(v, chunk, error);
    for (int l = 0; l < chunk->count; ++l) {
        bool planar = chunk->directions[l] == 2;
        double speed =
            planar ? fabs(chunk->before[1][l]) : abuti_length(chunk->before[1][l], chunk->before[2][l]);
        if (chunk->mu[l] == 0.0 || parts(v, chunk, l)) {
            double force = abuti_length(chunk->impulse[1][l], chunk->impulse[2][l]) * chunk->size[1][l];
            raise_cone(v, l, force, error);
        } else if (speed > v->options->accel.slide_threshold) {
            judge_dynamic(v, chunk, l, speed, error);
        } else if (planar) {
            abuti_judge_planar(chunk, l, v->findings, error);
        } else if (v->problem->contacts[chunk->index[l]].cone == ABUT_CONE_CIRCLE) {
            judge_disc(v, chunk, l, error);
        } else {
            judge_static(v, chunk, l, error);
        }
    }
    v->kernel->record(chunk, error, v->findings);
}
