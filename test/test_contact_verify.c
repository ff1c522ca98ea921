/* The verifier of contact answers: right answers, worked out by hand, are accepted through every door and in
 * any units; each kind of wrong answer is refused, and refused for its own reason. */
#include "verify_scene.h"

/* Golden box_incline_*: forces and accelerations down the slope. */
static void test_box_on_slope(void)
{
    const double golden[4][4] = {{0.5, 6.710435212049622, -18.43676921981952, 0.0},
                                 {0.5, 8.600841900001699, -17.634339188389653, 0.0},
                                 {0.5, 8.907293604889908, -17.481548004575775, 0.08325980130101016},
                                 {0.3, 12.611492902049902, -15.029791973994353, 4.051277654925798}};
    for (int k = 0; k < 4; ++k) {
        scene s = box_on_plane(golden[k][0], golden[k][1], golden[k][2]);
        CHECK_NEAR(s.velocity[0], golden[k][3] * STEP, 1e-15);
        abut_contact_check check = verify(&s);
        CHECK_MSG(check.residual <= RIGHT, "slope %d: residual %g", k, check.residual);
    }
}

/* Normals that are unit to 1e-6 and tangents of any length that lean towards them mean the exact frame: the
 * verifier makes it as the solvers do. */
static void test_inexact_frames(void)
{
    const double normal[3][3] = {{0, 0, 1}, {0, 0, 1 + 9e-7}, {3e-7, -4e-7, 1 - 5e-7}};
    const double tangent[5][3] = {{0, 0, 0}, {1, 0, 0}, {1 - 1e-7, 0, 3e-7}, {2, 0, 0}, {0.8, 0, 0.6}};
    for (int k = 0; k < 15; ++k) {
        scene s = box_on_plane(0.3, 12.611492902049902, -15.029791973994353);
        double lean = fmax(fabs(normal[k / 5][0]), fabs(normal[k / 5][1]));
        for (int i = 0; i < s.problem.contact_count; ++i) {
            memcpy(s.contacts[i].normal, normal[k / 5], sizeof normal[0]);
            memcpy(s.contacts[i].tangent, tangent[k % 5], sizeof tangent[0]);
        }
        abut_contact_check check = verify(&s); /* the answer is that of the plane without lean */
        CHECK_MSG(lean > 0 || check.residual <= RIGHT, "frame %d: residual %g", k, check.residual);
        abut_contact_options options = abut_contact_default_options();
        abut_contact_limits limits = abut_contact_limits_for(&s.problem, &options);
        abut_contact_workspace *work = NULL;
        abut_contact_result result;
        CHECK_EQ_INT(abut_contact_workspace_create(&limits, NULL, &work), ABUT_OK);
        CHECK_EQ_INT(abut_contact_solve(work, &s.problem, &options, &result), ABUT_OK);
        CHECK_EQ_INT(result.outcome, ABUT_SOLVED);
        CHECK_MSG(result.residual <= RIGHT, "frame %d: residual %g", k, result.residual);
        abut_contact_workspace_destroy(work);
    }
}

/* Golden sphere_incline_*: rolls when tan(slope) <= 3.5 mu, spins and slides else. */
static scene sphere_on_slope(double mu, double fx, double fz, double a, double alpha)
{
    scene s = empty();
    double mass = 1.5, r = 0.2, inertia = 0.4 * mass * r * r;
    body(&s, 0, mass, inertia, inertia, inertia, 0, 0, r);
    s.bodies[0].force[0] = fx;
    s.bodies[0].force[2] = fz;
    int i = contact(&s, 0, ABUT_WORLD, mu, 0, 0, 0, 0, 0, 1);
    s.velocity[0] = a * STEP;
    s.velocity[4] = alpha * STEP;
    set_impulse(&s, i, -fz * STEP, (mass * a - fx) * STEP, 0);
    return s;
}

