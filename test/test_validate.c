/* Refusals: every field broken in every way is named, and the quick checks of the solver refuse the same. */
#include "contact_case.h"
#include <stddef.h>

static abut_contact_workspace *work;

static void make_valid(contact_case *c)
{
    bench_random random = bench_random_stream(5, 0);
    case_random(c, 3, 4, &random);
    c->body[2] = (abut_body){.kind = ABUT_KINEMATIC};
    for (int i = 0; i < 4; ++i) {
        c->contact[i].bodies[0] = i % 2;
        c->contact[i].bodies[1] = i == 3 ? 2 : ABUT_WORLD;
    }
    c->joints = 2;
    for (int j = 0; j < 2; ++j) {
        c->joint[j] = (abut_joint){.bodies = {j, j ? ABUT_WORLD : 1}};
        for (int i = 0; i < 12; ++i) c->joint[j].jacobian[i / 6][i % 6] = bench_uniform(&random, -1.0, 1.0);
    }
}

/* Both must refuse, and the words must begin with the field. */
static void expect_refused(const abut_contact_problem *problem, const char *field)
{
    abut_error error;
    abut_contact_options options = abut_contact_default_options();
    abut_contact_result result;
    abut_status said = abut_contact_validate(problem, &error);
    CHECK_MSG(said == ABUT_INVALID_ARGUMENT, "%s: %s", field, abut_status_text(said));
    CHECK_MSG(strncmp(error.text, field, strlen(field)) == 0, "%s: \"%s\"", field, error.text);
    CHECK(!strchr(error.text, '\n'));
    CHECK_EQ_INT(abut_contact_validate(problem, NULL), ABUT_INVALID_ARGUMENT);
    abut_status solved = abut_contact_solve(work, problem, &options, &result);
    CHECK_MSG(solved == ABUT_INVALID_ARGUMENT, "%s: %s", field, abut_status_text(solved));
}

static void expect_taken(const abut_contact_problem *problem)
{
    abut_error error;
    abut_contact_options options = abut_contact_default_options();
    abut_contact_result result;
    CHECK_MSG(abut_contact_validate(problem, &error) == ABUT_OK, "%s", error.text);
    CHECK(error.text[0] == '\0');
    CHECK_EQ_INT(abut_contact_solve(work, problem, &options, &result), ABUT_OK);
}

/* One double of a body, contact or joint, and values it must not have. */
typedef struct broken_field {
    const char *name;
    size_t offset;
    double bad[3];
    int count;
} broken_field;

#define NUMBER(type, field, name)                                                                            \
    {                                                                                                        \
        name, offsetof(type, field), {NAN, INFINITY, -1e101}, 3                                              \
    }

static const broken_field body_fields[] = {
    NUMBER(abut_body, com[1], "com[1]"),
    NUMBER(abut_body, velocity[4], "velocity[4]"),
    NUMBER(abut_body, force[5], "force[5]"),
    NUMBER(abut_body, inertia[3], "inertia[3]"),
    {"mass", offsetof(abut_body, mass), {0.0, -1.0, NAN}, 3},
    {"mass", offsetof(abut_body, mass), {INFINITY, 1e-110, 1e308}, 3},
    {"inertia", offsetof(abut_body, inertia[0]), {0.0, -1.0, 1e-30}, 3},
};

static const broken_field contact_fields[] = {
    NUMBER(abut_contact, point[2], "point[2]"),
    NUMBER(abut_contact, gap, "gap"),
    NUMBER(abut_contact, drift[0], "drift[0]"),
    {"friction", offsetof(abut_contact, friction), {-0.2, NAN, INFINITY}, 3},
    {"viscous", offsetof(abut_contact, viscous), {-0.2, NAN, INFINITY}, 3},
    {"restitution", offsetof(abut_contact, restitution), {-0.2, NAN, 1.5}, 3},
    {"normal", offsetof(abut_contact, normal[0]), {NAN, INFINITY, 3.0}, 3},
    {"tangent", offsetof(abut_contact, tangent[0]), {NAN, INFINITY, 1e60}, 3},
};

static const broken_field joint_fields[] = {
    NUMBER(abut_joint, target, "target"),
    NUMBER(abut_joint, drift, "drift"),
    NUMBER(abut_joint, jacobian[0][3], "jacobian[0][3]"),
};

