/* JSON in, by jansson. A guard in front of the parser keeps garbage from costing memory or time. */
#ifndef ABUTI_JSON_READ_H
#define ABUTI_JSON_READ_H

#include "io/text.h"

/* Leaves the error of a build without jansson; returns false. */
bool abuti_json_left_out(abuti_text *text);

#ifdef ABUT_HAVE_JSON
#include <jansson.h>

/* What becomes of a number without point and exponent: a double, however many digits it has, or an exact
 * integer of 64 bits, for the files that hold keys. */
typedef enum abuti_json_whole { ABUTI_JSON_WHOLE_AS_DOUBLE, ABUTI_JSON_WHOLE_AS_INTEGER } abuti_json_whole;

/* Parses the whole file, which must be one object. Syntax errors carry line and column. */
json_t *abuti_json_parse(abuti_text *text, abuti_json_whole whole);

/* Says what is wrong with the value at a path: "M[3][2]: expected a number, found text". */
bool abuti_json_wrong(abuti_text *text, const char *path, const char *expected, const json_t *found);

/* Take the value as a finite double, as a whole number in low .. high, or as `count` numbers. */
bool abuti_json_get_number(abuti_text *text, const char *path, const json_t *value, double *out);
bool abuti_json_get_integer(abuti_text *text, const char *path, const json_t *value, int low, int high,
                            int *out);
bool abuti_json_get_numbers(abuti_text *text, const char *path, const json_t *value, int count, double *out);
/* A number >= 0 that may be absent or null: *given says whether it is there. */
bool abuti_json_get_optional(abuti_text *text, const char *path, const json_t *value, bool *given,
                             double *out);
/* Refuses names that look like a misspelt known one ("Free", "strat"), since they would silently mean nothing. Other
 * unknown names pass as somebody's notes (not so in capsules: capsule_names.h). `prefix` is the path of the object,
 * with its dot. */
bool abuti_json_check_slips(abuti_text *text, const char *prefix, json_t *object, const char *const *known);
#endif

#endif
