/* Momentum and energy of things in empty space: pairs that collide, chains, rings that loops close; all to rounding, at every step
 * size. And pinned rings in gravity, whose energy is within the order of the integrator. */
#include "abut/world.h"
#include "base/space.h"
#include "check.h"
#include "collide_random.h"
#include <string.h>

enum { LINKS_MAX = 24, VELOCITIES_MAX = 6 + 3 * LINKS_MAX };

/* Of all momentum and energy that there is. */
#define ROUNDING 1e-11
/* Of the energy: what long chains with steps that are too large for them may owe (flight.c). */
#define OWED 3e-3

typedef struct scene {
    abut_world *world;
    int count;
    abut_body_id bodies[LINKS_MAX];
} scene;

static scene make_scene(double step, double gravity)
{
    scene s = {0};
    abut_world_def def = abut_world_default_def();
    abuti_v3_set(def.gravity, 0, 0, gravity);
    def.step = step;
    CHECK(abut_world_create(&def, NULL, &s.world, NULL) == ABUT_OK);
    return s;
}

static abut_body_id add_body(scene *s, const abut_body_def *def, const abut_joint_def *joint)
{
    abut_body_id *id = &s->bodies[s->count++];
    CHECK(abut_world_add_body(s->world, def, id, NULL) == ABUT_OK);
    CHECK(abut_world_add_joint(s->world, *id, joint, NULL, NULL) == ABUT_OK);
    return *id;
}

/* Linear and angular momentum about the origin, the sums of their sizes in `scale`, and the kinetic energy. */
static double momentum(const scene *s, double p[6], double scale[2])
{
    double energy = 0;
    memset(p, 0, 6 * sizeof *p);
    scale[0] = scale[1] = 0;
    for (int i = 0; i < s->count; ++i) {
        abut_body_state b;
        CHECK(abut_body_get_state(s->world, s->bodies[i], &b) == ABUT_OK);
        const double *I = b.inertia, *w = b.velocity + 3;
        double spin[3] = {I[0] * w[0] + I[3] * w[1] + I[4] * w[2], I[3] * w[0] + I[1] * w[1] + I[5] * w[2],
                          I[4] * w[0] + I[5] * w[1] + I[2] * w[2]},
               orbit[3];
        abuti_v3_cross(orbit, b.com, b.velocity);
        abuti_v3_add_scaled(p, p, b.mass, b.velocity);
        abuti_v3_add(p + 3, p + 3, spin);
        abuti_v3_add_scaled(p + 3, p + 3, b.mass, orbit);
        scale[0] += b.mass * abuti_v3_length(b.velocity);
        scale[1] += abuti_v3_length(spin) + b.mass * abuti_v3_length(orbit);
        energy += 0.5 * (b.mass * abuti_v3_dot(b.velocity, b.velocity) + abuti_v3_dot(spin, w));
    }
    return energy;
}

typedef struct course {
    bool touched;
    double linear, angular; /* the worst change, of all there was */
    double gain;            /* the most that energy was above that of the beginning, of this */
    double step_gain;       /* the most that one step added */
} course;

static course follow(const scene *s, int steps)
{
    double before[6], scale[2], now[6], ignored[2];
    double first = momentum(s, before, scale), last = first;
    course c = {0};
    for (int i = 0; i < steps; ++i) {
        abut_step_report report;
        CHECK(abut_world_step(s->world, &report) == ABUT_OK);
        CHECK(report.outcome == ABUT_SOLVED && report.penetration <= 1e-9 && report.loop_error <= 1e-9);
        c.touched = c.touched || abut_world_event_count(s->world) > 0;
        double energy = momentum(s, now, ignored), change[6];
        for (int k = 0; k < 6; ++k) change[k] = now[k] - before[k];
        c.linear = fmax(c.linear, abuti_v3_length(change) / scale[0]);
        c.angular = fmax(c.angular, abuti_v3_length(change + 3) / scale[1]);
        c.gain = fmax(c.gain, (energy - first) / first);
        c.step_gain = fmax(c.step_gain, (energy - last) / first);
        last = energy;
    }
    return c;
}