static void break_fields(const broken_field *fields, int count, const char *list, int index, void *where,
                         const abut_contact_problem *problem)
{
    for (int f = 0; f < count; ++f) {
        double *field = (double *)(void *)((char *)where + fields[f].offset), good = *field;
        for (int v = 0; v < fields[f].count; ++v) {
            char name[64];
            (void)snprintf(name, sizeof name, "%s[%d].%s", list, index, fields[f].name);
            *field = fields[f].bad[v];
            expect_refused(problem, name);
        }
        *field = good;
    }
    expect_taken(problem);
}

static void test_numbers(void)
{
    contact_case c;
    make_valid(&c);
    abut_contact_problem problem = case_problem(&c);
    expect_taken(&problem);
    break_fields(body_fields, (int)(sizeof body_fields / sizeof body_fields[0]), "bodies", 1, &c.body[1],
                 &problem);
    break_fields(contact_fields, (int)(sizeof contact_fields / sizeof contact_fields[0]), "contacts", 3,
                 &c.contact[3], &problem);
    break_fields(joint_fields, (int)(sizeof joint_fields / sizeof joint_fields[0]), "joints", 1, &c.joint[1],
                 &problem);
    c.body[2].velocity[0] = NAN;
    expect_refused(&problem, "bodies[2].velocity[0]");
}

static void test_frames(void)
{
    contact_case c;
    make_valid(&c);
    abut_contact_problem problem = case_problem(&c);
    abut_contact *contact = &c.contact[2];
    /* A tangent along the normal, and one that only nearly is. */
    for (int k = 0; k < 3; ++k) contact->tangent[k] = -contact->normal[k];
    expect_refused(&problem, "contacts[2].tangent: along the normal");
    contact->tangent[0] += 1e-4;
    expect_refused(&problem, "contacts[2].tangent: along the normal");
    contact->tangent[0] += 0.5;
    expect_taken(&problem);
    /* Normals from single precision pass, longer ones do not. */
    for (int k = 0; k < 3; ++k) contact->normal[k] *= 1.0 + 5e-7;
    expect_taken(&problem);
    for (int k = 0; k < 3; ++k) contact->normal[k] *= 1.0 + 1e-6;
    expect_refused(&problem, "contacts[2].normal: length");
    for (int k = 0; k < 3; ++k) contact->normal[k] = 0.0;
    expect_refused(&problem, "contacts[2].normal: length 0; expected a unit vector");
}

static void test_inertia(void)
{
    contact_case c = {.bodies = 1};
    abut_contact_problem problem = case_problem(&c);
    const struct {
        double inertia[6];
        bool good;
    } cases[] = {
        {{1, 1, 1, 0, 0, 0}, true},
        {{1, 1, 2, 0, 0, 0}, true},         /* flat: equality */
        {{1, 1, 2 + 1e-10, 0, 0, 0}, true}, /* and rounding */
        {{1, 1, 2.1, 0, 0, 0}, false},
        {{3, 1, 1, 0, 0, 0}, false},
        {{1, 1, 1, 0.9, 0, 0}, false},         /* moments 0.1, 1, 1.9 */
        {{1, 1, 1, 1.1, 0, 0}, false},         /* not definite */
        {{1e-9, 1, 1, 0, 0, 0}, true},         /* a rod */
        {{0.5, 0.5, 1, 0.499999, 0, 0}, true}, /* a rod, turned */
        {{2, 2, 2, -0.6, -0.6, -0.6}, true},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        c.body[0] = (abut_body){.mass = 1.0};
        memcpy(c.body[0].inertia, cases[k].inertia, sizeof cases[k].inertia);
        if (cases[k].good) {
            expect_taken(&problem);
        } else {
            expect_refused(&problem, "bodies[0].inertia");
        }
    }
}

