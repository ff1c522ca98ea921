#include "abut/scene.h"
#include "check.h"

#include <stdbool.h>

/* ---- reading ---- */

static abut_scene *load(const char *name)
{
    char path[1024];
    abut_error error;
    abut_scene *scene = NULL;
    snprintf(path, sizeof path, "%s/mjcf/%s", ABUT_TEST_GOLDEN, name);
    abut_status status = abut_scene_load(path, NULL, &scene, &error);
    CHECK_MSG(status == ABUT_OK, "%s", error.text);
    return scene;
}

static abut_scene *parse(const char *text)
{
    abut_error error;
    abut_scene *scene = NULL;
    CHECK_MSG(abut_scene_parse(text, strlen(text), NULL, NULL, &scene, &error) == ABUT_OK, "%s", error.text);
    return scene;
}

static const abut_scene_body *body_of(const abut_scene *scene, const char *name)
{
    for (int i = 0; i < scene->body_count; ++i)
        if (strcmp(scene->bodies[i].name, name) == 0) return &scene->bodies[i];
    CHECK_MSG(false, "no body %s", name);
    return &scene->bodies[0];
}

static void test_defaults_of_an_empty_scene(void)
{
    abut_scene *scene = parse("<mujoco/>");
    if (!scene) return;
    CHECK_EQ_INT(scene->body_count, 1);
    CHECK(strcmp(scene->bodies[0].name, "world") == 0);
    CHECK_NEAR(scene->timestep, 0.002, 0);
    CHECK_NEAR(scene->gravity[2], -9.81, 0);
    CHECK(scene->contacts && scene->limits && scene->filter_parent && scene->clamp_ctrl);
    abut_scene_destroy(scene);
}

static void test_classes(void)
{
    abut_scene *scene = load("defaults.xml");
    if (!scene) return;
    const abut_scene_body *lower = body_of(scene, "lower"), *hand = body_of(scene, "hand");
    const abut_scene_geom *first = &scene->geoms[lower->geom_first], *second = first + 1;
    CHECK_EQ_INT(lower->geom_count, 2);
    CHECK_EQ_INT(first->type, ABUT_SCENE_CAPSULE); /* of the class arm, through childclass of the frame */
    CHECK_NEAR(first->friction[0], 0.9, 0);
    CHECK_NEAR(first->friction[1], 0.01, 0);
    CHECK_NEAR(first->friction[2], 0.0001, 0); /* what an inner class leaves out stays */
    CHECK_EQ_INT(second->type, ABUT_SCENE_BOX);
    CHECK_NEAR(second->friction[2], 0.003, 0);
    CHECK_NEAR(hand->mass, 0.7, 0);
    CHECK_NEAR(hand->gravcomp, 0.5, 0);
    CHECK_EQ_INT(scene->joints[lower->joint_first].limited, 1); /* by its range */
    abut_scene_destroy(scene);
}

/* Numbers of MuJoCo 3.14: springs and dampers by what a force on the joint moves, not by what hangs on it. */
static void test_springs_and_what_has_no_mass(void)
{
    abut_scene *scene = load("springs.xml");
    if (!scene) return;
    CHECK_NEAR(scene->joints[0].stiffness[0], 2.04785298900668, 1e-12);
    CHECK_NEAR(scene->joints[0].damping[0], 1.228711793404008, 1e-12);
    CHECK_NEAR(scene->joints[2].stiffness[0], 3.337213629060593, 1e-12);
    const abut_scene_body *empty = body_of(scene, "empty");
    CHECK_NEAR(empty->mass, 0.01, 0); /* bounds give it one, at the numbers of its pos */
    CHECK_NEAR(empty->com[1], 2, 0);
    CHECK_EQ_INT(scene->keyframe_count, 2);
    CHECK(!scene->keyframes[1].qpos && *scene->keyframes[1].name == '\0');
    abut_scene_destroy(scene);
}

