/* What breaks contact solvers, on one body or a stack: many contacts at one place, masses a million apart,
 * any polygon, any friction, gaps, bounces, units far from one. */
#include "contact_families.h"

/* 10^x with x uniform. */
static double decade(bench_random *random, double low, double high)
{
    return pow(10, bench_uniform(random, low, high));
}

/* A peg or one of the situations with at least four contacts. */
static void any_single(contact_case *c, bench_random *random)
{
    contact_make_single(c, 4 + bench_below(random, 7), random);
}

/* Few places, many contacts: exact copies, or copies a rounding error, a picometre or a tenth of a micrometre
 * away. */
void contact_make_duplicates(contact_case *c, int n, bench_random *random)
{
    any_single(c, random);
    int places = c->problem.contact_count;
    const double away = (double[]){0, 0, 1e-17, 1e-12, 1e-7}[bench_below(random, 5)];
    while (c->problem.contact_count < n && !c->failed) {
        abut_contact from = c->contacts[bench_below(random, places)];
        int copy =
            contact_case_add(c, from.bodies[0], from.bodies[1], from.friction, from.point, from.normal);
        for (int k = 0; k < 3 && away > 0; ++k) c->contacts[copy].point[k] += away * bench_normal(random);
    }
}

/* A stack whose masses span up to six decades, in any order: an elephant on a mouse too. */
void contact_make_masses(contact_case *c, int m, bench_random *random)
{
    contact_make_stack(c, m, random);
    double light = decade(random, -6, 0);
    for (int i = 0; i < c->problem.body_count; ++i) {
        double scale = i % 2 == bench_below(random, 2) ? light : 1;
        if (bench_below(random, 4) == 0) scale = decade(random, -6, 0);
        abut_body *body = &c->bodies[i];
        body->mass *= scale;
        for (int k = 0; k < 6; ++k) {
            body->inertia[k] *= scale;
            body->force[k] *= scale;
        }
    }
}

/* Polygons from a segment to 64 corners, all alike or mixed. */
void contact_make_directions(contact_case *c, int n, bench_random *random)
{
    if (n <= CONTACT_SITUATIONS) {
        contact_make_single(c, n, random);
    } else {
        contact_make_peg(c, n, random);
    }
    int common = 2 + bench_below(random, 63);
    bool mixed = bench_below(random, 2) == 0;
    for (int i = 0; i < c->problem.contact_count; ++i)
        c->contacts[i].directions = mixed ? 2 + bench_below(random, 63) : common;
}

/* Friction from none to five, the exact ends included. */
void contact_make_friction(contact_case *c, int n, bench_random *random)
{
    if (n <= CONTACT_SITUATIONS) {
        contact_make_single(c, n, random);
    } else {
        contact_make_peg(c, n, random);
    }
    bool alike = bench_below(random, 3) == 0;
    double mu = 0;
    for (int i = 0; i < c->problem.contact_count; ++i) {
        if (i == 0 || !alike) {
            int kind = bench_below(random, 8);
            mu = kind == 0   ? 0
                 : kind == 1 ? 5
                 : kind == 2 ? decade(random, -6, -1)
                             : bench_uniform(random, 0, 5);
        }
        c->contacts[i].friction = mu;
    }
}

static void random_velocity(contact_case *c, double size, bench_random *random)
{
    for (int i = 0; i < c->problem.body_count; ++i)
        for (int k = 0; k < 6; ++k)
            c->bodies[i].velocity[k] = bench_uniform(random, -size, size) * (k < 3 ? 1 : 10);
}

/* Friction of any size up to a thousand million, some contacts below one: most contacts that press do not slip. */
void contact_make_rough(contact_case *c, int n, bench_random *random)
{
    if (n <= CONTACT_SITUATIONS) {
        contact_make_single(c, n, random);
    } else {
        contact_make_peg(c, n, random);
    }
    double top = bench_below(random, 2) ? 9 : bench_uniform(random, 1, 9);
    for (int i = 0; i < c->problem.contact_count; ++i) {
        int kind = bench_below(random, 4);
        c->contacts[i].friction =
            kind == 0 ? bench_uniform(random, 0, 1) : decade(random, kind == 1 ? 0 : top, top);
    }
}

/* One body, or a stack, whose principal moments are up to 1e10 apart (needles, which turn about their axis at a
 * touch), or whose bodies are light and long beside small and heavy ones: inertias 1e10 apart between them. */
void contact_make_inertias(contact_case *c, int n, bench_random *random)
{
    if (n <= CONTACT_SITUATIONS) {
        contact_make_single(c, n, random);
    } else {
        contact_make_stack(c, n - CONTACT_SITUATIONS, random);
    }
    bool needles = bench_below(random, 2) == 0;
    for (int i = 0; i < c->problem.body_count; ++i) {
        double *inertia = c->bodies[i].inertia;
        int axis = bench_below(random, 3);
        double scale = decade(random, -10, 0), across = inertia[(axis + 1) % 3];
        for (int k = 0; k < 3; ++k) {
            if (needles)
                inertia[k] = k == axis ? scale * across : across;
            else
                inertia[k] *= scale;
        }
    }
}

/* Moving bodies with contacts that are not yet closed. */
void contact_make_gaps(contact_case *c, int n, bench_random *random)
{
    if (n > 10) {
        contact_make_peg(c, n, random);
    } else if (bench_below(random, 2)) {
        contact_make_stack(c, 1 + n / 4, random);
    } else {
        contact_make_single(c, n, random);
    }
    if (bench_below(random, 2)) random_velocity(c, 0.1, random);
    double size = decade(random, -6, -3);
    for (int i = 0; i < c->problem.contact_count; ++i)
        if (bench_below(random, 3)) c->contacts[i].gap = bench_uniform(random, 0, size);
}

/* Overlap and bounce: may have no solution. */
void contact_make_rebound(contact_case *c, int n, bench_random *random)
{
    contact_make_gaps(c, n, random);
    random_velocity(c, 0.2, random);
    for (int i = 0; i < c->problem.contact_count; ++i) {
        int kind = bench_below(random, 4);
        if (kind == 0) c->contacts[i].gap = -bench_uniform(random, 0, 1e-4);
        if (kind == 1) c->contacts[i].gap = 0;
        if (bench_below(random, 2)) c->contacts[i].restitution = bench_uniform(random, 0, 1);
    }
}

/* The same shapes as a watchmaker, a shipyard or an astronomer would measure them. */
void contact_make_units(contact_case *c, int n, bench_random *random)
{
    if (n <= CONTACT_SITUATIONS) {
        contact_make_single(c, n, random);
    } else {
        contact_make_stack(c, n / 4, random);
    }
    double mass = decade(random, -6, 6), length = decade(random, -6, 6), force = decade(random, -6, 6);
    for (int i = 0; i < c->problem.body_count; ++i) {
        abut_body *body = &c->bodies[i];
        body->mass *= mass;
        for (int k = 0; k < 3; ++k) {
            body->com[k] *= length;
            body->force[k] *= force;
            body->force[3 + k] *= force * length;
        }
        for (int k = 0; k < 6; ++k) body->inertia[k] *= mass * length * length;
    }
    for (int i = 0; i < c->problem.contact_count; ++i)
        for (int k = 0; k < 3; ++k) c->contacts[i].point[k] *= length;
}