static void test_shape(void)
{
    contact_case c;
    make_valid(&c);
    abut_contact_problem good = case_problem(&c), problem = good;
#define BREAK(change, field)                                                                                 \
    do {                                                                                                     \
        problem = good;                                                                                      \
        change;                                                                                              \
        expect_refused(&problem, field);                                                                     \
    } while (0)
    BREAK(problem.step = 0.0, "step");
    BREAK(problem.step = -0.01, "step");
    BREAK(problem.step = NAN, "step");
    BREAK(problem.model = (abut_contact_model)17, "model");
    BREAK(problem.contact_count = -1, "contact_count");
    BREAK(problem.joint_count = -1, "joint_count");
    BREAK(problem.body_count = -1, "body_count");
    BREAK(problem.contacts = NULL, "contacts");
    BREAK(problem.joints = NULL, "joints");
    BREAK(problem.bodies = NULL, "bodies");
    BREAK(problem.body_count = 0, "body_count");
    abut_local local = {.dimension = 3};
    BREAK(problem.local = &local, "bodies, generalised and local");
    CHECK_EQ_INT(abut_contact_validate(NULL, NULL), ABUT_INVALID_ARGUMENT);

    problem = good;
    const int bad_pairs[][2] = {{-1, 0}, {3, 0}, {0, 3}, {0, -2}, {1, 1}};
    const char *const fields[] = {"bodies[0]", "bodies[0]", "bodies[1]", "bodies[1]", "bodies"};
    for (int k = 0; k < 5; ++k) {
        char name[64];
        contact_case copy = c;
        problem = case_problem(&copy);
        memcpy(copy.contact[1].bodies, bad_pairs[k], sizeof bad_pairs[k]);
        (void)snprintf(name, sizeof name, "contacts[1].%s", fields[k]);
        expect_refused(&problem, name);
        copy = c;
        memcpy(copy.joint[0].bodies, bad_pairs[k], sizeof bad_pairs[k]);
        (void)snprintf(name, sizeof name, "joints[0].%s", fields[k]);
        expect_refused(&problem, name);
    }
    contact_case copy = c;
    problem = case_problem(&copy);
    const int bad_directions[] = {-1, 1, 65, 1000000};
    for (int k = 0; k < 4; ++k) {
        copy.contact[0].directions = bad_directions[k];
        expect_refused(&problem, "contacts[0].directions");
    }
    copy.contact[0].directions = 0;
    copy.contact[0].group = -4;
    expect_refused(&problem, "contacts[0].group");
    copy.contact[0].group = 0;
    copy.body[0].kind = (abut_body_kind)5;
    expect_refused(&problem, "bodies[0].kind");
}

/* The world in the first place is told where it belongs. */
static void test_world_as_body_a(void)
{
    contact_case c;
    make_valid(&c);
    abut_contact_problem problem = case_problem(&c);
    abut_error error;
    c.contact[2].bodies[0] = ABUT_WORLD;
    c.contact[2].bodies[1] = 1;
    CHECK_EQ_INT(abut_contact_validate(&problem, &error), ABUT_INVALID_ARGUMENT);
    CHECK_STR(error.text,
              "contacts[2].bodies[0]: -1; the world stands second, expected an index from 0 to 2");
}

/* A key names one contact: validate refuses two of a kind wherever they stand, and the solver, which does not
 * look, gives a right answer all the same. */
static void test_keys(void)
{
    contact_case c;
    make_valid(&c);
    abut_contact_problem problem = case_problem(&c);
    abut_error error;
    abut_contact_options options = abut_contact_default_options();
    abut_contact_result result;
    options.warm = true;
    for (int i = 0; i < 4; ++i) c.contact[i].key = i == 2 ? 0 : 7000000000u + (unsigned)i;
    CHECK_EQ_INT(abut_contact_validate(&problem, &error), ABUT_OK);
    CHECK_EQ_INT(abut_contact_solve(work, &problem, &options, &result), ABUT_OK);
    c.contact[3].key = c.contact[1].key;
    CHECK_EQ_INT(abut_contact_validate(&problem, &error), ABUT_INVALID_ARGUMENT);
    CHECK_STR(error.text,
              "contacts[3].key: 7000000001, as contacts[1] has; expected one that no other contact has");
    for (int k = 0; k < 2; ++k) {
        CHECK_EQ_INT(abut_contact_solve(work, &problem, &options, &result), ABUT_OK);
        CHECK(result.outcome != ABUT_SOLVED || case_verify(&problem, &options, &result).residual <= 1e-9);
    }

    c.contact[3].key = 0;
    c.joint[0].key = c.contact[1].key; /* rows have names of their own */
    CHECK_EQ_INT(abut_contact_validate(&problem, &error), ABUT_OK);
    abut_joint rows[2] = {c.joint[0], c.joint[0]};
    abut_contact_problem twice = problem;
    twice.joints = rows;
    twice.joint_count = 2;
    CHECK_EQ_INT(abut_contact_validate(&twice, &error), ABUT_INVALID_ARGUMENT);
    CHECK_STR(error.text, "joints[1].key: 7000000001, as joints[0] has; expected one that no other row has");

    /* Many: beyond what fits on the stack, with keys that fall on one another. */
    enum { MANY = 5000 };
    abut_contact *contacts = calloc(MANY, sizeof *contacts);
    for (int i = 0; i < MANY; ++i) {
        contacts[i] = c.contact[0];
        contacts[i].key = (uint64_t)(i + 1) << 40;
    }
    problem.contacts = contacts;
    problem.contact_count = MANY;
    CHECK_EQ_INT(abut_contact_validate(&problem, &error), ABUT_OK);
    contacts[MANY - 1].key = contacts[17].key;
    CHECK_EQ_INT(abut_contact_validate(&problem, &error), ABUT_INVALID_ARGUMENT);
    CHECK(strncmp(error.text, "contacts[4999].key: ", 20) == 0 && strstr(error.text, "contacts[17]"));
    contacts[MANY - 1].key = contacts[17].key = 0; /* no name at all, twice */
    CHECK_EQ_INT(abut_contact_validate(&problem, &error), ABUT_OK);
    free(contacts);
}

