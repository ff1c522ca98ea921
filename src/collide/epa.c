/* The expanding polytope algorithm (van den Bergen): a polytope inside of the difference A - B grows where its surface
 * is nearest to the origin, until the difference has nothing beyond the nearest face. Signed distances of faces let it
 * begin with any tetrahedron, whether or not the origin is inside. */
#include "collide/epa.h"

enum { VERTICES = 100, FACES = 2 * VERTICES, HORIZON = FACES };

/* Growth by less than this part of the sizes ends the search. */
#define GROWN 1e-7
/* A vertex does not see a face when it is above it by less than this part of the sizes. */
#define SEES 1e-12

typedef struct face {
    int v[3];
    double normal[3], distance; /* of the origin, below the face */
} face;

typedef struct polytope {
    const abuti_core *a, *b;
    const abuti_relative *rel;
    double size;
    double points[VERTICES][3];
    int count;
    face faces[FACES];
    int face_count;
} polytope;

static void support(const polytope *p, const double d[3], double out[3])
{
    double against[3], turned[3], local[3], on_b[3];
    abuti_core_support(p->a, d, out);
    abuti_v3_scale(against, -1, d);
    abuti_m3_apply_transposed(turned, p->rel->R, against);
    abuti_core_support(p->b, turned, local);
    abuti_to_a(on_b, p->rel, local);
    abuti_v3_sub(out, out, on_b);
}

/* A face with its normal; one without an area is not added. */
static void add_face(polytope *p, int i, int j, int k)
{
    if (p->face_count >= FACES) return;
    face *f = &p->faces[p->face_count];
    double e[3], g[3];
    abuti_v3_sub(e, p->points[j], p->points[i]);
    abuti_v3_sub(g, p->points[k], p->points[i]);
    abuti_v3_cross(f->normal, e, g);
    if (!(abuti_v3_normalise(f->normal) > 0)) return;
    f->v[0] = i;
    f->v[1] = j;
    f->v[2] = k;
    f->distance = abuti_v3_dot(f->normal, p->points[i]);
    p->face_count++;
}

/* The farther of the two support points along a direction and against it, seen from a point. */
static void farther(polytope *p, const double d[3], const double from[3], double out[3])
{
    double against[3], other[3], x[3], y[3];
    abuti_v3_scale(against, -1, d);
    support(p, d, out);
    support(p, against, other);
    abuti_v3_sub(x, out, from);
    abuti_v3_sub(y, other, from);
    if (fabs(abuti_v3_dot(x, d)) < fabs(abuti_v3_dot(y, d))) abuti_v3_copy(out, other);
}

/* Any unit vector across a direction. */
static void across(const double d[3], double out[3])
{
    double axis[3] = {0, 0, 0};
    axis[fabs(d[0]) <= fabs(d[1]) && fabs(d[0]) <= fabs(d[2]) ? 0 : fabs(d[1]) <= fabs(d[2]) ? 1 : 2] = 1;
    abuti_v3_cross(out, d, axis);
    abuti_v3_normalise(out);
}

/* A tetrahedron: two points far apart, one far from their line, one far from that plane. */
static void begin(polytope *p)
{
    double d[3] = {1, 0, 0}, e[3], g[3], n[3];
    double(*q)[3] = p->points;
    support(p, d, q[0]);
    d[0] = -1;
    support(p, d, q[1]);
    abuti_v3_sub(d, q[1], q[0]);
    across(d, e);
    farther(p, e, q[0], q[2]);
    abuti_v3_sub(g, q[2], q[0]);
    abuti_v3_cross(n, d, g);
    abuti_v3_normalise(n);
    farther(p, n, q[0], q[3]);
    p->count = 4;
    abuti_v3_sub(e, q[3], q[0]);
    if (abuti_v3_dot(n, e) < 0) {
        add_face(p, 0, 1, 2);
        add_face(p, 0, 3, 1);
        add_face(p, 1, 3, 2);
        add_face(p, 0, 2, 3);
    } else {
        add_face(p, 0, 2, 1);
        add_face(p, 0, 1, 3);
        add_face(p, 1, 2, 3);
        add_face(p, 0, 3, 2);
    }
}

/* Adds an edge of the hole. An edge that is met a second time, backwards, lies inside the hole and is taken out. */
static int toggle_edge(int edges[HORIZON][2], int count, int v, int w)
{
    for (int i = 0; i < count; ++i) {
        if (edges[i][0] == w && edges[i][1] == v) {
            edges[i][0] = edges[count - 1][0];
            edges[i][1] = edges[count - 1][1];
            return count - 1;
        }
    }
    if (count >= HORIZON) return count;
    edges[count][0] = v;
    edges[count][1] = w;
    return count + 1;
}

/* Takes away the faces that the newest point sees, and closes the hole with faces to it. */
static bool expand(polytope *p)
{
    int edges[HORIZON][2], open = 0, newest = p->count - 1, kept = 0;
    const double *w = p->points[newest];
    for (int i = 0; i < p->face_count; ++i) {
        face *f = &p->faces[i];
        if (abuti_v3_dot(f->normal, w) - f->distance > SEES * p->size) {
            for (int k = 0; k < 3; ++k) open = toggle_edge(edges, open, f->v[k], f->v[(k + 1) % 3]);
        } else {
            p->faces[kept++] = *f;
        }
    }
    p->face_count = kept;
    for (int i = 0; i < open; ++i) add_face(p, edges[i][0], edges[i][1], newest);
    return open > 0;
}

void abuti_epa_run(const abuti_core *a, const abuti_core *b, const abuti_relative *rel, double normal[3])
{
    polytope p = {.a = a, .b = b, .rel = rel, .size = a->size + b->size};
    double least = 0;
    bool found = false;
    abuti_v3_set(normal, 0, 0, 1);
    begin(&p);
    while (p.count < VERTICES && p.face_count > 0) {
        int nearest = 0;
        for (int i = 1; i < p.face_count; ++i) {
            if (p.faces[i].distance < p.faces[nearest].distance) nearest = i;
        }
        double *n = p.faces[nearest].normal, *w = p.points[p.count];
        support(&p, n, w);
        double depth = abuti_v3_dot(n, w);
        if (!found || depth < least) {
            found = true;
            least = depth;
            abuti_v3_scale(normal, -1, n);
        }
        if (depth - p.faces[nearest].distance <= GROWN * p.size) break;
        p.count++;
        if (!expand(&p)) break;
    }
}
