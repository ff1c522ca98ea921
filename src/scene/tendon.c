/* Fixed tendons. */
#include "scene/reader.h"

#include <string.h>

typedef struct tendon_draft {
    abut_scene_tendon tendon;
    int limited, actuator_limited, spring_count;
    bool has_range, has_actuator_range;
} tendon_draft;

static void take(tendon_draft *draft, const abuti_element *element)
{
    abut_scene_tendon *tendon = &draft->tendon;
    abuti_word_of(element, "limited", &draft->limited);
    abuti_word_of(element, "actuatorfrclimited", &draft->actuator_limited);
    draft->has_range |= abuti_numbers_of(element, "range", tendon->range) > 0;
    draft->has_actuator_range |= abuti_numbers_of(element, "actuatorfrcrange", tendon->actuator_range) > 0;
    abuti_numbers_of(element, "stiffness", tendon->stiffness);
    abuti_numbers_of(element, "damping", tendon->damping);
    abuti_numbers_of(element, "armature", &tendon->armature);
    abuti_numbers_of(element, "frictionloss", &tendon->frictionloss);
    int given = abuti_numbers_of(element, "springlength", tendon->spring_range);
    if (given == 1) tendon->spring_range[1] = tendon->spring_range[0];
    if (given > 0) draft->spring_count = given;
}

static abuti_found read_joints(abuti_section *section, const abuti_element *element,
                               abut_scene_tendon *tendon, double *length)
{
    abuti_reader *reader = section->reader;
    const abut_scene_joint *joints = reader->joints.items;
    int count = 0, at = 0;
    for (const abuti_element *child = element->first; child; child = child->next) count++;
    tendon->joints = abuti_pool_take(reader->source.pool, ((size_t)count + 1) * sizeof *tendon->joints);
    tendon->coefs = abuti_pool_take(reader->source.pool, ((size_t)count + 1) * sizeof *tendon->coefs);
    if (!tendon->joints || !tendon->coefs)
        return abuti_fail_memory(&reader->source) ? ABUTI_FOUND : ABUTI_FAILED;
    for (const abuti_element *child = element->first; child; child = child->next, ++at) {
        abuti_found found = abuti_reference(section, child, "joint", ABUTI_NAME_JOINT, &tendon->joints[at]);
        if (found != ABUTI_FOUND) return found;
        const abut_scene_joint *joint = &joints[tendon->joints[at]];
        if (joint->type == ABUT_SCENE_FREE || joint->type == ABUT_SCENE_BALL) {
            abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, child, "joint", "expected a hinge or a slide");
            return ABUTI_FAILED;
        }
        abuti_numbers_of(child, "coef", &tendon->coefs[at]);
        *length += tendon->coefs[at] * joint->springref;
    }
    tendon->count = count;
    return ABUTI_FOUND;
}

abuti_found abuti_tendon_read(abuti_section *section, const abuti_element *element)
{
    abuti_reader *reader = section->reader;
    const abuti_model *model = section->instance->model;
    const abuti_element *chain[ABUTI_CHAIN_MAX];
    tendon_draft draft = {.limited = 2, .actuator_limited = 2, .tendon = {.spring_range = {-1, -1}}};
    abut_scene_tendon *tendon = &draft.tendon;
    int class;
    double length = 0;
    if (!abuti_class_of(reader, model, element, -1, &class)) return ABUTI_FAILED;
    int count = abuti_defaults(model, class, "tendon", element, chain, ABUTI_CHAIN_MAX);
    for (int i = 0; i < count; ++i) take(&draft, chain[i]);
    abuti_found found = read_joints(section, element, tendon, &length);
    if (found != ABUTI_FOUND) return found;
    if (tendon->count == 0) {
        abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, element, NULL, "a tendon without joints");
        return ABUTI_FAILED;
    }
    if (!abuti_limited(reader, &model->compiler, element, "range", draft.limited, draft.has_range,
                       tendon->range, &tendon->limited) ||
        !abuti_limited(reader, &model->compiler, element, "actuatorfrcrange", draft.actuator_limited,
                       draft.has_actuator_range, tendon->actuator_range, &tendon->actuator_limited))
        return ABUTI_FAILED;
    /* -1 in the file stands for the length at which the springs of all joints rest. */
    if (tendon->spring_range[0] == -1 && tendon->spring_range[1] == -1)
        tendon->spring_range[0] = tendon->spring_range[1] = length;
    tendon->name = abuti_section_name(section, element);
    abut_scene_tendon *added = abuti_add(reader, &reader->tendons, sizeof *added, element);
    if (!added || !tendon->name) return ABUTI_FAILED;
    *added = *tendon;
    if (*tendon->name != '\0' && abuti_names_add(&reader->scratch, &reader->names, ABUTI_NAME_TENDON,
                                                 tendon->name, reader->tendons.count - 1) <= 0) {
        abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, element, "name", "there is another tendon '%.60s'",
                   tendon->name);
        return ABUTI_FAILED;
    }
    return ABUTI_FOUND;
}
