/* Warm starts at the acceleration level: states of the last call are tried first, and judged as ever. */
#include "contact_case.h"

/* A box that is pushed a little more every time: its states are checked first, and hold until it slides. */
static void test_warm_starts(void)
{
    enum { FEET = 4 };
    abut_body box = {.mass = 2.0, .inertia = {1, 1, 1}, .com = {0, 0, 0.5}, .force = {0, 0, -19.62}};
    abut_contact contact[FEET];
    for (int i = 0; i < FEET; ++i)
        contact[i] = (abut_contact){.bodies = {0, ABUT_WORLD},
                                    .point = {i % 2 - 0.5, i / 2 - 0.5, 0},
                                    .normal = {0, 0, 1},
                                    .friction = 0.5,
                                    .key = (uint64_t)i + 1};
    abut_contact_problem problem = {.model = ABUT_COULOMB_ACCEL,
                                    .body_count = 1,
                                    .bodies = &box,
                                    .contact_count = FEET,
                                    .contacts = contact};
    abut_contact_options options = abut_contact_default_options();
    options.warm = true;
    abut_contact_limits limits = abut_contact_limits_for(&problem, &options);
    abut_contact_workspace *work = NULL;
    CHECK_EQ_INT(abut_contact_workspace_create(&limits, NULL, &work), ABUT_OK);
    int warm = 0;
    for (int k = 0; k < 60; ++k) {
        abut_contact_result result;
        box.force[0] = 0.2 * k; /* slides from 9.81 on */
        box.force[1] = 0.01 * k;
        CHECK_EQ_INT(abut_contact_solve(work, &problem, &options, &result), ABUT_OK);
        abut_contact_check check = case_verify(&problem, &options, &result);
        CHECK(result.outcome == ABUT_SOLVED && check.residual <= 1e-10);
        warm += result.stage && strcmp(result.stage, "drive-warm") == 0;
        if (result.velocity) CHECK_NEAR(result.velocity[0], fmax(0.0, (box.force[0] - 9.81) / 2.0), 0.05);
    }
    CHECK_MSG(warm > 30, "%d of 60", warm);
    abut_contact_workspace_destroy(work);
}

int main(void)
{
    RUN(test_warm_starts);
    return check_report();
}
