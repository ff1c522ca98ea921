/* Worlds for tests and benchmarks: a few calls that build them, and what running them showed. */
#ifndef ABUT_BENCH_WORLD_SCENE_H
#define ABUT_BENCH_WORLD_SCENE_H

#include "abut/world.h"
#include <stdbool.h>

#define WORLD_SCENE_BODIES 1200
#define WORLD_SCENE_CONVEX 64

typedef struct world_scene {
    abut_world *world;
    double step;
    /* The bodies that were added with world_scene_add, and where they were when the run began. */
    int count;
    abut_body_id bodies[WORLD_SCENE_BODIES];
    abut_body_state start[WORLD_SCENE_BODIES];
    /* Shapes that the world borrows. */
    int convex_count;
    abut_convex *convex[WORLD_SCENE_CONVEX];
    /* What running it showed. */
    int steps, unsolved, failures; /* failures: calls that did not return ABUT_OK */
    double residual, penetration, loop_error;
    double rise; /* J: the most that energy grew in a step */
    double wide; /* m: half the width of the box that bodies are dropped into; 0: there is none */
    long contacts, pivots;
    double seconds[ABUT_STEP_STAGES];
} world_scene;

/* An empty world; NULL gravity: 9.81 m/s^2 down. NULL when there is no memory. */
world_scene *world_scene_create(double step, const double gravity[3]);
/* The same, of any definition. */
world_scene *world_scene_create_from(const abut_world_def *def);
void world_scene_destroy(world_scene *scene);

/* A plane through a point, its normal pointing out of the solid. */
void world_scene_plane(world_scene *scene, const double point[3], const double normal[3], double friction);
/* A free body of one shape; rotation NULL: none. */
abut_body_id world_scene_add(world_scene *scene, const abut_shape *shape, const double position[3],
                             const double rotation[4], double density, double friction);
abut_body_id world_scene_box(world_scene *scene, double hx, double hy, double hz, double x, double y,
                             double z, double density, double friction);

/* Steps; `us`, if not NULL, gets the time of each. Begins by noting where the bodies are. */
void world_scene_run(world_scene *scene, int steps, double *us);

/* m: the farthest that a body has moved since the run began; rad: the most that one has turned. */
double world_scene_drift(const world_scene *scene);
double world_scene_turn(const world_scene *scene);

/* How many bodies are outside of their box, or nowhere (not a number). */
int world_scene_outside(const world_scene *scene);

/* Ready scenes by name, on a floor of friction 0.5; NULL for a name that is not there. */
world_scene *world_scene_make(const char *name, int size, double step, unsigned seed);
/* The same in a scene that is there; false for a name that is not. */
bool world_scene_fill(world_scene *scene, const char *name, int size, unsigned seed);

#endif
