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
#include "collide_on.h"
#include "collide_surfaces.h"

enum { TRIANGLES = 2 * FIELD_POINTS, POINTS = 1000 };

/* m: what is claimed is exact but for rounding, and so is what proves it. */
#define ROUNDING 1e-12
/* m: corners that are so near to a side are on it. */
#define ON_SIDE 2e-9
/* m: where distances end. */
#define REACH 0.3
/* m: overlaps of closed surfaces that are shallower have the depth of the solid. */
#define SHALLOW 0.02
/* m: points of overlaps that are shallower lie on both surfaces. */
#define BURIED (-0.01)
/* The part of the depth, and m, by which the direction of a face of polyhedra may be worse than that of edges and be taken. */
#define PREFERRED 0.015
#define PREFERRED_LEAST 1e-6
/* m: manifolds leave out points inside of what is flat; so deep these are not always repeated by others. */
#define DEEP (-0.4)

typedef struct tally {
    long poses, apart, overlap, beyond;
    double points, nearer, deeper, off; /* the worst of each check */
} tally;

typedef struct triangles {
    int count;
    triangle at[TRIANGLES];
} triangles;

static void triangles_of(const abut_shape *s, triangles *out)
{
    abut_mesh *own = s->kind == ABUT_HEIGHTFIELD ? surface_mesh_of(s->heightfield) : NULL;
    abut_mesh_def def = abut_mesh_get(own ? own : s->mesh);
    for (int i = 0; i < def.triangle_count; ++i) {
        double e[3], f[3];
        triangle *t = &out->at[i];
        for (int k = 0; k < 3; ++k) abuti_v3_copy(t->corners[k], def.vertices[def.triangles[i][k]]);
        abuti_v3_sub(e, t->corners[1], t->corners[0]);
        abuti_v3_sub(f, t->corners[2], t->corners[0]);
        abuti_v3_cross(t->normal, e, f);
        abuti_v3_normalise(t->normal);
    }
    out->count = def.triangle_count;
    abut_mesh_destroy(own);
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

/* m: how far a point is from the nearest triangle. */
static double off_triangles(const double p[3], const triangles *t)
{
    double off = INFINITY;
    for (int i = 0; i < t->count && off > ROUNDING; ++i) {
        double from[3];
        abuti_v3_sub(from, p, t->at[i].corners[0]);
        if (fabs(abuti_v3_dot(from, t->at[i].normal)) < off) off = fmin(off, distance_of_point(p, &t->at[i]));
    }
    return off;
}

/* Every point of the manifold stands for one on A and one on the surface. */
static void check_points(const posed *a, const triangles *t, int count, const abut_manifold_point *p,
                         const char *what, tally *tally)
{
    for (int i = 0; i < count; ++i) {
        double on_a[3], on_b[3];
        manifold_sides(&p[i], on_a, on_b);
        double off_a = off_surface(a, on_a), off_b = off_triangles(on_b, t);
        tally->off = fmax(tally->off, fmax(off_a, off_b));
        CHECK_MSG(fmax(off_a, off_b) <= ON_SIDE, "%s: point %d of %d, gap %g, is %g and %g off", what, i,
                  count, p[i].gap, off_a, off_b);
    }
}

static void check_apart(const posed *a, const triangles *all, const abut_closest *c, const char *what,
                        tally *tally)
{
    const triangle *t = all->at;
    if (c->distance < REACH) {
        CHECK_MSG(search_contains(&a->shape, &a->pose, c->point_a), "%s: A's point, distance %g", what,
                  c->distance);
        /* What is nearer than 1e-9 m is parted along a direction of features. */
        double off = off_triangles(c->point_b, all), touching = c->distance < 1e-9 ? c->distance : 0;
        CHECK_MSG(off < ROUNDING + touching, "%s: the point on the surface is %g off", what, off);
    }
    for (int i = 0; i < all->count; ++i) {
        if (behind(a, &t[i])) continue;
        nearest n =
            nearest_or_parted(a, &t[i], c->distance < REACH ? c->normal : t[i].normal, c->distance - 1e-15);
        /* What is beside a triangle and behind it is not near to it. */
        if (n.gap > -ROUNDING && n.gap < c->distance - ROUNDING && abuti_v3_dot(n.direction, t[i].normal) < 0)
            continue;
        tally->nearer = fmax(tally->nearer, c->distance - n.gap);
        CHECK_MSG(n.gap >= c->distance - ROUNDING, "%s: distance %.12g, but a triangle is at %.12g to %.12g",
                  what, c->distance, n.gap, n.most);
    }
    tally->apart++;
}

static void check_overlap(const posed *a, const triangles *all, const abut_closest *c, bool solid,
                          const char *what)
{
    const triangle *t = all->at;
    double least = INFINITY;
    bool below = false;
    for (int i = 0; i < all->count && least > ROUNDING; ++i) {
        if (!behind(a, &t[i])) least = fmin(least, nearest_enough(a, &t[i], t[i].normal, least).most);
        below = below || behind(a, &t[i]);
    }
    CHECK_MSG(least <= ROUNDING || (solid && below), "%s: depth %.12g, but nothing is nearer than %.12g",
              what, -c->distance, least);
}

/* Whether the surface is above the centre of a thing. */
static bool under(const posed *a, const posed *surface)
{
    const double high = 5;
    abut_ray ray = {.direction = {0, 0, a->pose.position[2] - high}};
    abut_ray_hit hit;
    abuti_v3_copy(ray.origin, a->pose.position);
    ray.origin[2] = high;
    return abut_shape_ray(&surface->shape, &surface->pose, &ray, &hit);
}

static void check_pose(const posed *a, const posed *surface, const triangles *t, const abut_shape *solid,
                       const char *what, tally *tally)
{
    static abut_manifold_point p[POINTS];
    abut_closest c;
    double v[3], least = REACH;
    int n = 0;
    CHECK(abut_shape_distance(&a->shape, &a->pose, &surface->shape, &surface->pose, REACH, &c) == ABUT_OK);
    CHECK(abut_shape_manifold(&a->shape, &a->pose, &surface->shape, &surface->pose, REACH, NULL, p, POINTS,
                              &n) == ABUT_OK);
    for (int i = 0; i < n; ++i) least = fmin(least, p[i].gap);
    tally->poses++;
    /* What is deep or buried may be beside all triangles that it overlaps. */
    if (least > BURIED && (solid || !under(a, surface))) check_points(a, t, n, p, what, tally);
    if (c.distance < REACH) {
        abuti_v3_sub(v, c.point_a, c.point_b);
        abuti_v3_add_scaled(v, v, -c.distance, c.normal);
        tally->points = fmax(tally->points, abuti_v3_length(v));
        CHECK_MSG(abuti_v3_length(v) <= ROUNDING, "%s: points are %g off", what, abuti_v3_length(v));
    }
    CHECK_MSG(fabs(least - c.distance) <= ROUNDING || c.distance < DEEP,
              "%s: distance %.12g, of the manifold %.12g", what, c.distance, least);
    bool is_field = surface->shape.kind == ABUT_HEIGHTFIELD;
    if (c.distance > -ROUNDING && under(a, surface)) {
        tally->beyond++; /* what is under a surface is not near to it */
    } else if (c.distance > -ROUNDING) {
        check_apart(a, t, &c, what, tally);
    } else {
        tally->overlap++;
        check_overlap(a, t, &c, is_field, what);
    }
    abut_closest d;
    if (!solid) return;
    abut_shape_distance(&a->shape, &a->pose, solid, &surface->pose, REACH, &d);
    if (fabs(d.distance) > SHALLOW) return;
    tally->deeper = fmax(tally->deeper, fabs(c.distance - d.distance));
    bool sharp = a->shape.kind == ABUT_BOX || a->shape.kind == ABUT_CONVEX;
    double allowed = sharp && d.distance < 0 ? PREFERRED_LEAST + PREFERRED * fabs(d.distance) : 1e-8;
    CHECK_MSG(fabs(c.distance - d.distance) <= allowed, "%s: distance %.12g, of the solid %.12g", what,
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
            static triangles all;
            triangles_of(&b.shape, &all);
            for (int k = 0; k < poses * POSE_FAMILIES; ++k) {
                pose_family family = (pose_family)(k % POSE_FAMILIES);
                char what[100];
                random_on_surface(&state, &s, family, convex_kinds[i], &a, &b);
                snprintf(what, sizeof what, "%s on %s, %s (%d)", abut_shape_kind_name(convex_kinds[i]),
                         surface_names[j], pose_family_names[family], k);
                check_pose(&a, &b, &all, solid, what, &t);
            }
            if (!getenv("ABUT_COLLIDE_POSES")) continue;
            printf("       %-9s %-15s %ld poses, %ld apart, %ld overlap; points %.1g, nearer %.1g, solid "
                   "%.1g, manifold %.1g\n",
                   abut_shape_kind_name(convex_kinds[i]), surface_names[j], t.poses, t.apart, t.overlap,
                   t.points, t.nearer, t.deeper, t.off);
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

/* The rim of a cylinder 5 mm deep across a sharp ridge: the shorter way out of both sides is that of one of them. */
static void test_deep_over_ridge(void)
{
    solids s = solids_make();
    surfaces ground;
    uint64_t state = 1;
    surfaces_make(&ground, &state);
    posed b = {surface_shape(&ground, SURFACE_OCTAHEDRON), {.rotation = {1, 0, 0, 0}}},
          a = {{.kind = ABUT_CYLINDER, .radius = 0.85368334237016286, .half_length = 0.25231566609167377},
               {.position = {-0.062937479890756931, -1.183600169096555, 0.55889107413605243},
                .rotation = {-0.64395562798126338, 0.023769352068889377, -0.76041783597519497,
                             -0.080751977215937271}}};
    abut_shape solid = {.kind = ABUT_CONVEX, .convex = s.at[2]};
    abut_closest of_solid;
    abut_shape_distance(&a.shape, &a.pose, &solid, &b.pose, REACH, &of_solid);
    expect(&a, &b, of_solid.distance, "deep over a ridge");
    surfaces_destroy(&ground);
    solids_destroy(&s);
}

/* The edge of a tetrahedron on the top of a pyramid of triangles: of many directions that part the edge from each of them equally
 * well, one must be found that leads out of the pyramid. */
static void test_edge_on_top(void)
{
    static const double at[5][3] = {{0, 0, 0.25}, {0.5, 0, 0}, {0, 0.5, 0}, {-0.5, 0, 0.125}, {0, -0.5, 0}};
    static const int of[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 1}};
    solids s = solids_make();
    abut_mesh *mesh = surface_mesh(5, at, 4, of);
    posed b = {{.kind = ABUT_MESH, .mesh = mesh}, {.rotation = {1, 0, 0, 0}}},
          a = {{.kind = ABUT_CONVEX, .convex = s.at[0]}, {.position = {0, 0, 0.75}}};
    for (int k = 0; k < 32; ++k) {
        double angle = 0.05 + 0.1 * k;
        a.pose.rotation[0] = cos(angle);
        a.pose.rotation[3] = sin(angle);
        expect(&a, &b, 0, "edge on a top");
    }
    abut_mesh_destroy(mesh);
    solids_destroy(&s);
}

int main(void)
{
    RUN(test_deep_over_ridge);
    RUN(test_edge_on_top);
    RUN(test_line_beside_ridge);
    RUN(test_tip_over_ridge);
    RUN(test_rim_on_flat_edge);
    RUN(test_surfaces);
    return check_report();
}
