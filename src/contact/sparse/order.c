/* An order of elimination with little fill: minimum degree on the quotient graph.
 *
 * Eliminating a node makes its neighbours a clique. A clique is kept as an element, a list of its nodes, never
 * as edges; an element that lies in a newer one is absorbed by it. Of each node a list is kept: first the
 * elements that it is in, then the neighbours that no element tells of. Nodes with the same lists are one from
 * then on, and are eliminated together. Degrees are the usual upper bounds (Amestoy, Davis and Duff, "An
 * approximate minimum degree ordering algorithm", 1996). */
#include "contact/sparse/graph.h"

/* What a node has become. */
enum { NODE_LIVE = 0, NODE_ELEMENT = 1, NODE_GONE = 2 };

typedef struct ordering {
    sparse_scratch *w;
    int *pool, *other; /* lists; the other half of the room */
    int used;          /* of the pool */
    int nodes, least, left_weight;
    int *state;
    int stamp; /* of the last comparison of lists */
} ordering;

void abuti_sparse_scratch_layout(sparse_scratch *w, abuti_arena *arena, int bodies, int pairs)
{
    int **const by_node[] = {&w->where, &w->length, &w->elements, &w->degree, &w->weight, &w->head,
                             &w->next,  &w->last,   &w->seen,     &w->left,   &w->into,   &w->work};
    w->pool_room = 4 * pairs + 4 * bodies + 8;
    for (int k = 0; k < 2; ++k) w->pool[k] = abuti_take(arena, w->pool_room, int);
    for (size_t k = 0; k < sizeof by_node / sizeof *by_node; ++k)
        *by_node[k] = abuti_take(arena, 2 * (size_t)bodies + 2, int);
}

/* ---- lists of nodes by degree ---- */

static void degree_insert(ordering *o, int i)
{
    sparse_scratch *w = o->w;
    int d = w->degree[i], head = w->head[d];
    w->next[i] = head;
    w->last[i] = -1;
    if (head >= 0) w->last[head] = i;
    w->head[d] = i;
    if (d < o->least) o->least = d;
}

static void degree_remove(ordering *o, int i)
{
    sparse_scratch *w = o->w;
    if (w->last[i] >= 0) {
        w->next[w->last[i]] = w->next[i];
    } else {
        w->head[w->degree[i]] = w->next[i];
    }
    if (w->next[i] >= 0) w->last[w->next[i]] = w->last[i];
}

static int degree_least(ordering *o)
{
    while (o->w->head[o->least] < 0) o->least++;
    return o->w->head[o->least];
}

/* ---- room ---- */

/* Copies all lists that are still of use to the other half of the room. */
static void tidy(ordering *o)
{
    sparse_scratch *w = o->w;
    int used = 0, *swap = o->pool;
    for (int i = 0; i < o->nodes; ++i) {
        if (o->state[i] == NODE_GONE) continue;
        for (int k = 0; k < w->length[i]; ++k) o->other[used + k] = o->pool[w->where[i] + k];
        w->where[i] = used;
        used += w->length[i];
    }
    o->pool = o->other;
    o->other = swap;
    o->used = used;
}

static void begin(ordering *o, const sparse_graph *g)
{
    sparse_scratch *w = o->w;
    o->used = 0;
    o->least = 0;
    for (int i = 0; i <= g->nodes; ++i) w->head[i] = -1;
    for (int i = 0; i < g->nodes; ++i) {
        w->where[i] = o->used;
        w->length[i] = g->first[i + 1] - g->first[i];
        for (int k = 0; k < w->length[i]; ++k) o->pool[o->used++] = g->link[g->first[i] + k];
        w->elements[i] = 0;
        w->degree[i] = w->length[i];
        w->weight[i] = 1;
        w->seen[i] = -1;
        w->into[i] = -1;
        o->state[i] = NODE_LIVE;
        degree_insert(o, i);
    }
}

/* ---- one elimination ---- */

/* Appends the nodes of a list that are not in the new element yet. Those that are in it have negative weights. */
static int gather(ordering *o, int begin_at, int count, int at)
{
    sparse_scratch *w = o->w;
    for (int k = begin_at; k < begin_at + count; ++k) {
        int i = o->pool[k];
        if (o->state[i] != NODE_LIVE || w->weight[i] <= 0) continue;
        w->weight[i] = -w->weight[i];
        o->pool[at++] = i;
    }
    return at;
}

