/* Egan, Berard and Trinkle, Fig. 3 and 9: a point mass at the corner of an obstacle, mass 1, step 2 s. Walls
 * stop it at x = 0 though it would pass above the corner; with a union it passes, and where it would end
 * inside, there are three answers.
 *
 *     example_union_corner [FILE.svg] */
#include "union_scene.h"

typedef struct answers {
    int count;
    double at[8][2];
} answers;

static bool take(const abut_contact_result *result, void *context)
{
    answers *a = context;
    if (a->count == 8) return false;
    a->at[a->count][0] = 1 + 2 * result->velocity[0];
    a->at[a->count++][1] = 1 + 2 * result->velocity[1];
    return true;
}

/* All final positions from (1, 1) with this velocity. With `walls` every side has a group of its own. */
static bool all_answers(double vx, double vy, bool walls, answers *a)
{
    abut_body body = {.mass = 1, .inertia = {1, 1, 1}, .com = {1, 1, 0}, .velocity = {vx, vy}};
    abut_contact side[2];
    for (int i = 0; i < 2; ++i)
        side[i] = (abut_contact){.bodies = {0, ABUT_WORLD},
                                 .point = {1, 1, 0},
                                 .normal = {i == 0, i == 1, 0},
                                 .directions = 2,
                                 .gap = 1,
                                 .group = walls ? 1 + i : 1};
    abut_contact_problem problem = {
        .step = 2, .body_count = 1, .bodies = &body, .contact_count = 2, .contacts = side};
    abut_contact_options options = abut_contact_default_options();
    abut_contact_limits limits = abut_contact_limits_for(&problem, &options);
    abut_contact_workspace *work = NULL;
    int count = 0;
    *a = (answers){0};
    bool fine = abut_contact_workspace_create(&limits, NULL, &work) == ABUT_OK &&
                abut_union_all(work, &problem, &options, take, a, &count) == ABUT_OK && count == a->count;
    abut_contact_workspace_destroy(work);
    return fine;
}

static bool reaches(const answers *a, double x, double y)
{
    for (int i = 0; i < a->count; ++i)
        if (hypot(a->at[i][0] - x, a->at[i][1] - y) < 1e-12) return true;
    return false;
}

#define INTO "#b3402f"
#define OVER "#2f6db3"

static void draw(picture *p, const answers *over, const answers *into, const char *title, const char *note)
{
    static const double block[4][2] = {{-5, -3}, {0, -3}, {0, 0}, {-5, 0}};
    picture_panel(p, title, note);
    picture_polygon(p, block, 4, PICTURE_OBSTACLE);
    for (int k = 0; k < 2; ++k) {
        const answers *a = k ? into : over;
        for (int i = 0; i < a->count; ++i) {
            picture_line(p, 1, 1, a->at[i][0], a->at[i][1],
                         k ? "stroke=\"" INTO "\" stroke-width=\"2\""
                           : "stroke=\"" OVER "\" stroke-width=\"2\"");
            picture_dot(p, a->at[i][0], a->at[i][1], 5.5, k ? "fill=\"" INTO "\"" : "fill=\"" OVER "\"");
        }
    }
    /* Where they would go if nothing were in the way. */
    picture_dot(p, -3, 1, 8, "fill=\"none\" stroke=\"" OVER "\" stroke-dasharray=\"3 2\"");
    picture_dot(p, -3, -1, 8, "fill=\"none\" stroke=\"" INTO "\" stroke-dasharray=\"3 2\"");
    picture_dot(p, 1, 1, 6, "fill=\"white\" stroke=\"black\" stroke-width=\"1.5\"");
}

int main(int argc, char **argv)
{
    answers walls_over, walls_into, over, into;
    bool fine = all_answers(-2, 0, true, &walls_over) && all_answers(-2, -1, true, &walls_into) &&
                all_answers(-2, 0, false, &over) && all_answers(-2, -1, false, &into);
    printf("velocity (-2, 0): x = %g with walls, %g with a union; velocity (-2, -1): %d answers\n",
           walls_over.at[0][0], over.at[0][0], into.count);
    if (argc > 1) {
        picture p;
        picture_open(&p, argv[1], -3.8, 1.8, -1.9);
        draw(&p, &walls_over, &walls_into, "Every face an infinite wall", "");
        draw(&p, &over, &into, "Union of two half-spaces", "(red: three answers)");
        fine = picture_close(&p) && fine;
    }
    bool right = over.count == 1 && reaches(&over, -3, 1) && reaches(&walls_over, 0, 1) && into.count == 3 &&
                 reaches(&into, 0, 0) && reaches(&into, 0, -1) && reaches(&into, -3, 0);
    return fine && right ? 0 : 1;
}
