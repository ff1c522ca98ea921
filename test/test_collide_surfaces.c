/* Distances of convex things from heightfields and meshes against brute force over all triangles, in poses that are random, touching,
 * parallel and degenerate.
 *
 * The oracle knows support functions, corners of triangles and whether a point is inside, nothing else. Of things that are apart
 * the two points prove that they are no further, and a direction for every triangle, found by search, that they are no nearer. Of
 * things that overlap a triangle exists that no direction parts from them. On surfaces that bound a convex solid depths are those
 * of the solid.
 *
 * ABUT_COLLIDE_POSES is the number of poses a pair and family. */
#include "check.h"
#include "collide_surfaces.h"

enum { TRIANGLES = 2 * FIELD_POINTS, NET = 60, POINTS = 1000 };

/* m: what is claimed is exact but for rounding; a search ends with steps of 1e-7. */
#define ROUNDING 1e-12
#define SEARCHED 1e-9
/* m: what a search may lack where the best direction is at a bend of the gap, as beside corners and edges. */
#define BENT 1e-5
/* m: where distances end. */
#define REACH 0.3
/* m: overlaps of closed surfaces that are shallower have the depth of the solid. */
#define SHALLOW 0.02
/* m: manifolds leave out points inside of what is flat; so deep these are not always repeated by others. */
#define DEEP (-0.4)

typedef struct triangle {
    double corners[3][3], normal[3];
} triangle;

typedef struct tally {
    long poses, apart, overlap, beyond;
    double points, nearer, deeper; /* the worst of each check */
} tally;

static int triangles_of(const abut_shape *s, triangle *out)
{
    abut_mesh *own = s->kind == ABUT_HEIGHTFIELD ? surface_mesh_of(s->heightfield) : NULL;
    abut_mesh_def def = abut_mesh_get(own ? own : s->mesh);
    for (int i = 0; i < def.triangle_count; ++i) {
        double e[3], f[3];
        for (int k = 0; k < 3; ++k) abuti_v3_copy(out[i].corners[k], def.vertices[def.triangles[i][k]]);
        abuti_v3_sub(e, out[i].corners[1], out[i].corners[0]);
        abuti_v3_sub(f, out[i].corners[2], out[i].corners[0]);
        abuti_v3_cross(out[i].normal, e, f);
        abuti_v3_normalise(out[i].normal);
    }
    int count = def.triangle_count;
    abut_mesh_destroy(own);
    return count;
}

/* How far a convex thing is from a triangle along a direction. */
static double gap_along(const posed *a, const triangle *t, const double n[3])
{
    double into[3] = {-n[0], -n[1], -n[2]}, most = -INFINITY;
    for (int k = 0; k < 3; ++k) most = fmax(most, abuti_v3_dot(n, t->corners[k]));
    return -search_support(&a->shape, &a->pose, into) - most;
}

/* Climbs from a direction until the gap is as wanted, by random steps that get smaller when they do not help. */
static double climb(const posed *a, const triangle *t, uint64_t *state, double n[3], double wanted)
{
    double here = gap_along(a, t, n);
    for (double step = 0.3; step > 1e-7 && here < wanted;) {
        bool better = false;
        for (int k = 0; k < 150 && !better; ++k) {
            double m[3], d[3];
            random_direction(state, d);
            abuti_v3_add_scaled(m, n, step, d);
            abuti_v3_normalise(m);
            double there = gap_along(a, t, m);
            better = there > here;
            if (!better) continue;
            here = there;
            abuti_v3_copy(n, m);
        }
        if (!better) step *= 0.75;
    }
    return here;
}

/* From the point of a triangle that is nearest to a place, towards it. */
static void towards(const triangle *t, const double place[3], double n[3])
{
    double from[3], least = INFINITY;
    bool over = true;
    for (int k = 0; k < 3; ++k) {
        double e[3], out[3], apart[3];
        abuti_v3_sub(e, t->corners[(k + 1) % 3], t->corners[k]);
        abuti_v3_sub(from, place, t->corners[k]);
        abuti_v3_cross(out, e, t->normal);
        over = over && abuti_v3_dot(from, out) <= 0;
        abuti_v3_add_scaled(apart, from, -fmin(fmax(abuti_v3_dot(from, e) / abuti_v3_dot(e, e), 0), 1), e);
        double length = abuti_v3_normalise(apart);
        if (length < least) abuti_v3_copy(n, apart);
        least = fmin(least, length);
    }
    if (over) abuti_v3_scale(n, abuti_v3_dot(from, t->normal) < 0 ? -1 : 1, t->normal);
}

