/* Egan, Berard and Trinkle, Fig. 7: the summation formulation caps corners, and the cap grows when short
 * sides follow each other. A point is pushed at a corner rounded by 1, 2, ... short sides; how deep does it
 * get?
 *
 *     example_union_short_sides [FILE.svg] */
#include "union_scene.h"

enum { SIDES_MAX = 6 };

static const double radius = 0.02, epsilon = 0.02;

/* Normal of side i of n: from straight up to straight left. */
static void normal_of(int i, int n, double out[2])
{
    double angle = 1.5707963267948966 * (1 + (double)i / (n - 1));
    out[0] = cos(angle);
    out[1] = sin(angle);
}

/* Depth below the true union where the summation stops a point that comes along the diagonal. */
static bool depth_of(int n, abut_union_rule rule, double *depth)
{
    abut_body body = {.mass = 1, .inertia = {1, 1, 1}, .velocity = {1, -1}};
    abut_contact side[SIDES_MAX];
    for (int i = 0; i < n; i++) {
        side[i] = (abut_contact){.bodies = {0, ABUT_WORLD}, .directions = 2, .group = 1};
        normal_of(i, n, side[i].normal);
        side[i].gap = -radius; /* lines tangent to a small circle about the origin */
        side[i].gap += 0.5 * (side[i].normal[1] - side[i].normal[0]); /* the point starts at (-0.5, 0.5) */
    }
    abut_contact_problem problem = {.model = ABUT_FRICTIONLESS,
                                    .step = 1,
                                    .body_count = 1,
                                    .bodies = &body,
                                    .contact_count = n,
                                    .contacts = side};
    abut_contact_options options = abut_contact_default_options();
    options.union_rule = rule;
    options.union_epsilon = epsilon;
    abut_contact_limits limits = abut_contact_limits_for(&problem, &options);
    abut_contact_workspace *work = NULL;
    abut_contact_result result = {.outcome = ABUT_FAILED};
    bool fine = abut_contact_workspace_create(&limits, NULL, &work) == ABUT_OK &&
                abut_contact_solve(work, &problem, &options, &result) == ABUT_OK &&
                result.outcome == ABUT_SOLVED;
    /* The deepest point that the rule allows on the diagonal, by bisection on the sum (30). */
    double low = 0, high = 1;
    for (int k = 0; k < 60; k++) {
        double t = 0.5 * (low + high), sum = -epsilon, most = -1;
        for (int i = 0; i < n; i++) {
            double a = (side[i].normal[1] - side[i].normal[0]) * 0.70710678118654752 * (radius - t) - radius;
            sum += fmax(-epsilon, a) + epsilon;
            most = fmax(most, a);
        }
        bool allowed = rule == ABUT_UNION_MAX ? most >= 0 : sum >= 0;
        if (allowed)
            low = t;
        else
            high = t;
    }
    *depth = low;
    abut_contact_workspace_destroy(work);
    return fine;
}

int main(int argc, char **argv)
{
    double exact[SIDES_MAX + 1] = {0}, capped[SIDES_MAX + 1] = {0};
    bool fine = true, right = true;
    for (int n = 2; n <= SIDES_MAX; n++) {
        fine = depth_of(n, ABUT_UNION_MAX, &exact[n]) && depth_of(n, ABUT_UNION_SUM, &capped[n]) && fine;
        printf("%d sides: the summation lets the point %.4f m deeper than the union\n", n,
               capped[n] - exact[n]);
        right = right && capped[n] > exact[n] &&
                (n == 2 || capped[n] - exact[n] >= capped[n - 1] - exact[n - 1] - 1e-9);
    }
    if (argc > 1) {
        picture p;
        picture_open(&p, argv[1], 1.2, 6.8, 0);
        for (int rule = 0; rule < 2; rule++) {
            picture_panel(&p,
                          rule ? "summation: depth of the cap, 2 to 6 short sides" : "max: the exact union");
            for (int n = 2; n <= SIDES_MAX; n++) {
                double height = 60 * (rule ? capped[n] - exact[n] : 0);
                const double bar[4][2] = {
                    {n - 0.3, 0.2}, {n + 0.3, 0.2}, {n + 0.3, 0.22 + height}, {n - 0.3, 0.22 + height}};
                picture_polygon(&p, bar, 4, rule ? "fill=\"#b3402f\"" : "fill=\"#2f6db3\"");
            }
        }
        fine = picture_close(&p) && fine;
    }
    return fine && right ? 0 : 1;
}
