/* From an answer that moves, a proof that no impulses hold the bodies.
 *
 * The velocity v of an answer keeps every contact, n.v >= 0, but closes generators of cones where it slips:
 * c.J v = n.v - mu |slip|. Stiff springs at all contacts, which open each contact by what is missing there and by
 * nothing else, make a motion w near v that closes hardly any generator; a lift that opens all contacts alike makes up
 * for the rest. If k.w > 0 is left, then for all p within the cones 0 = w.(k + J'p) > 0, so nothing holds k. This takes
 * one factorisation. In a high tower the lifts of all bodies that stand on each other add up, so what springs leave
 * closed is opened again until the lift costs less than is gained. */
#include "contact/rest/rest.h"
#include <math.h>
#include <string.h>

#define ROUNDS 6 /* of opening what is closed */
#define SLOW 0.7 /* of what was closed is left: further rounds lead nowhere */
/* Later rounds open by this many times what is missing, since contacts of the same two bodies that miss nothing keep
 * half of it closed. */
#define FURTHER 2.0

/* The most by which v closes a generator of contact i. */
static double missing(const rest *r, const abuti_system *s, int i, const double *v)
{
    double u[3], c[3], most = 0.0;
    abuti_rest_velocity(&r->matrix, s, i, v, u);
    for (int j = 0; j < r->count[i]; ++j) {
        rest_generator(r, i, j, c);
        most = rest_larger(most, -(c[0] * u[0] + c[1] * u[1] + c[2] * u[2]));
    }
    return most;
}

/* Opens contacts by `times` what r->v closes, as far as springs do that. */
static void open_missing(rest *r, const abuti_system *s, double times)
{
    memset(r->dv, 0, (size_t)((s->bodies + 1) * s->stride) * sizeof(double));
    for (int i = 0; i < s->n; ++i) {
        double push = times * r->K[REST_K * i + REST_NN] * missing(r, s, i, r->v);
        if (push > 0.0) abuti_rest_push(&r->matrix, s, i, (double[3]){push, 0.0, 0.0}, r->dv);
    }
    abuti_rest_solve(r, s, r->dv);
    for (int c = 0; c < s->bodies * s->stride; ++c) r->v[c] += r->dv[c];
}

/* The most that is left closed, per size of its row; rounding counts as closed. */
static double still_closed(const rest *r, const abuti_system *s)
{
    double closed = REST_STILL * r->size;
    for (int i = 0; i < s->n; ++i) closed = rest_larger(closed, missing(r, s, i, r->v) / s->size[0][i]);
    return closed;
}

bool abuti_rest_refuted(void *scratch, const abuti_system *s, const double *v)
{
    rest *r = scratch;
    if (s->joints > 0 || !abuti_rest_begin(r, s) || !r->still || !abuti_rest_spring_alike(r, s)) return false;
    abuti_rest_lift(r, s);
    double opens = abuti_rest_opening(r, s);
    if (!(opens > 0.0)) return false;
    double enough = REST_PROOF * r->size * r->size, against = abuti_rest_power(s, r->lift) / opens;
    double closed = INFINITY;
    memcpy(r->v, v, (size_t)(s->bodies * s->stride) * sizeof(double));
    for (int round = 0; round < ROUNDS; ++round) {
        double before = closed;
        open_missing(r, s, round == 0 ? 1.0 : FURTHER);
        closed = still_closed(r, s);
        double gained = abuti_rest_power(s, r->v);
        if (gained + closed * against > enough) return true;
        if (gained <= enough || closed > SLOW * before) return false;
    }
    return false;
}
