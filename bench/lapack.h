/* LAPACK's dgesv, loaded when a benchmark asks for it: nothing else needs it, and linking OpenBLAS would cost
 * every start of the command some milliseconds. */
#ifndef ABUT_BENCH_LAPACK_H
#define ABUT_BENCH_LAPACK_H

#include <stdbool.h>

/* False when this build has no LAPACK, or its library cannot be loaded. From then on it uses one thread. */
bool bench_lapack_load(void);

/* Solves A x = b for symmetric A (n x n, overwritten); b stands in x. False when A is singular. */
bool bench_lapack_solve(int n, double *a, double *x);

/* "OpenBLAS 0.3.21 ..." as the library calls itself, else what the build found. */
const char *bench_lapack_name(void);

#endif