/* Two things of any shape that fly at each other, spinning. */
static scene make_pair(uint64_t *state)
{
    static const abut_shape_kind kinds[5] = {ABUT_SPHERE, ABUT_CAPSULE, ABUT_BOX, ABUT_CYLINDER,
                                             ABUT_ELLIPSOID};
    scene s = make_scene(1e-3, 0);
    double v[12];
    for (int i = 0; i < 2; ++i) {
        abut_body_def body = abut_body_default_def();
        abut_joint_def joint = abut_joint_default_def(ABUT_JOINT_FREE);
        abut_collider_def collider = abut_collider_default_def();
        abuti_v3_set(body.position, i ? 0.4 : -0.4, random_between(state, -0.1, 0.1),
                     random_between(state, -0.1, 0.1));
        random_rotation(state, body.rotation);
        collider.shape = random_shape(state, kinds[(int)(5 * random_unit(state))]);
        collider.shape.radius *= 0.2;
        collider.shape.half_length *= 0.2;
        abuti_v3_scale(collider.shape.half, 0.2, collider.shape.half);
        collider.friction = random_unit(state);
        collider.restitution = fmax(random_between(state, -0.8, 0.8), 0);
        collider.density = random_unit(state) < 0.3 ? 20 : 1000;
        abut_body_id id = add_body(&s, &body, &joint);
        CHECK(abut_world_add_collider(s.world, id, &collider, NULL, NULL) == ABUT_OK);
        v[6 * i] = (i ? -1 : 1) * random_between(state, 0.5, 3);
        for (int k = 1; k < 6; ++k) v[6 * i + k] = random_between(state, k < 3 ? -1 : -5, k < 3 ? 1 : 5);
    }
    CHECK(abut_world_set_velocities(s.world, v) == ABUT_OK);
    return s;
}

static void test_collisions(void)
{
    uint64_t state = check_seed(71);
    int touched = 0;
    for (int i = 0; i < 40; ++i) {
        scene s = make_pair(&state);
        course c = follow(&s, 400);
        touched += c.touched;
        CHECK_MSG(c.linear <= ROUNDING && c.angular <= ROUNDING && c.step_gain <= ROUNDING,
                  "pair %d: momentum %.2g, angular %.2g, energy %.2g", i, c.linear, c.angular, c.step_gain);
        abut_world_destroy(s.world);
    }
    CHECK(touched > 15);
}

/* A chain of hinges and balls that moves freely; closed by a loop if wanted, its links touching if wanted. */
static scene make_chain(int links, double step, bool closed, bool solid)
{
    uint64_t state = 5;
    scene s = make_scene(step, 0);
    double v[VELOCITIES_MAX];
    int count = 0;
    abut_body_id last = {0};
    for (int i = 0; i < links; ++i) {
        abut_joint_kind kind = i == 0 ? ABUT_JOINT_FREE : i % 2 ? ABUT_JOINT_HINGE : ABUT_JOINT_BALL;
        abut_body_def body = abut_body_default_def();
        abut_joint_def joint = abut_joint_default_def(kind);
        abut_collider_def collider = abut_collider_default_def();
        body.parent = last;
        if (i > 0) {
            body.position[0] = 0.3;
            body.rotation[0] = 0.95;
            body.rotation[1 + i % 3] = 0.3;
        }
        abuti_v3_set(joint.axis, 0.3, 1, 0);
        collider.shape = (abut_shape){.kind = ABUT_BOX, .half = {0.1, 0.03, 0.05}};
        collider.position[0] = 0.15;
        collider.friction = 0.5;
        if (!solid) collider.category = collider.mask = 0;
        last = add_body(&s, &body, &joint);
        CHECK(abut_world_add_collider(s.world, last, &collider, NULL, NULL) == ABUT_OK);
        int freedoms = i == 0 ? 6 : i % 2 ? 1 : 3;
        for (int k = 0; k < freedoms; ++k) v[count++] = random_between(&state, i ? -3 : -1, i ? 3 : 1);
    }
    if (closed) {
        abut_loop_def loop = abut_loop_default_def(ABUT_LOOP_CONNECT);
        abut_body_state end;
        CHECK(abut_body_get_state(s.world, last, &end) == ABUT_OK);
        loop.bodies[0] = last;
        loop.bodies[1] = s.bodies[0];
        abuti_v3_copy(loop.points[1], end.position);
        CHECK(abut_world_add_loop(s.world, &loop, NULL, NULL) == ABUT_OK);
    }
    CHECK(abut_world_set_velocities(s.world, v) == ABUT_OK);
    if (closed) CHECK(abut_world_step(s.world, NULL) == ABUT_OK); /* the loop closes inelastically */
    return s;
}

