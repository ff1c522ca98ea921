/* abut/union.h: contacts of which at least one must hold (Egan, Berard, Trinkle, "Modeling nonconvex constraints using
 * linear complementarity").
 *
 * Ordinary contacts intersect half-spaces, so a body near a corner that juts into the scene is stopped by the
 * infinite extension of a face. Contacts with one positive `group` number are the *sides* of one *union*: the body
 * must be on the free side of at least one of them. A group with one side is a contact that must hold. Sides have no
 * viscosity.
 *
 * +-- Conventions, beside those of contact.h --------------------
 * |
 * |  gap of a side      a_i = n_i.u+ + b_i: its gap at the end of the step, over the step (eqs. (10), (11))
 * |  a union asks for   max a_i >= 0                              options.unions.rule = ABUT_UNION_MAX
 * |                     sum of (max(-e, a_i) + e) >= e            options.unions.rule = ABUT_UNION_SUM, eq. (30)
 * |                     sides with the very same row count once, by the largest a
 * |  size of the cap    e = epsilon / step, with epsilon = options.unions.epsilon. Where that is 0, epsilon is
 * |                     step * 1e-4 * the largest normal speed n_i.v of a side under the free motion
 * |                     v + step M^-1 force of the island's dynamic bodies; where that is 0, of the largest |b_i|,
 * |                     kinematic bodies included
 * +--------------------
 *
 *   ABUT_UNION_MAX   The exact union. Forces act only on sides that are touched (a_i = 0), and on none while another
 *                    side of the union is open.
 *   ABUT_UNION_SUM   The summation formulation. The corner is capped, and a touched union may push on any of its sides.
 *
 * abut_contact_solve answers problems with unions at the velocity level (coulomb, frictionless, no-slip), through the
 * doors of bodies and generalised coordinates. They may have ordinary contacts, joint rows, bounded rows, compliance,
 * blocks, and friction on every side. A side that gives way has a_i = n_i.u+ + b_i + compliance * normal.
 * limits.sides must count the contacts with a group.
 *
 * How `max` is answered. A search goes over which sides push. Each choice is solved by the usual stages, with the
 * chosen sides as ordinary contacts and the others left out, and counts if the verifier accepts it for the union.
 * What no choice answers is decided by branch and bound on the conditions themselves. (Lemke's method cannot solve
 * the published LCP of `max`: at its solutions the determinant has the sign that Lemke's path never ends with.)
 *
 * How `sum` is answered. Lemke's method is run on the published LCP, with further covering vectors after a ray, then
 * with the paper's small slack that grows. The search and branch and bound come after that. No-slip has no such LCP,
 * and begins with the search.
 *
 * Several answers are normal. The first one in this order is given:
 *
 *   0  With `warm`: the sides that carried a force in the last step (by contact key), if that is an answer.
 *   1  The search, depth first. It begins with no side. While the motion violates some union, the first of them in the
 *      order of the contacts is taken, and each of its sides is tried; unions that the motion satisfies are not looked
 *      at. The sides of the last step are tried first. The others are ordered by the least kinetic energy after the
 *      step, then by the largest a_i, then by index. (That energy is E + (b_i^2 - (n_i.u)^2) / (2 s_i^2): of the motion
 *      at hand after this side alone has brought its a_i to 0 without friction.) Where the first answer has more energy
 *      than the motion without sides, up to 64 further choices of as many sides are looked at. The first that has no
 *      more is given, or else the one that has least.
 *   2  Branch and bound. It branches on unions (touched, idle), on their sides (of `sum`: on its pairs) and on
 *      complementary pairs, by what a linear relaxation violates. It is complete, up to 400 rows (contacts with their
 *      directions and slips, or tangents). For no-slip with `max`, in islands of up to 24 freedoms, it goes through the
 *      sets of contacts that are held, each motion once.
 *   3  Where 2 is not at hand (more rows) or could not decide: every choice.
 *
 * Every choice means: no side at all; then all choices with none or one side of each union; then with at most two,
 * and so on. In each the last union changes fastest, and its sides come in the order of 1 at the motion without any
 * side.
 *
 * options.unions.prefer = ABUT_PREFER_ENERGY looks at every choice (4096 an island at most), and with friction at all
 * combinations of states of the contacts that push. It takes the answer with the least kinetic energy after the step,
 * and the earlier one of two that are equal. With `sum` Lemke's answer is the first of them. The answers of the
 * choices follow, as far as they are answers of the summation; these are not all that there are.
 *
 * Outcomes:
 *
 *   infeasible          Joint rows and ordinary contacts contradict each other.
 *   failed, exhausted   Branch and bound has shown that there is no answer. Unlike ordinary contacts, unions can ask
 *                       for what no impulses give: with friction about once in 100,000 problems of `abut stress union`,
 *                       with no-slip in 2 (`sum`) or 1 (`max`) of 100.
 *   limit               The budget or the choices are spent. There is then no point better than zero impulses.
 *   failed              No choice gave an answer, and nothing shows that there is none. */
