/* Joint rows: rank, contradictions, and their elimination by projection. */
#ifndef ABUTI_CONTACT_BUILD_JOINTS_H
#define ABUTI_CONTACT_BUILD_JOINTS_H

#include "contact/build/build.h"

typedef struct abuti_joint_space {
    int rank;
    int width; /* numbers a basis vector: all blocks of the island */
    double *Q; /* [rank][width]: orthonormal basis of the joint rows */
    double *R; /* kept row r of the joints is sum_l R[l * ld + r] Q_l, l <= r */
    int ld;
    double *level; /* [rank]: Q_l.v that the offsets ask for */
    double *work;  /* width */
    bool projected;
    abuti_system system; /* the projected system */
    double *rows, *k, *offset[3];
    int *body[2];
} abuti_joint_space;

/* Bodies of the largest island whose joint rows are projected out: all its rows become dense. */
enum { ABUTI_PROJECTED_BODIES = 32 };

/* `few` says that islands of more than ABUTI_PROJECTED_BODIES bodies are prepared by others (abuti_joints_keep). */
void abuti_joint_space_layout(abuti_joint_space *space, abuti_arena *arena, const abut_contact_limits *limits,
                              bool few);

/* The system that stages shall see: the built one, with rows that depend on others taken out, or the projected one.
 * NULL: the rows contradict each other. */
const abuti_system *abuti_joints_prepare(abuti_joint_space *space, abuti_build *build, abut_joint_rows mode);

/* The same, where others have found which rows are independent (keep[j]). It never projects. */
const abuti_system *abuti_joints_keep(abuti_joint_space *space, abuti_build *build, const uint8_t *keep);

/* The velocity of a projected system in the blocks of the built one. */
void abuti_joints_unpack(const abuti_build *build, const double *packed, double *blocks);
/* After a projected solve: finds the joint impulses (scaled, [rank]) from `without_joints`, which is k plus all contact
 * impulses in the built system's blocks. */
void abuti_joints_recover(const abuti_joint_space *space, const double *without_joints, double *joint);

#endif
