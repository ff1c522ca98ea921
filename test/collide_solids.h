/* Convex polyhedra for tests. */
#ifndef ABUT_TEST_COLLIDE_SOLIDS_H
#define ABUT_TEST_COLLIDE_SOLIDS_H

#include "abut/shape.h"

#include <math.h>
#include <stdio.h>

static inline abut_convex *solid_make(int vertices, const double (*at)[3], int faces, const int *sizes,
                                      const int *of)
{
    abut_convex_def def = {vertices, at, faces, sizes, of};
    abut_convex *convex = NULL;
    abut_error error;
    if (abut_convex_create(&def, NULL, &convex, &error) != ABUT_OK) printf("%s\n", error.text);
    return convex;
}

static inline abut_convex *solid_tetrahedron(void)
{
    static const double at[4][3] = {{0.5, 0.5, 0.5}, {0.5, -0.5, -0.5}, {-0.5, 0.5, -0.5}, {-0.5, -0.5, 0.5}};
    static const int sizes[4] = {3, 3, 3, 3}, of[12] = {0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2};
    return solid_make(4, at, 4, sizes, of);
}

static inline abut_convex *solid_octahedron(void)
{
    static const double at[6][3] = {{0.6, 0, 0},  {-0.6, 0, 0}, {0, 0.5, 0},
                                    {0, -0.5, 0}, {0, 0, 0.7},  {0, 0, -0.7}};
    static const int sizes[8] = {3, 3, 3, 3, 3, 3, 3, 3};
    static const int of[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    return solid_make(6, at, 8, sizes, of);
}

/* A regular prism about z, radius 0.5, half length 0.4. */
static inline abut_convex *solid_prism(int n)
{
    double at[64][3];
    int sizes[34], of[200], corner = 0;
    for (int i = 0; i < n; ++i) {
        double angle = 6.283185307179586 * i / n;
        for (int k = 0; k < 2; ++k) {
            at[2 * i + k][0] = 0.5 * cos(angle);
            at[2 * i + k][1] = 0.5 * sin(angle);
            at[2 * i + k][2] = k ? 0.4 : -0.4;
        }
        sizes[i] = 4;
        int j = (i + 1) % n, quad[4] = {2 * i, 2 * j, 2 * j + 1, 2 * i + 1};
        for (int k = 0; k < 4; ++k) of[corner++] = quad[k];
    }
    sizes[n] = sizes[n + 1] = n;
    for (int i = 0; i < n; ++i) of[corner++] = 2 * i + 1;
    for (int i = 0; i < n; ++i) of[corner++] = 2 * (n - 1 - i);
    return solid_make(2 * n, (const double(*)[3])at, n + 2, sizes, of);
}

/* Whether a point of its own frame is inside, up to 1e-9. */
static inline int solid_contains(const abut_convex *convex, const double point[3])
{
    abut_convex_def def = abut_convex_get(convex);
    const int *v = def.face_vertices;
    for (int f = 0; f < def.face_count; v += def.face_sizes[f++]) {
        const double *p = def.vertices[v[0]], *q = def.vertices[v[1]], *r = def.vertices[v[2]];
        double e[3], g[3], n[3], above = 0, square = 0;
        for (int k = 0; k < 3; ++k) {
            e[k] = q[k] - p[k];
            g[k] = r[k] - p[k];
        }
        for (int k = 0; k < 3; ++k) n[k] = e[(k + 1) % 3] * g[(k + 2) % 3] - e[(k + 2) % 3] * g[(k + 1) % 3];
        for (int k = 0; k < 3; ++k) {
            above += n[k] * (point[k] - p[k]);
            square += n[k] * n[k];
        }
        if (above > 1e-9 * sqrt(square)) return 0;
    }
    return 1;
}

#endif
