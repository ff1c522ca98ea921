/* Manifolds and distances of spheres, capsules, boxes and planes: against slow oracles, in poses that are random, deep,
 * parallel and exactly touching; turned with their scene; with keys that stay. */
#include "check.h"
#include "collide_oracle.h"
#include "collide_random.h"

/* The first three are what the oracle knows. */
static const abut_shape_kind simple[] = {ABUT_SPHERE, ABUT_CAPSULE, ABUT_BOX, ABUT_CYLINDER};
enum { SIMPLE = 3, ALL = 4, ROUNDS = 2000 };

static const abut_pose origin = {.rotation = {1, 0, 0, 0}};

/* How far a point is from the surface of a sphere, capsule, box, cylinder or plane. */
static double off_surface(const abut_shape *s, const abut_pose *pose, const double point[3])
{
    double from[3], q[3], back[4];
    abuti_v3_sub(from, point, pose->position);
    abuti_quat_conjugate(back, pose->rotation);
    abuti_quat_apply(q, back, from);
    if (s->kind == ABUT_PLANE) return fabs(q[2]);
    if (s->kind == ABUT_SPHERE) return fabs(abuti_v3_length(q) - s->radius);
    if (s->kind == ABUT_CAPSULE) {
        /* Points of a capsule that leans are on the balls at its ends. */
        double high[3] = {q[0], q[1], q[2] - s->half_length}, low[3] = {q[0], q[1], q[2] + s->half_length};
        double ends = fmin(fabs(abuti_v3_length(high) - s->radius), fabs(abuti_v3_length(low) - s->radius));
        if (ends < 1e-12) return ends;
        q[2] -= fmin(fmax(q[2], -s->half_length), s->half_length);
        return fabs(abuti_v3_length(q) - s->radius);
    }
    double out[3];
    int axes = s->kind == ABUT_CYLINDER ? 2 : 3;
    if (axes == 2) {
        out[0] = sqrt(q[0] * q[0] + q[1] * q[1]) - s->radius;
        out[1] = fabs(q[2]) - s->half_length;
    } else {
        for (int k = 0; k < 3; ++k) out[k] = fabs(q[k]) - s->half[k];
    }
    double most = -DBL_MAX, square = 0;
    for (int k = 0; k < axes; ++k) {
        most = fmax(most, out[k]);
        square += fmax(out[k], 0) * fmax(out[k], 0);
    }
    return most <= 0 ? -most : sqrt(square);
}

/* Things that hold of every manifold. Returns the least gap; infinity without points. */
static double check_points(const abut_shape *a, const abut_pose *pa, const abut_shape *b, const abut_pose *pb,
                           double margin, bool on_surfaces, const abut_manifold_point *points, int count,
                           const char *what)
{
    double least = INFINITY;
    for (int i = 0; i < count; ++i) {
        const abut_manifold_point *p = &points[i];
        double on_a[3], on_b[3];
        CHECK_MSG(p->gap <= margin, "%s: gap %g", what, p->gap);
        CHECK_MSG(fabs(abuti_v3_length(p->normal) - 1) < 1e-14, "%s: normal", what);
        CHECK_MSG(fabs(abuti_v3_length(p->tangent) - 1) < 1e-14, "%s: tangent", what);
        CHECK_MSG(fabs(abuti_v3_dot(p->tangent, p->normal)) < 1e-13, "%s: tangent across", what);
        abuti_v3_add_scaled(on_a, p->point, p->gap / 2, p->normal);
        abuti_v3_add_scaled(on_b, p->point, -p->gap / 2, p->normal);
        CHECK_MSG(!on_surfaces || off_surface(a, pa, on_a) < 1e-12, "%s: %g off A", what,
                  off_surface(a, pa, on_a));
        CHECK_MSG(!on_surfaces || off_surface(b, pb, on_b) < 1e-12, "%s: %g off B", what,
                  off_surface(b, pb, on_b));
        CHECK_MSG(p->key != 0, "%s: key", what);
        for (int j = 0; j < i; ++j) CHECK_MSG(points[j].key != p->key, "%s: key twice", what);
        least = fmin(least, p->gap);
    }
    return least;
}

