/* What a call of abut_contact_solve carries along, and the parts of the front that work on it: contact.c is the
 * flow, and every other file is one step of it. */
#ifndef ABUTI_CONTACT_CALL_H
#define ABUTI_CONTACT_CALL_H

#include "contact/build/validate.h"
#include "contact/workspace.h"

/* What the stages of one island came to. */
typedef struct abuti_verdict {
    abut_outcome outcome;
    abut_contact_check check;
    const abuti_stage *stage;
    int pivots;
    const abuti_answer *point;  /* what was judged last, if `outcome` is solved or limit; else NULL */
    bool glue_proven;           /* of `point`: no choice of held contacts does without glue */
    bool exhausted;             /* a stage has gone through all modes and found no answer */
    bool too_large, tried;      /* some stage had no room for the island; some stage had */
    const abuti_stage *cramped; /* the first stage that had no room for the island */
    bool directed;              /* there is a ray, and its direction stands in the outputs */
    bool described;             /* all of the answer stands in the outputs */
    bool others;                /* another answer was seen, which moves otherwise */
    /* The stage that brought the last stage's answer onto circles; NULL if the answer needed no change. */
    const abuti_stage *refined;
    bool spent;     /* a budget that the order of attack sets itself is spent */
    bool early;     /* circles were tried before all polygons were */
    bool unrefined; /* the last stage found an answer on polygons that was not brought onto circles */
} abuti_verdict;

/* What a call carries along. */
typedef struct abuti_call {
    abut_contact_workspace *work;
    const abut_contact_problem *problem;
    const abut_contact_options *options;
    abut_contact_result *result;
    abuti_survey survey;
    const abuti_plan *plan;
    abuti_stage_context context;
    abuti_home *home; /* of the island at hand; NULL: it has none */
    double deadline;  /* of the call; that of `context` leaves time for a point to go on from (soften.h) */
    /* A call that shares its islands with others (share.h) is part `part` of `parts`. A call that is alone: parts 0. */
    int part, parts;
    bool held;        /* the model holds contacts, which may be glued */
    bool proves;      /* a proof that the island has no answer may still be looked for */
    bool answered;    /* some island has an answer, or nothing needs one */
    int longest;      /* pivots of the island that took most; -1: no island so far */
    int rays;         /* islands that ended on a ray */
    bool glue_open;   /* some island has glued contacts, and no proof that it needs them */
    bool has_ray;     /* a stage ended on a ray whose direction stands in the outputs */
    bool has_weights; /* the outputs hold weights of a proof, or zeros */

    /* Unions, and calls that show all answers. */
    abut_union_visit visit; /* NULL: one answer is wanted */
    void *visit_context;
    const abuti_island *union_island; /* the island whose unions are searched, or, with `visit`, will be */
    abuti_verdict union_verdict;      /* pivots and last stage of all trials of an island */
    const abuti_system *system;       /* the system whose modes are all shown (all_modes.c) */
    int shown;                        /* answers that `visit` has seen */
    bool stopped;                     /* the caller has seen enough */
    bool cut_short;                   /* there may be more answers than were shown */
} abuti_call;

/* call.c: the first and the last step. After begin the islands are known. A problem that begin
 * refuses is refused by every solve. */
abut_status abuti_call_begin(abuti_call *c);
void abuti_call_finish(abuti_call *c);
bool abuti_out_of_budget(const abuti_call *c);

/* contact.c: the first solves every island but `left_out` (NULL: all of them) and what nothing touches, the second
 * solves one island. */
abut_status abuti_solve_islands(abuti_call *c, const abuti_island *left_out);
abut_status abuti_solve_island(abuti_call *c, const abuti_island *island);
/* Whether this call solves the island; a call that is alone solves all. */
bool abuti_is_mine(const abuti_call *c, int island);
/* union_block.c: whether an island with unions has blocks, bounded rows or compliance, and solving it. */
bool abuti_union_block_serves(const abuti_call *c, const abuti_island *island);
abut_status abuti_solve_union_block(abuti_call *c, const abuti_island *island);
/* island_unions.c: an island with unions. */
abut_status abuti_solve_unions(abuti_call *c, const abuti_island *island);

/* prepare.c: builds the island's system with independent joint rows; *system is NULL where the rows contradict each
 * other. abuti_build_island is the first half of that: the system with the rows as they stand in the problem. */
