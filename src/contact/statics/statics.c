/* Margins, net wrenches and equilibrium of an answer at the acceleration level (abut/statics.h). */
#include "abut/statics.h"
#include "base/length.h"
#include "base/space.h"
#include "contact/statics/wrench.h"
#include "contact/system/models.h"
#include "contact/system/thresholds.h"
#include <math.h>
#include <string.h>

/* Normal forces below this part of the largest one carry nothing, and their cones say nothing. */
#define CARRIES 1e-12

/* ------------------------------------------------------------------------------------------------
 * Cones */

static void find_margins(const abut_contact_problem *problem, const abut_contact_result *result,
                         abut_statics *out)
{
    double largest = 0.0;
    for (int i = 0; i < problem->contact_count; ++i) largest = fmax(largest, result->contacts[i].normal);
    for (int i = 0; i < problem->contact_count; ++i) {
        const abut_contact_answer *a = &result->contacts[i];
        double cone = problem->contacts[i].friction * a->normal,
               force = abuti_length(a->tangent[0], a->tangent[1]);
        bool viscous = abuti_model_of(problem->model)->friction == ABUT_LAW_GIVEN;
        if (out->margin) out->margin[i] = viscous ? NAN : cone - force;
        if (out->used) out->used[i] = !viscous && cone > CARRIES * largest ? force / cone : NAN;
    }
}

/* ------------------------------------------------------------------------------------------------
 * Bodies: what acts on one is added up at its centre of mass */

/* The largest force and moment that act on a dynamic body: rounding is measured against them. */
typedef struct sizes {
    double force, moment;
} sizes;

static void add(const abut_body *body, const double part[6], double sign, double *net, sizes *size)
{
    for (int c = 0; c < 6; ++c) net[c] += sign * part[c];
    for (int c = 0; c < 3 && body->kind == ABUT_DYNAMIC; ++c) {
        size->force = fmax(size->force, fabs(part[c]));
        size->moment = fmax(size->moment, fabs(part[3 + c]));
    }
}

void abuti_contact_wrench(const abut_contact *contact, int side, const abut_contact_answer *a,
                          const double com[3], double out[6])
{
    const double *point = side == 1 && contact->two_points ? contact->second_point : contact->point;
    const double *n = contact->normal;
    double across[3], arm[3], length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]); /* 1 to 1e-6 */
    abuti_v3_cross(across, n, a->axis);
    for (int c = 0; c < 3; ++c) {
        out[c] = (a->normal * n[c] + a->tangent[1] * across[c]) / length + a->tangent[0] * a->axis[c];
        arm[c] = point[c] - com[c];
    }
    abuti_v3_cross(out + 3, arm, out);
}

static sizes add_wrenches(const abut_contact_problem *problem, const abut_contact_result *result, double *net)
{
    sizes size = {0.0, 0.0};
    double part[6];
    memset(net, 0, 6 * (size_t)problem->body_count * sizeof(double));
    for (int b = 0; b < problem->body_count; ++b)
        if (problem->bodies[b].kind == ABUT_DYNAMIC)
            add(&problem->bodies[b], problem->bodies[b].force, 1.0, net + 6 * (size_t)b, &size);
    for (int k = 0; k < 2 * problem->contact_count; ++k) {
        int b = problem->contacts[k / 2].bodies[k % 2];
        if (b < 0) continue;
        abuti_contact_wrench(&problem->contacts[k / 2], k % 2, &result->contacts[k / 2],
                             problem->bodies[b].com, part);
        add(&problem->bodies[b], part, k % 2 ? -1.0 : 1.0, net + 6 * (size_t)b, &size);
    }
    for (int k = 0; k < 2 * problem->joint_count; ++k) {
        int b = problem->joints[k / 2].bodies[k % 2];
        if (b < 0) continue;
        for (int c = 0; c < 6; ++c)
            part[c] = problem->joints[k / 2].jacobian[k % 2][c] * result->joints[k / 2];
        add(&problem->bodies[b], part, 1.0, net + 6 * (size_t)b, &size);
    }
    return size;
}