/* Zeros in a keyframe are no turn, as in MuJoCo; other numbers stay as they are. */
static void test_keyframe_without_a_turn(void)
{
    abut_scene *scene =
        parse("<mujoco><worldbody><body><freejoint/><geom size='1'/><body><joint type='ball'/>"
              "<geom size='1'/></body></body></worldbody><keyframe>"
              "<key qpos='1 2 3 0 0 0 0 0 3 0 4'/><key qpos='0 0 0 0 2 0 0 0 0 0 0'/>"
              "</keyframe></mujoco>");
    if (!scene) return;
    static const double expected[2][11] = {{1, 2, 3, 1, 0, 0, 0, 0, 3, 0, 4},
                                           {0, 0, 0, 0, 2, 0, 0, 1, 0, 0, 0}};
    CHECK_EQ_INT(scene->keyframe_count, 2);
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 11; ++k) CHECK_NEAR(scene->keyframes[i].qpos[k], expected[i][k], 0);
    abut_scene_destroy(scene);
}

static void test_replicates(void)
{
    abut_scene *scene = load("defaults.xml");
    if (!scene) return;
    int crates = 0;
    for (int i = 0; i < scene->body_count; ++i) crates += strncmp(scene->bodies[i].name, "crate", 5) == 0;
    CHECK_EQ_INT(crates, 6);
    body_of(scene, "crate1-2"); /* inner number first, then the outer with its sep */
    int spins = 0;
    for (int i = 0; i < scene->actuator_count; ++i)
        spins += strncmp(scene->actuators[i].name, "spin", 4) == 0;
    CHECK_EQ_INT(spins, 6);
    abut_scene_destroy(scene);
}

static void test_attached_and_included(void)
{
    abut_scene *scene = load("attached.xml");
    if (!scene) return;
    CHECK_NEAR(scene->timestep, 0.001, 0);
    CHECK_EQ_INT(body_of(scene, "included")->parent, 0);
    CHECK(strcmp(scene->bodies[body_of(scene, "left_end")->parent].name, "left_link") == 0);
    body_of(scene, "many_end1");
    CHECK_EQ_INT(scene->actuator_count,
                 3); /* each attachment has its servo; the one of what stayed behind is not there */
    /* Degrees of the part, radians of the whole. */
    const abut_scene_body *link = body_of(scene, "left_link");
    CHECK_NEAR(scene->joints[link->joint_first].range[1], atan(1), 1e-15);
    abut_scene_destroy(scene);
}

static void test_meshes(void)
{
    abut_scene *text = parse("<mujoco><worldbody/></mujoco>");
    abut_scene_destroy(text);
    abut_scene *scene = load("meshes.xml");
    if (!scene) return;
    for (int i = 0; i < scene->mesh_count; ++i) {
        const abut_scene_mesh *mesh = &scene->meshes[i];
        if (strcmp(mesh->name, "tetra") == 0) CHECK_EQ_INT(mesh->vertex_count, 4); /* twelve in the file */
        if (strcmp(mesh->name, "wedge") == 0) CHECK_EQ_INT(mesh->face_count, 8);   /* polygons as fans */
    }
    abut_scene_destroy(scene);
}

static void test_text_and_binary_stl_agree(void)
{
    static const char *const files[2] = {"tetra.stl", "tetra_text.stl"};
    double mass[2] = {0, 1};
    for (int i = 0; i < 2; ++i) {
        char text[512];
        snprintf(text, sizeof text,
                 "<mujoco><asset><mesh name='m' file='%s'/></asset><worldbody><body><freejoint/>"
                 "<geom type='mesh' mesh='m'/></body></worldbody></mujoco>",
                 files[i]);
        abut_scene *scene = NULL;
        abut_error error;
        abut_status status =
            abut_scene_parse(text, strlen(text), ABUT_TEST_GOLDEN "/mjcf", NULL, &scene, &error);
        CHECK_MSG(status == ABUT_OK, "%s", error.text);
        if (!scene) return;
        CHECK_EQ_INT(scene->meshes[0].vertex_count, 4);
        mass[i] = scene->bodies[1].mass;
        abut_scene_destroy(scene);
    }
    CHECK_NEAR(mass[0], 250, 1e-9); /* a sixth of 1 x 1 x 1.5 */
    CHECK_NEAR(mass[0], mass[1], 0);
}

