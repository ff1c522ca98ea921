/* Egan, Berard and Trinkle, Fig. 7: the summation formulation caps corners, and the cap grows when short
 * sides follow each other. A point is thrown at many targets around a corner that 2 to 6 sides make; how deep
 * in the obstacle is it after the step? All depths are measured on the answers.
 *
 *     example_union_short_sides [FILE.svg] */
#include "union_scene.h"

enum { SIDES_MAX = 6, SIDES_DRAWN = 4, TARGETS = 41 /* along x, and along y */ };

static const double radius = 0.02, epsilon = 0.02;

/* Normal of side i of n: from straight up to straight left. The sides touch a small circle about the origin.
 */
static void normal_of(int i, int n, double out[2])
{
    double angle = 1.5707963267948966 * (1 + (double)i / (n - 1));
    out[0] = cos(angle);
    out[1] = sin(angle);
}

/* Where a point ends that is thrown from (-0.3, 0.3) at a target; and its depth in the obstacle. */
static bool throw_at(int n, abut_union_rule rule, const double target[2], double end[2], double *depth)
{
    static const double start[2] = {-0.3, 0.3};
    abut_body body = {.mass = 1,
                      .inertia = {1, 1, 1},
                      .com = {start[0], start[1]},
                      .velocity = {target[0] - start[0], target[1] - start[1]}};
    abut_contact side[SIDES_MAX];
    for (int i = 0; i < n; ++i) {
        side[i] = (abut_contact){
            .bodies = {0, ABUT_WORLD}, .point = {start[0], start[1]}, .directions = 2, .group = 1};
        normal_of(i, n, side[i].normal);
        side[i].gap = side[i].normal[0] * start[0] + side[i].normal[1] * start[1] - radius;
    }
    abut_contact_problem problem = {.model = ABUT_FRICTIONLESS,
                                    .step = 1,
                                    .body_count = 1,
                                    .bodies = &body,
                                    .contact_count = n,
                                    .contacts = side};
    abut_contact_options options = abut_contact_default_options();
    options.unions.rule = rule;
    options.unions.epsilon = epsilon;
    abut_contact_limits limits = abut_contact_limits_for(&problem, &options);
    abut_contact_workspace *work = NULL;
    abut_contact_result result = {.outcome = ABUT_FAILED};
    bool fine = abut_contact_workspace_create(&limits, NULL, &work) == ABUT_OK &&
                abut_contact_solve(work, &problem, &options, &result) == ABUT_OK &&
                result.outcome == ABUT_SOLVED;
    double most = -1;
    for (int i = 0; i < n && fine; ++i) most = fmax(most, result.contacts[i].gap_velocity);
    *depth = -most;
    for (int k = 0; k < 2 && fine; ++k) end[k] = start[k] + result.velocity[k];
    abut_contact_workspace_destroy(work);
    return fine;
}

/* All targets: the deepest end, and a dot for each. */
static bool throw_all(int n, abut_union_rule rule, double *deepest, picture *p)
{
    bool fine = true;
    *deepest = 0;
    for (int k = 0; k < TARGETS * TARGETS && fine; ++k) {
        double target[2] = {-0.04 + 0.08 * (k % TARGETS) / (TARGETS - 1),
                            -0.04 + 0.08 * (k / TARGETS) / (TARGETS - 1)};
        double end[2] = {0, 0}, depth = 0;
        fine = throw_at(n, rule, target, end, &depth);
        *deepest = fmax(*deepest, depth);
        bool in = depth > 1e-9;
        if (p && k % TARGETS % 2 == 0 && k / TARGETS % 2 == 0)
            picture_dot(p, end[0], end[1], in ? 3.5 : 2.5, in ? "fill=\"#b3402f\"" : "fill=\"#2f6db3\"");
    }
    return fine;
}

/* The obstacle: the lines' crossings, and far corners. */
static void draw_obstacle(picture *p, int n)
{
    double at[SIDES_MAX + 3][2] = {{1, -1}, {1, radius}};
    for (int i = 0; i + 1 < n; ++i) {
        double a[2], b[2];
        normal_of(i, n, a);
        normal_of(i + 1, n, b);
        double det = a[0] * b[1] - a[1] * b[0];
        at[2 + i][0] = radius * (b[1] - a[1]) / det;
        at[2 + i][1] = radius * (a[0] - b[0]) / det;
    }
    at[n + 1][0] = -radius;
    at[n + 1][1] = -1;
    picture_polygon(p, (const double(*)[2])at, n + 2, PICTURE_OBSTACLE);
}

static bool draw(const char *path)
{
    picture p;
    bool fine = true;
    picture_open(&p, path, -0.06, 0.06, -0.042);
    for (int rule = 0; rule < 2; ++rule) {
        double deepest = 0;
        char text[64];
        picture_panel(&p, rule ? "Summation" : "Exact union",
                      rule ? "(red: ends in the cap)" : "(where points end that are thrown at it)");
        draw_obstacle(&p, SIDES_DRAWN);
        fine = throw_all(SIDES_DRAWN, (abut_union_rule)rule, &deepest, &p) && fine;
        snprintf(text, sizeof text, "deepest %.1f mm, epsilon %.0f mm", 1e3 * deepest, 1e3 * epsilon);
        picture_text(&p, -0.012, -0.039, "fill=\"#333\"", text);
    }
    return picture_close(&p) && fine;
}

int main(int argc, char **argv)
{
    double exact[SIDES_MAX + 1] = {0}, capped[SIDES_MAX + 1] = {0};
    bool fine = true, right = true;
    for (int n = 2; n <= SIDES_MAX; ++n) {
        fine = throw_all(n, ABUT_UNION_MAX, &exact[n], NULL) &&
               throw_all(n, ABUT_UNION_SUM, &capped[n], NULL) && fine;
        printf("%d sides: at most %.1e m deep by the exact union, %.4f m by the summation\n", n, exact[n],
               capped[n]);
        right = right && exact[n] < 1e-12 && capped[n] > (n == 2 ? 0.0 : capped[n - 1]);
    }
    if (argc > 1) fine = draw(argv[1]) && fine;
    return fine && right ? 0 : 1;
}
