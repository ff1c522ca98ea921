/* Joints and sites of bodies. */
#include "scene/reader.h"

#include "base/space.h"
#include <string.h>

typedef struct joint_draft {
    abut_scene_joint joint;
    int limited, actuator_limited; /* false, true, auto */
    bool has_range, has_actuator_range;
    double springdamper[2];
} joint_draft;

static void take(joint_draft *draft, const abuti_element *element)
{
    static const abut_scene_joint_type types[] = {ABUT_SCENE_FREE, ABUT_SCENE_BALL, ABUT_SCENE_SLIDE,
                                                  ABUT_SCENE_HINGE};
    abut_scene_joint *joint = &draft->joint;
    int word;
    if (abuti_word_of(element, "type", &word)) joint->type = types[word];
    abuti_numbers_of(element, "pos", joint->pos);
    abuti_numbers_of(element, "axis", joint->axis);
    abuti_numbers_of(element, "springdamper", draft->springdamper);
    abuti_word_of(element, "limited", &draft->limited);
    abuti_word_of(element, "actuatorfrclimited", &draft->actuator_limited);
    draft->has_range |= abuti_numbers_of(element, "range", joint->range) > 0;
    draft->has_actuator_range |= abuti_numbers_of(element, "actuatorfrcrange", joint->actuator_range) > 0;
    abuti_word_of(element, "actuatorgravcomp", &joint->actuator_gravcomp);
    abuti_numbers_of(element, "stiffness", joint->stiffness);
    abuti_numbers_of(element, "damping", joint->damping);
    abuti_numbers_of(element, "ref", &joint->ref);
    abuti_numbers_of(element, "springref", &joint->springref);
    abuti_numbers_of(element, "armature", &joint->armature);
    abuti_numbers_of(element, "frictionloss", &joint->frictionloss);
}

bool abuti_limited(abuti_reader *reader, const abuti_compiler *compiler, const abuti_element *element,
                   const char *attribute, int limited, bool has_range, const double range[2], int *result)
{
    enum { AUTO = 2 };
    bool some = has_range && !(range[0] == 0 && range[1] == 0);
    *result = limited == AUTO ? some : limited;
    if (limited == AUTO && some && !compiler->autolimits)
        return abuti_fail(
            &reader->source, ABUT_INVALID_ARGUMENT, element, attribute,
            "a range without its limits, and the compiler has autolimits=\"false\"; expected true or false");
    if (*result && !(range[0] < range[1]))
        return abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, element, attribute,
                          "limited to %g .. %g; expected a range that grows", range[0], range[1]);
    return true;
}

static bool check_place(abuti_reader *reader, const abuti_place *place, const abuti_element *element,
                        const abut_scene_joint *joint)
{
    abuti_source *source = &reader->source;
    const abut_scene_body *body = (abut_scene_body *)reader->bodies.items + place->body;
    int before = reader->joints.count - body->joint_first;
    const abut_scene_joint *joints = reader->joints.items;
    if (place->body == 0)
        return abuti_fail(source, ABUT_INVALID_ARGUMENT, element, NULL, "the world has no joints");
    if (joint->type == ABUT_SCENE_FREE && body->parent != 0)
        return abuti_fail(source, ABUT_INVALID_ARGUMENT, element, NULL,
                          "free joints belong to children of the world");
    for (int i = 0; i < before; ++i) {
        abut_scene_joint_type other = joints[body->joint_first + i].type;
        if (joint->type == ABUT_SCENE_FREE || other == ABUT_SCENE_FREE)
            return abuti_fail(source, ABUT_INVALID_ARGUMENT, element, NULL,
                              "a free joint must be the only one of its body");
        if (joint->type == ABUT_SCENE_BALL && other == ABUT_SCENE_BALL)
            return abuti_fail(source, ABUT_INVALID_ARGUMENT, element, NULL, "a body can have one ball joint");
    }
    return true;
}

static bool check_numbers(abuti_reader *reader, const abuti_element *element, const abut_scene_joint *joint)
{
    const struct {
        const char *name;
        double value;
    } rows[] = {{"stiffness", joint->stiffness[0]},
                {"damping", joint->damping[0]},
                {"armature", joint->armature},
                {"frictionloss", joint->frictionloss}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
        if (!(rows[i].value >= 0))
            return abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, element, rows[i].name,
                              "%g; expected a number >= 0", rows[i].value);
    return true;
}

