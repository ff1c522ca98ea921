/* Manifolds under rigid motion: the same points, turned and moved with the scene, for every pair of kinds, in poses that are
 * random, touching, parallel and degenerate. ABUT_COLLIDE_POSES is the number of poses a pair and family. */
#include "check.h"
#include "collide_surfaces.h"

/* m: what a rigid motion may change in distances; in points, normals, tangents and gaps it is direction_rounding. */
#define SAME 1e-12
/* The same of directions about which the depth is flat. */
#define FLAT 1e-8
/* m: where points end; no gap on the grid of the square family is exactly this. */
#define MARGIN 0.0987
/* Points of one manifold, at most: those of every triangle of a surface. */
enum { POINTS = 1000 };

typedef struct tally {
    long poses, points, changed;
    double worst;
} tally;

static const abut_manifold_point *find_key(const abut_manifold_point *points, int count, uint64_t key)
{
    for (int i = 0; i < count; ++i) {
        if (points[i].key == key) return &points[i];
    }
    return NULL;
}

static double difference(const abut_pose *move, const abut_manifold_point *p, const abut_manifold_point *q)
{
    double point[3], normal[3], tangent[3], worst = fabs(p->gap - q->gap);
    abuti_quat_apply(point, move->rotation, p->point);
    abuti_v3_add(point, point, move->position);
    abuti_quat_apply(normal, move->rotation, p->normal);
    abuti_quat_apply(tangent, move->rotation, p->tangent);
    for (int k = 0; k < 3; ++k) {
        worst = fmax(worst, fabs(point[k] - q->point[k]));
        worst = fmax(worst, fabs(normal[k] - q->normal[k]));
        worst = fmax(worst, fabs(tangent[k] - q->tangent[k]));
    }
    return worst;
}

static int manifold(const posed *a, const posed *b, abut_manifold_point *points)
{
    int count = 0;
    abut_status status =
        abut_shape_manifold(&a->shape, &a->pose, &b->shape, &b->pose, MARGIN, NULL, points, POINTS, &count);
    CHECK(status == ABUT_OK);
    return count;
}

static bool is_surface(const posed *p)
{
    return p->shape.kind == ABUT_PLANE || p->shape.kind == ABUT_MESH || p->shape.kind == ABUT_HEIGHTFIELD;
}

/* Whether the depth of two convex things is flat along what is between the directions found before and after: a ten-thousandth of a
 * radian farther it is the same to 1e-13 m. Rounding moves such a direction by itself over the curvature. */
static bool flat(const posed *a, const posed *b, const abut_pose *move, const abut_closest *before,
                 const abut_closest *after)
{
    const double far = 1e-4, drop = 1e-13;
    double back[4], n[3], between[3];
    if (!(before->distance < 0) || is_surface(a) || is_surface(b)) return false;
    abuti_quat_conjugate(back, move->rotation);
    abuti_quat_apply(n, back, after->normal);
    abuti_v3_sub(between, n, before->normal);
    if (!(abuti_v3_normalise(between) > 0)) return false;
    abuti_v3_add_scaled(n, before->normal, far, between);
    abuti_v3_normalise(n);
    return search_gap(a, b, n) > search_gap(a, b, before->normal) - drop;
}

static void compare(const posed *a, const posed *b, uint64_t *state, const char *what, tally *t)
{
    abut_pose move = {.rotation = {1, 0, 0, 0}};
    random_rotation(state, move.rotation);
    for (int k = 0; k < 3; ++k) move.position[k] = random_between(state, -1, 1);
    posed c = {a->shape, pose_after(&move, &a->pose)}, d = {b->shape, pose_after(&move, &b->pose)};
    abut_closest before, after;
    abut_shape_distance(&a->shape, &a->pose, &b->shape, &b->pose, 100, &before);
    abut_shape_distance(&c.shape, &c.pose, &d.shape, &d.pose, 100, &after);
    CHECK_MSG(fabs(before.distance - after.distance) <= SAME, "%s: distance %.17g, turned %.17g", what,
              before.distance, after.distance);
    t->poses++;
    double same = flat(a, b, &move, &before, &after) ? FLAT : direction_rounding(a, b, before.distance);
    static abut_manifold_point p[POINTS], q[POINTS];
    int n = manifold(a, b, p), m = manifold(&c, &d, q);
    double worst = n == m ? 0 : 1;
    for (int i = 0; n == m && i < n; ++i) {
        const abut_manifold_point *same = find_key(q, m, p[i].key);
        worst = fmax(worst, same ? difference(&move, &p[i], same) : 1);
    }
    t->points += n;
    t->worst = fmax(t->worst, worst);
    if (!(worst <= same)) t->changed++;
    CHECK_MSG(worst <= same, "%s: %d points, turned %d; difference %.3g", what, n, m, worst);
}

