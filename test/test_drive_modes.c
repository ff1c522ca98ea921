/* The search through all modes at the acceleration level (drive/modes.c): against every solution of the same
 * LCP, against the other stages on scenes, and what it says when there is nothing to be found. */
#include "abut/lcp.h"
#include "check.h"
#include "contact_trial.h"
#include "family_accel.h"

/* ------------------------------------------------------------------------------------------------
 * Local problems of a few contacts, each static or sliding, and their LCP */

enum { CONTACTS = 4, ROWS = 3 * CONTACTS, MOTIONS = 32, BASES = 12 };

typedef struct local_case {
    int n, dimension, rows, polygon;
    double W[ROWS * ROWS], q[ROWS], velocity[ROWS];
    abut_contact contact[CONTACTS];
    bool slides[CONTACTS];
    abut_local local;
    abut_contact_problem problem;
} local_case;

/* W = J J' + S with S unsymmetric and small or none, friction up to 3: none, one or several answers. */
static void make_local(local_case *c, bench_random *random)
{
    *c = (local_case){.dimension = 2 + bench_below(random, 2), .polygon = 3};
    bool planar = c->dimension == 2;
    c->n = 1 + bench_below(random, planar ? 4 : 3);
    c->rows = c->dimension * c->n;
    double J[ROWS][ROWS], unsymmetric = bench_below(random, 2) ? 0.4 : 0.0;
    for (int i = 0; i < c->rows; ++i)
        for (int k = 0; k < c->rows; ++k) J[i][k] = bench_normal(random);
    for (int i = 0; i < c->rows; ++i) {
        for (int j = 0; j < c->rows; ++j) {
            double sum = unsymmetric * bench_normal(random);
            for (int k = 0; k < c->rows; ++k) sum += J[i][k] * J[j][k];
            c->W[i * c->rows + j] = sum / c->rows;
        }
        c->q[i] = bench_normal(random) - (i % c->dimension == 0);
    }
    for (int i = 0; i < c->n; ++i) {
        c->slides[i] = bench_below(random, 2);
        c->contact[i] =
            (abut_contact){.friction = bench_uniform(random, 0.1, 3.0), .directions = planar ? 2 : 0};
        for (int t = 1; t < c->dimension && c->slides[i]; ++t)
            c->velocity[c->dimension * i + t] = bench_normal(random);
    }
    c->local = (abut_local){.dimension = c->dimension, .W = c->W, .q = c->q, .velocity = c->velocity};
    c->problem = (abut_contact_problem){
        .model = ABUT_COULOMB_ACCEL, .contact_count = c->n, .contacts = c->contact, .local = &c->local};
}

/* Forces as combinations of the LCP's variables: column v of `spread` (rows x variables). */
typedef struct plain_lcp {
    int size;
    double spread[ROWS][16], M[16 * 16], q[16];
} plain_lcp;

static const double third[3][2] = {{1.0, 0.0}, {-0.5, 0.86602540378443865}, {-0.5, -0.86602540378443865}};

/* theta; with static friction one phi a direction and lambda behind it. */
static void make_lcp(const local_case *c, plain_lcp *lcp)
{
    *lcp = (plain_lcp){0};
    int of_row[16][3],
        d = c->dimension == 2 ? 2 : 3; /* contact, kind (0 theta, 1 phi, 2 lambda), direction */
    for (int i = 0; i < c->n; ++i) {
        int at = c->dimension * i, theta = lcp->size++;
        of_row[theta][0] = i;
        of_row[theta][1] = 0;
        lcp->spread[at][theta] = 1.0;
        double speed =
            c->dimension == 2 ? fabs(c->velocity[at + 1]) : hypot(c->velocity[at + 1], c->velocity[at + 2]);
        for (int t = 1; t < c->dimension && c->slides[i]; ++t)
            lcp->spread[at + t][theta] = -c->contact[i].friction * c->velocity[at + t] / speed;
        for (int k = 0; k < d && !c->slides[i]; ++k) {
            int phi = lcp->size++;
            of_row[phi][0] = i;
            of_row[phi][1] = 1;
            of_row[phi][2] = k;
            for (int t = 1; t < c->dimension; ++t)
                lcp->spread[at + t][phi] = d == 2 ? 1.0 - 2.0 * k : third[k][t - 1];
        }
        if (c->slides[i]) continue;
        of_row[lcp->size][0] = i;
        of_row[lcp->size++][1] = 2;
    }
    int size = lcp->size;
    for (int r = 0; r < size; ++r) {
        int i = of_row[r][0], kind = of_row[r][1], at = c->dimension * i;
        double along[3] = {kind == 0, 0.0, 0.0};
        for (int t = 1; t < c->dimension && kind == 1; ++t) along[t] = lcp->spread[at + t][r];
        for (int t = 0; t < c->dimension; ++t) {
            lcp->q[r] += along[t] * c->q[at + t];
            for (int j = 0; j < c->rows; ++j)
                for (int v = 0; v < size; ++v)
                    lcp->M[r * size + v] += along[t] * c->W[(at + t) * c->rows + j] * lcp->spread[j][v];
        }
        for (int v = 0; v < size; ++v) {
            if (of_row[v][0] != i) continue;
            if (kind == 1 && of_row[v][1] == 2) lcp->M[r * size + v] += 1.0;
            if (kind == 2 && of_row[v][1] == 1) lcp->M[r * size + v] -= 1.0;
            if (kind == 2 && of_row[v][1] == 0) lcp->M[r * size + v] += c->contact[i].friction;
        }
    }
}

