/* The second door with blocks: where everything lies in the caller's packed arrays, and the blocks of the island at
 * hand. */
#ifndef ABUTI_CONTACT_BUILD_BLOCKS_H
#define ABUTI_CONTACT_BUILD_BLOCKS_H

#include "abut/contact.h"
#include "base/arena.h"
#include "contact/build/tree.h"
#include "contact/system/parts.h"

/* Some numbers of the one block of an island. */
typedef struct abuti_range {
    int first, size;
} abuti_range;

typedef struct abuti_blocks {
    abuti_block *block; /* [block of the problem] */
    double *factors;
    size_t *contact; /* [contact]: where its normal row begins; its tangent rows begin at twice that */
    size_t *joint;   /* [joint]: where its row begins */
    double *row;     /* scratch: one row, on one block */
    bool bodies;     /* all blocks of the island at hand are free bodies */
    bool rigid;      /* it has blocks of at most six numbers, and the form of rigid bodies */
    /* Otherwise it is one block, in which those that dampers join stand next to each other: */
    int clusters;        /* 0: it is not of that form */
    int *cluster;        /* [block of the island]: which it is in */
    int *first, *size;   /* [cluster]: its numbers in the one block */
    abuti_range *around; /* [number]: those of its cluster */
} abuti_blocks;

void abuti_blocks_layout(abuti_blocks *blocks, abuti_arena *arena, const abut_contact_limits *limits);
/* Where the rows of a contact or joint that acts on these blocks are not zero: one or two ranges, in order. Where the
 * island has no clusters, it is one range of all `dim` numbers. Returns how many ranges there are. */
int abuti_block_ranges(const abuti_blocks *blocks, const int bodies[2], int dim, abuti_range range[2]);
/* Finds where everything lies in the arrays of a problem with blocks, whose shape has been checked. */
void abuti_blocks_find(abuti_blocks *blocks, const abut_contact_problem *problem);

#endif
