/* Systems whose blocks have unlike sizes: trees among free bodies, and rows that are bounded or give way (build/parts.h
 * makes them). */
#ifndef ABUTI_CONTACT_SYSTEM_PARTS_H
#define ABUTI_CONTACT_SYSTEM_PARTS_H

#include "abut/contact.h"
#include "linalg/kernels.h"
#include <stdbool.h>
#include <stddef.h>

enum { ABUTI_RIGID = 6 }; /* numbers of a rigid body */

/* Rows are as long as the blocks that they act on. A system of parts has two sides. It does not use `rows`,
 * `joint_rows`, `dim` and `stride` of the system; k and velocities have `space` numbers. A contact's velocity is
 * u = J v + offset + give times its impulse. */
typedef struct abuti_parts {
    const int *size; /* [block]: its numbers */
    /* [block]: where its numbers begin in k and in velocities, a multiple of 8; what lies between blocks is zero. */
    const int *at;
    int space; /* the length of k */
    /* [lane]: where its rows are in `rows`: axis after axis, of each axis side 0, then side 1, both padded to 8. */
    const size_t *row;
    const double *rows;
    const size_t *joint_row; /* [joint]: its row in `joint_rows`, likewise */
    const double *joint_rows;
    bool gives;               /* something gives way: */
    const double *give[3];    /* [axis][lane] */
    const double *joint_give; /* [joint] */
} abuti_parts;

/* How many numbers the largest block has; without blocks, how many the one block has. */
static inline int abuti_block_size(const abut_contact_limits *limits)
{
    return limits->blocks > 0 && limits->block_size > 0 ? limits->block_size : limits->nv;
}

/* Whether an island within these limits may fall into such parts. */
static inline bool abuti_parts_possible(const abut_contact_limits *limits)
{
    if (limits->bounded + limits->compliant > 0) return limits->bodies > 1 || limits->blocks > 1;
    return limits->blocks > 1 && abuti_block_size(limits) > ABUTI_RIGID;
}

/* The longest k of parts, for these limits of stages. */
static inline size_t abuti_parts_space(const abut_contact_limits *stages)
{
    size_t blocks = (size_t)(stages->bodies > stages->blocks ? stages->bodies : stages->blocks);
    return abuti_parts_possible(stages) ? (size_t)abuti_padded(stages->nv) + ABUTI_LANES * (blocks + 1) : 0;
}

#endif
