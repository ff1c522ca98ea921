/* LCPs of Siconos: dense, block and compressed-column storage. */
#include "lcp_io_case.h"

static const char dense[] = "3\n0\n3\n3\n3 3\n1 3 0\n2 4 0\n0 0 5\n-1 -2 -3\n\nRemark 4.1\n";
static const char block[] = "3\n1\n3\n3\n2\n2\n2\n2\t3\t\n2\t3\t\n3\n2\n0\t1\t2\t\n0\t1\t\n"
                            "0\n1\n3\n2\n4\n1\n5\n-1 -2 -3\n";
static const char columns[] = "3\n2\n3\n3\n2\nCSparse Version 3.1.9, May 4, 2016.  Copyright (c) T\n"
                              "3-by-3, nzmax: 5 nnz: 5, 1-norm: 7\n"
                              "    col 0 : locations 0 to 1\n      0 : 1\n      1 : 3\n"
                              "    col 1 : locations 2 to 3\n      0 : 2\n      1 : 4\n"
                              "    col 2 : locations 4 to 4\n      2 : 5\n-1 -2 -3\n";
static const char triplets[] = "3\n2\n3\n3\n1\nCSparse Version 3.1.9\ntriplet: 3-by-3, nzmax: 5 nnz: 5\n"
                               "    0 0 : 1\n    1 0 : 3\n    0 1 : 2\n    1 1 : 4\n    2 2 : 5\n-1 -2 -3\n";
static const char *const all[] = {dense, block, columns, triplets};

/* One matrix in four dresses. */
static void test_storages(void)
{
    for (size_t s = 0; s < sizeof all / sizeof all[0]; ++s) {
        static const double M[9] = {1, 2, 0, 3, 4, 0, 0, 0, 5};
        abuti_lcp_data data;
        abut_error error;
        CHECK_MSG(read_lcp_string(abuti_lcp_read_siconos, all[s], &data, &error), "%s", error.text);
        if (!data.M) continue;
        for (int i = 0; i < 9; ++i) CHECK_NEAR(data.M[i], M[i], 0);
        CHECK_NEAR(data.q[2], -3, 0);
        abuti_lcp_data_release(&data);
    }
}

/* An unsymmetric M is solved as Siconos means it: w_0 = z_0 - 1 and w_1 = 2 z_0 + z_1 - 1 give z = (1, 0); its
 * transpose would give (0, 1). The file that we write reads the same. */
static void test_unsymmetric(void)
{
    abuti_lcp_data data;
    abut_error error;
    CHECK(read_lcp_string(abuti_lcp_read_siconos, "2\n0\n2\n2\n2 2\n1 2 0 1\n-1 -1\n", &data, &error));
    CHECK(data.M[0] == 1 && data.M[1] == 0 && data.M[2] == 2 && data.M[3] == 1);
    abut_lcp_problem problem = abuti_lcp_data_problem(&data);
    abut_lcp_limits limits = {.n = 2};
    abut_lcp_options options = abut_lcp_default_options();
    abut_lcp_workspace *work = NULL;
    abut_lcp_result result;
    CHECK_EQ_INT(abut_lcp_workspace_create(&limits, NULL, &work), ABUT_OK);
    CHECK_EQ_INT(abut_lcp_solve(work, &problem, &options, &result), ABUT_OK);
    CHECK(result.outcome == ABUT_SOLVED && result.z[0] == 1 && result.z[1] == 0);
    abut_lcp_workspace_destroy(work);
    char *bytes = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&bytes, &size);
    CHECK(abuti_lcp_write_siconos(file, &problem));
    fclose(file);
    CHECK_STR(bytes, "2\n0\n2\n2\n2\t2\n1 2\n0 1\n-1 -1\n");
    free(bytes);
    abuti_lcp_data_release(&data);
}

static void test_truncated(void)
{
    for (size_t s = 0; s < sizeof all / sizeof all[0]; ++s) check_truncations(abuti_lcp_read_siconos, all[s]);
}

