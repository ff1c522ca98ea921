/* The thresholds of validation, shared by the quick checks and the explaining ones. */
#ifndef ABUTI_CONTACT_SYSTEM_THRESHOLDS_H
#define ABUTI_CONTACT_SYSTEM_THRESHOLDS_H

#include "abut/contact.h"

/* Magnitude of any number that is taken: its square and products of a few still are doubles. */
#define ABUTI_LARGEST 1e100
/* | |n| - 1 |: normals from single-precision callers pass, and are made exact. */
#define ABUTI_UNIT_NORMAL 1e-6
/* Square of the sine between normal and tangent: below, the projected tangent has lost more than three
 * digits. */
#define ABUTI_TANGENT_LEFT 1e-6
/* A pivot of a Cholesky factorisation relative to its diagonal entry: some fifty roundings. */
#define ABUTI_DEFINITE 1e-14
/* M_ij - M_ji relative to sqrt(M_ii M_jj): what nine digits leave. */
#define ABUTI_SYMMETRIC 1e-9
/* Triangle inequality of principal moments, relative to their sum: what a rotated and rounded rod needs, with
 * room for data given in nine digits. */
#define ABUTI_TRIANGLE 1e-9

/* Whether all counts are sane: sizes computed from them stay far below INT_MAX. Asked before an array is
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
