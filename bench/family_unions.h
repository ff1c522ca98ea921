/* Random contact problems with unions. */
#ifndef ABUT_BENCH_FAMILY_UNIONS_H
#define ABUT_BENCH_FAMILY_UNIONS_H

#include "contact_families.h"

/* The most contacts and friction directions that a problem has. */
enum { FAMILY_UNIONS_CONTACTS = 23, FAMILY_UNIONS_DIRECTIONS = 8 };

/* False when memory has run out. */
bool family_unions_make(contact_case *c, bench_random *random);
/* The same with so many unions; the most contacts above do not hold then. */
bool family_unions_many(contact_case *c, int groups, bench_random *random);

#endif
