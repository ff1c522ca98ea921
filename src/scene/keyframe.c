/* Keyframes, and the section custom. */
#include "scene/reader.h"

#include <math.h>
#include <string.h>

/* A whole array of a keyframe, or nothing. */
static bool take(abuti_reader *reader, const abuti_element *element, const char *name, int expected,
                 double **into)
{
    const abuti_attribute *attribute = abuti_given(element, name);
    if (!attribute || attribute->count == 0) return true;
    if (attribute->count != expected)
        return abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, element, name, "%d numbers; expected %d",
                          attribute->count, expected);
    *into = abuti_pool_take(reader->source.pool, (size_t)expected * sizeof **into);
    if (!*into) return abuti_fail_memory(&reader->source);
    memcpy(*into, attribute->numbers, (size_t)expected * sizeof **into);
    return true;
}

/* A quaternion of no length stands for no turn, as in MuJoCo. */
static void give_turns(const abuti_reader *reader, double *qpos)
{
    const double shortest = 1e-15;
    const abut_scene_joint *joints = reader->joints.items;
    for (int i = 0; qpos && i < reader->joints.count; ++i) {
        if (joints[i].type != ABUT_SCENE_FREE && joints[i].type != ABUT_SCENE_BALL) continue;
        double *q = qpos + joints[i].qpos + (joints[i].type == ABUT_SCENE_FREE ? 3 : 0);
        double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        if (length < shortest) memcpy(q, (double[4]){1, 0, 0, 0}, 4 * sizeof *q);
    }
}

static bool read_key(abuti_reader *reader, const abuti_element *element)
{
    const abut_scene *scene = reader->scene;
    abut_scene_keyframe key = {.name =
                                   abuti_pool_text(reader->source.pool, abuti_text_of(element, "name", ""))};
    if (!key.name) return abuti_fail_memory(&reader->source);
    abuti_numbers_of(element, "time", &key.time);
    if (!take(reader, element, "qpos", scene->nq, &key.qpos) ||
        !take(reader, element, "qvel", scene->nv, &key.qvel) ||
        !take(reader, element, "act", scene->na, &key.act) ||
        !take(reader, element, "ctrl", reader->actuators.count, &key.ctrl) ||
        !take(reader, element, "mpos", 3 * scene->nmocap, &key.mocap_pos) ||
        !take(reader, element, "mquat", 4 * scene->nmocap, &key.mocap_quat))
        return false;
    give_turns(reader, key.qpos);
    abut_scene_keyframe *added = abuti_add(reader, &reader->keyframes, sizeof *added, element);
    if (!added) return false;
    *added = key;
    return true;
}

/* Adds keyframes until there are as many as `size` asks for; those added show the reference. */
static bool fill_up(abuti_reader *reader, const abuti_element *size)
{
    int asked = 0;
    abuti_integer_of(size, "nkey", &asked);
    if (asked > ABUT_SCENE_COUNT_MAX)
        return abuti_fail(&reader->source, ABUT_TOO_LARGE, size, "nkey", "%d; at most %d are read", asked,
                          ABUT_SCENE_COUNT_MAX);
    while (reader->keyframes.count < asked) {
        abut_scene_keyframe *added = abuti_add(reader, &reader->keyframes, sizeof *added, size);
        if (!added) return false;
        *added = (abut_scene_keyframe){.name = ""};
    }
    return true;
}

bool abuti_keyframes_read(abuti_reader *reader, const abuti_model *model)
{
    for (const abuti_element *section = model->root->first; section; section = section->next) {
        if (!abuti_is(section, "keyframe")) continue;
        for (const abuti_element *element = section->first; element; element = element->next)
            if (!read_key(reader, element)) return false;
    }
    for (const abuti_element *section = model->root->first; section; section = section->next)
        if (abuti_is(section, "size") && !fill_up(reader, section)) return false;
    return true;
}

static bool read_custom(abuti_reader *reader, const abuti_element *element)
{
    abuti_pool *pool = reader->source.pool;
    abut_scene_custom custom = {.name = abuti_pool_text(pool, abuti_text_of(element, "name", ""))};
    if (!custom.name) return abuti_fail_memory(&reader->source);
    if (abuti_is(element, "text")) {
        custom.text = abuti_pool_text(pool, abuti_text_of(element, "data", element->content));
        if (!custom.text) return abuti_fail_memory(&reader->source);
    } else {
        const abuti_attribute *data = abuti_given(element, "data");
        int given = data ? data->count : 0, size = given;
        abuti_integer_of(element, "size", &size);
        if (size < given || size > ABUT_SCENE_COUNT_MAX)
            return abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, element, "size",
                              "%d; expected %d to %d", size, given, ABUT_SCENE_COUNT_MAX);
        custom.count = size;
        custom.numbers = abuti_pool_take(pool, ((size_t)size + 1) * sizeof *custom.numbers);
        if (!custom.numbers) return abuti_fail_memory(&reader->source);
        if (given > 0) memcpy(custom.numbers, data->numbers, (size_t)given * sizeof *custom.numbers);
    }
    abut_scene_custom *added = abuti_add(reader, &reader->customs, sizeof *added, element);
    if (!added) return false;
    *added = custom;
    return true;
}

bool abuti_customs_read(abuti_reader *reader, const abuti_model *model)
{
    for (const abuti_element *section = model->root->first; section; section = section->next) {
        if (!abuti_is(section, "custom")) continue;
        for (const abuti_element *element = section->first; element; element = element->next)
            if (!read_custom(reader, element)) return false;
    }
    return true;
}
