/* What each island came to, for people and as JSON. */
#ifndef CLI_ISLANDS_PRINT_H
#define CLI_ISLANDS_PRINT_H

#include "abut/contact.h"
#include "io/json_write.h"

/* Prints a line for each island where the islands came to different ends. Otherwise it prints nothing, since the whole
 * result says it. */
void islands_print_table(FILE *file, const abut_contact_result *result);
/* "island_results": one object an island. */
void islands_print_json(abuti_json *json, const abut_contact_result *result);

#endif
