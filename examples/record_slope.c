/* Five boxes on one slope, each with another coefficient of friction: who stays, who slides, and how far? Records what
 * happens: `example_record_slope slope.abr`, then `abut view slope.abr -o slope.html`. */

#include "record_loop.h"

enum { BOXES = 5 };
static const double half[3] = {0.16, 0.1, 0.12};
static const double friction[BOXES] = {0.05, 0.15, 0.25, 0.35, 0.6};

static void make_scene(loop *l, double angle)
{
    static const char *const names[BOXES] = {"friction 0.05", "friction 0.15", "friction 0.25",
                                             "friction 0.35", "friction 0.60"};
    double length = 2.2, thick = 0.05, c = cos(angle), s = sin(angle);
    for (int i = 0; i < BOXES; i++) {
        l->named[i] = (abut_record_body){.name = names[i], .mass = 2};
        l->shapes[i] = (abut_record_shape){.body = i, .kind = ABUT_RECORD_BOX, .name = names[i]};
        memcpy(l->shapes[i].size, half, sizeof half);
        loop_box_moments(2, half, l->moments[i]);
        /* On the slope, 1.7 m up. */
        double along = 1.7, above = half[2];
        l->poses[i] =
            (abut_record_pose){.position = {-along * c + above * s, 0.32 * (i - 2), along * s + above * c},
                               .orientation = {cos(angle / 2), 0, sin(angle / 2), 0}};
    }
    l->shapes[BOXES] =
        (abut_record_shape){.body = ABUT_RECORD_WORLD,
                            .kind = ABUT_RECORD_BOX,
                            .name = "slope",
                            .size = {length / 2, 0.9, thick / 2},
                            .position = {-length / 2 * c - thick / 2 * s, 0, length / 2 * s - thick / 2 * c},
                            .orientation = {cos(angle / 2), 0, sin(angle / 2), 0},
                            .colour = {0.62f, 0.66f, 0.72f, 1}};
    l->shapes[BOXES + 1] = (abut_record_shape){
        .body = ABUT_RECORD_WORLD, .kind = ABUT_RECORD_PLANE, .name = "floor", .orientation = {1, 0, 0, 0}};
    l->body_count = BOXES;
    l->shape_count = BOXES + 2;
}

int main(int argc, char **argv)
{
    const double angle = 22 * 3.14159265358979 / 180, origin[3] = {0, 0, 0}, up[3] = {0, 0, 1};
    const double across[3] = {sin(angle), 0, cos(angle)};
    static loop l = {
        .title = "Five boxes on a slope",
        .caption = "The slope has 22 degrees: friction of 0.40 and more would hold. Watch who stays, who "
                   "slides, and where the others come to rest.",
        .step = 0.005,
        .gravity = 9.81};
    make_scene(&l, angle);
    if (!loop_begin(&l, argc > 1 ? argv[1] : "slope.abr")) return 1;
    while (l.time < 4) {
        loop_clear(&l);
        for (int i = 0; i < BOXES; i++) {
            loop_box_on_plane(&l, i, half, origin, across, friction[i]);
            loop_box_on_plane(&l, i, half, origin, up, fmax(friction[i], 0.3)); /* the floor is rough */
        }
        if (!loop_step(&l)) return 1;
    }
    return loop_end(&l);
}
