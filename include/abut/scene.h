/* abut/scene.h: scenes from MJCF files.
 *
 * A scene is what a file says after everything that is only a way of saying it has been resolved: included files,
 * default classes, frames, replicates, attached models, units of angles, the five forms of an orientation, inertias
 * that follow from geoms, limits that follow from ranges. What is left are plain arrays that point at each other by
 * index.
 *
 *     abut_scene *scene = NULL;
 *     abut_error error;
 *     if (abut_scene_load("robot.xml", NULL, &scene, &error) != ABUT_OK) puts(error.text);
 *     for (int i = 0; i < scene->body_count; i++) puts(scene->bodies[i].name);
 *     abut_scene_destroy(scene);
 *
 * The format is MuJoCo's, as its schema 3.14 publishes it; docs/mjcf.md lists every element and attribute with what
 * becomes of it here. What does not change rigid motion (cameras, sensors, textures) is skipped. What would change it
 * and cannot be done (deformable bodies, plugins, tendons around geoms) is an error that names file, line and element;
 * when the options say `lenient`, it is left out with a warning instead.
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
    /* m. */
    double pos[3];
    /* Of length one. */
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
    /* m: the centre of mass in the body's frame. */
    double com[3];
    /* kg m^2 about the centre of mass, along the body's axes: xx, yy, zz, xy, xz, yz. */
    double inertia[6];
    /* The part of its weight that is held up: 0 nothing, 1 all of it. */
    double gravcomp;
    /* Nonzero: it is moved by whoever uses the scene, not by forces; it is a child of the world without joints. */
    int mocap;
    /* Its joints, in the order in which they act: the index of the first, and how many there are. */
    int joint_first, joint_count;
    /* Likewise its geoms. */
    int geom_first, geom_count;
    /* Likewise its sites. */
    int site_first, site_count;
} abut_scene_body;

typedef enum abut_scene_joint_type {
    ABUT_SCENE_FREE, /* 7 positions (point, quaternion), 6 velocities (linear in the world, angular in the body) */
    ABUT_SCENE_BALL,  /* 4 positions (quaternion), 3 velocities in the body's frame */
    ABUT_SCENE_SLIDE, /* 1 position and 1 velocity, in metres */
    ABUT_SCENE_HINGE, /* 1 position and 1 velocity, in radians */
} abut_scene_joint_type;

typedef struct abut_scene_joint {
    /* "" where the file gives none. */
    const char *name;
    /* Index of the body that it moves. */
    int body;
    /* How many positions and velocities it has, and what they mean. */
    abut_scene_joint_type type;
    /* In the body's frame: m, a point of the axis; and the axis (of length one; slide and hinge). */
    double pos[3], axis[3];
    /* Where its numbers begin among all positions and velocities. */
    int qpos, qvel;
    /* rad or m: the position that the frames of the file show. */
    double ref;
    /* Nonzero: the position stays within `range`. */
    int limited;
    /* rad or m: from range[0] to range[1]; of a ball the angle stays below range[1]. */
    double range[2];
    /* Force against x = position - springref: stiffness[0] x + stiffness[1] x^2 + stiffness[2] x^3. */
    double stiffness[3], springref;
    /* Force against the velocity v: damping[0] v + damping[1] v |v| + damping[2] v^3. */
    double damping[3];
    /* kg m^2 or kg: inertia that is added to its own, as of a rotor behind a gear. */
    double armature;
    /* N m or N: dry friction, the largest force (torque) that holds it. */
    double frictionloss;
    /* Nonzero: what all actuators together do to it stays within actuator_range. */
    int actuator_limited;
    /* N m or N. */
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
    /* "" where the file gives none. */
    const char *name;
    /* Index of the body that it is fixed to. */
    int body;
    /* What `size` and `asset` mean. */
    abut_scene_geom_type type;
    /* m, as the type says. */
    double size[3];
    /* Index of the mesh or height field; -1 for other types. */
    int asset;
    /* In the body's frame. */
    abut_scene_pose pose;
    /* Two geoms touch when contype of one and conaffinity of the other share a bit. */
    int contype, conaffinity;
    /* 1 without friction, 3 with, 4 also against turning on the spot, 6 also against rolling. */
    int condim;
    /* Coefficients of sliding, torsional (metres) and rolling (metres) friction. */
    double friction[3];
    /* When two geoms touch, the one with the higher priority decides condim and friction; with equal priorities the
     * larger numbers count. */
    int priority;
    /* m: contacts are found within the distance margin, and push within the distance margin - gap. */
    double margin, gap;
    /* m/s and rad/s: the surface moves in the geom's frame as a conveyor belt does; linear, then angular. */
    double surface_velocity[6];
    /* 0 .. 1 each: its colour, or the material's where that has one. */
    double rgba[4];
    /* The group in which viewers show it. */
    int group;
    /* kg: how much of its mass counts in the body's inertia, as the file says. */
    double mass;
} abut_scene_geom;

