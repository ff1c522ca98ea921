/* A dynamic tree of bounds (tree.h). A leaf goes where the surface of the bounds above it grows least; on the way back
 * up, a child that is two levels higher than its sibling is lifted. */
#include "collide/tree.h"
#include "base/arena.h"

#include <math.h>
#include <string.h>

/* Deeper than a balanced tree of 2^31 leaves can be. */
enum { DEPTH = 128 };

void abuti_tree_begin(abuti_tree *tree, const abut_allocator *allocator)
{
    *tree = (abuti_tree){.allocator = abuti_allocator_or_default(allocator), .root = -1, .free = -1};
}

void abuti_tree_end(abuti_tree *tree)
{
    if (tree->nodes)
        abuti_release(&tree->allocator, tree->nodes, (size_t)tree->capacity * sizeof *tree->nodes);
    tree->nodes = NULL;
    tree->capacity = tree->leaf_count = 0;
    tree->root = tree->free = -1;
}

abut_status abuti_tree_reserve(abuti_tree *tree, int leaves)
{
    if (leaves < 0 || leaves > ABUT_COUNT_MAX) return ABUT_TOO_LARGE;
    int wanted = 2 * leaves;
    if (wanted <= tree->capacity) return ABUT_OK;
    abuti_tree_node *nodes = abuti_allocate(&tree->allocator, (size_t)wanted * sizeof *nodes);
    if (!nodes) return ABUT_OUT_OF_MEMORY;
    if (tree->nodes) {
        memcpy(nodes, tree->nodes, (size_t)tree->capacity * sizeof *nodes);
        abuti_release(&tree->allocator, tree->nodes, (size_t)tree->capacity * sizeof *nodes);
    }
    /* New nodes are free, the lowest first; older free ones come after them. */
    for (int i = wanted - 1; i >= tree->capacity; --i) {
        nodes[i].parent = tree->free;
        nodes[i].height = -1;
        tree->free = i;
    }
    tree->nodes = nodes;
    tree->capacity = wanted;
    return ABUT_OK;
}

static int take(abuti_tree *tree)
{
    int at = tree->free;
    abuti_tree_node *node = &tree->nodes[at];
    tree->free = node->parent;
    node->parent = node->child[0] = node->child[1] = -1;
    node->height = 0;
    node->user = -1;
    return at;
}

static void give_back(abuti_tree *tree, int at)
{
    tree->nodes[at].parent = tree->free;
    tree->nodes[at].height = -1;
    tree->free = at;
}

/* Half of the surface of the bounds of both. */
static double joint_surface(const double low_a[3], const double high_a[3], const double low_b[3],
                            const double high_b[3])
{
    double d[3];
    for (int k = 0; k < 3; ++k) d[k] = fmax(high_a[k], high_b[k]) - fmin(low_a[k], low_b[k]);
    return d[0] * d[1] + d[1] * d[2] + d[2] * d[0];
}

static double surface(const abuti_tree_node *n)
{
    return joint_surface(n->low, n->high, n->low, n->high);
}

static void refit(abuti_tree *tree, int at)
{
    abuti_tree_node *n = &tree->nodes[at], *a = &tree->nodes[n->child[0]], *b = &tree->nodes[n->child[1]];
    n->height = 1 + (a->height > b->height ? a->height : b->height);
    for (int k = 0; k < 3; ++k) {
        n->low[k] = fmin(a->low[k], b->low[k]);
        n->high[k] = fmax(a->high[k], b->high[k]);
    }
}

/* What adding the bounds below a child costs. */
static double descend_cost(const abuti_tree *tree, int child, const double low[3], const double high[3])
{
    const abuti_tree_node *n = &tree->nodes[child];
    double joint = joint_surface(n->low, n->high, low, high);
    return n->height == 0 ? joint : joint - surface(n);
}

static int best_sibling(const abuti_tree *tree, const double low[3], const double high[3])
{
    int at = tree->root;
    while (tree->nodes[at].height > 0) {
        const abuti_tree_node *n = &tree->nodes[at];
        double joint = joint_surface(n->low, n->high, low, high), here = 2 * joint,
               inherited = 2 * (joint - surface(n));
        double first = inherited + descend_cost(tree, n->child[0], low, high);
        double second = inherited + descend_cost(tree, n->child[1], low, high);
        if (here < first && here < second) break;
        at = first <= second ? n->child[0] : n->child[1];
    }
    return at;
}

static void replace_child(abuti_tree *tree, int parent, int old, int new)
{
    if (parent < 0) {
        tree->root = new;
    } else {
        tree->nodes[parent].child[tree->nodes[parent].child[0] == old ? 0 : 1] = new;
    }
    tree->nodes[new].parent = parent;
}

/* Where one child is higher than the other by two, it takes the place of its parent, and gives it its lower child. */
static int balance(abuti_tree *tree, int at)
{
    abuti_tree_node *n = &tree->nodes[at];
    int difference = tree->nodes[n->child[1]].height - tree->nodes[n->child[0]].height;
    if (difference >= -1 && difference <= 1) return at;
    int high = difference > 0 ? 1 : 0, up = n->child[high];
    abuti_tree_node *u = &tree->nodes[up];
    int lower = tree->nodes[u->child[0]].height <= tree->nodes[u->child[1]].height ? 0 : 1,
        moved = u->child[lower];
    replace_child(tree, n->parent, at, up);
    u->child[lower] = at;
    n->parent = up;
    n->child[high] = moved;
    tree->nodes[moved].parent = at;
    refit(tree, at);
    refit(tree, up);
    return up;
}

