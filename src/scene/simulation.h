/* A scene in motion: what its files share. */
#ifndef ABUTI_SCENE_SIMULATION_H
#define ABUTI_SCENE_SIMULATION_H

#include "abut/scene.h"
#include "scene/pool.h"
#include <stdbool.h>

/* Behind abut_simulation.memory. */
typedef struct abuti_simulation {
    abuti_pool pool;
    abut_convex **convexes;   /* one a mesh; NULL: not made */
    abut_heightfield *fields; /* one a height field */
    double *q, *v, *forces;   /* positions, velocities, forces on coordinates */
    double (*boxes)[3];       /* one a body: half lengths of the box with its inertia */
    double (*box_axes)[4];    /* and its rotation in the body's frame */
    bool *moves;              /* one a body: some joint is above it */
    bool extra;               /* some force is computed here */
    double step;              /* the world's */
} abuti_simulation;

abuti_simulation *abuti_inside(const abut_simulation *simulation);
/* Leaves a message and returns the status. */
abut_status abuti_decline(abut_error *error, abut_status status, const char *what, const char *name,
                          const char *why);

/* colliders.c: shapes on bodies, what must not touch. */
abut_status abuti_add_colliders(abut_simulation *simulation, abut_error *error);
/* attach.c: tendons, motors, loops. */
abut_status abuti_add_attachments(abut_simulation *simulation, abut_error *error);
/* drive.c: controls and forces of a step. */
abut_status abuti_drive(abut_simulation *simulation, double step);
/* medium.c */
void abuti_measure_boxes(abut_simulation *simulation);
abut_status abuti_apply_drag(abut_simulation *simulation, double step);

#endif
