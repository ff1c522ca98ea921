/* abut/union.h: contacts of which at least one must hold (Egan, Berard, Trinkle, "Modeling nonconvex
 * constraints using linear complementarity").
 *
 * Ordinary contacts intersect half-spaces, so a body near a corner that juts into the scene is stopped by the
 * infinite extension of a face. Contacts with one positive `group` number are the *sides* of one *union*: the
 * body must be on the free side of at least one of them. With
 *
 *     a_i = n_i.u+ + b_i,        the gap of side i at the end of the step over the step (eqs. (10), (11)),
 *
 * a union asks for max a_i >= 0. abut_contact_solve answers problems with unions at the velocity level
 * (coulomb, frictionless, no-slip), mixed with ordinary contacts, joint rows, and friction on every side,
 * through the doors of bodies and generalised coordinates; limits.sides must count the contacts with a group.
 * A group with one side is a contact that must hold. Sides have no viscosity.
 *
 * options.unions.rule
 *
 *   ABUT_UNION_MAX   the exact union. Forces act only on sides that are touched (a_i = 0), and on none while
 *                    another side of its union is open.
 *   ABUT_UNION_SUM   the summation formulation (30): sum of max(-e, a_i) + e over the sides is at least e, e
 *                    = epsilon / step. The corner is capped, and a touched union may push on any of its
 *                    sides. epsilon is options.unions.epsilon, or, when that is 0, step * 1e-4 * the largest
 *                    normal speed n_i.v of a side under the free motion of the island's dynamic bodies (v +
 *                    step M^-1 force; where that is zero, of the largest |b_i|, kinematic bodies included).
 * Sides with the very same row count once, by the largest a.
 *
 * How it is answered. `max`: by a search over which sides push; each choice is solved by the usual stages
 * with the chosen sides as ordinary contacts and the others left out, and counts if the verifier accepts it
 * for the union; what no choice answers is decided by branch and bound on the conditions themselves.
 * (Lemke's method cannot solve the published LCP of `max`: at its solutions the determinant has the sign that
 * Lemke's path never ends with.) `sum`: by Lemke's method on the published LCP, with further covering vectors
 * after a ray, then with the paper's small slack that grows, then (no-slip, which has no such LCP, at once)
 * by the search and branch and bound.
 *
 * Several answers are normal. The first one in this order is given:
 *
 *   0  warm: the sides that carried a force in the last step (by contact key), if that is an answer
 *   1  no side; and while the motion violates some union (the first in the order of the contacts), each of
 *      its sides: last step's first, then by the least kinetic energy after the step (that of the motion at hand
 *      after this side alone has brought its a_i to 0 without friction: E + (b_i^2 - (n_i.u)^2) / (2 s_i^2)), then by
 *      the largest a_i, then by index; depth first. Unions that the motion satisfies are not looked at. Where the
 *      first answer has more kinetic energy than the motion without sides, up to 64 further choices of as many sides
 *      are looked at, and the first that has no more is given, or else the least.
 *   2  branch and bound: of unions (touched, idle), their sides (of `sum`: its pairs), and complementary
 *      pairs, by what a linear relaxation violates; complete, up to 400 rows (contacts with their directions
 *      and slips, or tangents). No-slip in islands of up to 24 freedoms: the sets of contacts that are held, each
 *      motion once (with `max`)
 *   3  where 2 is not at hand (more rows) or could not decide: every choice, as below
 *
 * Every choice means: no side at all; then all choices with none or one side of each union, then with at most
 * two, and so on; in each the last union changes fastest, its sides in the order of 1 at the motion without
 * any side.
 *
 * options.unions.prefer = ABUT_PREFER_ENERGY looks at every choice (4096 an island at most), and with friction
 * at all combinations of states of the contacts that push, and takes the answer with the least kinetic energy
 * after the step, the earlier one of two that are equal. With `sum` Lemke's answer is the first of them, and
 * those of the choices follow, as far as they are ones of the summation: not all there are.
 *
 * Outcome: `infeasible` when joint rows and ordinary contacts contradict each other. `failed` with
 * result.exhausted when branch and bound has shown that there is no answer: unlike ordinary contacts, unions
 * can ask for what no impulses give, with friction about once in 100,000 problems of `abut stress union`,
 * with no-slip in 2 (`sum`) or 1 (`max`) of 100. `limit` when the budget or the choices are spent (there is then no
 * point better than zero impulses), `failed` alone when no choice gave an answer and nothing shows that there
 * is none. */
