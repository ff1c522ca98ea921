/* What all forces that hold everything at rest have in common (abut/statics.h): the equations of the three
 * doors as a cone program (program.h). */
#include "abut/statics.h"
#include "contact/statics/program.h"
#include "contact/statics/wrench.h"
#include "contact/system/models.h"
#include <math.h>

/* The search for the least share of friction ends when it is known to so much, or after so many programs. */
#define SAME_SHARE 1e-10
enum { PROGRAMS_MAX = 100 };
/* Where so many times the given friction does not help, no friction does. */
#define SHARE_MAX 1e6

static int dynamic_bodies(const abut_contact_problem *problem, int before)
{
    int count = 0;
    for (int b = 0; b < before; ++b) count += problem->bodies[b].kind == ABUT_DYNAMIC;
    return count;
}

static int rows_of(const abut_contact_problem *problem)
{
    if (problem->local) return problem->local->dimension * problem->contact_count + problem->joint_count;
    if (problem->generalised) return problem->generalised->nv;
    return 6 * dynamic_bodies(problem, problem->body_count);
}

static bool is_too_large(const abut_contact_problem *problem)
{
    return problem->contact_count > ABUT_STATICS_CONTACTS_MAX || rows_of(problem) > ABUT_STATICS_ROWS_MAX;
}

size_t abut_statics_ranges_size(const abut_contact_problem *problem)
{
    if (!problem || is_too_large(problem)) return 0;
    return abuti_statics_program_size(rows_of(problem), problem->contact_count, problem->joint_count);
}

/* Row a of J as a vector of the program. */
static double *vector_of(const abuti_statics_program *p, int k)
{
    return p->columns + (size_t)k * (size_t)p->rows;
}

static void load_bodies(abuti_statics_program *p, const abut_contact_problem *problem,
                        const abut_contact_result *result)
{
    for (int b = 0, row = 0; b < problem->body_count; ++b) {
        if (problem->bodies[b].kind != ABUT_DYNAMIC) continue;
        for (int c = 0; c < 6; ++c) p->load[row++] = -problem->bodies[b].force[c];
    }
    for (int k = 0; k < 2 * problem->contact_count; ++k) {
        const abut_contact *contact = &problem->contacts[k / 2];
        int b = contact->bodies[k % 2];
        if (b < 0 || problem->bodies[b].kind != ABUT_DYNAMIC) continue;
        int row = 6 * dynamic_bodies(problem, b),
            tangents = contact->directions == ABUT_DIRECTIONS_MIN ? 1 : 2;
        for (int axis = 0; axis <= tangents; ++axis) {
            abut_contact_answer unit = {.normal = axis == 0, .tangent = {axis == 1, axis == 2}};
            for (int c = 0; c < 3; ++c) unit.axis[c] = result->contacts[k / 2].axis[c];
            double wrench[6];
            abuti_contact_wrench(contact, k % 2, &unit, problem->bodies[b].com, wrench);
            double *to = vector_of(p, 3 * (k / 2) + axis) + row;
            for (int c = 0; c < 6; ++c) to[c] += k % 2 ? -wrench[c] : wrench[c];
        }
    }
    for (int k = 0; k < 2 * problem->joint_count; ++k) {
        const abut_joint *joint = &problem->joints[k / 2];
        int b = joint->bodies[k % 2];
        if (b < 0 || problem->bodies[b].kind != ABUT_DYNAMIC) continue;
        double *to = vector_of(p, 3 * p->contacts + k / 2) + 6 * dynamic_bodies(problem, b);
        for (int c = 0; c < 6; ++c) to[c] += joint->jacobian[k % 2][c];
    }
}

static void load_generalised(abuti_statics_program *p, const abut_contact_problem *problem)
{
    const abut_generalised *g = problem->generalised;
    size_t nv = (size_t)g->nv;
    for (size_t c = 0; c < nv; ++c) {
        p->load[c] = -g->force[c];
        for (int i = 0; i < p->contacts; ++i) {
            int tangents = problem->contacts[i].directions == ABUT_DIRECTIONS_MIN ? 1 : 2;
            vector_of(p, 3 * i)[c] = g->normal_rows[(size_t)i * nv + c];
            for (int t = 0; t < tangents && g->tangent_rows; ++t)
                vector_of(p, 3 * i + 1 + t)[c] = g->tangent_rows[(size_t)(2 * i + t) * nv + c];
        }
        for (int j = 0; j < p->joints; ++j)
            vector_of(p, 3 * p->contacts + j)[c] = g->joint_rows[(size_t)j * nv + c];
    }
}

