/* Whether a file holds an LCP or a contact problem, told from its first characters and its name. */
#ifndef ABUTI_KIND_H
#define ABUTI_KIND_H

#include "io/format.h"

/* The kind that the first characters tell. Standard input cannot be read twice, and its kind stays unknown. */
abuti_problem_kind abuti_kind_of_content(const char *path);
/* The kind that the first characters tell or, where they tell nothing, the name. It is never unknown: the reader of
 * that kind then says what is wrong. */
abuti_problem_kind abuti_kind_of(const char *path);

#endif
