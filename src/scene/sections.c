/* The sections that refer to things by name: tendon, actuator, equality, contact. An element that refers to a
 * replicate is read once for each copy; one that refers to a part of a model that was not attached is left out. */
#include "scene/reader.h"

#include <string.h>

static int find(abuti_section *section, abuti_name_kind kind, const char *name, const char *suffix)
{
    abuti_reader *reader = section->reader;
    if (kind == ABUTI_NAME_BODY && strcmp(name, "world") == 0) return 0;
    const char *full = abuti_pool_join(&reader->scratch, section->instance->prefix, name, suffix);
    return full ? abuti_names_find(&reader->names, kind, full) : -1;
}

abuti_found abuti_reference(abuti_section *section, const abuti_element *element, const char *attribute,
                            abuti_name_kind kind, int *index)
{
    const char *name = abuti_text_of(element, attribute, NULL);
    if (!name) {
        abuti_fail(&section->reader->source, ABUT_INVALID_ARGUMENT, element, attribute,
                   "missing; expected the name of a %s", abuti_name_kind_text(kind));
        return ABUTI_FAILED;
    }
    *index = find(section, kind, name, section->suffix);
    if (*index < 0) *index = find(section, kind, name, section->instance->suffix);
    if (*index >= 0) return ABUTI_FOUND;
    section->missing = name;
    section->missing_kind = kind;
    return ABUTI_MISSING;
}

const char *abuti_section_name(abuti_section *section, const abuti_element *element)
{
    const char *name = abuti_text_of(element, "name", "");
    if (*name == '\0') return "";
    const char *full =
        abuti_pool_join(section->reader->source.pool, section->instance->prefix, name, section->suffix);
    if (!full) abuti_fail_memory(&section->reader->source);
    return full;
}

typedef abuti_found (*read_element)(abuti_section *section, const abuti_element *element);

static const struct {
    const char *section, *element;
    read_element read;
} readers[] = {
    {"tendon", "fixed", abuti_tendon_read},     {"actuator", "", abuti_actuator_read},
    {"equality", "", abuti_equality_read},      {"contact", "pair", abuti_pair_read},
    {"contact", "exclude", abuti_exclude_read},
};

/* An element that refers to a name that was not found as it stands, and that name. */
typedef struct unfound {
    const abuti_element *element;
    const char *missing;
    abuti_name_kind kind;
    int copies;
} unfound;

/* Reads each of these elements once for each copy of what it names. */
static bool read_copies(abuti_reader *reader, abuti_instance *instance, read_element read, unfound *rows,
                        int count)
{
    const char *const *suffixes = instance->suffixes.items;
    for (int i = 0; count > 0 && i < instance->suffixes.count; ++i) {
        abuti_section section = {.reader = reader, .instance = instance, .suffix = suffixes[i]};
        for (int k = 0; k < count; ++k) {
            abuti_found found = read(&section, rows[k].element);
            if (found == ABUTI_FAILED) return false;
            rows[k].copies += found == ABUTI_FOUND;
        }
    }
    return true;
}

static bool still_missing(abuti_reader *reader, const unfound *row)
{
    const char *kind = abuti_name_kind_text(row->kind);
    if (reader->source.options->lenient)
        return abuti_unsupported(&reader->source, row->element, NULL, "there is no %s '%.60s'", kind,
                                 row->missing);
    return abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, row->element, NULL, "there is no %s '%.60s'",
                      kind, row->missing);
}

/* Reads all elements of a kind: first those whose names are found as they stand, then, as in MuJoCo, copy by copy
 * those that refer to replicates. */
static bool read_kind(abuti_reader *reader, abuti_instance *instance, size_t kind)
{
    abuti_list missing = {0};
    for (const abuti_element *section = instance->model->root->first; section; section = section->next) {
        if (!abuti_is(section, readers[kind].section)) continue;
        for (const abuti_element *element = section->first; element; element = element->next) {
            if (readers[kind].element[0] != '\0' && !abuti_is(element, readers[kind].element)) continue;
            abuti_section place = {.reader = reader, .instance = instance, .suffix = instance->suffix};
            abuti_found found = readers[kind].read(&place, element);
            if (found == ABUTI_FAILED) return false;
            if (found == ABUTI_FOUND) continue;
            unfound *added = abuti_list_add(&reader->scratch, &missing, sizeof *added);
            if (!added) return abuti_fail_memory(&reader->source);
            *added = (unfound){element, place.missing, place.missing_kind, 0};
        }
    }
    unfound *rows = missing.items;
    if (!read_copies(reader, instance, readers[kind].read, rows, missing.count)) return false;
    for (int k = 0; k < missing.count; ++k)
        if (rows[k].copies == 0 && !instance->partial && !still_missing(reader, &rows[k])) return false;
    return true;
}

