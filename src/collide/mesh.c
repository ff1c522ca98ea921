/* Triangle meshes: neighbours, a tree of bounds, walks and rays (abut/shape.h). */
#include "collide/mesh.h"
#include "base/arena.h"
#include "collide/shape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAF = 4, DEPTH = 64 };

static abut_status refuse(abut_error *error, const char *format, int index)
{
    if (error) snprintf(error->text, sizeof error->text, format, index);
    return ABUT_INVALID_ARGUMENT;
}

static abut_status check_def(const abut_mesh_def *def, abut_error *error)
{
    if (!def || !def->vertices || !def->triangles) return refuse(error, "mesh: a null pointer", 0);
    if (def->vertex_count < 3 || def->vertex_count > ABUT_MESH_MAX)
        return refuse(error, "mesh: %d vertices; expected 3 to 5000000", def->vertex_count);
    if (def->triangle_count < 1 || def->triangle_count > ABUT_MESH_MAX)
        return refuse(error, "mesh: %d triangles; expected 1 to 5000000", def->triangle_count);
    for (int i = 0; i < def->vertex_count; ++i) {
        for (int k = 0; k < 3; ++k) {
            if (!(fabs(def->vertices[i][k]) <= 1e100))
                return refuse(error, "mesh: vertices[%d]: not finite", i);
        }
    }
    for (int i = 0; i < def->triangle_count; ++i) {
        for (int k = 0; k < 3; ++k) {
            if (def->triangles[i][k] < 0 || def->triangles[i][k] >= def->vertex_count)
                return refuse(error, "mesh: triangles[%d]: no such vertex", i);
        }
    }
    return ABUT_OK;
}

static void layout(abut_mesh *m, abuti_arena *arena)
{
    size_t vertices = (size_t)m->vertex_count, triangles = (size_t)m->triangle_count;
    m->vertices = abuti_arena_take(arena, vertices, sizeof(double[3]));
    m->triangles = abuti_arena_take(arena, triangles, sizeof(int[3]));
    m->normals = abuti_arena_take(arena, triangles, sizeof(double[3]));
    m->neighbour = abuti_arena_take(arena, triangles, sizeof(int32_t[3]));
    m->edge = abuti_arena_take(arena, triangles, sizeof(int32_t[3]));
    m->flat = abuti_take(arena, vertices, bool);
    m->around_start = abuti_take(arena, vertices + 1, int32_t);
    m->around = abuti_take(arena, 6 * triangles, int32_t);
    m->order = abuti_take(arena, triangles, int32_t);
    m->nodes = abuti_take(arena, 2 * triangles, abuti_mesh_node);
    m->edges = abuti_take(arena, 3 * triangles, abuti_mesh_edge);
}

static void corners_of(const abut_mesh *m, int t, double corners[3][3])
{
    for (int k = 0; k < 3; ++k) abuti_v3_copy(corners[k], m->vertices[m->triangles[t][k]]);
}

/* By the lower vertex, the higher one, then the triangle: a total order. */
static int compare_edges(const void *x, const void *y)
{
    const abuti_mesh_edge *a = x, *b = y;
    int low_a = a->v[0] < a->v[1] ? a->v[0] : a->v[1], low_b = b->v[0] < b->v[1] ? b->v[0] : b->v[1];
    int high_a = a->v[0] + a->v[1] - low_a, high_b = b->v[0] + b->v[1] - low_b;
    if (low_a != low_b) return low_a < low_b ? -1 : 1;
    if (high_a != high_b) return high_a < high_b ? -1 : 1;
    if (a->triangle != b->triangle) return a->triangle < b->triangle ? -1 : 1;
    return a->side < b->side ? -1 : a->side > b->side;
}

/* Edges of the same two vertices stand together; two that run against each other join their triangles. */
static void join_edges(abut_mesh *m)
{
    int count = 3 * m->triangle_count;
    for (int t = 0; t < m->triangle_count; ++t) {
        for (int k = 0; k < 3; ++k) {
            m->edges[3 * t + k] = (abuti_mesh_edge){{m->triangles[t][k], m->triangles[t][(k + 1) % 3]}, t, k};
            m->neighbour[t][k] = -1;
        }
    }
    qsort(m->edges, (size_t)count, sizeof *m->edges, compare_edges);
    for (int i = 0, name = 0; i < count; ++i) {
        const abuti_mesh_edge *e = &m->edges[i], *next = i + 1 < count ? &m->edges[i + 1] : e;
        m->edge[e->triangle][e->side] = name++;
        if (next->v[0] != e->v[1] || next->v[1] != e->v[0] || next == e) continue;
        m->edge[next->triangle][next->side] = name - 1;
        m->neighbour[e->triangle][e->side] = next->triangle;
        m->neighbour[next->triangle][next->side] = e->triangle;
        i++;
    }
}

static bool has_area(const abut_mesh *m, int t)
{
    return abuti_v3_dot(m->normals[t], m->normals[t]) > 0;
}

