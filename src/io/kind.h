/* Whether a file holds an LCP or a contact problem, told from its name and its first characters. */
#ifndef ABUTI_KIND_H
#define ABUTI_KIND_H

#include "io/text.h"

typedef enum abuti_problem_kind { ABUTI_KIND_LCP, ABUTI_KIND_CONTACT } abuti_problem_kind;

/* False when the file cannot be opened. A file that is neither is called one of the two; its reader then says
 * what is wrong with it. Standard input cannot be read twice and counts as an LCP. */
bool abuti_problem_kind_of(const char *path, abuti_problem_kind *kind, abut_error *error);

#endif
