#include "grasp.h"

#include <string.h>

static const double press = 30.0; /* N */

/* A gripper is a slider: every direction but x is held. */
static void hold_but_x(contact_case *c, int body)
{
    for (int row = 1; row < 6; ++row) {
        double on_body[6] = {0}, on_world[6] = {0};
        on_body[row] = 1.0;
        contact_case_joint(c, body, ABUT_WORLD, on_body, on_world, 0.0);
    }
}

static void add_corners(contact_case *c, int a, int b, double x)
{
    for (int corner = 0; corner < 4; ++corner) {
        const double point[3] = {x, corner < 2 ? -0.5 : 0.5, corner % 2 ? 0.5 : -0.5};
        for (int axis = 0; axis < 3; ++axis) {
            double normal[3] = {0};
            normal[axis] = 1.0;
            contact_case_add(c, a, b, 100.0, point, normal);
        }
    }
}

static void add_points(contact_case *c, int a, int b, double x)
{
    const double normal[3] = {1, 0, 0};
    for (int i = 0; i < 12; ++i) {
        const double point[3] = {x, -0.5 + (i % 3) * 0.5, -0.5 + (i / 3) / 3.0};
        contact_case_add(c, a, b, 100.0, point, normal);
    }
}

void grasp_make(contact_case *c, grasp_contacts contacts, abut_contact_model model)
{
    static const double com[4] = {-1, 2, 0, 1}, mass[4] = {10, 10, 1, 1};
    static const double plane[3] = {-0.5, 0.5, 1.5};
    static const int pair[3][2] = {{2, 0}, {3, 2}, {1, 3}};
    contact_case_clear(c);
    for (int b = 0; b < 4; ++b) {
        const double inertia[3] = {mass[b] / 6, mass[b] / 6, mass[b] / 6}, at[3] = {com[b], 0, 0};
        contact_case_body(c, mass[b], inertia, at);
    }
    c->bodies[0].force[0] = press;
    c->bodies[1].force[0] = -press;
    for (int b = 0; b < GRASP_BOXES; ++b)
        c->bodies[GRASP_FIRST_BOX + b].force[2] = -mass[GRASP_FIRST_BOX + b] * CONTACT_GRAVITY;
    hold_but_x(c, 0);
    hold_but_x(c, 1);
    for (int f = 0; f < 3; ++f) {
        if (contacts == GRASP_CORNERS)
            add_corners(c, pair[f][0], pair[f][1], plane[f]);
        else
            add_points(c, pair[f][0], pair[f][1], plane[f]);
    }
    for (int i = 0; i < c->problem.contact_count; ++i) {
        c->contacts[i].directions = 4;
        c->contacts[i].key = (uint64_t)i + 1;
    }
    c->problem.model = model;
}

/* x += step * (linear + angular x arm) */
static void move(double x[3], const double *velocity, const double arm[3], double step)
{
    for (int k = 0; k < 3; ++k) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        x[k] += step * (velocity[k] + velocity[3 + a] * arm[b] - velocity[3 + b] * arm[a]);
    }
}

void grasp_advance(contact_case *c, const double *velocity)
{
    const double step = c->problem.step, none[3] = {0};
    for (int i = 0; i < c->problem.contact_count; ++i) {
        abut_contact *contact = &c->contacts[i];
        const abut_body *body = &c->bodies[contact->bodies[0]];
        double arm[3];
        for (int k = 0; k < 3; ++k) arm[k] = contact->point[k] - body->com[k];
        move(contact->point, velocity + 6 * contact->bodies[0], arm, step);
    }
    for (int b = 0; b < c->problem.body_count; ++b) {
        move(c->bodies[b].com, velocity + 6 * b, none, step);
        memcpy(c->bodies[b].velocity, velocity + 6 * b, 6 * sizeof *velocity);
    }
}

void grasp_pile(contact_case *c, int bodies, int n, bench_random *random)
{
    contact_case_clear(c);
    for (int b = 0; b < bodies; ++b) {
        double inertia[3];
        const double com[3] = {0, 0, b + 0.5}, up[3] = {0, 0, 1};
        contact_block_inertia(1.0, 1, 1, 1, inertia);
        contact_case_body(c, 1.0, inertia, com);
        c->bodies[b].force[2] = -CONTACT_GRAVITY;
        contact_random_wrench(c, b, 5.0, 0.5, random);
        for (int i = 0; i < n / bodies; ++i) {
            const double point[3] = {bench_uniform(random, -0.5, 0.5), bench_uniform(random, -0.5, 0.5), b};
            contact_case_add(c, b, b - 1, 0.3, point, up);
        }
    }
}
