/* Equalities: what holds bodies, joints or tendons together. */
#include "scene/reader.h"

#include "base/space.h"
#include <string.h>

static abuti_found wrong(abuti_section *section, const abuti_element *element, const char *attribute,
                         const char *what)
{
    abuti_fail(&section->reader->source, ABUT_INVALID_ARGUMENT, element, attribute, "%s", what);
    return ABUTI_FAILED;
}

/* The pose of body b in the frame of body a, at the reference. */
static void between(const abuti_reader *reader, int a, int b, abut_scene_pose *pose)
{
    abut_scene_pose back;
    abuti_pose_invert(&back, &reader->poses[a]);
    abuti_pose_compose(pose, &back, &reader->poses[b]);
}

static abuti_found read_sites(abuti_section *section, const abuti_element *element,
                              abut_scene_equality *equality)
{
    const abut_scene_site *sites = section->reader->sites.items;
    static const char *const names[2] = {"site1", "site2"};
    int found[2];
    for (int i = 0; i < 2; ++i) {
        abuti_found result = abuti_reference(section, element, names[i], ABUTI_NAME_SITE, &found[i]);
        if (result != ABUTI_FOUND) return result;
        equality->frames[i] = sites[found[i]].pose;
    }
    equality->first = sites[found[0]].body;
    equality->second = sites[found[1]].body;
    return ABUTI_FOUND;
}

static abuti_found read_bodies(abuti_section *section, const abuti_element *element,
                               abut_scene_equality *equality)
{
    abuti_found found = abuti_reference(section, element, "body1", ABUTI_NAME_BODY, &equality->first);
    if (found != ABUTI_FOUND || !abuti_given(element, "body2")) return found;
    return abuti_reference(section, element, "body2", ABUTI_NAME_BODY, &equality->second);
}

/* The anchor is a point of the first body. The point of the second body is where the anchor lies at the reference. */
static abuti_found read_connect(abuti_section *section, const abuti_element *element,
                                abut_scene_equality *equality)
{
    if (abuti_given(element, "site1")) return read_sites(section, element, equality);
    abuti_found found = read_bodies(section, element, equality);
    if (found != ABUTI_FOUND) return found;
    abut_scene_pose *frames = equality->frames, back;
    if (abuti_numbers_of(element, "anchor", frames[0].pos) == 0)
        return wrong(section, element, "anchor", "missing; expected a point of the first body");
    between(section->reader, equality->second, equality->first, &back);
    abuti_pose_compose(&frames[1], &back, &frames[0]);
    return ABUTI_FOUND;
}

/* The anchor is a point of the second body. Without relpose the point of the first body is where the anchor lies at
 * the reference. With relpose the file gives that point, and the rotation of the second body in the frame of the
 * first. */
static abuti_found read_weld(abuti_section *section, const abuti_element *element,
                             abut_scene_equality *equality)
{
    double scale = 1, given[7] = {0};
    abuti_numbers_of(element, "torquescale", &scale);
    equality->rotation = scale > 0;
    if (abuti_given(element, "site1")) return read_sites(section, element, equality);
    abuti_found found = read_bodies(section, element, equality);
    if (found != ABUTI_FOUND) return found;
    abut_scene_pose *frames = equality->frames, relative;
    abuti_numbers_of(element, "relpose", given);
    abuti_numbers_of(element, "anchor", frames[1].pos);
    if (given[3] == 0 && given[4] == 0 && given[5] == 0 && given[6] == 0) {
        between(section->reader, equality->first, equality->second, &relative);
        abuti_pose_compose(&frames[0], &relative, &frames[1]);
        return ABUTI_FOUND;
    }
    memcpy(frames[0].pos, given, sizeof frames[0].pos);
    memcpy(frames[0].quat, given + 3, sizeof frames[0].quat);
    abuti_quat_normalise(frames[0].quat);
    return ABUTI_FOUND;
}

static abuti_found read_couple(abuti_section *section, const abuti_element *element,
                               abut_scene_equality *equality)
{
    bool joints = abuti_is(element, "joint");
    abuti_name_kind kind = joints ? ABUTI_NAME_JOINT : ABUTI_NAME_TENDON;
    const char *first = joints ? "joint1" : "tendon1", *second = joints ? "joint2" : "tendon2";
    equality->type = joints ? ABUT_SCENE_COUPLE : ABUT_SCENE_TENDONS;
    equality->second = -1;
    memcpy(equality->coefs, (double[5]){0, 1, 0, 0, 0}, sizeof equality->coefs);
    abuti_numbers_of(element, "polycoef", equality->coefs);
    abuti_found found = abuti_reference(section, element, first, kind, &equality->first);
    if (found == ABUTI_FOUND && abuti_given(element, second))
        found = abuti_reference(section, element, second, kind, &equality->second);
    if (found != ABUTI_FOUND || !joints) return found;
    const abut_scene_joint *all = section->reader->joints.items;
    int both[2] = {equality->first, equality->second};
    for (int i = 0; i < 2; ++i)
        if (both[i] >= 0 && all[both[i]].type != ABUT_SCENE_HINGE && all[both[i]].type != ABUT_SCENE_SLIDE)
            return wrong(section, element, i == 0 ? first : second, "expected a hinge or a slide");
    return ABUTI_FOUND;
}

abuti_found abuti_equality_read(abuti_section *section, const abuti_element *element)
{
    abuti_reader *reader = section->reader;
    const abuti_model *model = section->instance->model;
    const abuti_element *chain[ABUTI_CHAIN_MAX];
    abut_scene_equality equality = {.active = 1, .type = ABUT_SCENE_CONNECT};
    abuti_found found;
    int class;
    for (int i = 0; i < 2; ++i) abuti_pose_identity(&equality.frames[i]);
    if (!abuti_class_of(reader, model, element, -1, &class)) return ABUTI_FAILED;
    int count = abuti_defaults(model, class, "equality", element, chain, ABUTI_CHAIN_MAX);
    for (int i = 0; i < count; ++i) abuti_word_of(chain[i], "active", &equality.active);
    if (abuti_is(element, "connect")) {
        found = read_connect(section, element, &equality);
    } else if (abuti_is(element, "weld")) {
        equality.type = ABUT_SCENE_WELD;
        found = read_weld(section, element, &equality);
    } else {
        found = read_couple(section, element, &equality);
    }
    if (found != ABUTI_FOUND) return found;
    equality.name = abuti_section_name(section, element);
    abut_scene_equality *added = abuti_add(reader, &reader->equalities, sizeof *added, element);
    if (!added || !equality.name) return ABUTI_FAILED;
    *added = equality;
    return ABUTI_FOUND;
}
