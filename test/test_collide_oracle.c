/* Signed distances of all pairs of convex kinds against brute force, in poses that are random, touching, parallel and degenerate.
 *
 * The oracle knows support functions and whether a point is inside, nothing else. What is claimed must be parted by its own
 * normal; shapes that are apart are proved so by their two points, at the distance of two parting planes; of shapes that overlap
 * no direction out of a net over the sphere, improved, may be a shorter way out.
 *
 * ABUT_COLLIDE_POSES is the number of poses a pair and family (20000 makes 100,000 a pair: a campaign of some minutes). */
#include "check.h"
#include "collide_on.h"
#include "collide_poses.h"

enum { NET = 300, STARTS = 4 };

/* m: the gap along the normal is a difference of supports, exact but for rounding; a search ends with steps of 1e-7. */
#define ROUNDING 1e-12
#define SEARCHED 1e-9
/* m: corners that are so near to a side are on it. */
#define ON_SIDE 2e-9
#define MARGIN 0.1

typedef struct tally {
    long poses, apart;
    double along, points, shorter, off; /* the worst of each check */
} tally;

/* Every point of the manifold stands for one on A and one on B. */
static void check_manifold(const posed *a, const posed *b, const char *what, tally *t)
{
    abut_manifold_point p[ABUT_MANIFOLD_POINTS];
    int count = 0;
    CHECK(abut_shape_manifold(&a->shape, &a->pose, &b->shape, &b->pose, MARGIN, NULL, p, ABUT_MANIFOLD_POINTS,
                              &count) == ABUT_OK);
    for (int i = 0; i < count; ++i) {
        double on_a[3], on_b[3];
        manifold_sides(&p[i], on_a, on_b);
        double off = fmax(off_surface(a, on_a), off_surface(b, on_b));
        t->off = fmax(t->off, off);
        CHECK_MSG(off <= ON_SIDE, "%s: point %d of %d, gap %g, is %g and %g off", what, i, count, p[i].gap,
                  off_surface(a, on_a), off_surface(b, on_b));
    }
}

/* Directions spread evenly over the sphere (Fibonacci's spiral). */
static void net_direction(int i, double n[3])
{
    double z = 1 - (2 * i + 1.0) / NET, r = sqrt(1 - z * z), angle = 2.399963229728653 * i;
    abuti_v3_set(n, r * cos(angle), r * sin(angle), z);
}

/* Climbs from a direction by random steps that get smaller when they do not help. */
static double climb(const posed *a, const posed *b, uint64_t *state, double n[3], double here)
{
    for (double step = 0.1; step > 1e-7;) {
        double m[3], d[3];
        bool better = false;
        for (int k = 0; k < 6 && !better; ++k) {
            random_direction(state, d);
            abuti_v3_add_scaled(m, n, step, d);
            abuti_v3_normalise(m);
            double there = search_gap(a, b, m);
            better = there > here;
            if (better) {
                here = there;
                abuti_v3_copy(n, m);
            }
        }
        if (!better) step *= 0.6;
    }
    return here;
}

/* The largest gap along any direction: the best of the net, improved, and the claimed one, improved. */
static double largest_gap(const posed *a, const posed *b, uint64_t *state, const double claimed[3])
{
    double best[STARTS][3], gaps[STARTS], n[3], most;
    for (int k = 0; k < STARTS; ++k) gaps[k] = -INFINITY;
    for (int i = 0; i < NET; ++i) {
        net_direction(i, n);
        double gap = search_gap(a, b, n);
        int place = STARTS;
        while (place > 0 && gap > gaps[place - 1]) place--;
        for (int k = STARTS - 1; k > place; --k) {
            gaps[k] = gaps[k - 1];
            abuti_v3_copy(best[k], best[k - 1]);
        }
        if (place < STARTS) {
            gaps[place] = gap;
            abuti_v3_copy(best[place], n);
        }
    }
    abuti_v3_copy(n, claimed);
    most = climb(a, b, state, n, search_gap(a, b, n));
    for (int k = 0; k < STARTS; ++k) most = fmax(most, climb(a, b, state, best[k], gaps[k]));
    return most;
}

/* The distance from a plane is that along its normal, which is known. */
static void check_normal_of_plane(const posed *plane, const abut_closest *c, const char *what)
{
    double up[3] = {0, 0, 1}, n[3];
    abuti_quat_apply(n, plane->pose.rotation, up);
    abuti_v3_sub(n, n, c->normal);
    CHECK_MSG(abuti_v3_length(n) <= ROUNDING, "%s: the normal is %g off", what, abuti_v3_length(n));
}

