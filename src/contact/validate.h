/* What a problem must satisfy, with the thresholds that the fast checks of the builders and the
 * explaining ones of validate.c share. */
#ifndef ABUTI_CONTACT_VALIDATE_H
#define ABUTI_CONTACT_VALIDATE_H

#include "abut/contact.h"

/* Magnitude of any number that is taken: its square and products of a few still are doubles. */
#define ABUTI_LARGEST 1e100
/* Bodies, contacts, joints and velocities at most: sizes computed from them stay far below INT_MAX. */
#define ABUTI_COUNT_MAX 10000000
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

/* Counts, pointers, doors, step, model, indices, kinds, directions: what must hold before any array is
 * followed. */
bool abuti_valid_shape(const abut_contact_problem *problem);
/* Numbers of one body; of one contact apart from its frame (normal, tangent); of one joint row. */
bool abuti_valid_body(const abut_body *body);
bool abuti_valid_contact(const abut_contact *contact);
bool abuti_valid_joint(const abut_joint *joint);
/* Numbers of the other two doors. */
bool abuti_valid_generalised(const abut_contact_problem *problem);
bool abuti_valid_local(const abut_contact_problem *problem);

#endif
