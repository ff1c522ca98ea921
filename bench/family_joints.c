/* Bodies on joints and on moving ground: chains that lie and hang, closed loops whose joint rows depend on
 * each other, belts and turntables, and a bit of everything. */
#include "contact_families.h"

static const double LINK = 0.1, MASS = 0.3;

static int add_link(contact_case *c, double x, double y, double z)
{
    double inertia[3];
    contact_block_inertia(MASS, LINK, 0.3 * LINK, 0.3 * LINK, inertia);
    int body = contact_case_body(c, MASS, inertia, (double[]){x, y, z});
    c->bodies[body].force[2] = -CONTACT_GRAVITY * MASS;
    return body;
}

/* Row of a joint: velocity of the point of a body along an axis. */
static void point_row(const contact_case *c, int body, const double at[3], const double axis[3], double sign,
                      double row[6])
{
    double r[3];
    for (int k = 0; k < 3; ++k) {
        r[k] = at[k] - c->bodies[body].com[k];
        row[k] = sign * axis[k];
    }
    for (int k = 0; k < 3; ++k) {
        int e = (k + 1) % 3, f = (k + 2) % 3;
        row[3 + k] = sign * (r[e] * axis[f] - r[f] * axis[e]);
    }
}

/* Two bodies (or a body and the world) share a point: three rows. A hinge about z adds two. */
static void pin(contact_case *c, int a, int b, const double at[3], bool hinge)
{
    for (int k = 0; k < 3; ++k) {
        double axis[3] = {k == 0, k == 1, k == 2}, row_a[6], row_b[6] = {0};
        point_row(c, a, at, axis, 1, row_a);
        if (b >= 0) point_row(c, b, at, axis, -1, row_b);
        contact_case_joint(c, a, b, row_a, row_b, 0);
    }
    for (int k = 0; k < 2 && hinge; ++k) {
        double row_a[6] = {0}, row_b[6] = {0};
        row_a[3 + k] = 1;
        row_b[3 + k] = -1;
        contact_case_joint(c, a, b, row_a, row_b, 0);
    }
}

/* A link lies on the floor with four points of its lower face. */
static void lie(contact_case *c, int body, bench_random *random)
{
    const double *com = c->bodies[body].com;
    for (int i = 0; i < 4; ++i) {
        double point[3] = {com[0] + (i & 1 ? 0.4 : -0.4) * LINK, com[1] + (i & 2 ? 0.15 : -0.15) * LINK,
                           com[2] - 0.15 * LINK};
        contact_case_add(c, body, ABUT_WORLD, contact_usual_friction(random), point, (double[]){0, 0, 1});
    }
}

/* Links in a row, pinned end to end, the first perhaps to the world; every other one on the floor. Sometimes
 * all rows are there twice. */
void contact_make_chain(contact_case *c, int m, bench_random *random)
{
    bool hinge = bench_below(random, 2);
    for (int i = 0; i < m; ++i) {
        int body = add_link(c, LINK * i, 0, 0);
        double at[3] = {LINK * (i - 0.5), 0, 0};
        if (i > 0) pin(c, body, body - 1, at, hinge);
        if (i == 0 && bench_below(random, 2)) pin(c, body, ABUT_WORLD, at, hinge);
        if (i % 2 == 0) lie(c, body, random);
    }
    int again = bench_below(random, 3) == 0 ? c->problem.joint_count : 0;
    for (int i = 0; i < again; ++i) {
        abut_joint twice = c->joints[i];
        contact_case_joint(c, twice.bodies[0], twice.bodies[1], twice.jacobian[0], twice.jacobian[1],
                           twice.target);
    }
    contact_random_wrench(c, m - 1, 2, LINK, random);
}

/* A chain with motors: they may ask for what the floor forbids, or contradict a row that is there twice. */
void contact_make_driven(contact_case *c, int m, bench_random *random)
{
    contact_make_chain(c, m, random);
    for (int i = 0; i < c->problem.joint_count; ++i)
        if (bench_below(random, 6) == 0) c->joints[i].target = bench_uniform(random, -0.05, 0.05);
}

