/* Distances of convex things from heightfields and meshes against brute force over all triangles, in poses that are random, touching,
 * parallel and degenerate.
 *
 * The oracle knows support functions, corners of triangles and whether a point is inside, nothing else (collide_nearest.h). Of things
 * that are apart the two points prove that they are no further, and a direction for every triangle that they are no nearer. Of
 * things that overlap a triangle exists that has a point in common with them. On surfaces that bound a convex solid depths are
 * those of the solid.
 *
 * ABUT_COLLIDE_POSES is the number of poses a pair and family. */
#include "check.h"
#include "collide_nearest.h"
#include "collide_surfaces.h"

enum { TRIANGLES = 2 * FIELD_POINTS, POINTS = 1000 };

/* m: what is claimed is exact but for rounding, and so is what proves it. */
#define ROUNDING 1e-12
/* m: where distances end. */
#define REACH 0.3
/* m: overlaps of closed surfaces that are shallower have the depth of the solid. */
#define SHALLOW 0.02
/* m: manifolds leave out points inside of what is flat; so deep these are not always repeated by others. */
#define DEEP (-0.4)

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

/* Whether nothing of a thing is before the plane of a triangle, up to rounding. */
static bool behind(const posed *a, const triangle *t)
{
    return search_support(&a->shape, &a->pose, t->normal) < abuti_v3_dot(t->normal, t->corners[0]) + 1e-8;
}

static double distance_of_point(const double p[3], const triangle *t)
{
    posed point = {{.kind = ABUT_SPHERE, .radius = 0}, {.rotation = {1, 0, 0, 0}}};
    abuti_v3_copy(point.pose.position, p);
    return nearest_of(&point, t, t->normal).most;
}

static void check_apart(const posed *a, const triangle *t, int count, const abut_closest *c, const char *what,
                        tally *tally)
{
    double off = INFINITY;
    for (int i = 0; i < count && c->distance < REACH; ++i)
        off = fmin(off, distance_of_point(c->point_b, &t[i]));
    if (c->distance < REACH) {
        CHECK_MSG(search_contains(&a->shape, &a->pose, c->point_a), "%s: A's point, distance %g", what,
                  c->distance);
        CHECK_MSG(off < ROUNDING, "%s: the point on the surface is %g off", what, off);
    }
    for (int i = 0; i < count; ++i) {
        if (behind(a, &t[i])) continue;
        nearest n = nearest_or_parted(a, &t[i], c->distance < REACH ? c->normal : t[i].normal);
        /* What is beside a triangle and behind it is not near to it. */
        if (n.gap > -ROUNDING && n.gap < c->distance - ROUNDING && abuti_v3_dot(n.direction, t[i].normal) < 0)
            continue;
        tally->nearer = fmax(tally->nearer, c->distance - n.gap);
        CHECK_MSG(n.gap >= c->distance - ROUNDING, "%s: distance %.12g, but a triangle is at %.12g to %.12g",
                  what, c->distance, n.gap, n.most);
    }
    tally->apart++;
}

