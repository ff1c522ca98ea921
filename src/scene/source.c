#include "scene/element.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { NAME_SHOWN = 100 };

/* ---- messages ---- */

/* "file:line: <element attribute>: " at the front of a message; returns its length. */
static int place(char *out, size_t size, const abuti_element *element, const char *attribute)
{
    if (!element) return 0;
    size_t length = strlen(element->file);
    bool cut = length > NAME_SHOWN;
    int used = snprintf(out, size, "%s%s:%d: <%.40s%s%s>: ", cut ? "..." : "",
                        cut ? element->file + length - NAME_SHOWN : element->file, element->line,
                        element->name, attribute ? " " : "", attribute ? attribute : "");
    return used < (int)size ? used : (int)size - 1;
}

static void message(char *out, size_t size, const abuti_element *element, const char *attribute,
                    const char *format, va_list arguments)
{
    int used = place(out, size, element, attribute);
    vsnprintf(out + used, size - (size_t)used, format, arguments);
    for (char *c = out; *c != '\0'; ++c)
        if (iscntrl((unsigned char)*c)) *c = '?';
}

bool abuti_fail(abuti_source *source, abut_status status, const abuti_element *element, const char *attribute,
                const char *format, ...)
{
    source->status = status;
    if (!source->error) return false;
    va_list arguments;
    va_start(arguments, format);
    message(source->error->text, ABUT_ERROR_CAPACITY, element, attribute, format, arguments);
    va_end(arguments);
    return false;
}

bool abuti_fail_memory(abuti_source *source)
{
    if (source->pool->full)
        return abuti_fail(source, ABUT_TOO_LARGE, NULL, NULL,
                          "the scene is too large: it needs more than %zu MB", ABUT_SCENE_BYTES_MAX >> 20);
    return abuti_fail(source, ABUT_OUT_OF_MEMORY, NULL, NULL, "out of memory");
}

bool abuti_unsupported(abuti_source *source, const abuti_element *element, const char *attribute,
                       const char *format, ...)
{
    char text[ABUT_ERROR_CAPACITY];
    va_list arguments;
    va_start(arguments, format);
    message(text, sizeof text, element, attribute, format, arguments);
    va_end(arguments);
    if (!source->options->lenient) return abuti_fail(source, ABUT_UNSUPPORTED, NULL, NULL, "%s", text);
    if (source->options->note) source->options->note(source->options->context, 1, text);
    return true;
}

bool abuti_skip(abuti_source *source, const char *what)
{
    abuti_skipped *skipped = source->skipped.items;
    for (int i = 0; i < source->skipped.count; ++i) {
        if (strcmp(skipped[i].what, what) != 0) continue;
        skipped[i].count++;
        return true;
    }
    char *copy = abuti_pool_text(source->pool, what);
    abuti_skipped *added = abuti_list_add(source->pool, &source->skipped, sizeof *added);
    if (!copy || !added) return abuti_fail_memory(source);
    *added = (abuti_skipped){copy, 1};
    return true;
}

void abuti_report_skipped(const abuti_source *source)
{
    const abuti_skipped *skipped = source->skipped.items;
    if (!source->options->note) return;
    for (int i = 0; i < source->skipped.count; ++i) {
        char line[128];
        snprintf(line, sizeof line, "skipped %s (%d)", skipped[i].what, skipped[i].count);
        source->options->note(source->options->context, 0, line);
    }
}

/* ---- files ---- */

const char *abuti_folder(abuti_source *source, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = abuti_pool_text(source->pool, path);
    if (!folder) return abuti_fail_memory(source) ? NULL : NULL;
    folder[slash ? slash + 1 - path : 0] = '\0';
    return folder;
}

const char *abuti_beside(abuti_source *source, const char *directory, const char *name)
{
    bool absolute = name[0] == '/' || !directory || directory[0] == '\0';
    bool slash = !absolute && directory[strlen(directory) - 1] != '/';
    const char *path = abuti_pool_join(source->pool, absolute ? "" : directory, slash ? "/" : "", name);
    if (!path) abuti_fail_memory(source);
    return path;
}

static bool read_all(abuti_source *source, const abuti_element *element, const char *path, FILE *file,
                     size_t size, unsigned char **bytes)
{
    *bytes = abuti_pool_take(source->pool, size + 1);
    if (!*bytes) return abuti_fail_memory(source);
    if (fread(*bytes, 1, size, file) == size) return true;
    return abuti_fail(source, ABUT_INVALID_ARGUMENT, element, NULL, "cannot read '%.120s'", path);
}

bool abuti_file_bytes(abuti_source *source, const abuti_element *element, const char *path,
                      unsigned char **bytes, size_t *size)
{
    struct stat info;
    FILE *file = fopen(path, "rb");
    bool good = false;
    if (!file) {
        abuti_fail(source, ABUT_INVALID_ARGUMENT, element, NULL, "cannot open '%.120s': %s", path,
                   strerror(errno));
    } else if (fstat(fileno(file), &info) != 0 || !S_ISREG(info.st_mode)) {
        abuti_fail(source, ABUT_INVALID_ARGUMENT, element, NULL, "'%.120s' is not a file", path);
    } else if (info.st_size == 0) {
        abuti_fail(source, ABUT_INVALID_ARGUMENT, element, NULL, "'%.120s' is empty", path);
    } else if ((unsigned long long)info.st_size > ABUT_SCENE_BYTES_MAX / 4) {
        abuti_fail(source, ABUT_TOO_LARGE, element, NULL, "'%.120s' is too large: more than %zu MB", path,
                   ABUT_SCENE_BYTES_MAX >> 22);
    } else {
        *size = (size_t)info.st_size;
        good = read_all(source, element, path, file, *size, bytes);
    }
    if (file) fclose(file);
    return good;
}
