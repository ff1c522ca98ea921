/* Passes over all contacts: from velocities to local velocities, and from impulses back to velocities.
 *
 * With one body these are small matrix-vector products over the lanes of system.h. With more, velocities are
 * first spread over the lanes, and impulses are collected contact by contact through the rows gathered in
 * `axes`. */
#include "contact/lloyd/lloyd.h"
#include "contact/system/models.h"
#include <string.h>

void abuti_lloyd_gather(abuti_lloyd *l, int contact)
{
    if (l->gathered[contact]) return;
    const abuti_system *s = l->s;
    double *at = l->axes + (size_t)contact * 3 * (size_t)l->vector;
    for (int axis = 0; axis < 3; ++axis) {
        for (int side = 0; side < s->sides; ++side, at += s->stride)
            abuti_row_gather(s, contact, axis, side, at);
    }
    l->gathered[contact] = 1;
}

void abuti_lloyd_combine(abuti_lloyd *l, int contact, double normal, double x, double y, double *restrict out)
{
    abuti_lloyd_gather(l, contact);
    const double *restrict n = l->axes + (size_t)contact * 3 * (size_t)l->vector;
    const double *restrict tx = n + l->vector, *restrict ty = tx + l->vector;
    for (int c = 0; c < l->vector; ++c) out[c] = normal * n[c] + x * tx[c] + y * ty[c];
}

void abuti_lloyd_local_velocity(abuti_lloyd *l, const double *v, bool offsets, double *const u[3])
{
    const abuti_system *s = l->s;
    size_t bytes = (size_t)s->lanes * sizeof(double);
    for (int axis = 0; axis < 3; ++axis) {
        if (offsets)
            memcpy(u[axis], s->offset[axis], bytes);
        else
            memset(u[axis], 0, bytes);
    }
    int axes = abuti_model_of(s->model)->friction == ABUT_LAW_NONE ? 1 : 3;
    if (s->bodies == 1 && s->sides == 1) {
        for (int axis = 0; axis < axes; ++axis)
            l->kernels->add_transposed(s->dim, s->lanes, abuti_row(s, axis, 0, 0), s->lanes, v, u[axis]);
        return;
    }
    for (int side = 0; side < s->sides; ++side) {
        const int *body = s->body[side];
        for (int i = 0; i < s->lanes; ++i) {
            const double *at = v + (size_t)body[i] * (size_t)s->stride;
            for (int c = 0; c < s->dim; ++c) l->spread[c * s->lanes + i] = at[c];
        }
        for (int axis = 0; axis < axes; ++axis)
            l->passes->add_products(s->lanes, s->dim, abuti_row(s, axis, side, 0), l->spread, u[axis]);
    }
}

void abuti_lloyd_add_impulses(abuti_lloyd *l, const double *theta, double *const f[2], double *v)
{
    const abuti_system *s = l->s;
    if (s->bodies == 1 && s->sides == 1) {
        const double *impulse[3] = {theta, f[0], f[1]};
        int axes = abuti_model_of(s->model)->friction == ABUT_LAW_NONE ? 1 : 3;
        for (int axis = 0; axis < axes; ++axis) {
            double *sum = l->spread;
            l->kernels->multiply(s->dim, s->lanes, abuti_row(s, axis, 0, 0), s->lanes, impulse[axis], sum);
            for (int c = 0; c < s->dim; ++c) v[c] += sum[c];
        }
        return;
    }
    for (int i = 0; i < s->n; ++i) {
        if (theta[i] == 0 && f[0][i] == 0 && f[1][i] == 0) continue;
        abuti_lloyd_gather(l, i);
        const double *n = l->axes + (size_t)i * 3 * (size_t)l->vector;
        for (int side = 0; side < s->sides; ++side, n += s->stride) {
            int body = s->body[side][i];
            if (body >= s->bodies) continue;
            const double *tx = n + l->vector, *ty = tx + l->vector;
            double *at = v + (size_t)body * (size_t)s->stride;
            for (int c = 0; c < s->dim; ++c) at[c] += theta[i] * n[c] + f[0][i] * tx[c] + f[1][i] * ty[c];
        }
    }
}
