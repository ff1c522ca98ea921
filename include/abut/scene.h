/* abut/scene.h: scenes from MJCF files.
 *
 * A scene is what a file says after everything that is only a way of saying it has been resolved: included files, default
 * classes, frames, replicates, attached models, units of angles, the five forms of an orientation, inertias that follow
 * from geoms, limits that follow from ranges. What is left are plain arrays that point at each other by index.
 *
 *     abut_scene *scene = NULL;
 *     abut_error error;
 *     if (abut_scene_load("robot.xml", NULL, &scene, &error) != ABUT_OK) puts(error.text);
 *     for (int i = 0; i < scene->body_count; i++) puts(scene->bodies[i].name);
 *     abut_scene_destroy(scene);
 *
 * The format is MuJoCo's, as its schema 3.14 publishes it; docs/mjcf.md lists every element and attribute with what
 * becomes of it here. What does not change rigid motion (cameras, sensors, textures) is skipped. What would change it and
 * cannot be done (deformable bodies, plugins, tendons around geoms) is an error that names file, line and element, or,
 * when the options say `lenient`, left out with a warning.
 *
 * Bodies stand in the order of MuJoCo's: body 0 is the world, parents before children, a subtree without gaps. Joints,
 * geoms and sites stand in the order of their bodies, so that those of one body are a range.
 *
 * SI units, radians, z up, quaternions (w, x, y, z) of length one, from a frame to its parent's. */
#ifndef ABUT_SCENE_H
#define ABUT_SCENE_H

#include "abut/base.h"
#include "abut/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bodies, joints, geoms, sites, actuators, ...: a scene with more of any of them is refused. */
#define ABUT_SCENE_COUNT_MAX 200000

/* Bytes of text, numbers and meshes that a scene may take; a file that asks for more is refused. */
#define ABUT_SCENE_BYTES_MAX ((size_t)1 << 30)

/* A frame relative to another. */
typedef struct abut_scene_pose {
    double pos[3];
    double quat[4];
} abut_scene_pose;

typedef struct abut_scene_body {
    /* "" where the file gives none; the world's is "world". */
    const char *name;
    /* Index of the body it hangs on, less than its own; -1 for the world. */
    int parent;
    /* In the parent's frame, with all joints at their reference. */
    abut_scene_pose pose;
    /* kg; 0 for the world. */
    double mass;
    /* Centre of mass in the body's frame. */
    double com[3];
    /* About the centre of mass, along the body's axes: xx, yy, zz, xy, xz, yz. kg m^2. */
    double inertia[6];
    /* The part of its weight that is held up: 0 nothing, 1 all of it. */
    double gravcomp;
    /* Nonzero: moved by whoever uses the scene, not by forces. A child of the world without joints. */
    int mocap;
    /* Its joints (in the order in which they act), geoms and sites. */
    int joint_first, joint_count;
    int geom_first, geom_count;
    int site_first, site_count;
} abut_scene_body;

typedef enum abut_scene_joint_type {
    ABUT_SCENE_FREE, /* 7 positions (point, quaternion), 6 velocities (linear in the world, angular in the body) */
    ABUT_SCENE_BALL,  /* 4 positions (quaternion), 3 velocities in the body's frame */
    ABUT_SCENE_SLIDE, /* 1 and 1, metres */
    ABUT_SCENE_HINGE, /* 1 and 1, radians */
} abut_scene_joint_type;

typedef struct abut_scene_joint {
    const char *name;
    int body;
    abut_scene_joint_type type;
    /* In the body's frame: a point of the axis, and the axis (of length one; slide and hinge). */
    double pos[3], axis[3];
    /* Where its numbers begin among all positions and velocities. */
    int qpos, qvel;
    /* The position that the frames of the file show. */
    double ref;
    /* Nonzero: the position stays in range[0] .. range[1]; of a ball the angle stays below range[1]. */
    int limited;
    double range[2];
    /* Force against x = position - springref: stiffness[0] x + stiffness[1] x^2 + stiffness[2] x^3. */
    double stiffness[3], springref;
    /* Force against the velocity v: damping[0] v + damping[1] v |v| + damping[2] v^3. */
    double damping[3];
    /* Inertia that is added to its own, as of a rotor behind a gear. */
    double armature;
    /* Dry friction: the largest force (torque) that holds it. */
    double frictionloss;
    /* Nonzero: what all actuators together do to it stays in actuator_range. */
    int actuator_limited;
    double actuator_range[2];
    /* Nonzero: gravity compensation counts as what actuators do. */
    int actuator_gravcomp;
} abut_scene_joint;

