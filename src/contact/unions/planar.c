/* From two polygons in the plane to contacts and unions (abut/planar.h). Only proximity is decided here: which
 * faces and edges a vertex and a corner may meet within `reach`, and which of them belong together. */
#include "abut/planar.h"
#include "base/length.h"
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
    f.length = abuti_length(x, y);
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
    return abuti_length(distance(f, p), over);
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

/* Kinds of keys. A corner may meet both ends of an edge, in two unions: the end's side has a key of its own. */
enum { VERTEX_ON_FACE, CORNER_ON_EDGE, CORNER_ON_EDGE_AGAIN };

static uint64_t key_of(int kind, int vertex_index, int face_index)
{
    return 1u + (uint64_t)kind + 3u * ((uint64_t)vertex_index + ((uint64_t)face_index << 24));
}

/* ------------------------------------------------------------------------------------------------
 * What a vertex meets
 *
 * For bodies that do not turn, the positions in which the body and the obstacle overlap are the sum of the
 * obstacle and the mirrored body; its boundary is made of faces of the obstacle, met by the vertex that goes
 * ahead there, and of edges of the body, met by the corner of the obstacle that goes ahead there. Which of
 * them go together near a vertex V and a corner C can be read from the normals alone: a face belongs there if
 * its normal lies between the reversed normals of the two edges at V, an edge if its reversed normal lies
 * between those of the two faces at C. */

/* The angle by which a body may turn in a step, rad. Normals still belong together if they lie beyond the exact
 * range by no more than this, and normals that are as near to each other are taken for one. */
static const double turn = 0.1;

/* Counterclockwise angle from a to b, -pi .. pi. */
static double angle_between(point a, point b)
{
    return atan2(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y);
}

/* Whether n lies between a and b, counterclockwise, or hardly beyond. */
static bool lies_between(point n, point a, point b)
{
    return angle_between(a, n) >= -turn && angle_between(n, b) >= -turn;
}

static point reversed(point n)
{
    return (point){-n.x, -n.y};
}

static bool within(double distance, const output *out)
{
    return distance <= out->options->reach;
}

static double distance_of(point a, point b)
{
    return abuti_length(a.x - b.x, a.y - b.y);
}

/* How many faces after `i` (direction +1 or -1) follow across corners that jut out and are near. */
static int faces_beyond(const abut_polygon *obstacle, int i, int step, point p, const output *out)
{
    int beyond = 0;
    while (beyond + 1 < obstacle->count) {
        int corner = step > 0 ? i + beyond + 1 : i - beyond;
        if (!juts_out(obstacle, corner) || !within(distance_of(p, vertex(obstacle, corner)), out)) break;
        ++beyond;
    }
    return beyond;
}

/* Whether, of a face and an edge with one normal, the edge (met by the corner) stands for both. Where the vertex is
 * over the face, the face (met by the vertex) does. So a body that slides over a corner never loses its support. */
static bool edge_takes_over(const face *f, const face *e, point p, point corner)
{
    double over = along(f, p), under = along(e, corner);
    bool vertex_over_face = over >= 0.0 && over <= f->length;
    return fabs(angle_between(f->normal, reversed(e->normal))) <= turn && !vertex_over_face && under >= 0.0 &&
           under <= e->length;
}

typedef struct meeting {
    const abut_polygon *moving, *obstacle;
    int index;       /* of the vertex */
    point p;         /* the vertex */
    face edge[2];    /* before and after it */
    int first, last; /* faces of the obstacle, across corners that jut out and are near */
} meeting;

/* The corner at the begin (0) or the end (1) of a face, if it is one of the meeting's. */
static bool corner_of(const meeting *m, int face_index, int end, point *corner)
{
    if (end == 0 ? face_index == m->first : face_index == m->last) return false;
    *corner = vertex(m->obstacle, face_index + end);
    return true;
}

