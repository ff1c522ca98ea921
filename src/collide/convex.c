/* Convex polyhedra: checked once, with edges and normals (abut/shape.h). */
#include "collide/convex.h"
#include "base/arena.h"
#include "collide/shape.h"

#include <stdio.h>
#include <string.h>

/* A vertex may lie outside of a face by this part of the size, which is what rounding and merging of faces leave. */
#define OUTSIDE 1e-7

void abuti_convex_core(const abut_convex *convex, abuti_core *core)
{
    core->size = convex->size;
    core->vertex_count = convex->vertex_count;
    core->edge_count = convex->edge_count;
    core->face_count = convex->face_count;
    core->vertices = (const double(*)[3])convex->vertices;
    core->normals = (const double(*)[3])convex->normals;
    core->edges = convex->edges;
    core->faces = (abuti_faces){convex->start, convex->face_vertex, convex->face_edge};
}

static abut_status refuse(abut_error *error, const char *format, int index)
{
    if (error) snprintf(error->text, sizeof error->text, format, index);
    return ABUT_INVALID_ARGUMENT;
}

/* Checks sizes and indices; *corners gets the number of face vertices. */
static abut_status check_def(const abut_convex_def *def, int *corners, abut_error *error)
{
    if (!def || !def->vertices || !def->face_sizes || !def->face_vertices)
        return refuse(error, "convex: a null pointer", 0);
    if (def->vertex_count < 4 || def->vertex_count > ABUT_CONVEX_MAX)
        return refuse(error, "convex: %d vertices; expected 4 to 4096", def->vertex_count);
    if (def->face_count < 4 || def->face_count > ABUT_CONVEX_MAX)
        return refuse(error, "convex: %d faces; expected 4 to 4096", def->face_count);
    for (int i = 0; i < def->vertex_count; ++i) {
        for (int k = 0; k < 3; ++k) {
            if (!(fabs(def->vertices[i][k]) <= 1e100))
                return refuse(error, "convex: vertices[%d]: not finite", i);
        }
    }
    *corners = 0;
    for (int i = 0; i < def->face_count; ++i) {
        if (def->face_sizes[i] < 3 || def->face_sizes[i] > ABUT_FACE_MAX)
            return refuse(error, "convex: face_sizes[%d]: expected 3 to 32 vertices", i);
        *corners += def->face_sizes[i];
    }
    for (int i = 0; i < *corners; ++i) {
        if (def->face_vertices[i] < 0 || def->face_vertices[i] >= def->vertex_count)
            return refuse(error, "convex: face_vertices[%d]: no such vertex", i);
    }
    return ABUT_OK;
}

/* A closed polyhedron has one edge for every two corners. There is room for one for each corner, until that is
 * checked. */
static void layout(abut_convex *convex, abuti_arena *arena, int corners)
{
    convex->vertices = abuti_arena_take(arena, (size_t)convex->vertex_count, sizeof(double[3]));
    convex->normals = abuti_arena_take(arena, (size_t)convex->face_count, sizeof(double[3]));
    convex->edges = abuti_take(arena, corners, abuti_edge);
    convex->start = abuti_take(arena, convex->face_count + 1, int32_t);
    convex->face_vertex = abuti_take(arena, corners, int32_t);
    convex->face_edge = abuti_take(arena, corners, int32_t);
    convex->sizes = abuti_take(arena, convex->face_count, int);
}

/* The edge that another face has already, which runs from w to v there; -1 if there is none yet. */
static int find_edge(const abut_convex *convex, int v, int w)
{
    for (int e = 0; e < convex->edge_count; ++e) {
        const abuti_edge *edge = &convex->edges[e];
        if (edge->v[0] == w && edge->v[1] == v && edge->f[1] < 0) return e;
    }
    return -1;
}

