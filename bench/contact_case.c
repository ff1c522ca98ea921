/* A contact problem that grows, and the small geometry that all families share. */
#include "contact_families.h"

#include <stdlib.h>

contact_case *contact_case_create(void)
{
    contact_case *c = calloc(1, sizeof *c);
    if (c) contact_case_clear(c);
    return c;
}

void contact_case_destroy(contact_case *c)
{
    if (!c) return;
    free(c->bodies);
    free(c->contacts);
    free(c->joints);
    free(c);
}

void contact_case_clear(contact_case *c)
{
    c->failed = false;
    c->problem = (abut_contact_problem){.model = ABUT_COULOMB,
                                        .step = CONTACT_STEP,
                                        .bodies = c->bodies,
                                        .contacts = c->contacts,
                                        .joints = c->joints};
}

/* Room for one more; false when there is none. */
static bool grow(contact_case *c, void **array, int *capacity, int count, size_t size)
{
    if (count < *capacity) return true;
    int wanted = *capacity == 0 ? 16 : 2 * *capacity;
    void *grown = realloc(*array, (size_t)wanted * size);
    if (!grown) {
        c->failed = true;
        return false;
    }
    *array = grown;
    *capacity = wanted;
    return true;
}

int contact_case_body(contact_case *c, double mass, const double inertia[3], const double com[3])
{
    abut_contact_problem *p = &c->problem;
    if (!grow(c, (void **)&c->bodies, &c->body_capacity, p->body_count, sizeof *c->bodies)) return 0;
    p->bodies = c->bodies;
    c->bodies[p->body_count] = (abut_body){.mass = mass,
                                           .inertia = {inertia[0], inertia[1], inertia[2], 0, 0, 0},
                                           .com = {com[0], com[1], com[2]}};
    return p->body_count++;
}

int contact_case_add(contact_case *c, int a, int b, double mu, const double point[3], const double normal[3])
{
    abut_contact_problem *p = &c->problem;
    if (!grow(c, (void **)&c->contacts, &c->contact_capacity, p->contact_count, sizeof *c->contacts))
        return 0;
    p->contacts = c->contacts;
    c->contacts[p->contact_count] = (abut_contact){.bodies = {a, b},
                                                   .point = {point[0], point[1], point[2]},
                                                   .normal = {normal[0], normal[1], normal[2]},
                                                   .friction = mu,
                                                   .directions = ABUT_DIRECTIONS_DEFAULT,
                                                   .key = (uint64_t)p->contact_count + 1};
    return p->contact_count++;
}

int contact_case_joint(contact_case *c, int a, int b, const double row_a[6], const double row_b[6],
                       double target)
{
    abut_contact_problem *p = &c->problem;
    if (!grow(c, (void **)&c->joints, &c->joint_capacity, p->joint_count, sizeof *c->joints)) return 0;
    p->joints = c->joints;
    abut_joint *joint = &c->joints[p->joint_count];
    *joint = (abut_joint){.bodies = {a, b}, .target = target};
    for (int i = 0; i < 6; ++i) {
        joint->jacobian[0][i] = row_a[i];
        joint->jacobian[1][i] = !row_b ? 0 : row_b[i];
    }
    return p->joint_count++;
}

void contact_block_inertia(double mass, double x, double y, double z, double inertia[3])
{
    inertia[0] = mass * (y * y + z * z) / 12;
    inertia[1] = mass * (x * x + z * z) / 12;
    inertia[2] = mass * (x * x + y * y) / 12;
}

void contact_circle(int j, int n, double *cosine, double *sine)
{
    /* 8 j / n counts octants; fold into the first one. */
    int part = ((j % n) + n) % n;
    double sign_x = 1, sign_y = 1;
    if (2 * part > n) {
        part = n - part;
        sign_y = -1;
    }
    int part4 = 4 * part; /* n makes a quarter turn */
    if (part4 > n) {
        part4 = 2 * n - part4;
        sign_x = -1;
    }
    bool swap = 2 * part4 > n;
    if (swap) part4 = n - part4;
    double angle = 1.57079632679489661923 * part4 / n;
    double c = 2 * part4 == n ? sqrt(0.5) : cos(angle), s = 2 * part4 == n ? sqrt(0.5) : sin(angle);
    *cosine = sign_x * (swap ? s : c);
    *sine = sign_y * (swap ? c : s);
}

void contact_random_wrench(contact_case *c, int body, double size, double arm, bench_random *random)
{
    double *force = c->bodies[body].force;
    for (int i = 0; i < 3; ++i) force[i] += bench_uniform(random, -size, size);
    for (int i = 3; i < 6; ++i) force[i] += arm * bench_uniform(random, -size, size);
}

double contact_usual_friction(bench_random *random)
{
    return bench_uniform(random, 0.2, 0.3);
}
