/* Cylinders, ellipsoids and convex polyhedra: signed distances judged by certificates and by a search over directions,
 * manifolds of caps, lines and rims. */
#include "check.h"
#include "collide_oracle.h"
#include "collide_random.h"
#include "collide_search.h"

enum { ROUNDS = 60, KINDS = 6 };
static const abut_shape_kind kinds[KINDS] = {ABUT_SPHERE,   ABUT_CAPSULE,   ABUT_BOX,
                                             ABUT_CYLINDER, ABUT_ELLIPSOID, ABUT_CONVEX};
static const abut_pose origin = {.rotation = {1, 0, 0, 0}};

static posed random_posed(uint64_t *state, abut_shape_kind kind, const abut_convex *convex)
{
    posed p = {random_shape(state, kind), origin};
    p.shape.convex = convex;
    random_rotation(state, p.pose.rotation);
    return p;
}

static void check_pair(const posed *a, const posed *b, uint64_t *state, const char *what)
{
    abut_closest c;
    CHECK(abut_shape_distance(&a->shape, &a->pose, &b->shape, &b->pose, 100, &c) == ABUT_OK);
    CHECK_MSG(fabs(search_gap(a, b, c.normal) - c.distance) < 1e-12, "%s: the normal parts by %g, not %g",
              what, search_gap(a, b, c.normal), c.distance);
    double v[3];
    abuti_v3_sub(v, c.point_a, c.point_b);
    CHECK_MSG(fabs(abuti_v3_length(v) - fabs(c.distance)) < 1e-12, "%s: points", what);
    if (c.distance > 0) {
        /* Two points at the distance of two parting planes: nothing can be better. */
        CHECK_MSG(search_contains(&a->shape, &a->pose, c.point_a), "%s: A's point, distance %g", what,
                  c.distance);
        CHECK_MSG(search_contains(&b->shape, &b->pose, c.point_b), "%s: B's point, distance %g", what,
                  c.distance);
    } else {
        double best = search_better(a, b, state, c.distance);
        CHECK_MSG(best <= c.distance + 1e-9, "%s: depth %.12g, but %.12g is enough", what, -c.distance,
                  -best);
    }
    abut_closest d;
    abut_shape_distance(&b->shape, &b->pose, &a->shape, &a->pose, 100, &d);
    CHECK_MSG(fabs(c.distance - d.distance) < 1e-10, "%s: %.17g, the other way %.17g", what, c.distance,
              d.distance);
}

static void test_distance(void)
{
    uint64_t state = check_seed(21);
    abut_convex *convex[3] = {solid_tetrahedron(), solid_prism(7), solid_octahedron()};
    for (int round = 0; round < ROUNDS; ++round) {
        for (int i = 0; i < KINDS; ++i) {
            for (int j = 0; j < KINDS; ++j) {
                posed a = random_posed(&state, kinds[i], convex[round % 3]);
                posed b = random_posed(&state, kinds[j], convex[(round / 3) % 3]);
                double direction[3];
                char what[100];
                random_direction(&state, direction);
                abuti_v3_scale(b.pose.position, random_between(&state, 0, 3), direction);
                snprintf(what, sizeof what, "%s %s (%d)", abut_shape_kind_name(kinds[i]),
                         abut_shape_kind_name(kinds[j]), round);
                check_pair(&a, &b, &state, what);
            }
        }
    }
    for (int i = 0; i < 3; ++i) abut_convex_destroy(convex[i]);
}

/* Positions in which everything is parallel, square or centred. */
static void test_degenerate(void)
{
    uint64_t state = check_seed(22);
    abut_convex *convex = solid_prism(8);
    static const double turns[4][4] = {{1, 0, 0, 0},
                                       {0.70710678118654757, 0.70710678118654757, 0, 0},
                                       {0.70710678118654757, 0, 0.70710678118654757, 0},
                                       {0.5, 0.5, 0.5, 0.5}};
    for (int i = 0; i < KINDS; ++i) {
        for (int j = 0; j < KINDS; ++j) {
            for (int turn = 0; turn < 4; ++turn) {
                for (int where = 0; where < 27; ++where) {
                    posed a = {{.kind = kinds[i],
                                .radius = 0.5,
                                .half_length = 0.5,
                                .half = {0.5, 0.5, 0.5},
                                .convex = convex},
                               origin};
                    posed b = a;
                    b.shape.kind = kinds[j];
                    memcpy(b.pose.rotation, turns[turn], sizeof b.pose.rotation);
                    for (int k = 0, w = where; k < 3; k++, w /= 3) b.pose.position[k] = 0.5 * (w % 3);
                    char what[100];
                    snprintf(what, sizeof what, "%s %s (turn %d, place %d)", abut_shape_kind_name(kinds[i]),
                             abut_shape_kind_name(kinds[j]), turn, where);
                    check_pair(&a, &b, &state, what);
                }
            }
        }
    }
    abut_convex_destroy(convex);
}

int main(void)
{
    RUN(test_distance);
    RUN(test_degenerate);
    return check_report();
}