/* Adds the faces that the vertex may touch, except those for which an edge stands. */
static void add_faces(const meeting *m, output *out, int group)
{
    for (int k = m->first; k <= m->last; ++k) {
        face f = face_of(m->obstacle, k);
        int at = (k % m->obstacle->count + m->obstacle->count) % m->obstacle->count;
        bool wanted = lies_between(f.normal, reversed(m->edge[0].normal), reversed(m->edge[1].normal));
        for (int i = 0; i < 4 && wanted; ++i) {
            point corner;
            wanted = !corner_of(m, k, i / 2, &corner) || !edge_takes_over(&f, &m->edge[i % 2], m->p, corner);
        }
        if (wanted) add(out, m->p, f.normal, distance(&f, m->p), group, key_of(VERTEX_ON_FACE, m->index, at));
    }
}

/* Adds the edges that a corner of the meeting may touch, except those for which a face stands. */
static void add_edges(const meeting *m, output *out, int group)
{
    for (int k = m->first; k < m->last; ++k) {
        face before = face_of(m->obstacle, k), after = face_of(m->obstacle, k + 1);
        point corner = after.from;
        int at = ((k + 1) % m->obstacle->count + m->obstacle->count) % m->obstacle->count;
        for (int i = 0; i < 2; ++i) {
            const face *e = &m->edge[i];
            point n = reversed(e->normal);
            if (!lies_between(n, before.normal, after.normal)) continue;
            bool one = false; /* a face has the same normal, and stands for both */
            for (int side = 0; side < 2; ++side) {
                const face *f = side ? &after : &before;
                one |= fabs(angle_between(f->normal, n)) <= turn && !edge_takes_over(f, e, m->p, corner) &&
                       lies_between(f->normal, reversed(m->edge[0].normal), reversed(m->edge[1].normal));
            }
            int edge = (m->index + m->moving->count - 1 + i) % m->moving->count;
            bool again = i == 0 && within(distance_of(corner, e->from), out);
            if (!one)
                add(out, corner, n, distance(e, corner), group,
                    key_of(again ? CORNER_ON_EDGE_AGAIN : CORNER_ON_EDGE, at, edge));
        }
    }
}

/* Whether a point is inside a polygon: crossings of a ray to the right. */
static bool inside(const abut_polygon *p, point q)
{
    bool in = false;
    for (int i = 0; i < p->count; ++i) {
        point a = vertex(p, i), b = vertex(p, i + 1);
        if ((a.y > q.y) == (b.y > q.y)) continue;
        double right = (b.x - a.x) * (q.y - a.y) - (q.x - a.x) * (b.y - a.y);
        if ((b.y > a.y) == (right > 0.0)) in = !in;
    }
    return in;
}

/* A face behind which a vertex lies is a wall to it if the vertex is inside the obstacle and could have come
 * through it; otherwise it is the far side of something thin. */
static bool is_wall(const meeting *m, const face *f)
{
    static const double rounding = 1e-9; /* of the length of the face */
    if (distance(f, m->p) >= -rounding * f->length) return true;
    return inside(m->obstacle, m->p) &&
           lies_between(f->normal, reversed(m->edge[0].normal), reversed(m->edge[1].normal));
}

/* Makes infinite walls of sides, each in a group of its own: of those before which the body stands, and in any case of
 * the one with the largest gap. */
static void make_walls(output *out, int first, int *group)
{
    static const double touching = 1e-6; /* of reach: what rounding leaves of a wall that is touched */
    int most = first, kept = first, end = out->count < out->capacity ? out->count : out->capacity;
    for (int i = first; i < end; ++i)
        if (out->contacts[i].gap > out->contacts[most].gap) most = i;
    for (int i = first; i < end; ++i) {
        if (out->contacts[i].gap < -touching * out->options->reach && i != most) continue;
        out->contacts[kept] = out->contacts[i];
        out->contacts[kept++].group = (*group)++;
    }
    out->count -= end - kept;
}