static void fill_triangle(const abut_mesh *m, int t, abuti_triangle *out)
{
    corners_of(m, t, out->corners);
    abuti_v3_copy(out->normal, m->normals[t]);
    out->face = t;
    out->solid = false;
    out->mesh = m;
    out->field = NULL;
    for (int k = 0; k < 3; ++k) {
        int other = m->neighbour[t][k];
        bool has = other >= 0 && has_area(m, other);
        out->vertex[k] = m->triangles[t][k];
        out->edge[k] = m->edge[t][k];
        out->flat_vertex[k] = m->flat[m->triangles[t][k]];
        abuti_triangle_neighbour(out, k, has, has ? m->normals[other] : out->normal);
    }
}

static void find_flat(abut_mesh *m)
{
    abuti_triangle t;
    for (int i = 0; i < m->vertex_count; ++i) m->flat[i] = true;
    for (int i = 0; i < m->triangle_count; ++i) {
        if (!has_area(m, i)) continue;
        fill_triangle(m, i, &t);
        for (int k = 0; k < 3; ++k) {
            if (t.side[k] != ABUTI_FLAT) m->flat[t.vertex[k]] = m->flat[t.vertex[(k + 1) % 3]] = false;
        }
    }
}

/* Counts what is round each vertex, then puts it there. */
static void find_around(abut_mesh *m)
{
    for (int i = 0; i <= m->vertex_count; ++i) m->around_start[i] = 0;
    for (int t = 0; t < m->triangle_count; ++t) {
        for (int k = 0; has_area(m, t) && k < 3; ++k) m->around_start[m->triangles[t][k]] += 2;
    }
    for (int i = 0; i < m->vertex_count; ++i) m->around_start[i + 1] += m->around_start[i];
    for (int t = m->triangle_count - 1; t >= 0; --t) {
        const int *v = m->triangles[t];
        for (int k = 0; has_area(m, t) && k < 3; ++k) {
            m->around[--m->around_start[v[k]]] = v[(k + 1) % 3];
            m->around[--m->around_start[v[k]]] = v[(k + 2) % 3];
        }
    }
}

bool abuti_mesh_highest(const abut_mesh *m, int vertex, const double direction[3], double slack)
{
    for (int i = m->around_start[vertex]; i < m->around_start[vertex + 1]; ++i) {
        if (abuti_rises(m->vertices[vertex], m->vertices[m->around[i]], direction, slack)) return false;
    }
    return true;
}

static double middle(const abut_mesh *m, int t, int axis)
{
    const int *v = m->triangles[t];
    return m->vertices[v[0]][axis] + m->vertices[v[1]][axis] + m->vertices[v[2]][axis];
}

static bool before(const abut_mesh *m, int s, int t, int axis)
{
    double x = middle(m, s, axis), y = middle(m, t, axis);
    return x != y ? x < y : s < t;
}

/* Brings the `rank` lowest of order[first .. first + count) to its front. */
static void select_lowest(abut_mesh *m, int first, int count, int rank, int axis)
{
    int low = first, high = first + count - 1, wanted = first + rank;
    while (low < high) {
        int pivot = m->order[low + (high - low) / 2], i = low, j = high;
        while (i <= j) {
            while (before(m, m->order[i], pivot, axis)) i++;
            while (before(m, pivot, m->order[j], axis)) j--;
            if (i > j) break;
            int32_t swap = m->order[i];
            m->order[i++] = m->order[j];
            m->order[j--] = swap;
        }
        if (wanted <= j) {
            high = j;
        } else if (wanted >= i) {
            low = i;
        } else {
            return;
        }
    }
}

/* Halves by the middles along the longest side; the depth is the logarithm of the count. */
static int build(abut_mesh *m, int first, int count)
{
    int at = m->node_count++;
    abuti_mesh_node *node = &m->nodes[at];
    for (int k = 0; k < 3; ++k) {
        node->low[k] = INFINITY;
        node->high[k] = -INFINITY;
        for (int i = first; i < first + count; ++i) {
            for (int c = 0; c < 3; ++c) {
                double x = m->vertices[m->triangles[m->order[i]][c]][k];
                node->low[k] = fmin(node->low[k], x);
                node->high[k] = fmax(node->high[k], x);
            }
        }
    }
    node->first = first;
    if (count <= LEAF) {
        node->count = count;
        return at;
    }
    double size[3];
    abuti_v3_sub(size, node->high, node->low);
    int axis = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2, half = count / 2;
    select_lowest(m, first, count, half, axis);
    build(m, first, half);
    int right = build(m, first + half, count - half);
    m->nodes[at].right = right;
    return at;
}