static void check_pair(const posed *a, const posed *b, uint64_t *state, const char *what, tally *t)
{
    abut_closest c;
    double v[3];
    CHECK(abut_shape_distance(&a->shape, &a->pose, &b->shape, &b->pose, 100, &c) == ABUT_OK);
    double along = fabs(search_gap(a, b, c.normal) - c.distance);
    abuti_v3_sub(v, c.point_a, c.point_b);
    abuti_v3_add_scaled(v, v, -c.distance, c.normal);
    double points = abuti_v3_length(v);
    check_manifold(a, b, what, t);
    t->poses++;
    t->along = fmax(t->along, along);
    t->points = fmax(t->points, points);
    CHECK_MSG(along <= direction_rounding(a, b, c.distance), "%s: the normal parts by %.17g, not %.17g", what,
              search_gap(a, b, c.normal), c.distance);
    CHECK_MSG(points <= ROUNDING, "%s: points are %g off", what, points);
    t->apart += c.distance > 0;
    if (b->shape.kind == ABUT_PLANE) {
        check_normal_of_plane(b, &c, what);
    } else if (c.distance > 0) {
        CHECK_MSG(search_contains(&a->shape, &a->pose, c.point_a), "%s: A's point, distance %g", what,
                  c.distance);
        CHECK_MSG(search_contains(&b->shape, &b->pose, c.point_b), "%s: B's point, distance %g", what,
                  c.distance);
    } else {
        double most = largest_gap(a, b, state, c.normal);
        t->shorter = fmax(t->shorter, most - c.distance);
        CHECK_MSG(most <= c.distance + SEARCHED, "%s: depth %.12g, but %.12g is enough", what, -c.distance,
                  -most);
    }
}

static void test_all_pairs(void)
{
    uint64_t state = check_seed(41);
    solids s = solids_make();
    int poses = poses_wanted(30);
    for (int i = 0; i < CONVEX_KINDS; ++i) {
        for (int j = i; j <= CONVEX_KINDS; ++j) {
            abut_shape_kind kind = j < CONVEX_KINDS ? convex_kinds[j] : ABUT_PLANE;
            tally t = {0};
            for (int family = 0; family < POSE_FAMILIES; ++family) {
                for (int k = 0; k < poses; ++k) {
                    posed a, b;
                    char what[100];
                    random_pair(&state, &s, (pose_family)family, convex_kinds[i], kind, &a, &b);
                    snprintf(what, sizeof what, "%s %s, %s (%d)", abut_shape_kind_name(convex_kinds[i]),
                             abut_shape_kind_name(kind), pose_family_names[family], k);
                    check_pair(&a, &b, &state, what, &t);
                }
            }
            if (!getenv("ABUT_COLLIDE_POSES")) continue;
            printf("       %-9s %-9s %ld poses, %ld apart; normal %.1g, points %.1g, shorter way out %.1g, "
                   "manifold %.1g\n",
                   abut_shape_kind_name(convex_kinds[i]), abut_shape_kind_name(kind), t.poses, t.apart,
                   t.along, t.points, t.shorter, t.off);
        }
    }
    solids_destroy(&s);
}

/* Round about one axis, and deep: a whole circle of directions is best, and Newton's method comes to it where the gap is curved the
 * other way along the circle. */
static void test_one_axis(void)
{
    uint64_t state = check_seed(42);
    tally t = {0};
    for (int k = 0; k < 9 * 9 * 5; ++k) {
        double size[4] = {0.25 * (1 + k % 3), 0.25 * (1 + k / 3 % 3), 0.25 * (1 + k / 9 % 3),
                          0.25 * (1 + k / 27 % 3)};
        posed a = {{.kind = ABUT_CYLINDER, .radius = size[0], .half_length = size[1]},
                   {.rotation = {1, 0, 0, 0}}};
        posed b = {{.kind = ABUT_ELLIPSOID, .half = {size[2], size[2], size[3]}}, {.rotation = {1, 0, 0, 0}}};
        char what[100];
        b.pose.position[2] = 0.25 * (k / 81);
        snprintf(what, sizeof what, "cylinder ellipsoid on one axis (%d)", k);
        check_pair(&a, &b, &state, what, &t);
    }
}

int main(void)
{
    RUN(test_one_axis);
    RUN(test_all_pairs);
    return check_report();
}