/* Adds all that one vertex of the body meets. A union is written once, at its first near face. */
static void vertex_contacts(const abut_polygon *moving, const abut_polygon *obstacle, int index, output *out,
                            int *group)
{
    meeting m = {.moving = moving, .obstacle = obstacle, .index = index, .p = vertex(moving, index)};
    m.edge[0] = face_of(moving, index - 1);
    m.edge[1] = face_of(moving, index);
    int skip_until = -1, first_skipped = obstacle->count;
    for (int i = 0; i < obstacle->count; ++i) {
        face f = face_of(obstacle, i);
        if (i <= skip_until || i >= first_skipped || !within(distance_to_segment(&f, m.p), out)) continue;
        int back = faces_beyond(obstacle, i, -1, m.p, out), ahead = faces_beyond(obstacle, i, 1, m.p, out);
        if (back + ahead >= obstacle->count) ahead = obstacle->count - 1 - back;
        m.first = i - back;
        m.last = i + ahead;
        int written = out->count;
        if (back + ahead > 0) {
            add_faces(&m, out, *group);
            add_edges(&m, out, *group);
        } else if (is_wall(&m, &f)) {
            add(out, m.p, f.normal, distance(&f, m.p), *group, key_of(VERTEX_ON_FACE, index, i));
        }
        if (out->options->convex)
            make_walls(out, written, group);
        else
            *group += out->count > written;
        skip_until = i + ahead;
        if (i - back < 0) first_skipped = obstacle->count + i - back;
    }
}

/* Adds an ordinary contact along the edge's normal (Fig. 5) for a corner of the obstacle that juts out, before one edge
 * of the body and far from its vertices. */
static void corner_contact(const abut_polygon *moving, int index, point corner, output *out, int *group)
{
    double best = -DBL_MAX;
    int edge = -1;
    for (int i = 0; i < moving->count; ++i) {
        if (within(distance_of(corner, vertex(moving, i)), out)) return;
        face e = face_of(moving, i);
        double d = distance(&e, corner);
        if (d > best) {
            best = d;
            edge = i;
        }
    }
    face e = face_of(moving, edge);
    double t = along(&e, corner);
    if (!within(fabs(best), out) || t < 0.0 || t > e.length) return;
    add(out, corner, reversed(e.normal), best, (*group)++, key_of(CORNER_ON_EDGE, index, edge));
}

static bool is_polygon(const abut_polygon *p)
{
    if (!p || p->count < 3 || !p->at) return false;
    double area = 0.0;
    for (int i = 0; i < p->count; ++i) {
        point a = vertex(p, i), b = vertex(p, i + 1);
        if (!(abuti_length(a.x - b.x, a.y - b.y) > 0.0)) return false;
        area += a.x * b.y - a.y * b.x;
    }
    return area > 0.0 && area < INFINITY;
}

/* Whether the polygon goes round once, counterclockwise, without a turn to the right beyond rounding: then it is what
 * lies to the left of every edge. A star that turns left at every vertex goes round more than once. */
static bool is_convex(const abut_polygon *p)
{
    static const double rounding = 1e-9, pi = 3.14159265358979323846; /* rad */
    double turned = 0.0;
    for (int i = 0; i < p->count; ++i) {
        double left = angle_between(face_of(p, i).normal, face_of(p, i + 1).normal);
        if (left < -rounding) return false;
        turned += left;
    }
    return turned < 3.0 * pi;
}

abut_status abut_planar_contacts(const abut_polygon *moving, const abut_polygon *obstacle,
                                 const abut_planar_options *options, abut_contact *contacts, int capacity,
                                 int *count)
{
    if (!is_polygon(moving) || !is_convex(moving) || !is_polygon(obstacle) || !options || !count ||
        capacity < 0 || (capacity > 0 && !contacts) || !(options->reach > 0.0 && options->reach < INFINITY) ||
        !(options->friction >= 0.0 && options->friction < INFINITY) || options->first_group < 1)
        return ABUT_INVALID_ARGUMENT;
    output out = {.options = options, .contacts = contacts, .capacity = capacity};
    int group = options->first_group;
    for (int i = 0; i < moving->count; ++i) vertex_contacts(moving, obstacle, i, &out, &group);
    for (int i = 0; i < obstacle->count; ++i)
        if (juts_out(obstacle, i)) corner_contact(moving, i, vertex(obstacle, i), &out, &group);
    *count = out.count;
    return out.count <= capacity ? ABUT_OK : ABUT_TOO_LARGE;
}