static void test_height_field(void)
{
    abut_scene *scene =
        parse("<mujoco><asset><hfield name='h' nrow='2' ncol='3' size='1 2 0.5 0.1' elevation='1 2 3 4 5 6'/>"
              "</asset><worldbody><geom type='hfield' hfield='h'/></worldbody></mujoco>");
    if (!scene) return;
    const double expected[6] = {0.6, 0.8, 1, 0, 0.2, 0.4}; /* the first row of the file has the largest y */
    for (int i = 0; i < 6; ++i) CHECK_NEAR(scene->hfields[0].elevation[i], expected[i], 1e-7);
    abut_scene_destroy(scene);
}

static void test_custom(void)
{
    abut_scene *scene =
        parse("<mujoco><custom><text name='see' data='it falls'/><numeric name='n' size='3' data='1 2'/>"
              "</custom></mujoco>");
    if (!scene) return;
    CHECK(strcmp(abut_scene_find_custom(scene, "see")->text, "it falls") == 0);
    CHECK_EQ_INT(abut_scene_find_custom(scene, "n")->count, 3);
    CHECK(!abut_scene_find_custom(scene, "other"));
    abut_scene_destroy(scene);
}

/* ---- what is wrong ---- */

static const struct {
    const char *text, *message;
    abut_status status;
} wrong[] = {
    {"", "scene:1:1:", ABUT_INVALID_ARGUMENT},
    {"nonsense", "scene:1:1:", ABUT_INVALID_ARGUMENT},
    {"<mujoco>", "scene:1:", ABUT_INVALID_ARGUMENT},
    {"<mujoco><worldbody></mujoco>", "scene:1:", ABUT_INVALID_ARGUMENT},
    {"<robot/>", "scene:1: <robot>: expected the root element <mujoco>", ABUT_INVALID_ARGUMENT},
    {"<mujoco>\n<worldbody><goem size='1'/></worldbody></mujoco>",
     "scene:2: <goem>: unknown element; did you mean <geom>?", ABUT_UNSUPPORTED},
    {"<mujoco><worldbody><geom sise='1'/></worldbody></mujoco>", "no attribute 'sise'; did you mean 'size'?",
     ABUT_UNSUPPORTED},
    {"<mujoco><worldbody><geom size='a'/></worldbody></mujoco>", "<geom size>: 'a'; expected a finite number",
     ABUT_INVALID_ARGUMENT},
    {"<mujoco><worldbody><geom size='nan'/></worldbody></mujoco>", "expected a finite number",
     ABUT_INVALID_ARGUMENT},
    {"<mujoco><worldbody><geom size='1e999'/></worldbody></mujoco>", "expected a finite number",
     ABUT_INVALID_ARGUMENT},
    {"<mujoco><worldbody><geom size='1 2 3 4'/></worldbody></mujoco>", "4 numbers; expected 1 to 3",
     ABUT_INVALID_ARGUMENT},
    {"<mujoco><worldbody><geom size='1' condim='2'/></worldbody></mujoco>",
     "<geom condim>: 2; expected 1, 3, 4 or 6", ABUT_INVALID_ARGUMENT},
    {"<mujoco><worldbody><geom size='1' condim='1.5'/></worldbody></mujoco>", "expected an integer",
     ABUT_INVALID_ARGUMENT},
    {"<mujoco><worldbody><geom type='cube'/></worldbody></mujoco>",
     "<geom type>: 'cube'; expected one of plane|", ABUT_INVALID_ARGUMENT},
    {"<mujoco><worldbody><geom type='box' size='1 2'/></worldbody></mujoco>",
     "number 3 is 0; expected 3 numbers > 0", ABUT_INVALID_ARGUMENT},
    {"<mujoco><worldbody><geom size='-1'/></worldbody></mujoco>", "<geom size>", ABUT_INVALID_ARGUMENT},
    {"<mujoco><worldbody><geom class='none' size='1'/></worldbody></mujoco>", "there is no class 'none'",
     ABUT_INVALID_ARGUMENT},
    {"<mujoco><worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>", "there is no mesh 'm'",
     ABUT_INVALID_ARGUMENT},
    {"<mujoco><worldbody><geom type='capsule' size='1' fromto='0 0 0 0 0 0'/></worldbody></mujoco>",
     "its two points are one", ABUT_INVALID_ARGUMENT},
    {"<mujoco><worldbody><body><joint axis='0 0 0'/><geom size='1'/></body></worldbody></mujoco>",
     "<joint axis>: too short", ABUT_INVALID_ARGUMENT},
    {"<mujoco><worldbody><body><joint/></body></worldbody></mujoco>", "it moves and has no mass",
     ABUT_INVALID_ARGUMENT},
    {"<mujoco><worldbody><body><joint range='2 1'/><geom size='1'/></body></worldbody></mujoco>",
     "a range that grows", ABUT_INVALID_ARGUMENT},
    {"<mujoco><worldbody><joint/></worldbody></mujoco>", "the world has no joints", ABUT_INVALID_ARGUMENT},
    {"<mujoco><worldbody><body name='a'/><body name='a'/></worldbody></mujoco>", "there is another body 'a'",
     ABUT_INVALID_ARGUMENT},
    {"<mujoco><worldbody><body quat='0 0 0 0'/></worldbody></mujoco>", "<body quat>: too small",
     ABUT_INVALID_ARGUMENT},
    {"<mujoco><worldbody><body><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 "
     "9'/></body></worldbody></mujoco>",
     "the largest exceeds the sum", ABUT_INVALID_ARGUMENT},
    {"<mujoco><actuator><motor joint='j'/></actuator></mujoco>", "<motor>: there is no joint 'j'",
     ABUT_INVALID_ARGUMENT},
    {"<mujoco><actuator><motor/></actuator></mujoco>", "expected one of joint", ABUT_INVALID_ARGUMENT},
    {"<mujoco><equality><connect body1='world'/></equality></mujoco>", "<connect anchor>: missing",
     ABUT_INVALID_ARGUMENT},
    {"<mujoco><keyframe><key qpos='1'/></keyframe></mujoco>", "<key qpos>: 1 numbers; expected 0",
     ABUT_INVALID_ARGUMENT},
    {"<mujoco><option timestep='0'/></mujoco>", "<option timestep>: 0; expected a number > 0",
     ABUT_INVALID_ARGUMENT},
    {"<mujoco><compiler eulerseq='abc'/></mujoco>", "<compiler eulerseq>", ABUT_INVALID_ARGUMENT},
    {"<mujoco><include file='x.xml'/></mujoco>", "a scene from memory cannot name files",
     ABUT_INVALID_ARGUMENT},
    {"<mujoco><worldbody><replicate count='2000000000'><geom size='1'/></replicate></worldbody></mujoco>",
     "<replicate count>: expected an integer from 0 to", ABUT_TOO_LARGE},
    {"<mujoco><worldbody><replicate count='100000'><replicate count='100000'><geom "
     "size='1'/></replicate></replicate>"
     "</worldbody></mujoco>",
     "too many", ABUT_TOO_LARGE},
    {"<mujoco><asset><hfield name='h' nrow='1000000' ncol='1000000' size='1 1 1 1'/></asset>"
     "<worldbody><geom type='hfield' hfield='h'/></worldbody></mujoco>",
     "expected 2 to 4000 of each", ABUT_INVALID_ARGUMENT},
    {"<mujoco><custom><numeric name='n' size='2000000000'/></custom></mujoco>", "<numeric size>",
     ABUT_INVALID_ARGUMENT},
    {"<mujoco><tendon><spatial><site site='a'/></spatial></tendon></mujoco>", "<spatial>: not supported",
     ABUT_UNSUPPORTED},
    {"<mujoco><worldbody><flexcomp name='f'/></worldbody></mujoco>", "<flexcomp>: not supported",
     ABUT_UNSUPPORTED},
    {"<mujoco><extension/></mujoco>", "<extension>: not supported", ABUT_UNSUPPORTED},
    {"<mujoco><worldbody><geom size='1' fluidshape='ellipsoid'/></worldbody></mujoco>",
     "<geom fluidshape>: not supported", ABUT_UNSUPPORTED},
    {"<mujoco><compiler coordinate='global'/></mujoco>", "<compiler coordinate>: not supported",
     ABUT_UNSUPPORTED},
};

