/* One shape: masses against sums over small cubes, rays against distances, bounds against support, refusals, memory. */
#include "check.h"
#include "collide_random.h"
#include "collide_solids.h"

enum { KINDS = 6, CELLS = 60 };
static const abut_shape_kind kinds[KINDS] = {ABUT_SPHERE,   ABUT_CAPSULE,   ABUT_BOX,
                                             ABUT_CYLINDER, ABUT_ELLIPSOID, ABUT_CONVEX};
static const abut_pose origin = {.rotation = {1, 0, 0, 0}};

static bool inside(const abut_shape *s, const double q[3])
{
    double z = q[2] - fmin(fmax(q[2], -s->half_length), s->half_length), x = q[0] * q[0] + q[1] * q[1],
           sum = 0;
    for (int k = 0; k < 3; ++k) sum += q[k] / s->half[k] * (q[k] / s->half[k]);
    switch (s->kind) {
    case ABUT_SPHERE: return x + q[2] * q[2] <= s->radius * s->radius;
    case ABUT_CAPSULE: return x + z * z <= s->radius * s->radius;
    case ABUT_BOX: return fabs(q[0]) <= s->half[0] && fabs(q[1]) <= s->half[1] && fabs(q[2]) <= s->half[2];
    case ABUT_CYLINDER: return x <= s->radius * s->radius && fabs(q[2]) <= s->half_length;
    case ABUT_ELLIPSOID: return sum <= 1;
    default: return solid_contains(s->convex, q);
    }
}

/* Mass and inertia from a grid of small cubes. */
static void test_mass(void)
{
    uint64_t state = check_seed(51);
    abut_convex *convex = solid_octahedron();
    for (int i = 0; i < KINDS; ++i) {
        abut_shape s = random_shape(&state, kinds[i]);
        s.convex = convex;
        double low[3], high[3], sum = 0, moment[6] = {0};
        abut_shape_bounds(&s, &origin, low, high);
        double cell =
            (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]) / (CELLS * CELLS * (double)CELLS);
        for (int n = 0; n < CELLS * CELLS * CELLS; ++n) {
            int at[3] = {n % CELLS, n / CELLS % CELLS, n / CELLS / CELLS};
            double q[3];
            for (int k = 0; k < 3; ++k) q[k] = low[k] + (high[k] - low[k]) * (at[k] + 0.5) / CELLS;
            if (!inside(&s, q)) continue;
            sum += 2 * cell;
            for (int k = 0; k < 3; ++k) moment[k] += 2 * cell * (abuti_v3_dot(q, q) - q[k] * q[k]);
        }
        abut_mass mass;
        CHECK(abut_shape_mass(&s, 2, &mass) == ABUT_OK);
        CHECK_MSG(fabs(mass.mass - sum) < 0.01 * sum, "%s: %g, %g", abut_shape_kind_name(kinds[i]), mass.mass,
                  sum);
        for (int k = 0; k < 3; ++k) {
            CHECK_MSG(fabs(mass.inertia[k] - moment[k]) < 0.01 * moment[k], "%s: %g, %g",
                      abut_shape_kind_name(kinds[i]), mass.inertia[k], moment[k]);
            CHECK_NEAR(mass.com[k], 0, 1e-14);
            CHECK_NEAR(mass.inertia[3 + k], 0, 1e-14);
        }
    }
    abut_convex_destroy(convex);
}

