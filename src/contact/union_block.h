/* Islands with unions that have blocks, bounded rows or compliance (union_block.c). */
#ifndef ABUTI_CONTACT_UNION_BLOCK_H
#define ABUTI_CONTACT_UNION_BLOCK_H

#include "abut/contact.h"
#include "base/arena.h"

/* The island as a problem of the second door with one block, and a workspace for it. */
typedef struct abuti_union_block {
    abut_contact_workspace *work; /* NULL: the limits ask for no such islands */
    abut_contact_problem problem;
    abut_generalised generalised;
    abut_contact *contacts; /* [lane] */
    abut_joint *joints;
    double *mass, *velocity, *force, *normals, *tangents, *rows;
    double *scale; /* [lane]: what the rows of the system are multiplied by */
    int *lane;     /* [contact]: its lane */
    int *bound;    /* [lane]: of a row with two bounds in no-slip, the one it is at: -1, 1; 0: it is held */
    int *row;      /* [joint after the system's own]: the lane of a row that is held */
    int numbers;   /* at most */
} abuti_union_block;

/* Whether islands within these limits may come here. */
bool abuti_union_block_used(const abut_contact_limits *limits);
/* The limits of the inner workspace, which has neither blocks nor rows that are bounded or give way. */
abut_contact_limits abuti_union_block_limits(const abut_contact_limits *limits);
/* Lays out everything but the inner workspace. */
void abuti_union_block_layout(abuti_union_block *block, abuti_arena *arena,
                              const abut_contact_limits *limits);

#endif
