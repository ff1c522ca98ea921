/* Egan, Berard and Trinkle, Fig. 6: many unions. A trapezoid lies on the points of wedges and slides over them
 * without friction; it is a little longer than the way from one point to the next but one. Where every face is an
 * infinite wall, the next wedge stops it; as unions the wedges carry it and let it pass. Each time its front comes
 * to lie on the next point, its rear still lies on another, and it touches both of those unions at once.
 *
 *     example_union_many [FILE.svg] */
#include "union_scene.h"

int main(int argc, char **argv)
{
    scene s = {.corners = 4,
               .shape = {{-0.96, -0.3}, {0.96, -0.3}, {1.16, 0.3}, {-1.16, 0.3}},
               .obstacles = 6,
               .pose = {-1.75, 1.3, 0},
               .velocity = {2, 0, 0},
               .gravity = 9.81,
               .step = 0.01,
               .steps = 175};
    for (int k = 0; k < s.obstacles; ++k) {
        const double tip = -2.2 + 0.9 * k, at[3][2] = {{tip - 0.4, 0}, {tip + 0.4, 0}, {tip, 1}};
        s.obstacle[k].count = 3;
        for (int i = 0; i < 3; ++i)
            for (int axis = 0; axis < 2; ++axis) s.obstacle[k].at[i][axis] = at[i][axis];
    }
    track convex, unions;
    s.convex = true;
    bool fine = scene_run(&s, &convex);
    s.convex = false;
    fine = scene_run(&s, &unions) && fine;
    double stopped = convex.pose[convex.frames][0], passed = unions.pose[unions.frames][0], off = 0;
    for (int f = 0; f <= unions.frames; ++f)
        off = fmax(off, fmax(fabs(unions.pose[f][1] - 1.3), fabs(unions.pose[f][2])));
    printf("the body ends at x = %.3f m with walls, %.3f m with unions, off its height by %.1e m; up to %d "
           "unions touched at once; residual %.1e\n",
           stopped, passed, off, unions.most_unions, fmax(convex.worst_residual, unions.worst_residual));
    static const double wall[4] = {-0.8, 0, 0.8, 4}; /* the left side of the third wedge goes on */
    static const picture_word words[] = {
        {-2.95, 2.75, PICTURE_RED, "the left side of the third wedge,"},
        {-2.95, 2.5, PICTURE_RED, "taken for a wall without end"},
        {0, 0, NULL, NULL},
        {-2.95, 2.75, PICTURE_DARK, "it slides on the points of the wedges,"},
        {-2.95, 2.5, PICTURE_DARK, "on two or three of them at a time"},
        {0, 0, NULL, NULL},
    };
    if (argc > 1)
        fine = scene_picture(argv[1], &s, &convex, &unions, -3.1, 3.1, -0.4, 5, wall, words) && fine;
    bool right = unions.most_unions >= 2 && stopped < 0 && fabs(passed - 1.75) < 1e-9 && off < 1e-9;
    return fine && right ? 0 : 1;
}
