/* Things that may rest: grasps, wedges, arches, stacks, heaps. All touch without gaps; whether the friction at hand
 * holds them is left to chance, and rest_oracle.h tells. */
#include "family_rest.h"
#include "contact_families.h"

#include <math.h>
#include <string.h>

static double friction(bench_random *random)
{
    return bench_below(random, 8) == 0 ? bench_uniform(random, 0.05, 0.2) : bench_uniform(random, 0.2, 1.2);
}

/* A block; its inertia is that of a ball, so that it may be turned as one likes. */
static int add_body(contact_case *c, double mass, double half, double x, double y, double z)
{
    double inertia = 0.4 * mass * half * half;
    int body = contact_case_body(c, mass, (double[3]){inertia, inertia, inertia}, (double[3]){x, y, z});
    c->bodies[body].force[2] = -CONTACT_GRAVITY * mass;
    return body;
}

static void unit(double v[3])
{
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int k = 0; k < 3; ++k) v[k] /= length;
}

/* Contacts at the corners of a rectangle around `centre`, across `normal`: four, sometimes two or eight. */
static void add_face(contact_case *c, int a, int b, const double centre[3], const double normal[3],
                     const double along[3], double half_along, double half_across, double mu,
                     bench_random *random)
{
    int kind = bench_below(random, 10), points = kind == 0 ? 2 : kind < 8 ? 4 : 8;
    double across[3] = {normal[1] * along[2] - normal[2] * along[1],
                        normal[2] * along[0] - normal[0] * along[2],
                        normal[0] * along[1] - normal[1] * along[0]};
    for (int i = 0; i < points; ++i) {
        double p = i & 1 ? 1 : -1, q = i & 2 ? 1 : -1, point[3];
        if (points == 2) q = p;
        if (points == 8 && i >= 4) {
            p *= 0.5;
            q *= 0.9;
        }
        for (int k = 0; k < 3; ++k)
            point[k] = centre[k] + p * half_along * along[k] + q * half_across * across[k];
        contact_case_add(c, a, b, mu, point, normal);
    }
}

/* Blocks in a row between two fingers that slide along x and press. */
void contact_make_grasp(contact_case *c, int blocks, bench_random *random)
{
    double half = bench_uniform(random, 0.02, 0.06), mass = bench_uniform(random, 0.1, 1),
           mu = friction(random);
    double push = bench_uniform(random, 0.5, 4) * mass * CONTACT_GRAVITY * blocks / (2 * mu);
    int fingers[2];
    for (int side = 0; side < 2; ++side) {
        double sign = side == 0 ? -1 : 1;
        int finger = add_body(c, 0.5, half, sign * half * (blocks + 1), 0, 0);
        memset(c->bodies[finger].force, 0, sizeof c->bodies[finger].force);
        c->bodies[finger].force[0] = -sign * push;
        for (int k = 1; k < 6; ++k) {
            double row[6] = {0}, none[6] = {0};
            row[k] = 1;
            contact_case_joint(c, finger, ABUT_WORLD, row, none, 0);
        }
        fingers[side] = finger;
    }
    int left = fingers[0];
    for (int i = 0; i <= blocks; ++i) {
        int body = i < blocks ? add_body(c, mass, half, half * (2 * i + 1 - blocks), 0, 0) : fingers[1];
        double centre[3] = {half * (2 * i - blocks), 0, half * bench_uniform(random, -0.3, 0.3)};
        double reach = half * bench_uniform(random, 0.4, 1);
        add_face(c, body, left, centre, (double[3]){1, 0, 0}, (double[3]){0, 1, 0}, reach, reach, mu, random);
        left = body;
    }
    if (bench_below(random, 3) == 0) contact_random_wrench(c, 2, 0.3 * push, half, random);
}

/* One body between two or more inclined planes, pressed by its weight and a wrench. */
void contact_make_wedge(contact_case *c, int planes, bench_random *random)
{
    double half = bench_uniform(random, 0.02, 0.1), mass = bench_uniform(random, 0.1, 5);
    int body = add_body(c, mass, half, 0, 0, 0);
    double turn = bench_uniform(random, 0, 6.28), spread = bench_uniform(random, 0.2, 1.7);
    for (int i = 0; i < planes; ++i) {
        double angle = turn + 6.283185307179586 * i / planes, tilt = spread * bench_uniform(random, 0.7, 1.3);
        double normal[3] = {cos(angle) * sin(tilt), sin(angle) * sin(tilt), cos(tilt)};
        double along[3] = {-sin(angle), cos(angle), 0}, centre[3];
        unit(normal);
        for (int k = 0; k < 3; ++k) centre[k] = -half * normal[k];
        add_face(c, body, ABUT_WORLD, centre, normal, along, half * bench_uniform(random, 0.1, 0.9),
                 half * bench_uniform(random, 0.1, 0.9), friction(random), random);
    }
    if (bench_below(random, 2)) contact_random_wrench(c, body, 0.5 * mass * CONTACT_GRAVITY, half, random);
}