/* No acceleration at any contact: W f = -q. */
static void load_local(abuti_statics_program *p, const abut_contact_problem *problem)
{
    const abut_local *local = problem->local;
    size_t rows = (size_t)p->rows, contact_rows = (size_t)(local->dimension * p->contacts);
    for (size_t r = 0; r < rows; ++r) {
        p->load[r] = -local->q[r];
        for (size_t k = 0; k < rows; ++k) {
            size_t dimension = (size_t)local->dimension;
            size_t vector = k < contact_rows ? 3 * (k / dimension) + k % dimension
                                             : 3 * (size_t)p->contacts + k - contact_rows;
            vector_of(p, (int)vector)[r] = local->W[r * rows + k];
        }
    }
}

/* The least share of friction with which forces exist lies between one that is proven too small and one that
 * is enough. A proof says how much friction it takes at least, which mostly is the answer; else the middle is
 * tried. NaN: no share was enough, and some of them were not proven too small. */
static double find_share(abuti_statics_program *p)
{
    double low = 0.0, high = INFINITY;
    bool doubtful = false;
    p->share = 0.0;
    for (int k = 0; k < PROGRAMS_MAX && high - low > SAME_SHARE * fmax(1.0, low); ++k) {
        abuti_statics_end end = abuti_statics_feasible(p);
        double proven = end == ABUTI_STATICS_NONE ? abuti_statics_next_share(p) : 0.0;
        if (end == ABUTI_STATICS_FOUND)
            high = p->share;
        else
            low = p->share;
        doubtful = doubtful || end == ABUTI_STATICS_OPEN;
        double middle = high < INFINITY ? 0.5 * (low + high) : fmax(1.0, 2.0 * low);
        bool leaps = proven > low + 0.1 * (middle - low) && proven < high;
        p->share = leaps ? proven : middle;
        if (p->share > SHARE_MAX) return doubtful ? NAN : INFINITY;
    }
    return high;
}

/* Starts from the last point. Where that leads nowhere, or off to infinity, the next call begins with a fresh one. */
static double extreme(abuti_statics_program *p, int contact, double sign)
{
    double force = NAN;
    for (int attempt = 0; attempt < 2; ++attempt) {
        abuti_statics_end end = abuti_statics_extreme(p, contact, sign, &force);
        if (end == ABUTI_STATICS_FOUND) return force;
        if (abuti_statics_feasible(p) != ABUTI_STATICS_FOUND) return NAN;
        if (end == ABUTI_STATICS_UNBOUNDED) return INFINITY;
    }
    return NAN;
}

static void find_ranges(abuti_statics_program *p, abut_statics_ranges *out)
{
    out->possible = abuti_statics_feasible(p) == ABUTI_STATICS_FOUND;
    for (int i = 0; i < p->contacts && out->least; ++i)
        out->least[i] = out->possible ? extreme(p, i, -1.0) : NAN;
    for (int i = 0; i < p->contacts && out->most; ++i)
        out->most[i] = out->possible ? extreme(p, i, 1.0) : NAN;
}

/* For the ranges, cones are made wider by this part, so that forces that use all of their friction are not lost to
 * rounding. */
#define WIDER 1e-8

/* Whether the problem has blocks, or rows whose forces have bounds: the program knows neither. */
static bool gives_way(const abut_contact_problem *problem)
{
    for (int i = 0; i < problem->joint_count; ++i)
        if (problem->joints[i].bounded) return true;
    return problem->generalised && problem->generalised->block_count > 0;
}

abut_status abut_statics_find_ranges(const abut_contact_problem *problem, const abut_contact_result *result,
                                     double *scratch, abut_statics_ranges *ranges)
{
    if (!problem || !result || !ranges || !scratch || (problem->contact_count > 0 && !result->contacts))
        return ABUT_INVALID_ARGUMENT;
    if (!abuti_is_coulomb_accel(problem->model) || gives_way(problem)) return ABUT_UNSUPPORTED;
    if (is_too_large(problem)) return ABUT_TOO_LARGE;
    abuti_statics_program p =
        abuti_statics_program_make(rows_of(problem), problem->contact_count, problem->joint_count, scratch);
    for (int i = 0; i < p.contacts; ++i) p.mu[i] = problem->contacts[i].friction;
    if (problem->local)
        load_local(&p, problem);
    else if (problem->generalised)
        load_generalised(&p, problem);
    else
        load_bodies(&p, problem, result);
    abuti_statics_program_scale(&p);
    ranges->used = find_share(&p);
    p.share = 1.0 + WIDER;
    find_ranges(&p, ranges);
    return ABUT_OK;
}