/* Motions that differ. */
typedef struct motions {
    const local_case *c;
    const plain_lcp *lcp;
    int count;
    double a[MOTIONS][ROWS];
    double worst;
} motions;

static void add_motion(motions *m, const double *f)
{
    double a[ROWS];
    const local_case *c = m->c;
    for (int i = 0; i < c->rows; ++i) {
        a[i] = c->q[i];
        for (int j = 0; j < c->rows; ++j) a[i] += c->W[i * c->rows + j] * f[j];
    }
    for (int k = 0; k < m->count; ++k) {
        double most = 0.0;
        for (int i = 0; i < c->rows; ++i) most = fmax(most, fabs(a[i] - m->a[k][i]));
        if (most <= 1e-6) return;
    }
    if (m->count < MOTIONS) memcpy(m->a[m->count++], a, sizeof a);
}

static bool see_lcp(const double *z, const double *w, double residual, void *context)
{
    motions *m = context;
    double f[ROWS] = {0};
    (void)w;
    (void)residual;
    for (int j = 0; j < m->c->rows; ++j)
        for (int v = 0; v < m->lcp->size; ++v) f[j] += m->lcp->spread[j][v] * z[v];
    add_motion(m, f);
    return true;
}

static bool see_answer(const abut_contact_result *result, void *context)
{
    motions *m = context;
    double f[ROWS] = {0};
    for (int i = 0; i < m->c->n; ++i) {
        f[m->c->dimension * i] = result->contacts[i].normal;
        for (int t = 1; t < m->c->dimension; ++t)
            f[m->c->dimension * i + t] = result->contacts[i].tangent[t - 1];
    }
    add_motion(m, f);
    m->worst = fmax(m->worst, result->residual);
    return true;
}

static void compare(const local_case *c, abut_lcp_workspace *lcp_work, int index, int tally[3])
{
    plain_lcp lcp;
    make_lcp(c, &lcp);
    if (lcp.size > BASES) return; /* too many to go through */
    motions wanted = {.c = c, .lcp = &lcp}, found = {.c = c};
    abut_lcp_problem problem = {.n = lcp.size, .M = lcp.M, .ld = lcp.size, .q = lcp.q};
    abut_lcp_options lcp_options = abut_lcp_default_options();
    int count = 0;
    CHECK_EQ_INT(abut_lcp_enumerate(lcp_work, &problem, &lcp_options, see_lcp, &wanted, &count), ABUT_OK);

    abut_contact_options options = abut_contact_default_options();
    options.accel.directions = c->polygon;
    abut_contact_limits limits = abut_contact_limits_for(&c->problem, &options);
    abut_contact_workspace *work = NULL;
    CHECK_EQ_INT(abut_contact_workspace_create(&limits, NULL, &work), ABUT_OK);
    CHECK_EQ_INT(abut_accel_all(work, &c->problem, &options, see_answer, &found, &count), ABUT_OK);
    CHECK_MSG(found.count == wanted.count && found.count == count && found.worst <= 1e-10,
              "problem %d: %d motions, not %d (residual %g)", index, found.count, wanted.count, found.worst);
    for (int k = 0; k < wanted.count && wanted.count == found.count; ++k) {
        double nearest = INFINITY;
        for (int l = 0; l < found.count; ++l) {
            double most = 0.0;
            for (int i = 0; i < c->rows; ++i) most = fmax(most, fabs(wanted.a[k][i] - found.a[l][i]));
            nearest = fmin(nearest, most);
        }
        CHECK_MSG(nearest <= 1e-6, "problem %d: motion %d is missing", index, k);
    }

    /* The stage alone: an answer where there is one, else nothing; with all stages a ray that is proven. */
    abut_contact_result result;
    CHECK_EQ_INT(abut_contact_solve(work, &c->problem, &options, &result), ABUT_OK);
    if (wanted.count == 0) {
        CHECK_MSG(result.outcome == ABUT_RAY && result.exhausted, "problem %d: %s", index,
                  abut_outcome_name(result.outcome));
    } else {
        CHECK_MSG(result.outcome == ABUT_SOLVED && result.residual <= 1e-10, "problem %d: %s, %g", index,
                  abut_outcome_name(result.outcome), result.residual);
    }
    options.stage = "drive-modes";
    CHECK_EQ_INT(abut_contact_solve(work, &c->problem, &options, &result), ABUT_OK);
    CHECK_EQ_INT(result.outcome == ABUT_SOLVED, wanted.count > 0);
    tally[wanted.count > 1 ? 2 : wanted.count]++;
    abut_contact_workspace_destroy(work);
}

