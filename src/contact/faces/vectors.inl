/* Included by faces/core.inl.
 *
 * Small vectors and matrices of doubles. Lengths are multiples of eight unless a function says otherwise. */

static inline double dot(const double *a, const double *b, int length)
{
    lanes sum = lanes_mul(lanes_load(a), lanes_load(b));
    for (int c = ABUTI_LANES; c < length; c += ABUTI_LANES)
        sum = lanes_madd(lanes_load(a + c), lanes_load(b + c), sum);
    return lanes_sum(sum);
}

/* out += factor * a */
static inline void axpy(double factor, const double *a, double *out, int length)
{
    lanes k = lanes_all(factor);
    for (int c = 0; c < length; c += ABUTI_LANES) {
        lanes_store(out + c, lanes_madd(k, lanes_load(a + c), lanes_load(out + c)));
    }
}

static inline void copy(const double *a, double *out, int length)
{
    for (int c = 0; c < length; c += ABUTI_LANES) lanes_store(out + c, lanes_load(a + c));
}

static inline void fill(double *out, double value, int length)
{
    for (int i = 0; i < length; i += ABUTI_LANES) lanes_store(out + i, lanes_all(value));
}

/* out = FACES_NONE. Calls of memset would take longer than the little they do. */
HOT void fill_none(int *out, int length)
{
    static const int none[ABUTI_LANES] = {FACES_NONE, FACES_NONE, FACES_NONE, FACES_NONE,
                                          FACES_NONE, FACES_NONE, FACES_NONE, FACES_NONE};
    for (int i = 0; i < length; i += ABUTI_LANES) memcpy(out + i, none, sizeof none);
}

static double largest_of(const double *a, int length)
{
    lanes most = lanes_all(0.0);
    for (int i = 0; i < length; i += ABUTI_LANES) most = lanes_max(lanes_abs(lanes_load(a + i)), most);
    return lanes_most(most);
}

/* sum over rows of coefficient[i] * matrix[i], an even number of rows of eight, in two chains */
HOT lanes combine_rows(const double *matrix, const double *coefficient, int rows)
{
    lanes even = lanes_mul(lanes_load(matrix), lanes_all(coefficient[0]));
    lanes odd = lanes_mul(lanes_load(matrix + 8), lanes_all(coefficient[1]));
    for (int i = 2; i < rows; i += 2) {
        even = lanes_madd(lanes_load(matrix + 8 * i), lanes_all(coefficient[i]), even);
        odd = lanes_madd(lanes_load(matrix + 8 * i + 8), lanes_all(coefficient[i + 1]), odd);
    }
    return lanes_add(even, odd);
}

HOT lanes combine8(const double *matrix, const double *coefficient)
{
    return combine_rows(matrix, coefficient, ABUTI_LANES);
}

/* out = sum of coefficient[list[i]] * row list[i] of a matrix whose rows are `ld` apart */
static void combine(const double *matrix, int ld, int columns, const int *list, int count,
                    const double *coefficient, double *out)
{
    int c = 0;
    for (; c + 32 <= columns; c += 32) {
        lanes s0 = lanes_all(0.0), s1 = s0, s2 = s0, s3 = s0;
        for (int i = 0; i < count; ++i) {
            const double *row = matrix + (size_t)list[i] * (size_t)ld + c;
            lanes k = lanes_all(coefficient[list[i]]);
            s0 = lanes_madd(k, lanes_load(row), s0);
            s1 = lanes_madd(k, lanes_load(row + 8), s1);
            s2 = lanes_madd(k, lanes_load(row + 16), s2);
            s3 = lanes_madd(k, lanes_load(row + 24), s3);
        }
        lanes_store(out + c, s0);
        lanes_store(out + c + 8, s1);
        lanes_store(out + c + 16, s2);
        lanes_store(out + c + 24, s3);
    }
    for (; c < columns; c += 8) {
        lanes s0 = lanes_all(0.0);
        for (int i = 0; i < count; ++i)
            s0 = lanes_madd(lanes_all(coefficient[list[i]]),
                            lanes_load(matrix + (size_t)list[i] * (size_t)ld + c), s0);
        lanes_store(out + c, s0);
    }
}

/* (a, b) := (cos a - sin b, sin a + cos b) on whole rows */
static void rotate_rows(double cosine, double sine, double *a, double *b, int length)
{
    lanes co = lanes_all(cosine), si = lanes_all(sine);
    for (int c = 0; c < length; c += 8) {
        lanes p = lanes_load(a + c), q = lanes_load(b + c);
        lanes_store(a + c, lanes_msub(si, q, lanes_mul(co, p)));
        lanes_store(b + c, lanes_madd(si, p, lanes_mul(co, q)));
    }
}

static inline void rotate_pair(double cosine, double sine, double *a, double *b)
{
    double p = *a, q = *b;
    *a = abuti_madd(-sine, q, cosine * p);
    *b = abuti_madd(sine, p, cosine * q);
}

static void swap_rows(double *a, double *b, int length)
{
    for (int c = 0; c < length; c += 8) {
        lanes p = lanes_load(a + c);
        lanes_store(a + c, lanes_load(b + c));
        lanes_store(b + c, p);
    }
}

/* Gauss-Jordan with row pivoting, in place. Returns r, or the first column without a pivot above `least`. */
static int invert_in_place(double *A, int ld, int r, double least, int *swapped)
{
    int columns = abuti_padded(r);
    for (int j = 0; j < r; ++j) {
        int best = j;
        for (int i = j + 1; i < r; ++i) {
            if (fabs(A[(size_t)i * (size_t)ld + (size_t)j]) > fabs(A[(size_t)best * (size_t)ld + (size_t)j]))
                best = i;
        }
        double *pivot_row = A + (size_t)j * (size_t)ld;
        swapped[j] = best;
        if (!(fabs(A[(size_t)best * (size_t)ld + (size_t)j]) > least)) return j;
        if (best != j) swap_rows(pivot_row, A + (size_t)best * (size_t)ld, columns);
        lanes inverse = lanes_all(1.0 / pivot_row[j]);
        pivot_row[j] = 1.0;
        for (int c = 0; c < columns; c += 8)
            lanes_store(pivot_row + c, lanes_mul(inverse, lanes_load(pivot_row + c)));
        for (int i = 0; i < r; ++i) {
            double *row = A + (size_t)i * (size_t)ld, factor = row[j];
            if (i == j || factor == 0.0) continue;
            row[j] = 0.0;
            axpy(-factor, pivot_row, row, columns);
        }
    }
    for (int j = r - 1; j >= 0; --j) {
        if (swapped[j] == j) continue;
        for (int i = 0; i < r; ++i) {
            double *row = A + (size_t)i * (size_t)ld, keep = row[j];
            row[j] = row[swapped[j]];
            row[swapped[j]] = keep;
        }
    }
    return r;
}