typedef enum abut_scene_geom_type {
    ABUT_SCENE_PLANE,     /* size: half lengths in x and y (0: infinite), unused */
    ABUT_SCENE_HFIELD,    /* asset: index of the height field */
    ABUT_SCENE_SPHERE,    /* radius */
    ABUT_SCENE_CAPSULE,   /* radius, half length of the cylindrical part, along z */
    ABUT_SCENE_ELLIPSOID, /* three radii */
    ABUT_SCENE_CYLINDER,  /* radius, half length, along z */
    ABUT_SCENE_BOX,       /* three half lengths */
    ABUT_SCENE_MESH,      /* asset: index of the mesh, whose convex hull touches */
} abut_scene_geom_type;

typedef struct abut_scene_geom {
    const char *name;
    int body;
    abut_scene_geom_type type;
    /* As the type says. */
    double size[3];
    int asset;
    /* In the body's frame. */
    abut_scene_pose pose;
    /* Two geoms touch when contype of one and conaffinity of the other share a bit. */
    int contype, conaffinity;
    /* 1 without friction, 3 with, 4 also against turning on the spot, 6 also against rolling. */
    int condim;
    /* Coefficients of sliding, torsional (metres) and rolling (metres) friction. */
    double friction[3];
    /* Of two geoms that touch the one with the higher priority decides condim and friction; else the larger counts. */
    int priority;
    /* Contacts are found within this distance, and push within distance margin - gap. Metres. */
    double margin, gap;
    /* The surface moves in the geom's frame as a conveyor belt does: linear, then angular velocity. */
    double surface_velocity[6];
    /* Colour, with the material's where that has one; of the group in which viewers show it. */
    double rgba[4];
    int group;
    /* The file says that the body's inertia counts this much of it. kg. */
    double mass;
} abut_scene_geom;

typedef struct abut_scene_site {
    const char *name;
    int body;
    abut_scene_pose pose;
} abut_scene_site;

/* Triangles, after scale, refpos and refquat. Vertices are stored once. */
typedef struct abut_scene_mesh {
    const char *name;
    int vertex_count, face_count;
    double *vertices; /* vertex_count x 3 */
    int *faces;       /* face_count x 3, anticlockwise from outside; none: the hull of the vertices */
} abut_scene_mesh;

/* Heights over a grid, centred at the origin of the geom's frame. */
typedef struct abut_scene_hfield {
    const char *name;
    int rows, columns;
    /* Half lengths in x (columns) and y (rows), height of the largest elevation, depth of the base below zero. */
    double size[4];
    /* rows x columns, from 0 to 1; the first row is the one with the least y. */
    double *elevation;
} abut_scene_hfield;

/* Two geoms that touch by these numbers, whatever contype and conaffinity say. */
typedef struct abut_scene_pair {
    int geoms[2];
    int condim;
    /* Sliding along the two tangents, torsional, rolling about the two tangents. */
    double friction[5];
    double margin, gap;
} abut_scene_pair;

/* Two bodies whose geoms never touch. */
typedef struct abut_scene_exclude {
    int bodies[2];
} abut_scene_exclude;

/* A weighted sum of joint positions. */
typedef struct abut_scene_tendon {
    const char *name;
    int count;
    int *joints; /* hinges and slides */
    double *coefs;
    int limited;
    double range[2];
    /* As a joint's, of the distance of its length to the interval spring_range. */
    double stiffness[3], spring_range[2];
    double damping[3];
    double armature, frictionloss;
    int actuator_limited;
    double actuator_range[2];
} abut_scene_tendon;

typedef enum abut_scene_equality_type {
    ABUT_SCENE_CONNECT, /* two points stay together: 3 rows */
    ABUT_SCENE_WELD,    /* two frames stay together: 6 rows, 3 with torquescale 0 */
    ABUT_SCENE_COUPLE,  /* y - y0 = c0 + c1 (x - x0) + ... + c4 (x - x0)^4, of joints: 1 row */
    ABUT_SCENE_TENDONS, /* likewise of the lengths of tendons */
} abut_scene_equality_type;

typedef struct abut_scene_equality {
    const char *name;
    abut_scene_equality_type type;
    /* Zero: it is there, and not in force. */
    int active;
    /* connect, weld: the bodies. COUPLE, TENDONS: indices of y and of x; x is -1 where y is a constant. */
    int first, second;
    /* connect, weld: the two frames that stay together, each in its body's frame; connect looks at the points alone. */
    abut_scene_pose frames[2];
    /* weld: nonzero holds the rotation as well. */
    int rotation;
    double coefs[5];
} abut_scene_equality;

