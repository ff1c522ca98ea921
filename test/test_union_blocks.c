/* Unions among blocks, bounded rows and compliance, against an oracle that goes through all states: a contact is open,
 * sticks or slides to either side, a row is at a bound or between its bounds, and of a union one side must hold. */
#include "abut/union.h"
#include "as_blocks.h"
#include "check.h"
#include "contact_trial.h"
#include "family_robots.h"
#include "family_unions.h"
#include "row_oracle.h"
#include <string.h>

enum { NV = 5, CONTACTS = 4, JOINTS = 2, ROWS = 2 * CONTACTS + JOINTS };

typedef struct scene {
    abut_contact_problem problem;
    abut_generalised generalised;
    abut_contact contacts[CONTACTS];
    abut_joint joints[JOINTS];
    double mass[NV * NV], velocity[NV], force[NV], normals[CONTACTS * NV], tangents[2 * CONTACTS * NV],
        rows[JOINTS * NV];
    int sizes[2];
} scene;

/* Two blocks, of two and of three numbers, or one of five; contacts 0 and 1 (and 2) are a union. */
static void make_scene(scene *s, bool blocks, bench_random *r)
{
    int contacts = 2 + bench_below(r, CONTACTS - 1), joints = bench_below(r, JOINTS + 1), at = 0;
    int sides = 2 + (contacts > 2 && bench_below(r, 2));
    bool rubs = bench_below(r, 3) != 0, holds = !rubs && bench_below(r, 2);
    memset(s, 0, sizeof *s);
    s->sizes[0] = blocks ? 2 : NV;
    s->sizes[1] = NV - s->sizes[0];
    for (int b = 0; b < 1 + blocks; ++b) {
        int n = s->sizes[b];
        double G[NV * NV];
        row_oracle_fill(G, n * n, 1, r);
        for (int i = 0; i < n * n; ++i) {
            s->mass[at] = i / n == i % n;
            for (int k = 0; k < n; ++k) s->mass[at] += G[i / n * n + k] * G[i % n * n + k];
            at++;
        }
    }
    row_oracle_fill(s->velocity, NV, 1, r);
    row_oracle_fill(s->force, NV, 50, r);
    row_oracle_fill(s->normals, contacts * NV, 1, r);
    row_oracle_fill(s->tangents, 2 * contacts * NV, 1, r);
    row_oracle_fill(s->rows, joints * NV, 1, r);
    for (int i = 0; i < contacts; ++i)
        s->contacts[i] = (abut_contact){.bodies = {0, blocks ? 1 : ABUT_WORLD},
                                        .directions = 2,
                                        .friction = rubs ? bench_uniform(r, 0, 1) : 0,
                                        .gap = i < sides ? bench_uniform(r, -0.003, 0.003) : 0,
                                        .group = i < sides ? 7 : 0,
                                        .compliance = bench_below(r, 2) ? bench_uniform(r, 0, 1) : 0};
    for (int j = 0; j < joints; ++j) {
        s->joints[j].bodies[1] = blocks ? 1 : ABUT_WORLD;
        row_oracle_bounds(&s->joints[j], r);
    }
    s->generalised = (abut_generalised){.nv = NV,
                                        .mass_matrix = s->mass,
                                        .velocity = s->velocity,
                                        .force = s->force,
                                        .normal_rows = s->normals,
                                        .tangent_rows = s->tangents,
                                        .joint_rows = s->rows,
                                        .block_count = blocks ? 2 : 0,
                                        .block_sizes = s->sizes};
    s->problem = (abut_contact_problem){.model = rubs    ? ABUT_COULOMB
                                                 : holds ? ABUT_NO_SLIP
                                                         : ABUT_FRICTIONLESS,
                                        .step = 0.01,
                                        .contact_count = contacts,
                                        .contacts = s->contacts,
                                        .joint_count = joints,
                                        .joints = s->joints,
                                        .generalised = &s->generalised};
}

/* States of contacts: open, sticking, sliding with friction along +t, along -t; of rows: held, at the upper bound, at
 * the lower one. */
enum { OPEN, STICK, SLIDE_UP, SLIDE_DOWN };

typedef struct oracle {
    const scene *s;
    int contacts, rows;
    double W[ORACLE_ROWS][ORACLE_ROWS], free[ROWS],
        give[ROWS]; /* rows: normal and tangent of each contact, then joint rows */
    int state[CONTACTS + JOINTS];
} oracle;

static double mass_at(const scene *s, int i, int j)
{
    int n = s->sizes[0];
    if (i < n && j < n) return s->mass[i * n + j];
    int m = s->sizes[1];
    return i >= n && j >= n ? s->mass[n * n + (i - n) * m + j - n] : 0.0;
}

