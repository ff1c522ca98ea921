/* abut/contact.h: rigid bodies that touch at many points. Which impulses act, how do the bodies move next?
 *
 *     abut_contact_problem problem = {.model = ABUT_COULOMB, .step = 0.01, .body_count = 1, .bodies = bodies,
 *                                     .contact_count = 4, .contacts = contacts};
 *     abut_contact_options options = abut_contact_default_options();
 *     abut_contact_limits limits = {.bodies = 1, .contacts = 4};
 *     abut_contact_workspace *work = NULL;
 *     abut_contact_workspace_create(&limits, NULL, &work);
 *     abut_contact_result result;
 *     abut_status status = abut_contact_solve(work, &problem, &options, &result);
 *     if (status == ABUT_OK && result.outcome == ABUT_SOLVED) ... result.contacts[0].normal ...
 *     abut_contact_workspace_destroy(work);
 *
 * +-- Conventions: SI units, right-handed, world axes --------------------
 * |
 * |  dynamics over a step   M (v+ - v) = step * force + contact and joint impulses
 * |  velocity at a contact  u = velocity of A minus velocity of B at the point
 * |  impulse at a contact   A receives  normal n + tangent[0] t + tangent[1] (n x t),  B the opposite
 * |  direction j of d       d_j = cos(2 pi j / d) t + sin(2 pi j / d) (n x t);  planar, d = 2: +t and -t
 * |
 * |  normal condition       0 <= normal  perp  n.u+ + b + compliance * normal >= 0
 * |                         b = gap / step: what comes down lands exactly, what overlaps comes apart in the step
 * |                         b = restitution * n.u instead, where restitution > 0, the contact would touch within
 * |                             the step (gap + step n.u <= 0, u before it) and approaches faster than
 * |                             options.restitution_threshold (n.u < -threshold); sides of unions likewise
 * |  friction               0 <= lambda       perp  friction * normal - |f|  >= 0   (|f| in the polygon's norm)
 * |                         0 <= f along d_j  perp  lambda + d_j.u+          >= 0   for each j
 * |                         (Stewart-Trinkle, Anitescu-Potra)
 * |  friction, cone circle  |f| <= friction * normal, f = -friction * normal u_t+ / |u_t+| where u_t+ is not 0
 * |                         (Coulomb's law itself; ellipse: with f along t and n x t divided, and u_t+ multiplied,
 * |                         by the coefficient of that axis over the larger of both, which dissipates most)
 * |  joint row              w = jacobian[0].v_A+ + jacobian[1].v_B+ + compliance * impulse - target = 0;
 * |                         bounded: lower <= impulse <= upper, w = 0 inside, w >= 0 at lower, w <= 0 at upper
 * |
 * |  residual               max |min(z_i s_i, w_i / s_i)| / K  over all complementary pairs z_i perp w_i, joint
 * |                         rows and the dynamics; s_i = sqrt(row_i M^-1 row_i' + compliance), slip and cone slack
 * |                         with s of the tangents; bounded rows p: |p s - clamp(p s - w / s, lower s, upper s)|;
 * |                         K = the largest of |G^-1 k|, |b_i| / s_i and, for bounded rows, the least |impulse| s
 * |                         allowed, in the island; M = G G', k = M v + step force; K = 0 asks for zero impulses
 * |  ... of circles         in place of pairs |f s - P(f s - u_t / s)| / K, P the nearest point of the disc with
 * |                         radius friction * normal s; here s is the largest of the contact's three, for all of them
 * +--------------------
 *
 * The residual does not change with units or scale. `solved` means residual <= options.tolerance, as found by a
 * verifier that recomputes everything from the problem alone.
 *
 * Impulses move dynamic bodies only. A contact between two bodies that are kinematic, static or the world carries no
 * impulse and counts as satisfied, even when they approach. A joint row between such bodies must hold by itself. Joint
 * rows may depend on each other; rows that contradict each other make the problem infeasible.
 *
 * At the acceleration level (ABUT_COULOMB_ACCEL, ABUT_VISCOUS) the unknowns are forces and accelerations: every place
 * below that says impulse or velocity means force or acceleration. `drift` holds the velocity-product terms, a joint
 * row reads jacobian[0].a_A + jacobian[1].a_B + drift = target, and step, gap and restitution do not apply.
 *
 * Several answers. Coulomb's law can have more than one: a block held firmly between two fingers may stay, and it may
 * turn about one corner that carries all of the load, while the others slide and carry nothing. For each island one
 * answer is chosen by the first of these rules that applies:
 *
 *   1. Where rest is an answer, rest is the answer. At rest no dynamic body of the island moves, whatever slides past
 *      it (a belt). Rest is an answer when some impulses hold the island so, which is a linear program; impulses beyond
 *      1e6 K are left out. An island that stood still before the step (warm, start_impulses) is tried first with the
 *      impulses of the last step and velocities of zero. That is taken if its residual is below a tenth of the
 *      tolerance, so it does not creep. Rest is decided, not hoped for: if the answer of a stage moves, the linear
 *      program has its say, whichever stage found it and whatever states it started from.
 *   2. Otherwise an answer that given states lead to (warm, start) is taken: continuity. Where states change in an
 *      island with trees, motion without slip that has less energy is taken instead: a hand that is caught up by what
 *      slipped in it holds it again.
 *   3. Otherwise, of the answers at hand, the one with the least kinetic energy after the step is taken. At hand are
 *      what the stages found and, where standing still is out of the question (a lift carries the island, a gap closes,
 *      a joint is driven), the motion in which nothing that carries slips, if that is an answer.
 *
 * The rules hold for the model coulomb, the solvers auto and faces, the first two doors, and islands without unions.
 * Rule 1 is left out where rows are compliant, and where a row that is bounded on both sides reaches a target other
 * than 0 in the answer at hand: it asks for a motion, and there is one. (Fingers whose motors are at their bounds
 * hold.) There may be answers with less energy than the one that rule 3 returns; nobody looks for them all. The
 * solvers reduced, structural, lemke and enumerate, and a stage that is run alone, return what they find. Where
 * contacts are redundant the impulses are one choice of many; those of rest share the load evenly.
 */
