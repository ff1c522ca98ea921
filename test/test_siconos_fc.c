/* Friction-contact problems of Siconos: storages, bad files, and the way there from bodies. */
#include "contact_io_case.h"

static const char dense[] =
    "2\n2\n0\n4\n4\n4 4\n4 7 0 0\n1 3 0 0\n0 0 2 0\n0 0 0 5\n-1 0.5 -2 0\n0.3 0.4\n0\n";
static const char block[] =
    "2\n2\n1\n4\n4\n2\n2\n2\n2 4\n2 4\n3\n2\n0 1 2\n0 1\n0\n4\n7\n1\n3\n1\n2\n0\n0\n5\n"
    "-1 0.5 -2 0\n0.3 0.4\n";
static const char columns[] =
    "2\n2\n2\n4\n4\n2\nCSparse Version 3.1.9\n4-by-4, nzmax: 6 nnz: 6, 1-norm: 5\n"
    " col 0 : locations 0 to 1\n 0 : 4\n 1 : 7\n col 1 : locations 2 to 3\n 0 : 1\n 1 : 3\n"
    " col 2 : locations 4 to 4\n 2 : 2\n col 3 : locations 5 to 5\n 3 : 5\n"
    "-1 0.5 -2 0\n0.3 0.4\n";
static const char *const all[] = {dense, block, columns};

static void test_storages(void)
{
    static const double W[16] = {4, 1, 0, 0, 7, 3, 0, 0, 0, 0, 2, 0, 0, 0, 0, 5};
    for (size_t s = 0; s < sizeof all / sizeof all[0]; ++s) {
        abuti_contact_data data;
        abut_error error;
        CHECK_MSG(read_contact_string(abuti_contact_read_siconos, all[s], &data, &error), "%s", error.text);
        if (!data.W) continue;
        CHECK_EQ_INT(data.dimension, 2);
        CHECK_EQ_INT(data.contact_count, 2);
        CHECK_EQ_INT(data.contacts[1].directions, 2);
        for (int i = 0; i < 16; ++i) CHECK_NEAR(data.W[i], W[i], 0);
        CHECK_NEAR(data.q[2], -2, 0);
        CHECK_NEAR(data.contacts[0].friction, 0.3, 0);
        abut_contact_problem problem = abuti_contact_data_problem(&data);
        CHECK_MSG(abut_contact_validate(&problem, &error) == ABUT_OK, "%s", error.text);
        abuti_contact_data_release(&data);
    }
}

static void test_truncated(void)
{
    for (size_t s = 0; s < sizeof all / sizeof all[0]; ++s)
        check_contact_truncations(abuti_contact_read_siconos, all[s]);
}

static void test_bad(void)
{
    static const bad_contact_text cases[] = {
        {"peg", "f:1:1: dimension: 'peg'; expected a whole number from 2 to 3"},
        {"4\n1\n", "f:1:1: dimension: '4'"},
        {"3\n0\n", "f:2:1: contacts: '0'"},
        {"3\n1000000\n", "f:2:1: contacts: '1000000'; expected a whole number from 1 to 3333"},
        {"3\n1\n0\n4\n", "f:4:1: rows: '4'; expected a whole number from 3 to 3"},
        {"3\n3000\n0\n9000\n9000\n9000 9000\n1", "81000000 numbers of W are due"},
        {"3\n1\n0\n3\n3\n3 3\n1 0 0\n0 1 0\n0 0 1\n1 2 nan\n0.1\n", "f:10:5: q[2]: 'nan'"},
        {"3\n1\n0\n3\n3\n3 3\n1 0 0\n0 1 0\n0 0 1\n1 2 3\n", "mu"},
    };
    check_bad_contacts(abuti_contact_read_siconos, cases, sizeof cases / sizeof cases[0]);
}

static void test_round_trip(void)
{
    abuti_contact_data data, back;
    abut_error error = {""};
    CHECK(read_contact_string(abuti_contact_read_siconos, dense, &data, &error));
    data.W[1] = 1.0 / 3; /* unsymmetric is fine */
    abut_contact_problem problem = abuti_contact_data_problem(&data);
    char *bytes = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&bytes, &size);
    CHECK_MSG(abuti_contact_write_siconos(file, &problem, NULL, &error), "%s", error.text);
    fclose(file);
    CHECK_MSG(read_contact_string(abuti_contact_read_siconos, bytes, &back, &error), "%s", error.text);
    CHECK(back.W && memcmp(back.W, data.W, 16 * sizeof(double)) == 0);
    CHECK(back.q && memcmp(back.q, data.q, 4 * sizeof(double)) == 0);
    CHECK(back.contacts && back.contacts[1].friction == data.contacts[1].friction);
    free(bytes);
    abuti_contact_data_release(&back);
    abuti_contact_data_release(&data);
}

int main(void)
{
    RUN(test_storages);
    RUN(test_truncated);
    RUN(test_bad);
    RUN(test_round_trip);
    return check_report();
}
