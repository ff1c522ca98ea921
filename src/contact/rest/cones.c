/* How far impulses are inside their cones. */
#include "contact/rest/rest.h"
#include <math.h>

/* The slack of an impulse to edge l of its polygon, positive inside. A contact with fewer generators than its polygon
 * lies on a face of the cone, where the weights of the generators take the place of slacks. */
static double edge_slack(const abuti_system *s, int i, int l, const double *p)
{
    int d = s->directions[i];
    if (s->mu[i] == 0.0) return p[0];
    const double *a = abuti_direction(d, l), *b = abuti_direction(d, (l + 1) % d);
    double mu = s->mu[i];
    if (d == ABUT_DIRECTIONS_MIN) return mu * p[0] - a[0] * p[1];
    /* mu theta kap - a_l.f, with a_l kap the middle of the edge. */
    double mx = 0.5 * (a[0] + b[0]), my = 0.5 * (a[1] + b[1]), kap2 = mx * mx + my * my;
    return (mu * p[0] * kap2 - mx * p[1] - my * p[2]) / sqrt(kap2);
}

/* For a contact that slips: the weights of its one or two generators. */
static double face_slack(const rest *r, int i, int l, const double *p)
{
    double c[2][3];
    if (r->count[i] == 1) return p[0];
    rest_generator(r, i, 0, c[0]);
    rest_generator(r, i, 1, c[1]);
    double along[2] = {c[1][1] - c[0][1], c[1][2] - c[0][2]};
    double share = ((p[1] - p[0] * c[0][1]) * along[0] + (p[2] - p[0] * c[0][2]) * along[1]) /
                   (along[0] * along[0] + along[1] * along[1]);
    return l == 0 ? p[0] - share : share;
}

bool abuti_rest_on_face(const rest *r, const abuti_system *s, int i)
{
    return s->mu[i] > 0.0 && r->count[i] < s->directions[i];
}

int abuti_rest_slacks(const rest *r, const abuti_system *s, int i)
{
    return abuti_rest_on_face(r, s, i) ? r->count[i] : s->mu[i] > 0.0 ? s->directions[i] : 1;
}

double abuti_rest_slack(const rest *r, const abuti_system *s, int i, int l, const double *p)
{
    return abuti_rest_on_face(r, s, i) ? face_slack(r, i, l, p) : edge_slack(s, i, l, p);
}

double abuti_rest_largest(const rest *r, const abuti_system *s, const double *p)
{
    double largest = r->size;
    for (int i = 0; i < s->n; ++i) {
        if (r->count[i] > 0) largest = rest_larger(largest, p[3 * i] * s->size[0][i]);
    }
    return largest;
}

bool abuti_rest_in_cones(const rest *r, const abuti_system *s, const double *p)
{
    double allowed = -REST_CONE * abuti_rest_largest(r, s, p);
    for (int i = 0; i < s->n; ++i) {
        if (r->count[i] == 0) continue;
        for (int l = abuti_rest_slacks(r, s, i) - 1; l >= 0; --l) {
            if (!(abuti_rest_slack(r, s, i, l, p + 3 * i) >= allowed)) return false;
        }
    }
    return true;
}
