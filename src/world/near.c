/* Which colliders are near each other: a dynamic tree of boxes (collide/tree.h) is asked for each collider that moves.
 *
 * The tree's boxes are fattened, so that it changes rarely; what it answers is looked at once more with the boxes as
 * they are now, and sorted, so that pairs do not depend on how the tree came about. Planes have no box and meet
 * everything. */
#include "world/near.h"
#include "base/sort.h"
#include "world/colliders.h"
#include "world/list.h"

/* m: a box that reaches farther is that of a plane. */
#define HUGE_BOX 1e50

/* Boxes in the tree are larger than needed by this part of their size. */
#define FATTENED 0.1

static const double *box_of(const abut_world *world, int collider)
{
    return world->boxes.items + 6 * collider;
}

static bool is_huge(const double box[6])
{
    return box[3] - box[0] > HUGE_BOX || box[4] - box[1] > HUGE_BOX || box[5] - box[2] > HUGE_BOX;
}

static bool meet(const double a[6], const double b[6])
{
    for (int k = 0; k < 3; ++k) {
        if (a[k] > b[3 + k] || b[k] > a[3 + k]) return false;
    }
    return true;
}

static bool moves(const abut_world *world, int collider)
{
    return abuti_body_moves(world, world->colliders.items[collider].body);
}

/* The boxes of all colliders, grown by their margins. */
static bool find_boxes(abut_world *world, abuti_margin margin)
{
    if (!abuti_list_resize(world, &world->boxes, 6 * world->colliders.count)) return false;
    for (int i = 0; i < world->colliders.count; ++i) {
        const abuti_world_collider *collider = &world->colliders.items[i];
        abut_pose pose = abuti_collider_pose(collider);
        double *box = world->boxes.items + 6 * i, grow = margin(world, collider);
        abut_shape_bounds(&collider->def.shape, &pose, box, box + 3);
        for (int k = 0; k < 3; ++k) {
            box[k] -= grow;
            box[3 + k] += grow;
        }
    }
    return true;
}

/* Puts boxes into the tree, and moves those that have left their fat ones. */
static bool update_tree(abut_world *world)
{
    if (!world->broad_begun) abuti_tree_begin(&world->broad, &world->allocator);
    world->broad_begun = true;
    if (abuti_tree_reserve(&world->broad, world->colliders.count) != ABUT_OK) return false;
    for (int i = 0; i < world->colliders.count; ++i) {
        abuti_world_collider *collider = &world->colliders.items[i];
        const double *box = box_of(world, i);
        double fat[6];
        if (is_huge(box)) continue;
        for (int k = 0; k < 3; ++k) {
            double more = FATTENED * (box[3 + k] - box[k]);
            fat[k] = box[k] - more;
            fat[3 + k] = box[3 + k] + more;
        }
        if (collider->proxy < 0)
            collider->proxy = abuti_tree_insert(&world->broad, fat, fat + 3, i);
        else
            abuti_tree_move(&world->broad, collider->proxy, box, box + 3, fat, fat + 3);
    }
    return true;
}

/* Who asks the tree. */
typedef struct question {
    abut_world *world;
    int collider;
    bool fine; /* there was memory for the answers */
} question;

static bool add_pair(question *q, int other)
{
    int a = q->collider < other ? q->collider : other, b = q->collider < other ? other : q->collider;
    if (!meet(box_of(q->world, a), box_of(q->world, b))) return true;
    q->fine = abuti_list_push(q->world, &q->world->near);
    if (q->fine) *abuti_list_last(&q->world->near) = (uint64_t)a << 32 | (uint64_t)b;
    return q->fine;
}

/* Where both of a pair move, both ask the tree; the one with the lower number notes the pair. */
static bool note_leaf(void *context, int leaf, int other)
{
    (void)leaf;
    question *q = context;
    if (other == q->collider || (other < q->collider && moves(q->world, other))) return true;
    return add_pair(q, other);
}

bool abuti_find_near(abut_world *world, abuti_margin margin)
{
    if (!find_boxes(world, margin) || !update_tree(world)) return false;
    world->near.count = 0;
    question q = {.world = world, .fine = true};
    for (int i = 0; i < world->colliders.count && q.fine; ++i) {
        const double *box = box_of(world, i);
        bool huge = is_huge(box);
        q.collider = i;
        if (!huge && moves(world, i)) abuti_tree_query(&world->broad, box, box + 3, note_leaf, &q);
        for (int k = 0; huge && k < world->colliders.count && q.fine; ++k) {
            if (moves(world, k) && !is_huge(box_of(world, k))) add_pair(&q, k);
        }
    }
    abuti_sort_by_key(world->near.items, world->near.count, sizeof(uint64_t));
    return q.fine;
}
