/* Bodies: the tree, frames, replicates, attached models. */
#include "scene/reader.h"

#include "base/angle.h"
#include "base/space.h"
#include <stdio.h>
#include <string.h>

/* A body that waits until its parent is done, so that geoms and joints of one body stand together. */
typedef struct waiting {
    const abuti_element *element;
    abuti_place place;
} waiting;

void *abuti_add(abuti_reader *reader, abuti_list *list, size_t size, const abuti_element *element)
{
    if (list->count >= ABUT_SCENE_COUNT_MAX) {
        abuti_fail(&reader->source, ABUT_TOO_LARGE, element, NULL, "too many of them; at most %d",
                   ABUT_SCENE_COUNT_MAX);
        return NULL;
    }
    void *added = abuti_list_add(reader->source.pool, list, size);
    if (!added) abuti_fail_memory(&reader->source);
    return added;
}

const char *abuti_place_name(abuti_reader *reader, const abuti_place *place, const abuti_element *element)
{
    const char *name = abuti_text_of(element, "name", "");
    if (*name == '\0') return "";
    const char *front = abuti_pool_join(reader->source.pool, place->instance->prefix, name, place->suffix);
    if (!front) abuti_fail_memory(&reader->source);
    return front;
}

static bool read_content(abuti_reader *reader, const abuti_place *place, const abuti_element *container,
                         abuti_list *children);

static bool wait(abuti_reader *reader, abuti_list *children, const abuti_element *element,
                 const abuti_place *place)
{
    waiting *added = abuti_list_add(&reader->scratch, children, sizeof *added);
    if (!added) return abuti_fail_memory(&reader->source);
    *added = (waiting){element, *place};
    return true;
}

static bool read_frame(abuti_reader *reader, const abuti_place *place, const abuti_element *element,
                       abuti_list *children)
{
    abuti_place inner = *place;
    abut_scene_pose pose;
    const abuti_model *model = place->instance->model;
    if (!abuti_pose_read(reader, &model->compiler, element, &pose)) return false;
    abuti_pose_compose(&inner.frame, &place->frame, &pose);
    if (abuti_given(element, "childclass") &&
        !abuti_class_of(reader, model, element, place->childclass, &inner.childclass))
        return false;
    return read_content(reader, &inner, element, children);
}

/* ---- replicates ---- */

static const char *numbered(abuti_reader *reader, const abuti_place *place, const abuti_element *element,
                            int count, int i)
{
    char digits[16], number[16];
    int width = snprintf(digits, sizeof digits, "%d", count);
    snprintf(number, sizeof number, "%0*d", width, i);
    /* In a name the number of an inner replicate stands before those of the outer ones, so it goes before the
     * suffix of the place. */
    const char *suffix =
        abuti_pool_join(&reader->scratch, abuti_text_of(element, "sep", ""), number, place->suffix);
    if (!suffix) abuti_fail_memory(&reader->source);
    return suffix;
}

static bool read_replicate(abuti_reader *reader, const abuti_place *place, const abuti_element *element,
                           abuti_list *children)
{
    abuti_place inner = *place;
    const abuti_compiler *compiler = &place->instance->model->compiler;
    int count = -1;
    if (!abuti_integer_of(element, "count", &count) || count < 0 || count > ABUT_SCENE_COUNT_MAX)
        return abuti_fail(&reader->source, count > 0 ? ABUT_TOO_LARGE : ABUT_INVALID_ARGUMENT, element,
                          "count", "expected an integer from 0 to %d", ABUT_SCENE_COUNT_MAX);
    abut_scene_pose step, at;
    double degrees[3] = {0, 0, 0};
    abuti_pose_identity(&step);
    abuti_pose_identity(&at);
    abuti_numbers_of(element, "offset", step.pos);
    abuti_numbers_of(element, "euler", degrees);
    abuti_orientation turn = {.form = 4, .numbers = {degrees[0], degrees[1], degrees[2]}};
    if (!abuti_orientation_resolve(reader, compiler, element, &turn, step.quat)) return false;
    if (abuti_given(element, "childclass") &&
        !abuti_class_of(reader, place->instance->model, element, place->childclass, &inner.childclass))
        return false;
    for (int i = 0; i < count; ++i) {
        abuti_pose_compose(&inner.frame, &place->frame, &at);
        inner.suffix = numbered(reader, place, element, count, i);
        const char **noted = abuti_list_add(&reader->scratch, &place->instance->suffixes, sizeof *noted);
        if (!inner.suffix || !noted) return abuti_fail_memory(&reader->source);
        *noted = inner.suffix;
        if (place->instance->suffixes.count > ABUT_SCENE_COUNT_MAX)
            return abuti_fail(&reader->source, ABUT_TOO_LARGE, element, "count",
                              "too many copies; at most %d", ABUT_SCENE_COUNT_MAX);
        if (!read_content(reader, &inner, element, children)) return false;
        abuti_pose_compose(&at, &at, &step);
    }
    return true;
}

