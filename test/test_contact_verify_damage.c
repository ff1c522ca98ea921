/* Right answers of every family, damaged at random in one place: the verifier, which accepted them, refuses
 * them all. */
#include "check.h"
#include "contact_families.h"
#include "contact_trial.h"

typedef struct answer {
    int contacts, numbers; /* of velocity */
    double impulses[3 * 256], joints[256], velocity[6 * 64];
} answer;

static double residual_of(const abut_contact_problem *problem, const answer *a)
{
    static double scratch[8192];
    abut_contact_check check;
    CHECK(abut_contact_verify_size(problem) <= 8192);
    CHECK_EQ_INT(abut_contact_verify(problem, NULL, a->impulses, a->joints, a->velocity, scratch, &check),
                 ABUT_OK);
    return check.residual;
}

/* The contact that does most, by normal or friction impulse; -1: none pushes. */
static int busiest(const answer *a)
{
    int best = -1;
    double most = 0;
    for (int i = 0; i < a->contacts; ++i) {
        const double *p = a->impulses + 3 * i;
        double size = fabs(p[0]) + fabs(p[1]) + fabs(p[2]);
        if (!(p[0] > 0 && size > most)) continue;
        most = size;
        best = i;
    }
    return best;
}

enum { DAMAGES = 8 };

/* False when there is nothing to damage in this way. */
static bool inflict(int kind, const abut_contact_problem *problem, answer *a, bench_random *random)
{
    int i = busiest(a);
    if (i < 0) return false;
    double *p = a->impulses + 3 * i, friction = fabs(p[1]) + fabs(p[2]);
    int body = problem->contacts[i].bodies[0];
    if (problem->bodies[body].kind != ABUT_DYNAMIC) body = problem->contacts[i].bodies[1];
    /* Where friction of 1e9 carries all, a normal impulse of 1e-10 is as right as 1.001 times that. */
    bool presses = p[0] > 1e-3 * friction;
    if (!presses && (kind == 0 || kind == 5 || kind == 6)) return false;
    switch (kind) {
    case 0: p[0] *= 1.001; break;
    case 1: p[0] = 0; break;
    case 2: p[0] = -p[0]; break;
    case 3:
        if (!(friction > 1e-3 * p[0])) return false;
        p[1] = -p[1];
        p[2] = -p[2];
        break;
    case 4:
        if (!(friction > 1e-3 * p[0])) return false;
        p[1] *= 1.01;
        p[2] *= 1.01;
        break;
    case 5: p[1 + bench_below(random, 2)] += 0.01 * p[0]; break;
    case 6: /* the impulse of this contact never reached the body */
        for (int k = 0; k < 3; ++k)
            a->velocity[6 * body + k] -= p[0] * problem->contacts[i].normal[k] / problem->bodies[body].mass;
        break;
    default: p[bench_below(random, 3)] = bench_below(random, 2) ? NAN : INFINITY; break;
    }
    return true;
}

static void copy_answer(const contact_trial *trial, const abut_contact_problem *problem, answer *a)
{
    a->contacts = problem->contact_count;
    a->numbers = 6 * problem->body_count;
    for (int i = 0; i < a->contacts; ++i) {
        a->impulses[3 * i] = trial->result.contacts[i].normal;
        a->impulses[3 * i + 1] = trial->result.contacts[i].tangent[0];
        a->impulses[3 * i + 2] = trial->result.contacts[i].tangent[1];
    }
    for (int i = 0; i < problem->joint_count; ++i) a->joints[i] = trial->result.joints[i];
    for (int i = 0; i < a->numbers; ++i) a->velocity[i] = trial->result.velocity[i];
}

static void test_damaged_answers(void)
{
    uint64_t seed = check_seed(20261115);
    contact_case *c = contact_case_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    static answer right, wrong;
    long damaged = 0;
    for (int f = 0; f < contact_family_count; ++f)
        for (int k = 0; contact_families[f].sizes[k] != 0; ++k)
            for (int i = 0; i < 4; ++i) {
                bench_random random = bench_random_stream(seed, (uint64_t)(1000 * f + 50 * k + i));
                CHECK(contact_family_make(&contact_families[f], contact_families[f].sizes[k], &random, c));
                CHECK(contact_trial_run(trial, &c->problem));
                if (trial->result.outcome != ABUT_SOLVED) continue;
                copy_answer(trial, &c->problem, &right);
                CHECK(residual_of(&c->problem, &right) <= 1e-9);
                for (int kind = 0; kind < DAMAGES; ++kind) {
                    wrong = right;
                    if (!inflict(kind, &c->problem, &wrong, &random)) continue;
                    double residual = residual_of(&c->problem, &wrong);
                    CHECK_MSG(!(residual <= 1e-9), "%s size %d number %d, damage %d: accepted with %g",
                              contact_families[f].name, contact_families[f].sizes[k], i, kind, residual);
                    damaged++;
                }
            }
    printf("       %ld damaged answers\n", damaged);
    contact_case_destroy(c);
    contact_trial_destroy(trial);
}

int main(void)
{
    RUN(test_damaged_answers);
    return check_report();
}
