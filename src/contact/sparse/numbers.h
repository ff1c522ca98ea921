/* Every tolerance and every cap of the room, with its reason.
 *
 * Rows are of size one and velocities are in units of the problem's own size, so plain numbers are enough. */
#ifndef ABUTI_CONTACT_SPARSE_NUMBERS_H
#define ABUTI_CONTACT_SPARSE_NUMBERS_H

/* A slack above -SPARSE_ZERO * size is not violated: this is the rounding of a few hundred operations. */
#define SPARSE_ZERO 1e-12
/* Where rounding leaves more, an answer may be off by this much, in units of the verifier's scale, |k|: in a tower of
 * 10,000 that is fifty times the largest velocity, and rounding is as much larger. */
#define SPARSE_ENOUGH 1e-10

/* The most refinements of a solve; the error, relative to the solution, that needs none; and the share of the error
 * that a refinement may at most leave to be followed by another. */
#define REFINEMENTS 2
#define REFINED 1e-10
#define REFINES 0.5

/* ---- joint rows ---- */

/* A joint row is independent of others when more than this part of its length is left, as in build/joints.c. */
#define RANK_INDEPENDENT 1e-10
/* A dependent row contradicts others when its offset disagrees by more than this part, as in build/joints.c. */
#define RANK_CONTRADICTION 1e-9

/* ---- the interior point ---- */

/* The value of all pairs at first, in units of the problem's size; and that of a second start, where one is needed. */
#define INSIDE_START 2.0
#define INSIDE_FAR 20.0
/* How far inside a walk begins that goes on from the impulses of the last step, in units of the problem's size. */
#define INSIDE_RESUME 0.1
/* Where the friction of a contact leaves nothing of gamma, gamma begins at this share of what mu and INSIDE_RESUME
 * would make it. */
#define INSIDE_THIN 1e-3
/* The most rounds; some fifteen are usual, and forty happen. */
#define INSIDE_ROUNDS 60
/* The start is lost when more than INSIDE_SLOW steps in a row are shorter than INSIDE_SHORT. */
#define INSIDE_SHORT 0.1
#define INSIDE_SLOW 3
/* Products this small leave nothing to do: a pair of which both members vanish is off by their root. The point itself
 * is the answer then, if the verifier takes it. */
#define INSIDE_LAST 1e-21
/* The mean product of the pairs from which the states are tried, in units of the size squared. */
#define INSIDE_NEAR 1e-7
/* When the states are tried, one may be open for each so many bodies. While more are open the walk goes on as long as
 * their number falls, or for so many rounds. A round costs less than one contact in doubt does, and most states become
 * clear in some ten rounds. */
#define INSIDE_OPEN 50
#define INSIDE_WAIT 4
/* While the products are larger than this, no contact is solved apart: states that fail in one contact mostly fail in
 * several, and rounds that make them clear cost less. */
#define INSIDE_DOUBTS 1e-12
/* If the states were wrong, the next try comes when the products have shrunk to this share. */
#define INSIDE_AGAIN 0.03
/* The share of the equations' first error that may be left when the states are tried. */
#define INSIDE_OWED 1e-6
/* When less than this share of it is left, the error that is found is rounding; to follow it would make small members
 * of pairs vanish. */
#define INSIDE_PAID 1e-12
/* Near an answer, rounding ends the walk when in more than INSIDE_IDLE rounds the products did not shrink to this share
 * of their least. */
#define INSIDE_IDLE 3
#define INSIDE_GAINS 0.7
/* The cube root of the least share of the mean product that a corrector aims at. */
#define INSIDE_LEAST 0.01
/* How far a step goes towards the first pair that would vanish. */
#define INSIDE_REACH 0.99
/* The stiffness of the stiffest springs, for rows of size one. A spring of stiffness one keeps four digits beside them,
 * and refinement finds the others. Velocities are off by the reciprocal of this times an impulse. */
#define INSIDE_STIFFEST 1e12
/* The stiffness of joint rows, which are of size one. */
#define INSIDE_JOINT 1e6

/* ---- the path ---- */

/* Rounds of one path: PATH_ROUNDS_LEAST and, of islands much smaller than SPARSE_HUGE bodies, PATH_ROUNDS more. */
#define PATH_ROUNDS 2500
#define PATH_ROUNDS_LEAST 100
/* Rounds of the first try of each. */
#define PATH_ROUNDS_FEW 300
#define SPARSE_HUGE 200
/* tau falls by no more than this share in a round. */
#define PATH_FALL 0.9
/* The largest relative change of a pair in one step: at first, at most, and after the path was begun anew at least. */
#define PATH_FIRST_BOLD 0.5
#define PATH_BOLDEST 1.0
#define PATH_LEAST_BOLD 0.01
/* How fast it is forgotten that a step strayed: in some ten rounds. */
#define PATH_FORGETS 1.05
/* By which factor boldness grows, shrinks, and shrinks when the point was lost. */
#define PATH_BOLDER 1.6
#define PATH_LESS_BOLD 0.7
#define PATH_TIMID 0.3
/* A point whose products are off by less than the first share is near the path; by less than the second, close to
 * it. */
#define PATH_NEAR 0.8
#define PATH_CLOSE 0.3
/* The mean product from which the states are tried: earlier than INSIDE_NEAR, since every turn that is left takes
 * rounds. */