typedef struct abut_scene_site {
    /* "" where the file gives none. */
    const char *name;
    /* Index of the body that it is fixed to. */
    int body;
    /* In the body's frame. */
    abut_scene_pose pose;
} abut_scene_site;

/* Triangles, after scale, refpos and refquat. Vertices are stored once. */
typedef struct abut_scene_mesh {
    /* What geoms call it. */
    const char *name;
    /* How many there are. Without faces the hull of the vertices is meant. */
    int vertex_count, face_count;
    /* m: vertex_count x 3. */
    double *vertices;
    /* face_count x 3 indices of vertices, anticlockwise from outside. */
    int *faces;
} abut_scene_mesh;

/* Heights over a grid, centred at the origin of the geom's frame. */
typedef struct abut_scene_hfield {
    /* What geoms call it. */
    const char *name;
    /* The size of the grid; rows go along y, columns along x. */
    int rows, columns;
    /* m: half lengths in x and y, height of the largest elevation, depth of the base below zero. */
    double size[4];
    /* rows x columns, from 0 to 1; the first row is the one with the least y. */
    double *elevation;
} abut_scene_hfield;

/* Two geoms that touch by these numbers, whatever contype and conaffinity say. */
typedef struct abut_scene_pair {
    /* Their indices. */
    int geoms[2];
    /* As a geom's. */
    int condim;
    /* Sliding along the two tangents, torsional, rolling about the two tangents. */
    double friction[5];
    /* m, as a geom's. */
    double margin, gap;
} abut_scene_pair;

/* Two bodies whose geoms never touch. */
typedef struct abut_scene_exclude {
    /* Their indices. */
    int bodies[2];
} abut_scene_exclude;

/* A weighted sum of joint positions, its length: sum of coefs[i] * position of joints[i]. */
typedef struct abut_scene_tendon {
    /* "" where the file gives none. */
    const char *name;
    /* How many joints it has. */
    int count;
    /* count: indices of hinges and slides. */
    int *joints;
    /* count. */
    double *coefs;
    /* Nonzero: the length stays within `range`. */
    int limited;
    /* From range[0] to range[1]. */
    double range[2];
    /* As a joint's; the spring acts on the distance of the length to the interval spring_range. */
    double stiffness[3], spring_range[2];
    /* As a joint's; the damper acts on the velocity of the length. */
    double damping[3];
    /* As a joint's. */
    double armature, frictionloss;
    /* Nonzero: what all actuators together do to it stays within actuator_range. */
    int actuator_limited;
    /* Force along its length. */
    double actuator_range[2];
} abut_scene_tendon;

typedef enum abut_scene_equality_type {
    ABUT_SCENE_CONNECT, /* two points stay together: 3 rows */
    ABUT_SCENE_WELD,    /* two frames stay together: 6 rows, 3 with torquescale 0 */
    ABUT_SCENE_COUPLE,  /* y - y0 = c0 + c1 (x - x0) + ... + c4 (x - x0)^4, of joints: 1 row */
    ABUT_SCENE_TENDONS, /* likewise of the lengths of tendons */
} abut_scene_equality_type;

typedef struct abut_scene_equality {
    /* "" where the file gives none. */
    const char *name;
    /* What it holds together, and which of the fields below are read. */
    abut_scene_equality_type type;
    /* Zero: it exists but is not in force. */
    int active;
    /* connect, weld: the bodies. COUPLE, TENDONS: indices of y and of x; x is -1 where y is a constant. */
    int first, second;
    /* connect, weld: the two frames that stay together, each in its body's frame; connect looks at the points alone. */
    abut_scene_pose frames[2];
    /* weld: nonzero holds the rotation as well. */
    int rotation;
    /* COUPLE, TENDONS: c0 .. c4. */
    double coefs[5];
} abut_scene_equality;

