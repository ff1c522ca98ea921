/* What `abut bench peers` puts before other solvers is our problem: their answers are judged by our verifier, so the rows, the
 * masses and the signs that they get must be ours. Where a peer's library was not built in, its part is left out. */
#include "check.h"
#include "contact_trial.h"
#include "family_piles.h"
#include "peers.h"

#include <math.h>
#include <stdlib.h>

/* Leaks inside the peers' libraries are theirs (Siconos 4.4 keeps two headers of its own in every call); ours count. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libsiconos_numerics\nleak:libmujoco\n";
}

/* A tower whose contacts have their tangents written down and circles for cones. */
static contact_case *make_tower(int bodies)
{
    contact_case *c = contact_case_create();
    bench_random random = bench_random_stream(7, 0);
    pile_families[0].make(c, bodies, &random);
    for (int i = 0; i < c->problem.contact_count; ++i) {
        c->contacts[i].tangent[0] = 1.0; /* normals are vertical */
        c->contacts[i].cone = ABUT_CONE_CIRCLE;
    }
    return c;
}

static double judge(const peer_pile *pile, const double *impulses, double *velocity)
{
    double *scratch = calloc(abut_contact_verify_size(pile->problem) + 1, sizeof *scratch);
    abut_contact_check check = {.residual = INFINITY};
    peer_pile_velocity(pile, impulses, velocity);
    CHECK(abut_contact_verify(pile->problem, NULL, impulses, NULL, velocity, scratch, &check) == ABUT_OK);
    free(scratch);
    return check.residual;
}

/* Our own impulses move the bodies of the pile as our own answer says. */
static void test_pile(const peer_pile *pile)
{
    const abut_contact_problem *problem = pile->problem;
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    CHECK(contact_trial_run(trial, problem) && trial->result.outcome == ABUT_SOLVED);
    double *velocity = calloc(6 * (size_t)problem->body_count, sizeof *velocity);
    CHECK(judge(pile, trial->memory, velocity) <= 1e-9);
    for (int i = 0; i < 6 * problem->body_count; ++i)
        CHECK(fabs(velocity[i] - trial->result.velocity[i]) <= 1e-10);
    free(velocity);
    contact_trial_destroy(trial);
}

/* `within`: what the peer's own method reaches on three blocks; a wrong sign or mass leaves a residual near 1. */
static void test_peer(const peer_pile *pile, const peer *p, peer_limits limits, double within)
{
    const abut_contact_problem *problem = pile->problem;
    double us = -1.0, *impulses = calloc(3 * (size_t)problem->contact_count, sizeof *impulses),
           *velocity = calloc(6 * (size_t)problem->body_count, sizeof *velocity);
    if (p->load()) {
        CHECK(p->solve(pile, &limits, impulses, &us));
        CHECK(us >= 0.0);
        CHECK(judge(pile, impulses, velocity) <= within);
    }
    free(impulses);
    free(velocity);
}

int main(void)
{
    contact_case *c = make_tower(3);
    peer_pile *pile = peer_pile_create(&c->problem);
    test_pile(pile);
    test_peer(pile, &peer_siconos, (peer_limits){1e-10, 20000}, 1e-7);
    test_peer(pile, &peer_mujoco, (peer_limits){1e-12, 100}, 0.05);
    peer_pile_destroy(pile);
    contact_case_destroy(c);
    return check_report();
}
