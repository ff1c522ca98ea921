/* Version 3 of capsules:
 *
 *     "blocks":   [{"mass_matrix": [[...], ...], "velocity": [...], "force": [...], "parents": [...]}],
 *     "contacts": [{"bodies": [A, B], "rows": [n, t, n x t], "surface": [3], ...}],     no point, normal, tangent
 *     "joints":   [{"bodies": [A, B], "row": [...], ...}]               no jacobian
 *
 * A and B are blocks; a row has the numbers of A, then those of B, signs included, as in contact.h. For a contact
 * without friction the row of the normal is enough. */
#include "io/capsule_blocks.h"
#include "io/capsule_names.h"

#include <stdlib.h>
#include <string.h>

/* The most numbers that one block may have: its mass matrix is dense. */
enum { BLOCK_MOST = 4096 };

#ifdef ABUT_HAVE_JSON

/* ---- reading ---- */

/* One block, from `first` on in lists of all blocks' numbers. */
static bool read_numbers(abuti_text *text, size_t index, const json_t *object, const char *name, int count,
                         double *into)
{
    char path[ABUTI_LABEL_MAX];
    const json_t *value = json_object_get(object, name);
    if (!value || json_is_null(value)) return true;
    snprintf(path, sizeof path, "blocks[%zu].%s", index, name);
    return abuti_json_get_numbers(text, path, value, count, into);
}

static bool read_parents(abuti_text *text, size_t index, const json_t *object, int size, int *into)
{
    char path[ABUTI_LABEL_MAX];
    const json_t *value = json_object_get(object, "parents");
    for (int i = 0; i < size; ++i) into[i] = i - 1; /* a chain: every number may hang on all before it */
    if (!value || json_is_null(value)) return true;
    snprintf(path, sizeof path, "blocks[%zu].parents", index);
    if (!json_is_array(value) || json_array_size(value) != (size_t)size)
        return abuti_json_wrong(text, path, "as many whole numbers as the block has", value);
    for (int i = 0; i < size; ++i) {
        snprintf(path, sizeof path, "blocks[%zu].parents[%d]", index, i);
        if (!abuti_json_get_integer(text, path, json_array_get(value, (size_t)i), -1, i - 1, &into[i]))
            return false;
    }
    return true;
}

static bool read_mass(abuti_text *text, size_t index, const json_t *rows, int size, double *into)
{
    for (int i = 0; i < size; ++i) {
        char path[ABUTI_LABEL_MAX];
        snprintf(path, sizeof path, "blocks[%zu].mass_matrix[%d]", index, i);
        if (!abuti_json_get_numbers(text, path, json_array_get(rows, (size_t)i), size,
                                    into + (size_t)i * (size_t)size))
            return false;
    }
    return true;
}

/* How many numbers each block has, and whether some block tells its parents. */
static bool count_numbers(abuti_text *text, const json_t *list, abuti_block_data *b, size_t *squares,
                          bool *branches)
{
    for (int i = 0; i < b->count; ++i) {
        char path[ABUTI_LABEL_MAX];
        json_t *object = json_array_get(list, (size_t)i);
        snprintf(path, sizeof path, "blocks[%d]", i);
        if (!json_is_object(object)) return abuti_json_wrong(text, path, "an object", object);
        snprintf(path, sizeof path, "blocks[%d].", i);
        if (!abuti_capsule_check_names(text, path, object, abuti_capsule_block_names)) return false;
        const json_t *mass = json_object_get(object, "mass_matrix"),
                     *parents = json_object_get(object, "parents");
        snprintf(path, sizeof path, "blocks[%d].mass_matrix", i);
        size_t size = json_array_size(mass);
        if (!json_is_array(mass) || size < 1 || size > BLOCK_MOST)
            return abuti_json_wrong(text, path, "a list of rows, one for each number of the block", mass);
        b->sizes[i] = (int)size;
        b->numbers += (int)size;
        *squares += size * size;
        *branches = *branches || (parents && !json_is_null(parents));
    }
    return true;
}

bool abuti_capsule_read_blocks(abuti_text *text, const json_t *list, abuti_contact_data *data)
{
    abuti_block_data *b = &data->blocks;
    size_t squares = 0;
    bool branches = false;
    if (!json_is_array(list) || json_array_size(list) == 0)
        return abuti_json_wrong(text, "blocks", "a list of at least one block", list);
    b->count = (int)json_array_size(list);
    b->sizes = calloc((size_t)b->count, sizeof *b->sizes);
    if (!b->sizes) return abuti_text_out_of_memory(text);
    if (!count_numbers(text, list, b, &squares, &branches)) return false;
    b->mass = calloc(squares, sizeof(double));
    b->velocity = calloc((size_t)b->numbers, sizeof(double));
    b->force = calloc((size_t)b->numbers, sizeof(double));
    b->parents = branches ? calloc((size_t)b->numbers, sizeof(int)) : NULL;
    if (!b->mass || !b->velocity || !b->force || (branches && !b->parents))
        return abuti_text_out_of_memory(text);
    double *mass = b->mass;
    for (int i = 0, first = 0; i < b->count; first += b->sizes[i++]) {
        const json_t *object = json_array_get(list, (size_t)i);
        int size = b->sizes[i];
        if (!read_mass(text, (size_t)i, json_object_get(object, "mass_matrix"), size, mass) ||
            !read_numbers(text, (size_t)i, object, "velocity", size, b->velocity + first) ||
            !read_numbers(text, (size_t)i, object, "force", size, b->force + first) ||
            (branches && !read_parents(text, (size_t)i, object, size, b->parents + first)))
            return false;
        mass += (size_t)size * (size_t)size;
    }
    return true;
}

