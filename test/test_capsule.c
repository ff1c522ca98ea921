/* Capsules: every field, every default, paths in messages, truncation, the way back. */
#include "contact_io_case.h"

#ifdef ABUT_HAVE_JSON

#define BODY "{\"mass\": 2, \"inertia\": [1, 2, 2.5, 0.1, 0, 0], \"com\": [0, 0, 1]}"
#define CONTACT "{\"bodies\": [0, -1], \"point\": [0, 0, 0], \"normal\": [0, 0, 1]}"

static const char full[] =
    "{\"abut\": \"capsule\", \"version\": 1, \"step\": 0.5, \"model\": \"no-slip\",\n"
    " \"bodies\": [" BODY
    ", {\"com\": [1, 2, 3], \"velocity\": [1, 0, 0, 0, 0, 1], \"kind\": \"kinematic\"}],\n"
    " \"contacts\": [{\"bodies\": [0, 1], \"point\": [1, 2, 3], \"normal\": [0, 0, 1], \"tangent\": [1, 0, "
    "0],\n"
    "   \"friction\": 0.25, \"directions\": 16, \"gap\": -0.01, \"restitution\": 0.5, \"viscous\": 3, "
    "\"group\": 0,\n"
    "   \"drift\": [7, 8, 9], \"key\": 9007199254740993}, " CONTACT "],\n"
    " \"joints\": [{\"bodies\": [0, 1], \"jacobian\": [[1, 2, 3, 4, 5, 6], [0, 0, 0, 0, 0, 1]], \"target\": "
    "4,\n"
    "   \"drift\": 5}, {\"bodies\": [1, -1], \"jacobian\": [[1, 0, 0, 0, 0, 0]]}],\n"
    " \"warm\": {\"states\": [\"slide:3\", \"stick\"], \"rows\": [1, 5], \"frames\": [0, 6], \"seed\": 11}}";

static void test_every_field(void)
{
    abuti_contact_data data;
    abut_error error;
    CHECK_MSG(read_contact_string(abuti_contact_read_capsule, full, &data, &error), "%s", error.text);
    if (data.body_count != 2 || data.contact_count != 2 || data.joint_count != 2) return;
    CHECK_EQ_INT(data.model, ABUT_NO_SLIP);
    CHECK_NEAR(data.step, 0.5, 0);
    CHECK_NEAR(data.bodies[0].mass, 2, 0);
    CHECK_NEAR(data.bodies[0].inertia[3], 0.1, 0);
    CHECK_NEAR(data.bodies[0].com[2], 1, 0);
    CHECK_EQ_INT(data.bodies[0].kind, ABUT_DYNAMIC);
    CHECK_EQ_INT(data.bodies[1].kind, ABUT_KINEMATIC);
    CHECK_NEAR(data.bodies[1].velocity[5], 1, 0);
    const abut_contact *c = &data.contacts[0];
    CHECK(c->bodies[0] == 0 && c->bodies[1] == 1);
    CHECK_NEAR(c->point[2], 3, 0);
    CHECK_NEAR(c->tangent[0], 1, 0);
    CHECK_NEAR(c->friction, 0.25, 0);
    CHECK_EQ_INT(c->directions, 16);
    CHECK_NEAR(c->gap, -0.01, 0);
    CHECK_NEAR(c->restitution, 0.5, 0);
    CHECK_NEAR(c->viscous, 3, 0);
    CHECK_EQ_INT(c->group, 1); /* 0 in contact.h means none */
    CHECK_NEAR(c->drift[2], 9, 0);
    CHECK(c->key == 9007199254740993u);
    CHECK_NEAR(data.joints[0].jacobian[0][5], 6, 0);
    CHECK_NEAR(data.joints[0].target, 4, 0);
    CHECK_NEAR(data.joints[0].drift, 5, 0);
    CHECK_EQ_INT(data.joints[1].bodies[1], ABUT_WORLD);
    CHECK(data.start && data.start[0].state == ABUT_SLIDE && data.start[0].face == 3);
    CHECK_EQ_INT(data.start[1].state, ABUT_STICK);
    CHECK(data.start[1].rows == 5 && data.start[1].frame == 6 && data.start[0].rows == 1);
    CHECK_EQ_INT(data.seed, 11);
    abuti_contact_data_release(&data);
}

