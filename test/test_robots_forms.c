/* One problem in several forms: a tree in coordinates of its own and in maximal ones, many blocks and one, dense blocks
 * and branches, a free body as a block of six and as a body. Without friction the velocities are unique, and must be
 * the same in every form. */
#include "check.h"
#include "contact_trial.h"
#include "family_robots.h"
#include <stdlib.h>
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

/* A problem of bodies as one of blocks of six. */
typedef struct as_blocks {
    abut_contact_problem problem;
    abut_generalised generalised;
    double *numbers;
    int *sizes;
} as_blocks;

static void cross(const double *a, const double *b, double *out)
{
    for (int c = 0; c < 3; ++c) {
        int d = (c + 1) % 3, e = (c + 2) % 3;
        out[c] = a[d] * b[e] - a[e] * b[d];
    }
}

static as_blocks make_blocks(const abut_contact_problem *p, const abut_contact_answer *answers)
{
    int n = p->body_count, contacts = p->contact_count;
    as_blocks out = {.problem = *p, .sizes = calloc((size_t)n, sizeof(int))};
    out.numbers = calloc(48 * (size_t)n + 36 * (size_t)contacts, sizeof(double));
    double *mass = out.numbers, *velocity = mass + 36 * n, *force = velocity + 6 * n,
           *normals = force + 6 * n;
    double *tangents = normals + 12 * contacts;
    out.generalised = (abut_generalised){.nv = 6 * n,
                                         .mass_matrix = mass,
                                         .velocity = velocity,
                                         .force = force,
                                         .normal_rows = normals,
                                         .tangent_rows = tangents,
                                         .block_count = n,
                                         .block_sizes = out.sizes};
    for (int b = 0; b < n; ++b) {
        const abut_body *body = &p->bodies[b];
        double *M = mass + 36 * b;
        static const int at[6] = {21, 28, 35, 22, 23, 29}, mirror[6] = {21, 28, 35, 27, 33, 34};
        for (int c = 0; c < 3; ++c) M[7 * c] = body->mass;
        for (int c = 0; c < 6; ++c) M[at[c]] = M[mirror[c]] = body->inertia[c];
        memcpy(velocity + 6 * b, body->velocity, sizeof body->velocity);
        memcpy(force + 6 * b, body->force, sizeof body->force);
        out.sizes[b] = 6;
    }
    for (int i = 0; i < contacts; ++i) {
        const abut_contact *c = &p->contacts[i];
        double axis[3][3];
        memcpy(axis[0], c->normal, sizeof axis[0]);
        memcpy(axis[1], answers[i].axis, sizeof axis[1]);
        cross(axis[0], axis[1], axis[2]);
        for (int a = 0; a < 3; ++a) {
            double **to = a == 0 ? &normals : &tangents;
            for (int side = 0; side < 2 && c->bodies[side] >= 0; side++, *to += 6) {
                double r[3];
                for (int k = 0; k < 3; ++k) {
                    r[k] = c->point[k] - p->bodies[c->bodies[side]].com[k];
                    (*to)[k] = side == 0 ? axis[a][k] : -axis[a][k];
                }
                cross(r, *to, *to + 3);
            }
        }
    }
    out.problem.body_count = 0;
    out.problem.bodies = NULL;
    return out;
}

/* Free bodies by the first door and as blocks of six: the same islands, the same answer to rounding. */
static void test_bodies_as_blocks(void)
{
    static const char *const names[] = {"pegs", "single", "stacks", "walls", "masses", "gaps"};
    contact_case *c = contact_case_create();
    contact_trial *bodies = contact_trial_create(ABUT_SOLVER_AUTO, false),
                  *blocks = contact_trial_create(ABUT_SOLVER_AUTO, false);
    int solved = 0, same = 0;
    uint64_t seed = check_seed(11);
    for (size_t f = 0; f < sizeof names / sizeof names[0]; ++f) {
        const contact_family *family = contact_family_find(names[f]);
        for (int i = 0; i < 20; ++i) {
            bench_random r = bench_random_stream(seed, (uint64_t)i);
            CHECK(contact_family_make(family, family->sizes[i % 3], &r, c));
            for (int model = ABUT_COULOMB; model <= ABUT_FRICTIONLESS; ++model) {
                c->problem.model = (abut_contact_model)model;
                bool dynamic = true;
                for (int b = 0; b < c->problem.body_count; ++b) dynamic &= c->bodies[b].kind == ABUT_DYNAMIC;
                if (!dynamic || c->problem.joint_count > 0) continue;
                CHECK(contact_trial_run(bodies, &c->problem));
                if (bodies->result.outcome != ABUT_SOLVED) continue;
                as_blocks other = make_blocks(&c->problem, bodies->result.contacts);
                other.problem.generalised = &other.generalised;
                CHECK(contact_trial_run(blocks, &other.problem));
                CHECK_MSG(blocks->check.residual <= 1e-9, "%s number %d: %s, residual %g", names[f], i,
                          abut_outcome_name(blocks->result.outcome), blocks->check.residual);
                CHECK(blocks->result.islands == bodies->result.islands);
                double most = 0, off = 0;
                for (int k = 0; k < other.generalised.nv; ++k) {
                    off = fmax(off, fabs(bodies->result.velocity[k] - blocks->result.velocity[k]));
                    most = fmax(most, fabs(bodies->result.velocity[k]));
                }
                solved++;
                same += off <= 1e-9 * fmax(most, 0.1);
                CHECK_MSG(model == ABUT_COULOMB || off <= 1e-8 * fmax(most, 0.1),
                          "%s number %d: off by %g of %g", names[f], i, off, most);
                free(other.numbers);
                free(other.sizes);
            }
        }
    }
    printf("       %d of %d answers the same\n", same, solved);
    CHECK(solved > 150 && same >= solved - solved / 50); /* Coulomb's law may have several */
    contact_case_destroy(c);
    contact_trial_destroy(bodies);
    contact_trial_destroy(blocks);
}

int main(void)
{
    RUN(test_forms);
    RUN(test_bodies_as_blocks);
    return check_report();
}
