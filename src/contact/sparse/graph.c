/* Neighbours from contacts and joint rows. */
#include "contact/sparse/graph.h"
#include "linalg/kernels.h"
#include <string.h>

void abuti_sparse_graph_layout(sparse_graph *g, abuti_arena *arena, int bodies, int pairs)
{
    g->first = abuti_take(arena, bodies + 2, int);
    g->link = abuti_take(arena, 2 * (size_t)pairs, int);
    g->size = abuti_take(arena, bodies, int);
    g->at = abuti_take(arena, bodies, int);
    g->mark = abuti_take(arena, bodies + 1, int);
    for (int side = 0; side < 2; ++side) g->pair[side] = abuti_take(arena, pairs, int);
}

static int body_of(const abuti_system *s, int side, int i)
{
    return i < s->n ? s->body[side][i] : s->joint_body[side][i - s->n];
}

bool abuti_sparse_graph_same(const sparse_graph *g, const abuti_system *s)
{
    if (g->nodes != s->bodies || g->n != s->n || g->joints != s->joints || g->dim != s->dim) return false;
    for (int side = 0; side < 2; ++side) {
        if (memcmp(g->pair[side], s->body[side], (size_t)s->n * sizeof(int)) != 0) return false;
        if (s->joints > 0 &&
            memcmp(g->pair[side] + s->n, s->joint_body[side], (size_t)s->joints * sizeof(int)) != 0)
            return false;
    }
    for (int i = 0; i < s->bodies && s->parts; ++i)
        if (g->size[i] != s->parts->size[i]) return false;
    return true;
}

/* Each neighbour once: those that were met before are taken out. */
static void drop_repeats(sparse_graph *g)
{
    int used = 0, begin = 0;
    for (int i = 0; i < g->nodes; ++i) g->mark[i] = -1;
    for (int i = 0; i < g->nodes; ++i) {
        int end = g->first[i + 1];
        g->first[i] = used;
        for (int k = begin; k < end; ++k) {
            int j = g->link[k];
            if (g->mark[j] == i) continue;
            g->mark[j] = i;
            g->link[used++] = j;
        }
        begin = end;
    }
    g->first[g->nodes] = used;
}

void abuti_sparse_graph_make(sparse_graph *g, const abuti_system *s)
{
    int pairs = s->n + s->joints, m = s->bodies;
    g->nodes = m;
    g->n = s->n;
    g->joints = s->joints;
    g->dim = s->dim;
    memset(g->first, 0, (size_t)(m + 2) * sizeof(int));
    for (int i = 0; i < pairs; ++i) {
        int a = body_of(s, 0, i), b = body_of(s, 1, i);
        g->pair[0][i] = a;
        g->pair[1][i] = b;
        if (a == m || b == m || a == b) continue;
        g->first[a + 2]++;
        g->first[b + 2]++;
    }
    for (int i = 0; i < m; ++i) {
        g->first[i + 2] += g->first[i + 1];
        g->size[i] = s->parts ? s->parts->size[i] : s->dim;
        g->at[i] = s->parts ? s->parts->at[i] : ABUTI_LANES * i;
    }
    for (int i = 0; i < pairs; ++i) {
        int a = g->pair[0][i], b = g->pair[1][i];
        if (a == m || b == m || a == b) continue;
        g->link[g->first[a + 1]++] = b;
        g->link[g->first[b + 1]++] = a;
    }
    drop_repeats(g);
}
