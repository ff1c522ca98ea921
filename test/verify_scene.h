/* Scenes whose answers are worked out by hand, for the tests of the verifier. */
#ifndef ABUT_TEST_VERIFY_SCENE_H
#define ABUT_TEST_VERIFY_SCENE_H

#include "abut/contact.h"
#include "check.h"

#define G 9.81
#define STEP 0.01

/* Rounding of a handful of operations on numbers of order one; what `solved` asks for is 1e-9. */
static const double RIGHT = 1e-13;

enum { MAX_BODIES = 4, MAX_CONTACTS = 16, MAX_JOINTS = 4 };

typedef struct scene {
    abut_contact_problem problem;
    abut_body bodies[MAX_BODIES];
    abut_contact contacts[MAX_CONTACTS];
    abut_joint joint_rows[MAX_JOINTS];
    double impulses[3 * MAX_CONTACTS], joints[MAX_JOINTS], velocity[6 * MAX_BODIES];
} scene;

static inline abut_contact_check verify(scene *s)
{
    static double scratch[4096];
    s->problem.bodies = s->bodies;
    s->problem.contacts = s->contacts;
    s->problem.joints = s->joint_rows;
    abut_contact_check check;
    CHECK(abut_contact_verify_size(&s->problem) <= 4096);
    for (int i = 0; i < 4096; ++i) scratch[i] = NAN; /* nothing may be read before it is written */
    CHECK_EQ_INT(abut_contact_verify(&s->problem, NULL, s->impulses, s->joints, s->velocity, scratch, &check),
                 ABUT_OK);
    return check;
}

static inline void body(scene *s, int i, double mass, double ix, double iy, double iz, double x, double y,
                        double z)
{
    s->bodies[i] = (abut_body){.mass = mass, .inertia = {ix, iy, iz, 0, 0, 0}, .com = {x, y, z}};
    if (s->problem.body_count <= i) s->problem.body_count = i + 1;
}

static inline int contact(scene *s, int a, int b, double mu, double px, double py, double pz, double nx,
                          double ny, double nz)
{
    int i = s->problem.contact_count++;
    s->contacts[i] = (abut_contact){
        .bodies = {a, b}, .point = {px, py, pz}, .normal = {nx, ny, nz}, .friction = mu, .directions = 8};
    return i;
}

static inline void set_impulse(scene *s, int i, double normal, double x, double y)
{
    s->impulses[3 * i] = normal;
    s->impulses[3 * i + 1] = x;
    s->impulses[3 * i + 2] = y;
}

static inline scene empty(void)
{
    return (scene){.problem = {.model = ABUT_COULOMB, .step = STEP}};
}

/* A box of 2 kg, 1 x 1 x 0.4, pulled by (fx, fy, fz) on a plane: x down the slope, z its normal. Friction
 * opposes the pull, and what it lacks accelerates the box. The impulses are shared so that nothing tips. */
static inline scene box_on_plane(double mu, double fx, double fz)
{
    scene s = empty();
    body(&s, 0, 2.0, 0.19333333333333336, 0.19333333333333336, 0.3333333333333333, 0, 0, 0.2);
    s.bodies[0].force[0] = fx;
    s.bodies[0].force[2] = fz;
    double total = -fz * STEP, pull = fx * STEP;
    double friction = fabs(pull) <= mu * total ? -pull : -copysign(mu * total, pull);
    /* Moment about y: -x theta of the corners at x = +-1/2 against -z f with z = -0.2. */
    double back = 0.25 * total + 0.1 * friction, front = 0.25 * total - 0.1 * friction;
    for (int c = 0; c < 4; ++c) {
        double x = c < 2 ? -0.5 : 0.5, y = c % 2 ? 0.5 : -0.5, theta = c < 2 ? back : front;
        int i = contact(&s, 0, ABUT_WORLD, mu, x, y, 0, 0, 0, 1);
        set_impulse(&s, i, theta, friction * theta / total, 0);
    }
    s.velocity[0] = (pull + friction) / 2.0;
    return s;
}

#endif
