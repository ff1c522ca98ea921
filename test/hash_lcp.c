/* Prints one hash a family and method of everything a solve returns: equal bits whatever compiler and
 * optimisation built the core (test/hashes). The problems are made by multiplications and additions alone, so
 * that no function of libm stands between seed and matrix. */
#include "abut/lcp.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 48, COUNT = 6 };

static uint64_t hash;

static void add(const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; ++i) hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
}

/* Uniform in [-1, 1), by a 64-bit linear congruential generator. */
static double next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-52 - 1;
}

/* N N' of rank n or n / 2, plus a skew part of the given size. */
static void make(uint64_t seed, int n, int rank, double skew, double *M, double *q)
{
    static double N[MOST * MOST];
    uint64_t state = seed;
    for (int i = 0; i < n * rank; ++i) N[i] = next(&state);
    for (int i = 0; i < n; ++i) {
        q[i] = 0;
        for (int j = 0; j <= i; ++j) {
            double sum = 0;
            for (int k = 0; k < rank; ++k) sum += N[i * rank + k] * N[j * rank + k];
            double turn = i == j ? 0 : skew * next(&state);
            M[i * n + j] = sum + turn;
            M[j * n + i] = sum - turn;
        }
    }
    for (int k = 0; k < n; ++k) {
        double z = next(&state); /* q = w - M z for complementary z, w */
        for (int i = 0; z > 0 && i < n; ++i) q[i] -= M[i * n + k] * z;
        if (z <= 0) q[k] -= z;
    }
}

static void add_result(const abut_lcp_problem *problem, const abut_lcp_result *r)
{
    size_t bytes = (size_t)problem->n * sizeof(double);
    int head[4] = {(int)r->outcome, (int)r->method, r->pivots, r->covers};
    add(head, sizeof head);
    add(&r->residual, sizeof r->residual);
    if (r->z) add(r->z, bytes);
    if (r->w) add(r->w, bytes);
    if (r->ray) add(r->ray, bytes);
    if (r->witness) add(r->witness, bytes);
}

static void run(abut_lcp_workspace *work, const char *name, abut_lcp_method method, int half_rank,
                double skew, int free_count)
{
    static double M[MOST * MOST], q[MOST];
    static const int free[2] = {1, 3};
    hash = UINT64_C(0xcbf29ce484222325);
    for (int i = 0; i < COUNT; ++i) {
        int n = method == ABUT_LCP_ENUMERATE ? 4 + i : 8 + i * (MOST - 8) / (COUNT - 1);
        make((uint64_t)(1000 + i), n, half_rank ? n / 2 : n, skew, M, q);
        abut_lcp_problem problem = {.n = n, .M = M, .ld = n, .q = q, .free_count = free_count, .free = free};
        abut_lcp_options options = abut_lcp_default_options();
        abut_lcp_result result;
        options.method = method;
        int status = abut_lcp_solve(work, &problem, &options, &result);
        add(&status, sizeof status);
        if (status == ABUT_OK) add_result(&problem, &result);
    }
    printf("%-11s %-10s %016" PRIx64 "\n", name, abut_lcp_method_name(method), hash);
}

int main(void)
{
    abut_lcp_limits limits = {.n = MOST};
    abut_lcp_workspace *work = NULL;
    if (abut_lcp_workspace_create(&limits, NULL, &work) != ABUT_OK) return 1;
    for (int m = ABUT_LCP_AUTO; m <= ABUT_LCP_ENUMERATE; ++m) {
        abut_lcp_method method = (abut_lcp_method)m;
        run(work, "definite", method, 0, 0, 0);
        run(work, "redundant", method, 1, 0, 0);
        if (method != ABUT_LCP_DANTZIG) run(work, "unsymmetric", method, 1, 0.5, 0);
        run(work, "mixed", method, 0, 0, 2);
    }
    abut_lcp_workspace_destroy(work);
    return 0;
}
