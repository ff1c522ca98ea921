/* Included by verify/kernel.inl.
 *
 * Contacts in registers: what the verifier computes about each, piece by piece, for as many contacts as a
 * register holds (verify/lanes.inl). A piece takes and gives structs of registers and adds to the findings;
 * verify/kernel.inl makes of them the passes over chunks in memory, and the one pass over a run of contacts
 * that have nothing special. */
#ifndef ABUTI_CONTACT_VERIFY_CONTACT_INL
#define ABUTI_CONTACT_VERIFY_CONTACT_INL

#include "contact/verify/lanes.inl"
#include "contact/verify/parts.h"

/* Geometry. */
typedef struct frame {
    vec point[3], normal[3], tangent[3], binormal[3];
    vec push[3]; /* the impulse on A as a vector */
} frame;

/* One body. */
typedef struct body {
    vec com[3], linear[3], angular[3];
    vec inverse_mass, lower[3], inverse_pivot[3];
} body;

/* What a judge looks at: as in abuti_chunk. */
typedef struct touch {
    vec impulse[3], velocity[3], mu;
    vec size[2], inverse_size[2];
} touch;

static inline vec dot(const vec a[3], const vec b[3])
{
    return madd(a[2], b[2], madd(a[1], b[1], a[0] * b[0]));
}

static inline void cross(const vec a[3], const vec b[3], vec out[3])
{
    out[0] = msub(a[2], b[1], a[1] * b[2]);
    out[1] = msub(a[0], b[2], a[2] * b[0]);
    out[2] = msub(a[1], b[0], a[0] * b[1]);
}

static inline void add_cross(const vec a[3], const vec b[3], vec sum[3])
{
    sum[0] = msub(a[2], b[1], madd(a[1], b[2], sum[0]));
    sum[1] = msub(a[0], b[2], madd(a[2], b[0], sum[1]));
    sum[2] = msub(a[1], b[0], madd(a[0], b[1], sum[2]));
}

/* The axis with the least |n_k|, the lowest k on a tie. */
static inline void least_axis(const vec n[3], vec axis[3])
{
    const vec zero = {0}, one = all_lanes(1.0);
    vec x = magnitude(n[0]), y = magnitude(n[1]), z = magnitude(n[2]);
    mask x_least = at_most(x, smaller(y, z)), y_below = at_most(y, z);
    axis[0] = choose(x_least, one, zero);
    axis[1] = choose(y_below, one - axis[0], zero);
    axis[2] = (one - axis[0]) - axis[1];
}

/* Normal and tangent made exact, the second tangent n x t. With c = n.t / n.n the tangent without its
 * part along the normal is t - c n, and its square is t.t - c n.t; so nothing waits for the exact normal. A tangent
 * that is not given is made from an axis, and its square is then at least 2/3. Where the mask is false, normal and
 * tangent are too far from exact for this. */
static inline mask make_exact(frame *g)
{
    const vec zero = {0}, one = all_lanes(1.0);
    vec nn = dot(g->normal, g->normal), tt = dot(g->tangent, g->tangent), tn = dot(g->tangent, g->normal);
    mask absent = at_most(tt, zero);
    bool some = !in_none(absent);
    if (some) {
        vec axis[3];
        least_axis(g->normal, axis);
        for (int k = 0; k < 3; ++k) g->tangent[k] = choose(absent, axis[k], g->tangent[k]);
        tn = dot(g->tangent, g->normal);
    }
    vec across = choose(absent, zero, tn), length2 = choose(absent, one, tt);
    mask near = both(both(at_most(magnitude(nn - 1.0), all_lanes(ABUTI_NEARLY_ONE)),
                          at_most(magnitude(length2 - 1.0), all_lanes(ABUTI_NEARLY_ONE))),
                     at_most(magnitude(across), all_lanes(ABUTI_NEARLY_ACROSS)));
    vec root = inverse_root_near_one(nn), c = tn * (root * root), left = msub(c, tn, length2);
    vec tangent_root = inverse_root_near_one(left);
    if (some) tangent_root = choose(absent, inverse_root_to_rounding(left), tangent_root);
    for (int k = 0; k < 3; ++k) {
        g->tangent[k] = msub(c, g->normal[k], g->tangent[k]) * tangent_root;
        g->normal[k] *= root;
    }
    cross(g->normal, g->tangent, g->binormal);
    return near;
}

static inline void add_push(frame *g, const vec impulse[3])
{
    for (int k = 0; k < 3; ++k)
        g->push[k] =
            madd(impulse[2], g->binormal[k], madd(impulse[1], g->tangent[k], impulse[0] * g->normal[k]));
}

/* row M^-1 row' of the row (axis, arm x axis). */
static inline vec row_square(const body *b, const vec axis[3], const vec arm[3])
{
    vec m[3];
    cross(arm, axis, m);
    m[1] = msub(b->lower[0], m[0], m[1]);
    m[2] = msub(b->lower[2], m[1], msub(b->lower[1], m[0], m[2]));
    vec sum = b->inverse_mass;
    for (int k = 0; k < 3; ++k) sum = madd(m[k] * m[k], b->inverse_pivot[k], sum);
    return sum;
}

