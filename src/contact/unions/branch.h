/* Branch and bound for problems with unions: complete where the search over reduced problems is not. */
#ifndef ABUTI_CONTACT_UNIONS_BRANCH_H
#define ABUTI_CONTACT_UNIONS_BRANCH_H

#include "contact/unions/lcp.h"
#include "contact/unions/pins.h"
#include "contact/unions/relax.h"

/* The largest number of rows; beyond it the search over reduced problems is all there is. */
enum { ABUTI_BRANCH_ROWS = 400 };

/* The largest number of nodes of one tree, which take about a second. Trees of `abut stress union` mostly have some
 * hundreds. */
enum { ABUTI_BRANCH_NODES = 100000 };

/* Nodes, or sets of pins, between two looks at the clock. */
enum { ABUTI_BRANCH_SLICE = 64 };

typedef enum abuti_decided { ABUTI_OF_GROUP, ABUTI_OF_SIDE, ABUTI_OF_PAIR, ABUTI_OF_CONTACT } abuti_decided;

typedef struct abuti_decision {
    abuti_decided what;
    int index; /* of a group, a pair (z_index, w_index), a contact */
    /* A group of m sides: touched at side `state`, open at side `state` - m. A pair: 0, 1. A contact: 0 open,
     * 1 sticks (without friction: touched), then slides at direction 0, 1, ..., then between 0 and 1, 1 and
     * 2, ... */
    int state, states;
    bool w_first; /* of a pair: state 0 makes w zero, 1 makes z zero; else the other way round */
} abuti_decision;

typedef enum abuti_glue_of { ABUTI_GLUE_OF_NONE, ABUTI_GLUE_OF_ORDINARY, ABUTI_GLUE_OF_ALL } abuti_glue_of;

typedef struct abuti_branch {
    int capacity; /* rows at most */
    abuti_union_shape shape;
    abuti_union_place *place; /* [contact] */
    double *B, *b, *z, *w;
    double *row_scale, *joint_scale; /* of the tree's own units */
    abuti_relax relax;
    abuti_pins pins;    /* no-slip: sets of contacts that hold still, which come before the tree */
    bool by_pins;       /* it is the turn of the pins, not of the tree */
    abuti_glue_of glue; /* which contacts may be open and held */
    abuti_decision *stack;
    int depth, nodes;
    bool every;           /* all answers: the states of all contacts are decided */
    bool started, paused; /* paused: the node at hand has not been looked at */
    bool exhausted;       /* the tree is done, and every empty branch was proved so */
} abuti_branch;

typedef struct abuti_unions abuti_unions;

abuti_branch *abuti_branch_layout(abuti_arena *arena, const abut_contact_limits *limits);
/* Begins a tree over unions->reduced, which holds all contacts (ordinary ones first, then the groups' sides), by the
 * rule of the options. With the rule `max`, groups that are decided (unions->chosen >= 0) push with exactly the
 * chosen sides. `every`: all groups are decided, and each combination of states of the contacts that may push has a
 * leaf of its own. False: too large. */
bool abuti_branch_begin(abuti_branch *branch, const abuti_unions *unions, const abuti_system *system,
                        const abut_contact_options *options, bool every);
/* Looks for the next point that fulfils everything to rounding, and puts it into the answer. PAUSE comes from time to
 * time, so that the caller can look at the clock. END means that there are no more points, or that the nodes or pivots
 * are spent (then `exhausted` is false). The pivots are added to answer->pivots. */
typedef enum abuti_branch_step { ABUTI_BRANCH_POINT, ABUTI_BRANCH_PAUSE, ABUTI_BRANCH_END } abuti_branch_step;
abuti_branch_step abuti_branch_next(abuti_branch *branch, const abuti_unions *unions,
                                    const abuti_system *system, int pivots_left, abuti_answer *answer);

#endif
