/* The verifier on joint rows: every door tells the same few numbers about a row, and the findings follow from them. */
#include "contact/verify/parts.h"

double abuti_verify_least(const abut_joint *joint)
{
    if (!joint->bounded) return 0.0;
    return joint->lower > 0.0 ? joint->lower : joint->upper < 0.0 ? joint->upper : 0.0;
}

/* |z - mid(lower, z - w, upper)| of a box complementarity row, in one unit. */
static double box_error(double z, double w, double lower, double upper)
{
    double to = z - w;
    if (to < lower) to = lower;
    if (to > upper) to = upper;
    return fabs(z - to);
}

void abuti_verify_joint(const abuti_verification *v, int index, double rate, double given, double square)
{
    const abut_joint *joint = &v->problem->joints[index];
    double impulse = v->joints[index], target = abuti_verify_target(v, joint), w = rate - target;
    if (joint->compliance > 0.0) {
        w += joint->compliance * impulse;
        square += joint->compliance;
    }
    double size = square > 0.0 ? sqrt(square) : 1.0;
    double error = joint->bounded
                       ? box_error(impulse * size, w / size, joint->lower * size, joint->upper * size)
                       : fabs(w) / size;
    abuti_raise(&v->findings->joint, error);
    abuti_raise(&v->findings->offset[0], fabs(given - target) / size);
    abuti_raise(&v->findings->offset[0], fabs(abuti_verify_least(joint)) * size);
    abuti_raise(&v->findings->impulse[0], fabs(impulse) * size);
}

bool abuti_verify_weight(const abut_joint *joint, double weight)
{
    if (weight == 0.0) return true;
    if (joint->compliance > 0.0) return false;
    if (!joint->bounded) return true;
    return weight > 0.0 ? joint->upper == INFINITY : joint->lower == -INFINITY;
}
