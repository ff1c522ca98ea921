/* The table of MJCF: every element, where it may stand, its attributes with their types, and what becomes of them here.
 * Reading, suggestions for misspelt names and docs/mjcf.md follow from it. */
#ifndef ABUTI_SCENE_MJCF_H
#define ABUTI_SCENE_MJCF_H

#include <stdbool.h>
#include <stddef.h>

typedef enum abuti_mjcf_status {
    ABUTI_MJCF_READ,
    ABUTI_MJCF_SKIPPED, /* does not change rigid motion */
    ABUTI_MJCF_SOFT, /* says how soft MuJoCo's constraints are, or how its solver works; here they are rigid */
    ABUTI_MJCF_REFUSED, /* would change motion: an error, or left out with a warning when lenient */
} abuti_mjcf_status;

/* One element. `inside` is the `content` of its parent. */
typedef struct abuti_mjcf_element {
    const char *name;
    const char *inside;
    const char *content;    /* the name that its children have for `inside`; NULL: it has no children */
    const char *attributes; /* see mjcf_attribute.c */
    abuti_mjcf_status status;
} abuti_mjcf_element;

typedef enum abuti_mjcf_kind {
    ABUTI_MJCF_TEXT,
    ABUTI_MJCF_NUMBERS,
    ABUTI_MJCF_INTEGERS,
    ABUTI_MJCF_WORD /* one of `words` */
} abuti_mjcf_kind;

enum { ABUTI_MJCF_NAME_MAX = 32, ABUTI_MJCF_WORDS_MAX = 128, ABUTI_MJCF_ATTRIBUTES_MAX = 64 };

/* One attribute of an element, taken out of the table. */
typedef struct abuti_mjcf_attribute {
    char name[ABUTI_MJCF_NAME_MAX];
    abuti_mjcf_kind kind;
    int low, high;                     /* how many numbers; high -1: any number */
    char words[ABUTI_MJCF_WORDS_MAX];  /* separated by | */
    char neutral[ABUTI_MJCF_NAME_MAX]; /* of a refused one: this value changes nothing ("0": all zeros) */
    abuti_mjcf_status status;
} abuti_mjcf_attribute;

/* The rows of the table, and how many. */
const abuti_mjcf_element *abuti_mjcf_elements(int *count);
/* The row of an element inside another, or NULL. */
const abuti_mjcf_element *abuti_mjcf_find(const char *inside, const char *name);
/* The attributes of a group, whose name has this length. */
const char *abuti_mjcf_group(const char *name, size_t length);
/* All attributes of an element, in the order of the table; returns how many. */
int abuti_mjcf_attributes(const abuti_mjcf_element *element,
                          abuti_mjcf_attribute attributes[ABUTI_MJCF_ATTRIBUTES_MAX]);
/* One of them; false: it has no attribute of this name. */
bool abuti_mjcf_attribute_find(const abuti_mjcf_element *element, const char *name,
                               abuti_mjcf_attribute *attribute);

#endif
