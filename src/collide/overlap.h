/* The overlap of two features, seen along a direction: its vertices, with the heights of both features there. */
#ifndef ABUTI_COLLIDE_OVERLAP_H
#define ABUTI_COLLIDE_OVERLAP_H

#include "collide/core.h"

/* One vertex of the overlap: a corner of one feature over the other, or a crossing of two edges; the names say
 * which. */
typedef struct abuti_vertex {
    double at[2]; /* along the two axes across the direction */
    uint32_t name_a, name_b;
} abuti_vertex;

/* Both features in one frame, the direction n (from B to A) and two axes across it. */
typedef struct abuti_overlap {
    const abuti_feature *a, *b;
    double axes[3][3]; /* u, v, n */
    double tolerance;  /* m: points so near to a side are on it */
    bool rounded;      /* lines that are nearly parallel may count as such, since their surfaces are round */
    int count;
    abuti_vertex vertices[ABUT_MANIFOLD_POINTS];
} abuti_overlap;

/* Sets the features and the directions; the tangent is made to be across the direction. */
void abuti_overlap_begin(abuti_overlap *o, const abuti_feature *a, const abuti_feature *b,
                         const double normal[3], const double tangent[3], double tolerance, bool rounded);

/* Finds the vertices; none where the features do not overlap, or where two edges cross in one point that the caller
 * knows better. */
void abuti_overlap_find(abuti_overlap *o);

/* The height along n of a feature at a place. */
double abuti_overlap_height(const abuti_overlap *o, const abuti_feature *f, const double at[2]);

/* Places and heights of a point in space. */
static inline void abuti_overlap_flat(const abuti_overlap *o, const double point[3], double at[2])
{
    at[0] = abuti_v3_dot(o->axes[0], point);
    at[1] = abuti_v3_dot(o->axes[1], point);
}

/* overlap_disc.c: at least one of the features is a disc, and none is a point. */
void abuti_overlap_disc(abuti_overlap *o);

void abuti_overlap_add(abuti_overlap *o, const double at[2], uint32_t name_a, uint32_t name_b);
/* Whether a place is inside of a polygon, or at most `slack` outside. */
bool abuti_overlap_inside(const abuti_overlap *o, const abuti_feature *polygon, const double at[2],
                          double slack);

#endif
