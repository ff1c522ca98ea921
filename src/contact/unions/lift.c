/* Between physical answers and the z of the published LCPs: the public face of unions/lcp.c. */
#include "abut/union.h"
#include "contact/system/models.h"
#include "contact/system/system.h"
#include "contact/system/thresholds.h"
#include "contact/unions/lcp.h"
#include <math.h>
#include <string.h>

bool abuti_union_has_lcp(const abut_contact_problem *problem)
{
    const abut_model_info *model = abuti_model_of(problem->model);
    return model->unions && model->friction != ABUT_LAW_HELD;
}

abut_status abut_union_lcp_size(const abut_contact_problem *problem, const abut_contact_options *options,
                                abut_union_size *size)
{
    if (!problem || !options || !size || !abuti_countable(problem)) return ABUT_INVALID_ARGUMENT;
    if (!abuti_union_has_lcp(problem)) return ABUT_UNSUPPORTED;
    abuti_union_shape s =
        abuti_union_shape_of(problem, options->unions.rule == ABUT_UNION_SUM ? ABUTI_LCP_SUM : ABUTI_LCP_MAX);
    *size =
        (abut_union_size){.sides = s.y, .groups = s.g, .ordinary = s.x, .joints = s.joints, .rows = s.rows};
    return ABUT_OK;
}

/* The place of one contact. Places are found one by one here, because these calls have no workspace. */
static abuti_union_place place_of(const abut_contact_problem *problem, const abuti_union_shape *shape,
                                  int contact)
{
    abuti_union_place place = {.group = -1, .direction = shape->direction};
    bool side = problem->contacts[contact].group > 0;
    for (int i = 0; i < problem->contact_count; ++i) {
        bool other = problem->contacts[i].group > 0;
        bool earlier = other == side ? i < contact : other;
        if (!earlier) continue;
        int d = problem->contacts[i].directions;
        place.number++;
        place.direction += d ? d : ABUT_DIRECTIONS_DEFAULT;
    }
    for (int i = 0; i <= contact && side; ++i) { /* groups that begin up to the first side of its own */
        if (problem->contacts[i].group <= 0) continue;
        bool begins = true;
        for (int j = 0; j < i; ++j) begins &= problem->contacts[j].group != problem->contacts[i].group;
        place.group += begins;
        if (problem->contacts[i].group == problem->contacts[contact].group) break;
    }
    return place;
}

/* The friction impulse as a sum of the two directions between which it lies. */
static void lift_friction(const abut_contact_answer *answer, int d, double *z)
{
    double x = answer->tangent[0], y = answer->tangent[1];
    for (int j = 0; j < d; ++j) z[j] = 0.0;
    if (d == ABUT_DIRECTIONS_MIN) {
        z[x >= 0.0 ? 0 : 1] = fabs(x);
        return;
    }
    if (x == 0.0 && y == 0.0) return;
    int best = 0;
    double least = -INFINITY;
    for (int j = 0; j < d; ++j) { /* both coordinates are nonnegative in the right pair only */
        const double *a = abuti_direction(d, j), *c = abuti_direction(d, (j + 1) % d);
        double det = a[0] * c[1] - a[1] * c[0];
        double first = (x * c[1] - y * c[0]) / det, second = (a[0] * y - a[1] * x) / det;
        if (fmin(first, second) > least) {
            least = fmin(first, second);
            best = j;
        }
    }
    const double *a = abuti_direction(d, best), *c = abuti_direction(d, (best + 1) % d);
    double det = a[0] * c[1] - a[1] * c[0];
    z[best] = fmax(0.0, (x * c[1] - y * c[0]) / det);
    z[(best + 1) % d] = fmax(0.0, (a[0] * y - a[1] * x) / det);
}

/* c, d, g, h of the max formulation: (13) to (19) solved for them. */
static void lift_max(const abut_contact_problem *problem, const abuti_union_shape *s, double gamma,
                     const abut_contact_answer *contacts, double *z)
{
    for (int i = 0; i < problem->contact_count; ++i) {
        if (problem->contacts[i].group <= 0) continue;
        abuti_union_place at = place_of(problem, s, i);
        double a = contacts[i].gap_velocity, most = a;
        int where = i;
        for (int j = problem->contact_count - 1; j >= 0; --j) {
            if (problem->contacts[j].group != problem->contacts[i].group) continue;
            if (contacts[j].gap_velocity >= most) where = j;
            most = fmax(most, contacts[j].gap_velocity);
        }
        z[s->c + at.number] = fmax(0.0, 1.0 - a);
        z[s->h + at.number] = fmax(0.0, -a);
        z[s->pick + at.number] = where == i ? 1.0 : 0.0;
        z[s->d + at.group] = gamma - fmax(0.0, 1.0 - most);
    }
}

abut_status abut_union_lift(const abut_contact_problem *problem, const abut_contact_options *options,
                            double constant, const abut_contact_answer *contacts, const double *joints,
                            double *z)
{
    if (!problem || !options || !contacts || !z || !abuti_countable(problem) ||
        (problem->joint_count > 0 && !joints))
        return ABUT_INVALID_ARGUMENT;
    if (!abuti_union_has_lcp(problem)) return ABUT_UNSUPPORTED;
    bool sum = options->unions.rule == ABUT_UNION_SUM;
    if (!(constant > (sum ? 0.0 : 1.0))) return ABUT_INVALID_ARGUMENT;
    abuti_union_shape s = abuti_union_shape_of(problem, sum ? ABUTI_LCP_SUM : ABUTI_LCP_MAX);
    memset(z, 0, (size_t)s.rows * sizeof(double));
    if (!sum) lift_max(problem, &s, constant, contacts, z);
    for (int i = 0; i < problem->contact_count; ++i) {
        const abut_contact *contact = &problem->contacts[i];
        abuti_union_place at = place_of(problem, &s, i);
        if (sum && at.group >= 0) z[s.c + at.number] = fmax(-constant, contacts[i].gap_velocity) + constant;
        z[s.normal + at.number] = contacts[i].normal;
        if (!s.friction) continue;
        int d = contact->directions ? contact->directions : ABUT_DIRECTIONS_DEFAULT;
        lift_friction(&contacts[i], d, z + at.direction);
        z[s.slip + at.number] = contacts[i].slip;
    }
    for (int j = 0; j < problem->joint_count; ++j) z[s.free + j] = joints[j];
    return ABUT_OK;
}

abut_status abut_union_unlift(const abut_contact_problem *problem, const abut_contact_options *options,
                              const double *z, double *impulses, double *joints)
{
    if (!problem || !options || !z || !impulses || !abuti_countable(problem) ||
        (problem->joint_count > 0 && !joints))
        return ABUT_INVALID_ARGUMENT;
    if (!abuti_union_has_lcp(problem)) return ABUT_UNSUPPORTED;
    abuti_union_shape s =
        abuti_union_shape_of(problem, options->unions.rule == ABUT_UNION_SUM ? ABUTI_LCP_SUM : ABUTI_LCP_MAX);
    for (int i = 0; i < problem->contact_count; ++i) {
        abuti_union_place at = place_of(problem, &s, i);
        abuti_union_gather(problem, &s, i, at, z, impulses + 3 * (size_t)i);
    }
    for (int j = 0; j < problem->joint_count; ++j) joints[j] = z[s.free + j];
    return ABUT_OK;
}