static void test_all_pairs(void)
{
    uint64_t state = check_seed(31);
    solids s = solids_make();
    int poses = poses_wanted(60);
    for (int i = 0; i < CONVEX_KINDS; ++i) {
        for (int j = 0; j < CONVEX_KINDS + 1; ++j) {
            abut_shape_kind kind = j < CONVEX_KINDS ? convex_kinds[j] : ABUT_PLANE;
            for (int family = 0; family < POSE_FAMILIES; ++family) {
                tally t = {0};
                for (int k = 0; k < poses; ++k) {
                    posed a, b;
                    char what[100];
                    random_pair(&state, &s, (pose_family)family, convex_kinds[i], kind, &a, &b);
                    snprintf(what, sizeof what, "%s %s, %s (%d)", abut_shape_kind_name(convex_kinds[i]),
                             abut_shape_kind_name(kind), pose_family_names[family], k);
                    compare(&a, &b, &state, what, &t);
                }
                if (t.changed > 0 || getenv("ABUT_COLLIDE_POSES"))
                    printf("       %-9s %-9s %-8s %ld poses, %ld points, %ld changed, worst %.2g\n",
                           abut_shape_kind_name(convex_kinds[i]), abut_shape_kind_name(kind),
                           pose_family_names[family], t.poses, t.points, t.changed, t.worst);
            }
        }
    }
    solids_destroy(&s);
}

/* Convex things on heightfields and meshes, in both orders. */
static void test_surfaces(void)
{
    uint64_t state = check_seed(33);
    solids s = solids_make();
    surfaces ground;
    surfaces_make(&ground, &state);
    int poses = poses_wanted(20);
    for (int i = 0; i < CONVEX_KINDS; ++i) {
        for (int j = 0; j < SURFACE_KINDS; ++j) {
            for (int family = 0; family < POSE_FAMILIES; ++family) {
                posed a, b = {surface_shape(&ground, (surface_kind)j), {.rotation = {1, 0, 0, 0}}};
                tally t = {0};
                for (int k = 0; k < poses; ++k) {
                    char what[100];
                    random_on_surface(&state, &s, (pose_family)family, convex_kinds[i], &a, &b);
                    snprintf(what, sizeof what, "%s on %s, %s (%d)", abut_shape_kind_name(convex_kinds[i]),
                             surface_names[j], pose_family_names[family], k);
                    compare(k % 2 ? &a : &b, k % 2 ? &b : &a, &state, what, &t);
                }
                if (t.changed > 0 || getenv("ABUT_COLLIDE_POSES"))
                    printf("       %-9s %-15s %-8s %ld poses, %ld points, %ld changed, worst %.2g\n",
                           abut_shape_kind_name(convex_kinds[i]), surface_names[j], pose_family_names[family],
                           t.poses, t.points, t.changed, t.worst);
            }
        }
    }
    surfaces_destroy(&ground);
    solids_destroy(&s);
}

/* A corner of a tetrahedron on the rim of a cylinder, where the line on its side ends and an edge crosses it: three kinds of
 * directions are equally good, and a search for one of them ends at the bend of the gap that the others are. */
static void test_corner_on_rim(void)
{
    static const struct {
        double radius, half_length, position[3], turn[4];
    } rims[3] = {{0.25, 0.5, {0, -0.5, 0.75}, {1, 0, 1, 0}},
                 {0.5, 0.25, {-1, -0.25, 0}, {1, 0, 0, 1}},
                 {0.5, 0.25, {-0.25, 1, 0}, {1, 0, 1, 0}}};
    uint64_t state = check_seed(32);
    solids s = solids_make();
    tally t = {0};
    for (int i = 0; i < 3; ++i) {
        posed corner = {{.kind = ABUT_CONVEX, .convex = s.at[0]}, {.rotation = {1, 0, 0, 0}}};
        posed rim = {{.kind = ABUT_CYLINDER, .radius = rims[i].radius, .half_length = rims[i].half_length},
                     {.rotation = {1, 0, 0, 0}}};
        abuti_v3_copy(rim.pose.position, rims[i].position);
        memcpy(rim.pose.rotation, rims[i].turn, sizeof rim.pose.rotation);
        abuti_quat_normalise(rim.pose.rotation);
        for (int k = 0; k < 300; ++k) compare(&corner, &rim, &state, "corner on rim", &t);
    }
    CHECK(t.points == 900 && t.changed == 0);
    solids_destroy(&s);
}

int main(void)
{
    RUN(test_corner_on_rim);
    RUN(test_all_pairs);
    RUN(test_surfaces);
    return check_report();
}
