/* Finds the state of a contact (contact.h) from its impulse, for solvers that work on single variables. */
#include "contact/system/classify.h"
#include "contact/system/system.h"

/* One end of an edge carries nothing when it has less than this share of mu theta: far above rounding, and far below
 * any share that is meant. */
#define VERTEX_SHARE 1e-9

int abuti_opposing(int directions, const double u[2])
{
    int best = 0;
    double least = 0.0;
    for (int j = 0; j < directions; ++j) {
        const double *d = abuti_direction(directions, j);
        double along = d[0] * u[0] + d[1] * u[1];
        if (j == 0 || along < least) {
            best = j;
            least = along;
        }
    }
    return best;
}

/* f as alpha d_k + beta d_(k+1) with the k for which both are not negative (up to rounding). */
static int cone_of(int directions, const double f[2], double share[2])
{
    int best = 0;
    double most = 0.0;
    for (int k = 0; k < directions; ++k) {
        const double *d = abuti_direction(directions, k),
                     *e = abuti_direction(directions, (k + 1) % directions);
        double det = d[0] * e[1] - d[1] * e[0];
        if (!(det > 0.0)) continue; /* d = 2: opposite directions span no cone */
        double alpha = (f[0] * e[1] - f[1] * e[0]) / det, beta = (d[0] * f[1] - d[1] * f[0]) / det;
        double worse = alpha < beta ? alpha : beta;
        if (k == 0 || worse > most) {
            best = k;
            most = worse;
            share[0] = alpha;
            share[1] = beta;
        }
    }
    return best;
}

abut_contact_face abuti_classify(int directions, double mu, double theta, const double f[2],
                                 const double u[2], bool slip)
{
    if (!(theta > 0.0)) return (abut_contact_face){.state = ABUT_OPEN};
    if (mu == 0.0)
        return (abut_contact_face){.state = ABUT_SLIDE, .face = (uint8_t)abuti_opposing(directions, u)};
    if (!slip) return (abut_contact_face){.state = ABUT_STICK};
    if (directions == ABUT_DIRECTIONS_MIN)
        return (abut_contact_face){.state = ABUT_SLIDE, .face = f[0] < 0.0};
    double share[2] = {0.0, 0.0};
    int k = cone_of(directions, f, share);
    if (share[1] <= VERTEX_SHARE * mu * theta)
        return (abut_contact_face){.state = ABUT_SLIDE, .face = (uint8_t)k};
    if (share[0] <= VERTEX_SHARE * mu * theta) {
        return (abut_contact_face){.state = ABUT_SLIDE, .face = (uint8_t)((k + 1) % directions)};
    }
    return (abut_contact_face){.state = ABUT_EDGE, .face = (uint8_t)k};
}
