/* What a contact workspace holds. */
#ifndef ABUTI_CONTACT_WORKSPACE_H
#define ABUTI_CONTACT_WORKSPACE_H

#include "contact/build/build.h"
#include "contact/build/joints.h"
#include "contact/build/unscale.h"
#include "contact/impact.h"
#include "contact/room.h"
#include "contact/system/homes.h"
#include "contact/system/warm.h"
#include "contact/union_block.h"
#include "contact/unions/unions.h"

/* What a plan depends on. */
typedef struct abuti_question {
    abut_contact_model model;
    abut_contact_solver solver;
    bool local, alone;
} abuti_question;

struct abut_contact_workspace {
    abut_allocator allocator;
    size_t size;
    abut_contact_limits limits;
    unsigned served;
    abuti_plan plan;        /* the plan of the last call, */
    abuti_question planned; /* which asked this */
    abuti_room room;        /* scratch of all stages */
    uint64_t systems;       /* built so far: the number of the present one */
    abuti_islands islands;
    abuti_roll roll;   /* the keys of the last problem, */
    abuti_homes homes; /* where its islands lived, and what is kept there */
    abuti_build build;
    abuti_joint_space joint_space;
    abuti_answer answer; /* the stage that runs */
    abuti_answer best;   /* the best point of the island so far */
    abuti_warm warm;
    abuti_outputs outputs;
    abut_island_result *island_result; /* [island]: what the result points to */
    int *owner;                        /* [island]: which part of a shared call solves it (share.h) */
    abuti_unions unions;
    abuti_union_block union_block;
    abuti_impact impact;
    int *finer; /* [lane]: directions of finer polygons */
    double *verify_scratch;
};

/* Polygons with this many directions at most are tried where coarser ones do not lead to circles. */
#define ABUTI_FINEST 32

/* The scratch of a stage's family, fit for the system; NULL: the workspace has no room for an island of this size. */
void *abuti_workspace_enter(abut_contact_workspace *work, const abuti_stage *stage,
                            const abuti_system *system);

#endif