/* ---- attached models ---- */

/* The body or frame of this name in a tree of elements. */
static const abuti_element *find_named(const abuti_element *container, const char *kind, const char *name)
{
    for (const abuti_element *child = container->first; child; child = child->next) {
        if (abuti_is(child, kind) && strcmp(abuti_text_of(child, "name", ""), name) == 0) return child;
        const abuti_element *inner = find_named(child, kind, name);
        if (inner) return inner;
    }
    return NULL;
}

static bool read_attach(abuti_reader *reader, const abuti_place *place, const abuti_element *element,
                        abuti_list *children)
{
    abuti_source *source = &reader->source;
    const char *name = abuti_text_of(element, "model", "");
    const abuti_asset *asset = abuti_asset_find(place->instance->model, "model", name);
    if (!asset)
        return abuti_fail(source, ABUT_INVALID_ARGUMENT, element, "model", "there is no model asset '%.60s'",
                          name);
    abuti_instance *instance = abuti_pool_take(&reader->scratch, sizeof *instance);
    abuti_instance **listed = abuti_list_add(&reader->scratch, &reader->instances, sizeof *listed);
    if (!instance || !listed) return abuti_fail_memory(source);
    *listed = instance;
    *instance = (abuti_instance){.model = asset->model, .suffix = place->suffix, .partial = true};
    instance->prefix =
        abuti_pool_join(&reader->scratch, place->instance->prefix, abuti_text_of(element, "prefix", ""), "");
    if (!instance->prefix) return abuti_fail_memory(source);

    abuti_place inner = *place;
    inner.instance = instance;
    inner.childclass = -1;
    const char *body = abuti_text_of(element, "body", NULL), *frame = abuti_text_of(element, "frame", NULL);
    if (body || frame) {
        const char *kind = body ? "body" : "frame";
        const abuti_element *target = find_named(asset->model->root, kind, body ? body : frame);
        if (!target)
            return abuti_fail(source, ABUT_INVALID_ARGUMENT, element, kind,
                              "the model '%.60s' has no %s '%.60s'", name, kind, body ? body : frame);
        return body ? wait(reader, children, target, &inner) : read_frame(reader, &inner, target, children);
    }
    for (const abuti_element *section = asset->model->root->first; section; section = section->next)
        if (abuti_is(section, "worldbody") && !read_content(reader, &inner, section, children)) return false;
    return true;
}

/* ---- bodies ---- */

static bool read_content(abuti_reader *reader, const abuti_place *place, const abuti_element *container,
                         abuti_list *children)
{
    for (const abuti_element *child = container->first; child; child = child->next) {
        bool good = true;
        if (abuti_is(child, "body"))
            good = wait(reader, children, child, place);
        else if (abuti_is(child, "frame"))
            good = read_frame(reader, place, child, children);
        else if (abuti_is(child, "replicate"))
            good = read_replicate(reader, place, child, children);
        else if (abuti_is(child, "attach"))
            good = read_attach(reader, place, child, children);
        else if (abuti_is(child, "inertial"))
            good = abuti_inertial_read(reader, place, child);
        else if (abuti_is(child, "joint") || abuti_is(child, "freejoint"))
            good = abuti_joint_read(reader, place, child);
        else if (abuti_is(child, "geom"))
            good = abuti_geom_read(reader, place, child);
        else if (abuti_is(child, "site"))
            good = abuti_site_read(reader, place, child);
        if (!good) return false;
    }
    return true;
}

static abut_scene_body *body_at(abuti_reader *reader, int index)
{
    return (abut_scene_body *)reader->bodies.items + index;
}

