/* Siconos' fc3d_nsgs (Gauss-Seidel over contacts, each solved on its own circle) on W and q of a pile. */
#include "peers.h"

#ifdef ABUT_HAVE_SICONOS

#include "timer.h"

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static SolverOptions *(*options_create)(int);
static void (*options_delete)(SolverOptions *);
static int (*driver)(FrictionContactProblem *, double *, double *, SolverOptions *);
static NumericsMatrix *(*matrix_create)(NM_types, int, int);
static void (*matrix_clear)(NumericsMatrix *);

static bool load(void)
{
    if (driver) return true;
    void *library = dlopen(ABUT_SICONOS_FILE, RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
    /* POSIX's way from an object pointer to a function pointer */
    *(void **)&options_create = dlsym(library, "solver_options_create");
    *(void **)&options_delete = dlsym(library, "solver_options_delete");
    *(void **)&matrix_create = dlsym(library, "NM_create");
    *(void **)&matrix_clear = dlsym(library, "NM_clear");
    if (options_create && options_delete && matrix_create && matrix_clear)
        *(void **)&driver = dlsym(library, "fc3d_driver");
    return driver;
}

/* W by rows of blocks. Row i lists the contacts that share a body with contact i; the block of i and j is what an
 * impulse at one does to the velocity at the other. */
typedef struct delassus {
    size_t *starts, *columns; /* of block row i: starts[i] .. starts[i + 1] - 1 */
    double (*values)[9];      /* by columns, as Siconos wants them */
    double **pointers;
    unsigned *ends, *diagonal;
} delassus;

static void delassus_free(delassus *w)
{
    free(w->starts);
    free(w->columns);
    free(w->values);
    free(w->pointers);
    free(w->ends);
    free(w->diagonal);
}

/* Whether contacts i and j share a body that moves; adds what they do to each other to `block`. */
static bool couple(const peer_pile *pile, int i, int j, double block[9])
{
    const abut_contact_problem *problem = pile->problem;
    bool shared = false;
    for (int s = 0; s < 2; ++s)
        for (int t = 0; t < 2; ++t) {
            int body = problem->contacts[i].bodies[s];
            if (body == ABUT_WORLD || body != problem->contacts[j].bodies[t] ||
                problem->bodies[body].kind != ABUT_DYNAMIC)
                continue;
            shared = true;
            for (int c = 0; c < 3 && block; ++c) {
                double moved[6];
                peer_pile_mobility(pile, body, pile->rows[j][t][c], moved);
                for (int r = 0; r < 3; ++r)
                    for (int k = 0; k < 6; ++k) block[3 * c + r] += pile->rows[i][s][r][k] * moved[k];
            }
        }
    return shared;
}

/* The contacts of each body in a row, so that neighbours are found without asking all pairs. */
static size_t *contacts_of_bodies(const abut_contact_problem *problem, size_t **starts)
{
    size_t bodies = (size_t)problem->body_count, *begin = calloc(bodies + 2, sizeof *begin),
           *list = calloc(2 * (size_t)problem->contact_count + 1, sizeof *list);
    if (!begin || !list) {
        free(begin);
        free(list);
        return NULL;
    }
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < problem->contact_count; ++i)
            for (int s = 0; s < 2; ++s) {
                int body = problem->contacts[i].bodies[s];
                if (body == ABUT_WORLD) continue;
                if (pass == 0)
                    ++begin[body + 2];
                else
                    list[begin[body + 1]++] = (size_t)i;
            }
        for (size_t b = 2; pass == 0 && b < bodies + 2; ++b) begin[b] += begin[b - 1];
    }
    *starts = begin; /* those of body b: begin[b] .. begin[b + 1] - 1 */
    return list;
}