#define PATH_TRY 1e-6
/* Rounds of the path through a point at which predictor and corrector have stalled. */
#define TURN_ROUNDS 60
/* The largest mean product of such a point. */
#define TURN_FROM 1e-4
/* How many rounds a point may be away from the path before the path is begun anew, and how often that may happen. */
#define PATH_STRAYED 3
#define PATH_SHARES 60
/* How far a step goes towards the first pair that would vanish. A step that is cut to less than the second number was
 * too bold. */
#define PATH_REACH 0.9
#define PATH_SHORT 0.7
/* The most of the rate that a round takes, in units of its first choice. */
#define PATH_SHARE 2.0
/* A path that has come so far out does not lead to an answer. */
#define PATH_OUTWARD 1e6

/* ---- near an answer ---- */

/* 1 / stiffness of the first proximal problem, in units of how far the point is off; and the least: with less, rounding
 * moves impulses by more than the tolerance. */
#define NEAR_FIRST 100.0
#define NEAR_SOFT 1e-7
/* By which share it shrinks from one proximal problem to the next. */
#define NEAR_SHRINK 0.3
/* What rounding leaves of an equation, in units of the problem's size: by itself, and through springs of stiffness
 * one. */
#define NEAR_STILL 1e-13
#define NEAR_ROUNDING 1e-16
/* Steps of Newton's method on one problem: one to three are usual. How often each is halved, and the share of its
 * promise that it must keep. */
#define NEAR_NEWTON 4
#define NEAR_HALVINGS 5
#define NEAR_GAINS 0.1
/* The most steps over all problems; problems without an answer; and problems in a row that do not leave less than
 * NEAR_FALLS of what the point is off. */
#define NEAR_STEPS 60
#define NEAR_FAILURES 2
#define NEAR_IDLE 6
#define NEAR_FALLS 0.7
/* The share of the tolerance that is left for the verifier, whose scale is another. */
#define NEAR_ENOUGH 0.5
/* Pieces of a path: PIECES_LEAST and, of islands much smaller than SPARSE_HUGE bodies, PIECES more. A path that has come
 * out so far does not come back in time. */
#define PIECES 180
#define PIECES_LEAST 20
#define PIECE_FAR 1e3

/* ---- settling ---- */

/* 1 / stiffness where rows must be still, in units of the row's size squared: soft enough that rounding,
 * 1e-16 / 1e-4, stays below SPARSE_ZERO. */
#define SETTLE_SOFT 1e-4
/* The same, for rows that hardly become still. */
#define SETTLE_STIFF 1e-7
/* A row is slow when more than this share of its error is left after a step. */
#define SETTLE_SLOW 0.2
/* The most changes of states, each of many contacts. */
#define SETTLE_ROUNDS 8
/* The most steps with the same springs. */
#define SETTLE_STEPS 8
/* When inequalities fail by more than this, more than a few contacts are wrong. */
#define SETTLE_FAR 1e-2
/* The radius of a circle within a triangle, the smallest polygon there is, whose corners are at 1. */
#define SETTLE_WITHIN 0.5
/* Stands in place of the size of rows that a contact without tangents does not have. */
#define NO_SIZE 1e-300

/* ---- holding ---- */

/* The most steps from the impulses of the last step. From nearby one or two make rows still, and more than these few
 * are hopeless. */
#define HOLD_STEPS 6
/* The share of SPARSE_ZERO within which the impulses of the last step are right as they are. It is rounding. A larger
 * error would act again in every step: as a gap, which the next correction closes with impulses that the step after it
 * must take back. */
#define HOLD_LOOK 0.1
/* An answer may be off by this share of the tolerance. */
#define HOLD_ENOUGH 0.2
/* How many times the velocity that the last springs left rows may have. */
#define HOLD_AGAIN 2.0
/* The velocities at which springs stop, in units of the problem's size: rounding. */
#define HOLD_STILL 1e-12

/* ---- mending ---- */

/* How many contacts may be in doubt beside those whose states are open. A path through six contacts takes as long as
 * some rounds of ten bodies; the more bodies, the dearer the rounds. */
#define MEND_FEW 6
#define MEND_BODIES 16 /* for each so many bodies one contact more may be, */
#define MEND_EARLY 48  /* up to this many */
/* Of the states of the last step this many fewer may be in doubt: with more of them something else has begun, and the
 * interior point costs less. */
#define MEND_LESS 4
/* Inside, a contact's state is open when both members of a pair fall, each by more than this share of the fall. */
#define MEND_OPEN 0.1
/* So many contacts with open states, and few_doubts others, may be solved apart. */
#define MEND_VAGUE 24
/* When more states are wrong than this many times the room for doubts, the motion is another one, and the states of the
 * last step are of no use. */
#define MEND_HOPELESS 2
/* The most rounds, each of which takes in the contacts that have come in doubt. */
#define MEND_ROUNDS 8
/* The most steps in which the other contacts follow those in doubt. */
#define MEND_STEPS 3
/* The most pivots of all local problems of one call, for each contact that may be in doubt. Three to six are usual, and
 * a problem that needs many more takes longer than the rounds that would make it smaller. */
#define MEND_PIVOTS 20

#endif
