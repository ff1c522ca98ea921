/* Volume, centre and inertia of meshes, by MuJoCo's conventions: sums over the pyramids that the faces make with a
 * point inside. `exact` takes them with their signs, `legacy` without, `convex` takes the faces of the hull, `shell`
 * the faces themselves. */
#include "scene/reader.h"

#include "base/space.h"
#include "scene/hull.h"
#include <string.h>

enum { CONVEX, LEGACY, EXACT, SHELL };

typedef struct triangles {
    const double *vertices;
    const int *faces;
    int count;
} triangles;

/* Corners of a face relative to a point; twice its area along its normal. */
static void corners(const triangles *mesh, int face, const double from[3], double p[3][3], double normal[3])
{
    double a[3], b[3];
    for (int k = 0; k < 3; ++k)
        abuti_v3_sub(p[k], mesh->vertices + 3 * (size_t)mesh->faces[3 * face + k], from);
    abuti_v3_sub(a, p[1], p[0]);
    abuti_v3_sub(b, p[2], p[0]);
    abuti_v3_cross(normal, a, b);
}

/* The mean of the surface; returns its area. */
static double surface(const triangles *mesh, double centre[3])
{
    static const double origin[3] = {0, 0, 0};
    double total = 0, sum[3] = {0, 0, 0};
    for (int i = 0; i < mesh->count; ++i) {
        double p[3][3], normal[3];
        corners(mesh, i, origin, p, normal);
        double area = abuti_v3_length(normal) / 2;
        for (int k = 0; k < 3; ++k) sum[k] += area * (p[0][k] + p[1][k] + p[2][k]) / 3;
        total += area;
    }
    for (int k = 0; k < 3; ++k) centre[k] = total > 0 ? sum[k] / total : 0;
    return total;
}

/* Volume of the pyramid on a face, from the origin of its corners. */
static double pyramid(double p[3][3], const double normal[3], bool positive)
{
    double volume = abuti_v3_dot(p[0], normal) / 6;
    return positive ? fabs(volume) : volume;
}

static double solid_centre(const triangles *mesh, const double inside[3], bool positive, double com[3])
{
    double total = 0, sum[3] = {0, 0, 0};
    for (int i = 0; i < mesh->count; ++i) {
        double p[3][3], normal[3];
        corners(mesh, i, inside, p, normal);
        double volume = pyramid(p, normal, positive);
        total += volume;
        for (int k = 0; k < 3; ++k) sum[k] += volume * (p[0][k] + p[1][k] + p[2][k]) / 4;
    }
    for (int k = 0; k < 3; ++k) com[k] = inside[k] + (fabs(total) > 0 ? sum[k] / total : 0);
    return total;
}

/* Adds weight times the second moments of the corners: sum of p_i p_i' and of (sum p)(sum p)'. */
static void add_products(double products[6], double weight, double p[3][3])
{
    static const int at[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    double s[3];
    for (int k = 0; k < 3; ++k) s[k] = p[0][k] + p[1][k] + p[2][k];
    for (int k = 0; k < 6; ++k) {
        int a = at[k][0], b = at[k][1];
        double sum = s[a] * s[b];
        for (int c = 0; c < 3; ++c) sum += p[c][a] * p[c][b];
        products[k] += weight * sum;
    }
}

/* Second moments about a centre: a pyramid has 1/20, a triangle 1/12 of these sums, times its volume or area. */
static double second_moments(const triangles *mesh, const double com[3], int convention, double inertia[6])
{
    double total = 0, m[6] = {0};
    for (int i = 0; i < mesh->count; ++i) {
        double p[3][3], normal[3];
        corners(mesh, i, com, p, normal);
        double part =
            convention == SHELL ? abuti_v3_length(normal) / 2 : pyramid(p, normal, convention == LEGACY);
        add_products(m, part / (convention == SHELL ? 12 : 20), p);
        total += part;
    }
    inertia[0] = m[1] + m[2];
    inertia[1] = m[0] + m[2];
    inertia[2] = m[0] + m[1];
    for (int k = 3; k < 6; ++k) inertia[k] = -m[k];
    return total;
}

bool abuti_mesh_measure(abuti_reader *reader, const abuti_element *element, const abut_scene_mesh *mesh,
                        int convention, abuti_mesh_shape *shape)
{
    abuti_source *source = &reader->source;
    triangles faces = {mesh->vertices, mesh->faces, mesh->face_count};
    if ((convention == CONVEX || faces.count == 0) &&
        !abuti_mesh_hull(reader, element, mesh, (int **)&faces.faces, &faces.count))
        return false;
    double centre[3];
    if (!(surface(&faces, centre) >= ABUTI_TINY))
        return abuti_fail(source, ABUT_INVALID_ARGUMENT, element, NULL, "a mesh without surface");
    if (convention == SHELL) {
        /* MuJoCo's centre of a shell is the mean of its pyramids' centres, which is that of the surface. */
        abuti_v3_copy(shape->shell_com, centre);
        shape->area = second_moments(&faces, centre, SHELL, shape->shell_inertia);
        abuti_inertia_settle(shape->shell_inertia);
        return true;
    }
    double volume = solid_centre(&faces, centre, convention == LEGACY, shape->com);
    if (!(volume >= ABUTI_TINY))
        return abuti_fail(source, ABUT_INVALID_ARGUMENT, element, NULL,
                          "a mesh whose volume is %g; turn its faces, or say inertia=\"shell\"", volume);
    shape->solid = second_moments(&faces, shape->com, convention, shape->inertia);
    abuti_inertia_settle(shape->inertia);
    return true;
}

bool abuti_mesh_hull(abuti_reader *reader, const abuti_element *element, const abut_scene_mesh *mesh,
                     int **faces, int *count)
{
    abuti_hull hull;
    const char *left_out = abuti_hull_left_out();
    if (left_out) return abuti_fail(&reader->source, ABUT_UNSUPPORTED, element, NULL, "%s", left_out);
    if (!abuti_hull_make(&reader->scratch, mesh->vertices, mesh->vertex_count, &hull))
        return abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, element, NULL,
                          "its vertices have no convex hull");
    *count = 0;
    for (int i = 0; i < hull.face_count; ++i) *count += hull.face_sizes[i] - 2;
    *faces = abuti_pool_take(&reader->scratch, 3 * ((size_t)*count + 1) * sizeof **faces);
    if (!*faces) return abuti_fail_memory(&reader->source);
    int at = 0;
    const int *ring = hull.face_vertices;
    for (int i = 0; i < hull.face_count; ring += hull.face_sizes[i++]) {
        for (int k = 2; k < hull.face_sizes[i]; ++k) {
            (*faces)[at++] = ring[0];
            (*faces)[at++] = ring[k - 1];
            (*faces)[at++] = ring[k];
        }
    }
    return true;
}
