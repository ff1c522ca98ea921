/* The scenes of scenes/: each does what its sentence says. Every step is verified. */
#include "abut/scene.h"
#include "check.h"
#include "io/control_file.h"
#include "scene_case.h"

#include <stdbool.h>

typedef struct play {
    abut_scene *scene;
    abut_simulation *simulation;
    abuti_control control; /* no rows where nobody controls */
    long at;               /* steps taken */
} play;

static bool open_file(play *p, const char *path, abut_contact_model model)
{
    abut_error error = {""};
    abut_world_def def;
    *p = (play){0};
    bool good = abut_scene_load(path, NULL, &p->scene, &error) == ABUT_OK &&
                abut_scene_world_def(p->scene, &def, &error) == ABUT_OK;
    if (good) def.model = model;
    good = good && abut_simulation_create(p->scene, &def, &p->simulation, &error) == ABUT_OK;
    CHECK_MSG(good, "%s: %s", path, error.text);
    return good;
}

static bool begin_text(play *p, const char *text)
{
    *p = (play){0};
    return scene_from_text(text, &p->scene, &p->simulation);
}

/* The inputs of scenes/NAME.csv. */
static void control_by(play *p, const char *name)
{
    char path[1024];
    abut_error error = {""};
    snprintf(path, sizeof path, "%s/../../scenes/%s.csv", ABUT_TEST_GOLDEN, name);
    CHECK_MSG(abuti_control_read(&p->control, path, p->scene->actuator_count, &error), "%s", error.text);
}

static bool begin_model(play *p, const char *name, const char *keyframe, abut_contact_model model)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/../../scenes/%s.xml", ABUT_TEST_GOLDEN, name);
    if (!open_file(p, path, model)) return false;
    const abut_scene_custom *see = abut_scene_find_custom(p->scene, "abut_see");
    CHECK_MSG(see && see->text && strlen(see->text) > 10, "%s does not say what there is to see", name);
    for (int i = 0; keyframe && i < p->scene->keyframe_count; ++i)
        if (strcmp(p->scene->keyframes[i].name, keyframe) == 0)
            CHECK_EQ_INT(abut_simulation_reset(p->simulation, i), ABUT_OK);
    return true;
}

static bool begin(play *p, const char *name, const char *keyframe)
{
    return begin_model(p, name, keyframe, ABUT_COULOMB);
}

static void end(play *p)
{
    abuti_control_release(&p->control);
    abut_simulation_destroy(p->simulation);
    abut_scene_destroy(p->scene);
}

/* Goes on for some seconds; every step must be verified. */
static abut_step_report go(play *p, double seconds)
{
    abut_step_report report = {0};
    long steps = (long)(seconds / p->scene->timestep + 0.5), wrong = 0;
    double penetration = 0;
    for (long i = 0; i < steps; ++i) {
        abuti_control_apply(&p->control, (double)p->at++ * p->scene->timestep, p->simulation->ctrl);
        CHECK_EQ_INT(abut_simulation_step(p->simulation, &report), ABUT_OK);
        wrong += report.outcome != ABUT_SOLVED || report.unsolved > 0 || !(report.residual <= 1e-8);
        penetration = fmax(penetration, report.penetration);
    }
    CHECK_EQ_INT(wrong, 0);
    CHECK_MSG(penetration <= 1e-8, "%s: penetration %g", p->scene->model, penetration);
    return report;
}

static abut_body_state state_of(play *p, const char *name)
{
    abut_body_state state = {{0}, {0}, {0}, {0}, 0, {0}};
    for (int i = 1; i < p->scene->body_count; ++i)
        if (strcmp(p->scene->bodies[i].name, name) == 0)
            CHECK_EQ_INT(abut_body_get_state(p->simulation->world, p->simulation->bodies[i], &state),
                         ABUT_OK);
    return state;
}

/* How far the bodies are from where the scene puts them. */
static double moved(play *p)
{
    double most = 0;
    for (int i = 1; i < p->scene->body_count; ++i) {
        abut_body_state state;
        if (p->scene->bodies[i].parent != 0) continue;
        CHECK_EQ_INT(abut_body_get_state(p->simulation->world, p->simulation->bodies[i], &state), ABUT_OK);
        for (int k = 0; k < 3; ++k)
            most = fmax(most, fabs(state.position[k] - p->scene->bodies[i].pose.pos[k]));
    }
    return most;
}

