/* Manifolds of two cores: one procedure for all pairs of convex shapes. */
#ifndef ABUTI_COLLIDE_MANIFOLD_H
#define ABUTI_COLLIDE_MANIFOLD_H

#include "collide/axis.h"
#include "collide/overlap.h"

/* A point of contact in A's frame; names are those of features. */
typedef struct abuti_touch {
    double point[3], normal[3], tangent[3], gap;
    uint32_t name_a, name_b;
    bool over; /* it is over both features, and not only nearest to them */
} abuti_touch;

typedef struct abuti_touches {
    int count;
    abuti_touch at[ABUT_MANIFOLD_POINTS];
} abuti_touches;

/* All touches with gaps up to the margin; `memory` may be NULL, else it is renewed. */
void abuti_manifold_find(const abuti_core *a, const abuti_core *b, const abuti_relative *rel, double margin,
                         abut_pair_memory *memory, abuti_touches *touches);

/* The same along a direction that is known. */
void abuti_manifold_along(const abuti_core *a, const abuti_core *b, const abuti_relative *rel, double margin,
                          const abuti_axis *axis, abuti_touches *touches);

/* What the files of the procedure share: a pair, its direction, the features along it in A's frame. */
typedef struct abuti_contact_pair {
    const abuti_core *a, *b;
    const abuti_relative *rel;
    double margin, radius; /* radius: of both together */
    const abuti_axis *axis;
    abuti_feature fa, fb;
    double tangent[3];
} abuti_contact_pair;

/* A touch at a point of A's surface, when the gap is within the margin. */
void abuti_touch_add(const abuti_contact_pair *p, const double on_a[3], const double n[3], double gap,
                     uint32_t name_a, uint32_t name_b, abuti_touches *out);
/* One touch: where edges cross, or at the closest points. */
void abuti_touch_single(const abuti_contact_pair *p, abuti_touches *out);

/* rounded.c: a sphere or capsule is one of the two. */
void abuti_manifold_rounded(const abuti_contact_pair *p, double tolerance, abuti_touches *out);
/* The nearest points of two segments that are not parallel. */
void abuti_nearest_on_segments(const double p0[3], const double p1[3], const double q0[3], const double q1[3],
                               double a[3], double b[3]);

/* The point of the segment p0 p1 that is nearest to a point. */
void abuti_nearest_on_line(const double p0[3], const double p1[3], const double point[3], double out[3]);

#endif