/* As many motions as the LCP has, and the same ones: none, one or several. */
static void test_against_every_basis(void)
{
    uint64_t seed = check_seed(5);
    abut_lcp_limits limits = {.n = BASES, .methods = 1u << ABUT_LCP_ENUMERATE};
    abut_lcp_workspace *work = NULL;
    CHECK_EQ_INT(abut_lcp_workspace_create(&limits, NULL, &work), ABUT_OK);
    int tally[3] = {0};
    for (int i = 0; i < 400 && work; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        local_case c;
        make_local(&c, &random);
        compare(&c, work, i, tally);
    }
    CHECK_MSG(tally[0] > 5 && tally[1] > 5 && tally[2] > 5, "%d none, %d one, %d several", tally[0], tally[1],
              tally[2]);
    abut_lcp_workspace_destroy(work);
}

/* ------------------------------------------------------------------------------------------------
 * Scenes: eight contacts on up to three blocks, 32 directions */

static void check_ray(const abut_contact_problem *problem, const abut_contact_result *result, int index)
{
    CHECK_MSG(result->outcome == ABUT_RAY && result->exhausted && result->ray, "problem %d: %s, %s", index,
              abut_outcome_name(result->outcome), result->exhausted ? "exhausted" : "no proof");
    double largest = 0.0;
    for (int i = 0; i < problem->contact_count && result->ray; ++i) {
        const double *p = result->ray + 3 * i;
        largest = fmax(largest, p[0]);
        CHECK(p[0] >= 0.0 && hypot(p[1], p[2]) <= problem->contacts[i].friction * p[0] * (1.0 + 1e-9) + 1e-9);
    }
    CHECK(largest > 0.0);
}

static void test_scenes(void)
{
    uint64_t seed = check_seed(12);
    contact_trial *all = contact_trial_create(ABUT_SOLVER_AUTO, false);
    contact_trial *alone = contact_trial_create(ABUT_SOLVER_AUTO, false);
    contact_case *c = contact_case_create();
    CHECK(all && alone && c);
    int rays = 0;
    for (int i = 0; i < 300 && all && alone && c; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        alone->options.stage = "drive-modes";
        if (i % 5 == 4) {
            accel_make_mechanism(c, i % 2, 1 + bench_below(&random, 2), (accel_motion)(i % 3), &random);
        } else {
            accel_make(c, i % 2, 1 + bench_below(&random, 3), 8, (accel_motion)(i % 3), 2.0, &random);
        }
        CHECK(contact_trial_run(all, &c->problem) && contact_trial_run(alone, &c->problem));
        bool solved = all->result.outcome == ABUT_SOLVED;
        CHECK_MSG(solved == (alone->result.outcome == ABUT_SOLVED), "problem %d: %s, but %s by modes", i,
                  abut_outcome_name(all->result.outcome), abut_outcome_name(alone->result.outcome));
        if (solved) CHECK(all->check.residual <= 1e-10 && alone->check.residual <= 1e-10);
        if (solved) continue;
        rays++;
        check_ray(&c->problem, &all->result, i);
    }
    CHECK_MSG(rays > 3, "%d rays", rays);
    contact_case_destroy(c);
    contact_trial_destroy(all);
    contact_trial_destroy(alone);
}

