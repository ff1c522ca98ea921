/* The direction along which two cores touch, and how far they are apart along it. */
#ifndef ABUTI_COLLIDE_AXIS_H
#define ABUTI_COLLIDE_AXIS_H

#include "collide/core.h"

/* Where the direction comes from. The values are kept in abut_pair_memory. */
typedef enum abuti_axis_kind {
    ABUTI_AXIS_NONE,
    ABUTI_AXIS_FACE_A, /* feature_a is the face */
    ABUTI_AXIS_FACE_B,
    ABUTI_AXIS_EDGES,  /* feature_a and feature_b are the edges that cross */
    ABUTI_AXIS_POINTS, /* of the closest points, at corners, edges and round places */
} abuti_axis_kind;

typedef struct abuti_axis {
    abuti_axis_kind kind;
    int feature_a, feature_b;
    /* Unit vector from B to A in A's frame. */
    double normal[3];
    /* How far the cores are apart along it; negative where they overlap. */
    double gap;
    /* Closest points of the cores, for ABUTI_AXIS_POINTS. */
    double a[3], b[3];
} abuti_axis;

/* min over A of n.a - max over B of n.b: how far the cores are apart along a direction. */
double abuti_gap_along(const abuti_core *a, const abuti_core *b, const abuti_relative *rel,
                       const double normal[3]);

/* Polytopes: finds the direction of the largest gap among those of faces and of crossing edges; where the polytopes
 * overlap this gap is their signed distance. Faces are preferred to edges, and the direction in `memory` (or NULL) to
 * others, unless these are clearly better. With `exact` the best is taken, however little better it is. */
void abuti_axis_of_faces(const abuti_core *a, const abuti_core *b, const abuti_relative *rel,
                         const abut_pair_memory *memory, bool exact, abuti_axis *axis);

/* The same among directions that `accepts` agrees to; false when there is none. */
typedef bool (*abuti_direction_accepts)(void *context, const double normal[3]);
bool abuti_axis_of_faces_where(const abuti_core *a, const abuti_core *b, const abuti_relative *rel,
                               abuti_direction_accepts accepts, void *context, abuti_axis *axis);

/* Any two cores: the direction of the signed distance. Cores that are apart by more than `reach` may get any direction
 * that parts them by more. */
void abuti_axis_of_distance(const abuti_core *a, const abuti_core *b, const abuti_relative *rel, double reach,
                            abuti_axis *axis);

/* Takes another direction that is as good up to `slack` where the shapes, and not rounding, prefer it. */
void abuti_axis_among_equals(const abuti_core *a, const abuti_core *b, const abuti_relative *rel,
                             double slack, abuti_axis *axis);
/* The order of directions that are equally good: by their components in A's frame, the largest first. */
bool abuti_direction_before(const double n[3], const double other[3]);

/* Cores of which one is a cylinder or an ellipsoid. */
void abuti_axis_of_round(const abuti_core *a, const abuti_core *b, const abuti_relative *rel, double reach,
                         abuti_axis *axis);

#endif