static void test_wrong_scenes(void)
{
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        abut_scene *scene = NULL;
        abut_error error;
        abut_status status =
            abut_scene_parse(wrong[i].text, strlen(wrong[i].text), NULL, NULL, &scene, &error);
        CHECK_MSG(status == wrong[i].status, "%s: %s", wrong[i].text, error.text);
        CHECK_MSG(strstr(error.text, wrong[i].message), "%s: '%s', expected '%s'", wrong[i].text, error.text,
                  wrong[i].message);
        CHECK(!scene);
        abut_scene_destroy(scene);
    }
}

static void test_wrong_files(void)
{
    static const char *const files[][2] = {
        {"bad/cycle_a.xml", "bad/cycle_b.xml:2: <include file>: 'cycle_a.xml' is in this model already"},
        {"bad/self.xml", "models in models"},
        {"bad/missing.xml", "bad/missing.xml:3: <include>: cannot open"},
        {"bad/mesh.xml", "neither text nor binary STL"},
        {"bad", "is not a file"},
        {"bad/nowhere.xml", "cannot open"},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i) {
        char path[1024];
        abut_scene *scene = NULL;
        abut_error error;
        snprintf(path, sizeof path, "%s/mjcf/%s", ABUT_TEST_GOLDEN, files[i][0]);
        CHECK(abut_scene_load(path, NULL, &scene, &error) != ABUT_OK);
        CHECK_MSG(strstr(error.text, files[i][1]), "%s: '%s', expected '%s'", files[i][0], error.text,
                  files[i][1]);
        CHECK(!scene);
    }
    abut_scene *scene;
    CHECK_EQ_INT(abut_scene_load(NULL, NULL, &scene, NULL), ABUT_INVALID_ARGUMENT);
}

