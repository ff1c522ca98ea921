/* Whether a file holds an LCP or a contact problem, told from its first characters and its name. */
#ifndef ABUTI_KIND_H
#define ABUTI_KIND_H

#include "io/format.h"

/* What the first characters say. Standard input cannot be read twice and stays unknown. */
abuti_problem_kind abuti_kind_of_content(const char *path);
/* The same, or where they say nothing, what the name says: never unknown. The reader then says what is wrong. */
abuti_problem_kind abuti_kind_of(const char *path);

#endif
