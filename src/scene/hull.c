/* Convex hulls of meshes, by qhull. The only file that knows that library. */
#include "scene/hull.h"

#include <stdlib.h>
#include <string.h>

#ifdef ABUT_HAVE_QHULL

#include <libqhull_r/qhull_ra.h>

/* Facets with all their vertices in order; qhull has them clockwise from outside. */
static bool take_facets(qhT *qh, abuti_pool *pool, abuti_hull *hull)
{
    facetT *facet;
    vertexT *vertex, **vertexp;
    size_t corners = 0;
    hull->face_count = 0;
    FORALLfacets
    {
        corners += (size_t)qh_setsize(qh, facet->vertices);
        hull->face_count++;
    }
    hull->face_sizes = abuti_pool_take(pool, ((size_t)hull->face_count + 1) * sizeof *hull->face_sizes);
    hull->face_vertices = abuti_pool_take(pool, (corners + 1) * sizeof *hull->face_vertices);
    if (!hull->face_sizes || !hull->face_vertices) return false;
    int face = 0, at = 0;
    FORALLfacets
    {
        setT *ring = qh_facet3vertex(qh, facet);
        int size = qh_setsize(qh, ring), place = size;
        FOREACHvertex_(ring) hull->face_vertices[at + --place] = qh_pointid(qh, vertex->point);
        hull->face_sizes[face] = size;
        at += size;
        qh_settempfree(qh, &ring);
        face++;
    }
    return true;
}

bool abuti_hull_make(abuti_pool *pool, const double *points, int count, abuti_hull *hull)
{
    qhT state;
    qhT *qh = &state;
    memset(hull, 0, sizeof *hull);
    double *copy = malloc((size_t)count * 3 * sizeof *copy);
    if (!copy) return false;
    memcpy(copy, points, (size_t)count * 3 * sizeof *copy);
    FILE *nowhere = fopen("/dev/null", "w");
    qh_zero(qh, nowhere);
    char command[] = "qhull ";
    bool good = qh_new_qhull(qh, 3, count, copy, False, command, nowhere, nowhere) == 0 &&
                take_facets(qh, pool, hull);
    int left, blocks;
    qh_freeqhull(qh, !qh_ALL);
    qh_memfreeshort(qh, &left, &blocks);
    if (nowhere) fclose(nowhere);
    free(copy);
    return good;
}

const char *abuti_hull_left_out(void)
{
    return NULL;
}

#else

bool abuti_hull_make(abuti_pool *pool, const double *points, int count, abuti_hull *hull)
{
    (void)pool, (void)points, (void)count, (void)hull;
    return false;
}

const char *abuti_hull_left_out(void)
{
    return "this build makes no convex hulls: qhull was left out (ABUT_WITH_QHULL)";
}

#endif
