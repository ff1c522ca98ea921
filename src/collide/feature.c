/* Features of cores: the polygon, disc, segment or point that faces a direction (core.h). */
#include "collide/core.h"

/* Cosines of 0, 22.5, ... degrees: a quarter turn of the rim. */
static const double quarter[5] = {1.0, 0.92387953251128675613, 0.70710678118654752440, 0.38268343236508977173,
                                  0.0};

/* The farthest rim point joins the others where the cap leans by more than this. Where it leans less, the point would
 * add less than 1e-11 of the radius, and its place would be noise. */
#define LEANS 1e-9
/* Corners that are as far as the farthest up to this part of the size are equal, and so are faces and edges that lean
 * as much as the best up to this angle. The first of them is taken, whatever way rounding goes. */
#define EQUAL 1e-9

static double rim_cosine(int k)
{
    k &= 15;
    if (k <= 4) return quarter[k];
    if (k <= 8) return -quarter[8 - k];
    if (k <= 12) return -quarter[k - 8];
    return quarter[16 - k];
}

void abuti_cylinder_rim(const abuti_core *core, int k, double point[3])
{
    abuti_v3_set(point, core->half[0] * rim_cosine(k), core->half[0] * rim_cosine(k + 12),
                 k < ABUTI_RIM ? core->half[2] : -core->half[2]);
}

static void add(abuti_feature *f, const double point[3], uint32_t vertex, uint32_t edge)
{
    abuti_v3_copy(f->points[f->count], point);
    f->vertices[f->count] = vertex;
    f->edges[f->count] = edge;
    f->count++;
}

static void take_point(const double point[3], int vertex, abuti_feature *f)
{
    f->name = abuti_feature_name(ABUTI_VERTEX, vertex);
    add(f, point, f->name, 0);
}

static void take_face(const abuti_core *core, int face, abuti_feature *f)
{
    const abuti_faces *faces = &core->faces;
    f->name = abuti_feature_name(ABUTI_FACE, face);
    abuti_v3_copy(f->normal, core->normals[face]);
    for (int i = faces->start[face]; i < faces->start[face + 1]; ++i) {
        add(f, core->vertices[faces->vertex[i]], abuti_feature_name(ABUTI_VERTEX, faces->vertex[i]),
            abuti_feature_name(ABUTI_EDGE, faces->edge[i]));
    }
}

static void take_edge(const abuti_core *core, int edge, abuti_feature *f)
{
    f->name = abuti_feature_name(ABUTI_EDGE, edge);
    for (int i = 0; i < 2; ++i) {
        int vertex = core->edges[edge].v[i];
        add(f, core->vertices[vertex], abuti_feature_name(ABUTI_VERTEX, vertex), f->name);
    }
}

/* The face that looks most in the direction; -1 for none. */
static int best_face(const abuti_core *core, const double d[3], double cosine)
{
    double most = -1;
    for (int i = 0; i < core->face_count; ++i) most = fmax(most, abuti_v3_dot(core->normals[i], d));
    for (int i = 0; most >= cosine && i < core->face_count; ++i) {
        if (abuti_v3_dot(core->normals[i], d) >= most - EQUAL) return i;
    }
    return -1;
}

/* The first of the farthest corners. */
static int best_vertex(const abuti_core *core, const double d[3])
{
    double point[3];
    int farthest = abuti_core_support(core, d, point);
    double height = abuti_v3_dot(point, d) - EQUAL * core->size;
    for (int i = 0; i < farthest; ++i) {
        if (abuti_v3_dot(core->vertices[i], d) >= height) return i;
    }
    return farthest;
}

/* The sine of the angle by which an edge at a vertex leans from across the direction; 2 for other edges. */
static double edge_lean(const abuti_core *core, int edge, int vertex, const double d[3])
{
    const int32_t *v = core->edges[edge].v;
    double along[3];
    if (v[0] != vertex && v[1] != vertex) return 2;
    abuti_v3_sub(along, core->vertices[v[1]], core->vertices[v[0]]);
    abuti_v3_normalise(along);
    return fabs(abuti_v3_dot(along, d));
}