/* ---- notes ---- */

typedef struct notes {
    int skipped, warnings;
    char last[256];
} notes;

static void note(void *context, int warning, const char *line)
{
    notes *all = context;
    *(warning ? &all->warnings : &all->skipped) += 1;
    snprintf(all->last, sizeof all->last, "%s", line);
}

static void test_skipped_once_a_kind(void)
{
    const char *text =
        "<mujoco><worldbody><light/><light/><camera/><geom size='1' solref='1 1'/></worldbody></mujoco>";
    notes all = {0};
    abut_scene_options options = abut_scene_default_options();
    options.note = note;
    options.context = &all;
    abut_scene *scene;
    CHECK_EQ_INT(abut_scene_parse(text, strlen(text), NULL, &options, &scene, NULL), ABUT_OK);
    CHECK_EQ_INT(all.skipped, 3);
    CHECK_EQ_INT(all.warnings, 0);
    abut_scene_destroy(scene);
}

static void test_lenient(void)
{
    const char *text =
        "<mujoco><worldbody><flexcomp name='f'/><body name='b'><joint/><geom size='1' new='2'/></body>"
        "</worldbody><tendon><spatial name='s'/></tendon><actuator><motor tendon='s'/></actuator></mujoco>";
    notes all = {0};
    abut_scene_options options = abut_scene_default_options();
    options.note = note;
    options.context = &all;
    options.lenient = 1;
    abut_scene *scene;
    CHECK_EQ_INT(abut_scene_parse(text, strlen(text), NULL, &options, &scene, NULL), ABUT_OK);
    CHECK_EQ_INT(all.warnings, 4);
    CHECK_EQ_INT(scene->actuator_count, 0);
    CHECK_EQ_INT(scene->geom_count, 1);
    abut_scene_destroy(scene);
}

int main(void)
{
#ifndef ABUT_HAVE_XML
    return CHECK_SKIPPED;
#else
    RUN(test_defaults_of_an_empty_scene);
    RUN(test_classes);
    RUN(test_springs_and_what_has_no_mass);
    RUN(test_keyframe_without_a_turn);
    RUN(test_replicates);
    RUN(test_attached_and_included);
    RUN(test_meshes);
    RUN(test_text_and_binary_stl_agree);
    RUN(test_height_field);
    RUN(test_custom);
    RUN(test_wrong_scenes);
    RUN(test_wrong_files);
    RUN(test_skipped_once_a_kind);
    RUN(test_lenient);
    return check_report();
#endif
}
