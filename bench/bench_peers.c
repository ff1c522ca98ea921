/* `abut bench peers`: piles are solved by abut and, where their libraries are installed, by Siconos' fc3d_nsgs and by
 * MuJoCo's Newton. It reports the time of each, and the residual that our verifier finds in its answer.
 *
 * The question is Coulomb's law on circles. abut also answers it on polygons, and is then judged on these. A peer's
 * time is that of its solver alone (CPU time), ours that of the whole call, which builds, solves and verifies.
 * `reached` is the median residual, `most` the largest one; solved counts residuals of at most 1e-9. */
#include "bench.h"
#include "contact_trial.h"
#include "family_piles.h"
#include "peers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void bench_run_peers(bench *b);

enum { MOST = 64 };
static const double LIMIT_S = 10, SOLVED = 1e-9;

static const struct {
    int bodies, count;
} sizes[] = {{30, 5}, {100, 2}};

/* The peers are asked to come as close to the answer as they get. */
static const peer_limits siconos_limits = {1e-9, 1000}, mujoco_limits = {1e-10, 100};

/* Residuals of one row. */
typedef struct reached {
    double residuals[MOST];
    int count;
} reached;

static void note(bench_series *series, reached *r, double us, double residual, int pivots)
{
    bench_add(series, us, residual <= SOLVED, residual, pivots);
    r->residuals[r->count++] = residual;
}

static void file_row(bench *b, bench_series *series, reached *r)
{
    bench_row *row = bench_end(b, series);
    if (r->count == 0) return;
    bench_extra(row, "reached", bench_quantile(r->residuals, r->count, 0.5));
    bench_extra(row, "most", bench_quantile(r->residuals, r->count, 1.0));
}

/* Problem i of a row. Tangents are written down, so that all take the same ones; the cone is what is asked for. */
static bool make(bench *b, const pile_family *family, int bodies, int i, abut_contact_cone cone,
                 contact_case *c)
{
    bench_random random = bench_random_stream(b->seed, (uint64_t)i);
    contact_case_clear(c);
    family->make(c, bodies, &random);
    for (int k = 0; k < c->problem.contact_count; ++k) {
        abut_contact *contact = &c->contacts[k];
        int axis = 0;
        double length = 0.0;
        for (int j = 1; j < 3; ++j)
            if (fabs(contact->normal[j]) < fabs(contact->normal[axis])) axis = j;
        for (int j = 0; j < 3; ++j)
            contact->tangent[j] = (j == axis ? 1.0 : 0.0) - contact->normal[axis] * contact->normal[j];
        for (int j = 0; j < 3; ++j) length += contact->tangent[j] * contact->tangent[j];
        for (int j = 0; j < 3; ++j) contact->tangent[j] /= sqrt(length);
        contact->cone = cone;
    }
    b->failed = b->failed || c->failed;
    return !b->failed;
}

static void run_ours(bench *b, const pile_family *family, int bodies, int count, abut_contact_cone cone,
                     contact_case *c)
{
    bench_series series =
        bench_begin(b, family->name, bodies, cone == ABUT_CONE_CIRCLE ? "abut circle" : "abut");
    reached r = {0};
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    b->failed = b->failed || !trial;
    for (int i = 0; i < count && !b->failed && make(b, family, bodies, i, cone, c); ++i) {
        trial->options.max_seconds = LIMIT_S;
        if (contact_trial_run(trial, &c->problem))
            note(&series, &r, trial->cpu_us, trial->check.residual, trial->result.pivots);
        else
            b->failed = true;
    }
    contact_trial_destroy(trial);
    file_row(b, &series, &r);
}

/* The residual that our verifier finds in a peer's impulses. */
static double judge(const peer_pile *pile, const double *impulses, double *velocity, double *scratch)
{
    abut_contact_check check;
    peer_pile_velocity(pile, impulses, velocity);
    abut_status status = abut_contact_verify(pile->problem, NULL, impulses, NULL, velocity, scratch, &check);
    return status == ABUT_OK ? check.residual : INFINITY;
}

static bool ask(const peer *p, const peer_limits *limits, const abut_contact_problem *problem, double *us,
                double *residual)
{
    size_t n = (size_t)problem->contact_count, m = (size_t)problem->body_count;
    double *impulses = calloc(3 * n + 6 * m + abut_contact_verify_size(problem) + 1, sizeof *impulses);
    peer_pile *pile = peer_pile_create(problem);
    bool right = impulses && pile && p->solve(pile, limits, impulses, us);
    if (right) *residual = judge(pile, impulses, impulses + 3 * n, impulses + 3 * n + 6 * m);
    peer_pile_destroy(pile);
    free(impulses);
    return right;
}

static void run_peer(bench *b, const pile_family *family, int bodies, int count, const peer *p,
                     const peer_limits *limits, contact_case *c)
{
    if (!p->load()) return;
    bench_series series = bench_begin(b, family->name, bodies, p->name);
    reached r = {0};
    for (int i = 0; i < count && make(b, family, bodies, i, ABUT_CONE_CIRCLE, c); ++i) {
        double us = 0.0, residual = INFINITY;
        if (!ask(p, limits, &c->problem, &us, &residual)) {
            bench_note(b, "%s, %d: %s took no problem", family->name, bodies, p->name);
            break;
        }
        note(&series, &r, us, residual, 0);
    }
    file_row(b, &series, &r);
}

static bool has_joints(const pile_family *family)
{
    return strcmp(family->name, "chain") == 0 || strcmp(family->name, "net") == 0;
}

void bench_run_peers(bench *b)
{
    contact_case *c = contact_case_create();
    b->failed = b->failed || !c;
    for (int f = 0; f < pile_family_count; ++f) {
        const pile_family *family = &pile_families[f];
        if (has_joints(family)) continue; /* the peers' way to joint rows is another one */
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes && !b->failed; ++k) {
            int count = bench_count(b, sizes[k].count), bodies = sizes[k].bodies;
            if (count > MOST) count = MOST;
            run_ours(b, family, bodies, count, ABUT_CONE_POLYGON, c);
            run_ours(b, family, bodies, count, ABUT_CONE_CIRCLE, c);
            run_peer(b, family, bodies, count, &peer_siconos, &siconos_limits, c);
            run_peer(b, family, bodies, count, &peer_mujoco, &mujoco_limits, c);
        }
    }
    contact_case_destroy(c);
    bench_note(b, "reached, most: median and largest residual by our verifier; times: CPU time, a peer's of "
                  "its solver alone");
    bench_note(b, "mujoco: a regularised problem by intent, with its stiffest contacts; siconos: 1,000 "
                  "sweeps at most");
    if (!peer_siconos.load())
        bench_note(b, "beside Siconos: Debian's libsiconos-numerics-dev, then build anew");
    if (!peer_mujoco.load()) bench_note(b, "beside MuJoCo: Debian's libmujoco-dev, then build anew");
}