/* Signed distances of all pairs, random poses from deep to apart. */
static void test_distance(void)
{
    uint64_t state = check_seed(7);
    double worst = 0;
    for (int round = 0; round < ROUNDS; ++round) {
        for (int i = 0; i < SIMPLE; ++i) {
            for (int j = 0; j < SIMPLE; ++j) {
                abut_shape a = random_shape(&state, simple[i]), b = random_shape(&state, simple[j]);
                abut_pose pa = origin, pb = origin;
                double direction[3];
                random_rotation(&state, pa.rotation);
                random_rotation(&state, pb.rotation);
                random_direction(&state, direction);
                abuti_v3_scale(pb.position, random_between(&state, 0, 3), direction);
                oracle_body oa, ob;
                oracle_make(&a, &pa, &oa);
                oracle_make(&b, &pb, &ob);
                double expected = oracle_distance(&oa, &ob);
                abut_closest c;
                CHECK(abut_shape_distance(&a, &pa, &b, &pb, 100, &c) == ABUT_OK);
                worst = fmax(worst, fabs(c.distance - expected));
                CHECK_MSG(fabs(c.distance - expected) < 1e-12, "%s %s: %.17g, expected %.17g (round %d)",
                          abut_shape_kind_name(a.kind), abut_shape_kind_name(b.kind), c.distance, expected,
                          round);
                double gap = oracle_gap(&oa, &ob, c.normal) - oa.radius - ob.radius;
                CHECK_MSG(fabs(gap - c.distance) < 1e-11, "the normal parts them by %g, not %g", gap,
                          c.distance);
                CHECK(abut_shape_overlap(&a, &pa, &b, &pb) == (c.distance <= 0));
            }
        }
    }
    printf("       worst distance error %.2g\n", worst);
}

/* The least gap is the distance, except between corners, where a manifold may see less than the distance. */
static void test_random_manifolds(void)
{
    uint64_t state = check_seed(8);
    long points_seen = 0;
    for (int round = 0; round < ROUNDS; ++round) {
        for (int i = 0; i < ALL; ++i) {
            for (int j = 0; j < ALL; ++j) {
                abut_shape a = random_shape(&state, simple[i]), b = random_shape(&state, simple[j]);
                abut_pose pa = origin, pb = origin;
                double direction[3], margin = 0.1;
                char what[100];
                random_rotation(&state, pa.rotation);
                random_rotation(&state, pb.rotation);
                random_direction(&state, direction);
                abuti_v3_scale(pb.position, random_between(&state, 0.3, 2), direction);
                snprintf(what, sizeof what, "%s %s (%d)", abut_shape_kind_name(a.kind),
                         abut_shape_kind_name(b.kind), round);
                abut_closest c;
                abut_shape_distance(&a, &pa, &b, &pb, 100, &c);
                abut_manifold_point points[ABUT_MANIFOLD_POINTS];
                abut_pair_memory memory = {0};
                int count;
                CHECK(abut_shape_manifold(&a, &pa, &b, &pb, margin, &memory, points, ABUT_MANIFOLD_POINTS,
                                          &count) == ABUT_OK);
                /* Where the axis of a capsule is inside of the other shape, its deepest point may be beside a face. */
                double radii = oracle_radius(&a) + oracle_radius(&b);
                bool on_surfaces = !(radii > 0) || c.distance > -radii;
                double least = check_points(&a, &pa, &b, &pb, margin, on_surfaces, points, count, what);
                points_seen += count;
                if (c.distance > margin)
                    CHECK_MSG(count == 0, "%s: %d points at distance %g", what, count, c.distance);
                if (c.distance <= 0) CHECK_MSG(count > 0, "%s: none at depth %g", what, c.distance);
                if (count > 0)
                    CHECK_MSG(least > c.distance - 0.02 * fabs(c.distance) - 1e-5, "%s: %g, distance %g",
                              what, least, c.distance);
                if (c.distance <= 0)
                    CHECK_MSG(least < c.distance / 2 + 1e-9, "%s: %g, distance %g", what, least, c.distance);
            }
        }
    }
    printf("       %ld points\n", points_seen);
}

static int manifold(const abut_shape *a, const abut_pose *pa, const abut_shape *b, const abut_pose *pb,
                    double margin, abut_manifold_point *points)
{
    int count;
    CHECK(abut_shape_manifold(a, pa, b, pb, margin, NULL, points, ABUT_MANIFOLD_POINTS, &count) == ABUT_OK);
    return count;
}

