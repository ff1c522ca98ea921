/* One problem in several forms: a tree in coordinates of its own and in maximal ones, many blocks and one, dense blocks
 * and branches. Without friction the velocities are unique, and must be the same in every form. (test_same_doors has
 * free bodies as blocks of six.) */
#include "check.h"
#include "contact_trial.h"
#include "family_robots.h"
#include <string.h>

/* Of the largest velocity, or 1 m/s, which is how fast they come: maximal coordinates lose digits in their joint rows. */
static const double SAME = 1e-10;

static double *velocities_of(contact_trial *trial, const abut_contact_problem *p, const robot_scene *s,
                             double *links)
{
    CHECK(contact_trial_run(trial, p));
    CHECK_MSG(trial->result.outcome == ABUT_SOLVED && trial->check.residual <= 1e-9, "%s, residual %g",
              abut_outcome_name(trial->result.outcome), trial->check.residual);
    if (trial->result.outcome != ABUT_SOLVED) return links;
    if (p->generalised) {
        robot_link_velocities(s, trial->result.velocity, links);
    } else {
        memcpy(links, trial->result.velocity, 6 * (size_t)p->body_count * sizeof *links);
    }
    return links;
}

static void expect_same(const double *a, const double *b, int count, const char *family, int size, int number)
{
    double most = 0, off = 0;
    for (int i = 0; i < count; ++i) {
        most = fmax(most, fabs(a[i]));
        off = fmax(off, fabs(a[i] - b[i]));
    }
    CHECK_MSG(off <= SAME * fmax(most, 1), "%s size %d number %d: velocities differ by %g of %g", family,
              size, number, off, most);
}

/* Maximal coordinates, blocks, branches, one block. */
static void compare_forms(const robot_family *family, int size, int number, uint64_t seed,
                          contact_trial *trial)
{
    enum { LINKS = 64 };
    double maximal[6 * LINKS], blocks[6 * LINKS], branches[6 * LINKS], merged[6 * LINKS];
    robot_scene *s = robot_scene_create();
    for (int form = 0; form < 2; ++form) {
        bench_random r = bench_random_stream(seed + (uint64_t)size, (uint64_t)number);
        robot_scene_clear(s);
        family->make(s, size, &r);
        CHECK(s->maximal->problem.body_count <= LINKS);
        CHECK(robot_scene_reduce(s, form == 1));
        s->reduced.model = s->maximal->problem.model = ABUT_FRICTIONLESS;
        if (form == 1) {
            velocities_of(trial, &s->reduced, s, merged);
            continue;
        }
        velocities_of(trial, &s->maximal->problem, s, maximal);
        velocities_of(trial, &s->reduced, s, blocks);
        s->generalised.parents = s->parents;
        velocities_of(trial, &s->reduced, s, branches);
    }
    int count = 6 * s->maximal->problem.body_count;
    expect_same(maximal, blocks, count, family->name, size, number);
    expect_same(blocks, branches, count, family->name, size, number);
    expect_same(blocks, merged, count, family->name, size, number);
    robot_scene_destroy(s);
}

static void test_forms(void)
{
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    uint64_t seed = check_seed(7);
    for (int f = 0; f < robot_family_count; ++f)
        for (int k = 0; robot_families[f].sizes[k] != 0 && robot_families[f].sizes[k] <= 8; ++k)
            for (int i = 0; i < 8; ++i)
                compare_forms(&robot_families[f], robot_families[f].sizes[k], i, seed, trial);
    contact_trial_destroy(trial);
}

int main(void)
{
    RUN(test_forms);
    return check_report();
}
