/* The dynamic tree against lists: insertions, removals, moves, queries and rays; the same calls, the same tree. */
#include "check.h"
#include "collide/tree.h"
#include "collide_random.h"

enum { MOST = 600 };

typedef struct item {
    bool in;
    int leaf;
    double low[3], high[3];
} item;

typedef struct found {
    int count;
    bool seen[MOST];
} found;

static bool note(void *context, int leaf, int user)
{
    found *f = context;
    (void)leaf;
    CHECK(!f->seen[user]);
    f->seen[user] = true;
    f->count++;
    return true;
}

static void random_bounds(uint64_t *state, double low[3], double high[3])
{
    for (int k = 0; k < 3; ++k) {
        low[k] = random_between(state, -10, 10);
        high[k] = low[k] + random_between(state, 0, 2);
    }
}

static bool meet(const item *i, const double low[3], const double high[3])
{
    for (int k = 0; k < 3; ++k) {
        if (i->low[k] > high[k] || i->high[k] < low[k]) return false;
    }
    return true;
}

static bool ray_meets(const item *i, const double o[3], const double d[3])
{
    double from = 0, to = 1;
    for (int k = 0; k < 3; ++k) {
        double x = (i->low[k] - o[k]) / d[k], y = (i->high[k] - o[k]) / d[k];
        from = fmax(from, fmin(x, y));
        to = fmin(to, fmax(x, y));
    }
    return from <= to;
}

static void compare(const abuti_tree *tree, const item *items, uint64_t *state)
{
    double low[3], high[3], o[3], d[3], most = 1;
    found f = {0}, g = {0};
    random_bounds(state, low, high);
    abuti_tree_query(tree, low, high, note, &f);
    random_bounds(state, o, d);
    abuti_tree_ray(tree, o, d, &most, note, &g);
    for (int i = 0; i < MOST; ++i) {
        CHECK(f.seen[i] == (items[i].in && meet(&items[i], low, high)));
        CHECK(g.seen[i] == (items[i].in && ray_meets(&items[i], o, d)));
    }
}

static void test_against_list(void)
{
    uint64_t state = check_seed(41);
    static item items[MOST];
    abuti_tree tree;
    abuti_tree_begin(&tree, NULL);
    CHECK(abuti_tree_reserve(&tree, 10) == ABUT_OK);
    CHECK(abuti_tree_reserve(&tree, MOST) == ABUT_OK);
    for (int step = 0; step < 20000; ++step) {
        int i = (int)(random_unit(&state) * MOST);
        double low[3], high[3];
        random_bounds(&state, low, high);
        if (!items[i].in) {
            items[i].leaf = abuti_tree_insert(&tree, low, high, i);
            CHECK(items[i].leaf >= 0);
        } else if (step % 3 == 0) {
            abuti_tree_remove(&tree, items[i].leaf);
        } else {
            CHECK(!abuti_tree_move(&tree, items[i].leaf, items[i].low, items[i].high, low, high));
            CHECK(abuti_tree_move(&tree, items[i].leaf, low, high, low, high));
        }
        items[i].in = !items[i].in || step % 3 != 0;
        memcpy(items[i].low, low, sizeof low);
        memcpy(items[i].high, high, sizeof high);
        if (step % 50 == 0) compare(&tree, items, &state);
    }
    CHECK(tree.nodes[tree.root].height < 24);
    abuti_tree_end(&tree);
}

/* In a row, which is the worst order for a tree without balance. */
static void test_row(void)
{
    abuti_tree tree;
    abuti_tree_begin(&tree, NULL);
    CHECK(abuti_tree_insert(&tree, (double[3]){0, 0, 0}, (double[3]){1, 1, 1}, 0) == -1);
    CHECK(abuti_tree_reserve(&tree, 10000) == ABUT_OK);
    for (int i = 0; i < 10000; ++i)
        CHECK(abuti_tree_insert(&tree, (double[3]){i, 0, 0}, (double[3]){i + 1, 1, 1}, i) >= 0);
    CHECK(abuti_tree_insert(&tree, (double[3]){0, 0, 0}, (double[3]){1, 1, 1}, 0) == -1);
    CHECK(tree.nodes[tree.root].height < 30);
    abuti_tree_end(&tree);
}

int main(void)
{
    RUN(test_against_list);
    RUN(test_row);
    return check_report();
}