typedef enum abut_scene_transmission {
    ABUT_SCENE_ON_JOINT, /* target: joint; the torque of balls and free joints is in the joint's own frame */
    ABUT_SCENE_ON_JOINT_PARENT, /* likewise; their torque is in the parent's frame */
    ABUT_SCENE_ON_TENDON,       /* target: tendon */
    ABUT_SCENE_ON_SITE, /* target: site; gear is a wrench (force, torque) in its frame, or reference's */
    /* target: the site of the slider, which moves along its z; reference: the site of the crank's pin. */
    ABUT_SCENE_ON_CRANK,
    ABUT_SCENE_ON_BODY, /* target: body, pulled along the normals of its contacts in equal parts */
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
    /* "" where the file gives none. */
    const char *name;
    /* What it acts on. */
    abut_scene_transmission transmission;
    /* Index of the joint, tendon, site or body. */
    int target;
    /* Of a site: the site relative to which length is measured, or -1. Of a crank: its pin. */
    int reference;
    /* The length is gear . position; for hinges and slides it is gear[0] times the position. */
    double gear[6];
    /* How the input w follows from ctrl. */
    abut_scene_dynamics dynamics;
    /* s: of ABUT_SCENE_FILTER and ABUT_SCENE_FILTER_EXACT. */
    double time_constant;
    /* The coefficients of the force, above. */
    double gain[3], bias[3];
    /* Nonzero: the gain is a muscle's force-length-velocity curve instead, the bias a muscle's passive force. */
    int muscle_gain, muscle_bias;
    /* The numbers of these two curves. */
    double muscle_active[ABUT_SCENE_MUSCLE_NUMBERS], muscle_passive[ABUT_SCENE_MUSCLE_NUMBERS];
    /* Of a muscle: time constants of activation and deactivation, s, and the width over which one becomes the other. */
    double muscle_times[3];
    /* Of a muscle: its shortest and longest length. */
    double length_range[2];
    /* m, of a crank: the rod's length. */
    double crank_length;
    /* Nonzero: ctrl, the force or the state stays within its range. */
    int ctrl_limited, force_limited, act_limited;
    /* From [0] to [1]; read where limited. */
    double ctrl_range[2], force_range[2], act_range[2];
    /* Nonzero: the force follows from w at the end of the step. */
    int early;
    /* The group by which the file may switch it off. */
    int group;
} abut_scene_actuator;

typedef struct abut_scene_keyframe {
    /* "" where the file gives none. */
    const char *name;
    /* s. */
    double time;
    /* nq, nv, na and actuator_count numbers; each complete, or NULL. */
    double *qpos, *qvel, *act, *ctrl;
    /* nmocap x 3 and nmocap x 4, likewise. */
    double *mocap_pos, *mocap_quat;
} abut_scene_keyframe;

/* From the section `custom`: numbers, or a text. */
typedef struct abut_scene_custom {
    /* What the file calls it. */
    const char *name;
    /* The text; NULL: it is numbers. */
    const char *text;
    /* How many numbers; 0 of a text. */
    int count;
    /* count. */
    double *numbers;
} abut_scene_custom;

typedef struct abut_scene {
    /* The name that the file gives itself. */
    const char *model;
    /* s. Default 0.002. */
    double timestep;
    /* m/s^2. Default (0, 0, -9.81). */
    double gravity[3];
    /* Density, viscosity and velocity of the medium around: kg/m^3, Pa s, m/s. Default 0. */
    double density, viscosity, wind[3];
    /* What the flags of the section `option` leave in force. Default: all nonzero. */
    int contacts, limits, equalities_on, friction_on, springs, dampers, actuation, clamp_ctrl;
    /* Nonzero (default): a body does not touch its parent, unless that is the world. */
    int filter_parent;

    /* 0 .. ABUT_SCENE_COUNT_MAX, as all counts below; there is at least one body, the world. */
    int body_count, joint_count, geom_count, site_count;
    /* body_count; the world is the first. */
    abut_scene_body *bodies;
    /* joint_count. */
    abut_scene_joint *joints;
    /* geom_count. */
    abut_scene_geom *geoms;
    /* site_count. */
    abut_scene_site *sites;

    /* What geoms may name as their asset. */
    int mesh_count, hfield_count;
    /* mesh_count. */
    abut_scene_mesh *meshes;
    /* hfield_count. */
    abut_scene_hfield *hfields;

    /* Exceptions from what contype and conaffinity say. */
    int pair_count, exclude_count;
    /* pair_count. */
    abut_scene_pair *pairs;
    /* exclude_count. */
    abut_scene_exclude *excludes;

    /* What acts on joints and bodies. */
    int tendon_count, equality_count, actuator_count;
    /* tendon_count. */
    abut_scene_tendon *tendons;
    /* equality_count. */
    abut_scene_equality *equalities;
    /* actuator_count. */
    abut_scene_actuator *actuators;

    /* States to begin from, and the section `custom`. */
    int keyframe_count, custom_count;
    /* keyframe_count. */
    abut_scene_keyframe *keyframes;
    /* custom_count. */
    abut_scene_custom *customs;

    /* Numbers of positions, velocities, states of actuators, bodies with mocap. */
    int nq, nv, na, nmocap;
    /* nq numbers: the positions that the frames of the file show. */
    double *qpos0;

    /* Where all of it lies; for abut_scene_destroy. */
    void *memory;
} abut_scene;

