/* Pairs of posed shapes of every kind, from random to degenerate, for tests of src/collide. */
#ifndef ABUT_TEST_COLLIDE_POSES_H
#define ABUT_TEST_COLLIDE_POSES_H

#include "collide_search.h"

#include <stdlib.h>

enum { CONVEX_KINDS = 6, SOLIDS = 4 };
static const abut_shape_kind convex_kinds[CONVEX_KINDS] = {ABUT_SPHERE,   ABUT_CAPSULE,   ABUT_BOX,
                                                           ABUT_CYLINDER, ABUT_ELLIPSOID, ABUT_CONVEX};

typedef enum pose_family {
    POSES_RANDOM,   /* any turn, from one inside of the other to apart */
    POSES_TOUCHING, /* any turn, the distance 0 to rounding, or a hundredth of the size to either side */
    POSES_STANDING, /* axes of both upright, any turn about them, exactly one on the other */
    POSES_TIPPED,   /* one turned by 45 degrees about an axis: edges and corners on faces, exactly touching */
    POSES_SQUARE, /* quarter turns, sizes and places on a grid: coplanar faces, corners on edges, exact touch, deep */
    POSE_FAMILIES
} pose_family;

static const char *const pose_family_names[POSE_FAMILIES] = {"random", "touching", "standing", "tipped",
                                                             "square"};

typedef struct solids {
    abut_convex *at[SOLIDS];
} solids;

static inline solids solids_make(void)
{
    return (solids){{solid_tetrahedron(), solid_prism(7), solid_octahedron(), solid_prism(8)}};
}

static inline void solids_destroy(solids *s)
{
    for (int i = 0; i < SOLIDS; ++i) abut_convex_destroy(s->at[i]);
}

/* What rounding may change in a direction, and in what follows from it: 1e-12, or where the cores of spheres and capsules nearly
 * meet, deep in each other, the rounding of their places over the distance of the cores. */
static inline double direction_rounding(const posed *a, const posed *b, double distance)
{
    double core = distance;
    for (int i = 0; i < 2; ++i) {
        const abut_shape *s = i ? &b->shape : &a->shape;
        if (s->kind == ABUT_SPHERE || s->kind == ABUT_CAPSULE) core += s->radius;
    }
    return core > distance && core > 0 ? fmax(1e-12, 1e-15 / core) : 1e-12;
}

/* How many poses a pair of kinds and a family: ABUT_COLLIDE_POSES in the environment, else the number given. */
static inline int poses_wanted(int otherwise)
{
    const char *wanted = getenv("ABUT_COLLIDE_POSES");
    return wanted ? atoi(wanted) : otherwise;
}

/* Moves B along a direction until its signed distance from A is as wanted. */
static inline void part_along(const posed *a, posed *b, const double direction[3], double distance)
{
    double low = 0, high = 6;
    for (int i = 0; i < 60; ++i) {
        double middle = 0.5 * (low + high);
        abut_closest c = {.distance = 0};
        abuti_v3_scale(b->pose.position, middle, direction);
        abut_shape_distance(&a->shape, &a->pose, &b->shape, &b->pose, 100, &c);
        if (c.distance > distance) {
            high = middle;
        } else {
            low = middle;
        }
    }
}

/* The pair of a family: A stands at the origin, in the random families turned. B may be a plane. */
static inline void random_pair(uint64_t *state, const solids *s, pose_family family, abut_shape_kind a_kind,
                               abut_shape_kind b_kind, posed *a, posed *b)
{
    static const double turns[6][4] = {{1, 0, 0, 0},
                                       {0.70710678118654757, 0.70710678118654757, 0, 0},
                                       {0.70710678118654757, 0, 0.70710678118654757, 0},
                                       {0.5, 0.5, 0.5, 0.5},
                                       {0.70710678118654757, 0, 0, 0.70710678118654757},
                                       {0, 1, 0, 0}};
    posed *both[2] = {a, b};
    double direction[3];
    for (int i = 0; i < 2; ++i) {
        posed *p = both[i];
        *p = (posed){random_shape(state, i == 0 ? a_kind : b_kind), {.rotation = {1, 0, 0, 0}}};
        p->shape.convex = s->at[(int)(SOLIDS * random_unit(state))];
        if (family == POSES_RANDOM || family == POSES_TOUCHING) random_rotation(state, p->pose.rotation);
        if (family == POSES_SQUARE || family == POSES_TIPPED) {
            p->shape.radius = 0.25 * (1 + (int)(3 * random_unit(state)));
            p->shape.half_length = 0.25 * (1 + (int)(3 * random_unit(state)));
            for (int k = 0; k < 3; ++k) p->shape.half[k] = 0.25 * (1 + (int)(3 * random_unit(state)));
        }
    }
    random_direction(state, direction);
    if (family == POSES_RANDOM) {
        abuti_v3_scale(b->pose.position, random_between(state, 0, 2), direction);
    } else if (family == POSES_TOUCHING) {
        double off = random_unit(state);
        part_along(a, b, direction, off < 0.5 ? 0 : random_between(state, -0.01, 0.01));
    } else if (family == POSES_SQUARE) {
        memcpy(b->pose.rotation, turns[(int)(6 * random_unit(state))], sizeof b->pose.rotation);
        for (int k = 0; k < 3; ++k) b->pose.position[k] = 0.25 * ((int)(9 * random_unit(state)) - 4);
    } else {
        double angle = family == POSES_STANDING ? random_between(state, -3, 3) : 0.78539816339744831;
        int axis = family == POSES_STANDING ? 2 : (int)(3 * random_unit(state));
        b->pose.rotation[0] = cos(angle / 2);
        b->pose.rotation[1 + axis] = sin(angle / 2);
        static const double down[3] = {0, 0, -1};
        part_along(a, b, down, 0);
        for (int k = 0; k < 2; ++k) b->pose.position[k] = 0.25 * ((int)(5 * random_unit(state)) - 2);
    }
}

#endif