static void test_what_stands_stands(void)
{
    static const char *const names[] = {"face",    "stack_1", "stack_2",     "stack_3", "stack_4",  "stack_5",
                                        "stack_6", "stack_7", "stack_8",     "stack_9", "stack_10", "tower",
                                        "arch",    "cards",   "slope_stick", "ladder",  "over_hole"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        play p;
        if (!begin(&p, names[i], NULL)) continue;
        go(&p, 0.5);
        CHECK_MSG(moved(&p) <= 1e-6, "%s: moved by %g", names[i], moved(&p));
        end(&p);
    }
}

static void test_grasp_holds(void)
{
    play p;
    if (!begin(&p, "grasp", "press")) return;
    go(&p, 0.5);
    CHECK(moved(&p) <= 1e-6);
    CHECK(abut_simulation_reset(p.simulation, -1) == ABUT_OK); /* nobody presses */
    go(&p, 0.2);
    CHECK(state_of(&p, "block_a").position[2] < 0.25);
    end(&p);
}

static void test_peg_goes_down(void)
{
    play p;
    if (!begin(&p, "peg", NULL)) return;
    abut_step_report report = go(&p, 1);
    CHECK_NEAR(state_of(&p, "peg").position[2], 0.1, 1e-6);
    CHECK(report.kinetic <= 1e-12);
    end(&p);
}

static void test_slope_slips_as_calculated(void)
{
    play p;
    if (!begin(&p, "slope_slip", NULL)) return;
    double before = state_of(&p, "block").position[0];
    go(&p, 0.5);
    abut_body_state after = state_of(&p, "block");
    double slope = atan(1) * 4 / 6, acceleration = 9.81 * (sin(slope) - 0.5 * cos(slope));
    double along = (after.position[0] - before) / cos(slope);
    CHECK_NEAR(along, acceleration * 0.5 * (0.5 + 0.005) / 2, 1e-6); /* a sum of steps */
    end(&p);
}

static void test_corner_groove_and_rim(void)
{
    play p;
    if (begin(&p, "corner", NULL)) {
        abut_step_report report = go(&p, 2);
        abut_body_state block = state_of(&p, "block");
        CHECK(report.kinetic <= 1e-12);
        CHECK_NEAR(block.position[0], 0.05, 1e-6);
        CHECK_NEAR(block.position[1], 0.25, 1e-6);
        end(&p);
    }
    if (begin(&p, "rim", NULL)) {
        go(&p, 2);
        CHECK_NEAR(state_of(&p, "ball").position[0], 0.06, 1e-5);
        end(&p);
    }
    if (begin(&p, "groove", NULL)) {
        go(&p, 0.3);
        abut_body_state before = state_of(&p, "block");
        go(&p, 0.1);
        abut_body_state after = state_of(&p, "block");
        CHECK_NEAR(after.position[1], 0, 1e-6);
        /* Each side carries cos 45 of the load: friction counts sqrt 2 times. */
        double slope = atan(1) / 3, expected = 9.81 * (sin(slope) - sqrt(2) * 0.15 * cos(slope));
        CHECK_NEAR((after.velocity[0] - before.velocity[0]) / 0.1 / cos(slope), expected, 0.02);
        end(&p);
    }
}

static void test_dominoes_fall(void)
{
    play p;
    if (!begin(&p, "dominoes", NULL)) return;
    go(&p, 0.45);
    CHECK(state_of(&p, "domino_1").position[2] < 0.049);
    CHECK_NEAR(state_of(&p, "domino_7").position[2], 0.05, 1e-6); /* its turn is later */
    go(&p, 1.05);
    for (int i = 1; i < p.scene->body_count; ++i) {
        abut_body_state state;
        CHECK_EQ_INT(abut_body_get_state(p.simulation->world, p.simulation->bodies[i], &state), ABUT_OK);
        CHECK_MSG(state.position[2] < 0.04, "%s stands", p.scene->bodies[i].name);
    }
    end(&p);
}

static void test_cradle_passes_the_blow_on(void)
{
    play p;
    if (!begin(&p, "cradle", "lifted")) return;
    double energy = 0;
    abut_step_report report = go(&p, 0.002);
    energy = report.kinetic + report.potential;
    report = go(&p, 0.6);
    CHECK_NEAR(report.kinetic + report.potential, energy, 0.002 * fabs(energy));
    double q[5];
    abut_world_get_positions(p.simulation->world, q);
    CHECK(q[4] < -0.1); /* the last one has left; the first has stopped */
    CHECK(fabs(q[0]) < 0.02);
    end(&p);
}

