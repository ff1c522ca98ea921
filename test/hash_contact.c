/* Prints one hash a kind of problem and solver of everything a contact solve returns: equal bits whatever
 * compiler and optimisation built the core (test/hashes). The problems are made by additions, products,
 * quotients and roots, which IEEE fixes, so that no function of libm stands between seed and problem. */
#include "abut/contact.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

enum { BODIES = 3, CONTACTS = 24, JOINTS = 2, COUNT = 6 };

typedef struct scene {
    abut_body body[BODIES];
    abut_contact contact[CONTACTS];
    abut_joint joint[JOINTS];
} scene;

static uint64_t hash;

static void add(const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; ++i) hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
}

static void add_numbers(const double *x, int count)
{
    for (int i = 0; x && i < count; ++i) {
        double value = x[i] + 0.0; /* one zero */
        add(&value, sizeof value);
    }
}

/* Uniform in [-1, 1), by a 64-bit linear congruential generator. */
static double next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-52 - 1;
}

static void unit_vector(uint64_t *state, double out[3])
{
    double square = 0;
    while (!(square > 0.1 && square < 1)) {
        square = 0;
        for (int k = 0; k < 3; ++k) {
            out[k] = next(state);
            square += out[k] * out[k];
        }
    }
    for (int k = 0; k < 3; ++k) out[k] /= sqrt(square);
}

static void make(scene *s, uint64_t seed, int bodies, int contacts, int directions, double friction)
{
    uint64_t state = seed;
    for (int b = 0; b < bodies; ++b) {
        s->body[b] = (abut_body){.mass = 2 + next(&state), .inertia = {1, 1.25, 1.5, 0.125, -0.25, 0.0625}};
        for (int k = 0; k < 6; ++k) s->body[b].velocity[k] = next(&state);
        for (int k = 0; k < 6; ++k) s->body[b].force[k] = 20 * next(&state);
        for (int k = 0; k < 3; ++k) s->body[b].com[k] = next(&state);
    }
    for (int i = 0; i < contacts; ++i) {
        abut_contact *c = &s->contact[i];
        *c = (abut_contact){.bodies = {i % bodies, i % 3 == 0 ? ABUT_WORLD : (i + 1) % bodies},
                            .friction = friction * (1.5 + 0.5 * next(&state)),
                            .directions = directions,
                            .gap = i % 4 == 3 ? 0.01 : 0.0};
        if (bodies == 1) c->bodies[1] = ABUT_WORLD;
        unit_vector(&state, c->normal);
        for (int k = 0; k < 3; ++k) c->point[k] = next(&state);
    }
    for (int j = 0; j < JOINTS; ++j) {
        s->joint[j] = (abut_joint){.bodies = {0, bodies > 1 ? 1 : ABUT_WORLD}};
        for (int k = 0; k < 12; ++k) s->joint[j].jacobian[k / 6][k % 6] = next(&state);
    }
}

static void add_result(const abut_contact_problem *problem, const abut_contact_result *r)
{
    int head[4] = {(int)r->outcome, (int)r->solver, r->pivots, r->islands};
    add(head, sizeof head);
    add_numbers(&r->residual, 1);
    add_numbers(r->velocity, 6 * problem->body_count);
    add_numbers(r->joints, problem->joint_count);
    add_numbers(r->ray, 3 * problem->contact_count);
    for (int i = 0; r->contacts && i < problem->contact_count; ++i) {
        const abut_contact_answer *c = &r->contacts[i];
        int states[2] = {(int)c->state, c->face};
        add(states, sizeof states);
        add_numbers(&c->normal, 1);
        add_numbers(c->tangent, 2);
        add_numbers(c->velocity, 3);
        add_numbers(c->axis, 3);
        add_numbers(&c->slip, 1);
    }
}

static void run(abut_contact_workspace *work, const char *name, abut_contact_solver solver, int bodies,
                int directions, double friction, int joints, abut_joint_rows mode)
{
    static scene s;
    hash = UINT64_C(0xcbf29ce484222325);
    for (int i = 0; i < COUNT; ++i) {
        int contacts = 4 + 4 * i;
        make(&s, (uint64_t)(2000 + i), bodies, contacts, directions, friction);
        abut_contact_problem problem = {.model = ABUT_COULOMB,
                                        .step = 0.01,
                                        .contact_count = contacts,
                                        .contacts = s.contact,
                                        .joint_count = joints,
                                        .joints = s.joint,
                                        .body_count = bodies,
                                        .bodies = s.body};
        abut_contact_options options = abut_contact_default_options();
        abut_contact_result result;
        options.solver = solver;
        options.joint_rows = mode;
        int status = abut_contact_solve(work, &problem, &options, &result);
        add(&status, sizeof status);
        if (status == ABUT_OK) add_result(&problem, &result);
    }
    printf("%-10s %-10s %016" PRIx64 "\n", name, abut_contact_solver_name(solver), hash);
}

int main(void)
{
    abut_contact_limits limits = {.bodies = BODIES, .contacts = CONTACTS, .joints = JOINTS, .directions = 16};
    for (int k = ABUT_SOLVER_FACES; k <= ABUT_SOLVER_LEMKE; ++k) {
        abut_contact_solver solver = (abut_contact_solver)k;
        abut_contact_workspace *work = NULL;
        limits.solvers = 1u << solver;
        if (abut_contact_workspace_create(&limits, NULL, &work) != ABUT_OK) return 1;
        run(work, "one body", solver, 1, 8, 0.25, 0, ABUT_JOINTS_PERMANENT);
        run(work, "three", solver, 3, 8, 0.25, 0, ABUT_JOINTS_PERMANENT);
        run(work, "planar", solver, 2, 2, 0.5, 0, ABUT_JOINTS_PERMANENT);
        run(work, "smooth", solver, 2, 8, 0, 0, ABUT_JOINTS_PERMANENT);
        run(work, "sixteen", solver, 2, 16, 0.5, 0, ABUT_JOINTS_PERMANENT);
        run(work, "joints", solver, 3, 8, 0.25, JOINTS, ABUT_JOINTS_PERMANENT);
        run(work, "projected", solver, 3, 8, 0.25, JOINTS, ABUT_JOINTS_PROJECTED);
        abut_contact_workspace_destroy(work);
    }
    return 0;
}
