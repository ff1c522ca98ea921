#include "family_accel.h"

static const double half_side = 0.5;

static int block(contact_case *c, double x, double z, bench_random *random)
{
    double mass = bench_uniform(random, 0.5, 3.0), inertia[3];
    contact_block_inertia(mass, 2 * half_side, 2 * half_side, 2 * half_side, inertia);
    int body = contact_case_body(c, mass, inertia, (double[]){x, 0, z});
    c->bodies[body].force[2] = -mass * CONTACT_GRAVITY;
    return body;
}

/* In the plane only x, z and the rotation about y are free to be pushed. */
static void push(contact_case *c, int body, bool planar, double size, bench_random *random)
{
    contact_random_wrench(c, body, size, 0.3, random);
    double *force = c->bodies[body].force;
    if (planar) force[1] = force[3] = force[5] = 0.0;
}

static void set_moving(contact_case *c, int body, bool planar, bench_random *random)
{
    double *velocity = c->bodies[body].velocity;
    velocity[0] = bench_uniform(random, -1, 1);
    if (!planar) velocity[1] = bench_uniform(random, -1, 1);
}

/* A contact on a grid of a block's face, so that many coincide or depend on each other; one in eight has a
 * normal that is tilted. */
static void touch(contact_case *c, bool planar, int body, int other, double friction, bench_random *random)
{
    double x = 0.5 * half_side * (bench_below(random, 5) - 2),
           y = 0.5 * half_side * (bench_below(random, 5) - 2);
    double point[3], normal[3] = {0, 0, 1};
    const double *com = c->bodies[body].com;
    int face = bench_below(random, 6); /* mostly the lower one */
    point[0] = com[0] + (face == 0 ? half_side : face == 1 ? -half_side : x);
    point[1] = planar ? 0.0 : com[1] + y;
    point[2] = com[2] + (face < 2 ? x : -half_side);
    if (face < 2) {
        normal[0] = face == 0 ? -1 : 1;
        normal[2] = 0;
    }
    if (bench_below(random, 8) == 0) {
        double angle = bench_uniform(random, -0.5, 0.5);
        normal[0] = sin(angle);
        normal[2] = cos(angle);
    }
    double mu = bench_below(random, 6) == 0 ? 0.0
                : bench_below(random, 3)    ? friction * bench_uniform(random, 0, 1)
                                            : 0.5 * friction;
    int i = contact_case_add(c, body, other, mu, point, normal);
    if (c->failed || !planar) return;
    c->contacts[i].directions = ABUT_DIRECTIONS_MIN;
    c->contacts[i].tangent[0] = normal[2];
    c->contacts[i].tangent[2] = -normal[0];
}

void accel_make(contact_case *c, bool planar, int bodies, int contacts, accel_motion motion, double friction,
                bench_random *random)
{
    contact_case_clear(c);
    c->problem.model = ABUT_COULOMB_ACCEL;
    for (int b = 0; b < bodies; ++b) {
        int body = block(c, 0.0, (2 * b + 1) * half_side, random);
        push(c, body, planar, bench_below(random, 2) ? 10.0 : 0.0, random);
        if (motion == ACCEL_SLIDING || (motion == ACCEL_MIXED && bench_below(random, 2)))
            set_moving(c, body, planar, random);
    }
    for (int i = 0; i < contacts && !c->failed; ++i) {
        int body = i % bodies;
        touch(c, planar, body, body > 0 ? body - 1 : ABUT_WORLD, friction, random);
    }
}

/* Rows that keep two points together, along x and z, and in space along y too. */
static void pin(contact_case *c, bool planar, int a, int b, const double point[3])
{
    for (int axis = 0; axis < 3; axis += planar ? 2 : 1) {
        double rows[2][6] = {{0}};
        for (int side = 0; side < (b < 0 ? 1 : 2); ++side) {
            const double *com = c->bodies[side ? b : a].com, sign = side ? -1.0 : 1.0;
            double arm[3] = {point[0] - com[0], point[1] - com[1], point[2] - com[2]};
            rows[side][axis] = sign;
            int j = (axis + 1) % 3, k = (axis + 2) % 3; /* arm x e_axis */
            rows[side][3 + j] = sign * arm[k];
            rows[side][3 + k] = -sign * arm[j];
        }
        contact_case_joint(c, a, b, rows[0], b < 0 ? NULL : rows[1], 0.0);
    }
}

void accel_make_mechanism(contact_case *c, bool planar, int links, accel_motion motion, bench_random *random)
{
    contact_case_clear(c);
    c->problem.model = ABUT_COULOMB_ACCEL;
    for (int b = 0; b < links && !c->failed; ++b) {
        int body = block(c, 2.0 * half_side * b, half_side, random);
        push(c, body, planar, 5.0, random);
        if (motion != ACCEL_AT_REST) c->bodies[body].velocity[0] = 1.0;
        pin(c, planar, body, b > 0 ? b - 1 : ABUT_WORLD,
            (double[]){(2.0 * b - 1.0) * half_side, 0, half_side});
        for (int i = 0; i < 3; ++i) touch(c, planar, body, ABUT_WORLD, 0.6, random);
    }
}
