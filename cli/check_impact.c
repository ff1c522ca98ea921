#include "check_impact.h"
#include "models.h"

#include <stdlib.h>
#include <string.h>

/* The contacts of an impact: Coulomb friction on circles, or on the polygons of the solve, no gap and no bounce. Viscous
 * coefficients are those of the forces times options.accel.impact_seconds. */
static void sudden_contacts(const abut_contact_problem *problem, const abut_accel_options *accel,
                            abut_contact *out)
{
    double seconds = model_has_law(problem->model, ABUT_LAW_GIVEN) ? accel->impact_seconds : 0;
    for (int i = 0; i < problem->contact_count; ++i) {
        out[i] = problem->contacts[i];
        out[i].gap = out[i].restitution = 0;
        out[i].viscous *= seconds;
        if (out[i].directions != ABUT_DIRECTIONS_MIN) out[i].directions = accel->directions;
    }
}

/* Joint rows keep their rates. */
static void sudden_joints(const abut_contact_problem *problem, abut_joint *out)
{
    for (int j = 0; j < problem->joint_count; ++j) {
        out[j] = problem->joints[j];
        out[j].target = 0;
        for (int side = 0; side < 2; ++side) {
            int body = out[j].bodies[side];
            for (int c = 0; body >= 0 && c < 6; ++c)
                out[j].target += out[j].jacobian[side][c] * problem->bodies[body].velocity[c];
        }
    }
}

bool check_impact(abuti_contact_data *data, const abuti_contact_solution *solution, int k,
                  const abut_contact_options *options, double *scratch, abut_contact_check *check)
{
    abut_contact_problem problem = abuti_contact_data_problem(data), sudden = problem;
    if (problem.body_count == 0 || (problem.joint_count > 0 && !solution->impact_joints)) return false;
    const double *impulses = solution->impact + 3 * k * problem.contact_count;
    const double *impulses_of_joints =
        solution->impact_joints ? solution->impact_joints + k * problem.joint_count : NULL;
    const double *velocity = solution->impact_velocity + 6 * k * problem.body_count;
    abut_body *bodies = malloc((size_t)problem.body_count * sizeof *bodies);
    abut_contact *contacts = malloc((size_t)(problem.contact_count + 1) * sizeof *contacts);
    abut_joint *joints = malloc((size_t)(problem.joint_count + 1) * sizeof *joints);
    bool judged = false;
    if (bodies && contacts && joints) {
        sudden_contacts(&problem, &options->accel, contacts);
        sudden_joints(&problem, joints);
        for (int b = 0; b < problem.body_count; ++b) {
            bodies[b] = problem.bodies[b];
            memset(bodies[b].force, 0, sizeof bodies[b].force);
        }
        sudden.model = abut_contact_model_info(problem.model)->impact;
        sudden.step = 1;
        sudden.bodies = bodies;
        sudden.contacts = contacts;
        sudden.joints = joints;
        judged = abut_contact_verify(&sudden, options, impulses, impulses_of_joints, velocity, scratch,
                                     check) == ABUT_OK;
    }
    for (int b = 0; b < problem.body_count && judged; ++b)
        if (problem.bodies[b].kind == ABUT_DYNAMIC)
            memcpy(data->bodies[b].velocity, velocity + 6 * b, 6 * sizeof(double));
    free(bodies);
    free(contacts);
    free(joints);
    return judged;
}
