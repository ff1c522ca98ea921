/* Which kind of problem a file holds. */
#include "check.h"
#include "io/kind.h"

#include <unistd.h>

static abuti_problem_kind kind_of(const char *content)
{
    static const char path[] = "test_kind.tmp";
    FILE *file = fopen(path, "w");
    if (!file) return ABUTI_KIND_UNKNOWN;
    fputs(content, file);
    fclose(file);
    abuti_problem_kind kind = abuti_kind_of_content(path);
    unlink(path);
    return kind;
}

static void test_content(void)
{
    CHECK_EQ_INT(kind_of("{\"M\": [[1]], \"q\": [1]}"), ABUTI_KIND_LCP);
    CHECK_EQ_INT(kind_of(" {\"q\" : [1]}"), ABUTI_KIND_LCP);
    CHECK_EQ_INT(kind_of("{\"abut\": \"capsule\"}"), ABUTI_KIND_CONTACT);
    CHECK_EQ_INT(kind_of("{\"bodies\": []}"), ABUTI_KIND_CONTACT);
    CHECK_EQ_INT(kind_of("{\"name\": \"bodies\"}"), ABUTI_KIND_UNKNOWN);
    CHECK_EQ_INT(kind_of("%%MatrixMarket matrix"), ABUTI_KIND_LCP);
    CHECK_EQ_INT(kind_of("contactset 1 x 1"), ABUTI_KIND_CONTACT);
    CHECK_EQ_INT(kind_of("2\n0\n2\n2\n2 2"), ABUTI_KIND_LCP);
    CHECK_EQ_INT(kind_of("2\n1\n2\n2\n1\n1\n1\n2\n"), ABUTI_KIND_LCP);
    CHECK_EQ_INT(kind_of("2\n1\n2\n2\n2\n2\nCSparse Version"), ABUTI_KIND_CONTACT);
    CHECK_EQ_INT(kind_of("3\n5\n1\n15\n15\n"), ABUTI_KIND_CONTACT);
    CHECK_EQ_INT(kind_of("7 7 7 7 7"), ABUTI_KIND_UNKNOWN);
    CHECK_EQ_INT(kind_of("what"), ABUTI_KIND_UNKNOWN);
    CHECK_EQ_INT(kind_of(""), ABUTI_KIND_UNKNOWN);
}

static void test_names(void)
{
    CHECK_EQ_INT(abuti_kind_of("no/such/file.txt"), ABUTI_KIND_CONTACT);
    CHECK_EQ_INT(abuti_kind_of("no/such/file.hdf5"), ABUTI_KIND_CONTACT);
    CHECK_EQ_INT(abuti_kind_of("no/such/file.dat"), ABUTI_KIND_LCP);
    CHECK_EQ_INT(abuti_kind_of("-"), ABUTI_KIND_LCP);
}

int main(void)
{
    RUN(test_content);
    RUN(test_names);
    return check_report();
}
