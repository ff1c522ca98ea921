/* Which of several directions that part two round cores equally well is taken (axis.h).
 *
 * Round cores that are deep in each other, and centred, square to each other or mirror images, have several best
 * directions, an arc or a whole circle of them. At which of these a search ends is rounding. So the axes of both cores
 * are looked at, and images of the direction that was found: turned about these axes, mirrored at their planes, and with
 * axes exchanged. Of those that are equally good one is taken that depends on the shapes alone. */
#include "collide/axis.h"

/* Directions that lean from a plane of a core by less than this sine may lie in it: where the gap is flat there, to
 * higher order than the second, rounding has moved them out of it. */
#define FLAT 1e-4
/* Components of directions that differ by less are equal. */
#define SAME 1e-6
/* Directions that lean from an axis by less than this sine have no circle about it. */
#define NARROW 1e-3
/* Images of images: by symmetries of one core, and then of the other. */
enum { ROUNDS = 4 };

typedef struct equals {
    const abuti_core *a, *b;
    const abuti_relative *rel;
    double least; /* a direction with this gap is as good */
    double axes[6][3];
} equals;

static bool as_good(const equals *e, const double n[3])
{
    return abuti_gap_along(e->a, e->b, e->rel, n) >= e->least;
}

bool abuti_direction_before(const double n[3], const double other[3])
{
    for (int k = 0; k < 3; ++k) {
        if (fabs(n[k] - other[k]) > SAME) return n[k] > other[k];
    }
    return false;
}

/* Moves the direction into the planes across the axes that it nearly lies in. */
static void flatten(const equals *e, double n[3])
{
    for (int k = 0; k < 6; ++k) {
        double out = abuti_v3_dot(n, e->axes[k]), m[3];
        if (fabs(out) > FLAT) continue;
        abuti_v3_add_scaled(m, n, -out, e->axes[k]);
        abuti_v3_normalise(m);
        if (as_good(e, m)) abuti_v3_copy(n, m);
    }
}

/* Where all directions that lean as much from an axis are as good, the one towards the next axis is taken. */
static bool take_of_circle(const equals *e, double n[3])
{
    static const double turns[4][2] = {{1, 0}, {0.6, 0.8}, {-0.8, 0.6}, {-0.28, -0.96}};
    for (int k = 0; k < 6; ++k) {
        const double *axis = e->axes[k], *u = e->axes[k / 3 * 3 + (k + 1) % 3],
                     *v = e->axes[k / 3 * 3 + (k + 2) % 3];
        double along = abuti_v3_dot(n, axis), out = sqrt(fmax((1 - along) * (1 + along), 0)), m[3];
        bool circle = out > NARROW;
        for (int i = 3; i >= 0 && circle; --i) {
            for (int c = 0; c < 3; ++c)
                m[c] = along * axis[c] + out * (turns[i][0] * u[c] + turns[i][1] * v[c]);
            circle = as_good(e, m);
        }
        if (!circle) continue;
        abuti_v3_copy(n, m);
        abuti_v3_normalise(n);
        return true;
    }
    return false;
}

/* Takes the first of the axes that are as good, in either direction. */
static bool take_of_axes(const equals *e, double n[3])
{
    for (int k = 0; k < 12; ++k) {
        double m[3];
        abuti_v3_scale(m, k % 2 ? -1 : 1, e->axes[k / 2]);
        if (!as_good(e, m)) continue;
        abuti_v3_copy(n, m);
        return true;
    }
    return false;
}

/* Takes the first of the images by the symmetries of a cube along the axes of one core; true when it was another. */
static bool take_of_images(const equals *e, const double (*axes)[3], double n[3])
{
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    double best[3], along[3];
    abuti_v3_copy(best, n);
    for (int k = 0; k < 3; ++k) along[k] = abuti_v3_dot(n, axes[k]);
    for (int image = 1; image < 48; ++image) {
        double m[3] = {0, 0, 0};
        for (int k = 0; k < 3; ++k) {
            double part = along[orders[image / 8][k]];
            abuti_v3_add_scaled(m, m, image >> k & 1 ? -part : part, axes[k]);
        }
        if (abuti_direction_before(m, best) && as_good(e, m)) abuti_v3_copy(best, m);
    }
    bool other = abuti_direction_before(best, n);
    abuti_v3_copy(n, best);
    return other;
}

void abuti_axis_among_equals(const abuti_core *a, const abuti_core *b, const abuti_relative *rel,
                             double slack, abuti_axis *axis)
{
    equals e = {.a = a, .b = b, .rel = rel, .least = axis->gap - slack};
    double n[3];
    for (int k = 0; k < 3; ++k) {
        e.axes[k][k] = 1;
        abuti_v3_set(e.axes[3 + k], rel->R[k], rel->R[3 + k], rel->R[6 + k]);
    }
    abuti_v3_copy(n, axis->normal);
    flatten(&e, n);
    bool other = !take_of_axes(&e, n) && !take_of_circle(&e, n);
    for (int round = 0; round < ROUNDS && other; ++round) {
        other = take_of_images(&e, (const double(*)[3])e.axes, n);
        other = take_of_images(&e, (const double(*)[3])(e.axes + 3), n) || other;
    }
    abuti_v3_normalise(n);
    abuti_v3_copy(axis->normal, n);
    axis->gap = abuti_gap_along(a, b, rel, n);
}