static bool add_body(abuti_reader *reader, const abuti_element *element, const abuti_place *place, int *index)
{
    abut_scene_body *body = abuti_add(reader, &reader->bodies, sizeof *body, element);
    if (!body) return false;
    abuti_body_mark *mark = abuti_list_add(&reader->scratch, &reader->body_marks, sizeof *mark);
    if (!mark) return abuti_fail_memory(&reader->source);
    *mark = (abuti_body_mark){.element = element, .compiler = &place->instance->model->compiler};
    *index = reader->bodies.count - 1;
    *body = (abut_scene_body){.name = abuti_place_name(reader, place, element),
                              .parent = place->body,
                              .joint_first = reader->joints.count,
                              .geom_first = reader->geoms.count,
                              .site_first = reader->sites.count};
    abuti_pose_identity(&body->pose);
    if (!body->name) return false;
    if (*body->name == '\0') return true;
    int added = abuti_names_add(&reader->scratch, &reader->names, ABUTI_NAME_BODY, body->name, *index);
    if (added < 0) return abuti_fail_memory(&reader->source);
    if (added > 0) return true;
    return abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, element, "name",
                      "there is another body '%.60s'", body->name);
}

static void count_parts(abuti_reader *reader, int index)
{
    abut_scene_body *body = body_at(reader, index);
    body->joint_count = reader->joints.count - body->joint_first;
    body->geom_count = reader->geoms.count - body->geom_first;
    body->site_count = reader->sites.count - body->site_first;
}

static bool read_body(abuti_reader *reader, const waiting *next, abuti_list *children)
{
    const abuti_element *element = next->element;
    abuti_place place = next->place;
    const abuti_model *model = place.instance->model;
    int index, word = 0;
    abut_scene_pose pose;
    if (!add_body(reader, element, &next->place, &index) ||
        !abuti_pose_read(reader, &model->compiler, element, &pose))
        return false;
    abuti_pose_compose(&body_at(reader, index)->pose, &place.frame, &pose);
    abuti_numbers_of(element, "gravcomp", &body_at(reader, index)->gravcomp);
    abuti_word_of(element, "mocap", &word);
    body_at(reader, index)->mocap = word;
    place.body = index;
    abuti_pose_identity(&place.frame);
    if (abuti_given(element, "childclass") &&
        !abuti_class_of(reader, model, element, place.childclass, &place.childclass))
        return false;
    if (!read_content(reader, &place, element, children)) return false;
    count_parts(reader, index);
    const abut_scene_body *body = body_at(reader, index);
    if (body->mocap && (body->parent != 0 || body->joint_count > 0))
        return abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, element, "mocap",
                          "expected a child of the world without joints");
    return true;
}

/* A stack stands in for recursion: bodies nest deeper than elements when models are attached. */
static bool read_waiting(abuti_reader *reader, abuti_list *first)
{
    abuti_list stack = {0};
    for (int i = first->count; i-- > 0;) {
        waiting *pushed = abuti_list_add(&reader->scratch, &stack, sizeof *pushed);
        if (!pushed) return abuti_fail_memory(&reader->source);
        *pushed = ((waiting *)first->items)[i];
    }
    while (stack.count > 0) {
        waiting next = ((waiting *)stack.items)[--stack.count];
        abuti_list children = {0};
        if (!read_body(reader, &next, &children)) return false;
        for (int i = children.count; i-- > 0;) {
            waiting *pushed = abuti_list_add(&reader->scratch, &stack, sizeof *pushed);
            if (!pushed) return abuti_fail_memory(&reader->source);
            *pushed = ((waiting *)children.items)[i];
        }
    }
    return true;
}

bool abuti_world_read(abuti_reader *reader, abuti_instance *instance)
{
    abuti_place place = {.instance = instance, .childclass = -1, .suffix = "", .body = -1};
    abuti_pose_identity(&place.frame);
    int index;
    if (!add_body(reader, instance->model->root, &place, &index)) return false;
    body_at(reader, 0)->name = "world";
    if (abuti_names_add(&reader->scratch, &reader->names, ABUTI_NAME_BODY, "world", 0) < 0)
        return abuti_fail_memory(&reader->source);
    place.body = 0;
    abuti_list children = {0};
    for (const abuti_element *section = instance->model->root->first; section; section = section->next) {
        if (!abuti_is(section, "worldbody")) continue;
        place.childclass = -1;
        if (abuti_given(section, "childclass") &&
            !abuti_class_of(reader, instance->model, section, -1, &place.childclass))
            return false;
        if (!read_content(reader, &place, section, &children)) return false;
    }
    count_parts(reader, 0);
    return read_waiting(reader, &children);
}
