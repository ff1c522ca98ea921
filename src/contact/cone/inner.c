/* The linear systems of the interior point; see interior.c. */
#include "contact/cone/inner.h"
#include <string.h>

static void times(const double K[9], const double a[3], double out[3])
{
    for (int r = 0; r < 3; ++r) out[r] = K[3 * r] * a[0] + K[3 * r + 1] * a[1] + K[3 * r + 2] * a[2];
}

void abuti_inner_solve_rows(cone *c)
{
    const abuti_system *s = c->system;
    memset(c->dx, 0, (size_t)((s->bodies + 1) * s->stride) * sizeof(double));
    for (int i = 0; i < s->n; ++i) {
        cone_inner *in = &c->inner[i];
        times(in->K, in->h, in->dp);
        abuti_rest_push(&c->matrix, s, i, in->dp, c->dx);
    }
    for (int j = 0; j < s->joints; ++j) {
        c->joint_rho[j] = abuti_rest_joint_velocity(s, j, c->x) + s->joint_offset[j];
        abuti_rest_push_joint(s, j, -c->joint_rho[j] / CONE_RIDGE, c->dx);
    }
    c->kernel->divide(c, c->dx);
    for (int i = 0; i < s->n; ++i) {
        double du[3], back[3];
        abuti_rest_velocity(&c->matrix, s, i, c->dx, du);
        times(c->touch[i].B, du, back);
        for (int k = 0; k < 3; ++k) c->inner[i].dp[k] -= back[k];
    }
    for (int j = 0; j < s->joints; ++j)
        c->joint_step[j] = -(c->joint_rho[j] + abuti_rest_joint_velocity(s, j, c->dx)) / CONE_RIDGE;
}

/* The inverse of a symmetric three by three matrix of which only the first `rows` rows count. */
static void invert(const double K[9], int rows, double V[9])
{
    memset(V, 0, 9 * sizeof(double));
    if (rows == 1) {
        V[0] = 1.0 / K[0];
        return;
    }
    if (rows == 2) {
        double det = K[0] * K[4] - K[1] * K[3];
        V[0] = K[4] / det;
        V[4] = K[0] / det;
        V[1] = V[3] = -K[1] / det;
        return;
    }
    double a = K[4] * K[8] - K[5] * K[5], b = K[2] * K[5] - K[1] * K[8], d = K[1] * K[5] - K[2] * K[4];
    double det = K[0] * a + K[1] * b + K[2] * d;
    V[0] = a / det;
    V[1] = V[3] = b / det;
    V[2] = V[6] = d / det;
    V[4] = (K[0] * K[8] - K[2] * K[2]) / det;
    V[5] = V[7] = (K[1] * K[2] - K[0] * K[5]) / det;
    V[8] = (K[0] * K[4] - K[1] * K[1]) / det;
}

static int rows_of(const cone_touch *t, const cone_inner *in)
{
    if (t->kind == CONE_NONE || in->K[4] == 0.0) return 1;
    return t->kind == CONE_PLANE ? 2 : 3;
}

bool abuti_inner_factor_local(cone *c)
{
    const abuti_system *s = c->system;
    int n = s->n, size = 3 * n + s->joints;
    abuti_lu_start(&c->lu, size);
    for (int i = 0; i < n; ++i) {
        const cone_inner *in = &c->inner[i];
        double V[9];
        int rows = rows_of(&c->touch[i], in);
        invert(in->K, rows, V);
        for (int a = 0; a < 3; ++a) {
            double *row = abuti_lu_row(&c->lu, 3 * i + a);
            if (a >= rows) { /* an impulse that does not exist */
                row[3 * i + a] = 1.0;
                continue;
            }
            memcpy(row, c->W + (size_t)(3 * i + a) * (size_t)c->ld, (size_t)size * sizeof(double));
            for (int b = 0; b < rows; ++b) {
                double entry = V[3 * a + b];
                if (a == 0) entry -= in->g[0] * V[3 + b] + in->g[1] * V[6 + b];
                row[3 * i + b] += entry;
            }
        }
    }
    for (int j = 0; j < s->joints; ++j)
        memcpy(abuti_lu_row(&c->lu, 3 * n + j), c->W + (size_t)(3 * n + j) * (size_t)c->ld,
               (size_t)size * sizeof(double));
    return abuti_lu_factor(&c->lu);
}

void abuti_inner_solve_local(cone *c)
{
    const abuti_system *s = c->system;
    int n = s->n;
    for (int i = 0; i < n; ++i) {
        const cone_inner *in = &c->inner[i];
        c->rhs[3 * i] = in->h[0] - (in->g[0] * in->h[1] + in->g[1] * in->h[2]);
        c->rhs[3 * i + 1] = in->h[1];
        c->rhs[3 * i + 2] = in->h[2];
    }
    for (int j = 0; j < s->joints; ++j) c->rhs[3 * n + j] = -c->joint_rho[j];
    abuti_lu_solve(&c->lu, c->rhs, c->solution);
    for (int i = 0; i < n; ++i) memcpy(c->inner[i].dp, c->solution + 3 * (size_t)i, 3 * sizeof(double));
    for (int j = 0; j < s->joints; ++j) c->joint_step[j] = c->solution[3 * n + j];
}
