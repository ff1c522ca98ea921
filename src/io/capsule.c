/* A capsule is one contact problem with bodies, or with blocks (capsule_blocks.c), in JSON. Its names are:
 *
 *     {"abut": "capsule", "version": 1, "step": 0.01, "model": "coulomb", "restitution_threshold": 0.01,
 *      "bodies":   [{"mass", "inertia", "com", "velocity", "force", "kind"}],
 *      "contacts": [{"bodies", "point", "normal", "tangent", "friction", "directions", "gap", "restitution",
 *                    "viscous", "group", "drift", "key", "cone", "friction_across",
 *                    "compliance", "second_point"}],
 *      "joints":   [{"bodies", "jacobian", "target", "drift", "bounds", "key", "compliance"}],
 *      "warm":     {"states": ["stick", "slide:3", ...], "seed": 0}}
 *
 * Required are mass and inertia (of dynamic bodies), com, bodies, point and normal; the rest has the defaults
 * of contact.h, step 0.01 and model coulomb. A state may name its face after a colon. Fields that are plain
 * numbers are listed in tables (capsule_fields.h), which serve the reader and the writer (capsule_write.c) alike.
 * Compliance, second_point, bounds and the keys of joints came with version 2, blocks with version 3. */
#include "io/capsule_blocks.h"
#include "io/capsule_fields.h"
#include "io/capsule_names.h"
#include "io/contact_file.h"
#include "io/contact_warm.h"
#include "io/json_read.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const double default_step = 0.01;

#ifdef ABUT_HAVE_JSON

/* Where a value stands: "contacts[3].friction". */
typedef struct place {
    char path[ABUTI_LABEL_MAX];
} place;

static place item_of(const char *list, size_t index)
{
    place p;
    snprintf(p.path, sizeof p.path, "%s[%zu].", list, index);
    return p;
}

static place field_of(const place *object, const char *name)
{
    place p;
    snprintf(p.path, sizeof p.path, "%.40s%s", object->path, name);
    return p;
}

/* An element of a list that is a field: "joints[3].jacobian[1]". There is room for any index. */
typedef struct element {
    char path[ABUTI_LABEL_MAX + sizeof "[18446744073709551615]"];
} element;

static element element_of(const place *list, size_t index)
{
    element e;
    snprintf(e.path, sizeof e.path, "%s[%zu]", list->path, index);
    return e;
}

/* The plain numbers of one object. */
static bool read_fields(abuti_text *text, const place *at, const json_t *object,
                        const abuti_capsule_field *fields, void *into)
{
    for (const abuti_capsule_field *f = fields; f->name; ++f) {
        const json_t *value = json_object_get(object, f->name);
        double *numbers = (double *)((char *)into + f->offset);
        place p = field_of(at, f->name);
        if (!value || (json_is_null(value) && !f->required)) {
            if (f->required) return abuti_text_fail_whole(text, "%s is missing", p.path);
            continue;
        }
        int count = json_array_size(value) == (size_t)f->fewer ? f->fewer : f->count;
        if (count == 1 ? !abuti_json_get_number(text, p.path, value, numbers)
                       : !abuti_json_get_numbers(text, p.path, value, count, numbers))
            return false;
    }
    return true;
}

/* Bodies A and B; B may be the world. */
static bool read_pair(abuti_text *text, const place *at, const json_t *object, int body_count, int pair[2])
{
    const json_t *value = json_object_get(object, "bodies");
    place p = field_of(at, "bodies");
    if (!json_is_array(value) || json_array_size(value) != 2)
        return abuti_json_wrong(text, p.path, "a list of two body indices", value);
    const json_t *first = json_array_get(value, 0);
    if (json_is_integer(first) && json_integer_value(first) == ABUT_WORLD)
        return abuti_text_fail_whole(text,
                                     "%s[0]: -1; the world stands second, expected an index from 0 to %d",
                                     p.path, body_count - 1);
    for (int side = 0; side < 2; ++side) {
        element e = element_of(&p, (size_t)side);
        if (!abuti_json_get_integer(text, e.path, json_array_get(value, (size_t)side),
                                    side == 0 ? 0 : ABUT_WORLD, body_count - 1, &pair[side]))
            return false;
    }
    return true;
}