static void check_overlap(const posed *a, const triangle *t, int count, const abut_closest *c, bool solid,
                          const char *what)
{
    double least = INFINITY;
    bool below = false;
    for (int i = 0; i < count && least > ROUNDING; ++i) {
        if (!behind(a, &t[i])) least = fmin(least, nearest_of(a, &t[i], t[i].normal).most);
        below = below || behind(a, &t[i]);
    }
    CHECK_MSG(least <= ROUNDING || (solid && below), "%s: depth %.12g, but nothing is nearer than %.12g",
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

static void check_pose(const posed *a, const posed *surface, const abut_shape *solid, const char *what,
                       tally *tally)
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
    CHECK_MSG(fabs(least - c.distance) <= ROUNDING || c.distance < DEEP,
              "%s: distance %.12g, of the manifold %.12g", what, c.distance, least);
    bool is_field = surface->shape.kind == ABUT_HEIGHTFIELD;
    if (c.distance >= REACH && !above(a, surface)) {
        tally->beyond++; /* what is under a surface is not near to it */
    } else if (c.distance > -ROUNDING) {
        check_apart(a, t, count, &c, what, tally);
    } else {
        tally->overlap++;
        check_overlap(a, t, count, &c, is_field, what);
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
                check_pose(&a, &b, solid, what, &t);
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

static void expect(const posed *a, const posed *b, double distance, const char *what)
{
    abut_manifold_point p[POINTS];
    abut_closest c;
    double least = INFINITY;
    int n = 0;
    CHECK(abut_shape_distance(&a->shape, &a->pose, &b->shape, &b->pose, REACH, &c) == ABUT_OK);
    CHECK(abut_shape_manifold(&a->shape, &a->pose, &b->shape, &b->pose, REACH, NULL, p, POINTS, &n) ==
          ABUT_OK);
    for (int i = 0; i < n; ++i) least = fmin(least, p[i].gap);
    CHECK_MSG(fabs(c.distance - distance) <= ROUNDING, "%s: distance %.17g", what, c.distance);
    CHECK_MSG(fabs(least - distance) <= ROUNDING, "%s: of the manifold %.17g", what, least);
}

/* The tip of an octahedron over the ridge between two triangles: it stands over neither of them. */
static void test_tip_over_ridge(void)
{
    static const double at[4][3] = {{-1.5, -1.25, 0}, {-1, -1.25, 0.5}, {-1, -0.75, 0.25}, {-0.5, -0.75, 0}};
    static const int of[2][3] = {{0, 1, 2}, {1, 3, 2}};
    solids s = solids_make();
    abut_mesh *mesh = surface_mesh(4, at, 2, of);
    posed b = {{.kind = ABUT_MESH, .mesh = mesh}, {.rotation = {1, 0, 0, 0}}},
          a = {{.kind = ABUT_CONVEX, .convex = s.at[2]},
               {.position = {-1, -0.75, 1}, .rotation = {0.70710678118654757, 0, 0, 0.70710678118654757}}};
    expect(&a, &b, 0.05 * 2 / sqrt(5), "tip over ridge");
    abut_mesh_destroy(mesh);
    solids_destroy(&s);
}

/* The rim of a cylinder that leans by 35 degrees is lowest on the edge between two triangles of one plane. */
static void test_rim_on_flat_edge(void)
{
    static const double at[4][3] = {{-1, 0.25, 0}, {-0.5, 0.25, 0.25}, {-0.5, 0.75, 0.5}, {-1, 0.75, 0.25}};
    static const int of[2][3] = {{0, 1, 2}, {0, 2, 3}};
    abut_mesh *mesh = surface_mesh(4, at, 2, of);
    double r = 0.635, h = 0.25, along = r / sqrt(2), gap = 0.001;
    posed b = {{.kind = ABUT_MESH, .mesh = mesh}, {.rotation = {1, 0, 0, 0}}},
          a = {{.kind = ABUT_CYLINDER, .radius = r, .half_length = h},
               {.position = {-1, 0.25, along + h + gap * sqrt(1.5)}, .rotation = {1, 0, 0, 0}}};
    for (int k = 0; k < 3; ++k) {
        double angle = 0.1 + 0.4 * k;
        a.pose.rotation[0] = cos(angle / 2);
        a.pose.rotation[3] = sin(angle / 2);
        expect(&a, &b, gap, "rim on a flat edge");
    }
    abut_mesh_destroy(mesh);
}

/* A cylinder's line is parallel to the edge of a ridge, beside and above it: the slope beyond has no point under that line. */
static void test_line_beside_ridge(void)
{
    static const double at[5][3] = {{-1.5, -0.75, 0.25},
                                    {-1, -0.25, 0.28125},
                                    {-1.5, -0.25, 0.28125},
                                    {-1, -0.75, 0.125},
                                    {-1, 0.25, -0.3125}};
    static const int of[3][3] = {{0, 1, 2}, {0, 3, 1}, {2, 1, 4}};
    abut_mesh *mesh = surface_mesh(5, at, 3, of);
    posed b = {{.kind = ABUT_MESH, .mesh = mesh}, {.rotation = {1, 0, 0, 0}}},
          a = {{.kind = ABUT_CYLINDER, .radius = 0.75, .half_length = 0.5},
               {.position = {-0.5, -0.5, 1.25}, .rotation = {0.5, 0.5, 0.5, 0.5}}};
    expect(&a, &b, 0.24693601304474599, "line beside a ridge");
    abut_mesh_destroy(mesh);
}

int main(void)
{
    RUN(test_line_beside_ridge);
    RUN(test_tip_over_ridge);
    RUN(test_rim_on_flat_edge);
    RUN(test_surfaces);
    return check_report();
}