/* The largest gap over all directions, or any that is as large as wanted: out of a net, from the centre, and from the ends of what
 * is long. */
static double largest_gap(const posed *a, const triangle *t, uint64_t *state, double wanted, double best[3])
{
    double most = -INFINITY, n[3], axis[3] = {0, 0, 1}, end[3];
    abuti_quat_apply(axis, a->pose.rotation, axis);
    for (int i = -4; i < NET; ++i) {
        double z = 1 - (2 * i + 1.0) / NET, r = sqrt(fmax(1 - z * z, 0)), angle = 2.399963229728653 * i;
        abuti_v3_set(n, r * cos(angle), r * sin(angle), z);
        abuti_v3_add_scaled(end, a->pose.position, (i + 3) * a->shape.half_length, axis);
        if (i < -1) towards(t, end, n);
        if (i == -1) abuti_v3_copy(n, t->normal);
        double gap = gap_along(a, t, n);
        if (gap > most) abuti_v3_copy(best, n);
        most = fmax(most, gap);
    }
    return most >= wanted ? most : climb(a, t, state, best, wanted);
}

/* Whether nothing of a thing is before the plane of a triangle, up to rounding. */
static bool behind(const posed *a, const triangle *t)
{
    return search_support(&a->shape, &a->pose, t->normal) < abuti_v3_dot(t->normal, t->corners[0]) + 1e-8;
}

static double distance_of_point(const double p[3], const triangle *t)
{
    posed point = {{.kind = ABUT_SPHERE, .radius = 0}, {.rotation = {1, 0, 0, 0}}};
    uint64_t state = 1;
    double from[3], best[3], above;
    abuti_v3_copy(point.pose.position, p);
    abuti_v3_sub(from, p, t->corners[0]);
    above = fabs(abuti_v3_dot(from, t->normal));
    return above > 1e-9 ? above : fmax(above, largest_gap(&point, t, &state, 1e-9, best));
}

static void check_apart(const posed *a, const triangle *t, int count, const abut_closest *c, uint64_t *state,
                        const char *what, tally *tally)
{
    double off = INFINITY;
    for (int i = 0; i < count && c->distance < REACH; ++i)
        off = fmin(off, distance_of_point(c->point_b, &t[i]));
    if (c->distance < REACH) {
        CHECK_MSG(search_contains(&a->shape, &a->pose, c->point_a), "%s: A's point, distance %g", what,
                  c->distance);
        CHECK_MSG(off < SEARCHED, "%s: the point on the surface is %g off", what, off);
    }
    for (int i = 0; i < count; ++i) {
        if (behind(a, &t[i])) continue;
        double gap = c->distance < REACH ? gap_along(a, &t[i], c->normal) : -INFINITY, n[3];
        if (gap < c->distance - ROUNDING) gap = fmax(gap, largest_gap(a, &t[i], state, c->distance, n));
        /* What is beside a triangle and behind it is not near to it. */
        if (gap > -SEARCHED && gap < c->distance - SEARCHED && abuti_v3_dot(n, t[i].normal) < 0) continue;
        tally->nearer = fmax(tally->nearer, c->distance - gap);
        CHECK_MSG(gap >= c->distance - BENT, "%s: distance %.12g, but a triangle is at %.12g", what,
                  c->distance, gap);
    }
    tally->apart++;
}

static void check_overlap(const posed *a, const triangle *t, int count, const abut_closest *c, bool solid,
                          uint64_t *state, const char *what)
{
    double least = INFINITY;
    bool below = false;
    double n[3];
    for (int i = 0; i < count && least > SEARCHED; ++i) {
        if (!behind(a, &t[i])) least = fmin(least, largest_gap(a, &t[i], state, INFINITY, n));
        below = below || behind(a, &t[i]);
    }
    CHECK_MSG(least <= SEARCHED || (solid && below), "%s: depth %.12g, but nothing is nearer than %.12g",
              what, -c->distance, least);
}