static bool is_absent(const json_t *value)
{
    return !value || json_is_null(value);
}

static bool read_body(abuti_text *text, size_t index, json_t *object, abut_body *body)
{
    place at = item_of("bodies", index), kind_at = field_of(&at, "kind");
    if (!abuti_capsule_check_names(text, at.path, object, abuti_capsule_body_names)) return false;
    const json_t *kind = json_object_get(object, "kind");
    if (!is_absent(kind)) {
        int k = 0;
        while (k < ABUTI_CAPSULE_KINDS &&
               (!json_is_string(kind) || strcmp(json_string_value(kind), abuti_capsule_kinds[k]) != 0))
            k++;
        if (k == ABUTI_CAPSULE_KINDS)
            return abuti_json_wrong(text, kind_at.path, "\"dynamic\", \"kinematic\" or \"static\"", kind);
        body->kind = (abut_body_kind)k;
    }
    /* Mass and inertia of a body that is not moved by forces are never read. */
    if (body->kind != ABUT_DYNAMIC) {
        body->mass = 1;
        body->inertia[0] = body->inertia[1] = body->inertia[2] = 1;
        if (!json_object_get(object, "mass") && !json_object_get(object, "inertia"))
            return read_fields(text, &at, object, &abuti_capsule_body_fields[2], body);
    }
    return read_fields(text, &at, object, abuti_capsule_body_fields, body);
}

static bool read_key(abuti_text *text, const place *at, const json_t *key, uint64_t *into)
{
    place p = field_of(at, "key");
    if (is_absent(key)) return true;
    if (!json_is_integer(key)) return abuti_json_wrong(text, p.path, "a whole number of 64 bits", key);
    *into = (uint64_t)json_integer_value(key);
    return true;
}

static bool read_contact(abuti_text *text, size_t index, json_t *object, const abuti_contact_data *data,
                         abut_contact *contact)
{
    place at = item_of("contacts", index);
    int blocks = data->blocks.count;
    contact->directions = ABUT_DIRECTIONS_DEFAULT;
    if (!abuti_capsule_check_names(text, at.path, object,
                                   blocks > 0 ? abuti_capsule_row_contact_names
                                              : abuti_capsule_contact_names) ||
        !read_pair(text, &at, object, blocks > 0 ? blocks : data->body_count, contact->bodies) ||
        !read_fields(text, &at, object,
                     blocks > 0 ? abuti_capsule_row_contact_fields : abuti_capsule_contact_fields, contact))
        return false;
    const json_t *directions = json_object_get(object, "directions"),
                 *group = json_object_get(object, "group");
    const json_t *key = json_object_get(object, "key");
    place p = field_of(&at, "directions");
    if (!is_absent(directions) && !abuti_json_get_integer(text, p.path, directions, ABUT_DIRECTIONS_MIN,
                                                          ABUT_DIRECTIONS_MAX, &contact->directions))
        return false;
    const json_t *cone = json_object_get(object, "cone");
    p = field_of(&at, "cone");
    if (!is_absent(cone) &&
        (!json_is_string(cone) || !abut_contact_cone_from_name(json_string_value(cone), &contact->cone)))
        return abuti_json_wrong(text, p.path, "\"polygon\", \"circle\" or \"ellipse\"", cone);
    /* The file numbers groups from 0; contact.h keeps 0 for none. */
    p = field_of(&at, "group");
    if (!is_absent(group)) {
        if (!abuti_json_get_integer(text, p.path, group, 0, 1000000000, &contact->group)) return false;
        contact->group++;
    }
    const json_t *second = json_object_get(object, "second_point");
    p = field_of(&at, "second_point");
    contact->two_points = !is_absent(second);
    if (contact->two_points && !abuti_json_get_numbers(text, p.path, second, 3, contact->second_point))
        return false;
    return read_key(text, &at, key, &contact->key);
}