/* However fast a chain whirls, and whatever its links do to each other. */
static void test_chains(void)
{
    static const double steps[3] = {4e-3, 2e-3, 1e-3};
    for (int i = 0; i < 3; ++i) {
        for (int form = 0; form < 4; ++form) {
            int links = form == 0 ? 6 : form == 1 ? 20 : form == 2 ? 6 : 12;
            scene s = make_chain(links, steps[i], form == 2, form == 3);
            course c = follow(&s, (int)(1 / steps[i]));
            CHECK_MSG(c.linear <= ROUNDING && c.angular <= ROUNDING,
                      "%d links, step %g: momentum %.2g, angular %.2g", links, steps[i], c.linear, c.angular);
            double most = form == 0 || form == 2 ? ROUNDING : OWED;
            CHECK_MSG(c.gain <= most && c.step_gain <= most, "%d links, step %g: energy %.2g, in a step %.2g",
                      links, steps[i], c.gain, c.step_gain);
            abut_world_destroy(s.world);
        }
    }
}

/* J over the largest kinetic energy: how far above the beginning a chain of hinges gets that hangs on the ground at one end, or
 * at both. */
static double gain_of_hinges(double step, uint64_t seed, bool both)
{
    uint64_t state = seed;
    scene s = make_scene(step, -9.81);
    int links = 4 + (int)(6 * random_unit(&state));
    double turn = 6.283185307179586 / (links + 1), v[LINKS_MAX], kinetic = 0, first = 0, most = 0;
    abut_body_id last = {0};
    for (int i = 0; i < links; ++i) {
        abut_body_def body = abut_body_default_def();
        abut_joint_def hinge = abut_joint_default_def(ABUT_JOINT_HINGE);
        body.parent = last;
        body.position[i ? 0 : 2] = i ? 0.3 : 5;
        body.rotation[0] = cos(turn / 2);
        body.rotation[2] = sin(turn / 2);
        body.mass = random_between(&state, 0.2, 2);
        body.com[0] = 0.15;
        for (int k = 0; k < 3; ++k) body.inertia[k] = body.mass * (k == 0 ? 0.001 : 0.009);
        abuti_v3_set(hinge.axis, 0, 1, 0);
        last = add_body(&s, &body, &hinge);
        v[i] = random_between(&state, -3, 3);
    }
    abut_loop_def loop = abut_loop_default_def(ABUT_LOOP_CONNECT);
    abut_body_state end;
    double tip[3] = {0.3, 0, 0};
    CHECK(abut_body_get_state(s.world, last, &end) == ABUT_OK);
    loop.bodies[0] = last;
    abuti_v3_copy(loop.points[0], tip);
    abuti_quat_apply(loop.points[1], end.rotation, tip);
    abuti_v3_add(loop.points[1], loop.points[1], end.position);
    if (both) CHECK(abut_world_add_loop(s.world, &loop, NULL, NULL) == ABUT_OK);
    CHECK(abut_world_set_velocities(s.world, v) == ABUT_OK);
    for (int i = 0; i < (int)(2 / step); ++i) {
        abut_step_report report;
        CHECK(abut_world_step(s.world, &report) == ABUT_OK);
        CHECK(report.loop_error <= 1e-9);
        if (i == 0) first = report.kinetic + report.potential;
        kinetic = fmax(kinetic, report.kinetic);
        most = fmax(most, report.kinetic + report.potential - first);
    }
    abut_world_destroy(s.world);
    return most / kinetic;
}

static void test_hinges_in_gravity(void)
{
    static const double steps[3] = {1.0 / 240, 1.0 / 480, 1.0 / 960};
    for (int both = 0; both < 2; ++both) {
        double worst[3] = {0};
        for (int i = 0; i < 3; ++i) {
            for (uint64_t k = 0; k < 15; ++k)
                worst[i] = fmax(worst[i], gain_of_hinges(steps[i], 1000 + k, both));
        }
        printf("       hinges %s gain %.2g, %.2g, %.2g of their kinetic energy\n",
               both ? "in rings" : "in chains", worst[0], worst[1], worst[2]);
        CHECK(worst[0] <= 0.03 && worst[1] <= 0.6 * worst[0] && worst[2] <= 0.6 * worst[1]);
    }
}

