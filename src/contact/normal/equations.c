/* Drumwright's Algorithm 2: independent equation rows, joints first.
 *
 * The incremental Cholesky factor of E E' (E: the equation rows) is computed as the R of E = R Q by
 * Gram-Schmidt: the same factor, without squaring the condition of E, so that a row is judged by its own
 * remainder and not by that of its square. Of the rows that are left, the one furthest from those that are
 * kept comes next: two contacts a hair apart are then not asked to carry a moment between them when a
 * third one, far away, can do it with a small force. Which rows are kept changes only which impulses are
 * reported, never the motion. */
#include "contact/normal/normal.h"
#include <math.h>
#include <string.h>

/* An equation whose remainder is below this part of the row depends on the kept ones. Leaving it out moves no
 * velocity by more than this part of it, while keeping it would ask for impulses of the inverse size, whose
 * rounding spoils the dynamics: near 1e-8 both cost the same. */
static const double dependent = 1e-9;
/* A dependent equation must agree with the kept ones up to this part of the largest velocity. */
static const double agreement = 1e-9;

static double *equation(const abuti_normal *s, int e)
{
    return s->E + (size_t)e * (size_t)s->ld;
}

static double offset_of(const abuti_system *system, int id)
{
    const int tangent = id - system->joints;
    return tangent < 0 ? system->joint_offset[id]
                       : system->offset[ABUTI_TANGENT_X + tangent % 2][tangent / 2];
}

/* The row of an equation, as the system has it. */
static void row_by_id(const abuti_system *system, const abuti_normal *s, int id, double *out)
{
    const int tangent = id - system->joints;
    if (tangent < 0)
        abuti_normal_joint_row(s, system, id, out);
    else
        abuti_normal_contact_row(s, system, tangent / 2, ABUTI_TANGENT_X + tangent % 2, out);
}

static void add_equation(abuti_normal *s, const abuti_system *system, int id)
{
    const int e = s->E_count++;
    row_by_id(system, s, id, equation(s, e));
    s->E_size[e] = sqrt(abuti_normal_dot(s, equation(s, e), equation(s, e)));
    s->E_id[e] = id;
    /* Rows that came before have directions already. */
    for (int k = 0; k < s->kept; ++k) {
        const double *direction = s->Q + (size_t)k * (size_t)s->ld;
        s->kernels->axpy(s->ld, -abuti_normal_dot(s, direction, equation(s, e)), direction, equation(s, e));
    }
}

/* The equation that is furthest from the kept ones, or -1 when all that are left depend on them. */
static int most_independent(const abuti_normal *s)
{
    int best = -1;
    double most = 0.0;
    for (int e = 0; e < s->E_count && s->kept < s->dof; ++e) {
        double left = sqrt(abuti_normal_dot(s, equation(s, e), equation(s, e)));
        if (left > most && left > dependent * s->E_size[e]) {
            most = left;
            best = e;
        }
    }
    return best;
}

/* Row e becomes a combination of the kept directions and a new one, and leaves the list. */
static void keep(abuti_normal *s, const abuti_system *system, int e)
{
    double *direction = s->Q + (size_t)s->kept * (size_t)s->ld,
           *along = s->R + (size_t)s->kept * (size_t)s->R_ld;
    row_by_id(system, s, s->E_id[e], direction);
    abuti_normal_project(s, direction, along);
    double left = sqrt(abuti_normal_dot(s, direction, direction)), level = -offset_of(system, s->E_id[e]);
    for (int k = 0; k < s->kept; ++k) level -= along[k] * s->level[k];
    along[s->kept] = left;
    s->level[s->kept] = level / left;
    s->kept_id[s->kept] = s->E_id[e];
    for (int c = 0; c < s->ld; ++c) direction[c] /= left;
    s->kept++;
    const int last = --s->E_count;
    memmove(equation(s, e), equation(s, last), (size_t)s->ld * sizeof(double));
    s->E_size[e] = s->E_size[last];
    s->E_id[e] = s->E_id[last];
    for (e = 0; e < s->E_count; ++e)
        s->kernels->axpy(s->ld, -abuti_normal_dot(s, direction, equation(s, e)), direction, equation(s, e));
}

/* What is left depends on the kept equations and must agree with them. */
static bool agrees(abuti_normal *s, const abuti_system *system, double scale)
{
    double *row = s->Q + (size_t)s->dof * (size_t)s->ld, *along = s->column;
    for (int e = 0; e < s->E_count; ++e) {
        double level = -offset_of(system, s->E_id[e]);
        if (level == 0.0 && !s->moving) continue;
        row_by_id(system, s, s->E_id[e], row);
        abuti_normal_project(s, row, along);
        for (int k = 0; k < s->kept; ++k) level -= along[k] * s->level[k];
        if (!(fabs(level) <= agreement * scale * fmax(s->E_size[e], 1.0))) return false;
    }
    return true;
}

static bool keep_independent(abuti_normal *s, const abuti_system *system, double scale)
{
    for (int e = most_independent(s); e >= 0; e = most_independent(s)) keep(s, system, e);
    bool agree = agrees(s, system, scale);
    s->E_count = 0;
    return agree;
}

bool abuti_normal_equations(abuti_normal *s, const abuti_system *system, double scale)
{
    s->kept = s->E_count = 0;
    s->moving = false;
    for (int j = 0; j < system->joints; ++j) {
        add_equation(s, system, j);
        s->moving |= system->joint_offset[j] != 0.0;
    }
    if (!keep_independent(s, system, scale)) return false;
    for (int i = 0; i < system->n; ++i) {
        const int last = system->directions[i] == ABUT_DIRECTIONS_MIN ? ABUTI_TANGENT_X : ABUTI_TANGENT_Y;
        for (int axis = ABUTI_TANGENT_X; axis <= last && s->held[i]; ++axis) {
            add_equation(s, system, system->joints + 2 * i + (axis - ABUTI_TANGENT_X));
            s->moving |= system->offset[axis][i] != 0.0;
        }
    }
    return keep_independent(s, system, scale);
}