/* One side of the contacts: its share of u, its share of s^2, and the moment of impulses about its centre of mass. */
static inline void add_side(const frame *g, const body *b, bool first_side, vec velocity[3], vec square[3],
                            vec moment[3])
{
    vec arm[3], u[3] = {b->linear[0], b->linear[1], b->linear[2]};
    for (int k = 0; k < 3; ++k) arm[k] = g->point[k] - b->com[k];
    add_cross(b->angular, arm, u);
    const vec *axis[3] = {g->normal, g->tangent, g->binormal};
    for (int k = 0; k < 3; ++k) {
        vec along = dot(axis[k], u);
        velocity[k] = first_side ? velocity[k] + along : velocity[k] - along;
        square[k] += row_square(b, axis[k], arm);
    }
    add_cross(arm, g->push, moment);
}

/* s of normal and tangents. A contact whose tangents cannot move takes s of the normal for both, and the
 * other way round, so that a useless impulse is still seen; where nothing can move, s is 1 and any impulse at
 * all is wrong. */
static inline void take_sizes(const vec square[3], touch *c)
{
    const vec zero = {0};
    vec n2 = square[0], t2 = larger(square[1], square[2]), any = larger(n2, t2);
    any = choose(below(zero, any), any, all_lanes(1.0));
    n2 = choose(below(zero, n2), n2, any);
    t2 = choose(below(zero, t2), t2, any);
    c->inverse_size[0] = inverse_root(n2);
    c->inverse_size[1] = inverse_root(t2);
    c->size[0] = n2 * c->inverse_size[0];
    c->size[1] = t2 * c->inverse_size[1];
}

/* The larger of three numbers, the first measured by one size, the others by another. */
static inline vec largest_of(const vec x[3], const vec by[2])
{
    return larger(larger(magnitude(x[1]), magnitude(x[2])) * by[1], magnitude(x[0]) * by[0]);
}

/* Raises a finding, lanes from `first` on. */
static inline void raise(double *finding, int first, vec error)
{
    STORE(finding, larger(LOAD(finding), error));
}

static inline void note_impulses(const touch *c, abuti_findings *f, int first)
{
    raise(f->impulse, first, finite_or_infinite(largest_of(c->impulse, c->size)));
}

/* 0 <= normal impulse perp gap velocity >= 0. */
static inline vec judge_normal(const touch *c, abuti_findings *f, int first)
{
    vec error = natural(c->impulse[0] * c->size[0], c->velocity[0] * c->inverse_size[0]);
    raise(f->normal, first, error);
    return error;
}

/* What going round all edges and vertices of the polygon tells. */
typedef struct round_trip {
    vec reach; /* of the friction impulse along the edge normal it reaches furthest */
    vec x, y;  /* that normal */
    vec slip;  /* lambda */
} round_trip;

/* A polygon whose d is a multiple of four looks the same in all quadrants. The edges of the first quadrant, d/4 of them
 * between d/4 + 1 vertices, are then enough for the magnitudes of impulse and velocity; afterwards the normal is turned
 * to where the impulse points. For other d all edges are gone through. */
static inline round_trip go_round(const touch *c, const abuti_polygon *p, bool quarter)
{
    const vec *f = c->impulse + 1, *u = c->velocity + 1, zero = {0};
    const vec fx = quarter ? magnitude(f[0]) : f[0], fy = quarter ? magnitude(f[1]) : f[1];
    const vec ux = quarter ? magnitude(u[0]) : -u[0], uy = quarter ? magnitude(u[1]) : -u[1];
    const int edges = quarter ? p->d / 4 : p->d, last = quarter ? edges : 0;
    round_trip best = {.reach = madd(all_lanes(p->x[0]), fx, p->y[0] * fy),
                       .x = all_lanes(p->x[0]),
                       .y = all_lanes(p->y[0]),
                       .slip = madd(all_lanes(p->vertex_x[last]), ux, p->vertex_y[last] * uy)};
    best.slip = larger(madd(all_lanes(p->vertex_x[0]), ux, p->vertex_y[0] * uy), larger(best.slip, zero));
    for (int k = 1; k < edges; ++k) {
        vec along = madd(all_lanes(p->x[k]), fx, p->y[k] * fy);
        vec against = madd(all_lanes(p->vertex_x[k]), ux, p->vertex_y[k] * uy);
        mask further = below(best.reach, along);
        best.x = choose(further, all_lanes(p->x[k]), best.x);
        best.y = choose(further, all_lanes(p->y[k]), best.y);
        best.reach = larger(along, best.reach);
        best.slip = larger(against, best.slip);
    }
    if (quarter) {
        best.x = turn(best.x, f[0]);
        best.y = turn(best.y, f[1]);
    }
    return best;
}

/* Coulomb friction on the polygon (Lloyd eqs. 4, 5). The friction impulse is written with the two
 * neighbouring vertices between which it points, phi_k and phi_k+1, all other phi being 0; lambda is the
 * smallest that makes every sigma_j = d_j.u + lambda nonnegative. What is left to ask: phi_k perp sigma_k,
 * phi_k+1 perp sigma_k+1 (direction), and 0 <= lambda perp gamma = mu theta - sum phi >= 0 (cone). */
