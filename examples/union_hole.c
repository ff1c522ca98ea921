/* Egan, Berard and Trinkle, Fig. 1: a block slides over a hole with a slanted side, without friction. Where
 * every face is an infinite wall, the slanted side stops the block in mid-air; as a union with the floor
 * behind it, it lets the block pass.
 *
 * Nothing pushes the block along the floor, and planar.h hands its support over from vertex to corner without
 * a gap. So with unions it keeps its speed and height to rounding, wherever it meets the corners within a
 * step: that is checked for several starts.
 *
 *     example_union_hole [FILE.svg] */
#include "union_scene.h"

int main(int argc, char **argv)
{
    scene s = {.corners = 4,
               .shape = {{-1.5, -0.5}, {1.5, -0.5}, {1.5, 0.5}, {-1.5, 0.5}},
               .obstacles = 1,
               .obstacle = {{8, {{-6, -4}, {4, -4}, {4, 0}, {0, 0}, {-0.3, -1}, {-1, -1}, {-1, 0}, {-6, 0}}}},
               .velocity = {3, 0, 0},
               .gravity = 9.81,
               .step = 0.01,
               .steps = 150};
    track convex, unions;
    bool fine = true, right = true;
    for (int start = 0; start < 7; ++start) {
        s.pose[0] = -3.19 - 0.03 * start / 7; /* a step is 0.03 m */
        s.pose[1] = 0.5;
        s.convex = true;
        fine = scene_run(&s, &convex) && fine;
        s.convex = false;
        fine = scene_run(&s, &unions) && fine;
        double stopped = convex.pose[convex.frames][0] + 1.5, passed = unions.pose[unions.frames][0] + 1.5;
        printf(
            "front of the block: %.3f m with walls, %.3f m at %.15g m/s with unions; worst residual %.1e\n",
            stopped, passed, unions.velocity[0], fmax(convex.worst_residual, unions.worst_residual));
        right = right && stopped < 0.01 && fabs(unions.velocity[0] - 3) < 1e-12 &&
                fabs(passed - (s.pose[0] + 1.5 + 4.5)) < 1e-12;
        for (int f = 0; f <= unions.frames; ++f) right = right && fabs(unions.pose[f][1] - 0.5) < 1e-12;
    }
    static const double wall[4] = {-0.3, -1, 0.9, 3}; /* the slanted side goes on */
    static const picture_word words[] = {
        {-3.6, 2.85, PICTURE_RED, "the slanted side of the hole,"},
        {-3.6, 2.5, PICTURE_RED, "taken for a wall without end"},
        {-5.0, 1.6, PICTURE_DARK, "the block comes from the left"},
        {-5.0, 1.25, PICTURE_DARK, "and stops over the hole:"},
        {0.55, 0.5, PICTURE_DARK, "nothing is here,"},
        {0.55, 0.15, PICTURE_DARK, "yet it cannot pass"},
        {0, 0, NULL, NULL},
        {-5.0, 1.55, PICTURE_DARK, "the wall, or the floor behind it: the block passes"},
        {0, 0, NULL, NULL},
    };
    if (argc > 1)
        fine = scene_picture(argv[1], &s, &convex, &unions, -5.2, 3.2, -2.2, 5, wall, words) && fine;
    return fine && right ? 0 : 1;
}
