/* What a step leaves behind for the next one: states by key, contacts with their impulses, events.
 *
 * The solver is told where to start, contact by contact, so that all that a world remembers is in the world: a snapshot
 * holds it, and a workspace that had to grow loses nothing. */
#include "world/remember.h"
#include "base/sort.h"
#include "base/space.h"
#include "world/kinematics.h"
#include "world/list.h"
#include <math.h>
#include <string.h>

static const abuti_known *find_known(const abuti_known *known, int count, uint64_t key)
{
    int low = 0, high = count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (known[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && known[low].key == key ? &known[low] : NULL;
}

abut_contact_face abuti_recall_row(const abut_world *world, uint64_t key, double *impulse)
{
    const abuti_known *found = find_known(world->known_rows.items, world->known_rows.count, key);
    *impulse = found ? found->impulse[0] : 0;
    return found ? found->face : (abut_contact_face){.state = ABUT_NEW};
}

void abuti_recall(const abut_world *world, abuti_touch *touch)
{
    const abuti_known *found = find_known(world->known.items, world->known.count, touch->key);
    touch->face = found ? found->face : (abut_contact_face){.state = ABUT_NEW};
    if (found) abuti_v3_copy(touch->impulse, found->impulse);
}

double abuti_approach(const abut_world *world, const abuti_touch *touch)
{
    double first[3], second[3];
    abuti_point_velocity(world, touch->bodies[0], touch->points[0], first);
    abuti_point_velocity(world, touch->bodies[1], touch->points[1], second);
    abuti_v3_sub(first, second, first);
    return abuti_v3_dot(first, touch->normal);
}

static bool add_event(abut_world *world, const abuti_pair *pair, abut_event_kind kind, double speed)
{
    if (!abuti_list_push(world, &world->events)) return false;
    *abuti_list_last(&world->events) = (abut_contact_event){
        .kind = kind, .colliders = {{pair->colliders[0] + 1}, {pair->colliders[1] + 1}}, .speed = speed};
    return true;
}

/* Whether the pair of a contact comes before, at or after a pair. */
static int compare_pairs(const abuti_touch *touch, const abuti_pair *pair)
{
    int low = touch->colliders[0] < touch->colliders[1] ? 0 : 1;
    int first = touch->colliders[low] - pair->colliders[0],
        second = touch->colliders[1 - low] - pair->colliders[1];
    return first ? first : second;
}

/* Pairs between which an impulse begins or ends. Contacts stand pair by pair, in the order of the pairs. */
static bool find_events(abut_world *world)
{
    world->events.count = 0;
    int next = 0;
    for (int i = 0; i < world->pairs.count; ++i) {
        abuti_pair *pair = &world->pairs.items[i];
        bool pressed = false;
        double speed = 0;
        for (; next < world->solved.count; ++next) {
            const abuti_touch *touch = &world->solved.items[next];
            int order = compare_pairs(touch, pair);
            if (order > 0) break;
            if (order < 0) continue; /* a pair that is no longer near */
            if (touch->impulse[0] > 0) pressed = true;
            speed = fmax(speed, touch->approach);
        }
        bool hit = speed > world->def.contact.restitution_threshold;
        if (pressed && !pair->touches &&
            !add_event(world, pair, hit ? ABUT_EVENT_HIT : ABUT_EVENT_BEGIN, speed))
            return false;
        if (!pressed && pair->touches && !add_event(world, pair, ABUT_EVENT_END, 0)) return false;
        pair->touches = pressed;
    }
    return true;
}

static bool keep_touches(abut_world *world, const abuti_touch *touches, int count)
{
    if (!abuti_list_resize(world, &world->solved, count) || !abuti_list_resize(world, &world->known, count))
        return false;
    for (int i = 0; i < count; ++i) {
        world->solved.items[i] = touches[i];
        world->known.items[i] = (abuti_known){.key = touches[i].key, .face = touches[i].face};
        abuti_v3_copy(world->known.items[i].impulse, touches[i].impulse);
    }
    abuti_sort_by_key(world->known.items, count, sizeof(abuti_known));
    return true;
}

static bool keep_rows(abut_world *world, const abuti_rows *rows)
{
    int count = rows->count;
    if (!abuti_list_resize(world, &world->solved_rows, count)) return false;
    if (!abuti_list_resize(world, &world->known_rows, count)) return false;
    for (int i = 0; i < count; ++i) {
        world->solved_rows.items[i] = rows->items[i];
        world->known_rows.items[i] = (abuti_known){
            .key = rows->items[i].key, .impulse = {rows->items[i].impulse}, .face = rows->items[i].face};
    }
    abuti_sort_by_key(world->known_rows.items, count, sizeof(abuti_known));
    return true;
}

bool abuti_remember(abut_world *world, const abuti_touches *touches, const abuti_rows *rows)
{
    return keep_touches(world, touches->items, touches->count) && keep_rows(world, rows) &&
           find_events(world);
}
