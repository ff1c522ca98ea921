#include "io/contact_warm.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef ABUT_HAVE_JSON

static bool is_absent(const json_t *value)
{
    return !value || json_is_null(value);
}

/* "stick", "slide:3"; on a circle the number counts 256ths of a turn, so that the whole byte is used. */
static bool read_state(abuti_text *text, const char *path, const json_t *value, abut_contact_face *face)
{
    const char *name = json_is_string(value) ? json_string_value(value) : "";
    size_t length = strcspn(name, ":");
    for (int s = ABUT_OPEN; s <= ABUT_NEW; ++s) {
        const char *known = abut_contact_state_name((abut_contact_state)s);
        if (strlen(known) != length || strncmp(known, name, length) != 0) continue;
        char *end = NULL;
        long number = name[length] == ':' ? strtol(name + length + 1, &end, 10) : 0;
        if (number < 0 || number > UINT8_MAX || (end && (*end != '\0' || end == name + length + 1))) break;
        *face = (abut_contact_face){.state = (uint8_t)s, .face = (uint8_t)number};
        return true;
    }
    return abuti_json_wrong(text, path, "open, slide, edge, stick or new, with a face as in \"slide:3\"",
                            value);
}

/* Reads, beside the states, one small number for each contact into the byte at `offset` of its face. */
static bool read_bytes(abuti_text *text, const char *prefix, const json_t *object, const char *name, int most,
                       int count, abut_contact_face *start, size_t offset)
{
    char path[ABUTI_LABEL_MAX];
    const json_t *list = json_object_get(object, name);
    if (is_absent(list)) return true;
    snprintf(path, sizeof path, "%s%s", prefix, name);
    if (!json_is_array(list) || json_array_size(list) != (size_t)count)
        return abuti_json_wrong(text, path, "a list with one number for each contact", list);
    for (int i = 0; i < count; ++i) {
        int number = 0;
        snprintf(path, sizeof path, "%s%s[%d]", prefix, name, i);
        if (!abuti_json_get_integer(text, path, json_array_get(list, (size_t)i), 0, most, &number))
            return false;
        *((uint8_t *)&start[i] + offset) = (uint8_t)number;
    }
    return true;
}

bool abuti_contact_warm_states(abuti_text *text, const char *prefix, const json_t *object, int count,
                               abut_contact_face *start)
{
    const json_t *states = json_object_get(object, "states");
    char path[ABUTI_LABEL_MAX];
    snprintf(path, sizeof path, "%sstates", prefix);
    if (!json_is_array(states) || json_array_size(states) != (size_t)count)
        return abuti_json_wrong(text, path, "a list with one state for each contact", states);
    for (int i = 0; i < count; ++i) {
        snprintf(path, sizeof path, "%sstates[%d]", prefix, i);
        if (!read_state(text, path, json_array_get(states, (size_t)i), &start[i])) return false;
    }
    return read_bytes(text, prefix, object, "rows", 7, count, start, offsetof(abut_contact_face, rows)) &&
           read_bytes(text, prefix, object, "frames", ABUT_DIRECTIONS_MAX - 1, count, start,
                      offsetof(abut_contact_face, frame));
}

/* ---- the answer to another problem ---- */

typedef struct keyed_face {
    int64_t key;
    abut_contact_face face;
} keyed_face;

static int by_key(const void *a, const void *b)
{
    int64_t x = ((const keyed_face *)a)->key, y = ((const keyed_face *)b)->key;
    return (x > y) - (x < y);
}

static bool has_keys(const abut_contact_problem *problem)
{
    for (int i = 0; i < problem->contact_count; ++i)
        if (problem->contacts[i].key != 0) return true;
    return false;
}

static bool read_keys(abuti_text *text, const json_t *keys, int count, keyed_face *of)
{
    if (!json_is_array(keys) || json_array_size(keys) != (size_t)count)
        return abuti_json_wrong(text, "warm.keys", "a list with one key for each contact", keys);
    for (int i = 0; i < count; ++i) {
        const json_t *key = json_array_get(keys, (size_t)i);
        char path[ABUTI_LABEL_MAX];
        snprintf(path, sizeof path, "warm.keys[%d]", i);
        if (!json_is_integer(key)) return abuti_json_wrong(text, path, "a whole number of 64 bits", key);
        of[i].key = json_integer_value(key);
    }
    return true;
}