static void test_gripper_lifts(void)
{
    play p;
    if (!begin(&p, "gripper", "closed")) return;
    go(&p, 0.5);
    p.simulation->ctrl[0] = 0.1;
    go(&p, 1);
    CHECK(state_of(&p, "block").position[2] > 0.1);
    CHECK_NEAR(state_of(&p, "block").velocity[2], 0, 1e-3);
    end(&p);
}

static void test_jack_and_linkage(void)
{
    play p;
    if (begin(&p, "jack", "push")) {
        go(&p, 1);
        CHECK(state_of(&p, "load").position[2] > 0.25);
        end(&p);
    }
    if (begin(&p, "linkage", "turn")) {
        double q[3], low = 0, high = 0;
        for (int i = 0; i < 40; ++i) {
            go(&p, 0.1);
            abut_world_get_positions(p.simulation->world, q);
            low = fmin(low, q[2]);
            high = fmax(high, q[2]);
        }
        CHECK(fabs(q[0]) > 6.3); /* once around at least */
        CHECK_MSG(high - low > 0.3 && high - low < 3, "the rocker swings by %g", high - low);
        end(&p);
    }
}

/* Two blocks on a slope of 20 degrees: a pair holds the one whose geoms are smooth, and lets the other go, whose geoms are rough. */
static void test_pairs_have_their_own_friction(void)
{
    static const char text[] =
        "<mujoco><worldbody>"
        "<geom name='slope' type='plane' size='1 1 1' euler='0 20 0' friction='0.1'/>"
        "<frame euler='0 20 0'>"
        "<body name='smooth' pos='0 0 0.05'><freejoint/><geom name='smooth' type='box' size='.05 .05 .05' "
        "friction='0.1'/></body>"
        "<body name='rough' pos='0 1 0.05'><freejoint/><geom name='rough' type='box' size='.05 .05 .05' "
        "friction='2'/></body>"
        "</frame></worldbody>"
        "<contact><pair geom1='smooth' geom2='slope' friction='0.6 0.6'/><pair geom1='slope' geom2='rough' "
        "condim='1'/></contact></mujoco>";
    play p;
    if (!begin_text(&p, text)) return;
    go(&p, 0.5);
    CHECK(fabs(state_of(&p, "smooth").velocity[0]) <= 1e-9);
    double slope = atan(1) * 4 / 9, fast = 9.81 * sin(slope) * 0.5;
    abut_body_state rough = state_of(&p, "rough");
    CHECK_NEAR(hypot(rough.velocity[0], rough.velocity[2]), fast, 1e-6);
    end(&p);
}

/* Forty pairs of geoms that touch nothing else, more than there are bits; a pair of parent and child; and parents that are not
 * filtered. */
static void test_pairs_stand_above_all_else(void)
{
    static const char text[] =
        "<mujoco><default><geom contype='0' conaffinity='0'/></default><worldbody>"
        "<geom name='floor' type='plane' size='9 9 1'/>"
        "<replicate count='40' offset='0.3 0 0'><body name='ball' pos='0 0 0.1'><freejoint/>"
        "<geom name='ball' size='0.1'/></body></replicate></worldbody>"
        "<contact><pair geom1='floor' geom2='ball'/></contact></mujoco>";
    static const char *const arms[2] = {
        "<mujoco><worldbody><body name='a'><joint axis='0 1 0' damping='1e9'/><geom name='a' size='0.1'/>"
        "<body name='b' pos='0 0 0.3'><joint type='slide' axis='0 0 1'/><geom name='b' size='0.1'/></body>"
        "</body></worldbody><contact><pair geom1='a' geom2='b'/><exclude body1='a' "
        "body2='b'/></contact></mujoco>",
        "<mujoco><option><flag filterparent='disable'/></option><worldbody><body name='a'>"
        "<joint axis='0 1 0' damping='1e9'/><geom name='a' size='0.1'/><body name='b' pos='0 0 0.3'>"
        "<joint type='slide' axis='0 0 1'/><geom name='b' size='0.1'/></body></body></worldbody></mujoco>"};
    play p;
    if (begin_text(&p, text)) {
        go(&p, 0.1);
        CHECK(moved(&p) <= 1e-9);
        end(&p);
    }
    for (int i = 0; i < 2; ++i) {
        if (!begin_text(&p, arms[i])) continue;
        go(&p, 0.5);
        CHECK_NEAR(state_of(&p, "b").position[2], 0.2, 1e-8);
        end(&p);
    }
}

/* A block slides without friction over floors of two boxes whose tops meet in a seam, deeper in the second one's side than in
 * its top for a step that is large: with unions it keeps its speed. */