static void test_three_moments_are_a_diagonal_inertia(void)
{
    abuti_contact_data data;
    abut_error error;
    const char *text =
        "{\"step\": 1, \"bodies\": [{\"mass\": 1, \"inertia\": [1, 2, 2.5], \"com\": [0, 0, 0]}],"
        " \"contacts\": []}";
    CHECK_MSG(read_contact_string(abuti_contact_read_capsule, text, &data, &error), "%s", error.text);
    if (data.body_count != 1) return;
    const double expected[6] = {1, 2, 2.5, 0, 0, 0};
    for (int i = 0; i < 6; ++i) CHECK_NEAR(data.bodies[0].inertia[i], expected[i], 0);
    abuti_contact_data_release(&data);
}

static void test_defaults(void)
{
    abuti_contact_data data;
    abut_error error;
    CHECK(read_contact_string(abuti_contact_read_capsule,
                              "{\"bodies\": [" BODY "], \"contacts\": [" CONTACT "]}", &data, &error));
    CHECK_EQ_INT(data.model, ABUT_COULOMB);
    CHECK_NEAR(data.step, 0.01, 0);
    CHECK_NEAR(data.bodies[0].force[2], 0, 0);
    CHECK_EQ_INT(data.contacts[0].directions, 8);
    CHECK_EQ_INT(data.contacts[0].group, 0);
    CHECK(data.contacts[0].friction == 0 && data.contacts[0].gap == 0 && data.contacts[0].key == 0);
    CHECK(!data.joints && !data.start);
    abut_contact_problem problem = abuti_contact_data_problem(&data);
    CHECK_MSG(abut_contact_validate(&problem, &error) == ABUT_OK, "%s", error.text);
    abuti_contact_data_release(&data);
}

#define WITH_BODY(fields) "{\"bodies\": [{" fields "}]}"
#define WITH_CONTACT(fields) "{\"bodies\": [" BODY "], \"contacts\": [" CONTACT ", {" fields "}]}"
#define GOOD "\"bodies\": [0, -1], \"point\": [0, 0, 0], \"normal\": [0, 0, 1], "