typedef enum abut_scene_transmission {
    ABUT_SCENE_ON_JOINT, /* target: joint; the torque of balls and free joints is in the joint's own frame */
    ABUT_SCENE_ON_JOINT_PARENT, /* likewise; torque on balls and free joints in the parent's frame */
    ABUT_SCENE_ON_TENDON,       /* target: tendon */
    ABUT_SCENE_ON_SITE, /* target: site; gear is a wrench (force, torque) in its frame, or reference's */
    ABUT_SCENE_ON_CRANK, /* target: the site of the slider, which moves along its z; reference: the site of the crank's pin */
    ABUT_SCENE_ON_BODY, /* target: body, pulled along the normals of its contacts, to equal parts */
} abut_scene_transmission;

typedef enum abut_scene_dynamics {
    ABUT_SCENE_DIRECT,       /* the input w is ctrl */
    ABUT_SCENE_INTEGRATOR,   /* w' = ctrl */
    ABUT_SCENE_FILTER,       /* w' = (ctrl - w) / time_constant, a step of Euler's */
    ABUT_SCENE_FILTER_EXACT, /* likewise, solved exactly over the step */
    ABUT_SCENE_MUSCLE,       /* activation of a muscle: time constants differ up and down */
} abut_scene_dynamics;

/* A muscle's numbers, in the order of MJCF's gainprm: range[2], force, scale, lmin, lmax, vmax, fpmax, fvmax. */
enum { ABUT_SCENE_MUSCLE_NUMBERS = 9 };

/* Force = (gain[0] + gain[1] length + gain[2] velocity) w + bias[0] + bias[1] length + bias[2] velocity, along gear. */
typedef struct abut_scene_actuator {
    const char *name;
    abut_scene_transmission transmission;
    int target;
    /* Of a site: the site relative to which length is measured, or -1. Of a crank: its pin. */
    int reference;
    /* Length is gear . position, of hinges and slides gear[0] times it. */
    double gear[6];
    abut_scene_dynamics dynamics;
    double time_constant;
    double gain[3], bias[3];
    /* Nonzero: gain (bias) is that of a muscle instead, force-length-velocity (passive force), with these numbers. */
    int muscle_gain, muscle_bias;
    double muscle_active[ABUT_SCENE_MUSCLE_NUMBERS], muscle_passive[ABUT_SCENE_MUSCLE_NUMBERS];
    /* Of a muscle: time constants of activation and deactivation, s, and the width over which one becomes the other. */
    double muscle_times[3];
    /* Of a muscle: its shortest and longest length. */
    double length_range[2];
    /* Of a crank: the rod's length, m. */
    double crank_length;
    int ctrl_limited, force_limited, act_limited;
    double ctrl_range[2], force_range[2], act_range[2];
    /* Nonzero: the force follows from w at the end of the step. */
    int early;
    int group;
} abut_scene_actuator;

typedef struct abut_scene_keyframe {
    const char *name;
    double time;
    /* Each complete, or NULL. */
    double *qpos, *qvel, *act, *ctrl;
    double *mocap_pos, *mocap_quat;
} abut_scene_keyframe;

/* From the section `custom`: numbers, or a text. */
typedef struct abut_scene_custom {
    const char *name;
    const char *text; /* NULL: numbers */
    int count;
    double *numbers;
} abut_scene_custom;

typedef struct abut_scene {
    const char *model; /* the name that the file gives itself */
    double timestep;   /* s; 0.002 by default */
    double gravity[3]; /* m/s^2; (0, 0, -9.81) by default */
    /* Of the medium around: kg/m^3, Pa s, m/s. All zero by default. */
    double density, viscosity, wind[3];
    /* What the flags of the section `option` leave in force; all nonzero by default. */
    int contacts, limits, equalities_on, friction_on, springs, dampers, actuation, clamp_ctrl;
    /* Nonzero (default): a body does not touch its parent, unless that is the world. */
    int filter_parent;

    int body_count, joint_count, geom_count, site_count;
    abut_scene_body *bodies;
    abut_scene_joint *joints;
    abut_scene_geom *geoms;
    abut_scene_site *sites;

    int mesh_count, hfield_count;
    abut_scene_mesh *meshes;
    abut_scene_hfield *hfields;

    int pair_count, exclude_count;
    abut_scene_pair *pairs;
    abut_scene_exclude *excludes;

    int tendon_count, equality_count, actuator_count;
    abut_scene_tendon *tendons;
    abut_scene_equality *equalities;
    abut_scene_actuator *actuators;

    int keyframe_count, custom_count;
    abut_scene_keyframe *keyframes;
    abut_scene_custom *customs;

    /* Numbers of positions, velocities, states of actuators, bodies with mocap. */
    int nq, nv, na, nmocap;
    /* nq numbers: the positions that the frames of the file show. */
    double *qpos0;

    void *memory; /* where all of it lies; for abut_scene_destroy */
} abut_scene;