/* A closed ring of at least three links on the floor, hinged about the vertical: its rows are dependent. */
void contact_make_loop(contact_case *c, int m, bench_random *random)
{
    double radius = LINK * m / 6.0;
    for (int i = 0; i < m; ++i) {
        double x, y;
        contact_circle(i, m, &x, &y);
        lie(c, add_link(c, radius * x, radius * y, 0), random);
    }
    for (int i = 0; i < m; ++i) {
        double x, y;
        contact_circle(2 * i + 1, 2 * m, &x, &y);
        pin(c, i, (i + 1) % m, (double[]){radius * x, radius * y, 0}, true);
    }
    contact_random_wrench(c, 0, 2, LINK, random);
}

static int kinematic(contact_case *c, const double velocity[6])
{
    int body = contact_case_body(c, 1, (double[]){1, 1, 1}, (double[]){0, 0, 0});
    c->bodies[body].kind = ABUT_KINEMATIC;
    for (int k = 0; k < 6; ++k) c->bodies[body].velocity[k] = velocity[k];
    return body;
}

/* Blocks side by side on belts and turntables, some of them pushed along by a moving wall. */
void contact_make_belts(contact_case *c, int m, bench_random *random)
{
    double speed = bench_uniform(random, -0.5, 0.5), spin = bench_uniform(random, -2, 2);
    int belt = kinematic(c, (double[]){speed, 0.2 * speed, 0, 0, 0, 0});
    int table = kinematic(c, (double[]){0, 0, 0, 0, 0, spin});
    int wall = kinematic(c, (double[]){bench_uniform(random, 0, 0.2), 0, 0, 0, 0, 0});
    for (int i = 0; i < m; ++i) {
        int body = add_link(c, 2 * LINK * i, 0.1 * LINK * i, 0.15 * LINK);
        lie(c, body, random);
        int ground = bench_below(random, 3) == 0 ? table : belt, first = c->problem.contact_count - 4;
        for (int k = 0; k < 4; ++k)
            if (bench_below(random, 6)) c->contacts[first + k].bodies[1] = ground;
        if (bench_below(random, 3) == 0)
            for (int k = 0; k < 2; ++k) {
                double point[3] = {2 * LINK * i - 0.5 * LINK, (k ? 0.1 : -0.1) * LINK, 0.15 * LINK};
                contact_case_add(c, body, wall, contact_usual_friction(random), point, (double[]){1, 0, 0});
            }
        contact_random_wrench(c, body, 1, LINK, random);
    }
}

/* Several islands: stacks, links, loose bodies, static ground, contacts in random order, tangents given or
 * not. */
void contact_make_clutter(contact_case *c, int m, bench_random *random)
{
    int ground = contact_case_body(c, 1, (double[]){1, 1, 1}, (double[]){0, 0, 0});
    c->bodies[ground].kind = ABUT_STATIC;
    int below = ground;
    for (int i = 0; i < m; ++i) {
        int kind = bench_below(random, 4);
        double x = kind == 0 ? bench_uniform(random, -1, 1) : 0;
        int body = add_link(c, x, bench_uniform(random, -0.02, 0.02), 0.3 * LINK * (i + 0.5));
        if (kind == 3) continue; /* touches nothing */
        lie(c, body, random);
        for (int k = 0; k < 4; ++k) {
            abut_contact *contact = &c->contacts[c->problem.contact_count - 1 - k];
            contact->bodies[1] = kind == 0 ? ABUT_WORLD : below;
            contact->directions = bench_below(random, 2) ? 8 : 4;
            contact->friction = bench_uniform(random, 0, 1);
        }
        if (bench_below(random, 4) == 0) pin(c, body, below, c->bodies[body].com, false);
        contact_random_wrench(c, body, 1, LINK, random);
        if (bench_below(random, 3)) below = body;
    }
    for (int i = c->problem.contact_count - 1; i > 0; i--) { /* any order */
        int j = bench_below(random, i + 1);
        abut_contact swap = c->contacts[i];
        c->contacts[i] = c->contacts[j];
        c->contacts[j] = swap;
    }
}