bool abuti_sections_read(abuti_reader *reader)
{
    abuti_instance *const *instances = reader->instances.items;
    for (size_t kind = 0; kind < sizeof readers / sizeof readers[0]; ++kind)
        for (int i = 0; i < reader->instances.count; ++i)
            if (!read_kind(reader, instances[i], kind)) return false;
    abuti_actuators_finish(reader);
    return true;
}

/* ---- contact ---- */

static void take_pair(abut_scene_pair *pair, const abuti_element *element)
{
    abuti_integer_of(element, "condim", &pair->condim);
    abuti_numbers_of(element, "friction", pair->friction);
    abuti_numbers_of(element, "margin", &pair->margin);
    abuti_numbers_of(element, "gap", &pair->gap);
}

/* What a pair does not say follows from its geoms. */
static void from_geoms(const abuti_reader *reader, abut_scene_pair *pair)
{
    const abut_scene_geom *geoms = reader->geoms.items, *a = &geoms[pair->geoms[0]],
                          *b = &geoms[pair->geoms[1]];
    const abut_scene_geom *first = a->priority > b->priority ? a : b->priority > a->priority ? b : NULL;
    double friction[3];
    for (int k = 0; k < 3; ++k)
        friction[k] = first                             ? first->friction[k]
                      : a->friction[k] > b->friction[k] ? a->friction[k]
                                                        : b->friction[k];
    pair->condim = first ? first->condim : a->condim > b->condim ? a->condim : b->condim;
    memcpy(pair->friction, (double[5]){friction[0], friction[0], friction[1], friction[2], friction[2]},
           sizeof pair->friction);
    pair->margin = a->margin > b->margin ? a->margin : b->margin;
    pair->gap = a->gap > b->gap ? a->gap : b->gap;
}

abuti_found abuti_pair_read(abuti_section *section, const abuti_element *element)
{
    abuti_reader *reader = section->reader;
    const abuti_model *model = section->instance->model;
    const abuti_element *chain[ABUTI_CHAIN_MAX];
    abut_scene_pair pair = {0};
    int class;
    abuti_found found = abuti_reference(section, element, "geom1", ABUTI_NAME_GEOM, &pair.geoms[0]);
    if (found == ABUTI_FOUND)
        found = abuti_reference(section, element, "geom2", ABUTI_NAME_GEOM, &pair.geoms[1]);
    if (found != ABUTI_FOUND) return found;
    const abut_scene_geom *geoms = reader->geoms.items;
    if (geoms[pair.geoms[0]].body == geoms[pair.geoms[1]].body) {
        abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, element, "geom2",
                   "expected a geom of another body than geom1's");
        return ABUTI_FAILED;
    }
    from_geoms(reader, &pair);
    if (!abuti_class_of(reader, model, element, -1, &class)) return ABUTI_FAILED;
    int count = abuti_defaults(model, class, "pair", element, chain, ABUTI_CHAIN_MAX);
    for (int i = 0; i < count; ++i) take_pair(&pair, chain[i]);
    int c = pair.condim;
    if ((c != 1 && c != 3 && c != 4 && c != 6) || !(pair.friction[0] >= 0 && pair.friction[1] >= 0)) {
        abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, element, "condim",
                   "expected 1, 3, 4 or 6, and friction >= 0");
        return ABUTI_FAILED;
    }
    if (c > 3 &&
        !abuti_skip(&reader->source, "torsional and rolling friction of condim 4 and 6, which are read as 3"))
        return ABUTI_FAILED;
    abut_scene_pair *added = abuti_add(reader, &reader->pairs, sizeof *added, element);
    if (!added) return ABUTI_FAILED;
    *added = pair;
    return ABUTI_FOUND;
}

abuti_found abuti_exclude_read(abuti_section *section, const abuti_element *element)
{
    abut_scene_exclude exclude;
    abuti_found found = abuti_reference(section, element, "body1", ABUTI_NAME_BODY, &exclude.bodies[0]);
    if (found == ABUTI_FOUND)
        found = abuti_reference(section, element, "body2", ABUTI_NAME_BODY, &exclude.bodies[1]);
    if (found != ABUTI_FOUND) return found;
    abut_scene_exclude *added =
        abuti_add(section->reader, &section->reader->excludes, sizeof *added, element);
    if (!added) return ABUTI_FAILED;
    *added = exclude;
    return ABUTI_FOUND;
}