static void find_wrenches(const abut_contact_problem *problem, const abut_contact_result *result,
                          abut_statics *out)
{
    sizes size = add_wrenches(problem, result, out->net_wrench), net = {0.0, 0.0};
    for (int b = 0; b < problem->body_count; ++b) {
        for (int c = 0; c < 3 && problem->bodies[b].kind == ABUT_DYNAMIC; ++c) {
            net.force = fmax(net.force, fabs(out->net_wrench[6 * (size_t)b + (size_t)c]));
            net.moment = fmax(net.moment, fabs(out->net_wrench[6 * (size_t)b + 3 + (size_t)c]));
        }
    }
    /* Forces through the centre of mass have no moments to measure against, so an arm of a millimetre is taken. */
    out->equilibrium = net.force <= ABUT_STATICS_AT_REST * size.force &&
                       net.moment <= ABUT_STATICS_AT_REST * fmax(size.moment, 1e-3 * size.force);
}

/* ------------------------------------------------------------------------------------------------
 * The other doors */

/* Adds by * row to net, and returns the largest number that was added. */
static double add_row(size_t nv, double by, const double *row, double *net)
{
    double largest = 0.0;
    for (size_t c = 0; c < nv; ++c) {
        net[c] += by * row[c];
        largest = fmax(largest, fabs(by * row[c]));
    }
    return largest;
}

/* force + J' f. */
static void find_generalised(const abut_contact_problem *problem, const abut_contact_result *result,
                             abut_statics *out)
{
    const abut_generalised *g = problem->generalised;
    size_t nv = (size_t)g->nv;
    double most = 0.0, *net = out->net_wrench;
    memset(net, 0, nv * sizeof(double));
    double size = add_row(nv, 1.0, g->force, net);
    for (int i = 0; i < problem->contact_count; ++i) {
        const abut_contact_answer *a = &result->contacts[i];
        size = fmax(size, add_row(nv, a->normal, g->normal_rows + (size_t)i * nv, net));
        for (size_t t = 0; t < 2 && g->tangent_rows; ++t)
            size = fmax(size, add_row(nv, a->tangent[t], g->tangent_rows + (2 * (size_t)i + t) * nv, net));
    }
    for (int j = 0; j < problem->joint_count; ++j)
        size = fmax(size, add_row(nv, result->joints[j], g->joint_rows + (size_t)j * nv, net));
    for (size_t c = 0; c < nv; ++c) most = fmax(most, fabs(net[c]));
    out->equilibrium = most <= ABUT_STATICS_AT_REST * size;
}

static void find_local(const abut_contact_problem *problem, const abut_contact_result *result,
                       abut_statics *out)
{
    const abut_local *local = problem->local;
    double most = 0.0, size = 0.0;
    for (int i = 0; i < local->dimension * problem->contact_count; ++i) size = fmax(size, fabs(local->q[i]));
    for (int i = 0; i < problem->contact_count; ++i)
        for (int c = 0; c < local->dimension; ++c) most = fmax(most, fabs(result->contacts[i].velocity[c]));
    out->equilibrium = most <= ABUT_STATICS_AT_REST * size;
}

abut_status abut_statics_find(const abut_contact_problem *problem, const abut_contact_result *result,
                              abut_statics *statics)
{
    if (!problem || !result || !statics || !abuti_countable(problem) ||
        (problem->contact_count > 0 && !result->contacts))
        return ABUT_INVALID_ARGUMENT;
    const abut_model_info *model = abut_contact_model_info(problem->model);
    if (!model || !model->acceleration) return ABUT_UNSUPPORTED;
    if (problem->generalised && problem->generalised->block_count > 0) return ABUT_UNSUPPORTED;
    if ((problem->joint_count > 0 && !result->joints) || (!problem->local && !statics->net_wrench))
        return ABUT_INVALID_ARGUMENT;
    find_margins(problem, result, statics);
    if (problem->local)
        find_local(problem, result, statics);
    else if (problem->generalised)
        find_generalised(problem, result, statics);
    else
        find_wrenches(problem, result, statics);
    return ABUT_OK;
}
