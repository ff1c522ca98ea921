/* Stacks of blocks (Lloyd Fig. 9, 10) and brick walls: gravity on all, a random wrench on the top. */
#include "contact_families.h"

static const double WIDTH = 0.1, HEIGHT = 0.05, MASS = 0.5;

static int add_block(contact_case *c, double x, double z, double wide, double mass)
{
    double inertia[3];
    contact_block_inertia(mass, wide, WIDTH, HEIGHT, inertia);
    int body = contact_case_body(c, mass, inertia, (double[]){x, 0, z});
    c->bodies[body].force[2] = -CONTACT_GRAVITY * mass;
    return body;
}

/* Faces of two blocks: four corners, or eight where one is turned by 45 degrees. */
static void interface(contact_case *c, int above, int below, int points, double z, bench_random *random)
{
    for (int i = 0; i < points; ++i) {
        double x, y, mu = !random ? 0.25 : contact_usual_friction(random);
        double point[3] = {i & 1 ? WIDTH / 2 : -WIDTH / 2, i & 2 ? WIDTH / 2 : -WIDTH / 2, z};
        if (points == 8) {
            contact_circle(2 * i + 1, 16, &x, &y);
            point[0] = 0.541 * WIDTH * x;
            point[1] = 0.541 * WIDTH * y;
        }
        contact_case_add(c, above, below, mu, point, (double[]){0, 0, 1});
    }
}

static int tower(contact_case *c, int m, const int *points, bench_random *random)
{
    int below = ABUT_WORLD;
    for (int i = 0; i < m; ++i) {
        int body = add_block(c, 0, HEIGHT * (i + 0.5), WIDTH, MASS);
        interface(c, body, below, !points ? 4 : points[i], HEIGHT * i, random);
        below = body;
    }
    return below;
}

void contact_make_stack(contact_case *c, int m, bench_random *random)
{
    contact_random_wrench(c, tower(c, m, NULL, random), 5, WIDTH / 2, random);
}

/* The paper's ten: m from 1 to 5, n from 4 to 32. */
static const struct {
    int bodies, points[5];
} stacks[CONTACT_STACKS] = {
    {1, {4}},       {1, {8}},          {2, {4, 4}},       {2, {8, 8}},          {3, {4, 4, 4}},
    {3, {8, 8, 4}}, {4, {4, 4, 4, 4}}, {4, {8, 8, 8, 4}}, {5, {4, 4, 4, 4, 4}}, {5, {8, 8, 8, 4, 4}}};

int contact_stack_bodies(int configuration)
{
    return stacks[configuration - 1].bodies;
}

int contact_stack_contacts(int configuration)
{
    int sum = 0;
    for (int i = 0; i < stacks[configuration - 1].bodies; ++i) sum += stacks[configuration - 1].points[i];
    return sum;
}

void contact_make_stack_lloyd(contact_case *c, int configuration, bench_random *random)
{
    int top = tower(c, stacks[configuration - 1].bodies, stacks[configuration - 1].points, random);
    contact_random_wrench(c, top, 5, WIDTH / 2, random);
}

/* Gravity alone, or with a push along an axis of symmetry; all friction alike. */
void contact_make_stack_symmetric(contact_case *c, int m, bench_random *random)
{
    int points[5], kind = bench_below(random, 5), top;
    for (int i = 0; i < 5; ++i) points[i] = bench_below(random, 2) ? 8 : 4;
    top = tower(c, m, m <= 5 ? points : NULL, NULL);
    double *force = c->bodies[top].force;
    if (kind == 1) force[0] = 0.25 * CONTACT_GRAVITY * MASS; /* just at the edge of slipping */
    if (kind == 2) force[0] = force[1] = 2;
    if (kind == 3) force[4] = 0.5 * WIDTH * CONTACT_GRAVITY * MASS; /* just at the edge of tipping */
    if (kind == 4) force[5] = 0.05;
}

/* A running bond, rows of bricks twice as wide as deep; each brick stands on two halves, four points each. */
void contact_make_wall(contact_case *c, int m, bench_random *random)
{
    int across = 1;
    while (across * across * 2 < m) across++;
    double wide = 2 * WIDTH;
    int body = 0;
    for (int row = 0; body < m; ++row)
        for (int i = 0; i < across && body < m; i++, ++body) {
            double x = wide * (i + 0.5 * (row % 2));
            add_block(c, x, HEIGHT * (row + 0.5), wide, MASS);
            for (int half = 0; half < 2; ++half) {
                /* Brick j of the row below covers this half if it is there; a half can hang over. */
                int j = row % 2 ? i + half : i - 1 + half, below = body - i - across + j;
                if (row > 0 && (j < 0 || j >= across)) continue;
                double left = x - wide / 2 + half * wide / 2;
                for (int k = 0; k < 4; ++k) {
                    double point[3] = {left + (k & 1 ? wide / 2 : 0), k & 2 ? WIDTH / 2 : -WIDTH / 2,
                                       HEIGHT * row};
                    contact_case_add(c, body, row == 0 ? ABUT_WORLD : below, contact_usual_friction(random),
                                     point, (double[]){0, 0, 1});
                }
            }
        }
    contact_random_wrench(c, m - 1, 3, WIDTH / 2, random);
}