static void test_bad(void)
{
    static const bad_contact_text cases[] = {
        {"[]", "f:1:1: expected a JSON object"},
        {"{}", "f: bodies: expected at least one body"},
        {"{\"bodies\": 3}", "f: bodies: 3; expected a list"},
        {"{\"bodies\": [3]}", "f: bodies[0]: 3; expected an object"},
        {"{\"abut\": \"scene\"}", "f: abut: \"scene\"; expected \"capsule\""},
        {"{\"version\": 4}", "f: version: 4; expected a whole number from 1 to 3"},
        {"{\"step\": \"x\"}", "f: step: \"x\"; expected a finite number"},
        {"{\"model\": \"sticky\"}", "f: model: \"sticky\"; expected the name of a model"},
        {"{\"Bodies\": []}", "f: Bodies: unknown name; expected \"bodies\""},
        {WITH_BODY(""), "f: bodies[0].mass is missing"},
        {WITH_BODY("\"mass\": null"), "f: bodies[0].mass: expected a finite number, found null"},
        {WITH_BODY("\"mass\": 1"), "f: bodies[0].inertia is missing"},
        {WITH_BODY("\"mass\": 1, \"inertia\": [1, 2, 3, 0]"),
         "f: bodies[0].inertia: expected a list of 6 numbers, found one of 4"},
        {WITH_BODY("\"mass\": 1, \"inertia\": [1, 2, 3, 4, 5, \"6\"]"),
         "f: bodies[0].inertia[5]: \"6\"; expected a finite number"},
        {WITH_BODY("\"kind\": \"ghost\""),
         "f: bodies[0].kind: \"ghost\"; expected \"dynamic\", \"kinematic\" or \"static\""},
        {WITH_BODY("\"Mass\": 1"), "f: bodies[0].Mass: unknown name; expected \"mass\""},
        {WITH_CONTACT(""), "f: contacts[1].bodies: expected a list of two body indices, found nothing"},
        {WITH_CONTACT("\"bodies\": [0]"),
         "f: contacts[1].bodies: expected a list of two body indices, found a list"},
        {WITH_CONTACT("\"bodies\": [1, -1]"),
         "f: contacts[1].bodies[0]: 1; expected a whole number from 0 to 0"},
        {WITH_CONTACT("\"bodies\": [-1, 0]"),
         "f: contacts[1].bodies[0]: -1; the world stands second, expected an index from 0 to 0"},
        {WITH_CONTACT("\"bodies\": [0, -2]"),
         "f: contacts[1].bodies[1]: -2; expected a whole number from -1 to 0"},
        {WITH_CONTACT("\"bodies\": [0, -1]"), "f: contacts[1].point is missing"},
        {WITH_CONTACT(GOOD "\"friction\": \"high\""),
         "f: contacts[1].friction: \"high\"; expected a finite number"},
        {WITH_CONTACT(GOOD "\"friction\": \"two\\nlines\""),
         "f: contacts[1].friction: expected a finite number, found text"},
        {WITH_CONTACT(GOOD "\"frictoin\": 1"),
         "f: contacts[1].frictoin: unknown name; expected \"friction\""},
        {WITH_CONTACT(GOOD "\"frictions\": 1"),
         "f: contacts[1].frictions: unknown name; expected \"friction\""},
        {WITH_CONTACT(GOOD "\"vicous\": 1"), "f: contacts[1].vicous: unknown name; expected \"viscous\""},
        {WITH_CONTACT(GOOD "\"drift!\": 1"), "f: contacts[1].drift!: unknown name; expected \"drift\""},
        {WITH_CONTACT(GOOD "\"graup\": 1"), "f: contacts[1].graup: unknown name; expected \"group\""},
        {WITH_CONTACT(GOOD "\"mu\": 1"), "f: contacts[1].mu: unknown name; expected \"friction\""},
        {WITH_CONTACT(GOOD "\"Position\": 1"), "f: contacts[1].Position: unknown name; expected \"point\""},
        {WITH_CONTACT(GOOD "\"colour\": 1"),
         "f: contacts[1].colour: unknown name; expected one of bodies, point, normal, tangent"},
        {WITH_CONTACT(GOOD "\"no\\u00e9\": 1"), "f: contacts[1].no??: unknown name; expected one of"},
        {WITH_BODY("\"pos\": 1"), "f: bodies[0].pos: unknown name; expected \"com\""},
        {"{\"gravity\": [0, 0, -9.81]}",
         "f: gravity: unknown name; expected the weight within each body's \"force\""},
        {"{\"dt\": 0.01}", "f: dt: unknown name; expected \"step\""},
        {"{\"bodies\": [" BODY "], \"warm\": {\"stats\": []}}",
         "f: warm.stats: unknown name; expected \"states\""},
        {"{\"bodies\": [" BODY "], \"joints\": [{\"J\": []}]}",
         "f: joints[0].J: unknown name; expected \"jacobian\""},
        {WITH_CONTACT(GOOD "\"directions\": 65"),
         "f: contacts[1].directions: 65; expected a whole number from 2 to 64"},
        {WITH_CONTACT(GOOD "\"group\": -1"), "f: contacts[1].group: -1; expected a whole number"},
        {WITH_CONTACT(GOOD "\"key\": 1.5"), "f: contacts[1].key: 1.5; expected a whole number of 64 bits"},
        {"{\"bodies\": [" BODY "], \"joints\": [{\"bodies\": [0, -1]}]}",
         "f: joints[0].jacobian: expected a list of two"},
        {"{\"bodies\": [" BODY "], \"joints\": [{\"bodies\": [0, -1], \"jacobian\": [[1]]}]}",
         "f: joints[0].jacobian[0]: expected a list of 6 numbers, found one of 1"},
        {"{\"bodies\": [" BODY "], \"warm\": 1}", "f: warm: 1; expected an object"},
        {"{\"bodies\": [" BODY "], \"contacts\": [" CONTACT "], \"warm\": {\"states\": []}, \"bodies\": []}",
         "duplicate"},
        {"{\"bodies\": [" BODY "], \"contacts\": [" CONTACT
         "], \"warm\": {\"states\": [\"stick\", \"open\"]}}",
         "f: warm.states: expected a list with one state for each contact"},
        {"{\"bodies\": [" BODY "], \"contacts\": [" CONTACT "], \"warm\": {\"states\": [\"glide\"]}}",
         "f: warm.states[0]: \"glide\"; expected open, slide, edge, stick or new"},
        {"{\"bodies\": [" BODY "], \"contacts\": [" CONTACT "], \"warm\": {\"states\": [\"slide:256\"]}}",
         "f: warm.states[0]"},
        {"{\"bodies\": [" BODY "], \"contacts\": [" CONTACT
         "], \"warm\": {\"states\": [\"stick\"], \"rows\": [7, 7]}}",
         "f: warm.rows: expected a list with one number for each contact"},
        {"{\"bodies\": [" BODY "], \"contacts\": [" CONTACT
         "], \"warm\": {\"states\": [\"stick\"], \"rows\": [8]}}",
         "f: warm.rows[0]"},
        {"{\"bodies\": [" BODY "], \"contacts\": [" CONTACT
         "], \"warm\": {\"states\": [\"stick\"], \"frames\": [\"x\"]}}",
         "f: warm.frames[0]"},
        {"{\"bodies\": [{\"mass\": 1e999}]}", "f:1:2"},
        {"{\"bodies\": [{\"mass\": NaN}]}", "not JSON"},
    };
    check_bad_contacts(abuti_contact_read_capsule, cases, sizeof cases / sizeof cases[0]);
}

