/* A box on a slope: does it stick or slip? Friction 0.5 holds it up to atan(0.5) = 26.6 degrees. */
#include <abut/contact.h>
#include <math.h>
#include <stdio.h>

int main(void)
{
    double angle = 30 * 3.14159265358979 / 180, weight = 2 * 9.81; /* x points down the slope, z up from it */
    abut_body box = {.mass = 2, .inertia = {0.19, 0.19, 0.33}, .com = {0, 0, 0.2}};
    box.force[0] = weight * sin(angle);
    box.force[2] = -weight * cos(angle);
    abut_contact corner = {.bodies = {0, ABUT_WORLD}, .normal = {0, 0, 1}, .friction = 0.5}, corners[4];
    for (int i = 0; i < 4; ++i) {
        corners[i] = corner;
        corners[i].point[0] = i & 1 ? 0.5 : -0.5;
        corners[i].point[1] = i & 2 ? 0.5 : -0.5;
    }
    abut_contact_problem problem = {
        .step = 0.01, .body_count = 1, .bodies = &box, .contact_count = 4, .contacts = corners};
    abut_contact_options options = abut_contact_default_options();
    abut_contact_limits limits = abut_contact_limits_for(&problem, &options);
    abut_contact_workspace *work = NULL;
    abut_contact_result result;
    if (abut_contact_workspace_create(&limits, NULL, &work) != ABUT_OK) return 1; /* the only allocation */
    if (abut_contact_solve(work, &problem, &options, &result) != ABUT_OK) return 1;
    if (result.outcome != ABUT_SOLVED) return 1;
    for (int i = 0; i < 4; ++i) {
        printf("corner %d: %s, normal impulse %.4f N s\n", i,
               abut_contact_state_name(result.contacts[i].state), result.contacts[i].normal);
    }
    printf("down the slope %.4f m/s, residual %.0e\n", result.velocity[0], result.residual);
    abut_contact_workspace_destroy(work);
    return 0;
}