/* Contacts that the answer does not know are new. */
static bool match_by_key(abuti_text *text, const abut_contact_problem *problem, const json_t *keys, int count,
                         const abut_contact_face *faces, abut_contact_face *start)
{
    int found = 0;
    keyed_face *known = calloc((size_t)count + 1, sizeof *known);
    if (!known) return abuti_text_out_of_memory(text);
    bool fine = read_keys(text, keys, count, known);
    for (int i = 0; i < count; ++i) known[i].face = faces[i];
    qsort(known, (size_t)count, sizeof *known, by_key);
    for (int i = 0; fine && i < problem->contact_count; ++i) {
        keyed_face wanted = {.key = (int64_t)problem->contacts[i].key};
        const keyed_face *match =
            wanted.key != 0 ? bsearch(&wanted, known, (size_t)count, sizeof *known, by_key) : NULL;
        start[i] = match ? match->face : (abut_contact_face){.state = ABUT_NEW};
        found += match ? 1 : 0;
    }
    free(known);
    if (fine && found == 0) return abuti_text_fail_whole(text, "warm.keys: none is that of a contact");
    return fine;
}

static bool match(abuti_text *text, const abut_contact_problem *problem, const json_t *root,
                  abut_contact_face *start)
{
    const json_t *warm = json_object_get(root, "warm");
    bool bare = is_absent(warm); /* an answer whose states stand beside its faces */
    if (!bare && !json_is_object(warm)) return abuti_json_wrong(text, "warm", "an object", warm);
    const json_t *object = bare ? root : warm, *states = json_object_get(object, "states");
    const json_t *keys = json_object_get(object, "keys");
    const char *prefix = bare ? "" : "warm.";
    bool keyed = !is_absent(keys) && has_keys(problem);
    int count = keyed && json_is_array(states) ? (int)json_array_size(states) : problem->contact_count;
    abut_contact_face *faces = calloc((size_t)count + 1, sizeof *faces);
    if (!faces) return abuti_text_out_of_memory(text);
    bool fine = abuti_contact_warm_states(text, prefix, object, count, faces) &&
                (!bare || read_bytes(text, "", root, "faces", UINT8_MAX, count, faces,
                                     offsetof(abut_contact_face, face)));
    if (fine && keyed)
        fine = match_by_key(text, problem, keys, count, faces, start);
    else if (fine)
        memcpy(start, faces, (size_t)count * sizeof *start);
    free(faces);
    return fine;
}

bool abuti_contact_warm_from(abuti_text *text, const abut_contact_problem *problem, abut_contact_face *start)
{
    json_t *root = abuti_json_parse(text, ABUTI_JSON_WHOLE_AS_INTEGER);
    if (!root) return false;
    bool fine = match(text, problem, root, start);
    json_decref(root);
    return fine;
}

#else

bool abuti_contact_warm_from(abuti_text *text, const abut_contact_problem *problem, abut_contact_face *start)
{
    (void)problem;
    (void)start;
    return abuti_json_left_out(text);
}

#endif

/* ---- writing ---- */

/* Writes what read_bytes reads; it writes nothing where all numbers are 0. */
static void write_bytes(abuti_json *json, const char *name, int count, const abut_contact_face *start,
                        size_t offset)
{
    bool any = false;
    for (int i = 0; i < count && !any; ++i) any = *((const uint8_t *)&start[i] + offset) != 0;
    if (!any) return;
    abuti_json_open(json, name, '[', false);
    for (int i = 0; i < count; ++i) abuti_json_integer(json, NULL, *((const uint8_t *)&start[i] + offset));
    abuti_json_close(json, ']');
}

void abuti_contact_warm_write(abuti_json *json, int count, const abut_contact_face *start)
{
    abuti_json_open(json, "states", '[', false);
    for (int i = 0; i < count; ++i) {
        char name[32];
        const char *state = abut_contact_state_name((abut_contact_state)start[i].state);
        if (start[i].face != 0 || start[i].state == ABUT_SLIDE || start[i].state == ABUT_EDGE)
            snprintf(name, sizeof name, "%s:%d", state, start[i].face);
        else
            snprintf(name, sizeof name, "%s", state);
        abuti_json_string(json, NULL, name);
    }
    abuti_json_close(json, ']');
    write_bytes(json, "rows", count, start, offsetof(abut_contact_face, rows));
    write_bytes(json, "frames", count, start, offsetof(abut_contact_face, frame));
}
