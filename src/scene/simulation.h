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
    bool *paired;             /* one a geom: some pair names it */
    bool *driven;             /* one an actuator: its force is computed at the beginning of the step */
    double *peaks;            /* one an actuator: the largest force of a muscle */
    bool extra;               /* some spring or damper is not linear */
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
/* The least and the largest force of an actuator, its own and that of what it acts on; infinite where there is none. */
void abuti_force_bounds(const abut_scene *scene, const abut_scene_actuator *actuator, double bounds[2]);
/* drive.c: controls and forces of a step. */
abut_status abuti_drive(abut_simulation *simulation, double step);

/* sites.c: what an actuator between sites does. `length` and `velocity` are along its gear. A force of one makes three
 * wrenches, at points of the world: on the bodies of its first and second site, and on the body that both hang on. */
typedef struct abuti_pull {
    double length, velocity;
    int bodies[3];
    double points[3][3], forces[3][3], torques[3][3];
} abuti_pull;
abut_status abuti_pull_of_sites(abut_simulation *simulation, const abut_scene_actuator *actuator,
                                abuti_pull *pull);
abut_status abuti_pull_of_crank(abut_simulation *simulation, const abut_scene_actuator *actuator,
                                abuti_pull *pull);
abut_status abuti_pull_by(abut_simulation *simulation, const abuti_pull *pull, double size);
/* Pulls a body towards what it touched in the last step, along the normals. */
abut_status abuti_adhere(abut_simulation *simulation, int body, double size);

/* muscle.c */
abut_status abuti_muscle_prepare(abut_simulation *simulation, int actuator, abut_error *error);
/* Computes the largest forces of the muscles for which none is given. The world must be at the reference
 * configuration. */
abut_status abuti_muscle_peaks(abut_simulation *simulation);
double abuti_muscle_gain(const abut_scene_actuator *actuator, double peak, double length, double velocity);
double abuti_muscle_bias(const abut_scene_actuator *actuator, double peak, double length);
/* How fast its activation changes. */
double abuti_muscle_rate(const abut_scene_actuator *actuator, double ctrl, double act);
/* medium.c */
void abuti_measure_boxes(abut_simulation *simulation);
abut_status abuti_apply_drag(abut_simulation *simulation, double step);

#endif