static void test_sphere_on_slope(void)
{
    const double angle[3] = {30, 30, 45}, mu[3] = {0.3, 0.1, 0.3};
    const double a[3] = {3.503571428571428, 4.055429078887465, 4.954798231028595};
    const double alpha[3] = {17.51785714285714, 10.619636513906677, 24.773991155142973};
    for (int k = 0; k < 3; ++k) {
        double slope = angle[k] * 3.14159265358979323846 / 180;
        scene s = sphere_on_slope(mu[k], 1.5 * G * sin(slope), -1.5 * G * cos(slope), a[k], alpha[k]);
        CHECK_NEAR(verify(&s).residual, 0, RIGHT);
    }
}

/* Golden stack_2: unit cubes at rest, interfaces carry 19.62 and 9.81 N. */
static scene stack_of_two(void)
{
    scene s = empty();
    for (int i = 0; i < 2; ++i) {
        body(&s, i, 1.0, 1.0 / 6, 1.0 / 6, 1.0 / 6, 0, 0, 0.5 + i);
        s.bodies[i].force[2] = -G;
        for (int c = 0; c < 4; ++c) {
            int j = contact(&s, i, i - 1, 0.5, c < 2 ? -0.5 : 0.5, c % 2 ? 0.5 : -0.5, i, 0, 0, 1);
            set_impulse(&s, j, (2 - i) * G * STEP / 4, 0, 0);
        }
    }
    return s;
}

static void test_stack(void)
{
    scene s = stack_of_two();
    CHECK_NEAR(verify(&s).residual, 0, RIGHT);
    /* The upper contacts pushed only the upper body. */
    s.velocity[2] = G * STEP;
    abut_contact_check check = verify(&s);
    CHECK(check.dynamics > 1e-3 && check.momentum > 1e-3);
}

/* Golden ladder_60deg_mu0.4: leans on a frictionless wall, the floor holds it by friction. */
static void test_ladder(void)
{
    scene s = empty();
    body(&s, 0, 3.0, 1, 1, 1, 0.5000000000000001, 0, 0.8660254037844385);
    s.bodies[0].force[2] = -29.43;
    contact(&s, 0, ABUT_WORLD, 0.4, 1.0000000000000002, 0, 0, 0, 0, 1);
    contact(&s, 0, ABUT_WORLD, 0.0, 0, 0, 1.732050807568877, 1, 0, 0);
    s.contacts[0].tangent[0] = 1;
    set_impulse(&s, 0, 29.43 * STEP, -8.495709211125346 * STEP, 0);
    set_impulse(&s, 1, 8.495709211125346 * STEP, 0, 0);
    CHECK_NEAR(verify(&s).residual, 0, RIGHT);
    s.contacts[0].friction = 0.28; /* it would slip */
    CHECK(verify(&s).cone > 1e-3);
    s.contacts[0].friction = 0.4;
    s.impulses[5] = 1e-6; /* the wall has no friction */
    CHECK(verify(&s).cone > 1e-8);
}

/* Golden corner_12_contacts_frictionless: any split of a face's force that balances is right. */
static void test_corner(void)
{
    const double each = 5.663806140750229;
    scene s = empty();
    body(&s, 0, 1.0, 2.0 / 3, 2.0 / 3, 2.0 / 3, 1, 1, 1);
    for (int axis = 0; axis < 3; ++axis) {
        s.bodies[0].force[axis] = -each;
        for (int c = 0; c < 4; ++c) {
            double p[3] = {0}, n[3] = {0};
            p[(axis + 1) % 3] = c & 1 ? 2 : 0;
            p[(axis + 2) % 3] = c & 2 ? 2 : 0;
            n[axis] = 1;
            int i = contact(&s, 0, ABUT_WORLD, 0, p[0], p[1], p[2], n[0], n[1], n[2]);
            set_impulse(&s, i, each * STEP / 4, 0, 0);
        }
    }
    CHECK_NEAR(verify(&s).residual, 0, RIGHT);
    for (int i = 0; i < 12; ++i) set_impulse(&s, i, i % 4 == 1 || i % 4 == 2 ? each * STEP / 2 : 0, 0, 0);
    CHECK_NEAR(verify(&s).residual, 0, RIGHT);
    for (int i = 0; i < 12; ++i) set_impulse(&s, i, i % 4 == 1 ? each * STEP : 0, 0, 0);
    CHECK(verify(&s).dynamics > 1e-2);
}