static abut_status join_edges(abut_convex *convex, abut_error *error)
{
    for (int f = 0; f < convex->face_count; ++f) {
        int first = convex->start[f], count = convex->start[f + 1] - first;
        for (int i = 0; i < count; ++i) {
            int v = convex->face_vertex[first + i], w = convex->face_vertex[first + (i + 1) % count];
            int e = find_edge(convex, v, w);
            if (e >= 0) {
                convex->edges[e].f[1] = f;
            } else {
                e = convex->edge_count++;
                convex->edges[e] = (abuti_edge){{v, w}, {f, -1}};
            }
            convex->face_edge[first + i] = e;
        }
    }
    for (int e = 0; e < convex->edge_count; ++e) {
        if (convex->edges[e].f[1] < 0)
            return refuse(error, "convex: face %d has an edge without a second face", convex->edges[e].f[0]);
    }
    return ABUT_OK;
}

/* Newell's normal of a face: the sum over its edges; false without an area. */
static bool find_normal(abut_convex *convex, int f)
{
    double sum[3] = {0, 0, 0}, part[3], a[3], b[3];
    int first = convex->start[f], count = convex->start[f + 1] - first;
    const double *origin = convex->vertices[convex->face_vertex[first]];
    for (int i = 1; i + 1 < count; ++i) {
        abuti_v3_sub(a, convex->vertices[convex->face_vertex[first + i]], origin);
        abuti_v3_sub(b, convex->vertices[convex->face_vertex[first + i + 1]], origin);
        abuti_v3_cross(part, a, b);
        abuti_v3_add(sum, sum, part);
    }
    abuti_v3_copy(convex->normals[f], sum);
    return abuti_v3_normalise(convex->normals[f]) > 0;
}

static abut_status check_convex(abut_convex *convex, abut_error *error)
{
    for (int i = 0; i < convex->vertex_count; ++i)
        convex->size = fmax(convex->size, abuti_v3_length(convex->vertices[i]));
    for (int f = 0; f < convex->face_count; ++f) {
        if (!find_normal(convex, f)) return refuse(error, "convex: face %d has no area", f);
        const double *on = convex->vertices[convex->face_vertex[convex->start[f]]], *n = convex->normals[f];
        double inside = 0;
        for (int i = 0; i < convex->vertex_count; ++i) {
            double from[3];
            abuti_v3_sub(from, convex->vertices[i], on);
            double above = abuti_v3_dot(from, n);
            if (above > OUTSIDE * convex->size)
                return refuse(error, "convex: a vertex is outside of face %d", f);
            inside = fmin(inside, above);
        }
        if (inside > -OUTSIDE * convex->size)
            return refuse(error, "convex: flat, nothing is behind face %d", f);
    }
    return ABUT_OK;
}

static void copy_def(abut_convex *convex, const abut_convex_def *def)
{
    memcpy(convex->vertices, def->vertices, (size_t)def->vertex_count * sizeof(double[3]));
    int corner = 0;
    for (int f = 0; f < def->face_count; ++f) {
        convex->start[f] = corner;
        convex->sizes[f] = def->face_sizes[f];
        for (int i = 0; i < def->face_sizes[f]; ++i, ++corner)
            convex->face_vertex[corner] = def->face_vertices[corner];
    }
    convex->start[def->face_count] = corner;
}

abut_status abut_convex_create(const abut_convex_def *def, const abut_allocator *allocator, abut_convex **out,
                               abut_error *error)
{
    int corners = 0;
    if (error) error->text[0] = 0;
    if (!out || !abuti_valid_allocator(allocator)) return ABUT_INVALID_ARGUMENT;
    *out = NULL;
    abut_status status = check_def(def, &corners, error);
    if (status != ABUT_OK) return status;

    abut_convex head = {.allocator = abuti_allocator_or_default(allocator),
                        .vertex_count = def->vertex_count,
                        .face_count = def->face_count};
    abuti_arena count = {0};
    (void)abuti_take(&count, 1, abut_convex);
    layout(&head, &count, corners);
    head.bytes = count.used;
    unsigned char *block = abuti_allocate(&head.allocator, head.bytes);
    if (!block) return ABUT_OUT_OF_MEMORY;
    abuti_arena arena = {.base = block, .capacity = head.bytes};
    abut_convex *convex = abuti_take(&arena, 1, abut_convex);
    *convex = head;
    layout(convex, &arena, corners);
    copy_def(convex, def);
    status = join_edges(convex, error);
    if (status == ABUT_OK) status = check_convex(convex, error);
    if (status != ABUT_OK) {
        abut_convex_destroy(convex);
        return status;
    }
    *out = convex;
    return ABUT_OK;
}