/* Applies units, limits and the frame that encloses the joint. */
static bool finish(abuti_reader *reader, const abuti_place *place, const abuti_element *element,
                   joint_draft *draft)
{
    abut_scene_joint *joint = &draft->joint;
    const abuti_compiler *compiler = &place->instance->model->compiler;
    if (joint->type == ABUT_SCENE_FREE) {
        memset(joint->pos, 0, sizeof joint->pos);
        draft->limited = draft->actuator_limited = 0;
        abuti_v3_set(joint->axis, 0, 0, 1);
    }
    if (joint->type == ABUT_SCENE_BALL) abuti_v3_set(joint->axis, 0, 0, 1);
    if (abuti_v3_normalise(joint->axis) < ABUTI_TINY)
        return abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, element, "axis",
                          "too short; expected a direction");
    if (joint->type == ABUT_SCENE_SLIDE || joint->type == ABUT_SCENE_HINGE)
        abuti_quat_apply(joint->axis, place->frame.quat, joint->axis);
    if (joint->type != ABUT_SCENE_FREE) {
        abuti_quat_apply(joint->pos, place->frame.quat, joint->pos);
        abuti_v3_add(joint->pos, joint->pos, place->frame.pos);
    }
    if (!abuti_limited(reader, compiler, element, "range", draft->limited, draft->has_range, joint->range,
                       &joint->limited) ||
        !abuti_limited(reader, compiler, element, "actuatorfrcrange", draft->actuator_limited,
                       draft->has_actuator_range, joint->actuator_range, &joint->actuator_limited))
        return false;
    if (joint->limited && (joint->type == ABUT_SCENE_HINGE || joint->type == ABUT_SCENE_BALL))
        for (int i = 0; i < 2; ++i) joint->range[i] = abuti_angle(compiler, joint->range[i]);
    if (joint->type == ABUT_SCENE_BALL && joint->limited && joint->range[0] != 0)
        return abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, element, "range",
                          "a ball's range must begin at 0");
    if (joint->type == ABUT_SCENE_HINGE) {
        joint->ref = abuti_angle(compiler, joint->ref);
        joint->springref = abuti_angle(compiler, joint->springref);
    }
    return check_numbers(reader, element, joint);
}

bool abuti_joint_read(abuti_reader *reader, const abuti_place *place, const abuti_element *element)
{
    const abuti_model *model = place->instance->model;
    joint_draft draft = {
        .joint = {.type = ABUT_SCENE_HINGE, .axis = {0, 0, 1}}, .limited = 2, .actuator_limited = 2};
    if (abuti_is(element, "freejoint")) {
        draft.joint.type = ABUT_SCENE_FREE;
    } else {
        const abuti_element *chain[ABUTI_CHAIN_MAX];
        int class;
        if (!abuti_class_of(reader, model, element, place->childclass, &class)) return false;
        int count = abuti_defaults(model, class, "joint", element, chain, ABUTI_CHAIN_MAX);
        for (int i = 0; i < count; ++i) take(&draft, chain[i]);
    }
    draft.joint.name = abuti_place_name(reader, place, element);
    draft.joint.body = place->body;
    if (!draft.joint.name || !check_place(reader, place, element, &draft.joint) ||
        !finish(reader, place, element, &draft))
        return false;
    abut_scene_joint *joint = abuti_add(reader, &reader->joints, sizeof *joint, element);
    if (!joint) return false;
    *joint = draft.joint;
    int index = reader->joints.count - 1;
    if (draft.springdamper[0] > 0 && draft.springdamper[1] > 0) {
        abuti_spring *spring = abuti_list_add(&reader->scratch, &reader->springs, sizeof *spring);
        if (!spring) return abuti_fail_memory(&reader->source);
        *spring = (abuti_spring){index, draft.springdamper[0], draft.springdamper[1]};
    }
    if (*joint->name == '\0') return true;
    int added = abuti_names_add(&reader->scratch, &reader->names, ABUTI_NAME_JOINT, joint->name, index);
    if (added < 0) return abuti_fail_memory(&reader->source);
    if (added > 0) return true;
    return abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, element, "name",
                      "there is another joint '%.60s'", joint->name);
}

/* ---- sites ---- */

bool abuti_site_read(abuti_reader *reader, const abuti_place *place, const abuti_element *element)
{
    const abuti_model *model = place->instance->model;
    const abuti_element *chain[ABUTI_CHAIN_MAX];
    abuti_orientation orientation = {.quat = {1, 0, 0, 0}};
    abut_scene_pose pose = {{0, 0, 0}, {1, 0, 0, 0}};
    double fromto[6];
    bool ends = false;
    int class;
    if (!abuti_class_of(reader, model, element, place->childclass, &class)) return false;
    int count = abuti_defaults(model, class, "site", element, chain, ABUTI_CHAIN_MAX);
    for (int i = 0; i < count; ++i) {
        abuti_numbers_of(chain[i], "pos", pose.pos);
        abuti_orientation_read(chain[i], &orientation);
        ends |= abuti_numbers_of(chain[i], "fromto", fromto) > 0;
    }
    if (!abuti_orientation_resolve(reader, &model->compiler, element, &orientation, pose.quat)) return false;
    if (ends) {
        double along[3];
        abuti_v3_sub(along, fromto, fromto + 3);
        abuti_quat_from_z(pose.quat, along);
        for (int k = 0; k < 3; ++k) pose.pos[k] = (fromto[k] + fromto[3 + k]) / 2;
    }
    abut_scene_site *site = abuti_add(reader, &reader->sites, sizeof *site, element);
    if (!site) return false;
    *site = (abut_scene_site){.name = abuti_place_name(reader, place, element), .body = place->body};
    abuti_pose_compose(&site->pose, &place->frame, &pose);
    if (!site->name) return false;
    if (*site->name == '\0') return true;
    int added = abuti_names_add(&reader->scratch, &reader->names, ABUTI_NAME_SITE, site->name,
                                reader->sites.count - 1);
    if (added < 0) return abuti_fail_memory(&reader->source);
    if (added > 0) return true;
    return abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, element, "name",
                      "there is another site '%.60s'", site->name);
}
