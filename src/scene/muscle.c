/* Muscles as MuJoCo has them: activation dynamics, and forces by length and velocity. Lengths are scaled so that
 * length_range becomes the range among the muscle's numbers, where 1 is the length at which it is strongest. */
#include "scene/simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The places of a muscle's numbers in their array. */
enum { LOW, HIGH, FORCE, SCALE, LENGTH_MIN, LENGTH_MAX, SPEED_MAX, PASSIVE_MAX, LENGTHENING_MAX };

static const double tiny = 1e-15;

static double scaled_length(const abut_scene_actuator *actuator, const double *numbers, double length,
                            double *unit)
{
    *unit =
        (actuator->length_range[1] - actuator->length_range[0]) / fmax(tiny, numbers[HIGH] - numbers[LOW]);
    return numbers[LOW] + (length - actuator->length_range[0]) / fmax(tiny, *unit);
}

/* Two parabolas up to the strongest length, two down from it; 0 outside. */
static double by_length(double x, const double *numbers)
{
    double low = numbers[LENGTH_MIN], high = numbers[LENGTH_MAX];
    double rise = 0.5 * (low + 1), fall = 0.5 * (1 + high), part;
    if (x < low || x > high) return 0;
    if (x <= rise) {
        part = (x - low) / fmax(tiny, rise - low);
        return 0.5 * part * part;
    }
    if (x <= 1) {
        part = (1 - x) / fmax(tiny, 1 - rise);
        return 1 - 0.5 * part * part;
    }
    if (x <= fall) {
        part = (x - 1) / fmax(tiny, fall - 1);
        return 1 - 0.5 * part * part;
    }
    part = (high - x) / fmax(tiny, high - fall);
    return 0.5 * part * part;
}

/* The force is less while the muscle shortens, more while it lengthens. */
static double by_velocity(double v, double most)
{
    double rise = most - 1;
    if (v <= -1) return 0;
    if (v <= 0) return (v + 1) * (v + 1);
    return v <= rise ? most - (rise - v) * (rise - v) / fmax(tiny, rise) : most;
}

double abuti_muscle_gain(const abut_scene_actuator *actuator, double peak, double length, double velocity)
{
    const double *numbers = actuator->muscle_active;
    double unit, x = scaled_length(actuator, numbers, length, &unit);
    double v = velocity / fmax(tiny, unit * numbers[SPEED_MAX]);
    return -peak * by_length(x, numbers) * by_velocity(v, numbers[LENGTHENING_MAX]);
}

double abuti_muscle_bias(const abut_scene_actuator *actuator, double peak, double length)
{
    const double *numbers = actuator->muscle_passive;
    double unit, x = scaled_length(actuator, numbers, length, &unit);
    double bend = 0.5 * (1 + numbers[LENGTH_MAX]), width = fmax(tiny, bend - 1);
    if (x <= 1) return 0;
    double part = x <= bend ? (x - 1) / width : (x - bend) / width;
    return -peak * numbers[PASSIVE_MAX] * (x <= bend ? 0.5 * part * part : 0.5 + part);
}

static double clamp_unit(double x)
{
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

double abuti_muscle_rate(const abut_scene_actuator *actuator, double ctrl, double act)
{
    const double *times = actuator->muscle_times;
    double clamped = clamp_unit(act), missing = clamp_unit(ctrl) - act, share;
    double up = times[0] * (0.5 + 1.5 * clamped), down = times[1] / (0.5 + 1.5 * clamped);
    if (times[2] < tiny) {
        share = missing > 0 ? 1 : 0;
    } else {
        double x = clamp_unit(missing / times[2] + 0.5);
        share = x * x * x * (3 * x * (2 * x - 5) + 10);
    }
    return missing / fmax(tiny, down + (up - down) * share);
}

/* ---- the largest force, where none is given: `scale` over the acceleration that a force of one makes ---- */

static bool asks_peak(const abut_scene_actuator *actuator)
{
    return (actuator->muscle_gain && actuator->muscle_active[FORCE] < 0) ||
           (actuator->muscle_bias && actuator->muscle_passive[FORCE] < 0);
}

abut_status abuti_muscle_prepare(abut_simulation *simulation, int index, abut_error *error)
{
    const abut_scene_actuator *actuator = &simulation->scene->actuators[index];
    abuti_inside(simulation)->peaks[index] =
        actuator->muscle_gain ? actuator->muscle_active[FORCE] : actuator->muscle_passive[FORCE];
    if (!asks_peak(actuator) || actuator->transmission <= ABUT_SCENE_ON_TENDON) return ABUT_OK;
    return abuti_decline(error, ABUT_UNSUPPORTED, "actuator", actuator->name,
                         "a muscle that is not on a joint or tendon needs a force");
}

/* Solves matrix x = b in place: x holds b before. The matrix is symmetric positive definite, and is overwritten. */
static void solve(double *matrix, double *x, int n)
{
    for (int j = 0; j < n; ++j) {
        for (int k = 0; k < j; ++k) matrix[j * n + j] -= matrix[j * n + k] * matrix[j * n + k];
        matrix[j * n + j] = sqrt(fmax(matrix[j * n + j], tiny));
        for (int i = j + 1; i < n; ++i) {
            for (int k = 0; k < j; ++k) matrix[i * n + j] -= matrix[i * n + k] * matrix[j * n + k];
            matrix[i * n + j] /= matrix[j * n + j];
        }
    }
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < i; ++k) x[i] -= matrix[i * n + k] * x[k];
        x[i] /= matrix[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; ++k) x[i] -= matrix[k * n + i] * x[k];
        x[i] /= matrix[i * n + i];
    }
}

static double peak_of(const abut_scene *scene, const abut_scene_actuator *actuator, double *matrix, double *x)
{
    int n = scene->nv;
    memset(x, 0, (size_t)n * sizeof *x);
    if (actuator->transmission == ABUT_SCENE_ON_TENDON) {
        const abut_scene_tendon *tendon = &scene->tendons[actuator->target];
        for (int i = 0; i < tendon->count; ++i)
            x[scene->joints[tendon->joints[i]].qvel] += actuator->gear[0] * tendon->coefs[i];
    } else {
        const abut_scene_joint *joint = &scene->joints[actuator->target];
        static const int widths[] = {6, 3, 1, 1};
        for (int k = 0; k < widths[joint->type]; ++k) x[joint->qvel + k] = actuator->gear[k];
    }
    solve(matrix, x, n);
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += x[i] * x[i];
    const double *numbers = actuator->muscle_gain ? actuator->muscle_active : actuator->muscle_passive;
    return numbers[SCALE] / fmax(tiny, sqrt(sum));
}

abut_status abuti_muscle_peaks(abut_simulation *simulation)
{
    const abut_scene *scene = simulation->scene;
    abuti_simulation *inside = abuti_inside(simulation);
    size_t n = (size_t)scene->nv;
    double *room = NULL;
    abut_status status = ABUT_OK;
    for (int i = 0; status == ABUT_OK && i < scene->actuator_count; ++i) {
        if (!inside->driven[i] || !asks_peak(&scene->actuators[i])) continue;
        if (!room) room = malloc((n * n + n + 1) * sizeof *room);
        if (!room) return ABUT_OUT_OF_MEMORY;
        status = abut_world_get_mass_matrix(simulation->world, room);
        if (status == ABUT_OK) inside->peaks[i] = peak_of(scene, &scene->actuators[i], room, room + n * n);
    }
    free(room);
    return status;
}
