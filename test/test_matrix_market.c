/* Matrix Market files for M, and q beside them. */
#include "lcp_io_case.h"

static bool read_pair(const char *matrix, const char *q, abuti_lcp_data *data, abut_error *error)
{
    abuti_text text, q_text;
    *data = (abuti_lcp_data){0};
    return abuti_text_open_memory(&text, "f", matrix, strlen(matrix), error) &&
           abuti_text_open_memory(&q_text, "q", q, strlen(q), error) &&
           abuti_lcp_read_matrix_market(&text, &q_text, data);
}

/* The matrix of a bad text stands beside a good q of two numbers. */
static bool with_good_q(abuti_text *text, abuti_lcp_data *data)
{
    abuti_text q_text;
    return abuti_text_open_memory(&q_text, "q", "1 2", 3, text->error) &&
           abuti_lcp_read_matrix_market(text, &q_text, data);
}

static bool with_good_matrix(abuti_text *q_text, abuti_lcp_data *data)
{
    static const char matrix[] = "%%MatrixMarket matrix array real general\n2 2\n1 2 3 4\n";
    abuti_text text;
    return abuti_text_open_memory(&text, "m", matrix, strlen(matrix), q_text->error) &&
           abuti_lcp_read_matrix_market(&text, q_text, data);
}

static void check_matrix(const char *input, double a, double b, double c, double d)
{
    abuti_lcp_data data;
    abut_error error;
    CHECK_MSG(read_pair(input, "5 6", &data, &error), "<%s>: %s", input, error.text);
    if (!data.M) return;
    CHECK_NEAR(data.M[0], a, 0);
    CHECK_NEAR(data.M[1], b, 0);
    CHECK_NEAR(data.M[2], c, 0);
    CHECK_NEAR(data.M[3], d, 0);
    CHECK_NEAR(data.q[1], 6, 0);
    abuti_lcp_data_release(&data);
}

static void test_kinds(void)
{
    check_matrix("%%MatrixMarket matrix coordinate real general\n% c\n%\n2 2 3\n1 1 2\n2 1 -1.5\n1 1 1\n", 3,
                 0, -1.5, 0);
    check_matrix("%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 2\n2 1 7\n", 2, 7, 7, 0);
    check_matrix("%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 7\n", 0, -7, 7, 0);
    check_matrix("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n", 0, 1, 0, 0);
    check_matrix("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n", 1, 3, 2, 4);
    check_matrix("%%MATRIXMARKET Matrix Array Integer Symmetric\n2 2\n1\n2\n3\n", 1, 2, 2, 3);
    check_matrix("%%MatrixMarket matrix array real skew-symmetric\n2 2\n4\n", 0, -4, 4, 0);
}

static void test_bad_matrix(void)
{
    static const bad_text cases[] = {
        {"1 2 3", "f:1:1: Matrix Market header: '1'; expected %%MatrixMarket"},
        {"%%MatrixMarket\nmatrix", "f:1:15: Matrix Market header: ''; expected matrix"},
        {"%%MatrixMarket vector array real general\n", "f:1:16"},
        {"%%MatrixMarket matrix array complex general\n2 2\n", "expected real, integer or pattern"},
        {"%%MatrixMarket matrix array real hermitian\n2 2\n",
         "expected general, symmetric or skew-symmetric"},
        {"%%MatrixMarket matrix array pattern general\n2 2\n", "an array cannot be a pattern"},
        {"%%MatrixMarket matrix array real general\n", "rows is missing"},
        {"%%MatrixMarket matrix array real general\n0 0\n",
         "f:2:1: rows: '0'; expected a whole number from 1"},
        {"%%MatrixMarket matrix array real general\n2 3\n",
         "f:2:3: 2 rows and 3 columns; expected a square matrix"},
        {"%%MatrixMarket matrix array real general\n999999999 999999999\n", "rows: '999999999'; expected"},
        {"%%MatrixMarket matrix array real general\n9999 9999\n1\n", "99980001 numbers of M are due"},
        {"%%MatrixMarket matrix coordinate real general\n9999 9999 2000000\n1 1 1\n",
         "6000000 numbers of M are due"},
        {"%%MatrixMarket matrix array real general\n2 2\n1 2 3 x\n", "f:3:7: M[1][1]: 'x'"},
        {"%%MatrixMarket matrix array real general\n2 2\n1 2 3 nan\n",
         "f:3:7: M[1][1]: 'nan'; expected a finite"},
        {"%%MatrixMarket matrix array real general\n2 2\n1 2 3 4 5\n",
         "f:3:9: '5'; expected the end of the file"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1\n", "f:3:1: row: '3'"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 0 1\n", "f:3:3: column: '0'"},
        {"%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n",
         "expected the lower triangle only"},
        {"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 1\n", "expected no diagonal"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 -1\n", "entries: '-1'"},
        {"%%MatrixMarket matrix array real general\n3 3\n1 2 3 4 5 6 7 8 9\n",
         "q:1:1: the file ends too early"},
    };
    check_bad_lcps(with_good_q, cases, sizeof cases / sizeof cases[0]);
}

static void test_bad_q(void)
{
    static const bad_text cases[] = {
        {"1", "f:1:1: the file ends too early"},
        {"1 2 3", "f:1:5: '3'; expected the end of the file"},
        {"1 inf", "f:1:3: q[1]: 'inf'; expected a finite number"},
        {"one two", "f:1:1: q[0]: 'one'"},
        {"%%MatrixMarket matrix coordinate real general\n2 1 0\n", "expected q as a general array"},
        {"%%MatrixMarket matrix array real general\n3 1\n1 2 3\n", "q is 3 by 1; expected 2 by 1"},
    };
    check_bad_lcps(with_good_matrix, cases, sizeof cases / sizeof cases[0]);
}

static void test_truncated(void)
{
    check_truncations(with_good_q,
                      "%%MatrixMarket matrix coordinate real symmetric\n% c\n2 2 3\n1 1 2\n2 1 1\n2 2 9 ");
    check_truncations(with_good_matrix, "%%MatrixMarket matrix array real general\n2 1\n1\n2 ");
}

static void test_round_trip(void)
{
    abuti_lcp_data data = awkward_lcp(false), back = {0};
    abut_lcp_problem problem = abuti_lcp_data_problem(&data);
    char *bytes[2] = {NULL, NULL};
    size_t size[2];
    FILE *file = open_memstream(&bytes[0], &size[0]), *q_file = open_memstream(&bytes[1], &size[1]);
    CHECK(abuti_lcp_write_matrix_market(file, q_file, &problem));
    fclose(file);
    fclose(q_file);
    abut_error error;
    CHECK_MSG(read_pair(bytes[0], bytes[1], &back, &error), "%s", error.text);
    check_same_lcp(&data, &back);
    free(bytes[0]);
    free(bytes[1]);
    abuti_lcp_data_release(&data);
    abuti_lcp_data_release(&back);
}

int main(void)
{
    RUN(test_kinds);
    RUN(test_bad_matrix);
    RUN(test_bad_q);
    RUN(test_truncated);
    RUN(test_round_trip);
    return check_report();
}
