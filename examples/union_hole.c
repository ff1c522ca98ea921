/* Egan, Berard and Trinkle, Fig. 1: a block slides over a hole with a slanted side. Where every face is an
 * infinite wall, the slanted side stops the block in mid-air; as a union with the floor behind it, it lets
 * the block pass.
 *
 *     example_union_hole [FILE.svg] */
#include "union_scene.h"

int main(int argc, char **argv)
{
    scene s = {.corners = 4,
               .shape = {{-1.5, -0.5}, {1.5, -0.5}, {1.5, 0.5}, {-1.5, 0.5}},
               .obstacles = 1,
               .obstacle = {{8, {{-6, -2}, {4, -2}, {4, 0}, {0, 0}, {-0.6, -1}, {-1, -1}, {-1, 0}, {-6, 0}}}},
               .pose = {-3.1901, 0.5, 0},
               .velocity = {3, 0, 0},
               .gravity = 9.81,
               .step = 0.01,
               .steps = 130};
    track convex, unions;
    s.convex = true;
    bool fine = scene_run(&s, &convex);
    s.convex = false;
    fine = scene_run(&s, &unions) && fine;
    double stopped = convex.pose[convex.frames][0] + 1.5, passed = unions.pose[unions.frames][0] + 1.5;
    printf("front of the block: %.3f m with walls, %.3f m with unions; worst residual %.1e\n", stopped,
           passed, fmax(convex.worst_residual, unions.worst_residual));
    if (argc > 1) fine = scene_picture(argv[1], &s, &convex, &unions, -5, 3.2, -1.6, 4) && fine;
    bool right = stopped < 0.3 && passed > 2.0 && fabs(unions.velocity[0] - 3) < 0.1 &&
                 fabs(unions.pose[unions.frames][1] - 0.5) < 1e-3;
    return fine && right ? 0 : 1;
}
