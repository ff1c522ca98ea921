/* The search over unions, the list of all answers and the one with the least energy, against an oracle that
 * knows nothing of them: one body in the plane has three degrees
 * of freedom, so all answers in general position come from at most three rows that are touched, held or slid
 * along; all such choices are gone through. */
#include "abut/union.h"
#include "check.h"
#include "contact_trial.h"
#include "family_unions.h"
#include "stress.h"

#include <string.h>

enum { CONTACTS = 10, ANSWERS = 64 };

typedef enum state { OPEN, STICK, ALONG, AGAINST } state;

/* A problem in the coordinates v_x, v_y, w_z. */
typedef struct oracle {
    int n;
    bool friction;
    double inverse[3], free[3];
    double normal[CONTACTS][3], tangent[CONTACTS][3], b[CONTACTS], mu[CONTACTS];
    int group[CONTACTS]; /* 0: ordinary */
    state at[CONTACTS];
    int answers;
    double velocity[ANSWERS][3], energy[ANSWERS];
    double mass[3];
    bool doubtful; /* a choice that is neither clearly right nor clearly wrong */
} oracle;

static void row_of(const abut_contact *c, const double *com, const double *axis, double *row)
{
    row[0] = axis[0];
    row[1] = axis[1];
    row[2] = (c->point[0] - com[0]) * axis[1] - (c->point[1] - com[1]) * axis[0];
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* False unless it is one body in the plane with few contacts. */
static bool oracle_load(oracle *o, const abut_contact_problem *p)
{
    const abut_body *body = &p->bodies[0];
    *o = (oracle){.n = p->contact_count, .friction = p->model == ABUT_COULOMB};
    if (p->body_count != 1 || p->contact_count > CONTACTS) return false;
    static const int axis[3] = {0, 1, 5};
    for (int k = 0; k < 3; ++k) {
        o->mass[k] = k < 2 ? body->mass : body->inertia[2];
        o->inverse[k] = 1 / o->mass[k];
        o->free[k] = body->velocity[axis[k]] + p->step * body->force[axis[k]] * o->inverse[k];
    }
    for (int i = 0; i < o->n; ++i) {
        const abut_contact *c = &p->contacts[i];
        int sides = 0;
        if (c->directions != 2) return false;
        for (int j = 0; j < o->n; ++j) sides += c->group > 0 && p->contacts[j].group == c->group;
        row_of(c, body->com, c->normal, o->normal[i]);
        row_of(c, body->com, c->tangent, o->tangent[i]);
        o->group[i] = sides > 1 ? c->group : 0;
        o->mu[i] = o->friction ? c->friction : 0;
        o->b[i] = c->gap / p->step;
    }
    return true;
}

/* Gaussian elimination of at most three equations; false: singular. */
static bool solve(int n, double A[3][4])
{
    for (int k = 0; k < n; ++k) {
        int best = k;
        for (int i = k; i < n; ++i)
            if (fabs(A[i][k]) > fabs(A[best][k])) best = i;
        if (fabs(A[best][k]) < 1e-9) return false;
        for (int j = 0; j < 4; ++j) {
            double swap = A[k][j];
            A[k][j] = A[best][j];
            A[best][j] = swap;
        }
        for (int i = 0; i < n; ++i) {
            double by = A[i][k] / A[k][k];
            for (int j = k; j < 4 && i != k; ++j) A[i][j] -= by * A[k][j];
        }
    }
    for (int k = 0; k < n; ++k) A[k][3] /= A[k][k];
    return true;
}

/* By how much the motion violates what unions and ordinary contacts ask for, given who pushes. */
static double violation_of_gaps(const oracle *o, const double *v)
{
    double worst = 0;
    for (int i = 0; i < o->n; ++i) {
        double a = dot(o->normal[i], v) + o->b[i], most = a;
        bool pushes = o->at[i] != OPEN;
        for (int j = 0; j < o->n && o->group[i]; ++j) {
            if (o->group[j] != o->group[i]) continue;
            most = fmax(most, dot(o->normal[j], v) + o->b[j]);
            pushes |= o->at[j] != OPEN;
        }
        worst = fmax(worst, -most);
        if (o->group[i] && pushes) worst = fmax(worst, most);
    }
    return worst;
}

/* The motion of the present choice, kept if it is right. */
static void try_states(oracle *o)
{
    double rows[3][3], columns[3][3], level[3], A[3][4];
    int n = 0, of[3];
    for (int i = 0; i < o->n; ++i) {
        if (o->at[i] == OPEN) continue;
        double by = o->at[i] == ALONG ? o->mu[i] : o->at[i] == AGAINST ? -o->mu[i] : 0;
        for (int k = 0; k < 3; ++k) columns[n][k] = o->normal[i][k] + by * o->tangent[i][k];
        memcpy(rows[n], o->normal[i], sizeof rows[n]);
        of[n] = i;
        level[n++] = -o->b[i];
        if (o->at[i] != STICK) continue;
        memcpy(rows[n], o->tangent[i], sizeof rows[n]);
        memcpy(columns[n], o->tangent[i], sizeof columns[n]);
        of[n] = i;
        level[n++] = 0;
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            A[i][j] = 0;
            for (int k = 0; k < 3; ++k) A[i][j] += rows[i][k] * o->inverse[k] * columns[j][k];
        }
        A[i][3] = level[i] - dot(rows[i], o->free);
    }
    if (!solve(n, A)) return;
    double v[3] = {o->free[0], o->free[1], o->free[2]}, worst = 0, energy = 0;
    for (int j = 0; j < n; ++j)
        for (int k = 0; k < 3; ++k) v[k] += o->inverse[k] * columns[j][k] * A[j][3];
    for (int j = 0; j < n; ++j) {
        int i = of[j];
        worst = fmax(worst, -A[j][3]);
        if (o->at[i] == STICK) {
            worst = fmax(worst, fabs(A[j + 1][3]) - o->mu[i] * A[j][3]);
            ++j;
        } else if (o->friction) {
            worst = fmax(worst, (o->at[i] == ALONG ? 1 : -1) * dot(o->tangent[i], v));
        }
    }
    worst = fmax(worst, violation_of_gaps(o, v));
    o->doubtful |= worst > 1e-11 && worst < 1e-6;
    if (worst > 1e-9 || o->answers == ANSWERS) return;
    for (int k = 0; k < 3; ++k) energy += 0.5 * o->mass[k] * v[k] * v[k];
    o->energy[o->answers] = energy;
    memcpy(o->velocity[o->answers++], v, sizeof v);
}

