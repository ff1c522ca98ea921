/* Bounded rows and compliance at the W + q door: the same problems as by the second door, with W = J M^-1 J'. Where the
 * second door has an answer, this one has; without friction it is the same. */
#include "check.h"
#include "contact_trial.h"
#include "row_oracle.h"
#include <string.h>

enum { NV = 6, CONTACTS = 3, JOINTS = 3, ROWS = 3 * CONTACTS + JOINTS };

typedef struct scene {
    abut_contact_problem rows, local;
    abut_generalised generalised;
    abut_local delassus;
    abut_contact contacts[CONTACTS], bare[CONTACTS];
    abut_joint joints[JOINTS];
    double mass[NV * NV], velocity[NV], force[NV], normals[CONTACTS * NV], tangents[2 * CONTACTS * NV],
        joint_rows[JOINTS * NV], W[ROWS * ROWS], q[ROWS];
} scene;

static const double *row_of(const scene *s, int row)
{
    int n = 3 * s->rows.contact_count;
    if (row >= n) return s->joint_rows + NV * (row - n);
    return row % 3 == 0 ? s->normals + NV * (row / 3) : s->tangents + NV * (2 * (row / 3) + row % 3 - 1);
}

static void make_delassus(scene *s)
{
    int rows = 3 * s->rows.contact_count + s->rows.joint_count;
    double mass[ORACLE_ROWS][ORACLE_ROWS], W[ORACLE_ROWS][ORACLE_ROWS];
    const double *row[ROWS];
    for (int i = 0; i < NV; ++i)
        for (int j = 0; j < NV; ++j) mass[i][j] = s->mass[i * NV + j];
    for (int a = 0; a < rows; ++a) {
        row[a] = row_of(s, a);
        s->q[a] = a < 3 * s->rows.contact_count && a % 3 == 0 ? s->contacts[a / 3].gap / s->rows.step : 0;
    }
    row_oracle_delassus(NV, mass, s->velocity, s->force, s->rows.step, rows, row, W, s->q);
    for (int a = 0; a < rows; ++a)
        for (int c = 0; c < rows; ++c) s->W[a * rows + c] = W[a][c];
}

static void make_scene(scene *s, bool rubs, bench_random *r)
{
    int contacts = bench_below(r, CONTACTS + 1), joints = 1 + bench_below(r, JOINTS);
    double G[NV * NV];
    memset(s, 0, sizeof *s);
    row_oracle_fill(G, NV * NV, 1, r);
    for (int i = 0; i < NV * NV; ++i) {
        s->mass[i] = i / NV == i % NV;
        for (int k = 0; k < NV; ++k) s->mass[i] += G[i / NV * NV + k] * G[i % NV * NV + k];
    }
    row_oracle_fill(s->velocity, NV, 1, r);
    row_oracle_fill(s->force, NV, 50, r);
    row_oracle_fill(s->normals, contacts * NV, 1, r);
    row_oracle_fill(s->tangents, 2 * contacts * NV, 1, r);
    row_oracle_fill(s->joint_rows, joints * NV, 1, r);
    for (int i = 0; i < contacts; ++i) {
        s->contacts[i] = (abut_contact){.directions = bench_below(r, 4) ? 8 : 2,
                                        .friction = rubs ? bench_uniform(r, 0, 1) : 0,
                                        .gap = bench_uniform(r, 0, 0.002),
                                        .compliance = bench_below(r, 2) ? bench_uniform(r, 0, 1) : 0};
        s->bare[i] = s->contacts[i];
        s->bare[i].gap = 0; /* part of q */
    }
    for (int j = 0; j < joints; ++j) {
        s->joints[j].bodies[1] = ABUT_WORLD;
        row_oracle_bounds(&s->joints[j], r);
    }
    s->generalised = (abut_generalised){.nv = NV,
                                        .mass_matrix = s->mass,
                                        .velocity = s->velocity,
                                        .force = s->force,
                                        .normal_rows = s->normals,
                                        .tangent_rows = s->tangents,
                                        .joint_rows = s->joint_rows};
    s->delassus = (abut_local){.dimension = 3, .W = s->W, .q = s->q};
    s->rows = (abut_contact_problem){.model = rubs ? ABUT_COULOMB : ABUT_FRICTIONLESS,
                                     .step = 0.01,
                                     .contact_count = contacts,
                                     .contacts = s->contacts,
                                     .joint_count = joints,
                                     .joints = s->joints,
                                     .generalised = &s->generalised};
    s->local = s->rows;
    s->local.generalised = NULL;
    s->local.local = &s->delassus;
    s->local.contacts = s->bare;
    make_delassus(s);
}

/* The largest difference of the local velocities u = W p + q of two answers. */
static double apart(const scene *s, const abut_contact_result *a, const abut_contact_result *b)
{
    int n = 3 * s->rows.contact_count, rows = n + s->rows.joint_count;
    double most = 0;
    for (int r = 0; r < rows; ++r) {
        double sum = 0;
        for (int c = 0; c < rows; ++c) {
            double p = c >= n ? a->joints[c - n] - b->joints[c - n]
                       : c % 3 == 0
                           ? a->contacts[c / 3].normal - b->contacts[c / 3].normal
                           : a->contacts[c / 3].tangent[c % 3 - 1] - b->contacts[c / 3].tangent[c % 3 - 1];
            sum += s->W[r * rows + c] * p;
        }
        most = fmax(most, fabs(sum));
    }
    return most;
}

static void test_doors(void)
{
    contact_trial *rows = contact_trial_create(ABUT_SOLVER_AUTO, false),
                  *local = contact_trial_create(ABUT_SOLVER_AUTO, false);
    uint64_t seed = check_seed(20);
    int solved = 0, same = 0;
    for (int i = 0; i < 1200; ++i) {
        bench_random r = bench_random_stream(seed, (uint64_t)i);
        scene s;
        bool rubs = i % 2 == 1;
        make_scene(&s, rubs, &r);
        for (int k = 0; k < s.rows.contact_count && i % 5 == 1; ++k)
            s.contacts[k].cone = s.bare[k].cone = ABUT_CONE_CIRCLE;
        CHECK(contact_trial_run(rows, &s.rows));
        CHECK_MSG(contact_trial_run(local, &s.local), "number %d: %s", i, abut_status_text(local->status));
        bool there = rows->result.outcome == ABUT_SOLVED;
        CHECK_MSG(!there || (local->result.outcome == ABUT_SOLVED && local->check.residual <= 1e-9),
                  "number %d: %s, residual %g", i, abut_outcome_name(local->result.outcome),
                  local->check.residual);
        if (!there || local->result.outcome != ABUT_SOLVED) continue;
        solved++;
        double off = apart(&s, &rows->result, &local->result);
        same += off <= 1e-7;
        CHECK_MSG(rubs || off <= 1e-7, "number %d: apart by %g", i, off);
    }
    printf("       %d solved, %d with the same velocities\n", solved, same);
    CHECK(solved > 1000);
    contact_trial_destroy(rows);
    contact_trial_destroy(local);
}

int main(void)
{
    RUN(test_doors);
    return check_report();
}
