/* abut/statics.h: what forces say about a pose. How far is each contact from slipping, does anything
 * accelerate, what pushes each body?
 *
 *     abut_contact_solve(work, &problem, &options, &result);           model coulomb-accel, or viscous
 *     double margin[4], net_wrench[6];
 *     abut_statics statics = {.margin = margin, .net_wrench = net_wrench};
 *     abut_statics_find(&problem, &result, &statics);
 *     if (statics.equilibrium && margin[2] > 1.0) ...
 */
#ifndef ABUT_STATICS_H
#define ABUT_STATICS_H

#include "abut/contact.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Nets and accelerations below this part of the forces (through the W + q door: of the largest |q|) count as
 * none. */
#define ABUT_STATICS_AT_REST 1e-9

typedef struct abut_statics {
    /* The caller's arrays. */
    double *margin; /* contact_count, or NULL: N, friction * normal - |friction force|: what it still could
                       hold against slipping. The round cone is meant, so a force at a corner of its polygon
                       has margin 0, one on an edge a little more. NaN for viscous, which has no cone */
    double *
        used; /* contact_count, or NULL: |friction force| / (friction * normal), 0 .. 1; NaN without a cone */
    double *net_wrench; /* 6 * body_count (N and N m at the centre of mass), or nv: external force, contacts
                           and joint rows together. Bodies that are not dynamic: contacts and joint rows
                           alone. Not used through the W + q door */
    bool equilibrium;   /* out: no net wrench on a dynamic body (W + q: no acceleration at a contact) */
} abut_statics;

/* `result` is what abut_contact_solve made of the problem: solved, or at a limit. ABUT_UNSUPPORTED at the
 * velocity level, ABUT_INVALID_ARGUMENT without an answer. Allocates nothing. */
ABUT_API abut_status abut_statics_find(const abut_contact_problem *problem, const abut_contact_result *result,
                                       abut_statics *statics);

#ifdef __cplusplus
}
#endif

#endif