static void turn_z(abut_pose *pose, double angle)
{
    pose->rotation[0] = cos(angle / 2);
    pose->rotation[1] = pose->rotation[2] = 0;
    pose->rotation[3] = sin(angle / 2);
}

/* Faces that fit: how many points, all with gap 0. */
static void test_counts(void)
{
    abut_shape box = {.kind = ABUT_BOX, .half = {0.5, 0.5, 0.5}}, plane = {.kind = ABUT_PLANE};
    abut_shape capsule = {.kind = ABUT_CAPSULE, .radius = 0.2, .half_length = 0.5};
    abut_shape cylinder = {.kind = ABUT_CYLINDER, .radius = 0.3, .half_length = 0.4};
    abut_manifold_point p[ABUT_MANIFOLD_POINTS];
    abut_pose up = origin, lying = {.rotation = {0.70710678118654757, 0.70710678118654757, 0, 0}};
    up.position[2] = 1;
    CHECK_EQ_INT(manifold(&box, &up, &box, &origin, 0.01, p), 4);
    for (int i = 0; i < 4; ++i) CHECK(p[i].gap == 0 && p[i].normal[2] == 1);
    turn_z(&up, 0.785398163397448);
    CHECK_EQ_INT(manifold(&box, &up, &box, &origin, 0.01, p), 8);
    turn_z(&up, 0.3);
    CHECK_EQ_INT(manifold(&box, &up, &box, &origin, 0.01, p), 8);
    turn_z(&up, 0);
    up.position[0] = 0.25;
    CHECK_EQ_INT(manifold(&box, &up, &box, &origin, 0.01, p), 4);
    up.position[0] = 1; /* edge on edge */
    CHECK_EQ_INT(manifold(&box, &up, &box, &origin, 0.01, p), 2);
    up.position[1] = 1; /* corner on corner */
    CHECK_EQ_INT(manifold(&box, &up, &box, &origin, 0.01, p), 1);
    up = origin;
    up.position[2] = 0.5;
    CHECK_EQ_INT(manifold(&box, &up, &plane, &origin, 0.01, p), 4);
    CHECK_EQ_INT(manifold(&plane, &origin, &box, &up, 0.01, p), 4);
    for (int i = 0; i < 4; ++i) CHECK(p[i].gap == 0 && p[i].normal[2] == -1);
    lying.position[2] = 0.2;
    CHECK_EQ_INT(manifold(&capsule, &lying, &plane, &origin, 0.01, p), 2);
    lying.position[2] = 0.7;
    CHECK_EQ_INT(manifold(&capsule, &lying, &box, &origin, 0.01, p), 2);
    for (int i = 0; i < 2; ++i) CHECK(p[i].gap == 0 && fabs(p[i].normal[2] - 1) < 1e-15);
    abut_pose above = lying;
    above.position[2] += 0.4;
    CHECK_EQ_INT(manifold(&capsule, &above, &capsule, &lying, 0.01, p), 2);
    up.position[2] = 0.4;
    CHECK_EQ_INT(manifold(&cylinder, &up, &plane, &origin, 0.01, p), 16);
    lying.position[2] = 0.3;
    CHECK_EQ_INT(manifold(&cylinder, &lying, &plane, &origin, 0.01, p), 2);
    for (int i = 0; i < 2; ++i) CHECK(p[i].gap == 0);
    up.position[2] = 0.9;
    CHECK_EQ_INT(manifold(&cylinder, &up, &box, &origin, 0.01, p), 16);
    for (int i = 0; i < 16; ++i) CHECK(p[i].gap == 0 && p[i].normal[2] == 1);
    up.position[0] = 0.5; /* half over the edge: nine rim points, of which two are where the rim crosses */
    CHECK_EQ_INT(manifold(&cylinder, &up, &box, &origin, 0.01, p), 9);
    up.position[0] = 0;
    up.position[2] = 0.8;
    CHECK_EQ_INT(manifold(&cylinder, &up, &cylinder, &origin, 0.01, p), 16);
    lying.position[2] = 0.8;
    CHECK_EQ_INT(manifold(&cylinder, &lying, &box, &origin, 0.01, p), 2);
    above = lying;
    above.position[2] += 0.6;
    CHECK_EQ_INT(manifold(&cylinder, &above, &cylinder, &lying, 0.01, p), 2);
    up.position[2] = 1.1; /* crossed */
    above =
        (abut_pose){.rotation = {0.70710678118654757, 0, 0.70710678118654757, 0}, .position = {0, 0, 1.4}};
    CHECK_EQ_INT(manifold(&cylinder, &above, &cylinder, &lying, 0.01, p), 1);
}

