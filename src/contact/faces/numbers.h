/* Every tolerance and every cap of `faces`, with its reason.
 *
 * Rows are of size one and velocities are in units of the problem's own size, so plain numbers are enough. */
#ifndef ABUTI_CONTACT_FACES_NUMBERS_H
#define ABUTI_CONTACT_FACES_NUMBERS_H

/* ---- when something is zero ---- */

/* A slack above -FACES_ZERO * size is not violated: this is the rounding of a few hundred operations. */
#define FACES_ZERO 1e-12
/* The error that a finished basis may have after refinement. The verifier judges by its own measure. */
#define FACES_ACCEPT 1e-10
/* An error that one refinement takes to rounding. */
#define FACES_POLISH 1e-7
/* The error of x and v after a refinement from which the inverse is made anew. */
#define FACES_DRIFT 1e-9
/* The same, relative to the largest unknown. */
#define FACES_ROUNDING 1e-14
/* The slip of a stuck contact that its slots should have stopped. */
#define FACES_SLIP 1e-9
/* A contact that closes with less slip than this may stick without friction. */
#define FACES_FLAT 1e-10

/* ---- rows that depend on others ---- */

/* A row is dependent when |S| of ADD is below this, relative to the row and to the new part of its column. */
#define FACES_SINGULAR 1e-11
/* The part of a column that others do not explain is rounding when it is below this. */
#define FACES_NEARBY 1e-9
/* DEL would leave a singular basis when |B_ss| is below this, relative to its row. */
#define FACES_PIVOT 1e-12
/* With a pivot of ADD or DEL below this the inverse is right, but is made anew before it is trusted. */
#define FACES_SHAKY 1e-6
/* The smallest pivot of a new inverse. */
#define FACES_REGULAR 1e-13
/* A slot is set aside when its pivot of L U is below this, relative to the row's size. */
#define FACES_ASIDE 1e-8
/* While a vertical step looks for a regular basis, pivots below this are still singular. */
#define FACES_VERTICAL 1e-10

/* ---- the path ---- */

/* A slack that falls more slowly than this along the path does not block. */
#define FACES_RATE 1e-11
/* A driving variable that changes more slowly than this does not drive. */
#define FACES_STALL 1e-13
/* With t below this the point may be right already (faces/path.inl). */
#define FACES_TIE 1e-9
/* Slacks this close to zero at the end of the path are looked at with fresh numbers. */
#define FACES_NEAR 1e-6
/* The most edges in a row along which t does not change. */
#define FACES_VERTICAL_MAX 50
/* How many further covers are tried. */
#define FACES_COVERS 4
/* Events between two recomputations of x and v. */
#define FACES_REFRESH 32

/* ---- flips ---- */

/* The most greedy flips for each body, from all open. */
#define FACES_FLIPS 30
/* The same from FACES_MANY bodies on: a problem that needs more will not get there. */
#define FACES_FLIPS_MANY 12
#define FACES_MANY 9
/* Bodies from which the interior point comes before flips from all open. */
#define FACES_FEW 6
/* Bodies that flips seldom sort out. */
#define FACES_TOO_MANY 24
/* The most greedy flips for each body, from given states. */
#define FACES_MEND 12
/* The same where the interior point follows. */
#define FACES_MEND_FEW 4
/* The most greedy flips for each bounded row, while contacts are open. */
#define FACES_BOUNDS 4
/* The most contacts, and the most bodies, of a tableau; the world is one of the bodies. */
#define FACES_TABLEAU 64
#define FACES_TABLE 16
/* On a tableau the slacks of active contacts count this much more than those of open ones: 1.4 % of the
 * problems get stuck then, and 6.6 % without it. */
#define FACES_URGENCY 2.0

/* ---- given states of many bodies ---- */

/* The most rounds of flips on factors, before the homotopy. */
#define FACES_ROUNDS 3
/* The most refinements of a factored solve. */
#define FACES_REFINEMENTS 3
/* Homotopy: the impulses and speeds that a violated contact is given. */
#define FACES_HOME 0.1
/* Homotopy: friction that is too large becomes this share of its limit. */
#define FACES_WITHIN 0.9
/* The most events of the homotopy. */
#define FACES_HOME_EVENTS 40
/* The most rounds of flips on factors that look for an answer without redundant rows. */
#define FACES_CORNER 12

/* ---- the interior point (faces/interior.inl) ---- */

/* The value of all pairs at first, in units of the problem's size. */
#define FACES_INSIDE 2.0
/* The most rounds; ten are usual, and twenty happen. */
#define FACES_INSIDE_ROUNDS 50
/* The mean product of the pairs from which the states are tried, in units of the size squared. */
#define FACES_INSIDE_NEAR 1e-7
/* The same where circles go on from there: they find their own states, and sooner from this point than from the end. */
#define FACES_INSIDE_ROUGH 1e-5
/* If the states were wrong, the next try comes when the products have shrunk to this share. */
#define FACES_INSIDE_AGAIN 0.03
/* The share of the equations' first error that may be left when the states are tried. */
#define FACES_INSIDE_OWED 1e-6
/* The cube root of the least share of the mean product that a corrector aims at. */
#define FACES_INSIDE_LEAST 0.01
/* How far a step goes towards the first pair that would vanish. */
#define FACES_INSIDE_REACH 0.99
/* A step shorter than this leads nowhere. */
#define FACES_INSIDE_STALL 1e-8
/* A large island is narrow when it has at most so many blocks beside the diagonal for each body. */
#define FACES_NARROW 8
/* The stiffness of joint rows, which are of size one. */
#define FACES_INSIDE_JOINT 1e6

/* ---- springs (faces/springs.inl, faces/settle.inl) ---- */

/* 1 / stiffness where rows must be still, in units of the row's size squared. This is soft enough that
 * rounding, 1e-16 / 1e-4, stays below FACES_ZERO. */
#define FACES_SPRING 1e-4
/* The same, for rows that hardly become still. */
#define FACES_SPRING_STIFF 1e-7
/* A row is slow when more than this share of its error is left after a step. */
#define FACES_SETTLE_SLOW 0.2
/* The most changes of states, each of many contacts. */
#define FACES_SETTLE_ROUNDS 8
/* The most steps with the same springs. */
#define FACES_SETTLE_STEPS 8
/* When inequalities fail by more than this, more than a few contacts are wrong. */
#define FACES_SETTLE_FAR 1e-2
/* Stands in place of the size of rows that a contact without tangents does not have. */
#define FACES_NO_SIZE 1e-300
/* The most blocks for each body; islands that reach further are left to the room sparse/. Islands of up to 49 bodies
 * have all blocks. */
#define FACES_SPRING_BLOCKS 24

#endif