static void test_truncated(void)
{
    check_contact_truncations(abuti_contact_read_capsule, full);
}

static void test_round_trip(void)
{
    abuti_contact_data data, back;
    abut_error error;
    CHECK(read_contact_string(abuti_contact_read_capsule, full, &data, &error));
    /* Numbers and keys that are hard to write. */
    data.bodies[0].mass = 0.1 + 0.2;
    data.bodies[0].velocity[4] = -5e-324;
    data.contacts[1].key = 0xfedcba9876543210u;
    data.has_threshold = true;
    data.restitution_threshold = 0.3;
    abut_contact_problem problem = abuti_contact_data_problem(&data);
    abut_contact_options options = abuti_contact_data_options(&data);
    char *bytes = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&bytes, &size);
    CHECK(abuti_contact_write_capsule(file, &problem, &options, &error));
    fclose(file);
    CHECK_MSG(read_contact_string(abuti_contact_read_capsule, bytes, &back, &error), "%s", error.text);
    check_same_bodies(&data, &back);
    CHECK_EQ_INT(back.seed, data.seed);
    CHECK(back.has_threshold && back.restitution_threshold == 0.3);
    CHECK(back.start && memcmp(back.start, data.start, 2 * sizeof *back.start) == 0);
    free(bytes);
    abuti_contact_data_release(&data);
    abuti_contact_data_release(&back);
}

static void test_local_form_is_refused(void)
{
    static const double W[4] = {1, 0, 0, 1}, q[2] = {-1, 0};
    abut_local local = {.dimension = 2, .W = W, .q = q};
    abut_contact contact = {.directions = 2};
    abut_contact_problem problem = {.step = 1, .contact_count = 1, .contacts = &contact, .local = &local};
    abut_error error;
    char *bytes = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&bytes, &size);
    CHECK(!abuti_contact_write_capsule(file, &problem, NULL, &error));
    fclose(file);
    check_message(&error, "a capsule holds bodies", "W + q");
    CHECK_EQ_INT(size, 0);
    free(bytes);
}

int main(void)
{
    RUN(test_every_field);
    RUN(test_three_moments_are_a_diagonal_inertia);
    RUN(test_defaults);
    RUN(test_bad);
    RUN(test_truncated);
    RUN(test_round_trip);
    RUN(test_local_form_is_refused);
    return check_report();
}

#else

static void test_left_out(void)
{
    abuti_contact_data data;
    abut_error error;
    CHECK(!read_contact_string(abuti_contact_read_capsule, "{}", &data, &error));
    check_message(&error, "component JSON (jansson) was left out", "{}");
}

int main(void)
{
    RUN(test_left_out);
    return check_report();
}

#endif
