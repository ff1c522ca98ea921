/* Contactset text: which problem, bad lines, truncation, the way back. */
#include "contact_io_case.h"

#define BODY "b 1 0.4 0.4 0.125 0 0 0 0 0 0.5 0.3 -0.6 -0.8 0.1 0.2 0.3\n"
#define CONTACT "c 0 -1 0.25 0.5 0 0.5 -1 0 0 0 1 0\n"
static const char two[] =
    "contactset 1 pair 2\n"
    "problem 0 bodies 1 contacts 1 dirs 8\n" BODY CONTACT
    "problem 1 bodies 2 contacts 2 dirs 4\n" BODY BODY CONTACT "c 1 0 0.5 0 0 1 0 0 1 1 0 0\n";

static int wanted;
static bool read_wanted(abuti_text *text, abuti_contact_data *data)
{
    return abuti_contact_read_set(text, wanted, data);
}

static void test_both(void)
{
    abuti_contact_data data;
    abut_error error;
    wanted = 0;
    CHECK_MSG(read_contact_string(read_wanted, two, &data, &error), "%s", error.text);
    CHECK(data.body_count == 1 && data.contact_count == 1);
    CHECK_NEAR(data.step, 1, 0);
    CHECK_NEAR(data.bodies[0].inertia[2], 0.125, 0);
    CHECK_NEAR(data.bodies[0].force[5], 0.3, 0);
    CHECK_NEAR(data.contacts[0].friction, 0.25, 0);
    CHECK_NEAR(data.contacts[0].tangent[1], 1, 0);
    CHECK_EQ_INT(data.contacts[0].bodies[1], ABUT_WORLD);
    abuti_contact_data_release(&data);
    wanted = 1;
    CHECK_MSG(read_contact_string(read_wanted, two, &data, &error), "%s", error.text);
    CHECK(data.body_count == 2 && data.contact_count == 2 && data.contacts[1].directions == 4);
    abuti_contact_data_release(&data);
}

static void test_bad(void)
{
    static const bad_contact_text cases[] = {
        {"hello", "f:1:1: 'hello'; expected 'contactset'"},
        {"contactset 2 x 1\n", "f:1:12: version: '2'"},
        {"contactset 1", "expected the set's name"},
        {"contactset 1 x 0\n", "f:1:16: count: '0'"},
        {"contactset 1 x 1\n", "expected 'problem'"},
        {"contactset 1 x 1\nproblem 1 ", "f:2:9: problem index: '1'"},
        {"contactset 1 x 1\nproblem 0 bodies 0 ", "f:2:18: bodies: '0'"},
        {"contactset 1 x 1\nproblem 0 bodies 1 contacts 0 dirs 1\n", "f:2:36: dirs: '1'"},
        {"contactset 1 x 1\nproblem 0 bodies 90000000 contacts 90000000 dirs 8\nb 1\n",
         "numbers of bodies and contacts are due"},
        {"contactset 1 x 1\nproblem 0 bodies 1 contacts 0 dirs 8\nb 1 0.4 0.4 0.1 0 0 0 0 0 0 0 0 0 0 0 "
         "nan\n",
         "f:3:39: impulse[5]: 'nan'; expected a finite number"},
        {"contactset 1 x 1\nproblem 0 bodies 1 contacts 1 dirs 8\n" BODY
         "c 1 -1 0.25 0.5 0 0.5 -1 0 0 0 1 0\n",
         "f:4:3: body A: '1'; expected a whole number from 0 to 0"},
        {"contactset 1 x 1\nproblem 0 bodies 1 contacts 1 dirs 8\n" BODY
         "c 0 -2 0.25 0.5 0 0.5 -1 0 0 0 1 0\n",
         "f:4:5: body B: '-2'"},
        {"contactset 1 x 1\nproblem 0 bodies 1 contacts 1 dirs 8\n" BODY
         "d 0 -1 0.25 0.5 0 0.5 -1 0 0 0 1 0\n",
         "f:4:1: 'd'; expected 'c'"},
    };
    wanted = 0;
    check_bad_contacts(read_wanted, cases, sizeof cases / sizeof cases[0]);
    static const bad_contact_text beyond[] = {{two, "f: no problem 2; the file holds problems 0 to 1"}};
    wanted = 2;
    check_bad_contacts(read_wanted, beyond, 1);
}

static void test_truncated(void)
{
    for (wanted = 0; wanted < 2; ++wanted) check_contact_truncations(read_wanted, two);
}

static char *written(const abut_contact_problem *problem, abut_error *error)
{
    char *bytes = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&bytes, &size);
    bool fine = abuti_contact_write_set(file, problem, "name", error);
    fclose(file);
    if (fine) return bytes;
    free(bytes);
    return NULL;
}

static void test_round_trip(void)
{
    abuti_contact_data data, back;
    abut_error error = {""};
    wanted = 1;
    CHECK(read_contact_string(read_wanted, two, &data, &error));
    abut_contact_problem problem = abuti_contact_data_problem(&data);
    char *bytes = written(&problem, &error);
    CHECK_MSG(bytes, "%s", error.text);
    wanted = 0;
    CHECK_MSG(read_contact_string(read_wanted, bytes, &back, &error), "%s", error.text);
    check_same_bodies(&data, &back);
    free(bytes);
    abuti_contact_data_release(&back);

    /* Velocities become impulses: k = step force + M v. */
    data.bodies[0].velocity[0] = 2;
    data.bodies[0].velocity[5] = 3;
    data.bodies[0].inertia[4] = 0.01;
    bytes = written(&problem, &error);
    CHECK(bytes && read_contact_string(read_wanted, bytes, &back, &error));
    CHECK_NEAR(back.bodies[0].force[0], 0.3 + 2, 1e-15);
    CHECK_NEAR(back.bodies[0].force[3], 0.1 + 0.01 * 3, 1e-15);
    CHECK_NEAR(back.bodies[0].force[5], 0.3 + 0.125 * 3, 1e-15);
    free(bytes);
    abuti_contact_data_release(&back);

    data.contacts[0].gap = 0.1;
    CHECK(!written(&problem, &error));
    check_message(&error, "contactset text holds no gaps and no restitution", "gap");
    abuti_contact_data_release(&data);
}

int main(void)
{
    RUN(test_both);
    RUN(test_bad);
    RUN(test_truncated);
    RUN(test_round_trip);
    return check_report();
}
