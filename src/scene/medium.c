/* Drag of the medium: MuJoCo's model of boxes that have the bodies' inertia. A force that grows with the velocity is
 * taken as large as it is at the end of the step when it acts alone, so that thick media do not throw bodies back. */
#include "base/angle.h"
#include "base/space.h"
#include "scene/reader.h"
#include "scene/simulation.h"

#include <math.h>

void abuti_measure_boxes(abut_simulation *simulation)
{
    const abut_scene *scene = simulation->scene;
    abuti_simulation *inside = abuti_inside(simulation);
    for (int i = 1; i < scene->body_count; ++i) {
        const abut_scene_body *body = &scene->bodies[i];
        double moments[3], axes[9];
        if (!(body->mass > ABUTI_TINY)) continue;
        abuti_symmetric_eigen(body->inertia, moments, axes);
        abuti_quat_from_columns(inside->box_axes[i], axes);
        for (int k = 0; k < 3; ++k) {
            double sum = moments[(k + 1) % 3] + moments[(k + 2) % 3] - moments[k];
            inside->boxes[i][k] = sqrt(1.5 * (sum > 0 ? sum : 0) / body->mass);
        }
    }
}

/* The coefficient by which the velocity at the beginning of the step gives the drag at its end, for something of this
 * inertia that nothing else moves. */
static double damped(double drag, double inertia, double step)
{
    return inertia > 0 ? drag / (1 + step * drag / inertia) : 0;
}

static abut_status drag_body(abut_simulation *simulation, int index, double step)
{
    const abut_scene *scene = simulation->scene;
    const abuti_simulation *inside = abuti_inside(simulation);
    const double *r = inside->boxes[index];
    abut_body_state state;
    abut_status status = abut_body_get_state(simulation->world, simulation->bodies[index], &state);
    if (status != ABUT_OK) return status;
    double axes[4], back[4], v[3], w[3], force[3], torque[3];
    double mean = (r[0] + r[1] + r[2]) / 3, mass = scene->bodies[index].mass;
    abuti_quat_multiply(axes, state.rotation, inside->box_axes[index]);
    abuti_quat_conjugate(back, axes);
    abuti_v3_sub(v, state.velocity, scene->wind);
    abuti_quat_apply(v, back, v);
    abuti_quat_apply(w, back, state.velocity + 3);
    for (int k = 0; k < 3; ++k) {
        double a = r[(k + 1) % 3], b = r[(k + 2) % 3], moment = mass * (a * a + b * b) / 3;
        double linear = 6 * ABUTI_PI * scene->viscosity * mean + 2 * scene->density * a * b * fabs(v[k]);
        double angular = 8 * ABUTI_PI * scene->viscosity * mean * mean * mean +
                         scene->density * r[k] * (a * a * a * a + b * b * b * b) * fabs(w[k]) / 2;
        force[k] = -damped(linear, mass, step) * v[k];
        torque[k] = -damped(angular, moment, step) * w[k];
    }
    abuti_quat_apply(force, axes, force);
    abuti_quat_apply(torque, axes, torque);
    return abut_body_apply_force(simulation->world, simulation->bodies[index], force, state.com, torque);
}

abut_status abuti_apply_drag(abut_simulation *simulation, double step)
{
    const abut_scene *scene = simulation->scene;
    abut_status status = ABUT_OK;
    if (!(scene->density > 0 || scene->viscosity > 0)) return ABUT_OK;
    for (int i = 1; status == ABUT_OK && i < scene->body_count; ++i)
        if (abuti_inside(simulation)->moves[i] && scene->bodies[i].mass > ABUTI_TINY)
            status = drag_body(simulation, i, step);
    return status;
}