static const double *row_of(const scene *s, int row)
{
    int n = 2 * s->problem.contact_count;
    if (row >= n) return s->rows + NV * (row - n);
    return row % 2 == 0 ? s->normals + NV * (row / 2) : s->tangents + NV * 2 * (row / 2);
}

static void oracle_begin(oracle *o, const scene *s)
{
    double mass[ORACLE_ROWS][ORACLE_ROWS];
    const double *row[ROWS];
    memset(o, 0, sizeof *o);
    o->s = s;
    o->contacts = s->problem.contact_count;
    o->rows = 2 * o->contacts + s->problem.joint_count;
    for (int i = 0; i < NV; ++i)
        for (int j = 0; j < NV; ++j) mass[i][j] = mass_at(s, i, j);
    for (int a = 0; a < o->rows; ++a) {
        bool contact = a < 2 * o->contacts;
        row[a] = row_of(s, a);
        if (contact && a % 2 == 0) o->free[a] = s->contacts[a / 2].gap / s->problem.step;
        if (contact && a % 2 == 0) o->give[a] = s->contacts[a / 2].compliance;
        if (!contact) o->free[a] = -s->joints[a - 2 * o->contacts].target;
        if (!contact) o->give[a] = s->joints[a - 2 * o->contacts].compliance;
    }
    row_oracle_delassus(NV, mass, s->velocity, s->force, s->problem.step, o->rows, row, o->W, o->free);
    for (int a = 0; a < o->rows; ++a) o->W[a][a] += o->give[a];
}

/* What row a pushes for one unit of unknown c: itself, or friction that follows its normal. */
static double follows(const oracle *o, int a, int c)
{
    if (a == c) return 1.0;
    if (a >= 2 * o->contacts || a % 2 == 0 || c != a - 1) return 0.0;
    int state = o->state[a / 2];
    double mu = o->s->contacts[a / 2].friction;
    return state == SLIDE_UP ? mu : state == SLIDE_DOWN ? -mu : 0.0;
}

/* Whether row a is an unknown whose velocity is zero; if not, *p is what is given. */
static bool is_unknown(const oracle *o, int a, double *p)
{
    *p = 0;
    if (a < 2 * o->contacts) return a % 2 == 0 ? o->state[a / 2] != OPEN : o->state[a / 2] == STICK;
    const abut_joint *joint = &o->s->joints[a - 2 * o->contacts];
    int state = o->state[a - o->contacts];
    if (!joint->bounded || state == 0) return true;
    *p = state == 1 ? joint->upper : joint->lower;
    return false;
}

static bool contact_is_right(const oracle *o, int i, const double *p, const double *w)
{
    double n = p[2 * i], f = p[2 * i + 1], mu = o->s->contacts[i].friction;
    int state = o->state[i];
    if (state == OPEN) return o->s->contacts[i].group > 0 || w[2 * i] > 1e-6;
    if (!(n > 1e-9)) return false;
    if (state == STICK) return fabs(f) <= mu * n || o->s->problem.model == ABUT_NO_SLIP;
    return state == SLIDE_UP ? w[2 * i + 1] < 0 : w[2 * i + 1] > 0;
}

static bool row_is_right(const oracle *o, int j, const double *p, const double *w)
{
    const abut_joint *joint = &o->s->joints[j];
    int a = 2 * o->contacts + j, state = o->state[o->contacts + j];
    if (!joint->bounded || joint->lower == joint->upper) return true;
    if (state == 0) return p[a] >= joint->lower && p[a] <= joint->upper;
    return state == 1 ? w[a] <= 0 : w[a] >= 0;
}

/* The union: a side holds; where one pushes, all are touched or violated. */
static bool union_is_right(const oracle *o, const double *w)
{
    double most = -INFINITY;
    bool pushes = false;
    for (int i = 0; i < o->contacts; ++i) {
        if (o->s->contacts[i].group == 0) continue;
        most = fmax(most, w[2 * i]);
        pushes |= o->state[i] != OPEN;
    }
    return pushes ? fabs(most) <= 1e-9 : most > 1e-6;
}