/* The list of pivot p becomes that of its element: all neighbours. Each of them leaves the list of its degree. */
static int make_element(ordering *o, int p)
{
    sparse_scratch *w = o->w;
    int room = w->length[p];
    for (int k = 0; k < w->elements[p]; ++k) room += w->length[o->pool[w->where[p] + k]];
    if (o->used + room > w->pool_room) tidy(o);
    int own = w->weight[p], at = o->used, weight = 0;
    w->weight[p] = 0;
    for (int k = 0; k < w->elements[p]; ++k) {
        int e = o->pool[w->where[p] + k];
        if (o->state[e] != NODE_ELEMENT) continue;
        at = gather(o, w->where[e], w->length[e], at);
        o->state[e] = NODE_GONE;
    }
    at = gather(o, w->where[p] + w->elements[p], w->length[p] - w->elements[p], at);
    for (int k = o->used; k < at; ++k) {
        degree_remove(o, o->pool[k]);
        weight -= w->weight[o->pool[k]];
    }
    w->weight[p] = own;
    w->where[p] = o->used;
    w->length[p] = at - o->used;
    w->elements[p] = 0;
    o->used = at;
    o->state[p] = NODE_ELEMENT;
    return weight;
}

/* left[e]: the weight of element e outside of the new element p. */
static void weigh_elements(ordering *o, int p)
{
    sparse_scratch *w = o->w;
    for (int k = 0; k < w->length[p]; ++k) {
        int i = o->pool[w->where[p] + k];
        for (int q = 0; q < w->elements[i]; ++q) {
            int e = o->pool[w->where[i] + q];
            if (o->state[e] != NODE_ELEMENT) continue;
            if (w->seen[e] != p) {
                w->seen[e] = p;
                w->left[e] = w->degree[e];
            }
            w->left[e] += w->weight[i];
        }
    }
}

/* Shortens the lists of node i, now that p is an element, to p, elements not inside p, and neighbours not in p. Returns
 * a hash of them. */
static unsigned shorten_lists(ordering *o, int i, int p, int element_weight)
{
    sparse_scratch *w = o->w;
    int at = w->where[i], end = at + w->elements[i], stop = at + w->length[i], to = at, reach = 0;
    unsigned hash = (unsigned)p;
    int kept_variables = 0;
    for (int q = at; q < end; ++q) {
        int e = o->pool[q];
        if (o->state[e] != NODE_ELEMENT) continue;
        if (w->left[e] == 0) {
            o->state[e] = NODE_GONE;
            continue;
        }
        reach += w->left[e];
        hash += (unsigned)e;
        o->pool[to++] = e;
    }
    int elements = to - at;
    for (int q = end; q < stop; ++q) {
        int j = o->pool[q];
        if (o->state[j] != NODE_LIVE || w->weight[j] <= 0) continue;
        reach += w->weight[j];
        hash += (unsigned)j;
        o->pool[to++] = j;
        kept_variables++;
    }
    /* Something has left the lists, p itself or an element that it absorbed: there is a place for p in front. */
    for (int q = to; q > at + elements; --q) o->pool[q] = o->pool[q - 1];
    if (elements > 0) {
        o->pool[at + elements] = o->pool[at];
    }
    o->pool[at] = p;
    w->elements[i] = elements + 1;
    w->length[i] = elements + 1 + kept_variables;
    int others = element_weight + w->weight[i], bound = w->degree[i] + others;
    int degree = reach + others;
    if (bound < degree) degree = bound;
    if (o->left_weight + w->weight[i] < degree) degree = o->left_weight + w->weight[i];
    w->degree[i] = degree;
    return hash;
}

static bool same_lists(ordering *o, int i, int j)
{
    sparse_scratch *w = o->w;
    if (w->length[i] != w->length[j] || w->elements[i] != w->elements[j]) return false;
    o->stamp++;
    for (int q = 0; q < w->length[i]; ++q) w->work[o->pool[w->where[i] + q]] = o->stamp;
    for (int q = 0; q < w->length[j]; ++q) {
        if (w->work[o->pool[w->where[j] + q]] != o->stamp) return false;
    }
    return true;
}

