/* Islands: what connects and what does not, and that apart or together the answer is the same. */
#include "contact/system/islands.h"
#include "contact_case.h"
#include "dense.h"

static void layout(abuti_islands *islands, const abut_contact_limits *limits, void **memory)
{
    abuti_arena arena;
    DENSE_LAYOUT(abuti_islands_layout(islands, &arena, limits), arena);
    *memory = arena.base;
    CHECK(!arena.overflow);
}

static void expect_list(const int *list, int count, const int *expected, int expected_count)
{
    CHECK_EQ_INT(count, expected_count);
    for (int i = 0; i < count && i < expected_count; ++i) CHECK_EQ_INT(list[i], expected[i]);
}

/* 0 - 2 by a contact, 1 - 4 by a joint, 3 alone, 5 kinematic under 0 and 1, 6 static; 7 free. */
static void test_lists(void)
{
    contact_case c = {.bodies = 8, .contacts = 5, .joints = 2};
    for (int b = 0; b < 8; ++b) c.body[b] = (abut_body){.mass = 1, .inertia = {1, 1, 1}};
    c.body[5].kind = ABUT_KINEMATIC;
    c.body[6].kind = ABUT_STATIC;
    const int pairs[5][2] = {{5, 1}, {2, 0}, {0, 5}, {3, ABUT_WORLD}, {5, 6}};
    for (int i = 0; i < 5; ++i) {
        c.contact[i] = (abut_contact){.bodies = {pairs[i][0], pairs[i][1]}, .normal = {0, 0, 1}};
    }
    c.joint[0] = (abut_joint){.bodies = {4, 1}};
    c.joint[1] = (abut_joint){.bodies = {6, ABUT_WORLD}};
    abut_contact_problem problem = case_problem(&c);
    abut_contact_limits limits = {.bodies = 8, .contacts = 5, .joints = 2};
    abuti_islands islands;
    void *memory = NULL;
    layout(&islands, &limits, &memory);
    abuti_islands_find(&islands, &problem);
    CHECK_EQ_INT(islands.count, 3);
    expect_list(islands.island[0].body, islands.island[0].bodies, (int[]){0, 2}, 2);
    expect_list(islands.island[0].contact, islands.island[0].contacts, (int[]){1, 2}, 2);
    expect_list(islands.island[0].joint, islands.island[0].joints, NULL, 0);
    expect_list(islands.island[1].body, islands.island[1].bodies, (int[]){1, 4}, 2);
    expect_list(islands.island[1].contact, islands.island[1].contacts, (int[]){0}, 1);
    expect_list(islands.island[1].joint, islands.island[1].joints, (int[]){0}, 1);
    expect_list(islands.island[2].body, islands.island[2].bodies, (int[]){3}, 1);
    expect_list(islands.island[2].contact, islands.island[2].contacts, (int[]){3}, 1);
    expect_list(islands.loose.body, islands.loose.bodies, (int[]){7}, 1);
    expect_list(islands.loose.contact, islands.loose.contacts, (int[]){4}, 1);
    expect_list(islands.loose.joint, islands.loose.joints, (int[]){1}, 1);
    expect_list(islands.block, 8, (int[]){0, 0, 1, 0, 1, -1, -1, 0}, 8);
    dense_free(memory);
}

/* Contacts of one group hold their bodies together, through any order of numbers. */
static void test_groups(void)
{
    contact_case c = {.bodies = 4, .contacts = 4};
    for (int b = 0; b < 4; ++b) {
        c.body[b] = (abut_body){.mass = 1, .inertia = {1, 1, 1}};
        c.contact[b] = (abut_contact){.bodies = {b, ABUT_WORLD}, .normal = {0, 0, 1}};
    }
    c.contact[0].group = c.contact[3].group = 1000003;
    c.contact[1].group = 7;
    abut_contact_problem problem = case_problem(&c);
    abut_contact_limits limits = {.bodies = 4, .contacts = 4};
    abuti_islands islands;
    void *memory = NULL;
    layout(&islands, &limits, &memory);
    for (int twice = 0; twice < 2; ++twice) {
        abuti_islands_find(&islands, &problem);
        CHECK_EQ_INT(islands.count, 3);
        expect_list(islands.island[0].body, islands.island[0].bodies, (int[]){0, 3}, 2);
    }
    dense_free(memory);
}