/* Golden grasp_1block_*: two fingers of 10 kg squeeze a block of 1.5 kg with 20 N; its weight drags them
 * down. */
static scene grasp(double mu, double a_block, double a_finger)
{
    scene s = empty();
    double friction = 1.5 * (a_block + G) * STEP / 8;
    for (int f = 0; f < 2; ++f) {
        body(&s, f, 10, 10, 10, 10, f ? 0.5 : -0.5, 0, 0);
        s.bodies[f].force[0] = f ? -20 : 20;
        s.velocity[6 * f + 2] = a_finger * STEP;
    }
    body(&s, 2, 1.5, 0.25, 0.25, 0.25, 0, 0, 0);
    s.bodies[2].force[2] = -1.5 * G;
    s.velocity[14] = a_block * STEP;
    for (int c = 0; c < 8; ++c) {
        int f = c / 4, i = contact(&s, 2, f, mu, f ? 0.5 : -0.5, c & 1 ? 0.4 : -0.4, c & 2 ? 0.4 : -0.4,
                                   f ? -1 : 1, 0, 0);
        s.contacts[i].tangent[2] = 1;
        s.contacts[i].directions = 4;
        set_impulse(&s, i, 20 * STEP / 4, friction, 0);
    }
    return s;
}

static void test_grasp(void)
{
    scene sticks = grasp(0.5, -0.6844186046511628, -0.6844186046511628), slips = grasp(0.3, -1.81, -0.6);
    CHECK_NEAR(verify(&sticks).residual, 0, RIGHT);
    CHECK_NEAR(verify(&slips).residual, 0, RIGHT);
    /* The fingers never felt the block. */
    for (int f = 0; f < 2; ++f) sticks.velocity[6 * f + 2] = 0;
    abut_contact_check check = verify(&sticks);
    CHECK(check.dynamics > 1e-3 && check.momentum > 1e-3 && check.cone > 1e-3);
}

/* ------------------------------------------------------------------------------------------------
 * Wrong answers */

typedef void damage(scene *s);

static void friction_turned(scene *s)
{
    for (int i = 0; i < s->problem.contact_count; ++i) s->impulses[3 * i + 1] *= -1;
}

static void friction_turned_dynamics_right(scene *s)
{
    double before = 0, after = 0;
    for (int i = 0; i < s->problem.contact_count; ++i) before += s->impulses[3 * i + 1];
    friction_turned(s);
    for (int i = 0; i < s->problem.contact_count; ++i) after += s->impulses[3 * i + 1];
    s->velocity[0] += (after - before) / s->bodies[0].mass;
}

static void friction_outside(scene *s)
{
    s->impulses[1] -= 0.01 * s->contacts[0].friction * s->impulses[0];
    s->impulses[4] -= 0.01 * s->contacts[1].friction * s->impulses[3];
}

static void friction_on_next_edge(scene *s)
{
    /* Halfway to the next vertex: in the polygon, but not where the slip along x wants it. Mirrored pairs
     * keep the sums along y. */
    const double c = (1 + sqrt(0.5)) / 2, q = sqrt(0.5) / 2;
    for (int i = 0; i < 4; ++i) {
        double most = s->contacts[i].friction * s->impulses[3 * i];
        s->impulses[3 * i + 1] = -c * most;
        s->impulses[3 * i + 2] = (i % 2 ? q : -q) * most;
    }
}

