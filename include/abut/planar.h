/* abut/planar.h: contacts and unions (union.h) in the plane z = 0, from a polygon that moves and one that
 * stands.
 *
 * The moving polygon is convex, the obstacle is any simple polygon; both are given counterclockwise, in
 * metres, in world coordinates at the begin of the step. `reach` is how far things may come in a step: what
 * is further apart makes no contact. Which pairs become what:
 *
 *   a vertex of the body near one face of the obstacle            one ordinary contact (Fig. 5)
 *   a vertex of the body near a corner that juts out              the faces at the corner are the sides of
 * one union, the far one included though it cannot be touched: it ends the near one (Fig. 8); further faces
 * that are shorter than `reach` follow on a vertex of the body in a corner that turns inwards           each
 * face is an ordinary contact a corner of the obstacle near one edge of the body            one ordinary
 * contact, normal of that edge
 *
 * A face that stands alone and lies more than a tenth of `reach` before the vertex is left out. Every contact
 * gets a group number; a number that stands alone is an ordinary contact, with b = gap / step. Contacts have
 * two directions and the tangent (-n_y, n_x, 0); keys name vertex and face from step to step.
 */
#ifndef ABUT_PLANAR_H
#define ABUT_PLANAR_H

#include "abut/union.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct abut_polygon {
    int count;             /* >= 3 */
    const double (*at)[2]; /* counterclockwise */
} abut_polygon;

typedef struct abut_planar_options {
    int bodies[2];   /* of the moving polygon and the obstacle (ABUT_WORLD) */
    double reach;    /* m, > 0 */
    double friction; /* of every contact */
    bool convex; /* true: no unions, every near face before which the vertex stands is an ordinary contact:
                    Fig. 1 */
    int first_group; /* the first group number to use, >= 1 */
} abut_planar_options;

/* Writes at most `capacity` contacts; *count gets how many there are. ABUT_TOO_LARGE when they do not fit
 * (the first ones are written), ABUT_INVALID_ARGUMENT for what is no polygon. */
ABUT_API abut_status abut_planar_contacts(const abut_polygon *moving, const abut_polygon *obstacle,
                                          const abut_planar_options *options, abut_contact *contacts,
                                          int capacity, int *count);

#ifdef __cplusplus
}
#endif

#endif
