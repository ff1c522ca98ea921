#include "psd_classes.h"

#include <stdlib.h>
#include <string.h>

const char *psd_class_name(psd_class c)
{
    static const char *const names[PSD_CLASS_COUNT] = {
        [PSD_DEFINITE] = "pd", [PSD_UNSYMMETRIC] = "pd-unsymmetric", [PSD_SEMI] = "psd", [PSD_FLAT] = "flat",
        [PSD_STACK] = "stack",
    };
    return (unsigned)c < PSD_CLASS_COUNT ? names[c] : "unknown";
}

bool psd_open(psd_problem *p, int n)
{
    const size_t rows = (size_t)n;
    memset(p, 0, sizeof *p);
    p->J = malloc(rows * (rows + 3) * sizeof *p->J);
    p->v = malloc((rows + 3) * sizeof *p->v);
    p->offset = malloc(rows * sizeof *p->offset);
    p->M = malloc(rows * rows * sizeof *p->M);
    p->q = malloc(rows * sizeof *p->q);
    if (p->J && p->v && p->offset && p->M && p->q) return true;
    psd_close(p);
    return false;
}

void psd_close(psd_problem *p)
{
    free(p->J);
    free(p->v);
    free(p->offset);
    free(p->M);
    free(p->q);
    memset(p, 0, sizeof *p);
}

static void random_rows(psd_problem *p, int dof, bench_random *random)
{
    p->dof = dof;
    for (int i = 0; i < p->n * dof; ++i) p->J[i] = bench_normal(random);
    for (int c = 0; c < dof; ++c) p->v[c] = 3.0 * bench_normal(random);
}

/* Rows (1, y, -x) of a plane: height and two tilts; the body falls and tumbles. */
static void flat_rows(psd_problem *p, bench_random *random)
{
    p->dof = 3;
    for (int i = 0; i < p->n; ++i) {
        p->J[3 * i] = 1.0;
        p->J[3 * i + 1] = bench_uniform(random, -1, 1);
        p->J[3 * i + 2] = bench_uniform(random, -1, 1);
    }
    p->v[0] = bench_uniform(random, -2, -1);
    p->v[1] = bench_uniform(random, -2, 2);
    p->v[2] = bench_uniform(random, -2, 2);
}

/* Box i rests on box i - 1; masses within a factor of four, rows scaled by them. */
static void stack_rows(psd_problem *p, bench_random *random)
{
    p->dof = p->n;
    memset(p->J, 0, (size_t)p->n * (size_t)p->n * sizeof *p->J);
    for (int i = 0; i < p->n; ++i) {
        double scale = bench_uniform(random, 1, 2); /* 1 / sqrt(mass) */
        p->J[i * p->n + i] = scale;
        if (i + 1 < p->n) p->J[(i + 1) * p->n + i] = -scale;
        p->v[i] = -bench_uniform(random, 0.5, 2) / scale;
    }
}

static void products(psd_problem *p)
{
    const int n = p->n, dof = p->dof;
    for (int i = 0; i < n; ++i) {
        const double *a = p->J + i * dof;
        p->q[i] = p->offset[i];
        for (int c = 0; c < dof; ++c) p->q[i] += a[c] * p->v[c];
        for (int j = 0; j < n; ++j) {
            const double *b = p->J + j * dof;
            double sum = 0.0;
            for (int c = 0; c < dof; ++c) sum += a[c] * b[c];
            p->M[i * n + j] = sum;
        }
    }
}

void psd_make(psd_problem *p, psd_class c, int n, bench_random *random)
{
    p->n = n;
    for (int i = 0; i < n; ++i) p->offset[i] = 0.0;
    switch (c) {
    case PSD_FLAT: flat_rows(p, random); break;
    case PSD_STACK: stack_rows(p, random); break;
    case PSD_SEMI:
        random_rows(p, n - n / 3, random);
        for (int i = 0; i < n; ++i) p->offset[i] = bench_uniform(random, 0, 1);
        break;
    default: random_rows(p, n, random); break;
    }
    products(p);
    if (c != PSD_UNSYMMETRIC) return;
    p->dof = 0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < i; ++j) {
            double skew = bench_normal(random) * 2.0;
            p->M[i * n + j] += skew;
            p->M[j * n + i] -= skew;
        }
}