/* A tree of balls and hinges, branched at random, with links of masses from 0.1 to 10 kg. */
static scene make_tree(double step, double gravity, uint64_t *state)
{
    scene s = make_scene(step, gravity);
    int links = 3 + (int)(6 * random_unit(state));
    for (int i = 0; i < links; ++i) {
        abut_body_def body = abut_body_default_def();
        abut_joint_def joint = abut_joint_default_def(i == 0                     ? ABUT_JOINT_FREE
                                                      : random_unit(state) < 0.4 ? ABUT_JOINT_BALL
                                                                                 : ABUT_JOINT_HINGE);
        if (i > 0) body.parent = s.bodies[(int)(i * random_unit(state))];
        body.mass = pow(10, random_between(state, -1, 1));
        for (int k = 0; k < 3; ++k) {
            body.position[k] = random_between(state, -0.2, 0.2);
            body.inertia[k] = body.mass * random_between(state, 0.001, 0.0015);
            if (i > 0) joint.anchor[k] = random_between(state, -0.1, 0.1);
        }
        random_rotation(state, body.rotation);
        random_direction(state, joint.axis);
        add_body(&s, &body, &joint);
    }
    double v[VELOCITIES_MAX];
    for (int k = 0; k < abut_world_velocity_count(s.world); ++k) v[k] = random_between(state, -20, 20);
    CHECK(abut_world_set_velocities(s.world, v) == ABUT_OK);
    return s;
}

static void centre_of(const scene *s, double com[3])
{
    double mass = 0;
    abuti_v3_set(com, 0, 0, 0);
    for (int i = 0; i < s->count; ++i) {
        abut_body_state b;
        CHECK(abut_body_get_state(s->world, s->bodies[i], &b) == ABUT_OK);
        abuti_v3_add_scaled(com, com, b.mass, b.com);
        mass += b.mass;
    }
    abuti_v3_scale(com, 1 / mass, com);
}

/* Trees thrown so that they turn by a good part of a radian in a step: where their masses draw together, the step is too long for
 * them, and momentum and energy are kept all the same. In gravity the centre of mass falls as a single body does. */
static void test_whirling_trees(void)
{
    uint64_t state = check_seed(23);
    for (int k = 0; k < 60; ++k) {
        double gravity = k % 2 ? -9.81 : 0, step = k % 4 < 2 ? 1.0 / 60 : 1.0 / 240, first = 0, most = 0,
               kinetic = 0;
        scene s = make_tree(step, gravity, &state);
        double p[6], q[6], scale[2], com[3], now[3];
        momentum(&s, p, scale);
        centre_of(&s, com);
        double mass = 0, velocity[3];
        for (int i = 0; i < s.count; ++i) {
            abut_body_state b;
            CHECK(abut_body_get_state(s.world, s.bodies[i], &b) == ABUT_OK);
            mass += b.mass;
        }
        abuti_v3_scale(velocity, 1 / mass, p);
        for (int i = 0; i < 300; ++i) {
            abut_step_report report;
            CHECK(abut_world_step(s.world, &report) == ABUT_OK);
            if (i == 0) first = report.kinetic + report.potential;
            most = fmax(most, report.kinetic + report.potential);
            kinetic = fmax(kinetic, report.kinetic);
            velocity[2] += step * gravity;
            abuti_v3_add_scaled(com, com, step, velocity);
        }
        momentum(&s, q, scale);
        centre_of(&s, now);
        CHECK_MSG(most - first <= OWED * kinetic, "(%d) gained %g of %g", k, most - first, kinetic);
        for (int i = 0; i < 3; ++i) {
            CHECK_MSG(fabs(now[i] - com[i]) <= 1e-9, "(%d) the centre is %g off", k, now[i] - com[i]);
            if (gravity == 0) CHECK(fabs(q[i] - p[i]) <= ROUNDING * scale[0]);
            if (gravity == 0) CHECK(fabs(q[3 + i] - p[3 + i]) <= ROUNDING * scale[1]);
        }
        abut_world_destroy(s.world);
    }
}

