/* abut/planar.h: contacts and unions (union.h) in the plane z = 0, from a polygon that moves and one that
 * stands.
 *
 * The moving polygon is convex, the obstacle is any simple polygon; both are given counterclockwise, in
 * metres, in world coordinates at the beginning of the step. `reach` is how far things may move in a step: a
 * pair that is further apart makes no contact. Edges of the moving polygon should be longer than `reach`; faces
 * of the obstacle may be shorter. Each kind of pair becomes:
 *
 *   a vertex of the body near one face, far from corners      one ordinary contact (Fig. 5)
 *   a corner that juts out before one edge of the body,       one ordinary contact, normal of that edge
 *   far from its vertices                                     (Fig. 5)
 *   a vertex of the body near a corner that juts out, or      one union: the faces that the vertex can touch,
 *   near several that follow each other across short faces    and the edges that the corners can touch
 *   a vertex in a corner that turns inwards                   each face is an ordinary contact
 *
 * A union is what two polygons that do not turn need (the boundary of the forbidden region in configuration
 * space): a face counts if its normal lies between the reversed normals of the edges at the vertex, an edge
 * if its reversed normal lies between those of the faces at the corner, with 0.1 rad to spare for what the
 * body turns in a step. Sides are written whether or not they can be reached in the step, since each ends the
 * others (Fig. 8). A face and an edge with one normal (up to 0.1 rad) are one side: the face where the vertex
 * is over it, else the edge; so a block that slides over a corner is supported all the time, by an ordinary
 * contact.
 *
 * A vertex may lie behind a face that is not part of a union. Where it lies inside the obstacle and can have
 * come in through that face, the face pushes it out (a negative gap). Any other face is the far side of
 * something thin and makes no contact.
 *
 * Every contact gets a group number; a contact whose number no other one has is an ordinary contact.
 * Contacts have two directions and the tangent (-n_y, n_x, 0); keys name vertex and face, or corner and edge,
 * from step to step. */
#ifndef ABUT_PLANAR_H
#define ABUT_PLANAR_H

#include "abut/union.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct abut_polygon {
    /* The number of vertices, >= 3. */
    int count;
    /* m: the vertices, counterclockwise. */
    const double (*at)[2];
} abut_polygon;

typedef struct abut_planar_options {
    /* The indices of the moving polygon's body and of the obstacle's, which may be ABUT_WORLD. */
    int bodies[2];
    /* m, > 0: how far things may move in a step. */
    double reach;
    /* The coefficient of every contact, >= 0. */
    double friction;
    /* True: there are no unions, and sides before which the body stands are infinite walls (Fig. 1). */
    bool convex;
    /* The first group number to use, >= 1. */
    int first_group;
} abut_planar_options;

/* Writes at most `capacity` contacts; *count gets how many there are. It returns
 *
 *   ABUT_TOO_LARGE          when they do not fit; the first ones are written
 *   ABUT_INVALID_ARGUMENT   and writes nothing, when something is no polygon, when the moving polygon is not convex
 *                           (it turns to the right by more than 1e-9 rad, or goes round more than once), when
 *                           friction is negative or no number, or when a number is outside of its range above */
ABUT_API abut_status abut_planar_contacts(const abut_polygon *moving, const abut_polygon *obstacle,
                                          const abut_planar_options *options, abut_contact *contacts,
                                          int capacity, int *count);

#ifdef __cplusplus
}
#endif

#endif
