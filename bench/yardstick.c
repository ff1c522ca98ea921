/* The yardstick: one plain Gaussian elimination with partial pivoting, as a textbook writes it.
 *
 * Its time for n = 50 makes times comparable across machines. The file is compiled with
 * -O3 -march=native and is deliberately not tuned further. */
#include "bench.h"
#include "random.h"
#include "timer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool bench_gaussian_elimination(int n, double *a, double *b)
{
    for (int k = 0; k < n; ++k) {
        int pivot = k;
        for (int i = k + 1; i < n; ++i)
            if (fabs(a[i * n + k]) > fabs(a[pivot * n + k])) pivot = i;
        if (a[pivot * n + k] == 0) return false;
        if (pivot != k) {
            for (int j = k; j < n; ++j) {
                double swap = a[k * n + j];
                a[k * n + j] = a[pivot * n + j];
                a[pivot * n + j] = swap;
            }
            double swap = b[k];
            b[k] = b[pivot];
            b[pivot] = swap;
        }
        for (int i = k + 1; i < n; ++i) {
            double factor = a[i * n + k] / a[k * n + k];
            for (int j = k + 1; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
            b[i] -= factor * b[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; ++j) b[i] -= a[i * n + j] * b[j];
        b[i] /= a[i * n + i];
    }
    return true;
}

double bench_yardstick_us(int n, int repetitions)
{
    size_t size = (size_t)n * (size_t)n;
    double *matrix = malloc((2 * size + 2 * (size_t)n + (size_t)repetitions) * sizeof *matrix);
    if (!matrix) return NAN;
    double *a = matrix + size, *rhs = a + size, *b = rhs + n, *us = b + n;
    bench_random random = bench_random_stream(1, 0);
    for (size_t i = 0; i < size; ++i) matrix[i] = bench_uniform(&random, -1, 1);
    for (int i = 0; i < n; ++i) rhs[i] = bench_uniform(&random, -1, 1);
    for (int r = 0; r < repetitions; ++r) {
        memcpy(a, matrix, size * sizeof *a);
        memcpy(b, rhs, (size_t)n * sizeof *b);
        double start = bench_now_us();
        bool regular = bench_gaussian_elimination(n, a, b);
        us[r] = regular ? bench_now_us() - start : NAN;
    }
    double median = bench_quantile(us, repetitions, 0.5);
    free(matrix);
    return median;
}
