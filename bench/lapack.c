#include "lapack.h"

#ifdef ABUT_HAVE_LAPACK

#include <dlfcn.h>
#include <stdlib.h>

typedef void (*dgesv_function)(const int *n, const int *nrhs, double *a, const int *lda, int *ipiv, double *b,
                               const int *ldb, int *info);

static dgesv_function dgesv;
static const char *name = ABUT_BLAS_NAME;

bool bench_lapack_load(void)
{
    if (dgesv) return true;
    void *library = dlopen(ABUT_LAPACK_FILE, RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
    /* POSIX's way from an object pointer to a function pointer */
    *(void **)&dgesv = dlsym(library, "dgesv_");

    /* There when the library is OpenBLAS. */
    void (*set_threads)(int) = NULL;
    char *(*configuration)(void) = NULL;
    *(void **)&set_threads = dlsym(library, "openblas_set_num_threads");
    *(void **)&configuration = dlsym(library, "openblas_get_config");
    if (set_threads) set_threads(1);
    if (configuration) name = configuration();
    return dgesv;
}

bool bench_lapack_solve(int n, double *a, double *x)
{
    const int one = 1;
    int info = 1, *pivots = malloc((size_t)n * sizeof(int));
    if (pivots) dgesv(&n, &one, a, &n, pivots, x, &n, &info);
    free(pivots);
    return info == 0;
}

const char *bench_lapack_name(void)
{
    return name;
}

#else

bool bench_lapack_load(void)
{
    return false;
}

bool bench_lapack_solve(int n, double *a, double *x)
{
    (void)n, (void)a, (void)x;
    return false;
}

const char *bench_lapack_name(void)
{
    return "none";
}

#endif
