/* The thresholds of validation, shared by the quick checks, the explaining ones, and those of worlds. */
#ifndef ABUTI_CONTACT_SYSTEM_THRESHOLDS_H
#define ABUTI_CONTACT_SYSTEM_THRESHOLDS_H

#include "abut/contact.h"

/* The largest magnitude that is accepted: squares and products of a few such numbers are still finite doubles. */
#define ABUTI_LARGEST 1e100
/* The largest | |n| - 1 |. Normals from single-precision callers pass, and are made exact. */
#define ABUTI_UNIT_NORMAL 1e-6
/* The least square of the sine between normal and tangent. Below it the projected tangent has lost more than three
 * digits. */
#define ABUTI_TANGENT_LEFT 1e-6
/* The least pivot of a Cholesky factorisation, relative to its diagonal entry: some fifty roundings. */
#define ABUTI_DEFINITE 1e-14
/* The largest |M_ij - M_ji|, relative to sqrt(M_ii M_jj): what numbers of nine digits leave. */
#define ABUTI_SYMMETRIC 1e-9
/* How far principal moments may violate the triangle inequality, relative to their sum: what a rotated and rounded rod
 * needs, with room for data given in nine digits. */
#define ABUTI_TRIANGLE 1e-9

/* The principal moments satisfy the triangle inequality exactly when trace / 2 - inertia is positive
 * semidefinite: its eigenvalues are (b + c - a) / 2 and so on. A small multiple of the trace is the
 * allowance. */
static inline bool abuti_triangle_holds(const double I[6])
{
    double half = 0.5 * (I[0] + I[1] + I[2]), allowance = half * ABUTI_TRIANGLE;
    double a = half - I[0] + allowance, b = half - I[1] + allowance, c = half - I[2] + allowance;
    if (I[3] == 0.0 && I[4] == 0.0 && I[5] == 0.0) return a > 0.0 && b > 0.0 && c > 0.0;
    double l10 = -I[3] / a, l20 = -I[4] / a;
    double d1 = b + I[3] * l10;
    double l21 = (-I[5] + I[4] * l10) / d1;
    double d2 = c + I[4] * l20 - l21 * l21 * d1;
    return a > 0.0 && d1 > 0.0 && d2 > 0.0;
}

/* Whether all counts are so small that sizes computed from them stay far below INT_MAX. It is asked before an array is
 * read. */
static inline bool abuti_countable(const abut_contact_problem *problem)
{
    return problem->contact_count >= 0 && problem->contact_count <= ABUT_COUNT_MAX &&
           problem->joint_count >= 0 && problem->joint_count <= ABUT_COUNT_MAX && problem->body_count >= 0 &&
           problem->body_count <= ABUT_COUNT_MAX &&
           (!problem->generalised || problem->generalised->nv <= ABUT_COUNT_MAX);
}

#define ABUTI_FLATTEST 1e6 /* the larger coefficient of an ellipse over the smaller, at most */

#endif