#ifndef ABUT_CONTACT_H
#define ABUT_CONTACT_H

#include "abut/base.h"
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------
 * The problem */

typedef enum abut_body_kind {
    ABUT_DYNAMIC = 0, /* moved by forces */
    ABUT_KINEMATIC,   /* moves with its given velocity, whatever happens; mass, inertia, force unused */
    ABUT_STATIC,      /* never moves; mass, inertia, velocity, force unused */
} abut_body_kind;

typedef struct abut_body {
    /* kg, 1e-100 .. 1e100. */
    double mass;
    /* kg m^2 about the centre of mass, world axes: xx, yy, zz, xy, xz, yz. Positive definite; its principal
     * moments satisfy the triangle inequality. */
    double inertia[6];
    /* m: the centre of mass. */
    double com[3];
    /* m/s and rad/s before the step: linear, then angular, at the centre of mass. */
    double velocity[6];
    /* N and N m: every external wrench at the centre of mass, gravity and gyroscopic terms included. */
    double force[6];
    /* Default ABUT_DYNAMIC. */
    abut_body_kind kind;
} abut_body;

/* What a contact's friction impulse may be, and so against which slip it acts. In the plane (directions 2) all three
 * are the same segment. */
typedef enum abut_contact_cone {
    /* "polygon": inscribed in the circle, with a vertex for each direction. It makes the problem an LCP, which is what
     * the papers solve. Friction is off the slip by up to half the angle between two directions, and short by up to
     * 1 - cos(pi / d) of it (d = 8: 22.5 degrees, 7.6 %). */
    ABUT_CONE_POLYGON = 0,
    /* "circle": Coulomb's law itself, for the solver auto, and faces (model coulomb) or drive (coulomb-accel). The
     * directions only say from which polygon they start. */
    ABUT_CONE_CIRCLE,
    /* "ellipse": like the circle, with one coefficient along t and another along n x t (friction_across). The model
     * coulomb alone knows it; coulomb-accel refuses it. */
    ABUT_CONE_ELLIPSE,
    ABUT_CONE_COUNT
} abut_contact_cone;

#define ABUT_WORLD (-1)       /* as bodies[1] of a contact or joint: the fixed world */
#define ABUT_DIRECTIONS_MIN 2 /* planar: +t and -t */
#define ABUT_DIRECTIONS_MAX 64
#define ABUT_DIRECTIONS_DEFAULT 8

typedef struct abut_contact {
    /* A and B: indices of bodies. B may be ABUT_WORLD; the world stands second, and the normal points away from it. */
    int bodies[2];
    /* m: where the two touch. */
    double point[3];
    /* Unit vector from B towards A (to 1e-6; it is made exact). */
    double normal[3];
    /* t of the conventions: a vector across the normal. What lies along the normal is taken out, and the length is
     * made 1; a vector along the normal is refused. All zero stands for the axis with the least |n_k| (the lowest k
     * on a tie), projected and normalised. */
    double tangent[3];
    /* Coulomb's coefficient mu, >= 0. Default 0. */
    double friction;
    /* Friction directions d, 2 .. 64. 0 stands for 8. */
    int directions;
    /* Default ABUT_CONE_POLYGON. Read by coulomb and coulomb-accel; frictionless, viscous and no-slip have no cone. At
     * the acceleration level a contact that slides has the direction of its velocity whatever its cone: what rests
     * obeys the circle, or goes over to polygons of accel.directions. */
    abut_contact_cone cone;
    /* m: the distance along the normal, negative where the bodies overlap. Default 0. */
    double gap;
    /* 0 .. 1: the share of its approach with which a contact that bounces leaves. Default 0: it lands. */
    double restitution;
    /* N s/m, >= 0: a tangential force -viscous * u_t acts beside Coulomb's while the contact touches (gap <= 0).
     * options.viscous says at which velocity: that after the step, or that before it. Default 0. */
    double viscous;
    /* Contacts with one positive number are the sides of one union, of which at least one must hold instead of all
     * (Egan, Berard, Trinkle). Default 0: the contact is in none. */
    int group;
    /* A is touched at `point`, B at `second_point`. Default false: both at `point`. First door alone. */
    bool two_points;
    /* m/s per N s, >= 0 (acceleration level: m/s^2 per N): how far the contact gives way, in the normal condition.
     * Default 0: rigid. A spring k and a damper d, which push with k x + d x' where x is the depth at the end of a step
     * h, are made of compliance = 1 / (h (h k + d)) and a gap that is multiplied by h k / (h k + d). */
    double compliance;
    /* m/s^2: velocity-product terms along n, t, n x t, for the acceleration level alone. Default 0. */
    double drift[3];
    /* Names this contact, and no other, from step to step, for warm starts and for what the workspace keeps of its
     * island. Default 0: it has no name. abut_contact_validate refuses a key that two contacts have.
     * abut_contact_solve does not look for such pairs, and starts each of the two from the state of either. */
    uint64_t key;
    /* Ellipses alone: the coefficient along n x t, while `friction` is that along t. Both are > 0, and neither is more
     * than 1e6 times the other. */
    double friction_across;
    /* m: where B is touched; read with two_points alone. Across an open gap the two points lie its length apart, and
     * friction has the arm of each; where the gap is closed they are one. */
    double second_point[3];
    /* m/s along n, t, n x t, added to u before and after the step: what belts and other given motions contribute that
     * have no block. Second door alone, and the velocity level alone (at the other see `drift`). Default 0. */
    double surface[3];
} abut_contact;

