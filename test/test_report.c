/* Results for each island: an island without an answer takes none from the others. */
#include "abut/contact.h"
#include "check.h"

enum { BOXES = 3, CORNERS = 4, CONTACTS = BOXES * CORNERS + 1 };

typedef struct scene {
    abut_body bodies[BOXES];
    abut_contact contacts[CONTACTS];
    abut_contact_problem problem;
} scene;

/* Boxes side by side on the ground, each an island; the middle one is pressed into the ground by a lid, so far
 * that no motion leaves both: ground and lid ask for 1 m/s in opposite directions. */
static void make(scene *s, bool pinched)
{
    *s =
        (scene){.problem = {.step = 0.01, .body_count = BOXES, .bodies = s->bodies, .contacts = s->contacts}};
    for (int b = 0; b < BOXES; ++b) {
        s->bodies[b] = (abut_body){.mass = 1 + b,
                                   .inertia = {0.1, 0.1, 0.1},
                                   .com = {3.0 * b, 0, 0.5},
                                   .velocity = {0, 0, -0.5},
                                   .force = {0, 0, -9.81 * (1 + b)}};
        for (int c = 0; c < CORNERS; ++c) {
            abut_contact *contact = &s->contacts[s->problem.contact_count++];
            *contact = (abut_contact){.bodies = {b, ABUT_WORLD}, .normal = {0, 0, 1}, .friction = 0.5};
            contact->point[0] = 3.0 * b + (c & 1 ? 0.5 : -0.5);
            contact->point[1] = c & 2 ? 0.5 : -0.5;
            contact->gap = pinched && b == 1 ? -0.01 : 0.0;
            contact->key = (uint64_t)s->problem.contact_count;
        }
    }
    if (!pinched) return;
    s->contacts[s->problem.contact_count++] = (abut_contact){
        .bodies = {1, ABUT_WORLD}, .point = {3, 0, 1}, .normal = {0, 0, -1}, .gap = -0.01, .key = 99};
}

/* The box's part of the answer, judged as a problem of its own. */
static double judge_alone(const scene *s, const abut_contact_result *result, int box)
{
    double scratch[4096], impulses[3 * CORNERS];
    abut_contact contacts[CORNERS];
    abut_contact_problem alone = s->problem;
    alone.body_count = 1;
    alone.bodies = &s->bodies[box];
    alone.contact_count = CORNERS;
    alone.contacts = contacts;
    for (int c = 0; c < CORNERS; ++c) {
        const abut_contact_answer *answer = &result->contacts[box * CORNERS + c];
        contacts[c] = s->contacts[box * CORNERS + c];
        contacts[c].bodies[0] = 0;
        impulses[3 * c] = answer->normal;
        impulses[3 * c + 1] = answer->tangent[0];
        impulses[3 * c + 2] = answer->tangent[1];
    }
    abut_contact_check check;
    CHECK(abut_contact_verify_size(&alone) <= sizeof scratch / sizeof scratch[0]);
    CHECK_EQ_INT(
        abut_contact_verify(&alone, NULL, impulses, NULL, result->velocity + 6 * box, scratch, &check),
        ABUT_OK);
    return check.residual;
}

static void test_one_island_fails(void)
{
    scene s;
    make(&s, true);
    abut_contact_options options = abut_contact_default_options();
    options.warm = true;
    abut_contact_limits limits = {.bodies = BOXES, .contacts = CONTACTS};
    abut_contact_workspace *work = NULL;
    abut_contact_result result;
    CHECK_EQ_INT(abut_contact_workspace_create(&limits, NULL, &work), ABUT_OK);
    CHECK_EQ_INT(abut_contact_solve(work, &s.problem, &options, &result), ABUT_OK);

    CHECK_EQ_INT(result.outcome, ABUT_INFEASIBLE);
    CHECK(!(result.residual < INFINITY));
    CHECK_EQ_INT(result.islands, BOXES);
    CHECK(result.contacts && result.velocity && result.faces && result.witness);
    for (int k = 0; k < BOXES; ++k) {
        const abut_island_result *island = &result.island[k];
        CHECK_EQ_INT(island->body_count, 1);
        CHECK_EQ_INT(island->bodies[0], k);
        CHECK_EQ_INT(island->contact_count, CORNERS + (k == 1));
        CHECK_EQ_INT(island->contacts[0], k * CORNERS);
        CHECK_EQ_INT(island->joint_count, 0);
        CHECK(island->stage);
        CHECK_EQ_INT(island->outcome, k == 1 ? ABUT_INFEASIBLE : ABUT_SOLVED);
        if (k == 1) continue;
        CHECK(island->residual <= options.tolerance);
        CHECK(judge_alone(&s, &result, k) <= options.tolerance);
        CHECK_NEAR(result.velocity[6 * k + 2], 0.0, 1e-12);
    }
    /* Nothing acts on the pinched box, and it keeps its velocity. */
    for (int c = 0; c < CORNERS; ++c) CHECK(result.contacts[CORNERS + c].normal == 0.0);
    CHECK_NEAR(result.velocity[6 + 2], -0.5, 0.0);
    CHECK_EQ_INT(result.faces[CORNERS].state, ABUT_NEW);

    /* In the next step the others are found again: a check, no pivots. */
    make(&s, false);
    CHECK_EQ_INT(abut_contact_solve(work, &s.problem, &options, &result), ABUT_OK);
    CHECK_EQ_INT(result.outcome, ABUT_SOLVED);
    CHECK_EQ_INT(result.island[0].pivots, 0);
    CHECK_EQ_INT(result.island[2].pivots, 0);
    CHECK(result.island[1].pivots > 0);
    abut_contact_workspace_destroy(work);
}

int main(void)
{
    RUN(test_one_island_fails);
    return check_report();
}