static int width_of(const abuti_block_data *b, const int pair[2])
{
    return b->sizes[pair[0]] + (pair[1] == ABUT_WORLD ? 0 : b->sizes[pair[1]]);
}

/* Reads the row of a contact's normal, and those of its tangents where it has some. */
static bool read_contact_rows(abuti_text *text, int index, const json_t *object, int width, double *normal,
                              double *tangents)
{
    char path[ABUTI_LABEL_MAX];
    const json_t *rows = json_object_get(object, "rows");
    size_t count = json_array_size(rows);
    snprintf(path, sizeof path, "contacts[%d].rows", index);
    if (!json_is_array(rows) || (count != 1 && count != 3))
        return abuti_json_wrong(text, path,
                                "the rows of the normal and of both tangents, or of the normal alone", rows);
    for (size_t k = 0; k < count; ++k) {
        snprintf(path, sizeof path, "contacts[%d].rows[%zu]", index, k);
        double *to = k == 0 ? normal : tangents + (k - 1) * (size_t)width;
        if (!abuti_json_get_numbers(text, path, json_array_get(rows, k), width, to)) return false;
    }
    return true;
}

bool abuti_capsule_read_rows(abuti_text *text, const json_t *root, abuti_contact_data *data)
{
    abuti_block_data *b = &data->blocks;
    const json_t *contacts = json_object_get(root, "contacts"), *joints = json_object_get(root, "joints");
    size_t normals = 0, rows = 0, at = 0;
    for (int i = 0; i < data->contact_count; ++i) normals += (size_t)width_of(b, data->contacts[i].bodies);
    for (int i = 0; i < data->joint_count; ++i) rows += (size_t)width_of(b, data->joints[i].bodies);
    b->normals = calloc(normals + 1, sizeof(double));
    b->tangents = calloc(2 * normals + 1, sizeof(double));
    b->joints = calloc(rows + 1, sizeof(double));
    if (!b->normals || !b->tangents || !b->joints) return abuti_text_out_of_memory(text);
    for (int i = 0; i < data->contact_count; ++i) {
        int width = width_of(b, data->contacts[i].bodies);
        if (!read_contact_rows(text, i, json_array_get(contacts, (size_t)i), width, b->normals + at,
                               b->tangents + 2 * at))
            return false;
        at += (size_t)width;
    }
    at = 0;
    for (int i = 0; i < data->joint_count; ++i) {
        char path[ABUTI_LABEL_MAX];
        int width = width_of(b, data->joints[i].bodies);
        snprintf(path, sizeof path, "joints[%d].row", i);
        if (!abuti_json_get_numbers(text, path, json_object_get(json_array_get(joints, (size_t)i), "row"),
                                    width, b->joints + at))
            return false;
        at += (size_t)width;
    }
    return true;
}

#endif

/* ---- writing ---- */

void abuti_capsule_pair(const abut_generalised *g, const int bodies[2], int pair[2])
{
    pair[0] = g->block_count > 0 ? bodies[0] : 0;
    pair[1] = g->block_count > 0 ? bodies[1] : ABUT_WORLD;
}

static int size_of(const abut_generalised *g, int block)
{
    return g->block_count > 0 ? g->block_sizes[block] : g->nv;
}

int abuti_capsule_width(const abut_generalised *g, const int pair[2])
{
    return size_of(g, pair[0]) + (pair[1] == ABUT_WORLD ? 0 : size_of(g, pair[1]));
}

void abuti_capsule_write_blocks(abuti_json *json, const abut_generalised *g)
{
    const double *mass = g->mass_matrix;
    abuti_json_open(json, "blocks", '[', true);
    for (int i = 0, first = 0, size; i < (g->block_count > 0 ? g->block_count : 1); ++i, first += size) {
        size = size_of(g, i);
        abuti_json_open(json, NULL, '{', false);
        abuti_json_open(json, "mass_matrix", '[', false);
        for (int row = 0; row < size; ++row, mass += size) abuti_json_numbers(json, NULL, mass, size);
        abuti_json_close(json, ']');
        abuti_json_numbers(json, "velocity", g->velocity + first, size);
        abuti_json_numbers(json, "force", g->force + first, size);
        if (g->parents) {
            abuti_json_open(json, "parents", '[', false);
            for (int k = 0; k < size; ++k) abuti_json_integer(json, NULL, g->parents[first + k]);
            abuti_json_close(json, ']');
        }
        abuti_json_close(json, '}');
    }
    abuti_json_close(json, ']');
}
