/* From an answer that moves, a proof that no impulses hold the bodies.
 *
 * The velocity v of an answer keeps every contact, n.v >= 0, but closes generators of cones where it slips: c.J v
 * = n.v - mu |slip|. Stiff springs at all contacts that open each by what is missing there, and nothing else, make a
 * motion w near v that closes hardly any; a lift that opens all contacts alike makes up for the rest. If k.w > 0 is left,
 * 0 = w.(k + J'p) > 0 for all p within the cones: nothing holds k. One factorisation. */
#include "contact/rest/rest.h"
#include <math.h>
#include <string.h>

/* How much contact i closes a generator along v, at most. */
static double missing(const rest *r, const abuti_system *s, int i, const double *v)
{
    double u[3], c[3], most = 0.0;
    abuti_rest_velocity(&r->matrix, s, i, v, u);
    for (int j = 0; j < r->count[i]; ++j) {
        rest_generator(r, i, j, c);
        most = fmax(most, -(c[0] * u[0] + c[1] * u[1] + c[2] * u[2]));
    }
    return most;
}

bool abuti_rest_refuted(void *scratch, const abuti_system *s, const double *v)
{
    rest *r = scratch;
    if (s->joints > 0 || !abuti_rest_begin(r, s) || !r->still || !abuti_rest_spring_alike(r, s)) return false;
    memset(r->dv, 0, (size_t)((s->bodies + 1) * s->stride) * sizeof(double));
    for (int i = 0; i < s->n; ++i) {
        double push = r->K[REST_K * i + REST_NN] * missing(r, s, i, v);
        if (push > 0.0) abuti_rest_push(&r->matrix, s, i, (double[3]){push, 0.0, 0.0}, r->dv);
    }
    abuti_rest_matrix_solve(&r->matrix, s, r->dv);
    for (int c = 0; c < s->bodies * s->stride; ++c) r->v[c] = v[c] + r->dv[c];
    abuti_rest_lift(r, s);
    double closed = REST_STILL * r->size, opens = abuti_rest_opening(r, s), power = 0.0;
    for (int i = 0; i < s->n; ++i) closed = fmax(closed, missing(r, s, i, r->v) / s->size[0][i]);
    if (!(opens > 0.0)) return false;
    for (int c = 0; c < s->bodies * s->stride; ++c)
        power += s->k[c] * (r->v[c] + closed / opens * r->lift[c]);
    return power > REST_PROOF * r->size * r->size;
}
