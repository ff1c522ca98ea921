/* Names of things in a scene: a table from kind and name to index. */
#ifndef ABUTI_SCENE_NAMES_H
#define ABUTI_SCENE_NAMES_H

#include "scene/pool.h"

typedef enum abuti_name_kind {
    ABUTI_NAME_BODY,
    ABUTI_NAME_JOINT,
    ABUTI_NAME_GEOM,
    ABUTI_NAME_SITE,
    ABUTI_NAME_TENDON,
    ABUTI_NAME_ACTUATOR,
    ABUTI_NAME_EQUALITY,
} abuti_name_kind;

typedef struct abuti_name {
    const char *name; /* NULL: free */
    abuti_name_kind kind;
    int index;
} abuti_name;

typedef struct abuti_names {
    abuti_name *slots;
    int count, capacity;
} abuti_names;

/* 1: added; 0: it is there already; -1: no memory. The text is borrowed. */
int abuti_names_add(abuti_pool *pool, abuti_names *names, abuti_name_kind kind, const char *name, int index);
/* -1: not there. */
int abuti_names_find(const abuti_names *names, abuti_name_kind kind, const char *name);
/* "body", "joint", ... */
const char *abuti_name_kind_text(abuti_name_kind kind);

#endif
