/* Actuators whose force is computed at the beginning of a step: muscles, cranks, adhesion, torques on balls; and what tendons
 * carry. Numbers by hand. */
#include "abut/scene.h"
#include "check.h"
#include "scene/simulation.h"
#include "scene_case.h"

typedef struct play {
    abut_scene *scene;
    abut_simulation *simulation;
} play;

static bool begin(play *p, const char *text)
{
    *p = (play){0};
    return scene_from_text(text, &p->scene, &p->simulation);
}

static void end(play *p)
{
    abut_simulation_destroy(p->simulation);
    abut_scene_destroy(p->scene);
}

/* Accelerations at positions q, velocities v, input and state of the only actuator. */
static void accelerate(play *p, const double *q, const double *v, double ctrl, double act, double *result)
{
    CHECK_EQ_INT(abut_world_set_positions(p->simulation->world, q), ABUT_OK);
    CHECK_EQ_INT(abut_world_set_velocities(p->simulation->world, v), ABUT_OK);
    p->simulation->ctrl[0] = ctrl;
    p->simulation->act[0] = act;
    CHECK_EQ_INT(abuti_drive(p->simulation, 1e-30), ABUT_OK);
    CHECK_EQ_INT(abut_world_get_free_acceleration(p->simulation->world, result), ABUT_OK);
    CHECK_EQ_INT(abut_world_step(p->simulation->world, NULL), ABUT_OK); /* forces are for one step */
}

#define SLIDER                                                                                               \
    "<mujoco><option gravity='0 0 0'/><worldbody><body><joint name='j' type='slide' axis='1 0 0' "           \
    "range='-1 1'/><geom size='0.1' mass='2'/></body></worldbody>"

/* Lengths -1 .. 1 stand for 0.5 .. 1.5 of the length at which it is strongest, so 0 is that length. */
static void test_muscle(void)
{
    play p;
    if (!begin(&p, SLIDER "<actuator><muscle joint='j' force='10' range='0.5 1.5' lmin='0' lmax='2' vmax='1' "
                          "fpmax='2' fvmax='1.2'/></actuator></mujoco>"))
        return;
    double a, still = 0, q = 0, v = -1; /* half of its speed: two lengths a second */
    accelerate(&p, &q, &still, 0, 1, &a);
    CHECK_NEAR(a, -10.0 / 2, 1e-12);
    accelerate(&p, &q, &v, 0, 1, &a);
    CHECK_NEAR(a, -10.0 * 0.25 / 2, 1e-12);
    v = 4;
    accelerate(&p, &q, &v, 0, 1, &a);
    CHECK_NEAR(a, -10.0 * 1.2 / 2, 1e-12);
    q = 1; /* at 1.5: the middle of the way down, and the end of the passive parabola */
    accelerate(&p, &q, &still, 0, 1, &a);
    CHECK_NEAR(a, -10.0 * (0.5 + 2 * 0.5) / 2, 1e-12);
    q = -1; /* at 0.5: the middle of the way up, nothing passive */
    accelerate(&p, &q, &still, 0, 0.5, &a);
    CHECK_NEAR(a, -10.0 * 0.5 * 0.5 / 2, 1e-12);
    /* Activation: up with 0.01 (0.5 + 1.5 act), down with 0.04 / (0.5 + 1.5 act). */
    const abut_scene_actuator *muscle = &p.scene->actuators[0];
    CHECK_NEAR(abuti_muscle_rate(muscle, 1, 0), 1 / 0.005, 1e-9);
    CHECK_NEAR(abuti_muscle_rate(muscle, 0, 1), -1 / 0.02, 1e-9);
    CHECK_NEAR(abuti_muscle_rate(muscle, 7, 1), 0, 1e-12); /* inputs end at 1 */
    end(&p);
}

/* No force is given: it is scale over the acceleration that a force of one makes, 200 / (1 / 2). */
static void test_muscle_finds_its_force(void)
{
    play p;
    if (!begin(&p, SLIDER "<actuator><muscle joint='j' range='0.5 1.5'/></actuator></mujoco>")) return;
    double a, still = 0, q = 0;
    accelerate(&p, &q, &still, 0, 1, &a);
    CHECK_NEAR(a, -200, 1e-9);
    end(&p);
}

/* A muscle on a joint without limits, and without a range of lengths, has no length to be strong at. */
static void test_muscle_without_lengths_is_refused(void)
{
    static const char text[] =
        "<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody><actuator>\n"
        "<muscle joint='j'/></actuator></mujoco>";
    abut_error error = {""};
    abut_scene *scene = NULL;
    CHECK_EQ_INT(abut_scene_parse(text, strlen(text), NULL, NULL, &scene, &error), ABUT_UNSUPPORTED);
    CHECK_MSG(strstr(error.text, "scene:2: <muscle lengthrange>: missing"), "%s", error.text);
}

/* The pin on the axis of the slider: a force of one pushes pin and slider together along it. */
static void test_crank(void)
{
    play p;
    if (!begin(&p, "<mujoco><option gravity='0 0 0'/><worldbody>"
                   "<site name='guide' pos='0 0 0' zaxis='1 0 0'/>"
                   "<body pos='3 0 0'><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>"
                   "<geom size='0.1' mass='2'/><site name='pin'/></body></worldbody>"
                   "<actuator><position slidersite='guide' cranksite='pin' cranklength='5' "
                   "kp='1'/></actuator></mujoco>"))
        return;
    double a[2], q[2] = {0, 0}, v[2] = {0, 0};
    accelerate(&p, q, v, 0, 0, a); /* length 3 - 5 */
    CHECK_NEAR(a[0], 2.0 / 2, 1e-12);
    CHECK_NEAR(a[1], 0, 1e-12);
    q[1] = 4; /* the rod reaches back to 0: length 3 - sqrt(25 - 16) = 0, moment (1, 4 / 3) */
    accelerate(&p, q, v, 6, 0, a);
    CHECK_NEAR(a[0], 6.0 / 2, 1e-12);
    CHECK_NEAR(a[1], 6.0 / 2 * 4 / 3, 1e-12);
    end(&p);
}

