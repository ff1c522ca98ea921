/* Prints one hash a pair of shapes of everything a manifold and a distance return, and of masses and rays: equal bits
 * whatever compiler and optimisation built the core (test/hashes). Poses are made by multiplications and additions. */
#include "abut/shape.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { COUNT = 60, ROWS = 6, COLUMNS = 6 };

static uint64_t hash;

static void add(const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; ++i) hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
}

/* Uniform in [-1, 1), by a 64-bit linear congruential generator. */
static double next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-52 - 1;
}

static abut_pose random_pose(uint64_t *state, double far)
{
    abut_pose pose;
    for (int k = 0; k < 3; ++k) pose.position[k] = far * next(state);
    for (int k = 0; k < 4; ++k) pose.rotation[k] = next(state);
    return pose;
}

/* Every third pose is square, so that faces and edges are parallel. */
static void square(abut_pose *pose, int i)
{
    static const double turns[4][4] = {{1, 0, 0, 0}, {1, 1, 0, 0}, {1, 0, 1, 0}, {1, 0, 0, 1}};
    if (i % 3 != 0) return;
    memcpy(pose->rotation, turns[i / 3 % 4], sizeof pose->rotation);
    for (int k = 0; k < 3; ++k) pose->position[k] = 0.25 * (double)(int)(4 * pose->position[k]);
}

static void add_manifold(const abut_shape *a, const abut_pose *pa, const abut_shape *b, const abut_pose *pb)
{
    static abut_manifold_point points[400];
    abut_pair_memory memory = {0};
    abut_closest closest = {0};
    int count, status = abut_shape_manifold(a, pa, b, pb, 0.1, &memory, points, 400, &count);
    add(&status, sizeof status);
    add(&count, sizeof count);
    add(&memory, sizeof memory);
    for (int i = 0; i < count && i < 400; ++i) {
        add(points[i].point, sizeof points[i].point);
        add(points[i].normal, sizeof points[i].normal);
        add(points[i].tangent, sizeof points[i].tangent);
        add(&points[i].gap, sizeof points[i].gap);
        add(&points[i].key, sizeof points[i].key);
    }
    abut_shape_distance(a, pa, b, pb, 3, &closest);
    add(&closest, sizeof closest);
}

static void run(const abut_shape *a, const abut_shape *b)
{
    uint64_t state = 5;
    hash = UINT64_C(0xcbf29ce484222325);
    for (int i = 0; i < COUNT; ++i) {
        abut_pose pa = random_pose(&state, 0.5), pb = random_pose(&state, 0.5);
        square(&pa, i);
        square(&pb, i);
        add_manifold(a, &pa, b, &pb);
        abut_ray ray = {{2 * next(&state), 2 * next(&state), 2}, {next(&state), next(&state), -4}};
        abut_ray_hit hit = {0};
        abut_mass mass = {0};
        abut_shape_ray(a, &pa, &ray, &hit);
        abut_shape_mass(a, 3, &mass);
        abut_mass_move(&mass, &pa);
        add(&hit, sizeof hit);
        add(&mass, sizeof mass);
    }
    printf("%-11s %-11s %016" PRIx64 "\n", abut_shape_kind_name(a->kind), abut_shape_kind_name(b->kind),
           hash);
}

int main(void)
{
    static const double corners[6][3] = {{0.6, 0, 0},  {-0.6, 0, 0}, {0, 0.5, 0},
                                         {0, -0.5, 0}, {0, 0, 0.7},  {0, 0, -0.7}};
    static const int sizes[8] = {3, 3, 3, 3, 3, 3, 3, 3};
    static const int faces[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    static const int triangles[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                        {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    static double heights[ROWS * COLUMNS];
    abut_convex_def convex = {6, corners, 8, sizes, faces};
    abut_mesh_def mesh = {6, corners, 8, triangles};
    abut_heightfield field = {ROWS, COLUMNS, {0.5, 0.5}, heights};
    uint64_t state = 11;
    for (int i = 0; i < ROWS * COLUMNS; ++i) heights[i] = 0.2 * next(&state);
    abut_shape s = {.kind = ABUT_SPHERE,
                    .radius = 0.4,
                    .half_length = 0.5,
                    .half = {0.4, 0.5, 0.3},
                    .heightfield = &field};
    abut_convex *made_convex;
    abut_mesh *made_mesh;
    if (abut_convex_create(&convex, NULL, &made_convex, NULL) != ABUT_OK) return 1;
    if (abut_mesh_create(&mesh, NULL, &made_mesh, NULL) != ABUT_OK) return 1;
    s.convex = made_convex;
    s.mesh = made_mesh;
    for (int i = 0; i < ABUT_SHAPE_KINDS; ++i) {
        for (int j = i; j < ABUT_SHAPE_KINDS; ++j) {
            abut_shape a = s, b = s;
            a.kind = (abut_shape_kind)i;
            b.kind = (abut_shape_kind)j;
            run(&a, &b);
        }
    }
    abut_convex_destroy(made_convex);
    abut_mesh_destroy(made_mesh);
    return 0;
}