#ifndef ABUT_UNION_H
#define ABUT_UNION_H

#include "abut/contact.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a contact is a side of a union: another one has its group. Alone in its group it must hold. false
 * where there is no such contact. */
ABUT_API bool abut_union_is_side(const abut_contact_problem *problem, int contact);

#define ABUT_UNION_ALL_MAX 16 /* limits.sides of a workspace that lists all answers, at most */

/* Shows one answer; the result is valid during the call only. false: no more. */
typedef bool (*abut_union_visit)(const abut_contact_result *result, void *context);

/* All answers of a problem with unions of one island: every choice of sides, in the order above; unless it is
 * frictionless, where a choice has one motion, the stages' answer of a choice comes first, then by branch and
 * bound one for each combination of states of the contacts that push (open, sticking, sliding at a direction,
 * between two). Answers with equal impulses (up to 100 tolerances) come once, at most 32. So all isolated
 * answers are listed; of a continuum (redundant contacts share their impulses in many ways) some stand for
 * all. With ABUT_UNION_SUM Lemke's answer comes first, then the choices whose answers are ones of the
 * summation, which are not all. `count` gets the number of answers shown. Before anything is shown:
 * ABUT_UNSUPPORTED when several islands have unions, ABUT_TOO_LARGE when limits.sides exceeds
 * ABUT_UNION_ALL_MAX; after it, ABUT_TOO_LARGE when there may be more (32 answers, 4096 choices, the budget;
 * no union at all but friction or no-slip: one answer is shown). */
ABUT_API abut_status abut_union_all(abut_contact_workspace *workspace, const abut_contact_problem *problem,
                                    const abut_contact_options *options, abut_union_visit visit,
                                    void *context, int *count);

/* ------------------------------------------------------------------------------------------------
 * The published LCPs: (32), (33) of the max and (34), (35) of the summation formulation
 *
 *     w = B z + b, 0 <= w perp z >= 0,        z = (c, d, g, h, p, p_y, p_x, p_f, s)  or  (c, p_y, p_x, p_f,
 * s)
 *
 * with y sides (contacts with a group, in the order of the problem), g groups (by their first side), x
 * ordinary contacts, then the directions of all of these contacts (sides first), then one slip each; k is the
 * number of directions. joint rows follow as free variables. Rows without joints:
 *
 *     max   4 y + 2 g + x + (k + 1)(x + y)        sum   2 y + x + (k + 1)(x + y)
 *
 * and without the last product for ABUT_FRICTIONLESS. The printed second block of (35), -(epsilon / h)(D'D e
 * - e), is -(epsilon / h) e here: the printed one is right for two sides only. gamma must exceed 1 and need
 * not be large. Models: coulomb, frictionless. */

typedef struct abut_union_size {
    /* y, g, x. */
    int sides, groups, ordinary;
    /* The last variables, free. */
    int joints;
    /* All, joints included. */
    int rows;
} abut_union_size;

#define ABUT_UNION_GAMMA 2.0

/* The sizes, through the rule of the options. */
ABUT_API abut_status abut_union_lcp_size(const abut_contact_problem *problem,
                                         const abut_contact_options *options, abut_union_size *size);

/* B (rows x rows) and b of the whole problem, in the caller's units. `constant` gets what lifting needs: for
 * `sum` epsilon / step, as options->unions.epsilon says or as chosen over all sides of the problem; for `max`
 * gamma, which is ABUT_UNION_GAMMA unless *constant > 1 says otherwise. The answer of the last solve in this
 * workspace stays valid. */
ABUT_API abut_status abut_union_lcp_build(abut_contact_workspace *workspace,
                                          const abut_contact_problem *problem,
                                          const abut_contact_options *options, double *constant, double *B,
                                          double *b);

/* From an answer (contact_count, joint_count numbers) to the z of the LCP: c, d, g, h follow from a_i
 * (gap_velocity), g is 1 at the largest a of a group, p is 0, a friction impulse is written with the two
 * directions between which it lies. */
ABUT_API abut_status abut_union_lift(const abut_contact_problem *problem, const abut_contact_options *options,
                                     double constant, const abut_contact_answer *contacts,
                                     const double *joints, double *z);

/* From a z to impulses (contact_count x 3) and joint impulses, as abut_contact_verify takes them. */
ABUT_API abut_status abut_union_unlift(const abut_contact_problem *problem,
                                       const abut_contact_options *options, const double *z, double *impulses,
                                       double *joints);

#ifdef __cplusplus
}
#endif

#endif
