/* Overlaps of the round caps of cylinders with polygons, segments and each other (overlap.h). A disc is taken as it is:
 * its rim is cut where edges really cross it, and its rim points are contacts where they are inside of the other. */
#include "collide/overlap.h"

/* Discs that lean by more than this angle against each other are not parallel. */
#define LEANS 1e-5

/* The point of the disc's plane at a place, relative to its centre. */
static void on_plane(const abuti_overlap *o, const abuti_feature *disc, const double at[2], double out[3])
{
    double height = abuti_overlap_height(o, disc, at);
    for (int k = 0; k < 3; ++k)
        out[k] = at[0] * o->axes[0][k] + at[1] * o->axes[1][k] + height * o->axes[2][k] - disc->centre[k];
}

/* How far a place is beyond the rim. */
static double beyond_rim(const abuti_overlap *o, const abuti_feature *disc, const double at[2])
{
    double from[3];
    on_plane(o, disc, at, from);
    return abuti_v3_length(from) - disc->radius;
}

static void add(abuti_overlap *o, bool disc_is_a, const double at[2], uint32_t disc, uint32_t other)
{
    if (disc_is_a) {
        abuti_overlap_add(o, at, disc, other);
    } else {
        abuti_overlap_add(o, at, other, disc);
    }
}

/* Where the edge from place p to place q crosses the rim, strictly inside of the edge. */
static void cross_rim(abuti_overlap *o, bool disc_is_a, const abuti_feature *disc, const double p[2],
                      const double q[2], uint32_t edge)
{
    double from[3], to[3], along[3];
    on_plane(o, disc, p, from);
    on_plane(o, disc, q, to);
    abuti_v3_sub(along, to, from);
    double square = abuti_v3_dot(along, along), length = sqrt(square);
    if (!(length > o->tolerance)) return;
    double middle = -abuti_v3_dot(from, along) / square, nearest[3];
    abuti_v3_add_scaled(nearest, from, middle, along);
    double r = disc->radius, distance = abuti_v3_length(nearest);
    if (distance > r + o->tolerance) return;
    /* An edge that only touches the rim has one point with it. */
    bool touches = distance >= r - o->tolerance;
    double half = touches ? 0 : sqrt((r - distance) * (r + distance)) / length, slack = o->tolerance / length;
    for (int side = -1; side <= (touches ? -1 : 1); side += 2) {
        double t = middle + side * half;
        if (!(t > slack && t < 1 - slack)) continue;
        /* Ends on the rim were kept as corners. */
        double at[2] = {p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])};
        /* The rim has two crossings with an edge: the one where it enters, and the one where it leaves. */
        add(o, disc_is_a, at, side < 0 ? disc->name : disc->edges[0], edge);
    }
}

static void disc_polygon(abuti_overlap *o, const abuti_feature *disc, const abuti_feature *f, bool disc_is_a)
{
    double p[2], q[2];
    int edges = f->count == 2 ? 1 : f->count;
    for (int i = 0; i < f->count; ++i) {
        abuti_overlap_flat(o, f->points[i], p);
        if (beyond_rim(o, disc, p) <= o->tolerance) add(o, disc_is_a, p, disc->name, f->vertices[i]);
    }
    for (int i = 0; i < edges; ++i) {
        abuti_overlap_flat(o, f->points[i], p);
        abuti_overlap_flat(o, f->points[(i + 1) % f->count], q);
        cross_rim(o, disc_is_a, disc, p, q, f->edges[i]);
    }
    for (int i = 0; f->count > 2 && i < disc->count; ++i) {
        abuti_overlap_flat(o, disc->points[i], p);
        if (abuti_overlap_inside(o, f, p, -o->tolerance)) add(o, disc_is_a, p, disc->vertices[i], f->name);
    }
}

/* Two discs: rim points of each inside of the other, and the two crossings of the rims, or the point in which they
 * touch. */
static void disc_disc(abuti_overlap *o)
{
    const abuti_feature *a = o->a, *b = o->b;
    double at[2], ca[2], cb[2];
    for (int i = 0; i < a->count; ++i) {
        abuti_overlap_flat(o, a->points[i], at);
        if (beyond_rim(o, b, at) <= o->tolerance) abuti_overlap_add(o, at, a->vertices[i], b->name);
    }
    for (int i = 0; i < b->count; ++i) {
        abuti_overlap_flat(o, b->points[i], at);
        if (beyond_rim(o, a, at) < -o->tolerance) abuti_overlap_add(o, at, a->name, b->vertices[i]);
    }
    /* Rims that lean against each other are no circles here; their points have to do. */
    if (abuti_v3_dot(a->normal, b->normal) > -1 + LEANS * LEANS) return;
    abuti_overlap_flat(o, a->centre, ca);
    abuti_overlap_flat(o, b->centre, cb);
    double dx = cb[0] - ca[0], dy = cb[1] - ca[1], d = sqrt(dx * dx + dy * dy), r = a->radius, s = b->radius;
    if (d > r + s + o->tolerance || d <= fabs(r - s) + o->tolerance) return;
    bool touch = d >= r + s - o->tolerance;
    if (touch && o->count > 0) return;
    double along = touch ? r : (d * d + (r - s) * (r + s)) / (2 * d),
           across = sqrt(fmax((r - along) * (r + along), 0));
    for (int side = -1; side <= (touch ? -1 : 1); side += 2) {
        at[0] = ca[0] + (along * dx - side * across * dy) / d;
        at[1] = ca[1] + (along * dy + side * across * dx) / d;
        abuti_overlap_add(o, at, a->edges[0], side < 0 ? b->name : b->edges[0]);
    }
}

void abuti_overlap_disc(abuti_overlap *o)
{
    if (o->a->disc && o->b->disc) {
        disc_disc(o);
    } else {
        disc_polygon(o, o->a->disc ? o->a : o->b, o->a->disc ? o->b : o->a, o->a->disc);
    }
}
