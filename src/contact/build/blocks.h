/* The second door with blocks: where everything lies in the caller's packed arrays, and the blocks of the island at
 * hand. */
#ifndef ABUTI_CONTACT_BUILD_BLOCKS_H
#define ABUTI_CONTACT_BUILD_BLOCKS_H

#include "abut/contact.h"
#include "base/arena.h"
#include "contact/build/tree.h"

typedef struct abuti_blocks {
    abuti_block *block; /* [block of the problem] */
    double *factors;
    size_t *contact; /* [contact]: where its normal row begins; its tangent rows begin at twice that */
    size_t *joint;   /* [joint]: where its row begins */
    double *row;     /* scratch: one row, on one block */
    bool rigid;      /* the island at hand has blocks of at most six numbers, and the form of rigid bodies */
} abuti_blocks;

/* The numbers of the largest block; of the one there is where there are no blocks. */
static inline int abuti_block_size(const abut_contact_limits *limits)
{
    return limits->blocks > 0 && limits->block_size > 0 ? limits->block_size : limits->nv;
}

void abuti_blocks_layout(abuti_blocks *blocks, abuti_arena *arena, const abut_contact_limits *limits);
/* Finds its way about the arrays of a problem with blocks, whose shape has been checked. */
void abuti_blocks_find(abuti_blocks *blocks, const abut_contact_problem *problem);

#endif
