/* The model no-slip with bounded and compliant rows, against an oracle that goes through all states: a contact touches
 * without slip or is open, a row is at its lower bound, between its bounds, or at its upper bound. Where the oracle finds
 * an answer, there must be one that glues nothing. */
#include "check.h"
#include "contact_trial.h"
#include "row_oracle.h"
#include <string.h>

enum { NV = 6, CONTACTS = 3, JOINTS = 3, ROWS = 3 * CONTACTS + JOINTS };

typedef struct scene {
    abut_contact_problem problem;
    abut_generalised generalised;
    abut_contact contacts[CONTACTS];
    abut_joint joints[JOINTS];
    double mass[NV * NV], velocity[NV], force[NV], normals[CONTACTS * NV], tangents[2 * CONTACTS * NV],
        rows[JOINTS * NV];
    int sizes[2];
} scene;

/* Two blocks of three numbers, or one of six. */
static void make_scene(scene *s, bool blocks, bench_random *r)
{
    int contacts = 1 + bench_below(r, CONTACTS), joints = bench_below(r, JOINTS + 1);
    double G[NV * NV];
    memset(s, 0, sizeof *s);
    row_oracle_fill(G, NV * NV, 1, r);
    for (int i = 0; i < NV; ++i) {
        for (int j = 0; j < NV; ++j) {
            bool apart = blocks && i / 3 != j / 3;
            for (int k = 0; k < NV && !apart; ++k) s->mass[i * NV + j] += G[i * NV + k] * G[j * NV + k];
            s->mass[i * NV + j] += i == j;
        }
    }
    row_oracle_fill(s->velocity, NV, 1, r);
    row_oracle_fill(s->force, NV, 50, r);
    row_oracle_fill(s->normals, contacts * NV, 1, r);
    row_oracle_fill(s->tangents, 2 * contacts * NV, 1, r);
    row_oracle_fill(s->rows, joints * NV, 1, r);
    for (int i = 0; i < contacts; ++i)
        s->contacts[i] = (abut_contact){.bodies = {0, blocks ? 1 : ABUT_WORLD},
                                        .directions = bench_below(r, 4) ? 8 : 2,
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
                                        .joint_rows = s->rows};
    if (blocks) { /* the same matrix, block by block */
        double packed[18];
        for (int b = 0; b < 2; ++b)
            for (int k = 0; k < 9; ++k) packed[9 * b + k] = s->mass[(3 * b + k / 3) * NV + 3 * b + k % 3];
        memcpy(s->mass, packed, sizeof packed);
        s->sizes[0] = s->sizes[1] = 3;
        s->generalised.block_count = 2;
        s->generalised.block_sizes = s->sizes;
    }
    s->problem = (abut_contact_problem){.model = ABUT_NO_SLIP,
                                        .step = 0.01,
                                        .contact_count = contacts,
                                        .contacts = s->contacts,
                                        .joint_count = joints,
                                        .joints = s->joints,
                                        .generalised = &s->generalised};
}

typedef struct oracle {
    const scene *s;
    int contacts, rows;
    double W[ORACLE_ROWS][ORACLE_ROWS], free[ROWS]; /* with the compliance in W */
    int state[CONTACTS + JOINTS]; /* contacts: 0 open, 1 touches; rows: 0 held, 1 at upper, 2 at lower */
} oracle;

static double mass_at(const scene *s, int i, int j)
{
    if (s->generalised.block_count == 0) return s->mass[i * NV + j];
    return i / 3 == j / 3 ? s->mass[9 * (i / 3) + 3 * (i % 3) + j % 3] : 0.0;
}

static const double *row_of(const scene *s, int row)
{
    int n = 3 * s->problem.contact_count;
    if (row >= n) return s->rows + NV * (row - n);
    return row % 3 == 0 ? s->normals + NV * (row / 3) : s->tangents + NV * (2 * (row / 3) + row % 3 - 1);
}

static void oracle_begin(oracle *o, const scene *s)
{
    double mass[ORACLE_ROWS][ORACLE_ROWS];
    const double *row[ROWS];
    o->s = s;
    o->contacts = s->problem.contact_count;
    o->rows = 3 * o->contacts + s->problem.joint_count;
    for (int i = 0; i < NV; ++i)
        for (int j = 0; j < NV; ++j) mass[i][j] = mass_at(s, i, j);
    for (int a = 0; a < o->rows; ++a) {
        row[a] = row_of(s, a);
        o->free[a] = a < 3 * o->contacts ? 0 : -s->joints[a - 3 * o->contacts].target;
    }
    row_oracle_delassus(NV, mass, s->velocity, s->force, s->problem.step, o->rows, row, o->W, o->free);
    for (int i = 0; i < o->contacts; ++i) o->W[3 * i][3 * i] += s->contacts[i].compliance;
    for (int j = 0, a = 3 * o->contacts; a < o->rows; ++j, ++a) o->W[a][a] += s->joints[j].compliance;
}