abut_status abut_mesh_create(const abut_mesh_def *def, const abut_allocator *allocator, abut_mesh **out,
                             abut_error *error)
{
    if (error) error->text[0] = 0;
    if (!out || !abuti_valid_allocator(allocator)) return ABUT_INVALID_ARGUMENT;
    *out = NULL;
    abut_status status = check_def(def, error);
    if (status != ABUT_OK) return status;
    abut_mesh head = {.allocator = abuti_allocator_or_default(allocator),
                      .vertex_count = def->vertex_count,
                      .triangle_count = def->triangle_count};
    abuti_arena count = {0};
    (void)abuti_take(&count, 1, abut_mesh);
    layout(&head, &count);
    head.bytes = count.used;
    unsigned char *block = abuti_allocate(&head.allocator, head.bytes);
    if (!block) return ABUT_OUT_OF_MEMORY;
    abuti_arena arena = {.base = block, .capacity = head.bytes};
    abut_mesh *m = abuti_take(&arena, 1, abut_mesh);
    *m = head;
    layout(m, &arena);
    memcpy(m->vertices, def->vertices, (size_t)def->vertex_count * sizeof *m->vertices);
    memcpy(m->triangles, def->triangles, (size_t)def->triangle_count * sizeof *m->triangles);
    for (int t = 0; t < m->triangle_count; ++t) {
        double corners[3][3];
        corners_of(m, t, corners);
        if (!abuti_triangle_normal(corners, m->normals[t])) abuti_v3_set(m->normals[t], 0, 0, 0);
        m->order[t] = t;
    }
    join_edges(m);
    find_flat(m);
    find_around(m);
    build(m, 0, m->triangle_count);
    *out = m;
    return ABUT_OK;
}

void abut_mesh_destroy(abut_mesh *mesh)
{
    if (!mesh) return;
    abut_allocator allocator = mesh->allocator;
    abuti_release(&allocator, mesh, mesh->bytes);
}

abut_mesh_def abut_mesh_get(const abut_mesh *m)
{
    return (abut_mesh_def){.vertex_count = m->vertex_count,
                           .vertices = (const double(*)[3])m->vertices,
                           .triangle_count = m->triangle_count,
                           .triangles = (const int(*)[3])m->triangles};
}

static bool meets(const abuti_mesh_node *node, const double low[3], const double high[3])
{
    for (int k = 0; k < 3; ++k) {
        if (node->low[k] > high[k] || node->high[k] < low[k]) return false;
    }
    return true;
}

void abuti_mesh_walk(const abut_mesh *m, const double low[3], const double high[3],
                     abuti_triangle_visitor visit, void *context)
{
    int stack[DEPTH], waiting = 0;
    abuti_triangle t;
    stack[waiting++] = 0;
    while (waiting > 0) {
        int at = stack[--waiting];
        const abuti_mesh_node *node = &m->nodes[at];
        if (!meets(node, low, high)) continue;
        for (int i = node->first; i < node->first + node->count; ++i) {
            if (!has_area(m, m->order[i])) continue;
            fill_triangle(m, m->order[i], &t);
            if (!visit(context, &t)) return;
        }
        if (node->count > 0) continue;
        stack[waiting++] = node->right;
        stack[waiting++] = at + 1;
    }
}

static const char *check(const abut_shape *s)
{
    return s->mesh ? NULL : "mesh";
}

static void bounds(const abut_shape *s, double low[3], double high[3])
{
    abuti_v3_copy(low, s->mesh->nodes[0].low);
    abuti_v3_copy(high, s->mesh->nodes[0].high);
}

/* Whether a ray meets bounds before t. */
static bool ray_meets(const abuti_mesh_node *node, const abut_ray *ray, double t)
{
    double from = 0, to = t;
    for (int k = 0; k < 3; ++k) {
        double o = ray->origin[k], d = ray->direction[k];
        if (d == 0) {
            if (o < node->low[k] || o > node->high[k]) return false;
            continue;
        }
        double near = ((d > 0 ? node->low[k] : node->high[k]) - o) / d;
        double far = ((d > 0 ? node->high[k] : node->low[k]) - o) / d;
        from = fmax(from, near - 1e-12 * fabs(near));
        to = fmin(to, far + 1e-12 * fabs(far));
    }
    return from <= to;
}

static bool ray(const abut_shape *s, const abut_ray *ray, abut_ray_hit *hit)
{
    const abut_mesh *m = s->mesh;
    int stack[DEPTH], waiting = 0, found = -1;
    double t = 1 + 0x1p-50;
    stack[waiting++] = 0;
    while (waiting > 0) {
        int at = stack[--waiting];
        const abuti_mesh_node *node = &m->nodes[at];
        if (!ray_meets(node, ray, t)) continue;
        for (int i = node->first; i < node->first + node->count; ++i) {
            abuti_triangle triangle;
            int index = m->order[i];
            if (!has_area(m, index)) continue;
            corners_of(m, index, triangle.corners);
            abuti_v3_copy(triangle.normal, m->normals[index]);
            if (abuti_triangle_ray(&triangle, ray, &t)) found = index;
        }
        if (node->count > 0) continue;
        stack[waiting++] = node->right;
        stack[waiting++] = at + 1;
    }
    if (found < 0) return false;
    abuti_ray_set(ray, fmin(t, 1), m->normals[found], hit);
    return true;
}

const abuti_shape_kind abuti_mesh = {.name = "mesh", .check = check, .bounds = bounds, .ray = ray};