typedef struct abut_joint {
    /* Indices of bodies; the second may be ABUT_WORLD. */
    int bodies[2];
    /* The row on the velocity of each body; the second is not read for ABUT_WORLD. */
    double jacobian[2][6];
    /* The right-hand side. Default 0. */
    double target;
    /* The velocity-product term, for the acceleration level alone. Default 0. */
    double drift;
    /* The impulse stays within lower .. upper. Default false: it is unbounded, and the two are not read. */
    bool bounded;
    /* N s (N at the acceleration level; N m s and N m of a row on rotations): lower <= upper, each of magnitude at
     * most 1e100 or infinite. A limit or a rope: 0 and INFINITY. A motor with a target speed, dry friction and a
     * brake (target 0): -+ force * step. A given impulse: both the same. */
    double lower, upper;
    /* Velocity per impulse, >= 0: how far the row gives way. Default 0: rigid. A servo that pushes with
     * k (x_wanted - x) + d (v_wanted - v) at the end of a step h: compliance = 1 / (h (h k + d)), target =
     * (k (x_wanted - x) + d v_wanted) / (h k + d), and bounds of the force times h. */
    double compliance;
    /* Names this row, and no other row, from step to step, for warm starts. Default 0: no name. abut_contact_validate
     * refuses a key that two rows have; abut_contact_solve starts each of the two from the state of either. */
    uint64_t key;
} abut_joint;

/* Second door: generalised coordinates, what a robot has. Below, n is contact_count and nj is joint_count.
 *
 * Of a contact these fields are read: friction, directions, cone, gap, restitution, viscous, compliance, group,
 * drift, key, friction_across and surface. Of a joint row all but jacobian are read. `bodies` of either is read where
 * there are blocks.
 *
 * Blocks. Several trees have a mass matrix each, and nothing in common but contacts and joint rows. With block_count
 * > 0 the mass matrix is block-diagonal. `bodies` of a contact or joint row then names the one or two different
 * blocks that it acts on (ABUT_WORLD as the second: one alone), and its rows are given on those only: all numbers on
 * the first, then all on the second, signs included, so that u = row_A.v_A + row_B.v_B. A free body is a block of
 * six, with rows (n, r x n) as A and (-n, -r x n) as B. What touches itself is one block. */
typedef struct abut_generalised {
    /* The number of generalised velocities, >= 1; of all blocks together. */
    int nv;
    /* nv x nv, row-major, symmetric positive definite. Blocks: size x size each, one after the other. */
    const double *mass_matrix;
    /* nv: before the step. */
    const double *velocity;
    /* nv: all forces, bias terms included: M dv/dt = force + J'f. */
    const double *force;
    /* n x nv: the rows of all normals. Blocks: a row has as many numbers as the blocks of its contact, and the
     * rows stand one after the other without a space between them. */
    const double *normal_rows;
    /* 2 n x nv: rows t and n x t of contact 0, then of contact 1, and so on. NULL if no contact has friction or
     * viscosity and the model is not no-slip. Blocks: as the normals, two rows a contact. */
    const double *tangent_rows;
    /* nj x nv; NULL if there are none. Blocks: as the normals. */
    const double *joint_rows;
    /* Default 0: one block of nv numbers that every row acts on; `bodies` is not read. */
    int block_count;
    /* block_count: how many numbers each has, >= 1; their sum is nv. */
    const int *block_sizes;
    /* nv, blocks alone: the number of its block on which each number hangs, -1 where it hangs on none. It is counted
     * from the block's first, and is lower than the number's own. Mass must be 0 but between a number and those on
     * which it hangs, directly or not. The matrix is factored in that order, which keeps branches apart. Default
     * NULL: blocks are dense. */
    const int *parents;
} abut_generalised;

/* Third door: local (Delassus) form, u = W p + q, as FCLIB and Siconos have it. W is taken as given, even slightly
 * unsymmetric. Each contact has `dimension` components (n, t) or (n, t, n x t); joint rows follow after all contacts.
 * gap and restitution must be 0, since they are part of q. A 2-D problem has directions = 2 throughout. */
typedef struct abut_local {
    /* 2 or 3. */
    int dimension;
    /* N x N, row-major, N = dimension * contact_count + joint_count. */
    const double *W;
    /* N: the local velocities without any impulse. */
    const double *q;
    /* N: local velocities before the step, which say who slides at the acceleration level. NULL stands for 0. */
    const double *velocity;
} abut_local;

/* Models: what is asked. */
typedef enum abut_contact_model {
    ABUT_COULOMB = 0,   /* "coulomb": velocity level, a cone for each contact */
    ABUT_FRICTIONLESS,  /* "frictionless": velocity level */
    ABUT_COULOMB_ACCEL, /* "coulomb-accel": forces and accelerations (Baraff) */
    ABUT_VISCOUS,       /* "viscous": acceleration level, known tangential force (Drumwright) */
    ABUT_NO_SLIP,       /* "no-slip": velocity level, touching contacts do not slip (Drumwright) */
    ABUT_MODEL_COUNT
} abut_contact_model;

/* What decides the tangential impulse of a contact. */
typedef enum abut_friction_law {
    ABUT_LAW_NONE = 0, /* there is none */
    ABUT_LAW_COULOMB,  /* it lies in a cone and opposes the slip */
    ABUT_LAW_GIVEN,    /* it is known beforehand, from the velocities */
    ABUT_LAW_HELD,     /* it is whatever keeps the contact from slipping */
} abut_friction_law;

