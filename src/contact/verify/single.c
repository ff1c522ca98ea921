/* The verifier through the bodies' door: what is made for one contact at a time, where the passes over eight
 * do not reach. */
#include "contact/verify/parts.h"
#include <string.h>

static double dot3(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void abuti_verify_frame(const abut_contact *contact, double *n, double *t)
{
    memcpy(n, contact->normal, 3 * sizeof *n);
    memcpy(t, contact->tangent, 3 * sizeof *t);
    double length = sqrt(dot3(n, n));
    for (int c = 0; c < 3; ++c) n[c] /= length;
    if (dot3(t, t) == 0.0) {
        const double *given = contact->normal; /* rounding may make two components equal that are not */
        int axis = 0;
        for (int c = 1; c < 3; ++c)
            if (fabs(given[c]) < fabs(given[axis])) axis = c;
        t[axis] = 1.0;
    }
    double along = dot3(t, n);
    for (int c = 0; c < 3; ++c) t[c] -= along * n[c];
    length = sqrt(dot3(t, t));
    for (int c = 0; c < 3; ++c) t[c] /= length;
}

/* Velocity of a body at a point along an axis. */
static double velocity_along(const double *velocity, const double *com, const double *point, int l,
                             const double axis[3][ABUTI_LANES])
{
    double r[3], sum = 0.0;
    for (int c = 0; c < 3; ++c) r[c] = point[c] - com[c];
    for (int c = 0; c < 3; ++c) {
        int d = (c + 1) % 3, e = (c + 2) % 3;
        sum += axis[c][l] * (velocity[c] + velocity[3 + d] * r[e] - velocity[3 + e] * r[d]);
    }
    return sum;
}

/* u along an axis before the step, summed over the sides whose body is of the given kinds (a bit for each). */
static double sides_along(const abut_contact_problem *problem, const abut_contact *contact, int l,
                          const double axis[3][ABUTI_LANES], unsigned kinds)
{
    double sum = 0.0;
    for (int side = 0; side < 2; ++side) {
        int index = contact->bodies[side];
        if (index < 0 || !(kinds >> problem->bodies[index].kind & 1u)) continue;
        const abut_body *body = &problem->bodies[index];
        sum += (side == 0 ? 1.0 : -1.0) *
               velocity_along(body->velocity, body->com, abuti_verify_point(contact, side), l, axis);
    }
    return sum;
}

/* The velocity along an axis that no impulse changes, which is that of kinematic sides. */
static double given_along(const abut_contact_problem *problem, const abut_contact *contact, int l,
                          const double axis[3][ABUTI_LANES])
{
    return sides_along(problem, contact, l, axis, 1u << ABUT_KINEMATIC);
}

/* u along an axis before the step. */
static double before_along(const abut_contact_problem *problem, const abut_contact *contact, int l,
                           const double axis[3][ABUTI_LANES])
{
    return sides_along(problem, contact, l, axis, ~(1u << ABUT_STATIC));
}

void abuti_verify_offset(const abuti_verification *v, abuti_chunk *chunk, const abuti_frames *g, int l)
{
    const abut_contact_problem *problem = v->problem;
    const abut_contact *contact = &problem->contacts[chunk->index[l]];
    double before = before_along(problem, contact, l, g->normal), b = abuti_verify_bias(v, contact, before);
    chunk->velocity[0][l] = b;
    chunk->offset[0][l] = b;
    chunk->before[0][l] = before;
    chunk->before[1][l] = before_along(problem, contact, l, g->tangent);
    chunk->before[2][l] = before_along(problem, contact, l, g->binormal);
    if (v->accelerations) {
        for (int axis = 1; axis < 3; ++axis)
            chunk->velocity[axis][l] = chunk->offset[axis][l] = contact->drift[axis];
    } else {
        chunk->offset[0][l] += given_along(problem, contact, l, g->normal);
        chunk->offset[1][l] = given_along(problem, contact, l, g->tangent);
        chunk->offset[2][l] = given_along(problem, contact, l, g->binormal);
    }
}