/* Voussoirs on a semicircle; a load on one of them. */
void contact_make_arch(contact_case *c, int stones, bench_random *random)
{
    const double pi = 3.14159265358979324;
    double radius = 1, thick = radius * bench_uniform(random, 0.15, 0.6),
           deep = bench_uniform(random, 0.1, 0.4);
    double mu = bench_uniform(random, 0.3, 1), step = pi / stones, mass = 40 * thick * deep * step * radius;
    for (int i = 0; i < stones; ++i) {
        double middle = pi - (i + 0.5) * step;
        add_body(c, mass, 0.5 * thick, radius * cos(middle), 0, radius * sin(middle));
    }
    for (int i = 0; i <= stones; ++i) {
        double angle = pi - i * step;
        /* The normal points against the way round, to the stone before. */
        double normal[3] = {-sin(angle), 0, cos(angle)}, out[3] = {cos(angle), 0, sin(angle)};
        double centre[3] = {radius * out[0], 0, radius * out[2]};
        int a = i > 0 ? i - 1 : 0, b = i > 0 && i < stones ? i : ABUT_WORLD;
        for (int k = 0; i == 0 && k < 3; ++k) normal[k] = -normal[k];
        add_face(c, a, b, centre, normal, out, 0.5 * thick, deep, mu, random);
    }
    int loaded = bench_below(random, stones);
    c->bodies[loaded].force[2] -= CONTACT_GRAVITY * mass * bench_uniform(random, 0, 2);
}

/* Boxes on each other, each a little aside and pushed a little. */
void contact_make_leaning_stack(contact_case *c, int boxes, bench_random *random)
{
    double half = 0.1, x = 0, y = 0;
    int below = ABUT_WORLD;
    for (int i = 0; i < boxes; ++i) {
        double mass = bench_below(random, 4) ? 1 : exp(bench_uniform(random, -3, 3)), shift = 0.06 * half;
        x += shift * bench_normal(random);
        y += shift * bench_normal(random);
        int body = add_body(c, mass, half, x, y, half * (2 * i + 1));
        double angle = bench_uniform(random, 0, 1.5), reach = half * bench_uniform(random, 0.5, 1);
        add_face(c, body, below, (double[3]){x, y, 2 * half * i}, (double[3]){0, 0, 1},
                 (double[3]){cos(angle), sin(angle), 0}, reach, reach, friction(random), random);
        if (bench_below(random, 3) == 0)
            contact_random_wrench(c, body, 0.1 * mass * CONTACT_GRAVITY, 0.3 * half, random);
        below = body;
    }
}

/* A heap: each body lies on up to three that are there already, or on the ground, on slanting faces. */
void contact_make_resting_heap(contact_case *c, int bodies, bench_random *random)
{
    double half = 0.1;
    for (int i = 0; i < bodies; ++i) {
        int layer = i / 3, supports = layer == 0 ? 1 : 2 + bench_below(random, 2);
        double x = half * bench_uniform(random, -2, 2), y = half * bench_uniform(random, -2, 2);
        int body = add_body(c, bench_uniform(random, 0.5, 3), half, x, y, half * (1 + 1.8 * layer));
        double turn = bench_uniform(random, 0, 6.28);
        for (int k = 0; k < supports; ++k) {
            int below = layer == 0 ? ABUT_WORLD : 3 * (layer - 1) + (k + i) % 3;
            double angle = turn + 6.28 * k / supports,
                   tilt = supports == 1 ? 0 : bench_uniform(random, 0.1, 0.8);
            double normal[3] = {-cos(angle) * sin(tilt), -sin(angle) * sin(tilt), cos(tilt)};
            double along[3] = {-sin(angle), cos(angle), 0}, centre[3] = {x, y, half * (1 + 1.8 * layer)};
            unit(normal);
            for (int a = 0; a < 3; ++a) centre[a] -= half * normal[a];
            double reach = half * (supports == 1 ? 0.9 : bench_uniform(random, 0.2, 0.7));
            add_face(c, body, below, centre, normal, along, reach, reach, friction(random), random);
        }
    }
}

const rest_family rest_families[] = {
    {"grasps", "blocks in a row between two fingers", contact_make_grasp, {1, 2, 3, 4, 5, 8}},
    {"wedges", "one body between inclined planes", contact_make_wedge, {2, 3, 4, 6}},
    {"arches", "voussoirs on a semicircle, one loaded", contact_make_arch, {3, 5, 7, 11, 15}},
    {"stacks", "boxes on each other, each aside and pushed", contact_make_leaning_stack, {1, 2, 3, 5, 8, 12}},
    {"heaps", "bodies on slanting faces of others", contact_make_resting_heap, {3, 6, 9, 12}},
    {0},
};
