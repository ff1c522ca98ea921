/* Drumwright's Algorithm 2: independent equation rows, joints first.
 *
 * The incremental Cholesky factor of E E' (E: the equation rows) is computed as the R of E = R Q by
 * Gram-Schmidt: the same factor, without squaring the condition of E, so that a row is judged by its own
 * remainder and not by that of its square. Of the rows that are left, the one furthest from those that are
 * kept comes next: two contacts a hair apart are then not asked to carry a moment between them when a
 * third one, far away, can do it with a small force.
 *
 * Points and normals carry noise: of four corners in a plane one lies some nanometres high, and its rows are
 * independent of the others by that much. A row that is independent by a hair could be held only by impulses
 * of the inverse size, and almost always the normals hold what it would hold. So such faint rows are left out
 * at first. The motion is the one nearest to the free motion that satisfies all rows; if the motion without
 * the faint rows satisfies them too, it is the same motion. Where it does not, the row that is violated most
 * is kept after all, whatever impulse that takes. */
#include "contact/normal/normal.h"
#include <math.h>
#include <string.h>

/* An equation whose remainder is below this part of the row depends on the kept ones. Leaving it out moves no
 * velocity by more than this part of it, while keeping it would ask for impulses of the inverse size, whose
 * rounding spoils the dynamics: near 1e-8 both cost the same. */
static const double dependent = 1e-9;
/* An equation whose remainder is below this part of the row is faint: it is kept only when the motion without
 * it violates it. Impulses then are at most of about the inverse size. */
static const double faint = 1e-2;
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
        if (left > most && left > faint * s->E_size[e]) {
            most = left;
            best = e;
        }
    }
    return best;
}

/* The equation becomes a combination of the kept directions and a new one, which is returned. */
static const double *keep(abuti_normal *s, const abuti_system *system, int id)
{
    double *direction = s->Q + (size_t)s->kept * (size_t)s->ld,
           *along = s->R + (size_t)s->kept * (size_t)s->R_ld;
    row_by_id(system, s, id, direction);
    abuti_normal_project(s, direction, along);
    double left = sqrt(abuti_normal_dot(s, direction, direction)), level = -offset_of(system, id);
    for (int k = 0; k < s->kept; ++k) level -= along[k] * s->level[k];
    along[s->kept] = left;
    s->level[s->kept] = level / left;
    s->kept_id[s->kept] = id;
    for (int c = 0; c < s->ld; ++c) direction[c] /= left;
    s->kept++;
    return direction;
}

/* Keeps row e of the list and takes it out of the list. The other rows lose what lies along it. */
static void keep_listed(abuti_normal *s, const abuti_system *system, int e)
{
    const double *direction = keep(s, system, s->E_id[e]);
    const int last = --s->E_count;
    memmove(equation(s, e), equation(s, last), (size_t)s->ld * sizeof(double));
    s->E_size[e] = s->E_size[last];
    s->E_id[e] = s->E_id[last];
    for (e = 0; e < s->E_count; ++e)
        s->kernels->axpy(s->ld, -abuti_normal_dot(s, direction, equation(s, e)), direction, equation(s, e));
}

/* Writes into row[ld] what the kept equations leave of the row of another one, and returns its size. `level` gets the
 * velocity along it that this equation asks for beyond the kept ones. */
static double remainder_of(abuti_normal *s, const abuti_system *system, int id, double *row, double *level)
{
    double *along = s->column;
    row_by_id(system, s, id, row);
    abuti_normal_project(s, row, along);
    *level = -offset_of(system, id);
    for (int k = 0; k < s->kept; ++k) *level -= along[k] * s->level[k];
    return sqrt(abuti_normal_dot(s, row, row));
}

/* Whether what is left in the list agrees: an equation there is faint, or depends on the kept ones and must agree with
 * them. */