static void absorb(ordering *o, int i, int into)
{
    sparse_scratch *w = o->w;
    w->weight[into] += w->weight[i];
    w->weight[i] = 0;
    w->into[i] = into;
    o->state[i] = NODE_GONE;
}

/* Nodes of element p with the same lists become one. Buckets of hashes use the places of `left` and `last` of
 * the nodes themselves. */
static void merge_alike(ordering *o, int p, int *bucket)
{
    sparse_scratch *w = o->w;
    for (int k = 0; k < w->length[p]; ++k) {
        int i = o->pool[w->where[p] + k];
        if (o->state[i] != NODE_LIVE) continue;
        int key = w->left[i];
        w->last[i] = bucket[key];
        bucket[key] = i;
    }
    for (int k = 0; k < w->length[p]; ++k) {
        int i = o->pool[w->where[p] + k];
        if (o->state[i] != NODE_LIVE) continue;
        for (int head = bucket[w->left[i]]; head >= 0; head = w->last[head]) {
            if (o->state[head] != NODE_LIVE) continue;
            for (int j = w->last[head]; j >= 0; j = w->last[j]) {
                if (o->state[j] == NODE_LIVE && same_lists(o, head, j)) absorb(o, j, head);
            }
        }
        bucket[w->left[i]] = -1;
    }
}

/* What is left of element p goes back into the lists by degree. */
static void close_element(ordering *o, int p)
{
    sparse_scratch *w = o->w;
    int to = w->where[p], weight = 0, end = to + w->length[p];
    for (int k = to; k < end; ++k) {
        int i = o->pool[k];
        if (o->state[i] != NODE_LIVE) continue;
        w->weight[i] = -w->weight[i];
        weight += w->weight[i];
        int most = o->left_weight - w->weight[i];
        if (w->degree[i] > most) w->degree[i] = most;
        if (w->degree[i] < 0) w->degree[i] = 0;
        degree_insert(o, i);
        o->pool[to++] = i;
    }
    w->length[p] = to - w->where[p];
    w->degree[p] = weight;
    if (weight == 0) o->state[p] = NODE_GONE;
}

static void eliminate(ordering *o, int p, int *bucket)
{
    sparse_scratch *w = o->w;
    degree_remove(o, p);
    o->left_weight -= w->weight[p];
    int weight = make_element(o, p);
    weigh_elements(o, p);
    for (int k = 0; k < w->length[p]; ++k) {
        int i = o->pool[w->where[p] + k];
        w->left[i] = (int)(shorten_lists(o, i, p, weight) % (unsigned)o->nodes);
        if (w->length[i] == 1) { /* it has no neighbours but those in p, and is eliminated with p */
            o->left_weight += w->weight[i];
            weight += w->weight[i];
            w->weight[i] = -w->weight[i];
            absorb(o, i, p);
        }
    }
    merge_alike(o, p, bucket);
    close_element(o, p);
}

void abuti_sparse_order(const sparse_graph *g, sparse_scratch *w, int *order)
{
    int m = g->nodes, count = 0;
    ordering o = {.w = w, .pool = w->pool[0], .other = w->pool[1], .nodes = m, .left_weight = m};
    /* Second halves of arrays with room for twice the nodes. */
    int *bucket = w->left + m + 1, *pivot = w->work + m + 1;
    o.state = w->seen + m + 1;
    begin(&o, g);
    for (int i = 0; i < m; ++i) {
        bucket[i] = -1;
        w->work[i] = 0;
    }
    while (o.left_weight > 0) {
        int p = degree_least(&o);
        pivot[count++] = p;
        eliminate(&o, p, bucket);
    }
    /* A node comes together with the one that it was absorbed into. Lists of followers by representative. */
    int *first = w->head, *next = w->next;
    for (int i = 0; i < m; ++i) first[i] = -1;
    for (int i = m - 1; i >= 0; --i) {
        int to = w->into[i];
        if (to < 0) continue;
        while (w->into[to] >= 0) to = w->into[to];
        next[i] = first[to];
        first[to] = i;
    }
    int at = 0;
    for (int k = 0; k < count; ++k) {
        order[at++] = pivot[k];
        for (int i = first[pivot[k]]; i >= 0; i = next[i]) order[at++] = i;
    }
}