/* A box as a convex polyhedron far from the origin, and as two halves put together. */
static void test_mass_moves(void)
{
    double at[8][3];
    static const int sizes[6] = {4, 4, 4, 4, 4, 4};
    static const int of[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
    abut_shape box = {.kind = ABUT_BOX, .half = {0.5, 0.3, 0.2}},
               half = {.kind = ABUT_BOX, .half = {0.25, 0.3, 0.2}};
    abut_pose pose = {.position = {100, -50, 20}, .rotation = {0.5, 0.5, -0.5, 0.5}};
    for (int i = 0; i < 8; ++i) {
        double p[3], turned[3];
        for (int k = 0; k < 3; ++k) p[k] = i >> k & 1 ? box.half[k] : -box.half[k];
        abuti_quat_apply(turned, pose.rotation, p);
        abuti_v3_add(at[i], turned, pose.position);
    }
    abut_convex *made = solid_make(8, (const double(*)[3])at, 6, sizes, of);
    abut_shape convex = {.kind = ABUT_CONVEX, .convex = made};
    abut_mass whole, other, left, right;
    CHECK(abut_shape_mass(&box, 7, &whole) == ABUT_OK);
    abut_mass_move(&whole, &pose);
    CHECK(abut_shape_mass(&convex, 7, &other) == ABUT_OK);
    abut_shape_mass(&half, 7, &left);
    right = left;
    abut_pose to_left = {.position = {-0.25, 0, 0}, .rotation = {1, 0, 0, 0}};
    abut_pose to_right = {.position = {0.25, 0, 0}, .rotation = {1, 0, 0, 0}};
    abut_mass_move(&left, &to_left);
    abut_mass_move(&right, &to_right);
    abut_mass_add(&left, &right);
    abut_mass_move(&left, &pose);
    for (int k = 0; k < 6; ++k) {
        CHECK_NEAR(whole.inertia[k], other.inertia[k], 1e-11);
        CHECK_NEAR(whole.inertia[k], left.inertia[k], 1e-14);
    }
    for (int k = 0; k < 3; ++k) {
        CHECK_NEAR(whole.com[k], other.com[k], 1e-12);
        CHECK_NEAR(whole.com[k], left.com[k], 1e-12);
    }
    CHECK_NEAR(whole.mass, other.mass, 1e-11);
    CHECK_NEAR(whole.mass, left.mass, 1e-14);
    abut_convex_destroy(made);
}

/* A hit is on the surface, nothing is before it; a ray that misses stays outside. */
static void test_rays(void)
{
    uint64_t state = check_seed(52);
    abut_convex *convex = solid_prism(7);
    int hits = 0;
    for (int round = 0; round < 3000; ++round) {
        for (int i = 0; i < KINDS; ++i) {
            abut_shape s = random_shape(&state, kinds[i]), point = {.kind = ABUT_SPHERE, .radius = 1e-12};
            s.convex = convex;
            abut_pose pose = {.position = {random_between(&state, -1, 1), 0, 0.3}};
            random_rotation(&state, pose.rotation);
            abut_ray ray;
            abut_ray_hit hit;
            abut_closest c;
            for (int k = 0; k < 3; ++k) {
                ray.origin[k] = random_between(&state, -2, 2);
                ray.direction[k] = -2 * ray.origin[k] + random_between(&state, -1, 1);
            }
            bool met = abut_shape_ray(&s, &pose, &ray, &hit);
            double end = met ? hit.fraction : 1;
            abut_pose at = origin;
            hits += met && hit.fraction > 0;
            for (int k = 0; k < 20 && end > 0; ++k) {
                abuti_v3_add_scaled(at.position, ray.origin, end * k / 20, ray.direction);
                abut_shape_distance(&point, &at, &s, &pose, 100, &c);
                CHECK_MSG(c.distance > -1e-9, "%s (%d): the ray is inside before it hits",
                          abut_shape_kind_name(kinds[i]), round);
            }
            if (!met || hit.fraction == 0) continue;
            memcpy(at.position, hit.point, sizeof hit.point);
            abut_shape_distance(&point, &at, &s, &pose, 100, &c);
            CHECK_MSG(fabs(c.distance) < 1e-9, "%s (%d): %g off the surface", abut_shape_kind_name(kinds[i]),
                      round, c.distance);
            CHECK(abuti_v3_dot(hit.normal, ray.direction) <= 0);
        }
    }
    CHECK(hits > 1000);
    abut_convex_destroy(convex);
}

/* Bounds touch the shape on all six sides. */
static void test_bounds(void)
{
    uint64_t state = check_seed(53);
    abut_convex *convex = solid_tetrahedron();
    abut_shape plane = {.kind = ABUT_PLANE};
    for (int round = 0; round < 500; ++round) {
        for (int i = 0; i < KINDS; ++i) {
            abut_shape s = random_shape(&state, kinds[i]);
            s.convex = convex;
            abut_pose pose = {.position = {1, 2, 3}}, wall = {.rotation = {1, 0, 0, 0}};
            double low[3], high[3];
            random_rotation(&state, pose.rotation);
            abut_shape_bounds(&s, &pose, low, high);
            abut_closest c;
            wall.position[2] = low[2];
            abut_shape_distance(&s, &pose, &plane, &wall, 100, &c);
            CHECK_NEAR(c.distance, 0, 1e-14);
            double r = abut_shape_radius(&s);
            for (int k = 0; k < 3; ++k)
                CHECK(high[k] <= pose.position[k] + r + 1e-14 && low[k] >= pose.position[k] - r - 1e-14);
        }
    }
    abut_convex_destroy(convex);
}

static void test_refusals(void)
{
    static const double at[5][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {-1, -1, 0}, {0, 0, 0.2}};
    static const int sizes[4] = {3, 3, 3, 3}, open[12] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 2, 3};
    static const int good[12] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2};
    abut_convex_def def = {4, at, 4, sizes, open};
    abut_convex *convex;
    abut_error error;
    CHECK(abut_convex_create(&def, NULL, &convex, &error) == ABUT_INVALID_ARGUMENT);
    CHECK(!convex && strstr(error.text, "edge"));
    def.face_vertices = good;
    CHECK(abut_convex_create(&def, NULL, &convex, &error) == ABUT_OK);
    abut_convex_destroy(convex);
    double dented[4][3];
    memcpy(dented, at, sizeof dented);
    dented[0][2] = -1; /* inside out */
    def.vertices = (const double(*)[3])dented;
    CHECK(abut_convex_create(&def, NULL, &convex, &error) == ABUT_INVALID_ARGUMENT);
    dented[0][2] = 0; /* flat */
    CHECK(abut_convex_create(&def, NULL, &convex, &error) == ABUT_INVALID_ARGUMENT);
    dented[0][2] = NAN;
    CHECK(abut_convex_create(&def, NULL, &convex, &error) == ABUT_INVALID_ARGUMENT);
    abut_mass mass;
    abut_shape sphere = {.kind = ABUT_SPHERE, .radius = 1}, plane = {.kind = ABUT_PLANE};
    CHECK(abut_shape_mass(&sphere, -1, &mass) == ABUT_INVALID_ARGUMENT);
    CHECK(abut_shape_mass(&plane, 1, &mass) == ABUT_UNSUPPORTED);
}

int main(void)
{
    RUN(test_mass);
    RUN(test_mass_moves);
    RUN(test_rays);
    RUN(test_bounds);
    RUN(test_refusals);
    return check_report();
}
