/* Signed distances and normals of all pairs of convex kinds, and of each with a plane, against MuJoCo's (npm package
 * @mujoco/mujoco, run by node), in poses that are random, touching, parallel, deep and degenerate.
 *
 * Optional: skipped unless the package is in the folder that ABUT_MUJOCO names, or in build/mujoco, where
 * `scripts/setup mujoco` puts it. ABUT_MUJOCO_POSES is the number of poses a pair (default 300; 20000 and some seeds, ABUT_SEED,
 * for a campaign). */
#include "check.h"
#include "collide_poses.h"

/* m: MuJoCo's iterations end at 1e-10; it keeps corners of meshes as floats. */
#define TOLERANCE 1e-8
#define TOLERANCE_MESH 3e-7
/* m: what is nearer to touching has no normal of its own in MuJoCo's answer, which is a difference of two points. */
#define TOUCHING 1e-3
#define SAME_NORMAL 1e-4
#define SEARCHED 1e-9
#define ROUNDING 1e-12

typedef struct tally {
    long poses, agree, normals, other_ways;
    double worst, worst_normal;
} tally;

typedef struct answer {
    double distance, from[3], to[3];
} answer;

static const char *folder(void)
{
    const char *given = getenv("ABUT_MUJOCO");
    return given ? given : "../../mujoco";
}

static bool package_there(void)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/node_modules/@mujoco/mujoco/mujoco.js", folder());
    FILE *file = fopen(path, "r");
    if (file) fclose(file);
    return file && system("node --version >/dev/null 2>&1") == 0;
}

/* The kind, or the name of the mesh, and three sizes. */
static void print_shape(FILE *file, const solids *solids, const abut_shape *s)
{
    bool three = s->kind == ABUT_BOX || s->kind == ABUT_ELLIPSOID;
    int solid = 0;
    while (solid < SOLIDS - 1 && solids->at[solid] != s->convex) solid++;
    if (s->kind == ABUT_CONVEX) {
        fprintf(file, "mesh%d", solid);
    } else {
        fprintf(file, "%s", abut_shape_kind_name(s->kind));
    }
    fprintf(file, " %.17g %.17g %.17g ", three ? s->half[0] : s->radius, three ? s->half[1] : s->half_length,
            three ? s->half[2] : 0.0);
}

static void print_pose(FILE *file, const abut_pose *p, char end)
{
    for (int k = 0; k < 7; ++k)
        fprintf(file, "%.17g%c", k < 3 ? p->position[k] : p->rotation[k - 3], k == 6 ? end : ' ');
}

static void print_solids(FILE *file, const solids *solids)
{
    for (int i = 0; i < SOLIDS; ++i) {
        abut_convex_def def = abut_convex_get(solids->at[i]);
        fprintf(file, "mesh");
        for (int k = 0; k < 3 * def.vertex_count; ++k) fprintf(file, " %.17g", def.vertices[k / 3][k % 3]);
        fprintf(file, "\n");
    }
}

/* The gap along a direction; a plane is z = 0. */
static double gap_along(const posed *a, const posed *b, const double n[3])
{
    double back[3] = {-n[0], -n[1], -n[2]};
    if (b->shape.kind != ABUT_PLANE) return search_gap(a, b, n);
    return n[2] > 1 - ROUNDING ? -search_support(&a->shape, &a->pose, back) : -INFINITY;
}

/* Whether a distance holds whatever MuJoCo says: by its own points where shapes are apart, by a search where they overlap. */
static bool proved(const posed *a, const posed *b, const abut_closest *c)
{
    uint64_t search = 1;
    if (b->shape.kind == ABUT_PLANE) return true; /* the gap along its normal is the distance */
    if (c->distance > 0)
        return search_contains(&a->shape, &a->pose, c->point_a) &&
               search_contains(&b->shape, &b->pose, c->point_b);
    return search_better(a, b, &search, c->distance) <= c->distance + SEARCHED;
}

/* MuJoCo's normal, from its two points, where the distances agree: ours, or one that parts the shapes as well. */
static void compare_normals(const posed *a, const posed *b, const abut_closest *c, const answer *theirs,
                            const char *what, tally *t)
{
    double n[3], off[3];
    abuti_v3_sub(n, theirs->from, theirs->to);
    if (!(fabs(c->distance) > TOUCHING) || !(abuti_v3_normalise(n) > TOUCHING / 2)) return;
    if (theirs->distance < 0) abuti_v3_scale(n, -1, n);
    abuti_v3_sub(off, n, c->normal);
    double apart = abuti_v3_length(off);
    if (apart <= SAME_NORMAL) {
        t->normals++;
        t->worst_normal = fmax(t->worst_normal, apart);
        return;
    }
    t->other_ways++;
    /* A direction that is not ours may part the shapes equally well, never better. */
    CHECK_MSG(gap_along(a, b, n) <= c->distance + SEARCHED, "%s: normal off by %.3g", what, apart);
}