typedef struct abut_scene_options {
    /* Nonzero: what would change motion and is not supported is left out, with a warning. Default 0. */
    int lenient;
    /* Called with one line for each kind of thing that was skipped, and, with warning nonzero, for each that was left out.
     * Default NULL. */
    void (*note)(void *context, int warning, const char *line);
    void *context;
} abut_scene_options;

ABUT_API abut_scene_options abut_scene_default_options(void);

/* Reads a file, and the files it names. `options` may be NULL. ABUT_INVALID_ARGUMENT: the file is wrong or missing;
 * ABUT_UNSUPPORTED: it asks for what is not supported, or libxml2 was left out of this build; ABUT_TOO_LARGE. The error
 * then names file, line, element or attribute, and what was expected. *scene is NULL unless ABUT_OK. */
ABUT_API abut_status abut_scene_load(const char *path, const abut_scene_options *options, abut_scene **scene,
                                     abut_error *error);

/* Likewise from memory. Files that the text names are sought in `directory` (NULL: nowhere; they are errors). */
ABUT_API abut_status abut_scene_parse(const char *text, size_t size, const char *directory,
                                      const abut_scene_options *options, abut_scene **scene,
                                      abut_error *error);

/* NULL is allowed. */
ABUT_API void abut_scene_destroy(abut_scene *scene);

/* ------------------------------------------------------------------------------------------------
 * A scene in motion
 *
 *     abut_world_def def;
 *     abut_simulation *simulation = NULL;
 *     abut_scene_world_def(scene, &def, &error);
 *     abut_simulation_create(scene, &def, &simulation, &error);
 *     for (...) {
 *         simulation->ctrl[0] = ...;
 *         abut_simulation_step(simulation, &report);
 *     }
 *     abut_simulation_destroy(simulation);
 *
 * Positions and velocities of its world are MJCF's qpos and qvel. Springs, dampers and servos are the world's, at the end of
 * the step; states of actuators, drag of the medium, gains that depend on the motion, parts of springs and dampers beyond
 * the linear one, muscles, and actuators between two sites, on cranks, on bodies and on balls that have a length are
 * computed here, at its beginning. */

typedef struct abut_simulation {
    /* What it was made of, borrowed. */
    const abut_scene *scene;
    abut_world *world;
    /* Ids of the scene's things, by their index; bodies[0] is the ground, colliders of geoms that touch nothing are {0}. */
    abut_body_id *bodies;
    abut_joint_id *joints;
    abut_collider_id *colliders;
    abut_tendon_id *tendons;
    abut_motor_id *motors;
    /* Inputs of the actuators, 0 at first; the caller sets them. And their states. */
    double *ctrl, *act;
    /* Steps of a scene in which nothing can move. */
    long still_steps;
    void *memory; /* for abut_simulation_destroy */
} abut_simulation;

/* The world's definition as the scene gives it: step, gravity, and from its section `custom` what MJCF cannot say:
 * texts abut_model (frictionless, coulomb, viscous, no-slip, ...), abut_solver and abut_cone (polygon, circle), numbers
 * abut_directions. */
ABUT_API abut_status abut_scene_world_def(const abut_scene *scene, abut_world_def *def, abut_error *error);

/* The scene is borrowed as long as the simulation lives. The number abut_restitution in `custom` holds for all geoms;
 * the text abut_unions names geoms whose contacts beside outer corners are unions (abut_collider_def.unions), or says all.
 * ABUT_UNSUPPORTED, with a message, for what the world cannot do. */
ABUT_API abut_status abut_simulation_create(const abut_scene *scene, const abut_world_def *def,
                                            abut_simulation **simulation, abut_error *error);
/* NULL is allowed. */
ABUT_API void abut_simulation_destroy(abut_simulation *simulation);

/* To the reference configuration (-1), or to a keyframe: positions, velocities, ctrl and act. */
ABUT_API abut_status abut_simulation_reset(abut_simulation *simulation, int keyframe);

/* Forces that depend on the motion, then one step of the world. `report` may be NULL. */
ABUT_API abut_status abut_simulation_step(abut_simulation *simulation, abut_step_report *report);

/* The value of a custom text or numeric, or NULL. */
ABUT_API const abut_scene_custom *abut_scene_find_custom(const abut_scene *scene, const char *name);

#ifdef __cplusplus
}
#endif

#endif
