/* Unions of half-spaces (Egan, Berard, Trinkle): contacts of one group are the sides of a union, of which at
 * least one must hold.
 *
 *     unions/unions.c   groups of an island; the reduced problem in which chosen sides are ordinary contacts
 *     unions/lanes.c    the reduced system, as lanes of the island's system: no second build
 *     unions/gaps.c     a of every side at a motion; kinetic energy
 *     unions/search.c   the disjunctive search, for both rules
 *     unions/branch.c   branch and bound where that search is at its end
 *     unions/bounds.c   the bounds that the decisions of a node set
 *     unions/held.c     branch and bound for no-slip, by sets of contacts that hold still
 *     unions/pins.c     all motions that such sets can bring about
 *     unions/relax.c    the linear relaxations of branch and bound
 *     unions/lcp.c      the published LCPs (32) to (35) (abut/union.h)
 *     unions/lift.c     answers to points of those LCPs and back
 *     unions/sum.c      the summation rule: Lemke on (34), (35)
 *     unions/planar.c   from two polygons in the plane to contacts and unions (abut/planar.h)
 *
 * The verifier's part, verify/union.c, shares nothing with these. */
#ifndef ABUTI_CONTACT_UNIONS_UNIONS_H
#define ABUTI_CONTACT_UNIONS_UNIONS_H

#include "abut/union.h"
#include "contact/build/unscale.h"
#include "contact/system/warm.h"
#include "contact/unions/branch.h"
#include "contact/unions/sum.h"

/* The largest number of choices of one phase of the search. It is enough for one side or none of each of five groups of
 * four, and for all subsets of a dozen sides. */
enum { ABUTI_UNION_TRIALS = 4096 };

/* The largest number of answers that `all` tells apart. */
enum { ABUTI_UNION_ANSWERS = 32 };

/* One answer, indexed as the problem is. */
typedef struct abuti_union_point {
    double *impulses; /* 3 a contact */
    double *joints;
    abut_contact_face *faces;
} abuti_union_point;

struct abuti_unions {
    int capacity; /* sides at most; 0: no groups */

    /* The island's groups with two sides or more, by their first side; all other contacts are ordinary. */
    int groups, sides, ordinary_count;
    int *first;                     /* [group + 1]: where its sides begin in `side` */
    int *side;                      /* contacts, group by group */
    int *ordinary;                  /* contacts */
    int *side_lane, *ordinary_lane; /* their lanes in the island's system */
    double *gap;                    /* [side]: a at the motion last looked at */

    /* The choice: which sides of which groups are treated as ordinary contacts. */
    int *chosen;       /* [group]: how many sides, -1 while undecided */
    int *order;        /* [side]: places of the group's sides in order of preference */
    int *combination;  /* [side]: chosen places of `order`, ascending, at the begin of each group's stretch */
    int *stack, depth; /* decided groups */
    bool *last;        /* [side]: carried a force in the last step */

    /* The reduced problem. */
    abut_contact_problem reduced;
    abut_generalised generalised;
    abuti_island island;
    abut_contact *contacts;
    int *index, *identity; /* [reduced contact]: the contact in the problem; itself */
    double *normal_rows, *tangent_rows;
    bool warm;                     /* there are states to start from: */
    abut_contact_face *remembered; /* [contact] */
    abut_contact_face *start;      /* [lane] of the reduced problem */
    abuti_outputs outputs;         /* of trials, indexed as the reduced problem */

    /* The reduced system: lanes of the island's. */
    const abuti_system *whole;
    abuti_system system;
    abuti_system_store store;
    /* [lane of `system`]: its lane in `whole`; while groups are found, [contact of the island]: its group. */
    int *lane;
    bool *round;

    abuti_union_point best;
    abuti_union_place *place; /* [contact]: in the published LCP */
    double *seen;             /* [answer][3 * contacts]: impulses of the answers told so far */
    int *table, *key, slots;  /* open hash table: group number -> group */
    abuti_sum *sum;           /* NULL: the workspace does not serve the summation */
    abuti_branch *branch;
};

void abuti_unions_layout(abuti_unions *unions, abuti_arena *arena, const abut_contact_limits *limits);

/* Finds the groups of an island, and returns their number. */
int abuti_unions_find(abuti_unions *unions, const abut_contact_problem *problem, const abuti_island *island);
/* Makes the reduced problem and island of the present choice: ordinary contacts come first, then the chosen sides group
 * by group, each as an ordinary contact. */
