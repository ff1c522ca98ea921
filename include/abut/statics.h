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

/* Net wrenches and accelerations count as none when they are below this part of the forces (through the W + q
 * door: of the largest |q|). */
#define ABUT_STATICS_AT_REST 1e-9

typedef struct abut_statics {
    /* The arrays are the caller's.
     *
     * contact_count, or NULL: N, friction * normal - |friction force|, which is what each contact could still hold
     * against slipping. The round cone is meant, so a force at a corner of the polygon has margin 0, and one on
     * an edge has a little more. NaN for viscous, which has no cone. */
    double *margin;
    /* contact_count, or NULL: |friction force| / (friction * normal), 0 .. 1; NaN without a cone. */
    double *used;
    /* 6 * body_count (N and N m at the centre of mass), or nv: the sum of external force, contacts and joint
     * rows; for bodies that are not dynamic, the sum of contacts and joint rows alone. Not used through the
     * W + q door. */
    double *net_wrench;
    /* Out: no dynamic body feels a net wrench (W + q: no contact accelerates). */
    bool equilibrium;
} abut_statics;

/* `result` is what abut_contact_solve made of the problem: solved, or at a limit. ABUT_UNSUPPORTED at the
 * velocity level, ABUT_INVALID_ARGUMENT without an answer. Allocates nothing. */
ABUT_API abut_status abut_statics_find(const abut_contact_problem *problem, const abut_contact_result *result,
                                       abut_statics *statics);

/* Redundant contacts can share a load in many ways, and an answer is one of them: it may say that a box on a slope
 * stands on three corners that use all of their friction, where four corners that use less would do. The ranges
 * below tell what all forces that hold everything at rest have in common:
 *
 *     double least[4], most[4];
 *     abut_statics_ranges ranges = {.least = least, .most = most};
 *     double *scratch = malloc(abut_statics_ranges_size(&problem) * sizeof *scratch);
 *     abut_statics_find_ranges(&problem, &result, scratch, &ranges);
 *     if (ranges.used < 0.8) ...                                     a fifth of all friction is to spare
 *
 * The forces that count lie within the round cones, whatever the velocities, and leave no net wrench on a dynamic
 * body (W + q: no acceleration at a contact). */
#define ABUT_STATICS_CONTACTS_MAX 128 /* contacts, and ... */
#define ABUT_STATICS_ROWS_MAX 400     /* ... 6 * dynamic bodies, nv, or rows of W that are looked at */

typedef struct abut_statics_ranges {
    /* The arrays are the caller's.
     *
     * contact_count, or NULL: N, the least normal force, to 1e-5 of the load; NaN where there are no forces,
     * and where the cones leave too little room to tell it from rounding. */
    double *least;
    /* contact_count, or NULL: N, the largest normal force; infinity where the contact can be squeezed as hard as
     * one likes (above 1e9 loads); NaN as above. */
    double *most;
    /* Out: the share of its friction that the worst contact needs, when forces are chosen so that this share is as
     * small as possible. 0: everything stands without friction; above 1: so many times the friction would be
     * needed; infinity: no friction helps; NaN: not found. */
    double used;
    /* Out: the bodies can rest. */
    bool possible;
} abut_statics_ranges;

/* The number of doubles of scratch that the problem needs; 0 where it is too large. */
ABUT_API size_t abut_statics_ranges_size(const abut_contact_problem *problem);
/* `result` is as above; the tangents that it used are read. Returns ABUT_UNSUPPORTED for models other than
 * coulomb-accel, and ABUT_TOO_LARGE beyond the sizes above. Allocates nothing. It solves two small programs for each
 * contact, which takes about a tenth of a millisecond for a box on four corners. */
ABUT_API abut_status abut_statics_find_ranges(const abut_contact_problem *problem,
                                              const abut_contact_result *result, double *scratch,
                                              abut_statics_ranges *ranges);

#ifdef __cplusplus
}
#endif

#endif
