/* Included files, in the places of the elements that name them. A file stands in a model once, so that there are no
 * cycles. */
#include "scene/element.h"

#include <string.h>

typedef struct inclusion {
    abuti_source *source;
    const char *directory;
    abuti_list paths; /* const char * */
} inclusion;

static bool expand(inclusion *all, abuti_element *parent);

/* The children of an included file's root take the place of the element. */
static bool include(inclusion *all, abuti_element *element, abuti_element **first, abuti_element **last)
{
    abuti_source *source = all->source;
    const char *name = abuti_text_of(element, "file", NULL);
    if (!name || element->first || element->attributes.count != 1)
        return abuti_fail(source, ABUT_INVALID_ARGUMENT, element, NULL,
                          "expected one attribute, file, and nothing in it");
    if (!all->directory)
        return abuti_fail(source, ABUT_INVALID_ARGUMENT, element, "file",
                          "a scene from memory cannot name files");
    const char *path = abuti_beside(source, all->directory, name);
    if (!path) return false;
    const char **paths = (const char **)all->paths.items;
    for (int i = 0; i < all->paths.count; ++i)
        if (strcmp(paths[i], path) == 0)
            return abuti_fail(source, ABUT_INVALID_ARGUMENT, element, "file",
                              "'%.100s' is in this model already; a file can be included once", name);
    const char **added = abuti_list_add(source->pool, &all->paths, sizeof *added);
    if (!added) return abuti_fail_memory(source);
    *added = path;

    unsigned char *bytes;
    size_t size;
    abuti_element *root;
    if (!abuti_file_bytes(source, element, path, &bytes, &size) ||
        !abuti_xml_parse(source, path, (const char *)bytes, size, &root) || !expand(all, root))
        return false;
    *first = root->first;
    *last = root->last;
    return true;
}

static bool expand(inclusion *all, abuti_element *parent)
{
    abuti_element *before = NULL, *next;
    for (abuti_element *child = parent->first; child; child = next) {
        next = child->next;
        abuti_element *first = child, *last = child;
        if (abuti_is(child, "include")) {
            if (!include(all, child, &first, &last)) return false;
        } else if (!expand(all, child)) {
            return false;
        }
        if (!first) { /* an empty file */
            if (!before) parent->first = next;
            if (before) before->next = next;
            if (!next) parent->last = before;
            continue;
        }
        if (!before) parent->first = first;
        if (before) before->next = first;
        last->next = next;
        if (!next) parent->last = last;
        before = last;
    }
    return true;
}

bool abuti_tree_read(abuti_source *source, const abuti_element *named_by, const char *path, const char *bytes,
                     size_t size, const char *directory, abuti_element **root)
{
    unsigned char *read = NULL;
    if (!bytes) {
        if (!abuti_file_bytes(source, named_by, path, &read, &size)) return false;
        bytes = (const char *)read;
    }
    inclusion all = {.source = source, .directory = directory};
    const char **added = abuti_list_add(source->pool, &all.paths, sizeof *added);
    if (!added) return abuti_fail_memory(source);
    *added = path;
    if (!abuti_xml_parse(source, path, bytes, size, root)) return false;
    if (!abuti_is(*root, "mujoco"))
        return abuti_fail(source, ABUT_INVALID_ARGUMENT, *root, NULL, "expected the root element <mujoco>");
    return expand(&all, *root) && abuti_tree_check(source, *root, "");
}
