/* How springs of one kind at all contacts that touch share the load. */
#include "contact/rest/rest.h"
#include <math.h>
#include <string.h>

bool abuti_rest_spring_alike(rest *r, const abuti_system *s)
{
    for (int i = 0; i < s->n; ++i) {
        double *K = r->K + REST_K * i, normal = REST_STIFF / (s->size[0][i] * s->size[0][i]), c[3];
        memset(K, 0, REST_K * sizeof(double));
        if (r->count[i] > ABUT_DIRECTIONS_MIN) { /* the whole polygon */
            K[REST_NN] = normal;
            K[REST_XX] = K[REST_YY] = 0.5 * normal * s->mu[i] * s->mu[i];
            continue;
        }
        for (int j = 0; j < r->count[i]; ++j) {
            double share = normal / r->count[i];
            rest_generator(r, i, j, c);
            rest_add_spring(K, share, c);
        }
    }
    return abuti_rest_factor(r, s);
}

/* How much squeeze brings p into the cones; negative when none does. */
static double squeeze_needed(const rest *r, const abuti_system *s)
{
    double low = 0.0, high = INFINITY;
    for (int i = 0; i < s->n; ++i) {
        if (r->count[i] == 0) continue;
        for (int l = abuti_rest_slacks(r, s, i) - 1; l >= 0; --l) {
            double slack = abuti_rest_slack(r, s, i, l, r->p + 3 * i),
                   gain = abuti_rest_slack(r, s, i, l, r->squeeze + 3 * i);
            if (gain > REST_NEAR) low = rest_larger(low, -slack / gain);
            if (gain < -REST_NEAR) high = fmin(high, slack / -gain);
            if (fabs(gain) <= REST_NEAR && slack < -REST_CONE * r->size) return -1.0;
        }
    }
    if (low > high || low > REST_SQUEEZE * r->size) return -1.0;
    double wanted = 1.5 * low; /* with some room on all sides */
    return wanted < 0.5 * (low + high) ? wanted : 0.5 * (low + high);
}

/* Adds impulses that press everywhere and add up to nothing, as many as bring p into the cones. */
static bool squeeze(rest *r, const abuti_system *s)
{
    double *y = r->kept;
    for (int i = 0; i < s->n; ++i) {
        r->squeeze[3 * i] = r->count[i] > 0 ? 1.0 / s->size[0][i] : 0.0;
        r->squeeze[3 * i + 1] = r->squeeze[3 * i + 2] = 0.0;
    }
    for (int j = 0; j < s->joints; ++j) y[j] = 0.0;
    if (!abuti_rest_hold(r, s, r->squeeze, y, NULL, REST_CALM)) return false;
    double amount = squeeze_needed(r, s);
    if (amount < 0.0) return false;
    for (int c = 0; c < 3 * s->n; ++c) r->p[c] += amount * r->squeeze[c];
    for (int j = 0; j < s->joints; ++j) r->y[j] += amount * y[j];
    return abuti_rest_hold(r, s, r->p, r->y, s->k, REST_STILL) && abuti_rest_in_cones(r, s, r->p);
}

/* Shares the load evenly, squeezes if need be, and if that is not enough lets those contacts share that can. */
bool abuti_rest_quick(rest *r, const abuti_system *s, const abuti_stage_context *context)
{
    if (!abuti_rest_spring_alike(r, s) || abuti_rest_spent(context, 0)) return false;
    memset(r->p, 0, 3 * (size_t)s->n * sizeof(double));
    if (s->joints) memset(r->y, 0, (size_t)s->joints * sizeof(double));
    if (!abuti_rest_hold(r, s, r->p, r->y, s->k, REST_CALM)) return false;
    if (abuti_rest_in_cones(r, s, r->p) && abuti_rest_hold(r, s, r->p, r->y, s->k, REST_STILL) &&
        abuti_rest_in_cones(r, s, r->p))
        return true;
    if (abuti_rest_spent(context, 0)) return false;
    return squeeze(r, s) || abuti_rest_narrowed(r, s, context);
}

void abuti_rest_lift(rest *r, const abuti_system *s)
{
    memset(r->lift, 0, (size_t)((s->bodies + 1) * s->stride) * sizeof(double));
    for (int i = 0; i < s->n; ++i) {
        double stiffness = r->K[REST_K * i + REST_NN];
        if (r->count[i] > 0) abuti_rest_push(&r->matrix, s, i, (double[3]){stiffness, 0.0, 0.0}, r->lift);
    }
    abuti_rest_solve(r, s, r->lift);
}

double abuti_rest_opening(const rest *r, const abuti_system *s)
{
    double least = INFINITY, u[3], c[3];
    for (int i = 0; i < s->n; ++i) {
        if (r->count[i] == 0) continue;
        abuti_rest_velocity(&r->matrix, s, i, r->lift, u);
        for (int j = 0; j < r->count[i]; ++j) {
            rest_generator(r, i, j, c);
            least = fmin(least, (c[0] * u[0] + c[1] * u[1] + c[2] * u[2]) / s->size[0][i]);
        }
    }
    return least;
}

double abuti_rest_power(const abuti_system *s, const double *v)
{
    double sum = 0.0;
    for (int c = 0; c < s->bodies * s->stride; ++c) sum += s->k[c] * v[c];
    return sum;
}