/* A body that is turned where it flies, by the caller or because it had got into the floor, flies on with its velocity. */
static void test_turned_in_flight(void)
{
    uint64_t state = check_seed(24);
    for (int k = 0; k < 40; ++k) {
        bool floor = k % 2;
        scene s = make_scene(1.0 / 60, floor ? -9.81 : 0);
        abut_body_def body = abut_body_default_def();
        abut_joint_def joint = abut_joint_default_def(ABUT_JOINT_FREE);
        abut_collider_def brick = abut_collider_default_def(), ground = brick;
        double v[6], q[7], p[6], scale[2], before, last = INFINITY;
        body.position[2] = 0.4;
        abut_body_id id = add_body(&s, &body, &joint);
        brick.shape = (abut_shape){.kind = ABUT_BOX, .half = {0.1, 0.2, 0.04}};
        ground.shape = (abut_shape){.kind = ABUT_PLANE};
        CHECK(abut_world_add_collider(s.world, id, &brick, NULL, NULL) == ABUT_OK);
        if (floor) CHECK(abut_world_add_collider(s.world, (abut_body_id){0}, &ground, NULL, NULL) == ABUT_OK);
        for (int i = 0; i < 6; ++i) v[i] = random_between(&state, -1, 1) * (i < 3 ? 3 : 100);
        CHECK(abut_world_set_velocities(s.world, v) == ABUT_OK);
        for (int i = 0; i < 120; ++i) {
            abut_step_report report;
            before = momentum(&s, p, scale);
            CHECK(abut_world_step(s.world, &report) == ABUT_OK);
            double now = report.kinetic + report.potential;
            CHECK_MSG(now <= last + 1e-9 * fmax(1, before), "(%d) step %d gained %g", k, i, now - last);
            last = now;
            if (floor || i % 10 != 5) continue;
            abut_world_get_positions(s.world, q);
            random_rotation(&state, q + 3);
            CHECK(abut_world_set_positions(s.world, q) == ABUT_OK);
            last = momentum(&s, p, scale);
        }
        abut_world_destroy(s.world);
    }
}

/* Trees of balls that are made inside of each other, with a rod between two of them: displacements of centimetres cost no
 * momentum, and gain no energy. */
static void test_made_inside(void)
{
    uint64_t state = check_seed(24);
    for (int k = 0; k < 40; ++k) {
        scene s = make_tree(k % 2 ? 1.0 / 60 : 1.0 / 240, 0, &state);
        abut_body_state ends[2];
        double p[6], q[6], apart[3], scale[2], ignored[2];
        for (int i = 0; i < s.count; ++i) {
            abut_collider_def collider = abut_collider_default_def();
            collider.shape = (abut_shape){.kind = ABUT_SPHERE, .radius = random_between(&state, 0.05, 0.15)};
            CHECK(abut_world_add_collider(s.world, s.bodies[i], &collider, NULL, NULL) == ABUT_OK);
        }
        abut_loop_def rod = abut_loop_default_def(ABUT_LOOP_DISTANCE);
        for (int i = 0; i < 2; ++i) {
            rod.bodies[i] = s.bodies[i ? s.count - 1 : 0];
            CHECK(abut_body_get_state(s.world, rod.bodies[i], &ends[i]) == ABUT_OK);
        }
        abuti_v3_sub(apart, ends[1].position, ends[0].position);
        rod.distance = 0.9 * abuti_v3_length(apart);
        CHECK(abut_world_add_loop(s.world, &rod, NULL, NULL) == ABUT_OK);
        double energy = momentum(&s, p, scale);
        for (int i = 0; i < 120; ++i) {
            abut_step_report report;
            CHECK(abut_world_step(s.world, &report) == ABUT_OK);
            CHECK_MSG(report.kinetic <= energy * (1 + OWED), "(%d) step %d: %g from %g", k, i, report.kinetic,
                      energy);
            energy = fmin(energy, report.kinetic);
        }
        momentum(&s, q, ignored);
        for (int i = 0; i < 6; ++i)
            CHECK_MSG(fabs(q[i] - p[i]) <= ROUNDING * scale[i / 3], "(%d) momentum %d: %g of %g", k, i,
                      q[i] - p[i], scale[i / 3]);
        abut_world_destroy(s.world);
    }
}

int main(void)
{
    RUN(test_made_inside);
    RUN(test_collisions);
    RUN(test_turned_in_flight);
    RUN(test_whirling_trees);
    RUN(test_chains);
    RUN(test_hinges_in_gravity);
    return check_report();
}
