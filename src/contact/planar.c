/* From two polygons in the plane to contacts and unions (abut/planar.h). Proximity only: which faces a vertex
 * may meet within `reach`, and what stands between them. */
#include "abut/planar.h"
#include <float.h>
#include <math.h>

typedef struct point {
    double x, y;
} point;

/* A face of a counterclockwise polygon: from vertex i to i + 1, with the outward normal. */
typedef struct face {
    point from, to, normal;
    double length;
} face;

static point vertex(const abut_polygon *p, int i)
{
    int k = (i % p->count + p->count) % p->count;
    return (point){p->at[k][0], p->at[k][1]};
}

static face face_of(const abut_polygon *p, int i)
{
    face f = {.from = vertex(p, i), .to = vertex(p, i + 1)};
    double x = f.to.x - f.from.x, y = f.to.y - f.from.y;
    f.length = hypot(x, y);
    f.normal = (point){y / f.length, -x / f.length};
    return f;
}

/* Signed distance of a point from a face's line, and its place along the face (0 .. length). */
static double distance(const face *f, point p)
{
    return (p.x - f->from.x) * f->normal.x + (p.y - f->from.y) * f->normal.y;
}

static double along(const face *f, point p)
{
    return ((p.x - f->from.x) * (f->to.x - f->from.x) + (p.y - f->from.y) * (f->to.y - f->from.y)) /
           f->length;
}

/* Distance of a point from the face itself. */
static double distance_to_segment(const face *f, point p)
{
    double t = along(f, p), over = t < 0.0 ? -t : t > f->length ? t - f->length : 0.0;
    return hypot(distance(f, p), over);
}

/* Whether the corner between face i - 1 and face i juts out. */
static bool juts_out(const abut_polygon *p, int i)
{
    face a = face_of(p, i - 1), b = face_of(p, i);
    return a.normal.x * b.normal.y - a.normal.y * b.normal.x > 0.0;
}

typedef struct output {
    const abut_planar_options *options;
    abut_contact *contacts;
    int capacity, count;
} output;

static void add(output *out, point at, point normal, double gap, int group, uint64_t key)
{
    if (out->count < out->capacity) {
        out->contacts[out->count] =
            (abut_contact){.bodies = {out->options->bodies[0], out->options->bodies[1]},
                           .point = {at.x, at.y, 0.0},
                           .normal = {normal.x, normal.y, 0.0},
                           .tangent = {-normal.y, normal.x, 0.0},
                           .friction = out->options->friction,
                           .directions = ABUT_DIRECTIONS_MIN,
                           .gap = gap,
                           .group = group,
                           .key = key};
    }
    out->count++;
}

static uint64_t key_of(int kind, int vertex_index, int face_index)
{
    return 1u + (uint64_t)kind + 2u * ((uint64_t)vertex_index + ((uint64_t)face_index << 24));
}

/* How many faces after `i` (direction +1 or -1) belong to its union: across corners that jut out, while the
 * vertex, or a face shorter than `reach`, is near the corner. */
static int sides_beyond(const abut_polygon *obstacle, int i, int step, point p, double reach)
{
    int beyond = 0;
    while (beyond + 1 < obstacle->count) {
        int corner = step > 0 ? i + beyond + 1 : i - beyond;
        point at = vertex(obstacle, corner);
        if (!juts_out(obstacle, corner) || !(hypot(p.x - at.x, p.y - at.y) <= reach)) break;
        ++beyond;
    }
    return beyond;
}

/* All that one vertex of the body meets. A union is written once, at its first near face. */
static void vertex_contacts(const abut_polygon *obstacle, int index, point p, output *out, int *group)
{
    double reach = out->options->reach;
    int skip_until = -1, first_skipped = obstacle->count;
    for (int i = 0; i < obstacle->count; ++i) {
        face f = face_of(obstacle, i);
        if (i <= skip_until || i >= first_skipped) continue;
        if (!(distance_to_segment(&f, p) <= reach)) continue;
        int back = out->options->convex ? 0 : sides_beyond(obstacle, i, -1, p, reach);
        int ahead = out->options->convex ? 0 : sides_beyond(obstacle, i, 1, p, reach);
        if (back + ahead >= obstacle->count) ahead = obstacle->count - 1 - back;
        /* A vertex behind a face that stands alone is before another one: the face is no wall to it. */
        if (back + ahead == 0 && distance(&f, p) < -0.1 * reach) continue;
        int number = (*group)++;
        for (int k = i - back; k <= i + ahead; ++k) {
            face side = face_of(obstacle, k);
            int at = (k % obstacle->count + obstacle->count) % obstacle->count;
            add(out, p, side.normal, distance(&side, p), number, key_of(0, index, at));
        }
        skip_until = i + ahead;
        if (i - back < 0) first_skipped = obstacle->count + i - back;
    }
}

/* A corner of the obstacle that juts out, that faces one edge of the body: an
 * ordinary contact along the edge's normal (Fig. 5). */
static void corner_contact(const abut_polygon *moving, int index, point corner, output *out, int *group)
{
    double reach = out->options->reach, best = -DBL_MAX;
    double slop =
        0.01 * reach; /* a corner that is hardly past the end of an edge still counts as before it */
    int edge = -1;
    for (int i = 0; i < moving->count; ++i) {
        face e = face_of(moving, i);
        double d = distance(&e, corner);
        if (d > best + (edge < 0 ? 0.0 : slop)) {
            best = d;
            edge = i;
        }
    }
    face e = face_of(moving, edge);
    double t = along(&e, corner);
    if (!(fabs(best) <= reach) || t <= -slop || t >= e.length + slop) return;
    point inward = {-e.normal.x, -e.normal.y};
    add(out, corner, inward, best, (*group)++, key_of(1, index, edge));
}

static bool is_polygon(const abut_polygon *p)
{
    if (!p || p->count < 3 || !p->at) return false;
    double area = 0.0;
    for (int i = 0; i < p->count; ++i) {
        point a = vertex(p, i), b = vertex(p, i + 1);
        if (!(hypot(a.x - b.x, a.y - b.y) > 0.0)) return false;
        area += a.x * b.y - a.y * b.x;
    }
    return area > 0.0 && area < INFINITY;
}

abut_status abut_planar_contacts(const abut_polygon *moving, const abut_polygon *obstacle,
                                 const abut_planar_options *options, abut_contact *contacts, int capacity,
                                 int *count)
{
    if (!is_polygon(moving) || !is_polygon(obstacle) || !options || !count || capacity < 0 ||
        (capacity > 0 && !contacts) || !(options->reach > 0.0) || options->first_group < 1)
        return ABUT_INVALID_ARGUMENT;
    output out = {.options = options, .contacts = contacts, .capacity = capacity};
    int group = options->first_group;
    for (int i = 0; i < moving->count; ++i) vertex_contacts(obstacle, i, vertex(moving, i), &out, &group);
    for (int i = 0; i < obstacle->count; ++i)
        if (juts_out(obstacle, i)) corner_contact(moving, i, vertex(obstacle, i), &out, &group);
    *count = out.count;
    return out.count <= capacity ? ABUT_OK : ABUT_TOO_LARGE;
}
