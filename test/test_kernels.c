/* Every variant of the kernels against sums written out, and the fused variants against each other bit
 * for bit. */
#include "check.h"
#include "linalg/kernels.h"
#include "random.h"

enum { ROWS = 21, COLUMNS = 43, LD = 48 };

typedef struct data {
    double A[ROWS * LD], x[LD], y[LD];
} data;

static data make_data(uint64_t seed)
{
    data d;
    bench_random random = bench_random_stream(seed, 0);
    for (int i = 0; i < ROWS * LD; ++i) d.A[i] = bench_normal(&random);
    for (int i = 0; i < LD; ++i) d.x[i] = bench_normal(&random), d.y[i] = bench_normal(&random);
    return d;
}

/* Everything the kernels compute on one set of data, for counts `rows` and `cols`. */
typedef struct outcome {
    double dot, max_abs, axpy[LD], scaled[LD], rank_one[ROWS * LD], product[ROWS], transposed[LD];
    double product_two[2][ROWS], transposed_two[2][LD], ratio;
} outcome;

static outcome apply(const abuti_kernels *k, const data *d, int rows, int cols)
{
    outcome o = {0};
    o.dot = k->dot(cols, d->x, d->y);
    o.max_abs = k->max_abs(cols, d->x);
    memcpy(o.axpy, d->y, sizeof o.axpy);
    k->axpy(cols, 0.7, d->x, o.axpy);
    k->scaled_copy(cols, -1.3, d->x, o.scaled);
    memcpy(o.rank_one, d->A, sizeof o.rank_one);
    k->rank_one(rows, cols, o.rank_one, LD, d->y, d->x);
    k->multiply(rows, cols, d->A, LD, d->x, o.product);
    memcpy(o.transposed, d->x, sizeof o.transposed);
    k->add_transposed(rows, cols, d->A, LD, d->y, o.transposed);
    k->multiply_two(rows, cols, d->A, LD, d->x, d->y, o.product_two[0], o.product_two[1]);
    memcpy(o.transposed_two[0], d->x, sizeof d->x);
    memcpy(o.transposed_two[1], d->y, sizeof d->y);
    k->add_transposed_two(rows, cols, d->A, LD, d->y, d->x, o.transposed_two[0], o.transposed_two[1]);
    o.ratio = k->least_ratio(cols, d->x, d->y, d->A, (double[2]){0.1, 0}, (double[2]){1e-3, 0});
    return o;
}

/* The same from the definitions, in long double. */
static void compare(const abuti_kernels *k, const data *d, int rows, int cols)
{
    const double tolerance = 1e-14 * (LD + ROWS); /* a rounding a term, terms of size 1 to 10 */
    outcome o = apply(k, d, rows, cols);
    long double dot = 0, most = 0;
    for (int j = 0; j < cols; ++j) {
        dot += (long double)d->x[j] * d->y[j];
        most = fmaxl(most, fabsl((long double)d->x[j]));
    }
    CHECK_NEAR(o.dot, (double)dot, tolerance);
    CHECK(o.max_abs == (double)most);
    for (int j = 0; j < LD; ++j) { /* beyond the counts nothing is touched */
        double inside = j < cols;
        CHECK_NEAR(o.axpy[j], d->y[j] + inside * 0.7 * d->x[j], tolerance);
        CHECK_NEAR(o.scaled[j], inside * -1.3 * d->x[j], tolerance);
        long double sum = d->x[j];
        for (int i = 0; i < rows && j < cols; ++i) sum += (long double)d->y[i] * d->A[i * LD + j];
        CHECK_NEAR(o.transposed[j], (double)sum, tolerance);
    }
    CHECK(memcmp(o.product, o.product_two[0], sizeof o.product) == 0);
    CHECK(memcmp(o.transposed, o.transposed_two[0], sizeof o.transposed) == 0);
    for (int i = 0; i < rows; ++i) CHECK(o.product_two[1][i] == k->dot(cols, d->A + i * LD, d->y));
    double other[LD], ratio = INFINITY;
    memcpy(other, d->y, sizeof other);
    k->add_transposed(rows, cols, d->A, LD, d->x, other);
    CHECK(memcmp(other, o.transposed_two[1], sizeof other) == 0);
    for (int j = 0; j < cols; ++j) {
        if (d->y[j] < -0.1) ratio = fmin(ratio, (fmax(d->x[j], 0) + 1e-3) / -d->y[j]);
    }
    CHECK(o.ratio == ratio);
    for (int i = 0; i < ROWS; ++i) {
        long double sum = 0;
        for (int j = 0; j < cols && i < rows; ++j) sum += (long double)d->A[i * LD + j] * d->x[j];
        CHECK_NEAR(o.product[i], (double)sum, tolerance);
        if (i < rows) CHECK(o.product[i] == k->dot(cols, d->A + i * LD, d->x));
        for (int j = 0; j < LD; ++j) {
            double update = i < rows && j < cols ? d->y[i] * d->x[j] : 0;
            CHECK_NEAR(o.rank_one[i * LD + j], d->A[i * LD + j] + update, tolerance);
        }
    }
}

