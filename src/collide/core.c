/* Cores of polytopes and their support: core.h. */
#include "collide/core.h"
#include "collide/convex.h"

#include <string.h>

/* Vertex i of a box has +half[k] where bit k of i is set. */
static const abuti_edge box_edges[12] = {
    {{0, 1}, {2, 4}}, {{2, 3}, {4, 3}}, {{4, 5}, {5, 2}}, {{6, 7}, {3, 5}}, /* along x */
    {{0, 2}, {4, 0}}, {{1, 3}, {1, 4}}, {{4, 6}, {0, 5}}, {{5, 7}, {5, 1}}, /* along y */
    {{0, 4}, {0, 2}}, {{1, 5}, {2, 1}}, {{2, 6}, {3, 0}}, {{3, 7}, {1, 3}}, /* along z */
};
/* Faces -x, +x, -y, +y, -z, +z. */
static const double box_normals[6][3] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};
static const int32_t box_start[7] = {0, 4, 8, 12, 16, 20, 24};
static const int32_t box_vertex[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4,
                                       2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
static const int32_t box_edge[24] = {8,  6, 10, 4, 5, 11, 7, 9, 0, 9, 2, 8,
                                     10, 3, 11, 1, 4, 1,  5, 0, 2, 7, 3, 6};

static const abuti_edge segment_edge[1] = {{{0, 1}, {-1, -1}}};

static const abuti_edge triangle_edges[3] = {{{0, 1}, {0, 1}}, {{1, 2}, {0, 1}}, {{2, 0}, {0, 1}}};
static const int32_t triangle_start[3] = {0, 3, 6};
static const int32_t triangle_vertex[6] = {0, 1, 2, 0, 2, 1};
static const int32_t triangle_edge[6] = {0, 1, 2, 2, 1, 0};

static void make_box(const double half[3], abuti_core *core)
{
    abuti_v3_copy(core->half, half);
    core->box = true;
    core->size = abuti_v3_length(half);
    for (int i = 0; i < 8; ++i) {
        for (int k = 0; k < 3; ++k) core->own_vertices[i][k] = i >> k & 1 ? half[k] : -half[k];
    }
    core->vertex_count = 8;
    core->edge_count = 12;
    core->face_count = 6;
    core->edges = box_edges;
    core->normals = box_normals;
    core->faces = (abuti_faces){box_start, box_vertex, box_edge};
}

static void clear(abuti_core *core, abuti_core_kind kind)
{
    core->kind = kind;
    core->radius = 0;
    core->box = false;
    core->vertex_count = core->edge_count = core->face_count = 0;
    core->vertices = (const double(*)[3])core->own_vertices;
    core->normals = (const double(*)[3])core->own_normals;
    core->edges = NULL;
    core->faces = (abuti_faces){NULL, NULL, NULL};
}

void abuti_core_point(double radius, abuti_core *core)
{
    clear(core, ABUTI_POLYTOPE);
    core->radius = core->size = radius;
    core->vertex_count = 1;
    abuti_v3_set(core->own_vertices[0], 0, 0, 0);
}

void abuti_core_segment(double radius, double half_length, abuti_core *core)
{
    clear(core, ABUTI_POLYTOPE);
    core->radius = radius;
    core->size = radius + half_length;
    core->vertex_count = 2;
    core->edge_count = 1;
    core->edges = segment_edge;
    abuti_v3_set(core->own_vertices[0], 0, 0, -half_length);
    abuti_v3_set(core->own_vertices[1], 0, 0, half_length);
}

void abuti_core_triangle(double corners[3][3], const double normal[3], abuti_core *core)
{
    clear(core, ABUTI_POLYTOPE);
    core->size = 0;
    for (int i = 0; i < 3; ++i) {
        abuti_v3_copy(core->own_vertices[i], corners[i]);
        core->size = fmax(core->size, abuti_v3_length(corners[i]));
    }
    abuti_v3_copy(core->own_normals[0], normal);
    abuti_v3_scale(core->own_normals[1], -1, normal);
    core->vertex_count = 3;
    core->edge_count = 3;
    core->face_count = 2;
    core->edges = triangle_edges;
    core->faces = (abuti_faces){triangle_start, triangle_vertex, triangle_edge};
}

bool abuti_core_make(const abut_shape *shape, abuti_core *core)
{
    switch (shape->kind) {
    case ABUT_SPHERE: abuti_core_point(shape->radius, core); return true;
    case ABUT_CAPSULE: abuti_core_segment(shape->radius, shape->half_length, core); return true;
    case ABUT_BOX:
        clear(core, ABUTI_POLYTOPE);
        make_box(shape->half, core);
        return true;
    case ABUT_CYLINDER:
        clear(core, ABUTI_CYLINDER);
        abuti_v3_set(core->half, shape->radius, shape->radius, shape->half_length);
        core->size = sqrt(shape->radius * shape->radius + shape->half_length * shape->half_length);
        return true;
    case ABUT_ELLIPSOID:
        clear(core, ABUTI_ELLIPSOID);
        abuti_v3_copy(core->half, shape->half);
        core->size = fmax(shape->half[0], fmax(shape->half[1], shape->half[2]));
        return true;
    case ABUT_CONVEX:
        clear(core, ABUTI_POLYTOPE);
        abuti_convex_core(shape->convex, core);
        return true;
    default: return false;
    }
}

static int polytope_support(const abuti_core *core, const double d[3])
{
    if (core->box) return (d[0] > 0) | (d[1] > 0) << 1 | (d[2] > 0) << 2;
    int best = 0;
    double most = abuti_v3_dot(core->vertices[0], d);
    for (int i = 1; i < core->vertex_count; ++i) {
        double along = abuti_v3_dot(core->vertices[i], d);
        if (along > most) {
            most = along;
            best = i;
        }
    }
    return best;
}

int abuti_core_support(const abuti_core *core, const double d[3], double point[3])
{
    if (core->kind == ABUTI_POLYTOPE) {
        int vertex = polytope_support(core, d);
        abuti_v3_copy(point, core->vertices[vertex]);
        return vertex;
    }
    const double *half = core->half;
    if (core->kind == ABUTI_CYLINDER) {
        double across = sqrt(d[0] * d[0] + d[1] * d[1]);
        double scale = across > 0 ? half[0] / across : 0;
        abuti_v3_set(point, scale * d[0], scale * d[1], d[2] > 0 ? half[2] : -half[2]);
        return -1;
    }
    double scaled[3] = {half[0] * d[0], half[1] * d[1], half[2] * d[2]};
    double length = abuti_v3_length(scaled);
    double factor = length > 0 ? 1 / length : 0;
    for (int k = 0; k < 3; ++k) point[k] = factor * scaled[k] * half[k];
    return -1;
}