/* A pair turned and moved as a whole: the same points, turned and moved. */
static void compare_moved(const abut_shape *a, const abut_pose *pa, const abut_shape *b, const abut_pose *pb,
                          uint64_t *state)
{
    abut_pose move = {.rotation = {1, 0, 0, 0}};
    random_rotation(state, move.rotation);
    for (int k = 0; k < 3; ++k) move.position[k] = random_between(state, -1, 1);
    abut_pose qa = pose_after(&move, pa), qb = pose_after(&move, pb);
    abut_manifold_point p[ABUT_MANIFOLD_POINTS], q[ABUT_MANIFOLD_POINTS];
    int n = manifold(a, pa, b, pb, 0.1, p), m = manifold(a, &qa, b, &qb, 0.1, q);
    CHECK_MSG(n == m, "%s %s: %d points, turned %d", abut_shape_kind_name(a->kind),
              abut_shape_kind_name(b->kind), n, m);
    for (int i = 0; n == m && i < n; ++i) {
        double point[3], normal[3], tangent[3];
        oracle_place(&move, p[i].point, point);
        abuti_quat_apply(normal, move.rotation, p[i].normal);
        abuti_quat_apply(tangent, move.rotation, p[i].tangent);
        CHECK(p[i].key == q[i].key);
        CHECK_NEAR(p[i].gap, q[i].gap, 1e-12);
        for (int k = 0; k < 3; ++k) {
            CHECK_NEAR(q[i].point[k], point[k], 1e-12);
            CHECK_NEAR(q[i].normal[k], normal[k], 1e-12);
            CHECK_NEAR(q[i].tangent[k], tangent[k], 1e-12);
        }
    }
}

static void test_rigid_motion(void)
{
    uint64_t state = check_seed(9);
    abut_shape box = {.kind = ABUT_BOX, .half = {0.5, 0.5, 0.5}};
    abut_shape capsule = {.kind = ABUT_CAPSULE, .radius = 0.2, .half_length = 0.5};
    abut_pose lying = {.rotation = {0.70710678118654757, 0.70710678118654757, 0, 0}, .position = {0, 0, 0.7}};
    static const double offsets[] = {0, 0.25, 0.5, 1};
    static const double angles[] = {0, 0.785398163397448, 0.3, 1e-3, 1e-12};
    for (int round = 0; round < 100; ++round) {
        for (int i = 0; i < 4; ++i) {
            for (int j = 0; j < 5; ++j) {
                abut_pose up = {.position = {offsets[i], 0, 1}};
                turn_z(&up, angles[j]);
                compare_moved(&box, &up, &box, &origin, &state);
            }
        }
        compare_moved(&capsule, &lying, &box, &origin, &state);
        compare_moved(&box, &origin, &capsule, &lying, &state);
        for (int i = 0; i < ALL * ALL; ++i) {
            abut_shape a = random_shape(&state, simple[i / ALL]), b = random_shape(&state, simple[i % ALL]);
            abut_pose pa = origin, pb = origin;
            random_rotation(&state, pa.rotation);
            random_rotation(&state, pb.rotation);
            random_direction(&state, pb.position);
            compare_moved(&a, &pa, &b, &pb, &state);
        }
    }
}

/* Moves B along the line between the two until their distance is as wanted. */
static void part(const abut_shape *a, const abut_pose *pa, const abut_shape *b, abut_pose *pb,
                 double distance)
{
    double direction[3], low = 0, high = 4;
    abuti_v3_copy(direction, pb->position);
    for (int i = 0; i < 50; ++i) {
        double middle = 0.5 * (low + high);
        abut_closest c;
        abuti_v3_scale(pb->position, middle, direction);
        CHECK(abut_shape_distance(a, pa, b, pb, 100, &c) == ABUT_OK);
        if (c.distance > distance)
            high = middle;
        else
            low = middle;
    }
}