static void refit_upwards(abuti_tree *tree, int at)
{
    while (at >= 0) {
        refit(tree, at);
        at = balance(tree, at);
        at = tree->nodes[at].parent;
    }
}

static void attach(abuti_tree *tree, int leaf)
{
    abuti_tree_node *l = &tree->nodes[leaf];
    if (tree->root < 0) {
        tree->root = leaf;
        l->parent = -1;
        return;
    }
    int sibling = best_sibling(tree, l->low, l->high), parent = take(tree);
    replace_child(tree, tree->nodes[sibling].parent, sibling, parent);
    tree->nodes[parent].child[0] = sibling;
    tree->nodes[parent].child[1] = leaf;
    tree->nodes[sibling].parent = l->parent = parent;
    refit_upwards(tree, parent);
}

static void detach(abuti_tree *tree, int leaf)
{
    int parent = tree->nodes[leaf].parent;
    if (parent < 0) {
        tree->root = -1;
        return;
    }
    const abuti_tree_node *p = &tree->nodes[parent];
    int sibling = p->child[p->child[0] == leaf ? 1 : 0], above = p->parent;
    replace_child(tree, above, parent, sibling);
    give_back(tree, parent);
    refit_upwards(tree, above);
}

int abuti_tree_insert(abuti_tree *tree, const double low[3], const double high[3], int user)
{
    if (2 * (tree->leaf_count + 1) > tree->capacity) return -1;
    int leaf = take(tree);
    tree->leaf_count++;
    tree->nodes[leaf].user = user;
    memcpy(tree->nodes[leaf].low, low, sizeof(double[3]));
    memcpy(tree->nodes[leaf].high, high, sizeof(double[3]));
    attach(tree, leaf);
    return leaf;
}

void abuti_tree_remove(abuti_tree *tree, int leaf)
{
    detach(tree, leaf);
    give_back(tree, leaf);
    tree->leaf_count--;
}

bool abuti_tree_move(abuti_tree *tree, int leaf, const double inner_low[3], const double inner_high[3],
                     const double low[3], const double high[3])
{
    abuti_tree_node *l = &tree->nodes[leaf];
    bool within = true;
    for (int k = 0; k < 3; ++k) within = within && l->low[k] <= inner_low[k] && inner_high[k] <= l->high[k];
    if (within) return false;
    detach(tree, leaf);
    memcpy(l->low, low, sizeof(double[3]));
    memcpy(l->high, high, sizeof(double[3]));
    attach(tree, leaf);
    return true;
}

static bool meets(const abuti_tree_node *n, const double low[3], const double high[3])
{
    for (int k = 0; k < 3; ++k) {
        if (n->low[k] > high[k] || n->high[k] < low[k]) return false;
    }
    return true;
}

void abuti_tree_query(const abuti_tree *tree, const double low[3], const double high[3],
                      abuti_tree_visitor visit, void *context)
{
    int stack[DEPTH], waiting = 0;
    if (tree->root >= 0) stack[waiting++] = tree->root;
    while (waiting > 0) {
        int at = stack[--waiting];
        const abuti_tree_node *n = &tree->nodes[at];
        if (!meets(n, low, high)) continue;
        if (n->height == 0) {
            if (!visit(context, at, n->user)) return;
        } else if (waiting + 2 <= DEPTH) {
            stack[waiting++] = n->child[1];
            stack[waiting++] = n->child[0];
        }
    }
}

static bool ray_meets(const abuti_tree_node *n, const double o[3], const double d[3], double most)
{
    double from = 0, to = most;
    for (int k = 0; k < 3; ++k) {
        if (d[k] == 0) {
            if (o[k] < n->low[k] || o[k] > n->high[k]) return false;
            continue;
        }
        double near = ((d[k] > 0 ? n->low[k] : n->high[k]) - o[k]) / d[k];
        double far = ((d[k] > 0 ? n->high[k] : n->low[k]) - o[k]) / d[k];
        from = fmax(from, near - 1e-12 * fabs(near));
        to = fmin(to, far + 1e-12 * fabs(far));
    }
    return from <= to;
}

void abuti_tree_ray(const abuti_tree *tree, const double origin[3], const double direction[3],
                    const double *most, abuti_tree_visitor visit, void *context)
{
    int stack[DEPTH], waiting = 0;
    if (tree->root >= 0) stack[waiting++] = tree->root;
    while (waiting > 0) {
        int at = stack[--waiting];
        const abuti_tree_node *n = &tree->nodes[at];
        if (!ray_meets(n, origin, direction, *most)) continue;
        if (n->height == 0) {
            if (!visit(context, at, n->user)) return;
        } else if (waiting + 2 <= DEPTH) {
            stack[waiting++] = n->child[1];
            stack[waiting++] = n->child[0];
        }
    }
}
