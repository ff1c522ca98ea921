/* Contact problems for tests: one call that solves in a workspace of exactly the right size and lets the
 * public verifier judge what came out; and random problems. */
#ifndef ABUT_TEST_CONTACT_CASE_H
#define ABUT_TEST_CONTACT_CASE_H

#include "abut/contact.h"
#include "check.h"
#include "random.h"

enum { CASE_BODIES = 8, CASE_CONTACTS = 48, CASE_JOINTS = 12 };

/* A problem with its arrays. Problems point into it, so it must not be copied after case_problem. */
typedef struct contact_case {
    int bodies, contacts, joints;
    abut_body body[CASE_BODIES];
    abut_contact contact[CASE_CONTACTS];
    abut_joint joint[CASE_JOINTS];
} contact_case;

static inline abut_contact_problem case_problem(const contact_case *c)
{
    return (abut_contact_problem){.model = ABUT_COULOMB,
                                  .step = 0.01,
                                  .contact_count = c->contacts,
                                  .contacts = c->contact,
                                  .joint_count = c->joints,
                                  .joints = c->joint,
                                  .body_count = c->bodies,
                                  .bodies = c->body};
}

/* Judges a result by the public verifier; its residual must be the one that stands in the result. */
static inline abut_contact_check case_verify(const abut_contact_problem *problem,
                                             const abut_contact_options *options,
                                             const abut_contact_result *result)
{
    abut_contact_check check = {.residual = INFINITY};
    if (!result->contacts) return check;
    double *impulses = calloc((size_t)problem->contact_count * 3 + 1, sizeof(double));
    double *scratch = calloc(abut_contact_verify_size(problem) + 1, sizeof(double));
    for (int i = 0; i < problem->contact_count; ++i) {
        impulses[3 * i] = result->contacts[i].normal;
        impulses[3 * i + 1] = result->contacts[i].tangent[0];
        impulses[3 * i + 2] = result->contacts[i].tangent[1];
    }
    CHECK_EQ_INT(
        abut_contact_verify(problem, options, impulses, result->joints, result->velocity, scratch, &check),
        ABUT_OK);
    CHECK_MSG(fabs(check.residual - result->residual) <= 1e-14 * (1.0 + result->residual), "%g against %g",
              check.residual, result->residual);
    free(impulses);
    free(scratch);
    return check;
}

/* Solves; the workspace is the caller's to destroy, and the result points into it. */
static inline abut_contact_workspace *case_solve(const abut_contact_problem *problem,
                                                 const abut_contact_options *options,
                                                 abut_contact_result *result)
{
    abut_contact_limits limits = abut_contact_limits_for(problem, options);
    abut_contact_workspace *work = NULL;
    *result = (abut_contact_result){.outcome = ABUT_FAILED, .residual = INFINITY};
    CHECK_EQ_INT(abut_contact_workspace_create(&limits, NULL, &work), ABUT_OK);
    if (!work) return NULL;
    abut_status status = abut_contact_solve(work, problem, options, result);
    if (status != ABUT_OK) {
        abut_error error;
        (void)abut_contact_validate(problem, &error);
        CHECK_MSG(status == ABUT_OK, "%s: %s", abut_status_text(status), error.text);
        *result = (abut_contact_result){.outcome = ABUT_FAILED, .residual = INFINITY};
    }
    (void)case_verify(problem, options, result);
    return work;
}

static inline void case_unit_vector(bench_random *random, double out[3])
{
    double square = 0.0;
    do {
        square = 0.0;
        for (int c = 0; c < 3; ++c) {
            out[c] = bench_uniform(random, -1.0, 1.0);
            square += out[c] * out[c];
        }
    } while (!(square > 1e-2 && square <= 1.0));
    for (int c = 0; c < 3; ++c) out[c] /= sqrt(square);
}

/* A body of the size of a metre with a full inertia that some rigid body has. */
static inline abut_body case_random_body(bench_random *random)
{
    abut_body body = {.mass = bench_uniform(random, 0.5, 5.0)};
    /* Second moments of a solid: S = A A'; inertia = trace(S) - S. */
    double A[9], S[6] = {0};
    for (int i = 0; i < 9; ++i) A[i] = bench_uniform(random, -0.3, 0.3) + (i % 4 == 0 ? 0.4 : 0.0);
    const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int k = 0; k < 6; ++k) {
        for (int c = 0; c < 3; ++c) S[k] += A[3 * row[k] + c] * A[3 * column[k] + c] * body.mass;
    }
    double trace = S[0] + S[1] + S[2];
    for (int k = 0; k < 6; ++k) body.inertia[k] = (k < 3 ? trace : 0.0) - S[k];
    for (int c = 0; c < 3; ++c) body.com[c] = bench_uniform(random, -1.0, 1.0);
    for (int c = 0; c < 6; ++c) body.velocity[c] = bench_uniform(random, -1.0, 1.0);
    for (int c = 0; c < 6; ++c) body.force[c] = bench_uniform(random, -50.0, 50.0);
    return body;
}

/* Contacts at random points of random pairs (the world among them), gaps >= 0: always solvable. */
static inline void case_random(contact_case *c, int bodies, int contacts, bench_random *random)
{
    *c = (contact_case){.bodies = bodies, .contacts = contacts};
    for (int b = 0; b < bodies; ++b) c->body[b] = case_random_body(random);
    for (int i = 0; i < contacts; ++i) {
        abut_contact *contact = &c->contact[i];
        int a = bench_below(random, bodies);
        int b = bench_below(random, bodies + 1) - 1;
        if (b == a) b = ABUT_WORLD;
        *contact = (abut_contact){.bodies = {a, b},
                                  .friction = bench_uniform(random, 0.0, 0.8),
                                  .directions = bench_below(random, 3) * 4 + 4};
        for (int k = 0; k < 3; ++k) {
            contact->point[k] = c->body[a].com[k] + bench_uniform(random, -1.0, 1.0);
        }
        case_unit_vector(random, contact->normal);
    }
}

#endif