/* Ellipsoids that lie deep in something are close to having several deepest points, and no number is sharp there: these touch. */
static void test_rigid_motion_of_ellipsoids(void)
{
    static const abut_shape_kind others[6] = {ABUT_SPHERE,   ABUT_CAPSULE,   ABUT_BOX,
                                              ABUT_CYLINDER, ABUT_ELLIPSOID, ABUT_PLANE};
    uint64_t state = check_seed(11);
    for (int round = 0; round < 600; ++round) {
        abut_shape a = random_shape(&state, ABUT_ELLIPSOID), b = random_shape(&state, others[round % 6]);
        abut_pose pa = origin, pb = origin;
        random_rotation(&state, pa.rotation);
        if (b.kind == ABUT_PLANE) {
            pb.position[2] = -1;
            part(&a, &pa, &b, &pb, round % 5 ? random_between(&state, -0.1, 0.08) : 0);
        } else {
            random_rotation(&state, pb.rotation);
            random_direction(&state, pb.position);
            part(&a, &pa, &b, &pb, round % 5 ? random_between(&state, -0.1, 0.08) : 0);
        }
        compare_moved(&a, &pa, &b, &pb, &state);
    }
}

/* A box that slides and turns a little on another keeps its keys. */
static void test_keys_stay(void)
{
    uint64_t state = check_seed(10);
    abut_shape box = {.kind = ABUT_BOX, .half = {0.5, 0.4, 0.3}},
               base = {.kind = ABUT_BOX, .half = {0.6, 0.6, 0.5}};
    abut_manifold_point first[ABUT_MANIFOLD_POINTS], p[ABUT_MANIFOLD_POINTS];
    abut_pair_memory memory = {0};
    int n = 0, m;
    for (int step = 0; step < 1000; ++step) {
        abut_pose pose = {.position = {0.3, 0.2, 0.8}};
        turn_z(&pose, 0.4);
        for (int k = 0; k < 3; ++k) pose.position[k] += random_between(&state, -1e-7, 1e-7);
        for (int k = 1; k < 4; ++k) pose.rotation[k] += random_between(&state, -1e-7, 1e-7);
        CHECK(abut_shape_manifold(&box, &pose, &base, &origin, 0.01, &memory, p, ABUT_MANIFOLD_POINTS, &m) ==
              ABUT_OK);
        if (step == 0) {
            n = m;
            memcpy(first, p, sizeof first);
        }
        CHECK_EQ_INT(m, n);
        for (int i = 0; i < m; ++i) {
            bool found = false;
            for (int j = 0; j < n; ++j)
                found = found || (first[j].key == p[i].key && fabs(first[j].point[0] - p[i].point[0]) < 1e-5);
            CHECK(found);
        }
    }
}

static void test_refusals(void)
{
    abut_shape bad = {.kind = ABUT_BOX, .half = {1, -1, 1}}, plane = {.kind = ABUT_PLANE};
    abut_error error;
    int count = 5;
    CHECK(abut_shape_check(&bad, &error) == ABUT_INVALID_ARGUMENT);
    CHECK(strstr(error.text, "half[1]"));
    bad.half[1] = NAN;
    CHECK(abut_shape_check(&bad, NULL) == ABUT_INVALID_ARGUMENT);
    bad.kind = (abut_shape_kind)99;
    CHECK(abut_shape_check(&bad, &error) == ABUT_INVALID_ARGUMENT);
    CHECK(abut_shape_manifold(&plane, &origin, &plane, &origin, 0, NULL, NULL, 0, &count) ==
          ABUT_UNSUPPORTED);
    CHECK_EQ_INT(count, 0);
    abut_shape box = {.kind = ABUT_BOX, .half = {1, 1, 1}};
    abut_manifold_point two[2];
    CHECK(abut_shape_manifold(&box, &origin, &plane, &origin, 0, NULL, two, 2, &count) == ABUT_TOO_LARGE);
    CHECK_EQ_INT(count, 4);
}

int main(void)
{
    RUN(test_counts);
    RUN(test_distance);
    RUN(test_random_manifolds);
    RUN(test_rigid_motion);
    RUN(test_rigid_motion_of_ellipsoids);
    RUN(test_keys_stay);
    RUN(test_refusals);
    return check_report();
}