static void test_bad(void)
{
    static const bad_text cases[] = {
        {"hello", "f:1:1: n: 'hello'; expected a whole number from 1 to 10000"},
        {"0\n0\n0\n0\n", "f:1:1: n: '0'"},
        {"-3\n", "f:1:1: n: '-3'"},
        {"1000000000\n0\n", "f:1:1: n: '1000000000'"},
        {"9999\n0\n9999\n9999\n9999 9999\n1 2 3", "99980001 numbers of M are due"},
        {"2\n3\n", "f:2:1: storage: '3'; expected a whole number from 0 to 2"},
        {"2\n0\n3\n2\n", "f:3:1: rows: '3'; expected a whole number from 2 to 2"},
        {"1\n0\n1\n1\n1 1\nnan\n1\n", "f:6:1: M[0][0]: 'nan'; expected a finite number"},
        {"2\n0\n2\n2\n2 2\n1 2 nan 4\n1 1\n", "f:6:5: M[0][1]: 'nan'; expected a finite number"},
        {"1\n0\n1\n1\n1 1\n1\n-inf\n", "f:7:1: q[0]: '-inf'"},
        {"2\n1\n2\n2\n1\n1\n1\n3\n", "f:8:1: row sizes[0]: '3'"},
        {"2\n1\n2\n2\n1\n2\n1\n2 1\n", "row sizes[1]: expected more than 2"},
        {"2\n1\n2\n2\n1\n1\n1\n1\n", "row sizes end at 1; expected n = 2"},
        {"2\n1\n2\n2\n1\n1\n1\n2\n2\n2\n1\n0 1\n1\n", "f:13:1: column index[0]: '1'"},
        {"2\n1\n2\n2\n1\n1\n1\n2\n2\n2\n1\n1 1\n0\n0\n", "the row pointer runs from 1 to 1; expected 0 to 1"},
        {"2\n1\n2\n2\n2000000\n1\n1\n2\n2\n2\n2000000\n0 1\n0\n", "numbers of column index are due"},
        {"2\n1\n2\n2\n1\n1\n1\n2\n2\n2\n1\n0 1\n0\n7\n1 2 3 4\n1 2\n", "f:14:1: block number: '7'"},
        {"2\n2\n2\n2\n2\nCSparse x\n3-by-3, nzmax: 1 nnz: 1,\n", "'3-by-3,'; expected '2-by-2,'"},
        {"2\n2\n2\n2\n2\nCSparse x\n2-by-2, nzmax: 1 nnz: 9, 1\n", "nnz: '9,'; expected a whole number"},
        {"2\n2\n2\n2\n2\nCSparse x\n2-by-2, nzmax: 1 nnz: 1, 1\n col 0 : locations 0 to 7\n 0 : 1\n",
         "last location"},
        {"2\n2\n2\n2\n2\nCSparse x\n2-by-2, nzmax: 1 nnz: 1, 1\n col 1 : locations 0 to 0\n 0 : 1\n",
         "expected column 0"},
        {"2\n2\n2\n2\n1\nCSparse x\ntriplet: 2-by-2, nzmax: 1 nnz: 1\n 5 0 : 1\n 1 1\n", "row: 5; expected"},
    };
    check_bad_lcps(abuti_lcp_read_siconos, cases, sizeof cases / sizeof cases[0]);
}

static void test_round_trip(void)
{
    abuti_lcp_data data = awkward_lcp(false), back = {0};
    abut_lcp_problem problem = abuti_lcp_data_problem(&data);
    char *bytes = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&bytes, &size);
    CHECK(abuti_lcp_write_siconos(file, &problem));
    fclose(file);
    abut_error error;
    CHECK_MSG(read_lcp_string(abuti_lcp_read_siconos, bytes, &back, &error), "%s", error.text);
    check_same_lcp(&data, &back);
    free(bytes);
    abuti_lcp_data_release(&data);
    abuti_lcp_data_release(&back);
    data = awkward_lcp(true);
    problem = abuti_lcp_data_problem(&data);
    file = open_memstream(&bytes, &size);
    CHECK(!abuti_lcp_write_siconos(file, &problem)); /* the format has no free variables */
    fclose(file);
    free(bytes);
    abuti_lcp_data_release(&data);
}

int main(void)
{
    RUN(test_storages);
    RUN(test_unsymmetric);
    RUN(test_truncated);
    RUN(test_bad);
    RUN(test_round_trip);
    return check_report();
}
