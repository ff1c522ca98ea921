/* A start from the states of an earlier solve (a warm start).
 *
 * States stand for sets of basic variables of (8):
 *
 *     OPEN     lambda and one phi (both zero)      SLIDE j   theta, phi_j, lambda
 *     EDGE k   theta, phi_k, phi_k+1, lambda       STICK     theta, two neighbouring phi (gamma basic)
 *
 * The principal pivot to that set gives a complementary basis. If its vertex is feasible the problem is
 * solved. Otherwise Lemke's path runs on the pivoted problem with a positive cover c' of its basic variables.
 * In the original variables that is the cover
 *
 *     c_alpha = -M_alpha,alpha c'_alpha,   c_beta = c'_beta - M_beta,alpha c'_alpha,
 *
 * so path and structural solve stay as they are. Which two phi a sticking contact needs depends on its force,
 * and which phi an open one needs on its slip; both follow from the velocity, which does not depend on the
 * choice. So they are chosen after a first look. */
#include "contact/lloyd/lloyd.h"
#include <math.h>
#include <string.h>

/* The edge of the polygon whose sector holds the force: directions k and k + 1. */
static int sector_of(const abuti_lloyd *l, int contact, double fx, double fy)
{
    int first = l->block[contact], d = l->s->directions[contact], best = 0;
    double most = -INFINITY;
    for (int k = 0; k < d; ++k) {
        int p = first + k, q = first + (k + 1) % d;
        double along = (l->dx[p] + l->dx[q]) * fx + (l->dy[p] + l->dy[q]) * fy;
        if (along > most) {
            most = along;
            best = k;
        }
    }
    return best;
}

static int slowest_direction(const abuti_lloyd *l, int contact)
{
    int first = l->block[contact], best = first;
    double ux = l->point.u[1][contact], uy = l->point.u[2][contact], least = INFINITY;
    for (int p = first; p < first + l->s->directions[contact]; ++p) {
        double along = l->dx[p] * ux + l->dy[p] * uy;
        if (along < least) {
            least = along;
            best = p;
        }
    }
    return best;
}

/* Enters the basis of the states; `sector` holds the first phi of every sticking contact. */
static bool enter_states(abuti_lloyd *l, const abut_contact_face *start, const int *sector)
{
    const abuti_system *s = l->s;
    abuti_lloyd_clear(l);
    if (!abuti_lloyd_start_joints(l)) return false;
    for (int i = 0; i < s->n; ++i) {
        bool friction = abuti_lloyd_has_friction(s, i), open = start[i].state == ABUT_OPEN;
        if (friction && (!open || !l->reduced)) abuti_lloyd_expand(l, i, 1, 1);
        if (!friction || open) continue;
        int d = s->directions[i];
        bool slips = start[i].state == ABUT_SLIDE || start[i].state == ABUT_EDGE || d == 2;
        if (slips) abuti_lloyd_eliminate(l, l->block[i] + start[i].face % d);
    }
    for (int i = 0; i < s->n; ++i) {
        if (start[i].state != ABUT_OPEN) abuti_lloyd_admit(l, i);
    }
    for (int i = 0; i < s->n; ++i) {
        if (start[i].state == ABUT_OPEN || start[i].state == ABUT_SLIDE || !abuti_lloyd_has_friction(s, i))
            continue;
        int d = s->directions[i], first = l->block[i];
        bool sticks = start[i].state == ABUT_STICK && d > 2;
        int k = sticks ? sector[i] : start[i].face % d;
        if (sticks) abuti_lloyd_admit(l, first + k);
        abuti_lloyd_admit(l, first + (k + 1) % d);
    }
    return abuti_lloyd_rebuild(l);
}

/* The cover of the original problem that is c' = [1, 1.5) on the basic variables of the present basis. */
static void pull_back_cover(abuti_lloyd *l, uint32_t seed)
{
    const abuti_system *s = l->s;
    abuti_lloyd_point *e = &l->edge;
    size_t lane_bytes = (size_t)s->lanes * sizeof(double);
    memset(e->theta, 0, lane_bytes);
    memset(e->f[0], 0, lane_bytes);
    memset(e->f[1], 0, lane_bytes);
    memset(e->v, 0, (size_t)(s->bodies + 1) * (size_t)s->stride * sizeof(double));
    for (int p = 0; p < l->pairs; ++p) {
        int i = l->contact[p];
        e->pairs[p] = l->scale * abuti_lloyd_cover_number(seed, 0, p);
        if (!l->basic[p]) continue;
        if (p < s->lanes) e->theta[i] = e->pairs[p];
        e->f[0][i] += l->dx[p] * e->pairs[p];
        e->f[1][i] += l->dy[p] * e->pairs[p];
    }
    abuti_lloyd_add_impulses(l, e->theta, e->f, e->v);
    abuti_lloyd_local_velocity(l, e->v, false, e->u);
    for (int i = 0; i < s->n; ++i) l->cover[i] = (l->basic[i] ? 0 : e->pairs[i]) - e->u[0][i];
    for (int k = 0; k < l->expanded_count; ++k) {
        int i = l->expanded[k], first = l->block[i], cone = abuti_lloyd_cone(l, i);
        double lambda = l->basic[cone] ? e->pairs[cone] : 0, gamma = s->mu[i] * e->theta[i];
        for (int p = first; p < first + s->directions[i]; ++p) {
            double own = l->basic[p] ? 0 : e->pairs[p];
            l->cover[p] = own - (l->dx[p] * e->u[1][i] + l->dy[p] * e->u[2][i] + lambda);
            gamma -= l->basic[p] ? e->pairs[p] : 0;
        }
        l->cover[cone] = (l->basic[cone] ? 0 : e->pairs[cone]) - gamma;
    }
    for (int j = 0; j < s->joints; ++j) {
        double sum = 0;
        for (int side = 0; side < s->sides; ++side) {
            const double *row = s->joint_rows + (size_t)(j * s->sides + side) * (size_t)s->stride;
            const double *v = e->v + (size_t)s->joint_body[side][j] * (size_t)s->stride;
            for (int c = 0; c < s->dim; ++c) sum += row[c] * v[c];
        }
        l->joint_cover[j] = -sum;
    }
    abuti_lloyd_sum_covers(l);
}

bool abuti_lloyd_start_warm(abuti_lloyd *l, const abut_contact_face *start, uint32_t seed)
{
    const abuti_system *s = l->s;
    int *sector = l->ties;
    memset(sector, 0, (size_t)s->n * sizeof *sector);
    if (!enter_states(l, start, sector)) return false;
    abuti_lloyd_vertex(l);
    bool changed = false;
    for (int i = 0; i < s->n; ++i) {
        if (l->block[i] < 0 || start[i].state != ABUT_STICK || s->directions[i] == 2) continue;
        sector[i] = sector_of(l, i, l->point.f[0][i], l->point.f[1][i]);
        changed |= sector[i] != 0;
    }
    if (changed) {
        if (!enter_states(l, start, sector)) return false;
        abuti_lloyd_vertex(l);
    }
    for (int i = 0; i < s->n && !l->reduced; ++i) {
        if (l->block[i] >= 0 && start[i].state == ABUT_OPEN)
            abuti_lloyd_eliminate(l, slowest_direction(l, i));
    }
    pull_back_cover(l, seed);
    return true;
}