void abuti_unions_reduce(abuti_unions *unions, const abut_contact_problem *problem,
                         const abuti_island *island);
/* Makes the problem that branch and bound looks at: all contacts in that order, with all sides in their groups. */
void abuti_unions_reduce_nothing(abuti_unions *unions, const abut_contact_problem *problem,
                                 const abuti_island *island);
/* Makes the reduced problem of the summation: everything except sides that are duplicates of another side. */
void abuti_unions_reduce_duplicates(abuti_unions *unions, const abut_contact_problem *problem,
                                    const abuti_island *island);
/* Notes which sides carried a force in the last step, and where trials start. */
void abuti_unions_remember(abuti_unions *unions, const abut_contact_problem *problem, abuti_warm *warm,
                           const abut_contact_options *options);
/* Writes the answer `best` in the units of the whole island's system. */
void abuti_unions_answer(const abuti_unions *unions, const abuti_build *build, const abuti_system *system,
                         abuti_answer *answer);

/* unions/lanes.c: gathers the reduced system of the present choice from unions->whole. */
void abuti_unions_gather(abuti_unions *unions);
/* Turns an answer of the reduced system into one of the whole; lanes that were not chosen carry nothing. */
void abuti_unions_scatter(const abuti_unions *unions, const abuti_answer *reduced, abuti_answer *whole);
void abuti_unions_layout_lanes(abuti_unions *unions, abuti_arena *arena, const abut_contact_limits *limits);

/* unions/gaps.c: a_i = n_i.u+ + b_i of contact i; b_i with the options' restitution threshold. */
double abuti_side_gap(const abut_contact_problem *problem, double threshold, int contact,
                      const double *velocity);
/* Kinetic energy of the island's bodies after the step. */
double abuti_kinetic_energy(const abut_contact_problem *problem, const abuti_island *island,
                            const double *velocity);

/* How the search asks for the solution of unions->system: one stage's word, which nobody has judged. When it
 * is solved, search->out has its impulses, joint impulses and velocities, indexed as the problem; the outcome
 * limit says that the budget is spent. */
typedef abut_outcome abuti_union_guess(void *context);
/* How the search asks for a solution of unions->reduced that the verifier has accepted. The solution goes into
 * unions->outputs, its states into unions->outputs.faces (reduced indices). */
typedef enum abuti_union_way {
    ABUTI_BY_STAGES, /* by the usual stages */
    ABUTI_EXACTLY,   /* by branch and bound, with the unions as they are; `proved` if there is none */
    ABUTI_FIRST,     /* the first of all that branch and bound finds for the present choice */
    ABUTI_NEXT,      /* the one after the last that was asked for */
} abuti_union_way;
typedef abut_status abuti_union_solver(void *context, abuti_union_way way, abut_outcome *outcome,
                                       bool *proved);
/* What becomes of an accepted answer, which stands in unions->best; false ends the search. */
typedef bool abuti_union_visitor(void *context);

typedef struct abuti_union_search {
    abuti_unions *unions;
    const abut_contact_problem *problem;
    const abuti_island *island;
    const abut_contact_options *options;
    abuti_outputs *out;          /* of the whole problem */
    const abuti_answer *guessed; /* on the whole system, after `guess` */
    double *verify_scratch;
    abuti_union_guess *guess;
    abuti_union_solver *solve;
    abuti_union_visitor *visit; /* NULL: one answer is wanted, by options->unions.prefer */
    void *context;

    abut_outcome outcome;     /* solved; infeasible (joint rows); limit; failed */
    abut_contact_check check; /* of the answer in unions->best */
    bool standing;            /* that answer still stands in `guessed` and `out` */
    int trials, answers;
    double energy; /* of `best` */
    /* The energy of the motion without sides: an answer with more is not the last one. Infinity: any answer is. */
    double free_energy;
    bool guessing; /* the motion at hand is a guess */
    bool limited;  /* some choices were left out */
    bool ended;
} abuti_union_search;

abut_status abuti_union_search_run(abuti_union_search *search);
/* Begins with the answer in unions->best, which was found elsewhere, before all others: it is shown, or it is the first
 * to compare energies with. */
void abuti_union_search_begin(abuti_union_search *search, const double *velocity);

#endif