/* Whether the centre of a thing looks down on the surface. */
static bool above(const posed *a, const posed *surface)
{
    abut_ray ray = {.direction = {0, 0, -10}};
    abut_ray_hit hit;
    abuti_v3_copy(ray.origin, a->pose.position);
    return abut_shape_ray(&surface->shape, &surface->pose, &ray, &hit);
}

static void check_pose(const posed *a, const posed *surface, const abut_shape *solid, uint64_t *state,
                       const char *what, tally *tally)
{
    triangle t[TRIANGLES];
    static abut_manifold_point p[POINTS];
    abut_closest c;
    double v[3], least = REACH;
    int count = triangles_of(&surface->shape, t), n = 0;
    CHECK(abut_shape_distance(&a->shape, &a->pose, &surface->shape, &surface->pose, REACH, &c) == ABUT_OK);
    CHECK(abut_shape_manifold(&a->shape, &a->pose, &surface->shape, &surface->pose, REACH, NULL, p, POINTS,
                              &n) == ABUT_OK);
    for (int i = 0; i < n; ++i) least = fmin(least, p[i].gap);
    tally->poses++;
    if (c.distance < REACH) {
        abuti_v3_sub(v, c.point_a, c.point_b);
        abuti_v3_add_scaled(v, v, -c.distance, c.normal);
        tally->points = fmax(tally->points, abuti_v3_length(v));
        CHECK_MSG(abuti_v3_length(v) <= ROUNDING, "%s: points are %g off", what, abuti_v3_length(v));
    }
    CHECK_MSG(fabs(least - c.distance) <= SEARCHED || c.distance < DEEP,
              "%s: distance %.12g, of the manifold %.12g", what, c.distance, least);
    bool is_field = surface->shape.kind == ABUT_HEIGHTFIELD;
    if (c.distance >= REACH && !above(a, surface)) {
        tally->beyond++; /* what is under a surface is not near to it */
    } else if (c.distance > 0) {
        check_apart(a, t, count, &c, state, what, tally);
    } else {
        tally->overlap++;
        check_overlap(a, t, count, &c, is_field, state, what);
    }
    abut_closest d;
    if (!solid) return;
    abut_shape_distance(&a->shape, &a->pose, solid, &surface->pose, REACH, &d);
    if (fabs(d.distance) > SHALLOW) return;
    tally->deeper = fmax(tally->deeper, fabs(c.distance - d.distance));
    CHECK_MSG(fabs(c.distance - d.distance) <= 1e-8, "%s: distance %.12g, of the solid %.12g", what,
              c.distance, d.distance);
}

static void test_surfaces(void)
{
    uint64_t state = check_seed(51);
    solids s = solids_make();
    surfaces ground;
    surfaces_make(&ground, &state);
    int poses = poses_wanted(3);
    abut_shape block = {.kind = ABUT_BOX, .half = {1, 0.75, 0.5}},
               octahedron = {.kind = ABUT_CONVEX, .convex = s.at[2]};
    for (int i = 0; i < CONVEX_KINDS; ++i) {
        for (int j = 0; j < SURFACE_KINDS; ++j) {
            posed a, b = {surface_shape(&ground, (surface_kind)j), {.rotation = {1, 0, 0, 0}}};
            const abut_shape *solid = j == SURFACE_BLOCK        ? &block
                                      : j == SURFACE_OCTAHEDRON ? &octahedron
                                                                : NULL;
            tally t = {0};
            for (int k = 0; k < poses * POSE_FAMILIES; ++k) {
                pose_family family = (pose_family)(k % POSE_FAMILIES);
                char what[100];
                random_on_surface(&state, &s, family, convex_kinds[i], &a, &b);
                snprintf(what, sizeof what, "%s on %s, %s (%d)", abut_shape_kind_name(convex_kinds[i]),
                         surface_names[j], pose_family_names[family], k);
                check_pose(&a, &b, solid, &state, what, &t);
            }
            if (!getenv("ABUT_COLLIDE_POSES")) continue;
            printf(
                "       %-9s %-15s %ld poses, %ld apart, %ld overlap; points %.1g, nearer %.1g, solid %.1g\n",
                abut_shape_kind_name(convex_kinds[i]), surface_names[j], t.poses, t.apart, t.overlap,
                t.points, t.nearer, t.deeper);
        }
    }
    surfaces_destroy(&ground);
    solids_destroy(&s);
}

int main(void)
{
    RUN(test_surfaces);
    return check_report();
}