static bool is_answer(const oracle *o)
{
    double A[ORACLE_ROWS][ORACLE_ROWS], b[ORACLE_ROWS], x[ORACLE_ROWS], p[ROWS], w[ROWS];
    int list[ROWS], n = 0;
    for (int a = 0; a < o->rows; ++a)
        if (is_unknown(o, a, &p[a])) list[n++] = a;
    for (int i = 0; i < n; ++i) {
        b[i] = -o->free[list[i]];
        for (int a = 0; a < o->rows; ++a) b[i] -= o->W[list[i]][a] * p[a];
        for (int j = 0; j < n; ++j) {
            A[i][j] = 0;
            for (int a = 0; a < o->rows; ++a) A[i][j] += o->W[list[i]][a] * follows(o, a, list[j]);
        }
    }
    row_oracle_solve(n, A, b, x);
    for (int i = 0; i < n; ++i)
        for (int a = 0; a < o->rows; ++a) p[a] += follows(o, a, list[i]) * x[i];
    for (int a = 0; a < o->rows; ++a) {
        w[a] = o->free[a];
        for (int c = 0; c < o->rows; ++c) w[a] += o->W[a][c] * p[c];
        double unused;
        if (fabs(p[a]) > 1e3 || (is_unknown(o, a, &unused) && fabs(w[a]) > 1e-9)) return false;
    }
    for (int i = 0; i < o->contacts; ++i)
        if (!contact_is_right(o, i, p, w)) return false;
    for (int j = 0; j < o->s->problem.joint_count; ++j)
        if (!row_is_right(o, j, p, w)) return false;
    return union_is_right(o, w);
}

static bool has_meaning(const oracle *o, int k)
{
    if (k < o->contacts) {
        bool rubs = o->s->problem.model == ABUT_COULOMB && o->s->contacts[k].friction > 0;
        if (o->s->problem.model == ABUT_NO_SLIP) return o->state[k] == OPEN || o->state[k] == STICK;
        return rubs ? true : o->state[k] == OPEN || o->state[k] == SLIDE_UP;
    }
    const abut_joint *joint = &o->s->joints[k - o->contacts];
    int state = o->state[k];
    if (state == SLIDE_DOWN) return false;
    if (!joint->bounded) return state == 0;
    if (joint->lower == joint->upper) return state == 1;
    return state == 0 || (state == 1 ? joint->upper < INFINITY : joint->lower > -INFINITY);
}

static bool some_answer(oracle *o, int next)
{
    if (next == o->contacts + o->s->problem.joint_count) return is_answer(o);
    for (o->state[next] = 0; o->state[next] < 4; ++o->state[next])
        if (has_meaning(o, next) && some_answer(o, next + 1)) return true;
    return false;
}

static void test_oracle(void)
{
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    uint64_t seed = check_seed(17);
    int with = 0, solved = 0;
    for (int i = 0; i < 1500; ++i) {
        bench_random r = bench_random_stream(seed, (uint64_t)i);
        scene s;
        oracle o;
        make_scene(&s, i % 2 == 1, &r);
        oracle_begin(&o, &s);
        bool exists = some_answer(&o, 0);
        CHECK_MSG(contact_trial_run(trial, &s.problem), "number %d: %s", i, abut_status_text(trial->status));
        bool right = trial->result.outcome == ABUT_SOLVED;
        CHECK_MSG(!right || trial->check.residual <= 1e-9, "number %d: residual %g", i,
                  trial->check.residual);
        CHECK_MSG(!exists || right, "number %d: %s, %d contacts, %d rows", i,
                  abut_outcome_name(trial->result.outcome), o.contacts, s.problem.joint_count);
        with += exists;
        solved += right;
    }
    printf("       %d with an answer, %d solved\n", with, solved);
    CHECK(with > 1000);
    contact_trial_destroy(trial);
}

/* Free bodies with unions, by the first door and as blocks of six, by both rules: both have an answer. */
static void test_families(void)
{
    contact_case *c = contact_case_create();
    contact_trial *bodies = contact_trial_create(ABUT_SOLVER_AUTO, false),
                  *blocks = contact_trial_create(ABUT_SOLVER_AUTO, false);
    uint64_t seed = check_seed(18);
    int solved = 0, same = 0;
    for (int i = 0; i < 120; ++i) {
        bench_random r = bench_random_stream(seed, (uint64_t)i);
        CHECK(family_unions_make(c, &r));
        bodies->options.unions.rule = blocks->options.unions.rule = i % 2 ? ABUT_UNION_SUM : ABUT_UNION_MAX;
        bodies->options.unions.prefer = blocks->options.unions.prefer =
            i >= 4 ? ABUT_PREFER_FIRST : ABUT_PREFER_ENERGY;
        if (!contact_trial_run(bodies, &c->problem) || bodies->result.outcome != ABUT_SOLVED) continue;
        as_blocks other;
        if (as_blocks_make(&c->problem, bodies->result.contacts, &other)) {
            CHECK(contact_trial_run(blocks, &other.problem));
            CHECK_MSG(blocks->result.outcome == ABUT_SOLVED && blocks->check.residual <= 1e-9,
                      "number %d: %s, residual %g", i, abut_outcome_name(blocks->result.outcome),
                      blocks->check.residual);
            solved++;
            same += as_blocks_apart(&other, bodies->result.velocity, blocks->result.velocity) <= 1e-9;
        }
        as_blocks_free(&other);
    }
    printf("       %d solved, %d with the same motion\n", solved, same);
    contact_case_destroy(c);
    contact_trial_destroy(bodies);
    contact_trial_destroy(blocks);
}