/* What a model asks: its row in the table of models. Code that treats models differently asks the row. */
typedef struct abut_model_info {
    /* What people type and read: "coulomb". */
    const char *name;
    /* The unknowns are forces and accelerations; otherwise impulses, and velocities after the step. */
    bool acceleration;
    /* What decides tangential impulses, or forces. */
    abut_friction_law friction;
    /* Contacts may be sides of unions. */
    bool unions;
    /* There need be no forces. A ray is then kept with its direction, since an impulse along it may be the answer, and
     * nobody looks for a proof that nothing answers. */
    bool ray_is_answer;
    /* The model of its impacts, which is at the velocity level; of a model that is there already, itself. */
    abut_contact_model impact;
} abut_model_info;

/* NULL if there is no such model. */
ABUT_API const abut_model_info *abut_contact_model_info(abut_contact_model model);

typedef struct abut_contact_problem {
    /* Default ABUT_COULOMB. */
    abut_contact_model model;
    /* s, 1e-100 .. 1e100; not read at the acceleration level. */
    double step;
    /* 0 .. ABUT_COUNT_MAX, as every count. */
    int contact_count;
    /* contact_count. */
    const abut_contact *contacts;
    /* Joint rows. */
    int joint_count;
    /* joint_count. */
    const abut_joint *joints;

    /* The first door. Exactly one of the three is used: body_count > 0, or `generalised` or `local` is not NULL. */
    int body_count;
    /* body_count. */
    const abut_body *bodies;
    /* The second door. Default NULL. */
    const abut_generalised *generalised;
    /* The third door. Default NULL. */
    const abut_local *local;
} abut_contact_problem;

/* ------------------------------------------------------------------------------------------------
 * Options */

/* Solvers: how it is answered. Not every pair of model and solver makes sense: see abut_contact_supports. */
typedef enum abut_contact_solver {
    ABUT_SOLVER_AUTO = 0,   /* "auto": the default of the model (coulomb: faces) */
    ABUT_SOLVER_FACES,      /* "faces": Lloyd's problem on face states; needs no LCP matrix */
    ABUT_SOLVER_REDUCED,    /* "reduced": Lloyd section 5.3 */
    ABUT_SOLVER_STRUCTURAL, /* "structural": Lloyd section 5.1 */
    ABUT_SOLVER_LEMKE,      /* "lemke": the dense LCP of eq. (8); up to ABUT_DENSE_MAX rows */
    /* "drive": Baraff's algorithm; up to ABUT_DENSE_MAX rows an island (1 a contact, 2 or 3 with friction, 1 a
     * joint row; ABUT_TOO_LARGE beyond), at rest any number. */
    ABUT_SOLVER_DRIVE,
    ABUT_SOLVER_PPM,        /* "ppm": Drumwright's modified principal pivoting */
    ABUT_SOLVER_DANTZIG,    /* "dantzig": the normal LCP by principal pivoting */
    ABUT_SOLVER_ACTIVE_SET, /* "active-set": the normal LCP by Sharaf's method */
    ABUT_SOLVER_ENUMERATE,  /* "enumerate": all solutions of tiny problems */
    ABUT_SOLVER_COUNT
} abut_contact_solver;

#define ABUT_DENSE_MAX 2000 /* rows of the largest LCP that is formed densely */

/* Where a contact's friction impulse lies on its polygon or circle: the state a warm start carries. */
typedef enum abut_contact_state {
    ABUT_OPEN = 0, /* no impulse */
    /* Friction at vertex `face` of the polygon, or, on a circle, in the direction of `face` in 256ths of a turn from t
     * to n x t; slips against it. */
    ABUT_SLIDE,
    ABUT_EDGE,  /* friction on edge `face`, between directions face and face + 1; slips against its normal */
    ABUT_STICK, /* friction inside the polygon; does not slip */
    /* Only in `start` and in `faces` of islands without an answer: nothing is known. It starts open, or, where all
     * contacts between two bodies are new and others are not, from a guess that holds the two together. */
    ABUT_NEW,
} abut_contact_state;

/* A state, and the rows that hold it. Where several contacts share a face of a body, not all of them need all of
 * their rows; `rows` and `frame` say which ones hold the state. A step that starts from given faces, with these two,
 * is bit by bit the step that started from them in a sequence; without these two it may come to another of several
 * right answers. */
typedef struct abut_contact_face {
    /* abut_contact_state. */
    uint8_t state;
    /* SLIDE: the vertex, or on a circle the direction in 256ths of a turn. EDGE: the edge. STICK of no-slip: 1 when it
     * carries no normal impulse. Else 0. */
    uint8_t face;
    /* The sum of 1 (normal), 2 (along an edge) and 4 (across it). 0: as many as are independent. */
    uint8_t rows;
    /* STICK: the edge that 2 and 4 speak of. Else 0. */
    uint8_t frame;
} abut_contact_face;

/* How joint rows enter the solve; the answer is the same. */
typedef enum abut_joint_rows {
    ABUT_JOINTS_PERMANENT = 0, /* rows that are always active: keeps sparsity */
    ABUT_JOINTS_PROJECTED, /* eliminated first by projection: islands of at most 32 bodies, others keep them */
} abut_joint_rows;

/* At which velocity the viscous coefficients of contacts act at the velocity level. */
typedef enum abut_viscous_rule {
    /* The velocity after the step: never turns a motion round, whatever the coefficient. Up to about 1e6 times
     * mass / step digits suffice for the default tolerance. */
    ABUT_VISCOUS_IMPLICIT = 0,
    /* The velocity before the step, as published (Drumwright III-C): a known impulse. Stable where the sum of the
     * coefficients at a body is below mass / step, and never beyond twice that. */
    ABUT_VISCOUS_EXPLICIT,
} abut_viscous_rule;