void abut_convex_destroy(abut_convex *convex)
{
    if (!convex) return;
    abut_allocator allocator = convex->allocator;
    abuti_release(&allocator, convex, convex->bytes);
}

abut_convex_def abut_convex_get(const abut_convex *convex)
{
    return (abut_convex_def){.vertex_count = convex->vertex_count,
                             .vertices = (const double(*)[3])convex->vertices,
                             .face_count = convex->face_count,
                             .face_sizes = convex->sizes,
                             .face_vertices = convex->face_vertex};
}

static const char *check(const abut_shape *s)
{
    return s->convex ? NULL : "convex";
}

/* Tetrahedra from the origin over fans of triangles: volume, first and second moments (xx, yy, zz, xy, xz, yz). */
static void add_tetrahedron(const double a[3], const double b[3], const double c[3], double *volume,
                            double first[3], double second[6])
{
    static const int at[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    double cross[3], sum[3];
    abuti_v3_cross(cross, b, c);
    double v = abuti_v3_dot(a, cross) / 6;
    for (int k = 0; k < 3; ++k) sum[k] = a[k] + b[k] + c[k];
    *volume += v;
    abuti_v3_add_scaled(first, first, v / 4, sum);
    for (int k = 0; k < 6; ++k) {
        int i = at[k][0], j = at[k][1];
        second[k] += v / 20 * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + sum[i] * sum[j]);
    }
}

static void mass(const abut_shape *s, abut_mass *m)
{
    const abut_convex *convex = s->convex;
    double volume = 0, first[3] = {0, 0, 0}, second[6] = {0, 0, 0, 0, 0, 0}, corner[3][3];
    /* About a vertex, so that what is far from the origin loses no digits. */
    const double *base = convex->vertices[0];
    for (int f = 0; f < convex->face_count; ++f) {
        for (int i = convex->start[f] + 1; i + 1 < convex->start[f + 1]; ++i) {
            const int at[3] = {convex->start[f], i, i + 1};
            for (int k = 0; k < 3; ++k)
                abuti_v3_sub(corner[k], convex->vertices[convex->face_vertex[at[k]]], base);
            add_tetrahedron(corner[0], corner[1], corner[2], &volume, first, second);
        }
    }
    double c[3];
    abuti_v3_scale(c, 1 / volume, first);
    abuti_v3_add(m->com, base, c);
    m->mass = volume;
    double xx = second[0] - volume * c[0] * c[0], yy = second[1] - volume * c[1] * c[1],
           zz = second[2] - volume * c[2] * c[2];
    m->inertia[0] = yy + zz;
    m->inertia[1] = xx + zz;
    m->inertia[2] = xx + yy;
    m->inertia[3] = volume * c[0] * c[1] - second[3];
    m->inertia[4] = volume * c[0] * c[2] - second[4];
    m->inertia[5] = volume * c[1] * c[2] - second[5];
}

/* The ray enters behind the last face whose plane it crosses inwards. */
static bool ray(const abut_shape *s, const abut_ray *ray, abut_ray_hit *hit)
{
    const abut_convex *convex = s->convex;
    double enter = 0, leave = 1;
    int face = -1;
    for (int f = 0; f < convex->face_count; ++f) {
        const double *n = convex->normals[f];
        double from[3];
        abuti_v3_sub(from, ray->origin, convex->vertices[convex->face_vertex[convex->start[f]]]);
        double above = abuti_v3_dot(n, from), rate = abuti_v3_dot(n, ray->direction);
        if (rate < 0 && -above / rate > enter) {
            enter = above / -rate;
            face = f;
        } else if (rate > 0) {
            leave = fmin(leave, -above / rate);
        } else if (rate == 0 && above > 0) {
            return false;
        }
    }
    if (!(enter <= leave)) return false;
    if (face < 0) {
        abuti_ray_inside(ray, hit);
    } else {
        abuti_ray_set(ray, enter, convex->normals[face], hit);
    }
    return true;
}

const abuti_shape_kind abuti_convex = {.name = "convex", .check = check, .mass = mass, .ray = ray};
