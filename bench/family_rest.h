/* Families of problems in which everything may be at rest (family_rest.c). */
#ifndef ABUT_BENCH_FAMILY_REST_H
#define ABUT_BENCH_FAMILY_REST_H

#include "contact_families.h"

typedef struct rest_family {
    const char *name, *summary;
    void (*make)(contact_case *c, int size, bench_random *random);
    int sizes[CONTACT_SIZES_MAX];
} rest_family;

extern const rest_family rest_families[]; /* the last has no name */

void contact_make_grasp(contact_case *c, int blocks, bench_random *random);
void contact_make_wedge(contact_case *c, int planes, bench_random *random);
void contact_make_arch(contact_case *c, int stones, bench_random *random);
void contact_make_leaning_stack(contact_case *c, int boxes, bench_random *random);
void contact_make_resting_heap(contact_case *c, int bodies, bench_random *random);

#endif
