/* Towers under forces that change slowly, whose keys tell more or less about what stays. */
#ifndef ABUT_BENCH_FAMILY_KEYED_H
#define ABUT_BENCH_FAMILY_KEYED_H

#include "contact_families.h"

extern const contact_sequence contact_keyed_sequences[];
extern const int contact_keyed_count;

#endif
