/* An island with trees, bounded rows or compliance as blocks of unlike sizes.
 *
 * Such an island is first built as one block with rows of full length, and small islands are solved in that form. Its
 * rows are zero except on the one or two blocks that they act on. Stages that know blocks of unlike sizes (`parts` in
 * system.h) get only these blocks of each row, so that nothing grows with the square of the island. Private numbers
 * (lift.h) are not among the blocks: a row that gives way has its compliance instead, and the given normal impulse r of
 * a bounded row becomes that of a normal which comes in with the speed r and gives way by one. */
#ifndef ABUTI_CONTACT_BUILD_PARTS_H
#define ABUTI_CONTACT_BUILD_PARTS_H

#include "contact/system/islands.h"
#include "contact/system/system.h"

struct abuti_build;

typedef struct abuti_part_store {
    int count;    /* blocks of the island at hand (those that dampers join are one); 0: it has no such form */
    int bodies;   /* free bodies with as many freedoms; joint rows take freedoms away */
    int *first;   /* [block]: where its numbers begin in the one block of full length */
    int *body[2]; /* [lane]: the one or two blocks that it acts on; `count`: none */
    const abuti_islands *islands;
    bool made; /* the rest is of the island at hand: */
    abuti_system system;
    abuti_parts parts;
    int *size, *at, *joint_body[2];
    size_t *row, *joint_row;
    size_t row_room, joint_room; /* numbers of `rows` and `joint_rows` */
    double *rows, *joint_rows, *k, *give[3], *joint_give, *offset[2];
} abuti_part_store;

void abuti_parts_layout(abuti_part_store *partition, abuti_arena *arena, const abut_contact_limits *limits);
/* Finds the blocks that the island which has just been built falls into. */
void abuti_parts_find(struct abuti_build *build, const abut_contact_problem *problem,
                      const abuti_islands *islands, const abuti_island *island);
/* The system in parts; the system itself where it has no such form. */
const abuti_system *abuti_parts_system(struct abuti_build *build, const abut_contact_problem *problem,
                                       const abuti_system *system);

#endif