/* [lower, upper]; null stands for none on that side. */
static bool read_bounds(abuti_text *text, const place *at, const json_t *bounds, abut_joint *joint)
{
    place p = field_of(at, "bounds");
    if (is_absent(bounds)) return true;
    if (!json_is_array(bounds) || json_array_size(bounds) != 2)
        return abuti_json_wrong(text, p.path, "a list of two numbers, null for no bound", bounds);
    joint->bounded = true;
    joint->lower = -INFINITY;
    joint->upper = INFINITY;
    for (size_t side = 0; side < 2; ++side) {
        const json_t *value = json_array_get(bounds, side);
        element e = element_of(&p, side);
        if (!is_absent(value) &&
            !abuti_json_get_number(text, e.path, value, side == 0 ? &joint->lower : &joint->upper))
            return false;
    }
    return true;
}

static bool read_joint(abuti_text *text, size_t index, json_t *object, const abuti_contact_data *data,
                       abut_joint *joint)
{
    place at = item_of("joints", index), p = field_of(&at, "jacobian");
    int blocks = data->blocks.count;
    if (!abuti_capsule_check_names(text, at.path, object,
                                   blocks > 0 ? abuti_capsule_row_joint_names : abuti_capsule_joint_names) ||
        !read_pair(text, &at, object, blocks > 0 ? blocks : data->body_count, joint->bodies) ||
        !read_fields(text, &at, object, abuti_capsule_joint_fields, joint) ||
        !read_bounds(text, &at, json_object_get(object, "bounds"), joint) ||
        !read_key(text, &at, json_object_get(object, "key"), &joint->key))
        return false;
    if (blocks > 0) return true; /* its row is read with those of all others */
    const json_t *rows = json_object_get(object, "jacobian");
    size_t count = json_array_size(rows), due = joint->bodies[1] == ABUT_WORLD ? 1 : 2;
    if (!json_is_array(rows) || count < due || count > 2)
        return abuti_json_wrong(text, p.path, "a list of two rows of 6 numbers", rows);
    for (size_t side = 0; side < count; ++side) {
        element e = element_of(&p, side);
        if (!abuti_json_get_numbers(text, e.path, json_array_get(rows, side), 6, joint->jacobian[side]))
            return false;
    }
    return true;
}

/* A list of objects, with room made for its structs: *items is count structs of `size` zero bytes. */
static bool open_list(abuti_text *text, const json_t *root, const char *name, size_t size,
                      const json_t **list, void **items, int *count)
{
    *list = json_object_get(root, name);
    *count = 0;
    if (is_absent(*list)) return true;
    if (!json_is_array(*list)) return abuti_json_wrong(text, name, "a list", *list);
    size_t length = json_array_size(*list);
    for (size_t i = 0; i < length; ++i) {
        const json_t *item = json_array_get(*list, i);
        char path[ABUTI_LABEL_MAX];
        snprintf(path, sizeof path, "%s[%zu]", name, i);
        if (!json_is_object(item)) return abuti_json_wrong(text, path, "an object", item);
    }
    if (length == 0) return true;
    *items = calloc(length, size);
    if (!*items) return abuti_text_out_of_memory(text);
    *count = (int)length;
    return true;
}

/* Bodies, or blocks. */
static bool read_movers(abuti_text *text, const json_t *root, abuti_contact_data *data)
{
    const json_t *list, *blocks = json_object_get(root, "blocks");
    void *items = NULL;
    bool fine = open_list(text, root, "bodies", sizeof(abut_body), &list, &items, &data->body_count);
    data->bodies = items;
    for (int i = 0; fine && i < data->body_count; ++i)
        fine = read_body(text, (size_t)i, json_array_get(list, (size_t)i), &data->bodies[i]);
    if (!fine || is_absent(blocks)) {
        return fine &&
               (data->body_count > 0 || abuti_text_fail_whole(text, "bodies: expected at least one body"));
    }
    if (data->body_count > 0)
        return abuti_text_fail_whole(text, "blocks: expected bodies or blocks, found both; a free body is a "
                                           "block of six numbers");
    return abuti_capsule_read_blocks(text, blocks, data);
}

