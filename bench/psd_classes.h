/* Positive semidefinite LCPs by class, for `active-set` and the methods it is compared with.
 *
 * All but the unsymmetric class come from rows J: M = J J', q = J v + offset, so that the same
 * problem can be asked as an LCP and as frictionless contact of a body with unit mass. */
#ifndef ABUT_BENCH_PSD_CLASSES_H
#define ABUT_BENCH_PSD_CLASSES_H

#include "random.h"

#include <stdbool.h>

typedef enum psd_class {
    PSD_DEFINITE,    /* symmetric positive definite, q of any sign */
    PSD_UNSYMMETRIC, /* positive definite plus a skew part */
    PSD_SEMI,        /* rank about 2n/3, q = range + positive noise: always solvable */
    PSD_FLAT,        /* n contacts of a falling body on a plane: rank 3 */
    PSD_STACK,       /* n boxes on each other: tridiagonal */
    PSD_CLASS_COUNT
} psd_class;

/* "pd", "pd-unsymmetric", "psd", "flat", "stack". */
const char *psd_class_name(psd_class c);

typedef struct psd_problem {
    int n;
    int dof;        /* columns of J; 0 for the unsymmetric class */
    double *J;      /* n x dof */
    double *v;      /* dof */
    double *offset; /* n, >= 0 */
    double *M;      /* n x n */
    double *q;      /* n */
} psd_problem;

/* Room for problems of up to n variables; false when memory is short. */
bool psd_open(psd_problem *p, int n);
void psd_close(psd_problem *p);
void psd_make(psd_problem *p, psd_class c, int n, bench_random *random);

#endif
