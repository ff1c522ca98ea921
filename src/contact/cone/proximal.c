/* The proximal point: with W + eps and q - eps p_k in place of W and q, where p_k is the last answer, the problem is
 * regular whatever is redundant. eps goes down as long as Newton's method follows. */
#include "contact/cone/cone.h"
#include <math.h>
#include <string.h>

#define FIRST_WEIGHT 1e-3 /* of the proximal term, in units of s^2 */
#define LAST_WEIGHT 1e-10
#define HEAVIEST 10.0
#define ROUNDS 60
#define MOST_STEPS 2000      /* of Newton's method over all rounds; 150 are usual, */
#define MOST_STEPS_LARGE 500 /* and in large islands, where a step takes a millisecond; */
#define MOST_STEPS_ROWS 300  /* where the rows of bodies are springs, and may be eliminated afterwards */
/* The factor by which the weight goes down, and the least one, where ten times less was too much at once. */
#define FACTOR 10.0
#define FACTOR_LEAST 2.0
#define EAGER 10         /* steps of a round after which all violated states change */
#define STEPS_NEXT 16    /* of a round that starts from an answer of the one before; six are usual */
#define CONE_LOOSE 1e-10 /* natural map of a round that is enough where rounding allows no less */

/* The present impulses and states become the center. */
static void set_center(cone *c)
{
    for (int i = 0; i < c->system->n; ++i) c->touch[i].center = cone_where(&c->touch[i]);
    for (int j = 0; j < c->system->joints; ++j) c->joint_center[j] = c->joint[j];
}

/* Goes back to the center. */
static void go_back(cone *c)
{
    for (int i = 0; i < c->system->n; ++i) cone_return(&c->touch[i], &c->touch[i].center);
    for (int j = 0; j < c->system->joints; ++j) c->joint[j] = c->joint_center[j];
}

/* The map of the problem itself at the present impulses. */
static double true_residual(cone *c)
{
    double prox = c->prox;
    c->prox = 0.0;
    abuti_cone_move(c);
    double residual = abuti_cone_residual(c);
    c->prox = prox;
    return residual;
}

/* Keeps what Newton's method has found if it is better than all before. Returns the least map of the problem itself. */
static double keep_better(cone *c, double least)
{
    double residual = true_residual(c);
    if (!(residual < least)) return least;
    for (int i = 0; i < c->system->n; ++i) c->touch[i].found = cone_where(&c->touch[i]);
    for (int j = 0; j < c->system->joints; ++j) c->joint_found[j] = c->joint[j];
    return residual;
}

/* Goes to the best of all rounds. */
static void take_found(cone *c)
{
    for (int i = 0; i < c->system->n; ++i) cone_return(&c->touch[i], &c->touch[i].found);
    for (int j = 0; j < c->system->joints; ++j) c->joint[j] = c->joint_found[j];
    abuti_cone_move(c);
}

bool abuti_cone_proximal(cone *c)
{
    double weight = FIRST_WEIGHT, down = FACTOR, enough = c->enough, least = INFINITY;
    int steps = CONE_STEPS + (c->system->n <= CONE_DENSE ? c->system->n : c->system->n / 8);
    bool large = c->system->n > CONE_DENSE;
    set_center(c);
    int most = c->steps + (large ? MOST_STEPS_LARGE : c->W ? MOST_STEPS : MOST_STEPS_ROWS);
    for (int round = 0; round < ROUNDS && weight <= HEAVIEST && c->steps < most && !abuti_cone_spent(c);
         ++round) {
        c->prox = weight;
        c->enough = CONE_LOOSE;
        c->eager = EAGER;
        bool found = abuti_cone_newton(c, least < INFINITY && large ? STEPS_NEXT : steps);
        c->enough = enough;
        if (!found) {
            go_back(c);
            weight *= down;
            down = least < INFINITY && large ? fmax(sqrt(down), FACTOR_LEAST) : FACTOR;
            continue;
        }
        least = keep_better(c, least);
        c->prox = 0.0;
        set_center(c);
        if (least <= enough) break;
        if (weight > LAST_WEIGHT) weight /= down;
    }
    c->prox = 0.0;
    c->eager = 0;
    c->least = least;
    if (least < INFINITY) take_found(c);
    return least <= enough;
}