/* A long chain in the worst order ends as one island. */
static void test_chain(void)
{
    enum { N = 2000 };
    static abut_body body[N];
    static abut_contact contact[N];
    for (int i = 0; i < N; ++i) {
        body[i] = (abut_body){.mass = 1, .inertia = {1, 1, 1}};
        contact[i] =
            (abut_contact){.bodies = {N - 1 - i, i == N - 1 ? ABUT_WORLD : N - 2 - i}, .normal = {0, 0, 1}};
    }
    abut_contact_problem problem = {
        .step = 0.01, .body_count = N, .bodies = body, .contact_count = N, .contacts = contact};
    abut_contact_limits limits = {.bodies = N, .contacts = N};
    abuti_islands islands;
    void *memory = NULL;
    layout(&islands, &limits, &memory);
    abuti_islands_find(&islands, &problem);
    CHECK_EQ_INT(islands.count, 1);
    CHECK_EQ_INT(islands.island[0].bodies, N);
    CHECK_EQ_INT(islands.island[0].contacts, N);
    dense_free(memory);
}

/* Through the W + q door entries of W connect, on either side of the diagonal, joints and groups too. */
static void test_local(void)
{
    enum { CONTACTS = 5, JOINTS = 2, SIZE = 3 * CONTACTS + JOINTS };
    static double W[SIZE * SIZE], q[SIZE];
    abut_contact contact[CONTACTS];
    abut_joint joint[JOINTS];
    memset(contact, 0, sizeof contact);
    memset(joint, 0, sizeof joint);
    for (int i = 0; i < SIZE; ++i) W[i * SIZE + i] = 1.0;
    W[2 * SIZE + 11] = 0.5;  /* contact 0, n x t, with contact 3 */
    W[16 * SIZE + 4] = -0.1; /* joint 1 with contact 1 */
    contact[2].group = contact[4].group = 3;
    abut_local local = {.dimension = 3, .W = W, .q = q};
    abut_contact_problem problem = {.step = 1.0,
                                    .contact_count = CONTACTS,
                                    .contacts = contact,
                                    .joint_count = JOINTS,
                                    .joints = joint,
                                    .local = &local};
    abut_contact_limits limits = {.contacts = CONTACTS, .joints = JOINTS, .local = true};
    abuti_islands islands;
    void *memory = NULL;
    layout(&islands, &limits, &memory);
    abuti_islands_find(&islands, &problem);
    CHECK_EQ_INT(islands.count, 4);
    expect_list(islands.island[0].contact, islands.island[0].contacts, (int[]){0, 3}, 2);
    expect_list(islands.island[1].contact, islands.island[1].contacts, (int[]){1}, 1);
    expect_list(islands.island[1].joint, islands.island[1].joints, (int[]){1}, 1);
    expect_list(islands.island[2].contact, islands.island[2].contacts, (int[]){2, 4}, 2);
    expect_list(islands.island[3].contact, islands.island[3].contacts, NULL, 0);
    expect_list(islands.island[3].joint, islands.island[3].joints, (int[]){0}, 1);
    CHECK_EQ_INT(islands.loose.contacts + islands.loose.joints + islands.loose.bodies, 0);
    dense_free(memory);
}

/* Several problems in one call: each has the very bits it has alone, and the worst outcome counts. */
static void test_apart_and_together(void)
{
    uint64_t seed = check_seed(99);
    for (int k = 0; k < 20; ++k) {
        bench_random random = bench_random_stream(seed, (uint64_t)k);
        contact_case one[3], all = {0};
        for (int i = 0; i < 3; ++i) {
            case_random(&one[i], 1, 3 + (k + i) % 5, &random);
            all.body[all.bodies] = one[i].body[0];
            for (int j = 0; j < one[i].contacts; ++j) {
                all.contact[all.contacts] = one[i].contact[j];
                all.contact[all.contacts++].bodies[0] = all.bodies;
            }
            all.bodies++;
        }
        abut_contact_options options = abut_contact_default_options();
        abut_contact_problem problem = case_problem(&all);
        abut_contact_result together;
        abut_contact_workspace *work = case_solve(&problem, &options, &together);
        CHECK_EQ_INT(together.outcome, ABUT_SOLVED);
        CHECK_EQ_INT(together.islands, 3);
        int pivots = 0, at = 0;
        for (int i = 0; i < 3 && together.contacts; ++i) {
            abut_contact_problem single = case_problem(&one[i]);
            abut_contact_result apart;
            abut_contact_workspace *other = case_solve(&single, &options, &apart);
            CHECK_EQ_INT(apart.outcome, ABUT_SOLVED);
            pivots += apart.pivots;
            for (int c = 0; c < 6; ++c) CHECK(together.velocity[6 * i + c] == apart.velocity[c]);
            for (int j = 0; j < one[i].contacts; ++j, ++at) {
                CHECK(together.contacts[at].normal == apart.contacts[j].normal);
                CHECK_EQ_INT(together.contacts[at].state, apart.contacts[j].state);
            }
            abut_contact_workspace_destroy(other);
        }
        CHECK_EQ_INT(together.pivots, pivots);
        abut_contact_workspace_destroy(work);
    }
}

int main(void)
{
    RUN(test_lists);
    RUN(test_groups);
    RUN(test_chain);
    RUN(test_local);
    RUN(test_apart_and_together);
    return check_report();
}
