/* Families of random robots; robots.h tells their two forms. */
#ifndef ABUT_BENCH_FAMILY_ROBOTS_H
#define ABUT_BENCH_FAMILY_ROBOTS_H

#include "robots.h"

typedef struct robot_family {
    const char *name;
    const char *summary;
    bool none_allowed;            /* driven rigid joints, bounces: a problem may have no answer */
    int sizes[CONTACT_SIZES_MAX]; /* what campaigns choose from; ends with 0 */
    void (*make)(robot_scene *scene, int size, bench_random *random);
} robot_family;

extern const robot_family robot_families[];
extern const int robot_family_count;

const robot_family *robot_family_find(const char *name);
/* Problem of a size, in both forms; false when memory has run out. */
bool robot_family_make(const robot_family *family, int size, bench_random *random, robot_scene *scene);

#endif
