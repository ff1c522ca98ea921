/* A file as a tree of elements: included files are in their places, every name is known to the table, numbers are
 * read. */
#ifndef ABUTI_SCENE_ELEMENT_H
#define ABUTI_SCENE_ELEMENT_H

#include "abut/scene.h"
#include "scene/mjcf.h"
#include "scene/pool.h"
#include <stdbool.h>

typedef struct abuti_attribute {
    const char *name, *text;
    double *numbers; /* NULL: not numbers */
    int count;
} abuti_attribute;

typedef struct abuti_element {
    const abuti_mjcf_element *row; /* NULL until it was checked */
    const char *name, *file;
    int line;
    const char *content; /* the text in it, "" if none */
    abuti_list attributes;
    struct abuti_element *first, *last, *next;
} abuti_element;

/* What is skipped, and how often. */
typedef struct abuti_skipped {
    const char *what;
    int count;
} abuti_skipped;

/* Who reads: where memory comes from, where messages go. */
typedef struct abuti_source {
    abuti_pool *pool;
    const abut_scene_options *options;
    abut_error *error;
    abut_status status;
    abuti_list skipped; /* abuti_skipped */
} abuti_source;

/* Leaves a message "file:line: <element attribute>: ..." and the status; returns false. `element` and `attribute` may
 * be NULL. */
bool abuti_fail(abuti_source *source, abut_status status, const abuti_element *element, const char *attribute,
                const char *format, ...) __attribute__((format(printf, 5, 6)));
/* ABUT_OUT_OF_MEMORY, or ABUT_TOO_LARGE when it was the pool's limit. Returns false. */
bool abuti_fail_memory(abuti_source *source);
/* Reports something that would change motion and is not supported. That is an error (returns false) or, with
 * `lenient`, a warning (returns true: go on without it). */
bool abuti_unsupported(abuti_source *source, const abuti_element *element, const char *attribute,
                       const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Counts a thing that was skipped. */
bool abuti_skip(abuti_source *source, const char *what);
/* One line to the caller for each thing that was skipped. */
void abuti_report_skipped(const abuti_source *source);

/* The whole of a file, up to a limit; `element` names it, for messages. */
bool abuti_file_bytes(abuti_source *source, const abuti_element *element, const char *path,
                      unsigned char **bytes, size_t *size);
/* The path of a file `name` in a folder, or the name itself when it is absolute. NULL: no memory. */
const char *abuti_beside(abuti_source *source, const char *directory, const char *name);
/* The folder of a path, with its slash; "" if it names none. NULL: no memory. */
const char *abuti_folder(abuti_source *source, const char *path);

/* Reads a file (or bytes, when not NULL) with all it includes, and checks it by the table. `directory`: where files
 * that it names are; NULL: they are refused. */
bool abuti_tree_read(abuti_source *source, const abuti_element *named_by, const char *path, const char *bytes,
                     size_t size, const char *directory, abuti_element **root);
/* The elements of one file as they stand there (xml.c); includes are elements. */
bool abuti_xml_parse(abuti_source *source, const char *name, const char *bytes, size_t size,
                     abuti_element **root);
/* Checks names and values of an element and all in it, whose parent is `inside`; drops what is skipped. */
bool abuti_tree_check(abuti_source *source, abuti_element *element, const char *inside);

/* An attribute that was given, or NULL. */
const abuti_attribute *abuti_given(const abuti_element *element, const char *name);
/* Its text, or the one given instead. */
const char *abuti_text_of(const abuti_element *element, const char *name, const char *otherwise);
/* Puts the numbers that were given into an array, whose other entries stay; returns how many. */
int abuti_numbers_of(const abuti_element *element, const char *name, double *values);
/* Likewise one integer; true: given. */
bool abuti_integer_of(const abuti_element *element, const char *name, int *value);
/* The place of a word in the table's list of words (false, true: 0, 1); true: given. */
bool abuti_word_of(const abuti_element *element, const char *name, int *value);
bool abuti_is(const abuti_element *element, const char *name);

#endif