static void compare(const posed *a, const posed *b, const answer *theirs, const char *what, tally *t)
{
    abut_closest c;
    bool mesh = a->shape.kind == ABUT_CONVEX || b->shape.kind == ABUT_CONVEX;
    CHECK(abut_shape_distance(&a->shape, &a->pose, &b->shape, &b->pose, 10, &c) == ABUT_OK);
    double parted = gap_along(a, b, c.normal), difference = fabs(theirs->distance - c.distance);
    CHECK_MSG(fabs(parted - c.distance) <= direction_rounding(a, b, c.distance),
              "%s: the normal parts by %.17g, not %.17g", what, parted, c.distance);
    t->poses++;
    if (difference <= (mesh ? TOLERANCE_MESH : TOLERANCE)) {
        t->agree++;
        t->worst = fmax(t->worst, difference);
        compare_normals(a, b, &c, theirs, what, t);
    } else {
        /* One of the two is wrong. Theirs may be where axes are parallel, cores overlap, or an iteration stopped early. */
        CHECK_MSG(proved(a, b, &c), "%s: %.12g, MuJoCo %.12g", what, c.distance, theirs->distance);
    }
}

/* The poses of a pair: asked, or compared with the answers. */
static void each_pose(FILE *ask, FILE *answers, const solids *solids, uint64_t *state, abut_shape_kind first,
                      abut_shape_kind second, int poses)
{
    tally t = {0};
    for (int i = 0; i < poses; ++i) {
        pose_family family = (pose_family)(i % POSE_FAMILIES);
        posed a, b;
        random_pair(state, solids, family, first, second, &a, &b);
        if (second == ABUT_PLANE) { /* the plane stands still: A as seen from it */
            abut_pose back = {.rotation = {1, 0, 0, 0}};
            abuti_quat_conjugate(back.rotation, b.pose.rotation);
            abuti_quat_apply(back.position, back.rotation, b.pose.position);
            abuti_v3_scale(back.position, -1, back.position);
            a.pose = pose_after(&back, &a.pose);
            b.pose = (abut_pose){.rotation = {1, 0, 0, 0}};
        }
        if (ask) {
            print_shape(ask, solids, &a.shape);
            print_shape(ask, solids, &b.shape);
            print_pose(ask, &a.pose, ' ');
            print_pose(ask, &b.pose, '\n');
            continue;
        }
        answer theirs;
        char what[100];
        int read = fscanf(answers, "%lf %lf %lf %lf %lf %lf %lf", &theirs.distance, &theirs.from[0],
                          &theirs.from[1], &theirs.from[2], &theirs.to[0], &theirs.to[1], &theirs.to[2]);
        CHECK(read == 7);
        if (read != 7) return;
        snprintf(what, sizeof what, "%s %s, %s (%d)", abut_shape_kind_name(first),
                 abut_shape_kind_name(second), pose_family_names[family], i);
        compare(&a, &b, &theirs, what, &t);
    }
    if (answers)
        printf("       %-9s %-9s %ld poses, %ld agree to %.1g (others proved); normals: %ld to %.1g, %ld of "
               "another way out\n",
               abut_shape_kind_name(first), abut_shape_kind_name(second), t.poses, t.agree, t.worst,
               t.normals, t.worst_normal, t.other_ways);
}

static void all_pairs(FILE *ask, FILE *answers, const solids *solids, int poses)
{
    uint64_t state = check_seed(61);
    for (int i = 0; i < CONVEX_KINDS; ++i) {
        for (int j = i; j < CONVEX_KINDS; ++j)
            each_pose(ask, answers, solids, &state, convex_kinds[i], convex_kinds[j], poses);
        each_pose(ask, answers, solids, &state, convex_kinds[i], ABUT_PLANE, poses);
    }
}

static void test_against_mujoco(void)
{
    const char *wanted = getenv("ABUT_MUJOCO_POSES");
    int poses = wanted ? atoi(wanted) : 300;
    char command[2200];
    solids solids = solids_make();
    FILE *ask = fopen("mujoco_poses.txt", "w");
    CHECK(ask);
    if (!ask) return;
    print_solids(ask, &solids);
    all_pairs(ask, NULL, &solids, poses);
    fclose(ask);
    snprintf(command, sizeof command,
             "node %s/../mujoco_distance.mjs %s mujoco_poses.txt mujoco_distances.txt", ABUT_TEST_GOLDEN,
             folder());
    CHECK(system(command) == 0);
    FILE *answers = fopen("mujoco_distances.txt", "r");
    CHECK(answers);
    if (!answers) return;
    all_pairs(NULL, answers, &solids, poses);
    fclose(answers);
    solids_destroy(&solids);
}

int main(void)
{
    if (!package_there()) return CHECK_SKIPPED;
    RUN(test_against_mujoco);
    return check_report();
}
