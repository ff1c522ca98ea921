/* Circles and ellipses. An ellipse with the coefficients mu_t and mu_b along t and n x t is a circle in other units.
 * Let mu be the larger of both, and r = mu_t / mu along t, r = mu_b / mu along n x t. The law that takes out most
 * energy,
 *
 *     f . u_t least over (f_t / mu_t)^2 + (f_b / mu_b)^2 <= theta^2,
 *
 * is Coulomb's law with mu for f / r and r u_t, axis by axis; f . u_t stays what it is. Nothing here is shared with
 * what builds systems. */
#include "contact/verify/parts.h"

/* Turns lane l, which is an ellipse, into a circle. */
static void flatten(const abut_contact *contact, abuti_chunk *c, int l)
{
    double most = fmax(contact->friction, contact->friction_across), square = 0.0;
    const double ratio[2] = {contact->friction / most, contact->friction_across / most};
    for (int t = 0; t < 2; ++t) {
        c->impulse[1 + t][l] /= ratio[t];
        c->velocity[1 + t][l] *= ratio[t];
        square = fmax(square, c->square[1 + t][l] * ratio[t] * ratio[t]);
    }
    c->mu[l] = most;
    if (!(square > 0.0)) return; /* nothing moves along the tangents: s of the normal stands for them */
    c->size[1][l] = sqrt(square);
    c->inverse_size[1][l] = 1.0 / c->size[1][l];
}

void abuti_chunk_round(const abuti_verification *v, const abuti_chunk *chunk, abuti_chunk *copy)
{
    *copy = *chunk;
    for (int l = 0; l < ABUTI_LANES; ++l) {
        const abut_contact *contact = &v->problem->contacts[chunk->index[l]];
        copy->round[l] = abuti_verify_is_round(contact) ? 1.0 : 0.0;
        if (copy->round[l] == 0.0) continue;
        copy->directions[l] = 0.0;
        if (contact->cone == ABUT_CONE_ELLIPSE) flatten(contact, copy, l);
    }
}