/* The edge at a vertex that is most nearly across the direction; -1 for none. */
static int best_edge(const abuti_core *core, int vertex, const double d[3], double sine)
{
    double least = 2;
    for (int i = 0; i < core->edge_count; ++i) least = fmin(least, edge_lean(core, i, vertex, d));
    for (int i = 0; least < sine && i < core->edge_count; ++i) {
        if (edge_lean(core, i, vertex, d) <= least + EQUAL) return i;
    }
    return -1;
}

static void polytope_feature(const abuti_core *core, const double d[3], const abuti_lean *lean,
                             abuti_feature *f)
{
    int face = lean->face >= 0 ? lean->face : best_face(core, d, lean->face_cosine);
    if (face >= 0) {
        take_face(core, face, f);
        return;
    }
    int vertex = lean->vertex >= 0 ? lean->vertex : best_vertex(core, d);
    int edge = lean->edge >= 0 ? lean->edge : best_edge(core, vertex, d, lean->edge_sine);
    if (edge >= 0) {
        take_edge(core, edge, f);
    } else {
        take_point(core->vertices[vertex], vertex, f);
    }
}

/* The farthest point of the upper (0) or lower (1) rim. */
static void farthest(const abuti_core *core, const double d[3], int cap, double point[3])
{
    abuti_core_support(core, d, point);
    point[2] = cap == 0 ? core->half[2] : -core->half[2];
}

static void take_disc(const abuti_core *core, const double d[3], int cap, abuti_feature *f)
{
    double point[3], low[3], sign = cap == 0 ? 1 : -1, r = core->half[0];
    uint32_t rim = abuti_feature_name(ABUTI_EDGE, cap);
    f->name = abuti_feature_name(ABUTI_FACE, cap);
    f->disc = true;
    f->radius = r;
    abuti_v3_set(f->normal, 0, 0, sign);
    abuti_v3_set(f->centre, 0, 0, sign * core->half[2]);
    bool leans = d[0] * d[0] + d[1] * d[1] > LEANS * LEANS;
    farthest(core, d, cap, low);
    for (int i = 0; i < ABUTI_RIM; ++i) {
        int k = cap == 0 ? i : ABUTI_RIM - 1 - i, next = cap == 0 ? k + 1 : k - 1;
        double after[3];
        abuti_cylinder_rim(core, k + cap * ABUTI_RIM, point);
        abuti_cylinder_rim(core, (next & 15) + cap * ABUTI_RIM, after);
        add(f, point, abuti_feature_name(ABUTI_VERTEX, k + cap * ABUTI_RIM), rim);
        /* Between these two, and at neither: left of the ray to the first, right of that to the next. */
        double left = sign * (point[0] * low[1] - point[1] * low[0]);
        double right = sign * (low[0] * after[1] - low[1] * after[0]);
        if (leans && left > LEANS * r * r && right > LEANS * r * r)
            add(f, low, abuti_feature_name(ABUTI_VERTEX, ABUTI_RIM_FARTHEST + cap), rim);
    }
}

static void cylinder_feature(const abuti_core *core, const double d[3], const abuti_lean *lean,
                             abuti_feature *f)
{
    double point[3];
    int cap = d[2] > 0 ? 0 : 1;
    if (lean->face >= 0 || fabs(d[2]) >= lean->face_cosine) {
        take_disc(core, d, lean->face >= 0 ? lean->face : cap, f);
    } else if (lean->edge >= 0 || fabs(d[2]) < lean->edge_sine) {
        uint32_t line = abuti_feature_name(ABUTI_EDGE, ABUTI_SIDE_LINE);
        f->name = line;
        for (int end = 1; end >= 0; --end) {
            farthest(core, d, end, point);
            add(f, point, abuti_feature_name(ABUTI_VERTEX, ABUTI_RIM_FARTHEST + end), line);
        }
    } else {
        farthest(core, d, cap, point);
        take_point(point, ABUTI_RIM_FARTHEST + cap, f);
    }
}

void abuti_core_feature(const abuti_core *core, const double d[3], const abuti_lean *lean, abuti_feature *f)
{
    f->count = 0;
    f->disc = false;
    if (core->kind == ABUTI_POLYTOPE) {
        polytope_feature(core, d, lean, f);
    } else if (core->kind == ABUTI_CYLINDER) {
        cylinder_feature(core, d, lean, f);
    } else {
        double point[3];
        abuti_core_support(core, d, point);
        take_point(point, 0, f);
    }
}
