/* Geometry as programs deliver it: a block on its corners, the situations of one body and small stacks, laid on
 * a slope, with noise on heights, points or normals from 1e-11 to 1e-5 m, or rounded to single precision. So
 * points that should lie in a plane do so only up to the noise, and rows that should depend on each other miss
 * it by a hair. */
#include "contact_families.h"

#include <string.h>

/* The block of the first size: 1 m and 1 kg, so that lengths are parts of it. */
static void unit_block(contact_case *c)
{
    double inertia[3];
    contact_block_inertia(1, 1, 1, 1, inertia);
    int body = contact_case_body(c, 1, inertia, (double[]){0, 0, 0.5});
    c->bodies[body].force[2] = -CONTACT_GRAVITY;
    for (int i = 0; i < 4; ++i)
        contact_case_add(c, body, ABUT_WORLD, 0.5, (double[]){i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, 0},
                         (double[]){0, 0, 1});
}

/* v turned about x, then about z. */
static void turn(double v[3], const double x[2], const double z[2])
{
    double y = x[0] * v[1] - x[1] * v[2];
    v[2] = x[1] * v[1] + x[0] * v[2];
    v[1] = z[1] * v[0] + z[0] * y;
    v[0] = z[0] * v[0] - z[1] * y;
}

/* Makes a slope by turning contacts and centres of mass, but not gravity. Blocks keep their inertia, since they are
 * nearly cubes. */
static void lay_on_slope(contact_case *c, bench_random *random)
{
    double slope = bench_uniform(random, -0.5, 0.5), heading = bench_uniform(random, -3, 3);
    double x[2] = {cos(slope), sin(slope)}, z[2] = {cos(heading), sin(heading)};
    for (int b = 0; b < c->problem.body_count; ++b) turn(c->bodies[b].com, x, z);
    for (int i = 0; i < c->problem.contact_count; ++i) {
        turn(c->contacts[i].point, x, z);
        turn(c->contacts[i].normal, x, z);
        memset(c->contacts[i].tangent, 0, sizeof c->contacts[i].tangent);
    }
}

static void make_unit(double v[3])
{
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int k = 0; k < 3; ++k) v[k] /= length;
}

static void round_to_single(contact_case *c)
{
    for (int i = 0; i < c->problem.contact_count; ++i)
        for (int k = 0; k < 3; ++k) {
            c->contacts[i].point[k] = (double)(float)c->contacts[i].point[k];
            c->contacts[i].normal[k] = (double)(float)c->contacts[i].normal[k];
        }
}

static void add_noise(contact_case *c, bench_random *random)
{
    double size = pow(10, bench_uniform(random, -11, -5));
    int kind = bench_below(random, 3), one = bench_below(random, c->problem.contact_count);
    for (int i = 0; i < c->problem.contact_count; ++i) {
        abut_contact *contact = &c->contacts[i];
        if (kind == 0 && i != one) continue; /* one contact too high */
        for (int k = 0; k < 3; ++k) {
            contact->point[k] += kind == 0 ? size * contact->normal[k] : size * bench_uniform(random, -1, 1);
            if (kind == 2) contact->normal[k] += size * bench_uniform(random, -1, 1);
        }
        make_unit(contact->normal);
    }
}

void contact_make_noisy(contact_case *c, int size, bench_random *random)
{
    if (size == 1)
        unit_block(c);
    else if (size <= CONTACT_SITUATIONS)
        contact_make_single(c, size, random);
    else
        contact_make_stack_lloyd(c, size - CONTACT_SITUATIONS, random);
    if (bench_below(random, 4) > 0) lay_on_slope(c, random);
    if (bench_below(random, 4) == 0)
        round_to_single(c);
    else
        add_noise(c, random);
}

const contact_family contact_noisy_family = {
    "jittered",
    "blocks, single bodies and stacks on slopes with noise of 1e-11 to 1e-5 m, or in single precision",
    false,
    {1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16},
    contact_make_noisy,
};
