/* One rigid body in mass-scaled coordinates: M = G G', G = diag(sqrt(m) I, L), inertia = L L'. */
#include "contact/build/build.h"
#include "contact/build/validate.h"
#include <math.h>
#include <string.h>

/* inertia is stored xx, yy, zz, xy, xz, yz. */
static bool factor_inertia(const double I[6], double L[6], double inverse[6])
{
    /* Along principal axes the roots need not wait for each other. */
    if (I[3] == 0.0 && I[4] == 0.0 && I[5] == 0.0) {
        double l00 = sqrt(I[0]), l11 = sqrt(I[1]), l22 = sqrt(I[2]);
        L[0] = l00, L[2] = l11, L[5] = l22;
        L[1] = L[3] = L[4] = 0.0;
        inverse[0] = 1.0 / l00, inverse[2] = 1.0 / l11, inverse[5] = 1.0 / l22;
        inverse[1] = inverse[3] = inverse[4] = 0.0;
        return I[0] > 0.0 && I[1] > 0.0 && I[2] > 0.0;
    }
    double l00 = sqrt(I[0]);
    double l10 = I[3] / l00, l20 = I[4] / l00;
    double d1 = I[1] - l10 * l10;
    double l11 = sqrt(d1);
    double l21 = (I[5] - l20 * l10) / l11;
    double d2 = I[2] - l20 * l20 - l21 * l21;
    double l22 = sqrt(d2);
    L[0] = l00, L[1] = l10, L[2] = l11, L[3] = l20, L[4] = l21, L[5] = l22;
    inverse[0] = 1.0 / l00;
    inverse[2] = 1.0 / l11;
    inverse[5] = 1.0 / l22;
    inverse[1] = -l10 * inverse[0] * inverse[2];
    inverse[4] = -l21 * inverse[2] * inverse[5];
    inverse[3] = -(l20 * inverse[0] + l21 * inverse[1]) * inverse[5];
    return I[0] > 0.0 && d1 > ABUTI_DEFINITE * I[1] && d2 > ABUTI_DEFINITE * I[2];
}

bool abuti_factor_body(const abut_body *body, abuti_factor *factor)
{
    factor->root = sqrt(body->mass);
    factor->inverse_root = 1.0 / factor->root;
    memcpy(factor->com, body->com, sizeof factor->com);
    return body->mass > 0.0 && factor_inertia(body->inertia, factor->L, factor->inverse);
}

/* k of one block, in the caller's units. */
void abuti_body_k(const abut_body *body, const abuti_factor *g, double step, bool acceleration, double *k)
{
    const double *v = body->velocity, *f = body->force, *L = g->L, *inverse = g->inverse;
    double h = acceleration ? 1.0 : step;
    double keep = acceleration ? 0.0 : 1.0;
    for (int c = 0; c < 3; ++c) k[c] = keep * g->root * v[c] + h * g->inverse_root * f[c];
    k[3] = keep * (L[0] * v[3] + L[1] * v[4] + L[3] * v[5]) + h * inverse[0] * f[3];
    k[4] = keep * (L[2] * v[4] + L[4] * v[5]) + h * (inverse[1] * f[3] + inverse[2] * f[4]);
    k[5] = keep * L[5] * v[5] + h * (inverse[3] * f[3] + inverse[4] * f[4] + inverse[5] * f[5]);
    k[6] = k[7] = 0.0;
}

void abuti_body_row(const abuti_factor *g, const double J[6], double row[6])
{
    const double *inverse = g->inverse, x = J[3], y = J[4], z = J[5];
    for (int c = 0; c < 3; ++c) row[c] = J[c] * g->inverse_root;
    row[3] = inverse[0] * x;
    row[4] = inverse[1] * x + inverse[2] * y;
    row[5] = inverse[3] * x + inverse[4] * y + inverse[5] * z;
}

void abuti_body_velocity(const abuti_factor *g, const double s[6], double unit, double v[6])
{
    const double *inverse = g->inverse;
    for (int c = 0; c < 3; ++c) v[c] = s[c] * g->inverse_root * unit;
    v[3] = (inverse[0] * s[3] + inverse[1] * s[4] + inverse[3] * s[5]) * unit;
    v[4] = (inverse[2] * s[4] + inverse[4] * s[5]) * unit;
    v[5] = inverse[5] * s[5] * unit;
}

void abuti_unbuild_bodies(const abuti_build *build, const abuti_island *island, const double *v_scaled,
                          double *velocity)
{
    double unit = build->system.unit;
    for (int b = 0; b < island->bodies; ++b) {
        double *v = velocity + 6 * (size_t)island->body[b];
        abuti_body_velocity(&build->factor[b], v_scaled + (size_t)b * 8, unit, v);
    }
}