/* Groups of contacts: which formulation of Egan, Berard and Trinkle, and which of several answers. */
typedef enum abut_union_rule {
    ABUT_UNION_MAX = 0, /* the exact union */
    ABUT_UNION_SUM,     /* the summation formulation: a cap of size epsilon at the corner */
} abut_union_rule;

typedef enum abut_union_prefer {
    ABUT_PREFER_FIRST = 0, /* the first accepted in the documented order */
    ABUT_PREFER_ENERGY,    /* the least kinetic energy after the step */
} abut_union_prefer;

/* Options of the acceleration level. */
typedef struct abut_accel_options {
    /* m/s. Coulomb-accel calls a contact dynamic above this tangential speed. Where n.u before the step is above it,
     * the contact separates: no force acts there, and its acceleration is free. Default 1e-6. */
    double slide_threshold;
    /* 3 .. 64: directions of the polygon that coulomb-accel goes over to where the published conditions in space let a
     * misaligned friction force through. Default 32. */
    int directions;
    /* Where forces alone cannot answer, apply an impulse, restart with the new velocities, and return both. Default
     * false. Coulomb-accel does so on a ray: by a Coulomb impact in which no time passes, on circles where contacts
     * have them, else on polygons of `directions` (of limits.directions, if those are fewer). Where limits.solvers
     * names solvers it needs the bit of ABUT_SOLVER_AUTO, too, which abut_contact_limits_for sets. Viscous does so on
     * first touch, when a contact approaches faster than slide_threshold: by an inelastic impact without friction, or
     * with viscous friction (impact_seconds). In an impact joint rows keep their velocities, except that rows give way
     * by compliance * impulse; finite bounds of a force leave no impulse, and infinite ones stay. */
    bool apply_impulse;
    /* s, >= 0: how long viscous friction acts within the impact of a first touch of the model viscous. Its impulse is
     * -impact_seconds * viscous * u_t, with u after the impact. Default 0: without friction. (The paper's impacts have
     * coefficients of their own, in N s per m/s; those are impact_seconds * viscous.) */
    double impact_seconds;
} abut_accel_options;

/* Options of problems with unions; see union.h. */
typedef struct abut_union_options {
    /* Default ABUT_UNION_MAX. */
    abut_union_rule rule;
    /* Default ABUT_PREFER_FIRST. */
    abut_union_prefer prefer;
    /* m, >= 0: the size of the cap of ABUT_UNION_SUM. Default 0: it is chosen from the motion. */
    double epsilon;
} abut_union_options;

/* An option that speaks of something which the problem does not have (unions, the acceleration level) is not read,
 * and is no error. */
typedef struct abut_contact_options {
    /* Default ABUT_SOLVER_AUTO. */
    abut_contact_solver solver;
    /* Run this solver's own stages and no other solver as fallback. Default false. */
    bool alone;
    /* Run only the stage of this name (abut_contact_stage_name lists them). Default NULL: all. */
    const char *stage;
    /* The residual that still counts as solved, 1e-15 .. 1e-3. Default 1e-9. */
    double tolerance;
    /* The pivots of the whole call; beyond them the outcome is `limit`. Every model and solver keeps to it. Default
     * 0: 10,000 and 200 for each contact and joint row (coulomb and frictionless without unions), and every stage is
     * bounded by its size, so that every call ends. It is a count and not a clock, so that answers do not depend on
     * the machine. */
    int max_pivots;
    /* s: the time of the whole call; beyond it the outcome is `limit`. Every model and solver keeps to it, to within
     * a tenth or some milliseconds. Where it is reached, answers depend on the machine. Default 0: none is set. What
     * `limit` returns (all models, contacts of bodies or of blocks, without bounded rows) lies within the friction
     * cones, does no positive work on the bodies, and keeps them apart as far as the time allows; 30 % of the time is
     * kept for that. Coulomb-accel: friction opposes the slip there is. No-slip: what pushes is held. */
    double max_seconds;
    /* Default ABUT_JOINTS_PERMANENT. */
    abut_joint_rows joint_rows;
    /* Default ABUT_VISCOUS_IMPLICIT. Problems with unions and the acceleration level take the velocity before the
     * step. A workspace for implicit coefficients between two dynamic bodies needs limits.nv of at least six times
     * the number of bodies (abut_contact_limits_for sets it). */
    abut_viscous_rule viscous;
    /* Start from what this workspace solved last. Default false. Contacts are matched by key, or by index when no
     * contact has a key; one whose key is not known is ABUT_NEW. Islands of several bodies go on from the impulses of
     * the last step, too. What else the workspace keeps of an island (its basis, its factors) is found by its contacts
     * in the same way; where there is room for what is kept of all islands, each has the bits that it has alone.
     * Coulomb-accel starts so at rest in space; else it starts cold. Set it from the first step on, which then looks
     * for an answer whose states are easy to go on from. */
    bool warm;
    /* One state a contact to start from, before `warm`. Default NULL. */
    const abut_contact_face *start;
    /* One state a joint row, read with `start` alone and for bounded rows alone. Default NULL: nothing is known. */
    const abut_contact_face *start_joints;
    /* N s, contact_count x 3, read beside `start`: what acted in the last step along n, t and n x t of this problem's
     * own frames; zeros where nothing is known. Islands of several bodies that go on as they did are answered by
     * these, corrected, at the cost of a look. Default NULL: not known. */
    const double *start_impulses;
    /* Likewise one number a joint row, in N s (N m s). Default NULL: zeros. */
    const double *start_joint_impulses;
    /* Chooses the table of covering vectors. Default 0. */
    uint32_t seed;
    /* m/s, >= 0. Contacts with restitution that approach no faster than this land and do not bounce; at 0 every
     * approach bounces. Default 0.01: at this speed a bounce rises v^2 / 2g = 5 micrometres at most, which nobody
     * sees. Without a threshold a body that comes to rest would bounce for ever, ever less. */
    double restitution_threshold;
    /* The acceleration level. */
    abut_accel_options accel;
    /* Contacts with a group. */
    abut_union_options unions;
} abut_contact_options;