static void test_unions_are_asked_for_by_name(void)
{
    static const char text[] =
        "<mujoco><custom><text name='abut_unions' data='%s'/></custom><default><geom "
        "friction='0'/></default><worldbody>"
        "<geom name='left' type='box' size='1 1 0.1' pos='-1 0 -0.1'/>"
        "<geom name='right' type='box' size='1 1 0.1' pos='1 0 -0.1'/>"
        "<body name='block' pos='-0.3 0 0.1'><freejoint/><geom name='block' type='box' size='0.1 0.1 "
        "0.1'/></body>"
        "</worldbody><keyframe><key qpos='-0.3 0 0.1 1 0 0 0' qvel='2 0 0 0 0 0'/></keyframe></mujoco>";
    static const char *const lists[] = {"block", "left right", "all"};
    char full[1024];
    play p;
    for (int i = 0; i < 3; ++i) {
        snprintf(full, sizeof full, text, lists[i]);
        if (!begin_text(&p, full)) continue;
        CHECK_EQ_INT(abut_simulation_reset(p.simulation, 0), ABUT_OK);
        go(&p, 0.3);
        CHECK_NEAR(state_of(&p, "block").velocity[0], 2, 1e-9);
        CHECK_NEAR(state_of(&p, "block").position[2], 0.1, 1e-8);
        end(&p);
    }
    abut_error error = {""};
    abut_world_def def;
    p = (play){0};
    snprintf(full, sizeof full, text, "block rigth");
    CHECK_EQ_INT(abut_scene_parse(full, strlen(full), NULL, NULL, &p.scene, &error), ABUT_OK);
    CHECK_EQ_INT(abut_scene_world_def(p.scene, &def, &error), ABUT_OK);
    CHECK_EQ_INT(abut_simulation_create(p.scene, &def, &p.simulation, &error), ABUT_INVALID_ARGUMENT);
    CHECK_MSG(strstr(error.text, "abut_unions"), "%s", error.text);
    end(&p);
}

static void test_peg_is_inserted(void)
{
    play p;
    if (!begin(&p, "insertion", NULL)) return;
    control_by(&p, "insertion");
    go(&p, 0.8);
    abut_body_state leaning = state_of(&p, "peg");
    CHECK(hypot(leaning.rotation[1], leaning.rotation[2]) > 0.01);
    CHECK(leaning.position[2] > 0.09);
    go(&p, 3.2);
    abut_body_state in = state_of(&p, "peg");
    CHECK_NEAR(in.position[2], 0.058, 1e-6); /* on the floor of the hole, which is 8 mm up */
    CHECK(hypot(in.rotation[1], in.rotation[2]) < 1e-6);
    end(&p);
}

/* With friction 0.5 a squeeze of 9.81 N holds 1 kg; the fingers come to it at 3.888 s. */
static void test_grasp_lets_go(void)
{
    play p;
    if (begin_model(&p, "release", NULL, ABUT_COULOMB)) {
        control_by(&p, "release");
        go(&p, 3.85);
        CHECK_NEAR(state_of(&p, "block").position[2], state_of(&p, "hand").position[2], 1e-6);
        go(&p, 1.15);
        CHECK_NEAR(state_of(&p, "block").position[2], 0.05, 1e-6);
        end(&p);
    }
    if (begin_model(&p, "release", NULL, ABUT_NO_SLIP)) {
        control_by(&p, "release");
        go(&p, 5);
        CHECK_NEAR(state_of(&p, "block").position[2], state_of(&p, "hand").position[2], 1e-6);
        CHECK(state_of(&p, "block").position[2] > 0.16);
        end(&p);
    }
}

static void test_pile_comes_to_rest(void)
{
    play p;
    double top = 0;
    if (!begin(&p, "pile", NULL)) return;
    abut_step_report report = go(&p, 1.5);
    CHECK_MSG(report.kinetic <= 1e-12, "it moves with %g J", report.kinetic);
    CHECK_EQ_INT(p.scene->body_count, 101);
    for (int i = 1; i < p.scene->body_count; ++i) {
        abut_body_state state;
        CHECK_EQ_INT(abut_body_get_state(p.simulation->world, p.simulation->bodies[i], &state), ABUT_OK);
        top = fmax(top, state.position[2]);
    }
    CHECK_MSG(top > 0.07, "no block lies on another: the highest is at %g", top);
    end(&p);
}

