/* Meshes and heightfields: no stumbling over inner edges, agreement with planes where they are flat, with each other and
 * with slow answers where they are not; rays. */
#include "check.h"
#include "collide_oracle.h"
#include "collide_random.h"
#include "collide_solids.h"

enum { ROWS = 9, COLUMNS = 11, KINDS = 6, ROUNDS = 200 };
static const abut_shape_kind kinds[KINDS] = {ABUT_SPHERE,   ABUT_CAPSULE,   ABUT_BOX,
                                             ABUT_CYLINDER, ABUT_ELLIPSOID, ABUT_CONVEX};
static const abut_pose origin = {.rotation = {1, 0, 0, 0}};

typedef struct terrain {
    double heights[ROWS * COLUMNS], vertices[ROWS * COLUMNS][3];
    int triangles[2 * (ROWS - 1) * (COLUMNS - 1)][3];
    abut_heightfield field;
    abut_mesh *mesh;
} terrain;

/* A heightfield with spacing 0.7 and 0.6, and a mesh of the same triangles. */
static void make_terrain(terrain *t, uint64_t *state, double roughness)
{
    t->field = (abut_heightfield){ROWS, COLUMNS, {0.7, 0.6}, t->heights};
    int count = 0;
    for (int r = 0; r < ROWS; ++r) {
        for (int c = 0; c < COLUMNS; ++c) {
            int i = r * COLUMNS + c;
            t->heights[i] = roughness * random_between(state, -1, 1);
            abuti_v3_set(t->vertices[i], (c - 5) * 0.7, (r - 4) * 0.6, t->heights[i]);
            if (r + 1 == ROWS || c + 1 == COLUMNS) continue;
            int cell[2][3] = {{i, i + 1, i + COLUMNS + 1}, {i, i + COLUMNS + 1, i + COLUMNS}};
            memcpy(t->triangles[count], cell, sizeof cell);
            count += 2;
        }
    }
    abut_mesh_def def = {ROWS * COLUMNS, (const double(*)[3])t->vertices, count,
                         (const int(*)[3])t->triangles};
    abut_error error;
    CHECK(abut_mesh_create(&def, NULL, &t->mesh, &error) == ABUT_OK);
}

static abut_shape field_shape(const terrain *t)
{
    return (abut_shape){.kind = ABUT_HEIGHTFIELD, .heightfield = &t->field};
}

static abut_shape mesh_shape(const terrain *t)
{
    return (abut_shape){.kind = ABUT_MESH, .mesh = t->mesh};
}

static double least_gap(const abut_manifold_point *points, int count)
{
    double least = INFINITY;
    for (int i = 0; i < count; ++i) least = fmin(least, points[i].gap);
    return least;
}

/* On flat triangles everything is as on a plane, wherever edges are. */
static void test_flat(void)
{
    uint64_t state = check_seed(31);
    static terrain t;
    make_terrain(&t, &state, 0);
    abut_convex *convex = solid_prism(7);
    abut_shape surfaces[2] = {field_shape(&t), mesh_shape(&t)}, plane = {.kind = ABUT_PLANE};
    abut_manifold_point p[400], q[400];
    int n, m;
    for (int round = 0; round < ROUNDS; ++round) {
        for (int i = 0; i < KINDS; ++i) {
            abut_shape s = random_shape(&state, kinds[i]);
            s.convex = convex;
            abut_pose pose = {.position = {random_between(&state, -2, 2), random_between(&state, -1, 1), 0}};
            random_rotation(&state, pose.rotation);
            if (round % 4 == 0) pose = (abut_pose){.position = {0, 0, 0}, .rotation = {1, 0, 0, 0}};
            abut_closest c;
            abut_shape_distance(&s, &pose, &plane, &origin, 100, &c);
            pose.position[2] = -c.distance + (round % 3 - 1) * random_between(&state, 0, 0.01);
            abut_shape_manifold(&s, &pose, &plane, &origin, 0.02, NULL, q, 400, &m);
            for (int k = 0; k < 2; ++k) {
                CHECK(abut_shape_manifold(&s, &pose, &surfaces[k], &origin, 0.02, NULL, p, 400, &n) ==
                      ABUT_OK);
                CHECK_MSG(fabs(least_gap(p, n) - least_gap(q, m)) < 1e-12, "%s (%d): %g, plane %g",
                          abut_shape_kind_name(kinds[i]), round, least_gap(p, n), least_gap(q, m));
                for (int j = 0; j < n; ++j)
                    CHECK_MSG(p[j].normal[2] > 1 - 1e-12, "%s (%d): normal %g %g %g, gap %g",
                              abut_shape_kind_name(kinds[i]), round, p[j].normal[0], p[j].normal[1],
                              p[j].normal[2], p[j].gap);
                abut_closest d;
                abut_shape_distance(&s, &pose, &surfaces[k], &origin, 100, &d);
                CHECK_NEAR(d.distance, (round % 3 - 1) == 0 ? 0 : least_gap(q, m), 1e-12);
            }
        }
    }
    abut_convex_destroy(convex);
    abut_mesh_destroy(t.mesh);
}