ABUT_API abut_contact_options abut_contact_default_options(void);

ABUT_API const char *abut_contact_model_name(abut_contact_model model);
ABUT_API bool abut_contact_model_from_name(const char *name, abut_contact_model *model);
ABUT_API const char *abut_contact_solver_name(abut_contact_solver solver);
ABUT_API bool abut_contact_solver_from_name(const char *name, abut_contact_solver *solver);
ABUT_API const char *abut_contact_state_name(abut_contact_state state);
ABUT_API const char *abut_contact_cone_name(abut_contact_cone cone);
ABUT_API bool abut_contact_cone_from_name(const char *name, abut_contact_cone *cone);
/* Whether this solver answers this model; `local`: through the W + q door. */
ABUT_API bool abut_contact_supports(abut_contact_model model, abut_contact_solver solver, bool local);
/* The name of stage k of a solver for a model, in order of attack; NULL past the last. The stages of faces for
 * circles and ellipses, "cone-check" and the others that begin with "cone-", come after those of polygons. */
ABUT_API const char *abut_contact_stage_name(abut_contact_model model, abut_contact_solver solver, int k);

/* ------------------------------------------------------------------------------------------------
 * The result */

typedef struct abut_contact_answer {
    /* N s (N at the acceleration level), >= 0. */
    double normal;
    /* N s along t and n x t: friction and viscous force together. */
    double tangent[2];
    /* Where the friction lies on its polygon. */
    abut_contact_state state;
    /* On which vertex or edge (abut_contact_face). */
    int face;
    /* m/s: lambda, the largest -d_j.u+, on circles |u_t+|; 0 where it sticks. */
    double slip;
    /* m/s: n.u+ + b + compliance * normal, >= 0 but for sides of a union that do not hold. */
    double gap_velocity;
    /* m/s: u+ along n, t, n x t. */
    double velocity[3];
    /* t: the tangent that was used; zero through the other two doors. */
    double axis[3];
    /* No-slip: held, along the impulse that acts here, though it separates (`glued` of the result). */
    bool glued;
} abut_contact_answer;

/* The verifier's findings, each scaled like the residual. */
typedef struct abut_contact_check {
    /* The largest of those below down to `momentum`. */
    double residual;
    /* M (v+ - v) - step force - impulses, through the first two doors. */
    double dynamics;
    /* 0 <= normal perp gap velocity >= 0. */
    double normal;
    /* Friction lies within the polygon or circle and is complementary to slip. */
    double cone;
    /* Friction opposes slip: it lies on the face that the slip selects; circles: what of it lies across f - u_t. */
    double direction;
    /* Joint rows. */
    double joint;
    /* Impulses of A and B cancel, linear and angular about the origin. */
    double momentum;
    /* Positive work of friction, per K times the larger of K and its impulse; it must be rounding. */
    double work;
    /* The residual with a circle in place of every polygon; for information, never part of the residual. NaN in the
     * result of a solve through the first two doors: abut_contact_verify computes it. */
    double cone_residual;
    /* The contact with the largest finding, or -1. */
    int worst_contact;
} abut_contact_check;

/* What one island came to. Islands are the parts of a problem that impulses connect; each is solved and judged
 * apart, and one without an answer takes none from the others. */
typedef struct abut_island_result {
    /* What the mathematics said of this island. */
    abut_outcome outcome;
    /* The verifier's; infinite where there is no answer (outcomes other than solved and limit). */
    double residual;
    /* The solver that answered, or that said most where none did. */
    abut_contact_solver solver;
    /* Its stage, likewise. */
    const char *stage;
    /* Pivots over all stages. */
    int pivots;
    /* Another right answer was seen, with other velocities, and not taken ("Several answers"). */
    bool others;
    /* How many bodies (or blocks), contacts and joint rows it has. body_count is 0 through the generalised door without
     * blocks, and through W + q. */
    int body_count, contact_count, joint_count;
    /* Which ones: ascending indices into the problem. `bodies` is NULL where body_count is 0. */
    const int *bodies, *contacts, *joints;
    /* Outcomes other than solved: the first stage that might have helped and had no room for so large an island
     * (limits.solvers); else NULL. */
    const char *no_room;
} abut_island_result;

#define ABUT_IMPACTS_MAX 8 /* an impulse may lead to another ray: so many are applied in turn */

