/* Frames: the five forms of an orientation. */
#include "scene/reader.h"

#include "base/angle.h"
#include "base/space.h"
#include <string.h>

static const char *const forms[] = {"quat", "axisangle", "xyaxes", "zaxis", "euler"};
enum { QUAT, AXISANGLE, XYAXES, ZAXIS, EULER, FORMS };

double abuti_angle(const abuti_compiler *compiler, double value)
{
    return compiler->degrees ? value / 180 * ABUTI_PI : value;
}

/* Once a form other than quat is given, it overrides every quat, also one of an inner class. MuJoCo reads them so. */
void abuti_orientation_read(const abuti_element *element, abuti_orientation *orientation)
{
    abuti_numbers_of(element, forms[QUAT], orientation->quat);
    for (int form = AXISANGLE; form < FORMS; ++form)
        if (abuti_numbers_of(element, forms[form], orientation->numbers) > 0) orientation->form = form;
}

void abuti_quat_from_z(double quat[4], const double direction[3])
{
    double d[3], z[3] = {0, 0, 1}, axis[3];
    abuti_v3_copy(d, direction);
    abuti_v3_normalise(d);
    abuti_v3_cross(axis, z, d);
    double sine = abuti_v3_normalise(axis);
    if (sine < 1e-10) abuti_v3_set(axis, 1, 0, 0);
    abuti_v3_scale(axis, abuti_angle_of(sine, d[2]), axis);
    abuti_quat_from_vector(quat, axis);
}

/* The largest of the four squares is at least a quarter. */
void abuti_quat_from_columns(double quat[4], const double m[9])
{
    double trace = m[0] + m[4] + m[8];
    if (trace > 0) {
        double s = 2 * sqrt(1 + trace);
        quat[0] = s / 4, quat[1] = (m[7] - m[5]) / s, quat[2] = (m[2] - m[6]) / s,
        quat[3] = (m[3] - m[1]) / s;
    } else if (m[0] > m[4] && m[0] > m[8]) {
        double s = 2 * sqrt(1 + m[0] - m[4] - m[8]);
        quat[0] = (m[7] - m[5]) / s, quat[1] = s / 4, quat[2] = (m[1] + m[3]) / s,
        quat[3] = (m[2] + m[6]) / s;
    } else if (m[4] > m[8]) {
        double s = 2 * sqrt(1 + m[4] - m[0] - m[8]);
        quat[0] = (m[2] - m[6]) / s, quat[1] = (m[1] + m[3]) / s, quat[2] = s / 4,
        quat[3] = (m[5] + m[7]) / s;
    } else {
        double s = 2 * sqrt(1 + m[8] - m[0] - m[4]);
        quat[0] = (m[3] - m[1]) / s, quat[1] = (m[2] + m[6]) / s, quat[2] = (m[5] + m[7]) / s,
        quat[3] = s / 4;
    }
    abuti_quat_normalise(quat);
}

static bool from_xyaxes(double quat[4], const double numbers[6])
{
    double axes[9];
    memcpy(axes, numbers, 6 * sizeof *axes);
    if (abuti_v3_normalise(axes) < ABUTI_TINY) return false;
    abuti_v3_add_scaled(axes + 3, axes + 3, -abuti_v3_dot(axes, axes + 3), axes);
    if (abuti_v3_normalise(axes + 3) < ABUTI_TINY) return false;
    abuti_v3_cross(axes + 6, axes, axes + 3);
    double columns[9];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) columns[3 * i + j] = axes[3 * j + i];
    abuti_quat_from_columns(quat, columns);
    return true;
}

static void from_euler(double quat[4], const abuti_compiler *compiler, const double angles[3])
{
    double total[4] = {1, 0, 0, 0};
    for (int i = 0; i < 3; ++i) {
        char letter = compiler->euler[i];
        bool fixed = letter < 'a';
        double vector[3] = {0, 0, 0}, turn[4];
        vector[(fixed ? letter - 'X' : letter - 'x')] = abuti_angle(compiler, angles[i]);
        abuti_quat_from_vector(turn, vector);
        abuti_quat_multiply(total, fixed ? turn : total, fixed ? total : turn);
    }
    memcpy(quat, total, sizeof total);
}

bool abuti_orientation_resolve(abuti_reader *reader, const abuti_compiler *compiler,
                               const abuti_element *element, const abuti_orientation *orientation,
                               double quat[4])
{
    double axis[3];
    bool good = true;
    switch (orientation->form) {
    case QUAT:
        memcpy(quat, orientation->quat, 4 * sizeof *quat);
        good = fabs(quat[0]) + fabs(quat[1]) + fabs(quat[2]) + fabs(quat[3]) >= ABUTI_TINY;
        break;
    case AXISANGLE:
        abuti_v3_copy(axis, orientation->numbers);
        good = abuti_v3_normalise(axis) >= ABUTI_TINY;
        abuti_v3_scale(axis, abuti_angle(compiler, orientation->numbers[3]), axis);
        abuti_quat_from_vector(quat, axis);
        break;
    case XYAXES: good = from_xyaxes(quat, orientation->numbers); break;
    case ZAXIS:
        good = abuti_v3_length(orientation->numbers) >= ABUTI_TINY;
        abuti_quat_from_z(quat, orientation->numbers);
        break;
    default: from_euler(quat, compiler, orientation->numbers); break;
    }
    if (!good)
        return abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, element, forms[orientation->form],
                          "too small; expected a direction");
    abuti_quat_normalise(quat);
    return true;
}

void abuti_pose_identity(abut_scene_pose *pose)
{
    *pose = (abut_scene_pose){.quat = {1, 0, 0, 0}};
}

bool abuti_pose_read(abuti_reader *reader, const abuti_compiler *compiler, const abuti_element *element,
                     abut_scene_pose *pose)
{
    abuti_orientation orientation = {.quat = {1, 0, 0, 0}};
    abuti_pose_identity(pose);
    abuti_numbers_of(element, "pos", pose->pos);
    abuti_orientation_read(element, &orientation);
    return abuti_orientation_resolve(reader, compiler, element, &orientation, pose->quat);
}

void abuti_pose_compose(abut_scene_pose *out, const abut_scene_pose *outer, const abut_scene_pose *inner)
{
    abut_scene_pose result;
    abuti_quat_apply(result.pos, outer->quat, inner->pos);
    abuti_v3_add(result.pos, result.pos, outer->pos);
    abuti_quat_multiply(result.quat, outer->quat, inner->quat);
    abuti_quat_normalise(result.quat);
    *out = result;
}

void abuti_pose_invert(abut_scene_pose *out, const abut_scene_pose *pose)
{
    abut_scene_pose result;
    abuti_quat_conjugate(result.quat, pose->quat);
    abuti_quat_apply(result.pos, result.quat, pose->pos);
    abuti_v3_scale(result.pos, -1, result.pos);
    *out = result;
}
