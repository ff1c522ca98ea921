/* The crash basis of a fresh manifold.
 *
 * When a body has come to lie on another, the contacts between them are new, among others whose states are known from
 * the last step. The worst guess is that all new contacts are open, for the two bodies would fall through each other.
 * A better guess holds the bodies to each other with as many rows as there are motions between them, and no more: of
 * the contacts at which the bodies would approach without any impulse, the first sticks (three rows), the last is on an
 * edge (two), and the second slides (one). Vertex and edge oppose the slip that the bodies would have without any
 * impulse. All other contacts stay open. */
#include "contact/system/crash.h"
#include "contact/system/classify.h"

/* u along an axis if no impulse acted. */
static double free_velocity(const abuti_system *s, int axis, int lane)
{
    double sum = s->offset[axis][lane];
    for (int side = 0; side < s->sides; ++side) {
        const double *k = s->k + (size_t)s->body[side][lane] * (size_t)s->stride;
        for (int c = 0; c < s->dim; ++c) sum += abuti_row(s, axis, side, c)[lane] * k[c];
    }
    return sum;
}

/* Friction against the slip that there would be. */
static abut_contact_face sliding(const abuti_system *s, int lane)
{
    const double slip[2] = {free_velocity(s, ABUTI_TANGENT_X, lane), free_velocity(s, ABUTI_TANGENT_Y, lane)};
    return (abut_contact_face){.state = ABUT_SLIDE,
                               .face = (uint8_t)abuti_opposing(s->directions[lane], slip)};
}

/* In the plane there is no edge: one that sticks and one that slides hold all three motions. */
static abut_contact_face on_edge(const abuti_system *s, int lane)
{
    abut_contact_face face = sliding(s, lane);
    if (s->directions[lane] > ABUT_DIRECTIONS_MIN) face.state = ABUT_EDGE;
    return face;
}

static void crash_manifold(const abuti_system *s, int begin, int end, abut_contact_face *start)
{
    int first = -1, second = -1, last = -1;
    for (int i = begin; i < end; ++i) {
        if (!(free_velocity(s, ABUTI_NORMAL, i) < 0.0)) continue;
        if (first < 0) {
            first = i;
        } else if (second < 0) {
            second = i;
        }
        last = i;
    }
    if (first < 0) return;
    start[first] = (abut_contact_face){.state = ABUT_STICK};
    if (second >= 0 && second != last) start[second] = sliding(s, second);
    if (last != first) start[last] = on_edge(s, last);
}

static bool same_bodies(const abuti_system *s, int a, int b)
{
    return s->body[0][a] == s->body[0][b] && (s->sides == 1 || s->body[1][a] == s->body[1][b]);
}

void abuti_crash(const abuti_system *s, const bool *fresh, abut_contact_face *start)
{
    for (int begin = 0, end; begin < s->n; begin = end) {
        bool all_fresh = true;
        for (end = begin; end < s->n && same_bodies(s, begin, end); ++end)
            all_fresh = all_fresh && fresh[end];
        if (all_fresh) crash_manifold(s, begin, end, start);
    }
}
