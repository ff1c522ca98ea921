/* Every family of contact problems by every solver that answers it, each alone, and every answer verified by
 * an own call of the verifier. Small counts; `abut stress contact` runs the large ones. */
#include "check.h"
#include "contact_families.h"
#include "contact_trial.h"

/* What the project promises on these families, well above what is seen. */
static const double RESIDUAL = 1e-9;
/* Rows of the largest LCP the dense method gets here: it needs the cube of that. */
enum { DENSE_ROWS = 400 };

static int lcp_rows(const abut_contact_problem *problem)
{
    int rows = 0;
    for (int i = 0; i < problem->contact_count; ++i) rows += 2 + problem->contacts[i].directions;
    return rows;
}

static bool is_plain(const contact_family *family)
{
    static const char *const plain[] = {"pegs", "jittered", "single", "stacks", "towers", "walls"};
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; ++i)
        if (strcmp(family->name, plain[i]) == 0) return true;
    return false;
}

/* Where a problem may have no solution: a ray, or infeasible with a proof; `failed` only where the default
 * finds none either. */
static bool may_end_so(const contact_trial *trial, const abut_contact_problem *problem)
{
    abut_outcome outcome = trial->result.outcome;
    if (outcome != ABUT_FAILED) return outcome == ABUT_RAY || trial->proven;
    contact_trial *other = contact_trial_create(ABUT_SOLVER_AUTO, false);
    bool none = contact_trial_run(other, problem) && other->result.outcome != ABUT_SOLVED;
    contact_trial_destroy(other);
    return none;
}

static void family_by_solver(const contact_family *family, abut_contact_solver solver,
                             abut_contact_model model, int count, uint64_t seed)
{
    contact_case *c = contact_case_create();
    contact_trial *trial = contact_trial_create(solver, solver != ABUT_SOLVER_AUTO && is_plain(family));
    const char *name = abut_contact_solver_name(solver);
    double worst = 0;
    int rays = 0, proven = 0, helped = 0;
    if (strcmp(family->name, "inertias") == 0) count *= 10; /* one in a hundred needs twice the digits */
    for (int k = 0; family->sizes[k] != 0; ++k)
        for (int i = 0; i < count; ++i) {
            bench_random random = bench_random_stream(seed, (uint64_t)(1000 * k + i));
            CHECK(contact_family_make(family, family->sizes[k], &random, c));
            c->problem.model = model;
            if (solver == ABUT_SOLVER_LEMKE && lcp_rows(&c->problem) > DENSE_ROWS) continue;
            CHECK_MSG(contact_trial_run(trial, &c->problem), "%s size %d number %d by %s: refused",
                      family->name, family->sizes[k], i, name);
            abut_outcome outcome = trial->result.outcome;
            if (family->ray_allowed && may_end_so(trial, &c->problem)) {
                rays++;
                proven += trial->proven;
                continue;
            }
            CHECK_MSG(outcome == ABUT_SOLVED && trial->check.residual <= RESIDUAL,
                      "%s size %d number %d by %s: %s, residual %g", family->name, family->sizes[k], i, name,
                      abut_outcome_name(outcome), trial->check.residual);
            helped += solver != ABUT_SOLVER_AUTO && trial->result.solver != solver;
            if (!(trial->check.residual <= worst)) worst = trial->check.residual;
        }
    printf("       %-18s %-12s %-10s worst residual %.1e, without answer %d (%d proven), helped %d\n",
           family->name, abut_contact_model_name(model), name, worst, rays, proven, helped);
    contact_case_destroy(c);
    contact_trial_destroy(trial);
}

static void all_families(abut_contact_model model, int count)
{
    uint64_t seed = check_seed(20261115);
    for (int f = 0; f < contact_family_count; ++f)
        for (int solver = 0; solver < ABUT_SOLVER_ENUMERATE; ++solver)
            if (abut_contact_supports(model, (abut_contact_solver)solver, false))
                family_by_solver(&contact_families[f], (abut_contact_solver)solver, model, count, seed);
}

static void test_coulomb(void)
{
    all_families(ABUT_COULOMB, 5);
}

static void test_frictionless(void)
{
    all_families(ABUT_FRICTIONLESS, 3);
}

int main(void)
{
    RUN(test_coulomb);
    RUN(test_frictionless);
    return check_report();
}
