/* The version in the headers, in the library and on the command line is one. */

#include "check.h"

#include "abut/base.h"

static void test_library_has_the_version_of_the_headers(void)
{
    char expected[64];
    snprintf(expected, sizeof expected, "%d.%d.%d", ABUT_VERSION_MAJOR, ABUT_VERSION_MINOR,
             ABUT_VERSION_PATCH);
    CHECK_STR(abut_version(), expected);
}

static void test_command_line_says_the_version(void)
{
    char line[64] = "", expected[80];
    snprintf(expected, sizeof expected, "abut %s\n", abut_version());
    FILE *output = popen(ABUT_CLI " --version", "r");
    CHECK(output);
    if (!output) return;
    CHECK(fgets(line, sizeof line, output));
    CHECK_EQ_INT(pclose(output), 0);
    CHECK_STR(line, expected);
}

int main(void)
{
    RUN(test_library_has_the_version_of_the_headers);
    RUN(test_command_line_says_the_version);
    return check_report();
}