static bool read_lists(abuti_text *text, const json_t *root, abuti_contact_data *data)
{
    const json_t *list;
    void *items = NULL;
    bool fine = read_movers(text, root, data) &&
                open_list(text, root, "contacts", sizeof(abut_contact), &list, &items, &data->contact_count);
    data->contacts = items;
    for (int i = 0; fine && i < data->contact_count; ++i)
        fine = read_contact(text, (size_t)i, json_array_get(list, (size_t)i), data, &data->contacts[i]);
    items = NULL;
    fine = fine && open_list(text, root, "joints", sizeof(abut_joint), &list, &items, &data->joint_count);
    data->joints = items;
    for (int i = 0; fine && i < data->joint_count; ++i)
        fine = read_joint(text, (size_t)i, json_array_get(list, (size_t)i), data, &data->joints[i]);
    return fine && (data->blocks.count == 0 || abuti_capsule_read_rows(text, root, data));
}

static bool read_warm(abuti_text *text, json_t *warm, abuti_contact_data *data)
{
    int seed = 0;
    if (is_absent(warm)) return true;
    if (!json_is_object(warm)) return abuti_json_wrong(text, "warm", "an object", warm);
    if (!abuti_capsule_check_names(text, "warm.", warm, abuti_capsule_warm_names)) return false;
    const json_t *states = json_object_get(warm, "states"), *number = json_object_get(warm, "seed");
    if (!is_absent(number) && !abuti_json_get_integer(text, "warm.seed", number, 0, 2147483647, &seed))
        return false;
    data->seed = (uint32_t)seed;
    if (is_absent(states) || (json_is_array(states) && json_array_size(states) == 0)) return true;
    data->start = calloc((size_t)data->contact_count + 1, sizeof *data->start);
    if (!data->start) return abuti_text_out_of_memory(text);
    return abuti_contact_warm_states(text, "warm.", warm, data->contact_count, data->start);
}

static bool read_head(abuti_text *text, json_t *root, abuti_contact_data *data)
{
    const json_t *what = json_object_get(root, "abut"), *version = json_object_get(root, "version");
    const json_t *step = json_object_get(root, "step"), *model = json_object_get(root, "model");
    const json_t *threshold = json_object_get(root, "restitution_threshold");
    int number = 1;
    if (!abuti_capsule_check_names(text, "", root, abuti_capsule_names)) return false;
    if (!is_absent(what) && (!json_is_string(what) || strcmp(json_string_value(what), "capsule") != 0))
        return abuti_json_wrong(text, "abut", "\"capsule\"", what);
    if (!is_absent(version) && !abuti_json_get_integer(text, "version", version, 1, 3, &number)) return false;
    if (!is_absent(step) && !abuti_json_get_number(text, "step", step, &data->step)) return false;
    if (!is_absent(model) &&
        (!json_is_string(model) || !abut_contact_model_from_name(json_string_value(model), &data->model)))
        return abuti_json_wrong(text, "model", "the name of a model such as \"coulomb\"", model);
    return abuti_json_get_optional(text, "restitution_threshold", threshold, &data->has_threshold,
                                   &data->restitution_threshold);
}

bool abuti_contact_read_capsule(abuti_text *text, abuti_contact_data *data)
{
    *data = (abuti_contact_data){.step = default_step};
    json_t *root = abuti_json_parse(text, ABUTI_JSON_WHOLE_AS_INTEGER);
    if (!root) return false;
    bool fine = read_head(text, root, data) && read_lists(text, root, data) &&
                read_warm(text, json_object_get(root, "warm"), data);
    json_decref(root);
    if (!fine) abuti_contact_data_release(data);
    return fine;
}

#else

bool abuti_contact_read_capsule(abuti_text *text, abuti_contact_data *data)
{
    *data = (abuti_contact_data){.step = default_step};
    return abuti_json_left_out(text);
}

#endif
