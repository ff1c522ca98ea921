/* placeholder */
#include "collide/axis.h"
#include "collide/gjk.h"
void abuti_axis_of_round(const abuti_core *a, const abuti_core *b, const abuti_relative *rel,
                         abuti_axis *axis)
{
    abuti_gjk g;
    abuti_gjk_run(a, b, rel, &g);
    axis->kind = ABUTI_AXIS_POINTS;
    axis->feature_a = axis->feature_b = -1;
    axis->gap = g.distance;
    abuti_v3_copy(axis->normal, g.normal);
    abuti_v3_copy(axis->a, g.a);
    abuti_v3_copy(axis->b, g.b);
}
