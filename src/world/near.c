/* Which colliders are near each other. */
#include "world/near.h"
#include "world/colliders.h"
#include "world/list.h"

bool abuti_find_near(abut_world *world, abuti_margin margin)
{
    int n = world->colliders.count;
    world->near.count = 0;
    if (!abuti_list_resize(world, &world->scratch, 6 * n)) return false;
    double *boxes = world->scratch.items;
    for (int i = 0; i < n; i++) {
        const abuti_world_collider *c = &world->colliders.items[i];
        abut_pose pose = abuti_collider_pose(c);
        abut_shape_bounds(&c->def.shape, &pose, boxes + 6 * i, boxes + 6 * i + 3);
        double grow = margin(world, c);
        for (int k = 0; k < 3; k++) {
            boxes[6 * i + k] -= grow;
            boxes[6 * i + 3 + k] += grow;
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            bool meet = true;
            for (int k = 0; k < 3; k++) {
                meet = meet && boxes[6 * i + k] <= boxes[6 * j + 3 + k] &&
                       boxes[6 * j + k] <= boxes[6 * i + 3 + k];
            }
            if (!meet) continue;
            if (!abuti_list_push(world, &world->near)) return false;
            *abuti_list_last(&world->near) = (abuti_near){i, j};
        }
    }
    return true;
}