typedef struct abut_contact_result {
    /* The worst over the islands. */
    abut_outcome outcome;
    /* The model that was asked. */
    abut_contact_model model;
    /* The solver that answered the island that took longest. */
    abut_contact_solver solver;
    /* The stage of it that answered, "faces-path". */
    const char *stage;
    /* Events, flips and basis changes over all stages and islands; a round of faces-interior, which moves all
     * contacts at once, is one. */
    int pivots;
    /* Groups of dynamic bodies that were solved apart (W + q: of contacts and joint rows that W connects); a body
     * that nothing touches is none. */
    int islands;
    /* islands: what each came to; in the workspace, valid until its next use. NULL where abut_accel_all shows an
     * answer: there all is one island. */
    const abut_island_result *island;
    /* Islands in which another right answer was seen, with other velocities, and not taken ("Several answers"). 0
     * says nothing about answers that nobody looked for. */
    int others;
    /* The verifier's; failed: of the best that was tried, or infinity. */
    double residual;
    /* What the verifier found, piece by piece. */
    abut_contact_check check;

    /* These arrays are in the workspace, valid until its next use. They are NULL where no island has an answer
     * (solved or limit). Where only some islands have one, no impulse acts in the others, their bodies keep the
     * velocity they had (acceleration level: 0), and their contacts are ABUT_NEW in `faces`.
     *
     * contact_count. */
    const abut_contact_answer *contacts;
    /* joint_count: N s. */
    const double *joints;
    /* v+: 6 * body_count or nv; NULL through the local door. */
    const double *velocity;
    /* contact_count: what `start` of the next step takes. */
    const abut_contact_face *faces;
    /* joint_count: what `start_joints` takes; NULL where no row is bounded. A row with bounds on both sides is
     * ABUT_SLIDE with face 0 at the upper one, ABUT_SLIDE with face 1 at the lower one, and ABUT_STICK between them.
     * A row with a bound on one side is ABUT_OPEN at it. Rows without bounds are ABUT_NEW. */
    const abut_contact_face *joint_faces;

    /* contact_count x 3 (normal, tangents): the direction of the unbounded edge. NULL unless the outcome is ray, or
     * infeasible after a stage ended on a ray. At the acceleration level it is that of an impulse, and was checked:
     * it is not zero and lies within the friction cones; it is NULL, too, when no stage has met one. */
    const double *ray;
    /* A proof by exhaustion; false: there is no proof. A ray of coulomb-accel: all modes of at most
     * ABUT_ACCEL_CONTACTS_MAX contacts were gone through, so there are no forces (friction in space on the polygon of
     * accel.directions). Failed with unions: branch and bound went through all cases, so there are no impulses
     * (union.h). */
    bool exhausted;
    /* contact_count, infeasible only, else NULL: weights y_i >= 0 that prove it (abut_contact_verify_witness). */
    const double *witness;
    /* joint_count, likewise: weights y_j of any sign. */
    const double *witness_joints;
    /* No-slip: how many contacts have `glued` set. Where no choice of held contacts is consistent (held, the contact
     * lifts off; let go, it is pressed down) the paper's model stands, and these are held though they separate. */
    int glued;
    /* No-slip: in every island that has glued contacts, all choices that can be consistent were gone through. Where
     * it is false an answer that glues none may exist. The search ends after 4096 sets of held contacts, which is
     * enough for any eleven contacts, and for one body with about thirty. It looks only at islands of at most 64
     * contacts and 64 joint rows; in larger ones contacts are let go one after the other, and held one after the
     * other, and no more. The verifier searches for such an answer by itself in islands of bodies (first door, no
     * unions) of at most 12 contacts and 12 joint rows, and calls the glue wrong where it finds one (check.cone). */
    bool glue_proven;

    /* The impacts that came first, one after the other, with options.accel.apply_impulse; else 0 and NULL. All else
     * in this result, a ray included, then speaks of the problem with the velocities after the last impact. force and
     * drift stay what the caller gave. Where they depend on velocities (drift, gyroscopic terms), solve once more
     * with impact_velocity and with the force and drift that belong to it.
     *
     * 0 .. ABUT_IMPACTS_MAX. */
    int impacts;
    /* impacts x contact_count x 3: N s, normal and tangents. */
    const double *impact;
    /* impacts x joint_count: N s. */
    const double *impact_joints;
    /* impacts x (6 * body_count, nv, or the rows of W): velocities after each. */
    const double *impact_velocity;
} abut_contact_result;

/* ------------------------------------------------------------------------------------------------
 * Calls */

/* What a workspace must hold. */
typedef struct abut_contact_limits {
    /* Bodies at most; 0 when only other doors are used. */
    int bodies;
    /* Contacts at most, >= 0. */
    int contacts;
    /* Joint rows at most. Default 0. */
    int joints;
    /* Friction directions a contact at most; 0 stands for 8. (options.accel.directions: 32 are always served, more
     * need this.) */
    int directions;
    /* Generalised velocities at most; 0: that door is not used. */
    int nv;
    /* Blocks at most. Default 0: none. */
    int blocks;
    /* The numbers of the largest block at most. Default 0: nv. */
    int block_size;
    /* Joint rows with bounds at most. Default 0. */
    int bounded;
    /* Contacts and joint rows with compliance at most; contacts of blocks with viscous count, too. Default 0. */
    int compliant;
    /* Islands that have a block of more than six numbers, or rows that are bounded or compliant, are built with rows of
     * full length (small ones are solved so, too). This is the length for the largest such island: its numbers, and 1
     * more for each of its rows that is bounded and each that is compliant. Beyond it: ABUT_TOO_LARGE. Default 0:
     * enough for all of the problem as one island. */
    int dense;
    /* The W + q door is used. */
    bool local;
    /* Contacts with a group at most. Default 0. */
    int sides;
    /* ABUT_UNION_SUM is used. */
    bool summation;
    /* Contacts whose cone is a circle or an ellipse are solved. Default false. */
    bool cones;
    /* An OR of 1u << solver: only these are served, as fallback, too, each for islands of any size within the limits
     * (lemke, drive: ABUT_DENSE_MAX). Default 0: the default solvers of every model, with all that help them, in memory
     * that they share; the bit of ABUT_SOLVER_AUTO adds these to the ones that are named. Coulomb and frictionless
     * problems within the limits are all served. A solver that is not named has smaller limits:
     *
     *   lemke        as a helper: islands of 100 rows a body, and of at most 500 rows; frictionless ones of 300
     *                contacts and 200 bodies
     *   drive, ppm   coulomb-accel, no-slip and viscous: islands that fit the memory which coulomb needs within these
     *                limits, or 0.8 MB where there is one body (24 contacts with friction), 16 MB where there are more
     *                (50); ABUT_TOO_LARGE beyond. abut_contact_limits_for names them for problems of these models. */
    unsigned solvers;
} abut_contact_limits;