/* A box on a floor of triangles: four points wherever it stands. */
static void test_box_slides(void)
{
    uint64_t state = check_seed(32);
    static terrain t;
    make_terrain(&t, &state, 0);
    abut_shape mesh = mesh_shape(&t), box = {.kind = ABUT_BOX, .half = {0.5, 0.3, 0.2}};
    abut_manifold_point p[400];
    int n;
    for (int step = 0; step < 3000; ++step) {
        abut_pose pose = {.position = {-1.5 + 1e-3 * step, 0.2 + 1e-4 * step, 0.2 - 1e-7},
                          .rotation = {0.9, 0, 0, 0.1}};
        abut_shape_manifold(&box, &pose, &mesh, &origin, 0.02, NULL, p, 400, &n);
        CHECK_MSG(n == 4, "step %d: %d points", step, n);
        for (int i = 0; i < n; ++i) CHECK(p[i].normal[2] > 1 - 1e-14 && fabs(p[i].gap + 1e-7) < 1e-14);
    }
    abut_mesh_destroy(t.mesh);
}

static const double block_corners[8][3] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                           {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
static const int block_triangles[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                           {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};

/* A box on the edge of a block, tipped a little and a little too deep: the side of the block, behind which the box is by a part of its
 * size, has no say. */
static void test_sharp_edge(void)
{
    abut_mesh_def def = {8, block_corners, 12, block_triangles};
    abut_mesh *block = NULL;
    CHECK(abut_mesh_create(&def, NULL, &block, NULL) == ABUT_OK);
    abut_shape mesh = {.kind = ABUT_MESH, .mesh = block}, box = {.kind = ABUT_BOX, .half = {0.3, 0.2, 0.1}};
    abut_manifold_point p[400];
    int n;
    for (int i = -20; i <= 20; ++i) {
        abut_pose pose = {.position = {0.9, 0.1, 1.1 - 1e-8}, .rotation = {1, 0, 1e-7 * i, 0}};
        abut_closest c;
        CHECK(abut_shape_manifold(&box, &pose, &mesh, &origin, 0.01, NULL, p, 400, &n) == ABUT_OK);
        CHECK_MSG(n >= 4 && least_gap(p, n) > -1e-5, "tipped %d: %d points, %g deep", i, n, -least_gap(p, n));
        for (int k = 0; k < n; ++k) CHECK(p[k].normal[2] > 1 - 1e-6);
        abut_shape_distance(&box, &pose, &mesh, &origin, 1, &c);
        CHECK(c.distance < 0 && c.distance > -1e-5);
    }
    abut_mesh_destroy(block);
}

/* A sphere rolls round the open border of a sheet until it is well under it, and is as far from it all the way. */
static void test_border(void)
{
    static const double at[4][3] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
    static const int of[2][3] = {{0, 1, 2}, {0, 2, 3}};
    abut_mesh_def def = {4, at, 2, of};
    abut_mesh *sheet = NULL;
    CHECK(abut_mesh_create(&def, NULL, &sheet, NULL) == ABUT_OK);
    abut_shape mesh = {.kind = ABUT_MESH, .mesh = sheet}, ball = {.kind = ABUT_SPHERE, .radius = 0.1};
    for (int degrees = 0; degrees <= 130; ++degrees) {
        double angle = 0.017453292519943295 * degrees;
        for (int corner = 0; corner < 2; ++corner) {
            abut_pose pose = {.position = {1, corner ? 1 : 0.3, 0}, .rotation = {1, 0, 0, 0}};
            abut_closest c = {.distance = 1};
            pose.position[2] = 0.099 * cos(angle);
            for (int k = 0; k <= corner; ++k)
                pose.position[k] += 0.099 * sin(angle) * (corner ? 0.70710678118654757 : 1);
            abut_shape_distance(&ball, &pose, &mesh, &origin, 1, &c);
            CHECK_MSG(fabs(c.distance + 0.001) < 1e-12, "%d degrees: distance %g", degrees, c.distance);
        }
    }
    abut_mesh_destroy(sheet);
}

/* Spheres touch a sharp corner in every direction that nothing round the corner is before. */
static void test_sharp_corner(void)
{
    uint64_t state = check_seed(36);
    abut_convex *solid = solid_octahedron();
    static const double at[6][3] = {{0.6, 0, 0},  {-0.6, 0, 0}, {0, 0.5, 0},
                                    {0, -0.5, 0}, {0, 0, 0.7},  {0, 0, -0.7}};
    static const int of[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                 {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    abut_mesh_def def = {6, at, 8, of};
    abut_mesh *surface = NULL;
    CHECK(abut_mesh_create(&def, NULL, &surface, NULL) == ABUT_OK);
    abut_shape mesh = {.kind = ABUT_MESH, .mesh = surface}, convex = {.kind = ABUT_CONVEX, .convex = solid},
               ball = {.kind = ABUT_SPHERE, .radius = 0.1};
    for (int i = 0; i < 2000; ++i) {
        abut_pose pose = {.rotation = {1, 0, 0, 0}};
        abut_closest c, d;
        random_direction(&state, pose.position);
        for (int k = 0; k < 3; ++k)
            pose.position[k] = at[i % 6][k] + random_between(&state, 0.08, 0.12) * pose.position[k];
        abut_shape_distance(&ball, &pose, &convex, &origin, 1, &d);
        if (d.distance < -0.05) continue;
        abut_shape_distance(&ball, &pose, &mesh, &origin, 1, &c);
        CHECK_MSG(fabs(c.distance - d.distance) < 1e-12, "(%d) distance %.12g, of the solid %.12g", i,
                  c.distance, d.distance);
    }
    abut_mesh_destroy(surface);
    abut_convex_destroy(solid);
}

static double point_triangle(const double p[3], const double a[3], const double b[3], const double c[3])
{
    oracle_body o = {.vertices = 3, .edges = 3, .edge = {{0, 1}, {1, 2}, {2, 0}}}, q = {.vertices = 1};
    abuti_v3_copy(o.vertex[0], a);
    abuti_v3_copy(o.vertex[1], b);
    abuti_v3_copy(o.vertex[2], c);
    abuti_v3_copy(q.vertex[0], p);
    double edges = oracle_apart(&o, &q), e[3], f[3], n[3], from[3];
    abuti_v3_sub(e, b, a);
    abuti_v3_sub(f, c, a);
    abuti_v3_cross(n, e, f);
    abuti_v3_normalise(n);
    abuti_v3_sub(from, p, a);
    double above = abuti_v3_dot(from, n);
    for (int k = 0; k < 3; ++k) {
        const double *v = o.vertex[k], *w = o.vertex[(k + 1) % 3];
        double side[3], out[3];
        abuti_v3_sub(side, w, v);
        abuti_v3_cross(out, side, n);
        abuti_v3_sub(from, p, v);
        if (abuti_v3_dot(from, out) > 0) return edges;
    }
    return fmin(edges, fabs(above));
}

/* Spheres above rough ground: the nearest triangle of all. */
static void test_rough(void)
{
    uint64_t state = check_seed(33);
    static terrain t;
    for (int round = 0; round < 40; ++round) {
        make_terrain(&t, &state, 0.3);
        abut_shape field = field_shape(&t), mesh = mesh_shape(&t);
        for (int i = 0; i < 40; ++i) {
            abut_shape s = random_shape(&state, ABUT_SPHERE);
            abut_pose pose = {.position = {random_between(&state, -2, 2), random_between(&state, -1, 1),
                                           random_between(&state, 0.4, 1.2)},
                              .rotation = {1, 0, 0, 0}};
            double expected = INFINITY;
            for (int k = 0; k < 2 * (ROWS - 1) * (COLUMNS - 1); ++k)
                expected = fmin(expected,
                                point_triangle(pose.position, t.vertices[t.triangles[k][0]],
                                               t.vertices[t.triangles[k][1]], t.vertices[t.triangles[k][2]]) -
                                    s.radius);
            abut_closest c, d;
            abut_shape_distance(&s, &pose, &field, &origin, 100, &c);
            abut_shape_distance(&s, &pose, &mesh, &origin, 100, &d);
            CHECK_NEAR(c.distance, expected, 1e-12);
            CHECK_NEAR(d.distance, expected, 1e-12);
            CHECK(abut_shape_overlap(&s, &pose, &mesh, &origin) == (expected <= 0));
            abut_shape box = random_shape(&state, ABUT_BOX);
            random_rotation(&state, pose.rotation);
            abut_manifold_point p[400], q[400];
            int n, m;
            abut_shape_manifold(&box, &pose, &field, &origin, 0.05, NULL, p, 400, &n);
            abut_shape_manifold(&box, &pose, &mesh, &origin, 0.05, NULL, q, 400, &m);
            CHECK_EQ_INT(n, m);
            if (n == m && n > 0) CHECK_NEAR(least_gap(p, n), least_gap(q, m), 1e-12);
            for (int k = 0; k < n; ++k) CHECK(p[k].normal[2] > 0);
        }
        abut_mesh_destroy(t.mesh);
    }
}

/* Rays against all triangles, slowly. */
static void test_rays(void)
{
    uint64_t state = check_seed(34);
    static terrain t;
    make_terrain(&t, &state, 0.3);
    abut_shape shapes[2] = {field_shape(&t), mesh_shape(&t)};
    int hits = 0;
    for (int i = 0; i < 20000; ++i) {
        abut_ray ray;
        for (int k = 0; k < 3; ++k) {
            ray.origin[k] = random_between(&state, -4, 4);
            ray.direction[k] = random_between(&state, -8, 8);
        }
        if (i % 5 == 0) ray.direction[i / 5 % 3] = 0;
        double expected = 2;
        for (int k = 0; k < 2 * (ROWS - 1) * (COLUMNS - 1); ++k) {
            const double *a = t.vertices[t.triangles[k][0]], *b = t.vertices[t.triangles[k][1]],
                         *c = t.vertices[t.triangles[k][2]];
            double e[3], f[3], n[3], o[3], x[3];
            abuti_v3_sub(e, b, a);
            abuti_v3_sub(f, c, a);
            abuti_v3_sub(o, ray.origin, a);
            abuti_v3_cross(n, e, f);
            double rate = abuti_v3_dot(n, ray.direction), at = -abuti_v3_dot(n, o) / rate;
            if (!(rate < 0 && at >= 0 && at <= 1)) continue;
            abuti_v3_add_scaled(x, ray.origin, at, ray.direction);
            bool inside = true;
            for (int side = 0; side < 3; ++side) {
                const double *v = t.vertices[t.triangles[k][side]],
                             *w = t.vertices[t.triangles[k][(side + 1) % 3]];
                double along[3], left[3];
                abuti_v3_sub(along, w, v);
                abuti_v3_cross(left, n, along);
                abuti_v3_sub(o, x, v);
                inside = inside && abuti_v3_dot(o, left) >= 0;
            }
            if (inside) expected = fmin(expected, at);
        }
        for (int k = 0; k < 2; ++k) {
            abut_ray_hit hit;
            bool met = abut_shape_ray(&shapes[k], &origin, &ray, &hit);
            CHECK_MSG(met == (expected <= 1), "ray %d, shape %d: %d, expected %g", i, k, met, expected);
            if (met) CHECK_NEAR(hit.fraction, expected, 1e-12);
            hits += met;
        }
    }
    printf("       %d hits\n", hits);
    abut_mesh_destroy(t.mesh);
}

/* A ridge: spheres and boxes above it are pushed between the normals of its sides; in a valley by both sides. */
static void test_ridge_and_valley(void)
{
    static const double at[6][3] = {{-1, -1, 0}, {0, -1, 0.5}, {1, -1, 0},
                                    {-1, 1, 0},  {0, 1, 0.5},  {1, 1, 0}};
    static const int of[4][3] = {{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}};
    abut_shape sphere = {.kind = ABUT_SPHERE, .radius = 0.2}, mesh = {.kind = ABUT_MESH};
    abut_mesh_def def = {6, at, 4, of};
    abut_mesh *m;
    abut_manifold_point p[50];
    int n;
    CHECK(abut_mesh_create(&def, NULL, &m, NULL) == ABUT_OK);
    mesh.mesh = m;
    abut_pose pose = {.position = {0.01, 0.1, 0.7}, .rotation = {1, 0, 0, 0}};
    CHECK(abut_shape_manifold(&sphere, &pose, &mesh, &origin, 0.01, NULL, p, 50, &n) == ABUT_OK);
    CHECK_EQ_INT(n, 1);
    CHECK_NEAR(p[0].gap, sqrt(0.04 + 1e-4) - 0.2, 1e-15);
    abut_mesh_destroy(m);
    double valley[6][3];
    for (int i = 0; i < 6; ++i) abuti_v3_set(valley[i], at[i][0], at[i][1], -at[i][2]);
    def.vertices = (const double(*)[3])valley;
    CHECK(abut_mesh_create(&def, NULL, &m, NULL) == ABUT_OK);
    mesh.mesh = m;
    pose.position[0] = 0;
    pose.position[2] = -0.5 + 0.2 * sqrt(1.25);
    CHECK(abut_shape_manifold(&sphere, &pose, &mesh, &origin, 0.01, NULL, p, 50, &n) == ABUT_OK);
    CHECK_EQ_INT(n, 2);
    for (int i = 0; i < n; ++i) CHECK_NEAR(p[i].gap, 0, 1e-15);
    abut_mesh_destroy(m);
}

static void test_refusals(void)
{
    static const double at[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const int bad[1][3] = {{0, 1, 3}}, thin[1][3] = {{0, 1, 1}};
    abut_mesh_def def = {3, at, 1, bad};
    abut_mesh *m;
    abut_error error;
    CHECK(abut_mesh_create(&def, NULL, &m, &error) == ABUT_INVALID_ARGUMENT);
    CHECK(strstr(error.text, "triangles[0]"));
    def.triangles = thin;
    CHECK(abut_mesh_create(&def, NULL, &m, &error) == ABUT_OK);
    abut_shape mesh = {.kind = ABUT_MESH, .mesh = m}, sphere = {.kind = ABUT_SPHERE, .radius = 1};
    abut_manifold_point p[4];
    int n;
    CHECK(abut_shape_manifold(&sphere, &origin, &mesh, &origin, 0, NULL, p, 4, &n) == ABUT_OK);
    CHECK_EQ_INT(n, 0);
    abut_mass mass;
    CHECK(abut_shape_mass(&mesh, 1, &mass) == ABUT_UNSUPPORTED);
    abut_mesh_destroy(m);
}

int main(void)
{
    RUN(test_flat);
    RUN(test_box_slides);
    RUN(test_sharp_edge);
    RUN(test_border);
    RUN(test_sharp_corner);
    RUN(test_rough);
    RUN(test_ridge_and_valley);
    RUN(test_rays);
    RUN(test_refusals);
    return check_report();
}