static void test_against_definitions(void)
{
    data d = make_data(check_seed(1));
    for (int v = 0; abuti_kernels_variant(v); ++v) {
        for (int rows = 0; rows <= ROWS; rows += 1 + rows / 5) {
            for (int cols = 0; cols <= COLUMNS; ++cols) compare(abuti_kernels_variant(v), &d, rows, cols);
        }
    }
}

static void test_fused_variants_agree(void)
{
    data d = make_data(check_seed(2));
    const abuti_kernels *first = abuti_kernels_variant(1);
    for (int v = 2; first && abuti_kernels_variant(v); ++v) {
        for (int cols = 0; cols <= COLUMNS; ++cols) {
            outcome a = apply(first, &d, ROWS, cols), b = apply(abuti_kernels_variant(v), &d, ROWS, cols);
            CHECK_MSG(memcmp(&a, &b, sizeof a) == 0, "%s and %s, %d columns", first->name,
                      abuti_kernels_variant(v)->name, cols);
        }
    }
    CHECK(abuti_kernels_get());
}

/* Zero padding changes no bit. */
static void test_padding(void)
{
    data d = make_data(check_seed(3));
    for (int j = COLUMNS; j < LD; ++j) {
        d.x[j] = d.y[j] = 0;
        for (int i = 0; i < ROWS; ++i) d.A[i * LD + j] = 0;
    }
    for (int v = 0; abuti_kernels_variant(v); ++v) {
        outcome bare = apply(abuti_kernels_variant(v), &d, ROWS, COLUMNS);
        outcome padded = apply(abuti_kernels_variant(v), &d, ROWS, abuti_padded(COLUMNS));
        CHECK(bare.dot == padded.dot);
        CHECK(memcmp(bare.product, padded.product, sizeof bare.product) == 0);
        CHECK(memcmp(bare.rank_one, padded.rank_one, sizeof bare.rank_one) == 0);
        CHECK(memcmp(bare.transposed, padded.transposed, sizeof bare.transposed) == 0);
    }
}

static void test_sizes(void)
{
    CHECK_EQ_INT(abuti_padded(0), 0);
    CHECK_EQ_INT(abuti_padded(1), 8);
    CHECK_EQ_INT(abuti_padded(8), 8);
    CHECK_EQ_INT(abuti_leading_dimension(1), 8);
    CHECK_EQ_INT(abuti_leading_dimension(9), 24);
    CHECK_EQ_INT(abuti_leading_dimension(256), 264);
}

int main(void)
{
    RUN(test_against_definitions);
    RUN(test_fused_variants_agree);
    RUN(test_padding);
    RUN(test_sizes);
    return check_report();
}
