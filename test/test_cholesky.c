/* A kept Cholesky factor against the matrix it stands for, and elimination of unknown rank. */
#include "check.h"
#include "linalg/cholesky.h"
#include "linalg/complete.h"

enum { size = 12 };

static uint64_t state;

static double uniform(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) / 9007199254740992.0 * 2.0 - 1.0;
}

/* Gram matrix of `size` random rows in `rank` dimensions. */
static void gram(double A[size][size], int rank)
{
    double rows[size][size];
    for (int i = 0; i < size; ++i)
        for (int j = 0; j < rank; ++j) rows[i][j] = uniform();
    for (int i = 0; i < size; ++i)
        for (int j = 0; j < size; ++j) {
            A[i][j] = 0.0;
            for (int l = 0; l < rank; ++l) A[i][j] += rows[i][l] * rows[j][l];
        }
}

static bool insert(abuti_cholesky *c, double A[size][size], const int *set, int row)
{
    double products[size];
    for (int j = 0; j < c->k; ++j) products[j] = A[row][set[j]];
    return abuti_cholesky_insert(c, products, A[row][row], 1e-10);
}

/* L L' is the block of the set, entry by entry, and a solve undoes a product. */
static void check_factor(const abuti_cholesky *c, double A[size][size], const int *set)
{
    double x[size], b[size] = {0};
    for (int i = 0; i < c->k; ++i) {
        x[i] = uniform();
        for (int j = 0; j <= i; ++j) {
            double sum = 0.0;
            for (int l = 0; l <= j; ++l) sum += c->L[i * c->ld + l] * c->L[j * c->ld + l];
            CHECK_NEAR(sum, A[set[i]][set[j]], 1e-12);
        }
    }
    for (int i = 0; i < c->k; ++i)
        for (int j = 0; j < c->k; ++j) b[i] += A[set[i]][set[j]] * x[j];
    abuti_cholesky_solve(c, b);
    for (int i = 0; i < c->k; ++i) CHECK_NEAR(b[i], x[i], 1e-6);
}

static void test_grow_and_shrink(void)
{
    double A[size][size], L[size * size];
    for (int round = 0; round < 200; ++round) {
        abuti_cholesky c = {.k = 0, .ld = size, .L = L};
        int set[size];
        gram(A, size);
        for (int step = 0; step < 60; ++step) {
            bool in[size] = {false};
            for (int j = 0; j < c.k; ++j) in[set[j]] = true;
            int pick = (int)((uniform() + 1.0) * 0.5 * size);
            if (pick >= size) pick = size - 1;
            if (!in[pick]) {
                int k = c.k;
                if (insert(&c, A, set, pick)) set[k] = pick;
            } else {
                int p = 0;
                while (set[p] != pick) ++p;
                abuti_cholesky_delete(&c, p);
                for (int j = p; j < c.k; ++j) set[j] = set[j + 1];
            }
            check_factor(&c, A, set);
        }
    }
}

static void test_dependent_rows_are_refused(void)
{
    double A[size][size], L[size * size];
    gram(A, 5);
    abuti_cholesky c = {.k = 0, .ld = size, .L = L};
    int set[size];
    for (int i = 0; i < size; ++i) {
        int k = c.k;
        if (insert(&c, A, set, i)) set[k] = i;
    }
    CHECK_EQ_INT(c.k, 5);
}

static void test_complete_pivoting(void)
{
    for (int rank = 1; rank <= size; ++rank) {
        double A[size][size], LU[size * size], work[size], x[size], b[size] = {0};
        int row[size], column[size];
        gram(A, rank);
        memcpy(LU, A, sizeof LU);
        abuti_complete c = {.n = size, .ld = size, .LU = LU, .row = row, .column = column, .work = work};
        CHECK_EQ_INT(abuti_complete_factor(&c, 1e-11), rank);
        for (int i = 0; i < size; ++i)
            for (int j = 0; j < size; ++j) b[i] += A[i][j] * (j + 1.0);
        CHECK(abuti_complete_solve(&c, b, x, 1e-9));
        for (int i = 0; i < size; ++i) {
            double sum = 0.0;
            for (int j = 0; j < size; ++j) sum += A[i][j] * x[j];
            CHECK_NEAR(sum, b[i], 1e-9);
        }
        if (rank == size) continue;
        for (int i = 0; i < size; ++i) b[i] = uniform();
        CHECK(!abuti_complete_solve(&c, b, x, 1e-9));
    }
}

/* Many rows at once, on top of some that are there; dependent ones go, and what stays is independent. */
static void test_append(void)
{
    double A[size][size], L[size * size], work[size];
    for (int round = 0; round < 200; ++round) {
        int rank = 1 + round % size, there = round / size % 3, set[size], count = 0;
        abuti_cholesky c = {.k = 0, .ld = size, .L = L};
        gram(A, rank);
        for (int i = 0; i < there; ++i) {
            set[c.k] = i;
            insert(&c, A, set, i);
        }
        count = c.k;
        for (int i = there; i < size; ++i) set[count++] = i;
        int kept = abuti_cholesky_append(&c, &A[0][0], size, set, count, 1e-10, work);
        CHECK_EQ_INT(kept, rank);
        CHECK_EQ_INT(c.k, rank);
        check_factor(&c, A, set);
    }
}

int main(void)
{
    state = check_seed(20261115);
    RUN(test_grow_and_shrink);
    RUN(test_append);
    RUN(test_dependent_rows_are_refused);
    RUN(test_complete_pivoting);
    return check_report();
}
