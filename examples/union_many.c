/* Egan, Berard and Trinkle, Fig. 6: many unions. A trapezoid glides closely over the points of four wedges.
 * Where every face is an infinite wall, the first wedge turns it away; as unions the wedges let it pass.
 *
 *     example_union_many [FILE.svg] */
#include "union_scene.h"

int main(int argc, char **argv)
{
    scene s = {.corners = 4,
               .shape = {{-0.45, -0.3}, {0.45, -0.3}, {0.7, 0.3}, {-0.7, 0.3}},
               .obstacles = 4,
               .obstacle = {{3, {{-1.8, 0}, {-0.8, 0}, {-1.3, 1}}},
                            {3, {{-0.9, 0}, {0.1, 0}, {-0.4, 1}}},
                            {3, {{0, 0}, {1, 0}, {0.5, 1}}},
                            {3, {{0.9, 0}, {1.9, 0}, {1.4, 1}}}},
               .pose = {-2.2, 1.32, 0},
               .velocity = {2, 0, 0},
               .step = 0.01,
               .steps = 210};
    track convex, unions;
    s.convex = true;
    bool fine = scene_run(&s, &convex);
    s.convex = false;
    fine = scene_run(&s, &unions) && fine;
    double stopped = convex.pose[convex.frames][0], passed = unions.pose[unions.frames][0];
    printf("the body ends at x = %.3f m with walls, %.3f m with unions; up to %d unions at once; residual "
           "%.1e\n",
           stopped, passed, unions.most_unions, fmax(convex.worst_residual, unions.worst_residual));
    static const double wall[4] = {-1.8, 0, 0.2, 4}; /* the left side of the first wedge goes on */
    if (argc > 1) fine = scene_picture(argv[1], &s, &convex, &unions, -3.1, 2.9, -0.4, 5, wall) && fine;
    return fine && unions.most_unions >= 2 && stopped < 0 && fabs(passed - 2.0) < 1e-9 ? 0 : 1;
}