/* All choices from contact i on with so many rows left. */
static void try_all(oracle *o, int i, int rows)
{
    if (i == o->n) {
        try_states(o);
        return;
    }
    for (int s = OPEN; s <= AGAINST; ++s) {
        int used = s == OPEN ? 0 : s == STICK ? 2 : 1;
        if (used > rows || (!o->friction && (s == STICK || s == AGAINST))) continue;
        o->at[i] = (state)s;
        try_all(o, i + 1, rows - used);
    }
    o->at[i] = OPEN;
}

static double apart(const double *v, const double *of_body)
{
    return fmax(fmax(fabs(v[0] - of_body[0]), fabs(v[1] - of_body[1])), fabs(v[2] - of_body[5]));
}

static bool knows(const oracle *o, const double *of_body)
{
    for (int k = 0; k < o->answers; ++k)
        if (apart(o->velocity[k], of_body) < 1e-7) return true;
    return false;
}

/* ---- what is compared ---- */

typedef struct listing {
    const oracle *o;
    int count, known;
    double velocity[ANSWERS][6];
} listing;

static bool list(const abut_contact_result *result, void *context)
{
    listing *l = context;
    CHECK(result->residual <= 1e-9);
    if (l->count == ANSWERS) return false;
    memcpy(l->velocity[l->count++], result->velocity, 6 * sizeof(double));
    l->known += knows(l->o, result->velocity);
    return true;
}