static bool agrees(abuti_normal *s, const abuti_system *system)
{
    double *row = s->Q + (size_t)s->dof * (size_t)s->ld, level = 0.0;
    for (int e = 0; e < s->E_count; ++e) {
        double left = sqrt(abuti_normal_dot(s, equation(s, e), equation(s, e)));
        if (left > dependent * s->E_size[e]) {
            s->faint[s->faint_count++] = s->E_id[e];
            continue;
        }
        if (offset_of(system, s->E_id[e]) == 0.0 && !s->moving) continue;
        remainder_of(s, system, s->E_id[e], row, &level);
        if (!(fabs(level) <= agreement * s->scale * fmax(s->E_size[e], 1.0))) return false;
    }
    return true;
}

static abut_outcome keep_independent(abuti_normal *s, const abuti_system *system)
{
    for (int e = most_independent(s); e >= 0; e = most_independent(s)) {
        if (abuti_normal_spent(s)) return ABUT_LIMIT;
        keep_listed(s, system, e);
    }
    bool agree = agrees(s, system);
    s->E_count = 0;
    return agree ? ABUT_SOLVED : ABUT_INFEASIBLE;
}

/* Adds the tangents of the held contacts whose `later` is as given. */
static abut_outcome keep_tangents(abuti_normal *s, const abuti_system *system, bool later)
{
    for (int i = 0; i < system->n; ++i) {
        const int last = system->directions[i] == ABUT_DIRECTIONS_MIN ? ABUTI_TANGENT_X : ABUTI_TANGENT_Y;
        if (!s->held[i] || s->later[i] != later || abuti_is_boxed(system, i)) continue;
        for (int axis = ABUTI_TANGENT_X; axis <= last; ++axis) {
            add_equation(s, system, system->joints + 2 * i + (axis - ABUTI_TANGENT_X));
            s->moving |= system->offset[axis][i] != 0.0;
        }
    }
    return keep_independent(s, system);
}

abut_outcome abuti_normal_equations(abuti_normal *s, const abuti_system *system)
{
    s->kept = s->E_count = s->faint_count = 0;
    s->moving = false;
    for (int j = 0; j < system->joints; ++j) {
        add_equation(s, system, j);
        s->moving |= system->joint_offset[j] != 0.0;
    }
    abut_outcome outcome = keep_independent(s, system);
    if (outcome == ABUT_SOLVED) outcome = keep_tangents(s, system, false);
    if (outcome == ABUT_SOLVED) outcome = keep_tangents(s, system, true);
    return outcome;
}

/* Whether the contact of a tangent equation separates. Where it is glued all the same, its faint rows do not count. */
static bool parts(const abuti_normal *s, const abuti_system *system, int id)
{
    return id >= system->joints && abuti_normal_separates(s, (id - system->joints) / 2);
}

/* The place, in the list, of the faint equation that v violates most, or -1. */
static int most_violated(abuti_normal *s, const abuti_system *system)
{
    double *row = s->Q + (size_t)s->dof * (size_t)s->ld, most = s->violated * s->scale;
    int worst = -1;
    for (int j = 0; j < s->faint_count; ++j) {
        if (parts(s, system, s->faint[j])) continue;
        row_by_id(system, s, s->faint[j], row);
        double size = sqrt(abuti_normal_dot(s, row, row));
        double velocity = fabs(abuti_normal_dot(s, row, s->v) + offset_of(system, s->faint[j]));
        if (!(velocity > most * size)) continue;
        most = velocity / size;
        worst = j;
    }
    return worst;
}

abut_outcome abuti_normal_keep_violated(abuti_normal *s, const abuti_system *system, bool *any)
{
    double *row = s->Q + (size_t)s->dof * (size_t)s->ld, level = 0.0;
    for (int j; (j = most_violated(s, system)) >= 0; *any = true) {
        if (abuti_normal_spent(s)) return ABUT_LIMIT;
        const int id = s->faint[j];
        row_by_id(system, s, id, row);
        double size = sqrt(abuti_normal_dot(s, row, row)), left = remainder_of(s, system, id, row, &level);
        if (s->kept == s->dof || !(left > dependent * size)) return ABUT_INFEASIBLE;
        s->faint[j] = s->faint[--s->faint_count];
        const double *direction = keep(s, system, id);
        s->strict = true;
        s->kernels->axpy(s->ld, s->level[s->kept - 1] - abuti_normal_dot(s, direction, s->v), direction,
                         s->v);
    }
    return ABUT_SOLVED;
}
