/* Height fields: elevations in the element, or in MuJoCo's binary files or PNG pictures. */
#include "scene/picture.h"
#include "scene/reader.h"

#include <stdint.h>
#include <string.h>

enum { SIDE_MAX = 4000 };

static bool wrong(abuti_reader *reader, const abuti_element *element, const char *attribute, const char *what)
{
    return abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, element, attribute, "%s", what);
}

static bool room(abuti_reader *reader, const abuti_element *element, abut_scene_hfield *field)
{
    if (field->rows < 2 || field->columns < 2 || field->rows > SIDE_MAX || field->columns > SIDE_MAX)
        return abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, element, "nrow",
                          "%d rows and %d columns; expected 2 to %d of each", field->rows, field->columns,
                          SIDE_MAX);
    field->elevation = abuti_pool_take(reader->source.pool, (size_t)field->rows * (size_t)field->columns *
                                                                sizeof *field->elevation);
    return field->elevation || abuti_fail_memory(&reader->source);
}

/* int rows, int columns, then single precision numbers, row by row from the least y. */
static bool binary(abuti_reader *reader, const abuti_element *element, const unsigned char *bytes,
                   size_t size, abut_scene_hfield *field)
{
    int32_t head[2];
    if (size < sizeof head) return wrong(reader, element, "file", "cut short");
    memcpy(head, bytes, sizeof head);
    field->rows = head[0];
    field->columns = head[1];
    if (!room(reader, element, field)) return false;
    size_t count = (size_t)field->rows * (size_t)field->columns;
    if (size != sizeof head + 4 * count)
        return wrong(reader, element, "file", "its size is not what its header says");
    for (size_t i = 0; i < count; ++i) {
        float value;
        memcpy(&value, bytes + sizeof head + 4 * i, sizeof value);
        if (!(value >= -1e30f && value <= 1e30f))
            return wrong(reader, element, "file", "an elevation is not finite");
        field->elevation[i] = value;
    }
    return true;
}

static bool from_picture(abuti_reader *reader, const abuti_element *element, const unsigned char *bytes,
                         size_t size, abut_scene_hfield *field)
{
    abuti_picture picture;
    const char *complaint = abuti_picture_begin(bytes, size, &picture);
    if (complaint) return wrong(reader, element, "file", complaint);
    field->rows = picture.height;
    field->columns = picture.width;
    if (!room(reader, element, field)) return false;
    complaint = abuti_picture_read(&picture, field->elevation);
    return !complaint || wrong(reader, element, "file", complaint);
}

static bool from_file(abuti_reader *reader, const abuti_model *model, const abuti_element *element,
                      const char *file, abut_scene_hfield *field)
{
    const char *path = abuti_asset_path(reader, model, element, file);
    unsigned char *bytes;
    size_t size;
    if (!path || !abuti_file_bytes(&reader->source, element, path, &bytes, &size)) return false;
    if (abuti_is_picture(bytes, size)) return from_picture(reader, element, bytes, size, field);
    return binary(reader, element, bytes, size, field);
}

static bool from_element(abuti_reader *reader, const abuti_element *element, abut_scene_hfield *field)
{
    const abuti_attribute *elevation = abuti_given(element, "elevation");
    abuti_integer_of(element, "nrow", &field->rows);
    abuti_integer_of(element, "ncol", &field->columns);
    if (!room(reader, element, field)) return false;
    if (!elevation) return true;
    if (elevation->count != field->rows * field->columns)
        return abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, element, "elevation",
                          "%d numbers; expected %d", elevation->count, field->rows * field->columns);
    /* In the file the first row is the one with the largest y. */
    for (int r = 0; r < field->rows; ++r)
        for (int c = 0; c < field->columns; ++c)
            field->elevation[(size_t)r * (size_t)field->columns + (size_t)c] =
                (float)elevation->numbers[(field->rows - 1 - r) * field->columns + c];
    return true;
}

/* To 0 .. 1; a flat field is zero. */
static void normalise(abut_scene_hfield *field)
{
    size_t count = (size_t)field->rows * (size_t)field->columns;
    double low = field->elevation[0], high = low;
    for (size_t i = 0; i < count; ++i) {
        if (field->elevation[i] < low) low = field->elevation[i];
        if (field->elevation[i] > high) high = field->elevation[i];
    }
    for (size_t i = 0; i < count; ++i)
        field->elevation[i] = high - low > ABUTI_TINY ? (field->elevation[i] - low) / (high - low) : 0;
}

bool abuti_hfield_load(abuti_reader *reader, const abuti_model *model, const abuti_element *element,
                       const char *name, int *index)
{
    abut_scene_hfield field = {.name = abuti_pool_text(reader->source.pool, name)};
    const char *file = abuti_text_of(element, "file", NULL);
    if (!field.name) return abuti_fail_memory(&reader->source);
    if (abuti_numbers_of(element, "size", field.size) != 4 || !(field.size[0] > 0) || !(field.size[1] > 0) ||
        !(field.size[2] > 0) || !(field.size[3] > 0))
        return wrong(reader, element, "size", "expected four numbers > 0");
    if (!(file ? from_file(reader, model, element, file, &field) : from_element(reader, element, &field)))
        return false;
    normalise(&field);
    abut_scene_hfield *added = abuti_add(reader, &reader->hfields, sizeof *added, element);
    if (!added) return false;
    *added = field;
    *index = reader->hfields.count - 1;
    return true;
}