/* A ball slides over a larger one, leaves it by a little in every step and lands in it: it is dragged all the same, by
 * 50 N s/m on 1 kg, which leaves 8 % of its speed after 0.05 s; without drag it would leave faster than it came. */
static void test_viscous_drag_on_round_ground(void)
{
    static const char text[] =
        "<mujoco><custom><numeric name='abut_viscous' data='50'/></custom><worldbody>"
        "<geom size='1'/><body pos='0 0 1.1'><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 0 "
        "1'/>"
        "<geom size='0.1' mass='1'/></body></worldbody><keyframe><key qvel='0.5 0'/></keyframe></mujoco>";
    abut_error error = {""};
    abut_world_def def;
    play p = {0};
    bool good = abut_scene_parse(text, strlen(text), NULL, NULL, &p.scene, &error) == ABUT_OK &&
                abut_scene_world_def(p.scene, &def, &error) == ABUT_OK;
    CHECK_MSG(good, "%s", error.text);
    if (!good) return;
    def.model = ABUT_VISCOUS;
    def.contact.accel.impact_seconds = def.step;
    if (abut_simulation_create(p.scene, &def, &p.simulation, &error) == ABUT_OK &&
        abut_simulation_reset(p.simulation, 0) == ABUT_OK) {
        double v[2];
        go(&p, 0.05);
        abut_world_get_velocities(p.simulation->world, v);
        CHECK_MSG(v[0] > 0.5 * exp(-50 * 0.05) - 0.02 && v[0] < 0.5 * exp(-50 * 0.05) + 0.05, "%g m/s", v[0]);
    }
    end(&p);
}

static void test_quadruped_walks(void)
{
    play p;
    if (!begin(&p, "quadruped", "stand")) return;
    control_by(&p, "quadruped");
    go(&p, 5);
    abut_body_state trunk = state_of(&p, p.scene->bodies[1].name);
    CHECK_MSG(fabs(trunk.position[0]) > 0.3, "it went %g m", trunk.position[0]);
    CHECK(trunk.position[2] > 0.18 && trunk.rotation[0] * trunk.rotation[0] > 0.8);
    end(&p);
}

#ifdef ABUT_HAVE_QHULL
/* Files as people have them: classes, hulls of meshes, affine actuators, fixed tendons, equalities, keyframes. Each runs 1,000
 * steps from where it begins, and from its keyframe; overlaps that a file begins with are not judged. */
static void test_robots_run(void)
{
    static const char *const names[] = {"arm", "quadruped", "gripper", "drone"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        for (int key = -1; key < 1; ++key) {
            play p;
            char path[1024];
            snprintf(path, sizeof path, "%s/robots/%s.xml", ABUT_TEST_GOLDEN, names[i]);
            if (!open_file(&p, path, ABUT_COULOMB)) continue;
            if (key < p.scene->keyframe_count) {
                CHECK_EQ_INT(abut_simulation_reset(p.simulation, key), ABUT_OK);
                abut_step_report report = {0};
                long wrong = 0;
                for (int k = 0; k < 1000; ++k) {
                    CHECK_EQ_INT(abut_simulation_step(p.simulation, &report), ABUT_OK);
                    wrong +=
                        report.outcome != ABUT_SOLVED || report.unsolved > 0 || !(report.residual <= 1e-8);
                }
                CHECK_MSG(wrong == 0, "%s, keyframe %d: %ld steps not verified", names[i], key, wrong);
                CHECK(isfinite(report.kinetic) && report.kinetic < 100);
            }
            end(&p);
        }
}
#endif

int main(void)
{
#ifndef ABUT_HAVE_XML
    return CHECK_SKIPPED;
#else
    RUN(test_what_stands_stands);
    RUN(test_grasp_holds);
    RUN(test_peg_goes_down);
    RUN(test_slope_slips_as_calculated);
    RUN(test_corner_groove_and_rim);
    RUN(test_dominoes_fall);
    RUN(test_cradle_passes_the_blow_on);
    RUN(test_gripper_lifts);
    RUN(test_jack_and_linkage);
    RUN(test_pairs_have_their_own_friction);
    RUN(test_pairs_stand_above_all_else);
    RUN(test_unions_are_asked_for_by_name);
    RUN(test_peg_is_inserted);
    RUN(test_grasp_lets_go);
    RUN(test_pile_comes_to_rest);
    RUN(test_viscous_drag_on_round_ground);
    RUN(test_quadruped_walks);
#ifdef ABUT_HAVE_QHULL /* their meshes are hulls */
    RUN(test_robots_run);
#endif
    return check_report();
#endif
}
