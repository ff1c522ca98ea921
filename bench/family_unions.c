/* Random problems with unions: one body, or two that touch; 1 to 4 unions of 1 to 5 sides, and up to 3
 * ordinary contacts, all with friction. Half of them lie in a plane (two directions). Standing still is
 * always allowed: every ordinary contact and one side of every union has a gap >= 0; the other sides are
 * anywhere. */
#include "family_unions.h"

#include <math.h>

/* A unit vector, in the plane z = 0 when `planar`. */
static void unit_vector(bool planar, bench_random *random, double out[3])
{
    double square;
    do {
        square = 0;
        for (int k = 0; k < 3; ++k) {
            out[k] = planar && k == 2 ? 0 : bench_uniform(random, -1, 1);
            square += out[k] * out[k];
        }
    } while (!(square > 1e-2 && square <= 1));
    for (int k = 0; k < 3; ++k) out[k] /= sqrt(square);
}

static int add_contact(contact_case *c, bool planar, const int pair[2], const double point[3],
                       bench_random *random)
{
    double normal[3];
    unit_vector(planar, random, normal);
    int i = contact_case_add(c, pair[0], pair[1], bench_uniform(random, 0, 0.8), point, normal);
    if (c->failed) return i;
    abut_contact *contact = &c->contacts[i];
    contact->directions = planar ? 2 : 4 << bench_below(random, 2);
    if (planar) {
        contact->tangent[0] = -normal[1];
        contact->tangent[1] = normal[0];
    }
    return i;
}

static void random_point(const contact_case *c, int body, bool planar, bench_random *random, double point[3])
{
    for (int k = 0; k < 3; ++k)
        point[k] = planar && k == 2 ? 0 : c->bodies[body].com[k] + bench_uniform(random, -0.5, 0.5);
}

static void add_body(contact_case *c, bool planar, bench_random *random)
{
    double com[3] = {bench_uniform(random, -1, 1), bench_uniform(random, -1, 1), 0}, inertia[3];
    contact_block_inertia(1, bench_uniform(random, 0.3, 1), bench_uniform(random, 0.3, 1),
                          bench_uniform(random, 0.3, 1), inertia);
    double mass = bench_uniform(random, 0.5, 3);
    for (int k = 0; k < 3; ++k) inertia[k] *= mass;
    int body = contact_case_body(c, mass, inertia, com);
    if (c->failed) return;
    for (int k = 0; k < 6; ++k) {
        bool moves = !planar || k < 2 || k == 5;
        c->bodies[body].velocity[k] = moves ? bench_uniform(random, -3, 3) : 0;
        c->bodies[body].force[k] = moves ? bench_uniform(random, -20, 20) : 0;
    }
}

static void add_union(contact_case *c, int number, bool planar, bench_random *random)
{
    int pair[2] = {bench_below(random, c->problem.body_count), ABUT_WORLD};
    if (c->problem.body_count == 2 && bench_below(random, 3) == 0) pair[1] = 1 - pair[0];
    int sides = 1 + bench_below(random, 5), held = bench_below(random, sides);
    bool together = bench_below(random, 4) != 0; /* one vertex of the body near a corner */
    double point[3];
    random_point(c, pair[0], planar, random, point);
    double friction = bench_uniform(random, 0, 0.8); /* one obstacle, one material */
    for (int s = 0; s < sides; ++s) {
        if (!together) random_point(c, pair[0], planar, random, point);
        int i = add_contact(c, planar, pair, point, random);
        if (c->failed) return;
        c->contacts[i].group = number;
        c->contacts[i].friction = friction;
        c->contacts[i].gap = bench_uniform(random, s == held ? 0 : -0.2, 0.1);
        if (bench_below(random, 4) == 0) c->contacts[i].gap = 0;
    }
}

/* Begins a problem with one body or two and the ordinary contacts; returns whether all lies in the plane. */
static bool begin(contact_case *c, bench_random *random)
{
    contact_case_clear(c);
    c->problem.step = 0.1;
    bool planar = bench_below(random, 2) == 0;
    int bodies = 1 + bench_below(random, 2), ordinary = bench_below(random, 4);
    for (int b = 0; b < bodies && !c->failed; ++b) add_body(c, planar, random);
    if (bodies == 2 && ordinary == 0) ordinary = 1;
    for (int i = 0; i < ordinary && !c->failed; ++i) {
        int between[2] = {0, bodies == 2 && i == 0 ? 1 : ABUT_WORLD}; /* keeps two bodies in one island */
        double point[3];
        random_point(c, 0, planar, random, point);
        int at = add_contact(c, planar, between, point, random);
        if (!c->failed && bench_below(random, 2) == 0) c->contacts[at].gap = bench_uniform(random, 0, 0.1);
    }
    return planar;
}

static bool add_unions(contact_case *c, int groups, bool planar, bench_random *random)
{
    for (int g = 0; g < groups && !c->failed; ++g) add_union(c, g + 1, planar, random);
    return !c->failed;
}

bool family_unions_make(contact_case *c, bench_random *random)
{
    bool planar = begin(c, random);
    return add_unions(c, 1 + bench_below(random, 4), planar, random);
}

bool family_unions_many(contact_case *c, int groups, bench_random *random)
{
    bool planar = begin(c, random);
    return add_unions(c, groups, planar, random);
}
