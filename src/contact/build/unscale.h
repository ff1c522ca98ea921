/* From a stage's answer, in the system's units, to the result, in the caller's. */
#ifndef ABUTI_CONTACT_BUILD_UNSCALE_H
#define ABUTI_CONTACT_BUILD_UNSCALE_H

#include "contact/build/build.h"
#include "contact/build/joints.h"

/* The arrays the result points to, indexed as the problem is. Those of contacts go on with bounded rows (lift.h). */
typedef struct abuti_outputs {
    abut_contact_answer *contacts;
    abut_contact_face *faces;
    double *impulses; /* 3 a contact */
    double *joints;
    double *velocity; /* 6 a body, or nv */
    double *ray;      /* 3 a contact */
    double *witness;  /* 1 a contact: weights of a proof (farkas.h) */
    double *witness_joints;
    double *v;        /* v_s in the system's blocks, with a block of zeros at the end */
    double *plain;    /* likewise in the built system's blocks, when joints were projected out */
    double *p[3];     /* [axis][lane]: impulses, in the caller's units */
    double *u[3];     /* [axis][lane]: u_s */
    double *slip;     /* [lane]: lambda, scaled */
    abuti_mark *mark; /* [lane] */
    double *joint;    /* joint impulses, scaled */
    double *blocks;   /* like `plain`, of a system before it was lifted */
} abuti_outputs;

void abuti_outputs_layout(abuti_outputs *out, abuti_arena *arena, const abut_contact_limits *limits);

/* Impulses, joint impulses and velocities of one island: what the verifier judges. */
void abuti_unscale(const abuti_build *build, const abuti_joint_space *space, const abuti_system *system,
                   const abuti_answer *answer, const abut_contact_problem *problem,
                   const abuti_island *island, abuti_outputs *out);
/* Adds the weights of a proof for one island, given in the system's scale, to those of other islands. */
void abuti_unscale_witness(const abuti_build *build, const double *contact, const double *joint,
                           abuti_outputs *out);
void abuti_unscale_ray(const abuti_system *system, const double *ray, abuti_outputs *out);

/* Writes the rest of each contact's answer: state, slip, velocities, axes. To be called after abuti_unscale of the same
 * answer. */
void abuti_describe(const abuti_build *build, const abuti_system *system, const abuti_answer *answer,
                    const abut_contact_problem *problem, abuti_outputs *out);

#endif