abut_status abuti_prepare_island(abuti_call *c, const abuti_island *island, const abuti_system **system);
abut_status abuti_build_island(abuti_call *c, const abuti_island *island);

/* carry.c: puts the states and impulses of the last step, for the island's system, into the context. */
void abuti_take_start(abuti_call *c, const abuti_system *system);
/* Rewrites the state and the friction (x, y) of a contact in its new tangents; the vector stays the same. The old
 * tangent is along[0] times the new one plus along[1] times the axis across it. */
void abuti_turn_friction(const double along[2], int directions, abut_contact_face *face, double *x,
                         double *y);

/* attack.c: runs the stages of the plan until the verifier accepts an answer. */
void abuti_attack(abuti_call *c, const abuti_island *island, const abuti_system *system,
                  abuti_verdict *verdict);
/* Runs one stage on the system, and takes its pivots from the budget. Where contacts have circles, the answer of a
 * stage for polygons is brought onto them before it counts as one. */
abut_outcome abuti_run_stage(abuti_call *c, const abuti_stage *stage, const abuti_system *system,
                             abuti_verdict *verdict);
/* Keeps the direction of the ray at hand, if it is the first that has one. */
void abuti_take_ray(abuti_call *c, const abuti_system *system, abuti_verdict *verdict);
/* round.c: systems with circles. `warm` starts from the last step's states, `rescue` is for islands where no polygon
 * of the plan led to an answer, and `alone` runs a stage of circles by itself. `early` comes at the W + q door,
 * where polygons take long, after the first of the plan's stages that has no answer. Each returns true when the
 * verdict is an answer that the verifier accepts. */
bool abuti_round_warm(abuti_call *c, const abuti_island *island, const abuti_system *system,
                      abuti_verdict *verdict);
bool abuti_round_early(abuti_call *c, const abuti_island *island, const abuti_system *system,
                       abuti_verdict *verdict);
bool abuti_round_rescue(abuti_call *c, const abuti_island *island, const abuti_system *system,
                        abuti_verdict *verdict);
bool abuti_round_alone(abuti_call *c, const abuti_island *island, const abuti_system *system,
                       abuti_verdict *verdict);
/* Sets in the context what stages of circles start from besides the states. */
void abuti_round_start(abuti_call *c, const abuti_system *system);
/* Brings the answer at hand, which a stage for polygons believes in, onto circles. */
abut_outcome abuti_round_refine(abuti_call *c, const abuti_system *system, abuti_verdict *verdict);
/* Whether the verifier accepts the answer at hand, which `stage` has found. If so, that answer is the verdict, or
 * rest is if the bodies can rest. */
bool abuti_accept(abuti_call *c, const abuti_island *island, const abuti_system *system,
                  const abuti_stage *stage, abuti_verdict *verdict);
/* Exchanges the answer at hand and the best one. */
void abuti_swap_answers(abut_contact_workspace *work);
/* Makes an answer without impulses, in which all contacts are open. */
void abuti_clear_answer(abuti_answer *answer, const abuti_system *system);
/* Carries an answer to the caller's units and lets the verifier judge it. */
void abuti_call_judge(abuti_call *c, const abuti_island *island, const abuti_system *system,
                      const abuti_answer *answer, abut_contact_check *check);

/* proof.c: whether it is proven that contacts and joint rows of the island that was built last exclude each other. */
bool abuti_proven_impossible(abuti_call *c, const abuti_island *island);
/* Whether a point shows that they do not: the velocity after its impulses keeps bodies apart and joint rows as they
 * must be. */
bool abuti_shown_possible(abuti_call *c, const abuti_system *system, const abuti_answer *point);

/* report.c: the rank of an outcome, from best to worst. With 0 and 1 there is an answer; with the last there cannot be
 * one. */
int abuti_severity(abut_outcome outcome);
/* Adds one island's verdict to the result. */
void abuti_report(abuti_call *c, const abuti_island *island, const abuti_system *system,
                  const abuti_verdict *verdict);
/* Shows one of all answers to the caller: the result so far, with what `report` adds to it for a while. False: the
 * caller has seen enough. */
bool abuti_show(abuti_call *c, void (*report)(void *context), void *context);

#endif