static int by_index(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* The contacts that contact i shares a moving body with, itself included, ascending. */
static size_t neighbours(const peer_pile *pile, const size_t *starts, const size_t *list, int i, size_t *out)
{
    size_t count = 0, kept = 0;
    for (int s = 0; s < 2; ++s) {
        int body = pile->problem->contacts[i].bodies[s];
        if (body == ABUT_WORLD) continue;
        for (size_t at = starts[body]; at < starts[body + 1]; ++at)
            if (couple(pile, i, (int)list[at], NULL)) out[count++] = list[at];
    }
    qsort(out, count, sizeof *out, by_index);
    for (size_t k = 0; k < count; ++k)
        if (kept == 0 || out[k] != out[kept - 1]) out[kept++] = out[k];
    return kept;
}

/* Block row i, whose place begins at w->starts[i]. */
static void fill_row(const peer_pile *pile, delassus *w, size_t i, const size_t *row, size_t count)
{
    size_t first = w->starts[i];
    memcpy(w->columns + first, row, count * sizeof *row);
    for (size_t k = 0; k < count; ++k) {
        w->pointers[first + k] = w->values[first + k];
        couple(pile, (int)i, (int)row[k], w->values[first + k]);
        if (row[k] == i) w->diagonal[i] = (unsigned)(first + k);
    }
    w->ends[i] = 3 * (unsigned)(i + 1);
}

static bool delassus_take(delassus *w, size_t rows, size_t blocks)
{
    w->columns = calloc(blocks + 1, sizeof *w->columns);
    w->values = calloc(blocks + 1, sizeof *w->values);
    w->pointers = calloc(blocks + 1, sizeof *w->pointers);
    w->ends = calloc(rows + 1, sizeof *w->ends);
    w->diagonal = calloc(rows + 1, sizeof *w->diagonal);
    return w->columns && w->values && w->pointers && w->ends && w->diagonal;
}

static bool delassus_make(const peer_pile *pile, delassus *w)
{
    size_t n = (size_t)pile->problem->contact_count, *starts = NULL,
           *list = contacts_of_bodies(pile->problem, &starts), *row = calloc(2 * n + 1, sizeof *row);
    *w = (delassus){.starts = calloc(n + 1, sizeof(size_t))};
    bool right = list && row && w->starts;
    for (size_t i = 0; i < n && right; ++i)
        w->starts[i + 1] = w->starts[i] + neighbours(pile, starts, list, (int)i, row);
    right = right && delassus_take(w, n, w->starts[n]);
    for (size_t i = 0; i < n && right; ++i)
        fill_row(pile, w, i, row, neighbours(pile, starts, list, (int)i, row));
    free(list);
    free(starts);
    free(row);
    return right;
}

static void free_velocities(const peer_pile *pile, double *q, double *mu)
{
    const abut_contact_problem *problem = pile->problem;
    for (int i = 0; i < problem->contact_count; ++i) {
        const abut_contact *c = &problem->contacts[i];
        for (int r = 0; r < 3; ++r) {
            q[3 * i + r] = r == 0 ? c->gap / problem->step : 0.0;
            for (int s = 0; s < 2; ++s)
                for (int k = 0; k < 6 && c->bodies[s] != ABUT_WORLD; ++k)
                    q[3 * i + r] += pile->rows[i][s][r][k] * pile->free_velocity[6 * c->bodies[s] + k];
        }
        mu[i] = c->friction;
    }
}

static bool run(const peer_pile *pile, const peer_limits *limits, delassus *w, double *impulses, double *us)
{
    int n = pile->problem->contact_count;
    double *q = calloc(7 * (size_t)n + 1, sizeof *q), *mu = q + 3 * n, *velocity = mu + n;
    NumericsMatrix *matrix = matrix_create(NM_SPARSE_BLOCK, 3 * n, 3 * n);
    SparseBlockStructuredMatrix *blocks = matrix ? matrix->matrix1 : NULL;
    SolverOptions *options = options_create(SICONOS_FRICTION_3D_NSGS);
    bool right = q && blocks && options;
    if (right) {
        free_velocities(pile, q, mu);
        blocks->nbblocks = (unsigned)w->starts[n];
        blocks->block = w->pointers;
        blocks->blocknumber0 = blocks->blocknumber1 = (unsigned)n;
        blocks->blocksize0 = blocks->blocksize1 = w->ends;
        blocks->filled1 = (size_t)n + 1;
        blocks->filled2 = w->starts[n];
        blocks->index1_data = w->starts;
        blocks->index2_data = w->columns;
        blocks->diagonal_blocks = w->diagonal;
        options->dparam[SICONOS_DPARAM_TOL] = limits->tolerance;
        options->iparam[SICONOS_IPARAM_MAX_ITER] = limits->iterations;
        FrictionContactProblem problem = {
            .dimension = 3, .numberOfContacts = n, .M = matrix, .q = q, .mu = mu};
        memset(impulses, 0, 3 * (size_t)n * sizeof *impulses);
        double start = bench_cpu_us();
        driver(&problem, impulses, velocity, options);
        *us = bench_cpu_us() - start;
    }
    if (options) options_delete(options);
    if (blocks) *blocks = (SparseBlockStructuredMatrix){0}; /* what it points at is ours */
    if (matrix) matrix_clear(matrix);
    free(matrix);
    free(q);
    return right;
}

static bool solve(const peer_pile *pile, const peer_limits *limits, double *impulses, double *us)
{
    delassus w;
    bool right = delassus_make(pile, &w) && run(pile, limits, &w, impulses, us);
    delassus_free(&w);
    return right;
}

const peer peer_siconos = {"siconos nsgs", load, solve};

#else

const peer peer_siconos = {"siconos nsgs", peer_absent, peer_refuses};

#endif