/* Whether row a is solved for; if not, *p is what it pushes. */
static bool is_solved_for(const oracle *o, int a, double *p)
{
    *p = 0;
    if (a < 3 * o->contacts)
        return o->state[a / 3] == 1 && a % 3 < (o->s->contacts[a / 3].directions == 2 ? 2 : 3);
    const abut_joint *joint = &o->s->joints[a - 3 * o->contacts];
    int state = o->state[o->contacts + a - 3 * o->contacts];
    if (!joint->bounded || state == 0) return true;
    *p = state == 1 ? joint->upper : joint->lower;
    return false;
}

/* Answers that just touch, or take impulses that leave no digits, do not count. */
static bool is_answer(const oracle *o)
{
    double A[ORACLE_ROWS][ORACLE_ROWS], b[ROWS], x[ROWS], p[ROWS];
    int list[ROWS], n = 0;
    for (int a = 0; a < o->rows; ++a)
        if (is_solved_for(o, a, &p[a])) list[n++] = a;
    for (int i = 0; i < n; ++i) {
        b[i] = -o->free[list[i]];
        for (int a = 0; a < o->rows; ++a) b[i] -= o->W[list[i]][a] * p[a];
        for (int j = 0; j < n; ++j) A[i][j] = o->W[list[i]][list[j]];
    }
    row_oracle_solve(n, A, b, x);
    for (int i = 0; i < n; ++i) p[list[i]] = x[i];
    for (int a = 0; a < o->rows; ++a) {
        double w = o->free[a], unused;
        for (int c = 0; c < o->rows; ++c) w += o->W[a][c] * p[c];
        bool solved_for = is_solved_for(o, a, &unused), contact = a < 3 * o->contacts;
        if ((solved_for && fabs(w) > 1e-7) || fabs(p[a]) > 1e3) return false;
        if (contact) {
            if (a % 3 == 0 && (solved_for ? p[a] < 1e-9 : w < 1e-6)) return false;
            continue;
        }
        const abut_joint *joint = &o->s->joints[a - 3 * o->contacts];
        if (!joint->bounded) continue;
        if (solved_for && !(p[a] >= joint->lower && p[a] <= joint->upper)) return false;
        bool upper = o->state[a - 2 * o->contacts] == 1;
        if (!solved_for && joint->lower < joint->upper && (upper ? w > 0 : w < 0)) return false;
    }
    return true;
}

/* Whether a state is one at all: no bound at infinity, and given impulses are at one of their bounds. */
static bool has_meaning(const oracle *o, int j)
{
    const abut_joint *joint = &o->s->joints[j];
    int state = o->state[o->contacts + j];
    if (!joint->bounded) return state == 0;
    if (joint->lower == joint->upper) return state == 1;
    return state == 0 || (state == 1 ? joint->upper < INFINITY : joint->lower > -INFINITY);
}

static bool some_answer(oracle *o, int next)
{
    int joints = o->s->problem.joint_count;
    if (next == o->contacts + joints) return is_answer(o);
    for (o->state[next] = 0; o->state[next] < (next < o->contacts ? 2 : 3); ++o->state[next]) {
        if (next >= o->contacts && !has_meaning(o, next - o->contacts)) continue;
        if (some_answer(o, next + 1)) return true;
    }
    return false;
}

static void test_oracle(void)
{
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    uint64_t seed = check_seed(16);
    int with = 0, glued = 0, unsolved = 0;
    for (int i = 0; i < 3000; ++i) {
        bench_random r = bench_random_stream(seed, (uint64_t)i);
        scene s;
        oracle o;
        make_scene(&s, i % 2 == 1, &r);
        oracle_begin(&o, &s);
        bool exists = some_answer(&o, 0);
        CHECK_MSG(contact_trial_run(trial, &s.problem), "number %d: %s", i, abut_status_text(trial->status));
        bool solved = trial->result.outcome == ABUT_SOLVED && trial->check.residual <= 1e-9;
        with += exists;
        unsolved += !solved;
        glued += solved && trial->result.glued > 0;
        CHECK_MSG(!exists || (solved && trial->result.glued == 0), "number %d: %s, residual %g, %d glued", i,
                  abut_outcome_name(trial->result.outcome), trial->check.residual, trial->result.glued);
        CHECK_MSG(trial->result.outcome != ABUT_SOLVED || trial->check.residual <= 1e-9, "number %d", i);
    }
    printf("       %d with an answer, %d glued, %d without\n", with, glued, unsolved);
    CHECK(with > 2000);
    contact_trial_destroy(trial);
}

int main(void)
{
    RUN(test_oracle);
    return check_report();
}