static void friction_too_small(scene *s)
{
    for (int i = 0; i < 4; ++i) s->impulses[3 * i + 1] *= 1 - 1e-6;
}

static void sinks(scene *s)
{
    s->velocity[2] -= 1e-4;
}

static void tilts(scene *s)
{
    s->velocity[4] += 1e-4;
}

static void lifts_off(scene *s)
{
    s->velocity[2] += 1e-3;
}

static void pulls(scene *s)
{
    s->impulses[0] = -s->impulses[0];
}

static void grows(scene *s)
{
    for (int i = 0; i < 3 * s->problem.contact_count; ++i) s->impulses[i] *= 1 + 1e-6;
}

static void grows_with_velocity(scene *s)
{
    grows(s);
    for (int i = 0; i < 6 * s->problem.body_count; ++i) s->velocity[i] *= 1 + 1e-6;
}

static void nan_impulse(scene *s)
{
    s->impulses[0] = NAN;
}

static void nan_friction(scene *s)
{
    s->impulses[5] = NAN;
}

static void nan_velocity(scene *s)
{
    s->velocity[3] = NAN;
}

static void infinite_impulse(scene *s)
{
    s->impulses[3] = INFINITY;
}

static void nan_in_problem(scene *s)
{
    s->contacts[2].friction = NAN;
}

static void nan_point(scene *s)
{
    s->contacts[2].point[1] = NAN;
}

static void nan_gap(scene *s)
{
    s->contacts[1].gap = NAN;
}

static void nan_force(scene *s)
{
    s->bodies[0].force[1] = NAN;
}

static void moment_forgotten(scene *s)
{
    /* As if friction pushed at the centre of mass. */
    for (int i = 0; i < 4; ++i) s->impulses[3 * i] = -s->bodies[0].force[2] * STEP / 4;
}

static void test_wrong_answers_are_refused(void)
{
    static const struct {
        const char *name;
        damage *inflict;
    } damages[] = {{"friction turned", friction_turned},
                   {"friction turned, velocity follows", friction_turned_dynamics_right},
                   {"friction outside the polygon", friction_outside},
                   {"friction on the next edge", friction_on_next_edge},
                   {"friction too small", friction_too_small},
                   {"sinks", sinks},
                   {"tilts", tilts},
                   {"lifts off with impulse", lifts_off},
                   {"pulls", pulls},
                   {"impulses times 1 + 1e-6", grows},
                   {"all times 1 + 1e-6", grows_with_velocity},
                   {"NaN normal impulse", nan_impulse},
                   {"NaN friction impulse", nan_friction},
                   {"NaN velocity", nan_velocity},
                   {"infinite impulse", infinite_impulse},
                   {"NaN friction coefficient", nan_in_problem},
                   {"NaN point", nan_point},
                   {"NaN gap", nan_gap},
                   {"NaN force", nan_force},
                   {"moment forgotten", moment_forgotten}};
    for (size_t k = 0; k < sizeof damages / sizeof damages[0]; ++k)
        for (int slides = 0; slides < 2; ++slides) {
            scene s = slides ? box_on_plane(0.3, 12.611492902049902, -15.029791973994353)
                             : box_on_plane(0.5, 6.710435212049622, -18.43676921981952);
            CHECK(verify(&s).residual <= RIGHT);
            damages[k].inflict(&s);
            abut_contact_check check = verify(&s);
            CHECK_MSG(!(check.residual <= 1e-8), "%s (%s): accepted with residual %g", damages[k].name,
                      slides ? "slides" : "sticks", check.residual);
            CHECK_MSG(!isnan(check.residual), "%s", damages[k].name);
        }
}

int main(void)
{
    RUN(test_box_on_slope);
    RUN(test_inexact_frames);
    RUN(test_sphere_on_slope);
    RUN(test_stack);
    RUN(test_ladder);
    RUN(test_corner);
    RUN(test_grasp);
    RUN(test_wrong_answers_are_refused);
    return check_report();
}
