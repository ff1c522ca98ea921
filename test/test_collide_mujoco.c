/* Signed distances of all pairs of simple shapes against MuJoCo's (npm package @mujoco/mujoco, run by node).
 *
 * Optional: skipped unless the package is in the folder that ABUT_MUJOCO names, or in build/mujoco, where
 * `scripts/setup mujoco` puts it. ABUT_MUJOCO_POSES is the number of poses a pair (default 300). */
#include "check.h"
#include "collide_search.h"

enum { KINDS = 5 };
static const abut_shape_kind kinds[KINDS] = {ABUT_SPHERE, ABUT_CAPSULE, ABUT_BOX, ABUT_CYLINDER,
                                             ABUT_ELLIPSOID};

#define TOLERANCE 1e-8

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
    return file != NULL && system("node --version >/dev/null 2>&1") == 0;
}

static void print_shape(FILE *file, const abut_shape *s)
{
    bool three = s->kind == ABUT_BOX || s->kind == ABUT_ELLIPSOID;
    fprintf(file, " %s %.17g %.17g %.17g", abut_shape_kind_name(s->kind), three ? s->half[0] : s->radius,
            three ? s->half[1] : s->half_length, three ? s->half[2] : 0.0);
}

/* From deep to apart; every fourth pair is square, so that faces and axes are parallel. */
static void random_poses(uint64_t *state, int i, abut_pose *a, abut_pose *b)
{
    double direction[3];
    *a = *b = (abut_pose){.rotation = {1, 0, 0, 0}};
    if (i % 4 != 0) random_rotation(state, a->rotation);
    if (i % 4 != 0) random_rotation(state, b->rotation);
    random_direction(state, direction);
    abuti_v3_scale(b->position, random_between(state, 0.2, 2), direction);
}

static void each_pose(FILE *ask, FILE *answer, int poses)
{
    uint64_t state = check_seed(61);
    for (int pair = 0; pair < KINDS * KINDS; pair++) {
        abut_shape a = random_shape(&state, kinds[pair / KINDS]),
                   b = random_shape(&state, kinds[pair % KINDS]);
        int differ = 0;
        uint64_t search = 1;
        if (ask) {
            fprintf(ask, "pair");
            print_shape(ask, &a);
            print_shape(ask, &b);
            fprintf(ask, " %d\n", poses);
        }
        for (int i = 0; i < poses; i++) {
            abut_pose p[2];
            random_poses(&state, i, &p[0], &p[1]);
            for (int k = 0; ask && k < 14; k++)
                fprintf(ask, "%.17g%c", k % 7 < 3 ? p[k / 7].position[k % 7] : p[k / 7].rotation[k % 7 - 3],
                        k == 13 ? '\n' : ' ');
            double theirs;
            abut_closest c;
            if (!answer) continue;
            CHECK(fscanf(answer, "%lf", &theirs) == 1);
            abut_shape_distance(&a, &p[0], &b, &p[1], 10, &c);
            if (fabs(theirs - c.distance) <= TOLERANCE) continue;
            /* One of the two is wrong. Theirs may be too high or too low where axes are parallel, cores overlap, or an
             * iteration stopped early; ours must stand up to a search, and its points must prove it where shapes are
             * apart. */
            posed x = {a, p[0]}, y = {b, p[1]};
            double parted = search_gap(&x, &y, c.normal);
            bool proved = c.distance > 0
                              ? search_contains(&a, &p[0], c.point_a) && search_contains(&b, &p[1], c.point_b)
                              : search_better(&x, &y, &search, c.distance) <= c.distance + 1e-9;
            differ++;
            CHECK_MSG(proved && fabs(parted - c.distance) < 1e-12, "%s %s (%d): %.9g, MuJoCo %.9g",
                      abut_shape_kind_name(a.kind), abut_shape_kind_name(b.kind), i, c.distance, theirs);
        }
        if (answer && differ > 0)
            printf("       %s %s: %d of %d differ, ours proved\n", abut_shape_kind_name(a.kind),
                   abut_shape_kind_name(b.kind), differ, poses);
    }
}

static void test_against_mujoco(void)
{
    const char *wanted = getenv("ABUT_MUJOCO_POSES");
    int poses = wanted ? atoi(wanted) : 300;
    char command[2200];
    FILE *ask = fopen("mujoco_poses.txt", "w");
    CHECK(ask != NULL);
    if (!ask) return;
    each_pose(ask, NULL, poses);
    fclose(ask);
    snprintf(command, sizeof command,
             "node %s/../mujoco_distance.mjs %s mujoco_poses.txt mujoco_distances.txt", ABUT_TEST_GOLDEN,
             folder());
    CHECK(system(command) == 0);
    FILE *answer = fopen("mujoco_distances.txt", "r");
    CHECK(answer != NULL);
    if (!answer) return;
    each_pose(NULL, answer, poses);
    fclose(answer);
}

int main(void)
{
    if (!package_there()) return CHECK_SKIPPED;
    RUN(test_against_mujoco);
    return check_report();
}