static inline void judge_polygon(const touch *c, const abuti_polygon *p, vec *cone, vec *direction)
{
    const vec fx = c->impulse[1], fy = c->impulse[2], ux = c->velocity[1], uy = c->velocity[2];
    const vec s = c->size[1], inverse_s = c->inverse_size[1];
    round_trip at = p->d % 4 == 0 ? go_round(c, p, true) : go_round(c, p, false);
    vec sum = at.reach * p->over_kappa, difference = msub(at.y, fx, at.x * fy) * p->over_half;
    vec half_s = 0.5 * s, low = (sum - difference) * half_s, high = (sum + difference) * half_s;
    vec middle = madd(all_lanes(p->kappa), madd(at.x, ux, at.y * uy), at.slip);
    vec half = p->half * msub(at.y, ux, at.x * uy);
    *cone = natural(at.slip * inverse_s, (c->mu * c->impulse[0] - sum) * s);
    *direction =
        larger(natural(low, (middle - half) * inverse_s), natural(high, (middle + half) * inverse_s));
}

/* Coulomb's law on the circle, by the natural map, in one unit for all three axes of a contact (s, its largest):
 *
 *     f - P(f - u_t),   P(g) the point of the disc of radius mu theta that is nearest to g.
 *
 * Where g lies outside the disc friction must be at its limit along g: what it lacks along g is an error of the cone,
 * what lies across g one of direction (|f x u_t| / |f - u_t|). Where g lies inside, the map is the slip. */
static inline void judge_circle(const touch *c, vec *normal, vec *cone, vec *direction)
{
    const vec zero = {0}, s = larger(c->size[0], c->size[1]);
    const vec inverse_s = smaller(c->inverse_size[0], c->inverse_size[1]);
    vec fx = c->impulse[1] * s, fy = c->impulse[2] * s, x = c->velocity[1] * inverse_s,
        y = c->velocity[2] * inverse_s;
    vec radius = c->mu * larger(c->impulse[0], zero) * s, gx = fx - x, gy = fy - y;
    vec g2 = madd(gx, gx, gy * gy), u2 = madd(x, x, y * y);
    /* This root is taken to rounding: what friction lacks along g is the difference of two impulses, which may be much
     * larger than it. */
    vec by =
        choose(below(zero, g2), inverse_root_to_rounding(choose(below(zero, g2), g2, all_lanes(1.0))), zero);
    vec slip = u2 * choose(below(zero, u2), inverse_root(choose(below(zero, u2), u2, all_lanes(1.0))), zero);
    mask outside = below(radius, g2 * by);
    vec lacks = magnitude(msub(radius, all_lanes(1.0), madd(fx, gx * by, fy * (gy * by))));
    vec across = magnitude(msub(fx, gy * by, fy * (gx * by)));
    vec whole = 0.0 * ((fx + fy) + (x + y)) + 0.0 * radius; /* 0, or NaN where one of them is not finite */
    *normal = natural(c->impulse[0] * s, c->velocity[0] * inverse_s);
    *cone = finite_or_infinite(choose(outside, lacks, slip) + whole);
    *direction = finite_or_infinite(choose(outside, across, zero) + whole);
}

/* Friction may not do positive work. */
static inline void judge_work(const touch *c, abuti_findings *f, int first)
{
    const vec *push = c->impulse + 1, *u = c->velocity + 1, zero = {0};
    vec work = madd(push[0], u[0], push[1] * u[1]);
    vec force = larger(magnitude(push[0]), magnitude(push[1])) * c->size[1];
    mask gains = below(zero, work);
    raise(f->work, first, finite_or_infinite(larger(work, zero)));
    raise(f->power, first, choose(gains, work, zero) / choose(gains, force, all_lanes(1.0)));
}

/* Remembers which contact is worst. */
static inline void record_worst(double place, vec error, abuti_findings *f, int first)
{
    mask more = below(LOAD(f->worst), error);
    STORE(f->worst_place, choose(more, all_lanes(place), LOAD(f->worst_place)));
    STORE(f->worst, larger(error, LOAD(f->worst)));
}

/* The circle in place of whatever cone the contacts have, for information. */
static inline void note_true_cone(const touch *c, abuti_findings *f, int first)
{
    vec normal, cone, direction;
    judge_circle(c, &normal, &cone, &direction);
    raise(f->true_cone, first, larger(cone, direction));
}

/* Everything about friction, for contacts that all have the polygon p (NULL: that all have circles). */
static inline void judge_friction(const touch *c, const abuti_polygon *p, double place, abuti_findings *f,
                                  int first)
{
    vec cone, direction, error = judge_normal(c, f, first);
    if (p) {
        judge_polygon(c, p, &cone, &direction);
    } else {
        vec normal;
        judge_circle(c, &normal, &cone, &direction);
        raise(f->normal, first, normal);
        error = larger(error, normal);
    }
    raise(f->cone, first, cone);
    raise(f->direction, first, direction);
    judge_work(c, f, first);
    record_worst(place, larger(error, larger(cone, direction)), f, first);
}

#endif