/* abut_union_all lists exactly the motions of the oracle. */
static void compare_all(contact_trial *trial, const abut_contact_problem *problem, const oracle *o)
{
    listing l = {.o = o};
    int count = 0;
    abut_contact_limits limits = abut_contact_limits_for(problem, &trial->options);
    abut_contact_workspace *work = NULL;
    CHECK_EQ_INT(abut_contact_workspace_create(&limits, NULL, &work), ABUT_OK);
    abut_status status = abut_union_all(work, problem, &trial->options, list, &l, &count);
    CHECK(status == ABUT_OK || (status == ABUT_TOO_LARGE && count == 32));
    CHECK_EQ_INT(count, l.count);
    CHECK_EQ_INT(l.known, l.count);
    for (int k = 0; k < o->answers && status == ABUT_OK; ++k) {
        bool listed = false;
        for (int j = 0; j < l.count; ++j) listed |= apart(o->velocity[k], l.velocity[j]) < 1e-7;
        CHECK_MSG(listed, "motion %d of %d was not listed", k, o->answers);
    }
    abut_contact_workspace_destroy(work);
}

static void compare_energy(contact_trial *trial, const abut_contact_problem *problem, const oracle *o)
{
    double least = INFINITY, energy = 0;
    for (int k = 0; k < o->answers; ++k) least = fmin(least, o->energy[k]);
    trial->options.unions.prefer = ABUT_PREFER_ENERGY;
    CHECK(contact_trial_run(trial, problem));
    CHECK_EQ_INT(trial->result.outcome, ABUT_SOLVED);
    CHECK(trial->check.residual <= 1e-9);
    static const int axis[3] = {0, 1, 5};
    for (int k = 0; k < 3; ++k)
        energy += 0.5 * o->mass[k] * trial->result.velocity[axis[k]] * trial->result.velocity[axis[k]];
    CHECK_NEAR(energy, least, 1e-9 * fmax(1, least));
    trial->options.unions.prefer = ABUT_PREFER_FIRST;
}

static void compare(abut_contact_model model, int wanted, uint64_t seed)
{
    contact_case *c = contact_case_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    static oracle o;
    int compared = 0, none = 0;
    for (int i = 0; compared < wanted; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        CHECK(family_unions_make(c, &random));
        c->problem.model = model;
        for (int k = 0; k < c->problem.contact_count; ++k)
            c->contacts[k].friction *= 1.5; /* more surprises */
        if (!oracle_load(&o, &c->problem)) continue;
        try_all(&o, 0, 3);
        if (o.doubtful) continue;
        compared++;
        none += o.answers == 0;
        CHECK(contact_trial_run(trial, &c->problem));
        bool solved = trial->result.outcome == ABUT_SOLVED;
        CHECK_MSG(solved == (o.answers > 0), "problem %d: %s, the oracle has %d answers", i,
                  abut_outcome_name(trial->result.outcome), o.answers);
        if (solved) CHECK(trial->check.residual <= 1e-9);
        if (solved) CHECK(knows(&o, trial->result.velocity));
        if (!solved) CHECK(trial->result.outcome == ABUT_FAILED && trial->result.exhausted);
        bool unions = false;
        for (int k = 0; k < o.n; ++k) unions |= o.group[k] != 0;
        if (unions) compare_all(trial, &c->problem, &o);
        if (unions && solved) compare_energy(trial, &c->problem, &o);
    }
    printf("%d problems compared, %d of them without an answer\n", compared, none);
    contact_trial_destroy(trial);
    contact_case_destroy(c);
}

static void test_frictionless(void)
{
    compare(ABUT_FRICTIONLESS, 300, check_seed(74));
}

static void test_friction(void)
{
    compare(ABUT_COULOMB, 300, check_seed(75));
}

/* Problems of the campaign that only branch and bound answers, and one that has no answer. */
static void test_hard(void)
{
    static const struct {
        uint64_t seed;
        int index;
        abut_outcome outcome;
    } hard[] = {{1, 2006, ABUT_SOLVED}, {1, 12763, ABUT_SOLVED}, {2, 9550, ABUT_FAILED}};
    for (const stress_family *f = stress_families; f->campaign; ++f) {
        if (strcmp(f->campaign, "union") != 0 || strcmp(f->name, "max") != 0) continue;
        for (int k = 0; k < 3; ++k) {
            stress_options options = {
                .count = 1, .first = hard[k].index, .seed = hard[k].seed, .directory = "."};
            stress_tally tally;
            CHECK(stress_run(f, &options, &tally));
            CHECK_EQ_INT(tally.rejected, 0);
            CHECK_EQ_INT(tally.outcomes[hard[k].outcome], 1);
        }
    }
}

int main(void)
{
    RUN(test_frictionless);
    RUN(test_friction);
    RUN(test_hard);
    return check_report();
}