static bool count_answers(const abut_contact_result *result, void *context)
{
    CHECK(result->outcome == ABUT_SOLVED && result->residual <= 1e-9);
    ++*(int *)context;
    return true;
}

/* A box in a corner with two sides, held by a motor that is too weak: every answer is listed. */
static void test_all(void)
{
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    uint64_t seed = check_seed(19);
    int most = 0;
    for (int i = 0; i < 60; ++i) {
        bench_random r = bench_random_stream(seed, (uint64_t)i);
        scene s;
        make_scene(&s, i % 2 == 1, &r);
        if (s.problem.model == ABUT_NO_SLIP) continue; /* rows with two bounds are not listed there */
        CHECK(contact_trial_run(trial, &s.problem));
        int seen = 0, count = 0;
        abut_status status =
            abut_union_all(trial->work, &s.problem, &trial->options, count_answers, &seen, &count);
        CHECK_MSG(status == ABUT_OK || status == ABUT_TOO_LARGE, "number %d: %s", i,
                  abut_status_text(status));
        CHECK(seen == count && (count > 0 || trial->result.outcome != ABUT_SOLVED));
        most = count > most ? count : most;
    }
    printf("       at most %d answers\n", most);
    CHECK(most > 1);
    contact_trial_destroy(trial);
}

/* A robot that bounces, beside a union that is far away: where all paths end on a ray, branch and bound goes through all
 * cases. Rounding there must not let it decide a pair twice. */
static void test_rays(void)
{
    enum { MOST = 64 };
    const robot_family *family = robot_family_find("bounces");
    robot_scene *s = robot_scene_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    int rays = 0;
    for (int i = 540; i < 552; ++i) {
        bench_random r = bench_random_stream(1, (uint64_t)i);
        CHECK(robot_family_make(family, family->sizes[bench_below(&r, 4)], &r, s));
        if (bench_below(&r, 2)) s->generalised.parents = s->parents;
        abut_contact_problem problem = s->reduced;
        CHECK(contact_trial_run(trial, &problem));
        if (trial->result.outcome == ABUT_SOLVED) continue;
        abut_generalised g = s->generalised;
        abut_contact contacts[MOST];
        int n = problem.contact_count, first = g.block_sizes[0];
        size_t numbers = 0;
        CHECK(n + 2 <= MOST);
        for (int k = 0; k < n; ++k) {
            contacts[k] = problem.contacts[k];
            for (int side = 0; side < 2 && contacts[k].bodies[side] >= 0; ++side)
                numbers += (size_t)g.block_sizes[contacts[k].bodies[side]];
        }
        double *normals = calloc(numbers + 2 * (size_t)first, sizeof(double)),
               *tangents = calloc(2 * numbers + 4 * (size_t)first, sizeof(double));
        memcpy(normals, g.normal_rows, numbers * sizeof(double));
        memcpy(tangents, g.tangent_rows, 2 * numbers * sizeof(double));
        normals[numbers] = 1.0;
        normals[numbers + (size_t)first] = -1.0;
        for (int k = n; k < n + 2; ++k)
            contacts[k] =
                (abut_contact){.bodies = {0, ABUT_WORLD}, .gap = 1000, .group = 77, .directions = 2};
        g.normal_rows = normals;
        g.tangent_rows = tangents;
        problem.generalised = &g;
        problem.contacts = contacts;
        problem.contact_count = n + 2;
        CHECK(contact_trial_run(trial, &problem));
        CHECK(trial->result.outcome != ABUT_SOLVED || trial->check.residual <= 1e-9);
        free(normals);
        free(tangents);
        rays++;
    }
    CHECK(rays > 0);
    robot_scene_destroy(s);
    contact_trial_destroy(trial);
}

int main(void)
{
    RUN(test_oracle);
    RUN(test_families);
    RUN(test_all);
    RUN(test_rays);
    return check_report();
}