typedef struct abut_contact_workspace abut_contact_workspace;

/* Limits that fit this problem and these options exactly (options NULL: the defaults). Where there is no problem or
 * no such solver, no workspace is made for the limits that are returned. */
ABUT_API abut_contact_limits abut_contact_limits_for(const abut_contact_problem *problem,
                                                     const abut_contact_options *options);
ABUT_API abut_status abut_contact_workspace_create(const abut_contact_limits *limits,
                                                   const abut_allocator *allocator,
                                                   abut_contact_workspace **workspace);
ABUT_API void abut_contact_workspace_destroy(abut_contact_workspace *workspace);
/* The exact number of bytes that a workspace of these limits asks its allocator for, all at once. 0: no workspace is
 * made for such limits. By default 1 body with 100 contacts takes 1 MB, 100 with 500 take 30 MB, 1,000 with 5,000
 * take 221 MB. */
ABUT_API size_t abut_contact_workspace_bytes(const abut_contact_limits *limits);
/* Makes *workspace one of other limits, larger or smaller, from the same allocator. What warm starts go on from
 * (states, impulses, keys) comes along if the last problem is within the new limits; bases and factors are made anew,
 * and what results point to does not come along.
 * Any status other than ABUT_OK leaves *workspace as it was. While larger limits are made there is memory for both. */
ABUT_API abut_status abut_contact_workspace_resize(abut_contact_workspace **workspace,
                                                   const abut_contact_limits *limits);

/* Solves. No allocation, no lock, no print. */
ABUT_API abut_status abut_contact_solve(abut_contact_workspace *workspace,
                                        const abut_contact_problem *problem,
                                        const abut_contact_options *options, abut_contact_result *result);

/* Shows all answers of a coulomb-accel problem with at most ABUT_ACCEL_CONTACTS_MAX contacts, by a search through all
 * modes. A mode says which contacts open, stick or slide, and where on their polygons. Friction in space lies in the
 * polygon of accel.directions, and the whole problem is one island.
 *
 * Isolated answers are shown: answers with equal accelerations once, since redundant contacts share their forces in
 * many ways, and a mode that has many motions once. At most ABUT_ACCEL_ALL_MAX are shown. The result is valid during
 * the call of `visit` only, which ends the search by returning false. `count` gets the number shown.
 *
 * ABUT_TOO_LARGE: there are more contacts; or the search did not end within its budget (options.max_pivots and
 * max_seconds, at most some seconds); or rounding left something open (friction of 1e6 and more). What was shown may
 * then not be all. ABUT_OK with a count of 0, there is no answer, is said only where abut_contact_solve says so, too:
 * `exhausted`, or infeasible. */
#define ABUT_ACCEL_CONTACTS_MAX 24 /* contacts whose modes are searched */
#define ABUT_ACCEL_SPATIAL_MAX 8   /* of them those that have friction at rest in space, at most */
#define ABUT_ACCEL_ALL_MAX 32
typedef bool (*abut_accel_visit)(const abut_contact_result *result, void *context);
ABUT_API abut_status abut_accel_all(abut_contact_workspace *workspace, const abut_contact_problem *problem,
                                    const abut_contact_options *options, abut_accel_visit visit,
                                    void *context, int *count);

/* Why abut_contact_solve would refuse the problem, in words that name the contact and the field. Every number must be
 * of magnitude at most 1e100. The two differ in this: mass matrices of more than 48 rows are factored by the solver
 * alone, and keys that two contacts or two joint rows have are looked for here alone, since that costs more than a
 * small solve. For more than 512 of either it takes memory from the C library for a moment: ABUT_OUT_OF_MEMORY when
 * there is none. */
ABUT_API abut_status abut_contact_validate(const abut_contact_problem *problem, abut_error *error);

/* The verifier alone: judges impulses (contact_count x 3: normal, tangent x, tangent y), joint impulses (joint_count)
 * and new velocities (6 * body_count or nv; NULL through the local door). Of `options` only what changes the question
 * is read (restitution_threshold, unions, accel); NULL: the defaults. `scratch` holds
 * abut_contact_verify_size(problem) doubles. */
ABUT_API size_t abut_contact_verify_size(const abut_contact_problem *problem);
ABUT_API abut_status abut_contact_verify(const abut_contact_problem *problem,
                                         const abut_contact_options *options, const double *impulses,
                                         const double *joints, const double *velocity, double *scratch,
                                         abut_contact_check *check);

/* The verifier on `infeasible`: do these weights (contacts: contact_count numbers y_i >= 0; joints: joint_count numbers
 * y_j) prove that no motion satisfies all contacts and joint rows? Any motion v that does has
 *
 *     0 <= sum y_i (n_i.u + b_i) + sum y_j (row_j - target_j) = g.v + c,     g = sum of y * rows:
 *
 * which is impossible when g = 0 and c < 0. *factor (may be NULL) gets -c / |G^-1 g| / K, rounded downwards: how many
 * times faster than what the problem asks for (K as in the residual) a motion would have to be. True: that is at
 * least 1e6, for one island at least. Through the W + q door the same is said of impulses. Sides of unions have no
 * weight, nor have contacts of coulomb-accel that separate faster than slide_threshold. `options` and `scratch` are
 * as in abut_contact_verify. */
ABUT_API bool abut_contact_verify_witness(const abut_contact_problem *problem,
                                          const abut_contact_options *options, const double *contacts,
                                          const double *joints, double *scratch, double *factor);

#ifdef __cplusplus
}
#endif

#endif
