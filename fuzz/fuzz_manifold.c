/* Random bytes as shapes and poses: finite input gives finite output, unit normals and gaps within the margin. */
#include "abut/shape.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct input {
    const uint8_t *data;
    size_t size;
} input;

static uint8_t take_byte(input *in)
{
    if (in->size == 0) return 0;
    in->size--;
    return *in->data++;
}

/* Whole bytes, or simple fractions, so that faces fit exactly now and then; at most 1e6. */
static double take(input *in)
{
    uint8_t how = take_byte(in);
    if (how < 128) return (int8_t)take_byte(in) * 0.125;
    double value = 0;
    uint8_t bytes[sizeof value];
    for (size_t i = 0; i < sizeof value; ++i) bytes[i] = take_byte(in);
    memcpy(&value, bytes, sizeof value);
    return isfinite(value) && fabs(value) <= 1e6 ? value : 1;
}

static double take_length(input *in)
{
    double x = fabs(take(in));
    return x >= 1e-6 ? x : 0.5;
}

static abut_shape take_shape(input *in, const abut_heightfield *field, const abut_mesh *mesh,
                             const abut_convex *convex)
{
    abut_shape s = {.kind = (abut_shape_kind)(take_byte(in) % ABUT_SHAPE_KINDS)};
    s.radius = take_length(in);
    s.half_length = take_length(in);
    for (int k = 0; k < 3; ++k) s.half[k] = take_length(in);
    s.heightfield = field;
    s.mesh = mesh;
    s.convex = convex;
    return s;
}

static abut_pose take_pose(input *in)
{
    abut_pose pose;
    for (int k = 0; k < 3; ++k) pose.position[k] = take(in);
    for (int k = 0; k < 4; ++k) pose.rotation[k] = take(in);
    return pose;
}

static void need(int condition)
{
    if (!condition) abort();
}

static void need_unit(const double v[3])
{
    double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    need(fabs(square - 1) < 1e-9);
}

static void check(const abut_shape *a, const abut_pose *pa, const abut_shape *b, const abut_pose *pb,
                  double margin)
{
    static abut_manifold_point points[200];
    abut_pair_memory memory = {0};
    abut_closest closest;
    int count;
    abut_status status = abut_shape_manifold(a, pa, b, pb, margin, &memory, points, 200, &count);
    need(status == ABUT_OK || status == ABUT_TOO_LARGE || status == ABUT_UNSUPPORTED);
    for (int i = 0; i < count && i < 200; ++i) {
        for (int k = 0; k < 3; ++k) need(isfinite(points[i].point[k]));
        need_unit(points[i].normal);
        need_unit(points[i].tangent);
        need(points[i].gap <= margin);
        need(isfinite(points[i].gap));
        need(points[i].key != 0);
    }
    if (abut_shape_distance(a, pa, b, pb, 1e9, &closest) == ABUT_OK && closest.distance < 1e9) {
        need(isfinite(closest.distance));
        need_unit(closest.normal);
        for (int k = 0; k < 3; ++k) need(isfinite(closest.point_a[k]) && isfinite(closest.point_b[k]));
    }
}

static void check_ray(const abut_shape *s, const abut_pose *pose, const abut_ray *ray)
{
    abut_ray_hit hit;
    if (!abut_shape_ray(s, pose, ray, &hit)) return;
    need(hit.fraction >= 0 && hit.fraction <= 1);
    need_unit(hit.normal);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const double at[5][3] = {{0, 0, 0.5}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
    static const int of[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 1}};
    static const int sizes[5] = {3, 3, 3, 3, 4}, faces[16] = {0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 1, 1, 4, 3, 2};
    static const double heights[9] = {0, 0.5, 0, 0, 0, 0, 0, 0, -0.5};
    abut_heightfield field = {3, 3, {1, 1}, heights};
    abut_mesh_def mesh_def = {5, at, 4, of};
    abut_convex_def convex_def = {5, at, 5, sizes, faces};
    abut_mesh *mesh = NULL;
    abut_convex *convex = NULL;
    need(abut_mesh_create(&mesh_def, NULL, &mesh, NULL) == ABUT_OK);
    need(abut_convex_create(&convex_def, NULL, &convex, NULL) == ABUT_OK);
    input in = {data, size};
    abut_shape a = take_shape(&in, &field, mesh, convex), b = take_shape(&in, &field, mesh, convex);
    abut_pose pa = take_pose(&in), pb = take_pose(&in);
    double margin = fabs(take(&in));
    abut_ray ray;
    for (int k = 0; k < 3; ++k) {
        ray.origin[k] = take(&in);
        ray.direction[k] = take(&in);
    }
    check(&a, &pa, &b, &pb, margin);
    check_ray(&a, &pa, &ray);
    abut_mesh_destroy(mesh);
    abut_convex_destroy(convex);
    return 0;
}
