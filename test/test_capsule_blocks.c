/* Blocks in capsules: what is written and read again is the same to the last bit, and so is its answer; every prefix of a file is
 * refused with a message. */
#include "contact_io_case.h"
#include "contact_trial.h"
#include "family_robots.h"

#ifdef ABUT_HAVE_JSON

static void same_numbers(const double *a, const double *b, size_t count, const char *what)
{
    CHECK_MSG(!a || memcmp(a, b, count * sizeof *a) == 0, "%s changed", what);
}

/* All numbers of two problems with the same blocks. */
static void expect_same(const abut_contact_problem *a, const abut_contact_problem *b)
{
    const abut_generalised *g = a->generalised, *h = b->generalised;
    CHECK(h && h->nv == g->nv && h->block_count == g->block_count);
    CHECK(a->contact_count == b->contact_count && a->joint_count == b->joint_count && a->model == b->model);
    if (!h || h->block_count != g->block_count || a->contact_count != b->contact_count) return;
    size_t squares = 0, normals = 0, rows = 0;
    for (int i = 0; i < g->block_count; ++i) {
        CHECK_EQ_INT(g->block_sizes[i], h->block_sizes[i]);
        squares += (size_t)g->block_sizes[i] * (size_t)g->block_sizes[i];
    }
    for (int i = 0; i < a->contact_count; ++i) {
        const abut_contact *c = &a->contacts[i], *d = &b->contacts[i];
        normals += (size_t)g->block_sizes[c->bodies[0]];
        if (c->bodies[1] >= 0) normals += (size_t)g->block_sizes[c->bodies[1]];
        CHECK(c->bodies[0] == d->bodies[0] && c->bodies[1] == d->bodies[1] && c->key == d->key);
        CHECK(c->friction == d->friction && c->gap == d->gap && c->compliance == d->compliance);
        CHECK(c->viscous == d->viscous && memcmp(c->surface, d->surface, sizeof c->surface) == 0);
    }
    for (int i = 0; i < a->joint_count; ++i) {
        const abut_joint *j = &a->joints[i], *k = &b->joints[i];
        rows += (size_t)g->block_sizes[j->bodies[0]];
        if (j->bodies[1] >= 0) rows += (size_t)g->block_sizes[j->bodies[1]];
        CHECK(j->target == k->target && j->bounded == k->bounded && j->compliance == k->compliance);
        CHECK(!j->bounded || (j->lower == k->lower && j->upper == k->upper));
    }
    same_numbers(g->mass_matrix, h->mass_matrix, squares, "mass");
    same_numbers(g->velocity, h->velocity, (size_t)g->nv, "velocity");
    same_numbers(g->force, h->force, (size_t)g->nv, "force");
    same_numbers(g->normal_rows, h->normal_rows, normals, "normals");
    same_numbers(g->tangent_rows, h->tangent_rows, 2 * normals, "tangents");
    same_numbers(g->joint_rows, h->joint_rows, rows, "joint rows");
    CHECK((!g->parents) == (!h->parents));
    CHECK(!g->parents || memcmp(g->parents, h->parents, (size_t)g->nv * sizeof(int)) == 0);
}

/* The problem as text; the caller frees it. */
static char *written(const abut_contact_problem *problem)
{
    abut_error error;
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    CHECK(file);
    CHECK(abuti_contact_write_capsule(file, problem, NULL, &error));
    fclose(file);
    return text;
}

static void test_round_trip(void)
{
    uint64_t seed = check_seed(20261117);
    robot_scene *scene = robot_scene_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    for (int f = 0; f < robot_family_count; ++f)
        for (int i = 0; i < 6; ++i) {
            bench_random r = bench_random_stream(seed, (uint64_t)i);
            CHECK(robot_family_make(&robot_families[f], robot_families[f].sizes[i % 3], &r, scene));
            if (i % 2) scene->generalised.parents = scene->parents;
            if (i == 2) scene->contacts[0].surface[1] = 0.25;
            char *text = written(&scene->reduced);
            abuti_contact_data data;
            abut_error error;
            CHECK_MSG(read_contact_string(abuti_contact_read_capsule, text, &data, &error), "%s", error.text);
            free(text);
            abut_contact_problem again = abuti_contact_data_problem(&data);
            expect_same(&scene->reduced, &again);
            CHECK(contact_trial_run(trial, &scene->reduced));
            double residual = trial->check.residual;
            CHECK(contact_trial_run(trial, &again));
            CHECK_MSG(trial->check.residual == residual, "%s %d: residual %g, then %g",
                      robot_families[f].name, i, residual, trial->check.residual);
            abuti_contact_data_release(&data);
        }
    contact_trial_destroy(trial);
    robot_scene_destroy(scene);
}

/* One dense block, whose rows name no blocks. */
static void test_one_block(void)
{
    uint64_t seed = check_seed(20261118);
    robot_scene *scene = robot_scene_create();
    bench_random r = bench_random_stream(seed, 1);
    robot_scene_clear(scene);
    robot_family_find("motors")->make(scene, 5, &r);
    CHECK(robot_scene_reduce(scene, true));
    char *text = written(&scene->reduced);
    abuti_contact_data data;
    abut_error error;
    CHECK_MSG(read_contact_string(abuti_contact_read_capsule, text, &data, &error), "%s", error.text);
    free(text);
    CHECK_EQ_INT(data.blocks.count, 1);
    CHECK_EQ_INT(data.blocks.numbers, scene->generalised.nv);
    CHECK(data.contact_count == 0 || data.contacts[0].bodies[1] == ABUT_WORLD);
    abuti_contact_data_release(&data);
    robot_scene_destroy(scene);
}

static void test_truncated(void)
{
    robot_scene *scene = robot_scene_create();
    bench_random r = bench_random_stream(check_seed(20261119), 0);
    CHECK(robot_family_make(robot_family_find("loops"), 3, &r, scene));
    char *text = written(&scene->reduced);
    size_t length = strlen(text);
    while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '}')) text[--length] = '\0';
    for (; length > 0; length -= length < 97 ? length : 97) {
        abuti_contact_data data;
        abut_error error = {.text = ""};
        text[length] = '\0';
        CHECK(!read_contact_string(abuti_contact_read_capsule, text, &data, &error));
        CHECK(error.text[0] != '\0' && !data.blocks.sizes);
    }
    free(text);
    robot_scene_destroy(scene);
}

int main(void)
{
    RUN(test_round_trip);
    RUN(test_one_block);
    RUN(test_truncated);
    return check_report();
}

#else

int main(void)
{
    return 77;
}

#endif