static void test_generalised(void)
{
    double M[4] = {2, 0.5, 0.5, 1}, velocity[2] = {0, 0}, force[2] = {1, 1}, N[2] = {1, 0},
           T[4] = {0, 1, 0, 0};
    abut_contact contact = {.friction = 0.5};
    abut_generalised g = {
        .nv = 2, .mass_matrix = M, .velocity = velocity, .force = force, .normal_rows = N, .tangent_rows = T};
    abut_contact_problem problem = {.step = 0.1, .contact_count = 1, .contacts = &contact, .generalised = &g};
    expect_taken(&problem);
    M[1] = 0.6;
    expect_refused(&problem, "generalised.mass_matrix: not symmetric");
    M[1] = M[2] = 1.5;
    expect_refused(&problem, "generalised.mass_matrix: not symmetric");
    M[1] = M[2] = 0.5;
    g.tangent_rows = NULL;
    expect_refused(&problem, "generalised.tangent_rows: NULL; contacts[0]");
    contact.friction = 0.0;
    expect_taken(&problem);
    double *const arrays[] = {M, velocity, force, N};
    const char *const names[] = {"generalised.mass_matrix[1]", "generalised.velocity[1]",
                                 "generalised.force[1]", "generalised.normal_rows[1]"};
    for (int k = 0; k < 4; ++k) {
        double kept = arrays[k][1];
        arrays[k][1] = NAN;
        expect_refused(&problem, names[k]);
        arrays[k][1] = kept;
    }
    g.nv = 0;
    expect_refused(&problem, "generalised");
}

static void test_local(void)
{
    double W[4] = {1, 0, 0, 1}, q[2] = {-1, 0.5};
    abut_contact contact = {.friction = 0.5, .directions = 2};
    abut_local local = {.dimension = 2, .W = W, .q = q};
    abut_contact_problem problem = {.step = 0.1, .contact_count = 1, .contacts = &contact, .local = &local};
    expect_taken(&problem);
    W[3] = INFINITY;
    expect_refused(&problem, "local.W[3]");
    W[3] = 1.0;
    q[1] = NAN;
    expect_refused(&problem, "local.q[1]");
    q[1] = 0.5;
    contact.gap = 0.1;
    expect_refused(&problem, "contacts[0].gap");
    contact.gap = 0.0;
    contact.restitution = 0.5;
    expect_refused(&problem, "contacts[0].restitution");
    contact.restitution = 0.0;
    contact.directions = 8;
    expect_refused(&problem, "contacts[0].directions: 8; expected 2");
    contact.directions = 2;
    local.dimension = 4;
    expect_refused(&problem, "local");
    local.dimension = 2;
    local.W = NULL;
    expect_refused(&problem, "local");
}

int main(void)
{
    abut_contact_limits limits = {.bodies = CASE_BODIES,
                                  .contacts = CASE_CONTACTS,
                                  .joints = CASE_JOINTS,
                                  .directions = 16,
                                  .nv = 8,
                                  .local = true};
    CHECK_EQ_INT(abut_contact_workspace_create(&limits, NULL, &work), ABUT_OK);
    RUN(test_numbers);
    RUN(test_frames);
    RUN(test_inertia);
    RUN(test_shape);
    RUN(test_world_as_body_a);
    RUN(test_keys);
    RUN(test_generalised);
    RUN(test_local);
    abut_contact_workspace_destroy(work);
    return check_report();
}