#ifndef ABUT_UNION_H
#define ABUT_UNION_H

#include "abut/contact.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a contact is a side of a union: another contact has its group. (One that is alone in its group must hold.)
 * False where there is no such contact. */
ABUT_API bool abut_union_is_side(const abut_contact_problem *problem, int contact);

#define ABUT_UNION_ALL_MAX 16 /* limits.sides of a workspace that lists all answers, at most */

/* Shows one answer; the result is valid during the call only. false: no more. */
typedef bool (*abut_union_visit)(const abut_contact_result *result, void *context);

/* Shows all answers of a problem in which one island has unions: every choice of sides, in the order above. A choice
 * has one motion where the problem is frictionless. Otherwise the stages' answer of a choice comes first, and then
 * branch and bound gives one for each combination of states of the contacts that push (open, sticking, sliding at a
 * direction, between two). Answers with equal impulses (up to 100 tolerances) are shown once, and at most 32. So all
 * isolated answers are listed; of a continuum, in which redundant contacts share their impulses in many ways, some
 * stand for all. With ABUT_UNION_SUM Lemke's answer comes first, then the choices whose answers are answers of the
 * summation, which are not all. `count` gets the number of answers shown.
 *
 * Before anything is shown: ABUT_UNSUPPORTED when several islands have unions, or the model is no-slip and some row has
 * two bounds; ABUT_TOO_LARGE when limits.sides exceeds ABUT_UNION_ALL_MAX. After it: ABUT_TOO_LARGE when there may be
 * more, because 32 answers, 4096 choices or the budget were reached. A problem without unions shows one answer; with
 * friction or no-slip there may then be more. */
ABUT_API abut_status abut_union_all(abut_contact_workspace *workspace, const abut_contact_problem *problem,
                                    const abut_contact_options *options, abut_union_visit visit,
                                    void *context, int *count);

/* ------------------------------------------------------------------------------------------------
 * The published LCPs: (32), (33) of the max and (34), (35) of the summation formulation
 *
 *     w = B z + b,   0 <= w perp z >= 0
 *
 *     max   z = (c, d, g, h, p, p_y, p_x, p_f, s)     4 y + 2 g + x + (k + 1)(x + y) rows
 *     sum   z = (c, p_y, p_x, p_f, s)                 2 y + x + (k + 1)(x + y) rows
 *
 * Here y is the number of sides (contacts with a group, in the order of the problem), g that of groups (by their
 * first side), x that of ordinary contacts, and k that of directions. p_f holds the directions of all of these
 * contacts, sides first, and s one slip each; ABUT_FRICTIONLESS has neither, and no last product. Joint rows follow
 * as free variables, and are not counted above.
 *
 * The printed second block of (35), -(epsilon / h)(D'D e - e), is -(epsilon / h) e here: the printed one is right for
 * two sides only. gamma must exceed 1 and need not be large. Models: coulomb, frictionless. The papers have neither
 * bounded rows nor compliance, and one mass matrix: problems with these, or with blocks, are ABUT_UNSUPPORTED here. */

typedef struct abut_union_size {
    /* y, g, x. */
    int sides, groups, ordinary;
    /* Joint rows: the last variables, which are free. */
    int joints;
    /* All rows, those of joints included. */
    int rows;
} abut_union_size;

#define ABUT_UNION_GAMMA 2.0

/* The sizes, through the rule of the options. */
ABUT_API abut_status abut_union_lcp_size(const abut_contact_problem *problem,
                                         const abut_contact_options *options, abut_union_size *size);

/* B (rows x rows) and b of the whole problem, in the caller's units. `constant` gets what lifting needs. For `sum`
 * that is epsilon / step, as options->unions.epsilon says, or as chosen over all sides of the problem. For `max` it
 * is gamma, which is ABUT_UNION_GAMMA unless *constant > 1 says otherwise. The answer of the last solve in this
 * workspace stays valid. */
ABUT_API abut_status abut_union_lcp_build(abut_contact_workspace *workspace,
                                          const abut_contact_problem *problem,
                                          const abut_contact_options *options, double *constant, double *B,
                                          double *b);

/* From an answer (contact_count, joint_count numbers) to the z of the LCP. c, d, g and h follow from a_i
 * (gap_velocity); g is 1 at the largest a of a group, and p is 0. A friction impulse is written with the two
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