typedef struct abut_scene_options {
    /* Nonzero: what would change motion and is not supported is left out, with a warning. Default 0. */
    int lenient;
    /* Called with one line for each kind of thing that was skipped, and, with warning nonzero, for each that was left
     * out. Default NULL. */
    void (*note)(void *context, int warning, const char *line);
    /* Handed to `note`. Default NULL. */
    void *context;
} abut_scene_options;

ABUT_API abut_scene_options abut_scene_default_options(void);

/* Reads a file, and the files it names. `options` may be NULL. It returns
 *
 *   ABUT_INVALID_ARGUMENT   when the file is wrong or missing
 *   ABUT_UNSUPPORTED        when it asks for what is not supported, or libxml2 was left out of this build
 *   ABUT_TOO_LARGE          when it exceeds one of the two limits above
 *
 * and the error then names file, line, element or attribute, and what was expected. *scene is NULL unless ABUT_OK. */
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
 * Positions and velocities of its world are MJCF's qpos and qvel. Springs, dampers and servos are the world's, and are
 * taken at the end of the step. Everything else is computed here, at the beginning of the step: states of
 * actuators, drag of the medium, gains that depend on the motion, parts of springs and dampers beyond the linear one,
 * muscles, and actuators between two sites, on cranks, on bodies and on balls that have a length. */

typedef struct abut_simulation {
    /* What it was made of, borrowed. */
    const abut_scene *scene;
    /* The world that moves. */
    abut_world *world;
    /* body_count of the scene: the id of each body; bodies[0] is the ground. */
    abut_body_id *bodies;
    /* joint_count: the id of each joint. */
    abut_joint_id *joints;
    /* geom_count: the id of each geom's collider; {0} for geoms that touch nothing. */
    abut_collider_id *colliders;
    /* tendon_count: the id of each tendon. */
    abut_tendon_id *tendons;
    /* actuator_count: the id of each actuator's motor. */
    abut_motor_id *motors;
    /* actuator_count inputs of the actuators, which the caller sets and which are 0 at first; and the actuators' na
     * states. */
    double *ctrl, *act;
    /* How many steps were taken, in a scene in which nothing can move. */
    long still_steps;
    /* Where all of it lies; for abut_simulation_destroy. */
    void *memory;
} abut_simulation;

/* The world's definition as the scene gives it: step and gravity, and, from the section `custom`, what MJCF cannot
 * say: the texts abut_model (frictionless, coulomb, viscous, no-slip, ...), abut_solver and abut_cone (polygon,
 * circle), and the number abut_directions. */
ABUT_API abut_status abut_scene_world_def(const abut_scene *scene, abut_world_def *def, abut_error *error);

/* The scene is borrowed as long as the simulation lives. The number abut_restitution in `custom` holds for all geoms.
 * The text abut_unions names geoms whose contacts beside outer corners are unions (abut_collider_def.unions), or says
 * `all`. Returns ABUT_UNSUPPORTED, with a message, when the world cannot do what the scene asks for. */
ABUT_API abut_status abut_simulation_create(const abut_scene *scene, const abut_world_def *def,
                                            abut_simulation **simulation, abut_error *error);
/* NULL is allowed. */
ABUT_API void abut_simulation_destroy(abut_simulation *simulation);

/* Sets positions, velocities, ctrl and act to the reference configuration (-1) or to a keyframe. */
ABUT_API abut_status abut_simulation_reset(abut_simulation *simulation, int keyframe);

/* Computes the forces that depend on the motion, then takes one step of the world. `report` may be NULL. */
ABUT_API abut_status abut_simulation_step(abut_simulation *simulation, abut_step_report *report);

/* The custom text or numbers of this name, or NULL. */
ABUT_API const abut_scene_custom *abut_scene_find_custom(const abut_scene *scene, const char *name);

#ifdef __cplusplus
}
#endif

#endif
