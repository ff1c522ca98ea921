/* Circles and ellipses of a system that has been built: which lanes are round, and ellipses made circles.
 *
 * With the coefficients mu_t and mu_b along t and n x t, mu the larger of both and r = mu_t / mu, mu_b / mu, Coulomb's
 * law on the ellipse (the one that takes out most energy) is that on a circle of mu, for friction impulses f / r and
 * velocities r u_t, axis by axis. So tangent rows and their offsets are multiplied by r here, once; unscale.c
 * multiplies the impulses by r and divides the velocities by it. */
#include "contact/build/build.h"
#include <math.h>

/* Row and column `at` of W. */
static void scale_in_W(abuti_build *build, int at, double by)
{
    const abuti_system *s = &build->system;
    size_t rows = (size_t)(3 * s->n + s->joints), ld = (size_t)s->W_ld, i = (size_t)at;
    for (size_t k = 0; k < rows; ++k) {
        build->store.W[i * ld + k] *= by;
        build->store.W[k * ld + i] *= by;
    }
}

/* Scales one tangent row of a lane. Returns the square of its size afterwards. */
static double scale_tangent(abuti_build *build, int lane, int axis, double by)
{
    const abuti_system *s = &build->system;
    double square = 0.0;
    build->store.offset[axis][lane] *= by;
    if (!s->rows) {
        scale_in_W(build, 3 * lane + axis, by);
        return fmax(s->W[(size_t)(3 * lane + axis) * (size_t)(s->W_ld + 1)], 0.0);
    }
    double *at = build->store.rows + (size_t)(axis * s->sides * s->dim) * (size_t)s->lanes + (size_t)lane;
    for (int c = 0; c < s->sides * s->dim; ++c) {
        double *number = at + (size_t)c * (size_t)s->lanes;
        *number *= by;
        square += *number * *number;
    }
    return square;
}

static void flatten(abuti_build *build, const abut_contact *contact, int lane)
{
    double mu = fmax(contact->friction, contact->friction_across);
    build->ratio[0][lane] = contact->friction / mu;
    build->ratio[1][lane] = contact->friction_across / mu;
    build->store.mu[lane] = mu;
    double x = scale_tangent(build, lane, ABUTI_TANGENT_X, build->ratio[0][lane]);
    double y = scale_tangent(build, lane, ABUTI_TANGENT_Y, build->ratio[1][lane]);
    build->store.size[1][lane] = sqrt(fmax(x, y));
    build->flattened = true;
}

void abuti_build_cones(abuti_build *build, const abut_contact_problem *problem)
{
    abuti_system *s = &build->system;
    bool any = false;
    for (int lane = 0; lane < s->lanes; ++lane) {
        const abut_contact *contact = lane < s->n ? &problem->contacts[s->index[lane]] : NULL;
        bool plane = s->directions[lane] == ABUT_DIRECTIONS_MIN;
        build->round[lane] = contact && contact->cone != ABUT_CONE_POLYGON && !plane;
        build->ratio[0][lane] = build->ratio[1][lane] = 1.0;
        if (build->round[lane] && contact->cone == ABUT_CONE_ELLIPSE) flatten(build, contact, lane);
        any = any || build->round[lane];
    }
    s->round = any ? build->round : NULL;
}
