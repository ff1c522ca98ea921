/* Heightfields and triangle meshes, and convex things above, on, in and below them, for tests of src/collide. */
#ifndef ABUT_TEST_COLLIDE_SURFACES_H
#define ABUT_TEST_COLLIDE_SURFACES_H

#include "collide_poses.h"

enum { FIELD_ROWS = 6, FIELD_COLUMNS = 7, FIELD_POINTS = FIELD_ROWS * FIELD_COLUMNS };

typedef enum surface_kind {
    SURFACE_ROUGH,   /* random heights */
    SURFACE_STEPPED, /* heights on a grid: much is flat, in one plane, or parallel to an axis */
    SURFACE_FLAT,
    SURFACE_ROUGH_MESH,   /* the same triangles as those of SURFACE_ROUGH, without a solid below */
    SURFACE_STEPPED_MESH, /* likewise */
    SURFACE_BLOCK,        /* the twelve triangles of a box */
    SURFACE_OCTAHEDRON,
    SURFACE_KINDS
} surface_kind;

static const char *const surface_names[SURFACE_KINDS] = {"rough field",    "stepped field", "flat field",
                                                         "rough mesh",     "stepped mesh",  "block mesh",
                                                         "octahedron mesh"};

typedef struct surfaces {
    double heights[3][FIELD_POINTS];
    abut_heightfield fields[3];
    abut_mesh *meshes[SURFACE_KINDS];
} surfaces;

static inline abut_mesh *surface_mesh(int vertices, const double (*at)[3], int triangles, const int (*of)[3])
{
    abut_mesh_def def = {vertices, at, triangles, of};
    abut_mesh *mesh = NULL;
    abut_error error;
    if (abut_mesh_create(&def, NULL, &mesh, &error) != ABUT_OK) printf("%s\n", error.text);
    return mesh;
}

/* The triangles of a heightfield as a mesh. */
static inline abut_mesh *surface_mesh_of(const abut_heightfield *f)
{
    double at[FIELD_POINTS][3];
    int of[2 * FIELD_POINTS][3], count = 0;
    for (int r = 0; r < f->rows; ++r) {
        for (int c = 0; c < f->columns; ++c) {
            int i = r * f->columns + c;
            abuti_v3_set(at[i], (c - 0.5 * (f->columns - 1)) * f->spacing[0],
                         (r - 0.5 * (f->rows - 1)) * f->spacing[1], f->heights[i]);
            if (r + 1 == f->rows || c + 1 == f->columns) continue;
            int cell[2][3] = {{i, i + 1, i + f->columns + 1}, {i, i + f->columns + 1, i + f->columns}};
            memcpy(of[count], cell, sizeof cell);
            count += 2;
        }
    }
    return surface_mesh(f->rows * f->columns, (const double(*)[3])at, count, (const int(*)[3])of);
}

static inline void surfaces_make(surfaces *s, uint64_t *state)
{
    static const double octahedron[6][3] = {{0.6, 0, 0},  {-0.6, 0, 0}, {0, 0.5, 0},
                                            {0, -0.5, 0}, {0, 0, 0.7},  {0, 0, -0.7}};
    static const int eight[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                    {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    static const int twelve[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                      {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    double block[8][3];
    *s = (surfaces){.meshes = {NULL}};
    for (int i = 0; i < FIELD_POINTS; ++i) {
        /* On a fine grid: edges that nearly are parallel have crossings that rounding moves. */
        s->heights[SURFACE_ROUGH][i] = floor(random_between(state, -20, 20)) / 64;
        s->heights[SURFACE_STEPPED][i] = 0.25 * (int)(3 * random_unit(state) * random_unit(state));
    }
    for (int i = 0; i < 3; ++i)
        s->fields[i] = (abut_heightfield){FIELD_ROWS, FIELD_COLUMNS, {0.5, 0.5}, s->heights[i]};
    for (int i = 0; i < 8; ++i)
        abuti_v3_set(block[i], i & 1 ? 1 : -1, i & 2 ? 0.75 : -0.75, i & 4 ? 0.5 : -0.5);
    s->meshes[SURFACE_ROUGH_MESH] = surface_mesh_of(&s->fields[SURFACE_ROUGH]);
    s->meshes[SURFACE_STEPPED_MESH] = surface_mesh_of(&s->fields[SURFACE_STEPPED]);
    s->meshes[SURFACE_BLOCK] = surface_mesh(8, (const double(*)[3])block, 12, twelve);
    s->meshes[SURFACE_OCTAHEDRON] = surface_mesh(6, octahedron, 8, eight);
}

static inline void surfaces_destroy(surfaces *s)
{
    for (int i = 0; i < SURFACE_KINDS; ++i) abut_mesh_destroy(s->meshes[i]);
}

static inline abut_shape surface_shape(const surfaces *s, surface_kind kind)
{
    if (kind <= SURFACE_FLAT) return (abut_shape){.kind = ABUT_HEIGHTFIELD, .heightfield = &s->fields[kind]};
    return (abut_shape){.kind = ABUT_MESH, .mesh = s->meshes[kind]};
}

/* Lowers A from above until its distance from the surface is as wanted: by what is between them, as long as that is much, and
 * then as far as the normal says. */
static inline void lower(posed *a, const posed *surface, double distance)
{
    const double near = 1e-6, reach = 0.1;
    abut_closest c = {.distance = reach};
    a->pose.position[2] = 3;
    for (int i = 0; i < 400; ++i) {
        c = (abut_closest){.distance = 0};
        abut_shape_distance(&a->shape, &a->pose, &surface->shape, &surface->pose, reach, &c);
        if (c.distance <= distance + near) break;
        a->pose.position[2] -= fmax(c.distance - distance, near);
    }
    a->pose.position[2] -= (c.distance - distance) / fmax(c.normal[2], 0.1);
}

/* A convex thing at a surface that stands at the origin; the family says how, as random_pair does. */
static inline void random_on_surface(uint64_t *state, const solids *s, pose_family family,
                                     abut_shape_kind kind, posed *a, const posed *surface)
{
    posed unused;
    bool grid = family == POSES_STANDING || family == POSES_TIPPED || family == POSES_SQUARE;
    random_pair(state, s, family == POSES_SQUARE ? POSES_SQUARE : POSES_RANDOM, kind, kind, &unused, a);
    if (family == POSES_STANDING || family == POSES_TIPPED) {
        bool tipped = family == POSES_TIPPED;
        double angle = tipped ? 0.78539816339744831 : random_between(state, -3, 3);
        int axis = tipped ? (int)(3 * random_unit(state)) : 2;
        double turn[4] = {cos(angle / 2), 0, 0, 0};
        turn[1 + axis] = sin(angle / 2);
        memcpy(a->pose.rotation, turn, sizeof turn);
    }
    for (int k = 0; k < 2; ++k)
        a->pose.position[k] =
            grid ? 0.25 * ((int)(9 * random_unit(state)) - 4) : random_between(state, -1.2, 1.2);
    if (family == POSES_SQUARE) {
        a->pose.position[2] = 0.25 * ((int)(7 * random_unit(state)) - 1);
    } else if (family == POSES_RANDOM) {
        a->pose.position[2] = random_between(state, -0.5, 1.5);
    } else {
        lower(a, surface, grid || random_unit(state) < 0.5 ? 0 : random_between(state, -0.01, 0.01));
    }
}

#endif