/* A block under a ceiling: a pull of 20 N holds 1 kg, one of 8 N does not. */
static const char *const holds =
    "<mujoco><worldbody><geom type='plane' size='1 1 1' pos='0 0 1' zaxis='0 0 -1'/>"
    "<body name='b' pos='0 0 0.95'><freejoint/><geom type='box' size='0.05 0.05 0.05' mass='1'/></body>"
    "</worldbody><actuator><adhesion body='b' gain='20' ctrlrange='0 1'/></actuator></mujoco>";

static void test_adhesion_holds(void)
{
    play p;
    if (!begin(&p, holds)) return;
    abut_body_state state;
    for (int round = 0; round < 2; ++round) {
        CHECK_EQ_INT(abut_simulation_reset(p.simulation, -1), ABUT_OK);
        p.simulation->ctrl[0] = round == 0 ? 1 : 0.4;
        for (int i = 0; i < 100; ++i) {
            abut_step_report report;
            CHECK_EQ_INT(abut_simulation_step(p.simulation, &report), ABUT_OK);
            CHECK(report.outcome == ABUT_SOLVED && report.residual <= 1e-8);
        }
        CHECK_EQ_INT(abut_body_get_state(p.simulation->world, p.simulation->bodies[1], &state), ABUT_OK);
        CHECK_MSG(round == 0 ? state.position[2] > 0.9499 : state.position[2] < 0.9, "at %g",
                  state.position[2]);
    }
    end(&p);
}

/* A ball that has turned by 90 degrees about z: a torque about the parent's x acts about the body's -y. */
static void test_torques_on_balls(void)
{
    play p;
    double a[3], still[3] = {0}, q[4] = {sqrt(0.5), 0, 0, sqrt(0.5)};
    static const char body[] =
        "<mujoco><option gravity='0 0 0'/><worldbody><body><joint name='j' type='ball'/>"
        "<inertial mass='1' pos='0 0 0' diaginertia='2 3 "
        "4'/></body></worldbody><actuator>%s</actuator></mujoco>";
    char text[1024];
    snprintf(text, sizeof text, body, "<motor jointinparent='j' gear='1 0 0'/>");
    if (begin(&p, text)) {
        accelerate(&p, q, still, 6, 0, a);
        CHECK_NEAR(a[0], 0, 1e-12);
        CHECK_NEAR(a[1], -6.0 / 3, 1e-12);
        end(&p);
    }
    snprintf(text, sizeof text, body, "<position joint='j' gear='0 0 1' kp='8'/>");
    if (begin(&p, text)) { /* its length is the angle */
        accelerate(&p, q, still, 0, 0, a);
        CHECK_NEAR(a[2], -8 * atan(1) * 2 / 4, 1e-12);
        end(&p);
    }
}

/* Two slides of 1 kg whose sum carries 3 kg more: a force on one moves both. */
static void test_tendons_carry_inertia_and_curved_springs(void)
{
    play p;
    if (!begin(&p, "<mujoco><option gravity='0 0 0'/><default><joint type='slide' axis='1 0 "
                   "0'/></default><worldbody>"
                   "<body><joint name='a'/><geom size='0.1' mass='1'/></body>"
                   "<body pos='0 1 0'><joint name='b'/><geom size='0.1' mass='1'/></body></worldbody>"
                   "<tendon><fixed name='t' armature='3' stiffness='0 2 0' springlength='0'><joint joint='a' "
                   "coef='1'/>"
                   "<joint joint='b' coef='1'/></fixed></tendon>"
                   "<actuator><motor joint='a'/></actuator></mujoco>"))
        return;
    double a[2], q[2] = {0, 0}, v[2] = {0, 0};
    accelerate(&p, q, v, 7, 0, a); /* [4 3; 3 4] a = (7, 0) */
    CHECK_NEAR(a[0], 4, 1e-12);
    CHECK_NEAR(a[1], -3, 1e-12);
    q[0] = -3; /* against 2 x^2 = 18, whichever side x is on, as MuJoCo has it: 7 a = -18 for both */
    accelerate(&p, q, v, 0, 0, a);
    CHECK_NEAR(a[0], -18.0 / 7, 1e-12);
    CHECK_NEAR(a[1], -18.0 / 7, 1e-12);
    abut_step_report report;
    v[0] = 2;
    CHECK_EQ_INT(abut_world_set_velocities(p.simulation->world, v), ABUT_OK);
    q[0] = 0;
    CHECK_EQ_INT(abut_world_set_positions(p.simulation->world, q), ABUT_OK);
    CHECK_EQ_INT(abut_simulation_step(p.simulation, &report), ABUT_OK);
    CHECK_NEAR(report.kinetic, 0.5 * 4 * 2 * 2, 1e-9);
    end(&p);
}

int main(void)
{
#ifndef ABUT_HAVE_XML
    return CHECK_SKIPPED;
#else
    RUN(test_muscle);
    RUN(test_muscle_finds_its_force);
    RUN(test_muscle_without_lengths_is_refused);
    RUN(test_crank);
    RUN(test_adhesion_holds);
    RUN(test_torques_on_balls);
    RUN(test_tendons_carry_inertia_and_curved_springs);
    return check_report();
#endif
}