/* ------------------------------------------------------------------------------------------------
 * What the call says */

static bool count_one(const abut_contact_result *result, void *context)
{
    (void)result;
    ++*(int *)context;
    return true;
}

/* A box at rest on four contacts in space has one motion, whatever its many forces and modes; nine contacts
 * are refused; a budget that is too small is admitted. */
static void test_one_motion_and_refusals(void)
{
    abut_body box = {.mass = 2.0, .inertia = {0.1, 0.1, 0.1}, .com = {0, 0, 0.5}, .force = {3, 1, -19.62}};
    abut_contact contact[9];
    for (int i = 0; i < 9; ++i)
        contact[i] = (abut_contact){.bodies = {0, ABUT_WORLD},
                                    .point = {i % 3 - 1.0, (double)(i / 3) - 1.0, 0.0},
                                    .normal = {0, 0, 1},
                                    .friction = 0.5};
    abut_contact_problem problem = {.model = ABUT_COULOMB_ACCEL,
                                    .body_count = 1,
                                    .bodies = &box,
                                    .contact_count = 4,
                                    .contacts = contact};
    abut_contact_options options = abut_contact_default_options();
    abut_contact_limits limits = abut_contact_limits_for(&problem, &options);
    limits.contacts = 9;
    abut_contact_workspace *work = NULL;
    CHECK_EQ_INT(abut_contact_workspace_create(&limits, NULL, &work), ABUT_OK);
    for (int n = 4; n <= 8; n += 4) {
        int count = -1, seen = 0;
        problem.contact_count = n;
        CHECK_EQ_INT(abut_accel_all(work, &problem, &options, count_one, &seen, &count), ABUT_OK);
        CHECK(count == 1 && seen == 1);
    }
    int count = -1, seen = 0;
    problem.contact_count = 9;
    CHECK_EQ_INT(abut_accel_all(work, &problem, &options, count_one, &seen, &count), ABUT_TOO_LARGE);
    CHECK(count == 0 && seen == 0);
    problem.contact_count = 4;
    options.max_pivots = 3;
    CHECK_EQ_INT(abut_accel_all(work, &problem, &options, count_one, &seen, &count), ABUT_TOO_LARGE);
    abut_contact_workspace_destroy(work);
}

/* The list of all answers and the solve say the same, with friction of all sizes, and huge friction ends
 * decided. */
static void test_agreement(void)
{
    static const double friction[] = {0.8, 30.0, 1e3, 1e6};
    uint64_t seed = check_seed(13);
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    contact_case *c = contact_case_create();
    CHECK(trial && c);
    int several = 0, none = 0, undecided = 0, incomplete = 0;
    for (int i = 0; i < 400 && trial && c; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        accel_make(c, i % 2, 1 + bench_below(&random, 2), 2 + bench_below(&random, 3), (accel_motion)(i % 3),
                   friction[i % 4], &random);
        CHECK(contact_trial_run(trial, &c->problem));
        bool solved = trial->result.outcome == ABUT_SOLVED, exhausted = trial->result.exhausted;
        CHECK_MSG(!(solved && exhausted), "problem %d: solved, exhausted", i);
        undecided += !solved && !exhausted;
        if (solved) CHECK(trial->check.residual <= 1e-9);
        int count = -1, seen = 0;
        abut_status status =
            abut_accel_all(trial->work, &c->problem, &trial->options, count_one, &seen, &count);
        CHECK_MSG(status == ABUT_OK || i % 4 == 3, "problem %d: %s", i, abut_status_text(status));
        CHECK_MSG(solved == (count > 0) || (status == ABUT_TOO_LARGE && !exhausted),
                  "problem %d: %s, but %d in all", i, abut_outcome_name(trial->result.outcome), count);
        incomplete += status != ABUT_OK;
        several += count > 1;
        none += count == 0;
    }
    /* Friction of 1e6 takes six of sixteen digits: now and then rounding decides nothing, and says so. */
    printf("%d with several, %d with none, %d undecided, %d lists not complete\n", several, none, undecided,
           incomplete);
    CHECK(several > 3 && none > 3 && undecided <= 2 && incomplete <= 4);
    contact_case_destroy(c);
    contact_trial_destroy(trial);
}

int main(void)
{
    RUN(test_agreement);
    RUN(test_against_every_basis);
    RUN(test_scenes);
    RUN(test_one_motion_and_refusals);
    return check_report();
}
