/* Families of large islands: one pile of about so many bodies. */
#ifndef ABUT_BENCH_FAMILY_PILES_H
#define ABUT_BENCH_FAMILY_PILES_H

#include "contact_families.h"

typedef struct pile_family {
    const char *name;
    void (*make)(contact_case *c, int bodies, bench_random *random);
} pile_family;

extern const pile_family pile_families[];
extern const int pile_family_count;

#endif
