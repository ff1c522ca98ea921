/* JSON out, without a library: every component can be left out and `--json` still works.
 *
 * Numbers are written with 17 significant digits, so that reading them back gives the same double.
 * JSON has no infinity and no NaN; both become null. */
#ifndef ABUTI_JSON_WRITE_H
#define ABUTI_JSON_WRITE_H

#include <stdbool.h>
#include <stdio.h>

/* A writer remembers how deep it stands and whether a comma is due. */
#define ABUTI_JSON_DEPTH 16
typedef struct abuti_json {
    FILE *file;
    int depth;
    bool started[ABUTI_JSON_DEPTH]; /* something was written at this depth */
    bool wide[ABUTI_JSON_DEPTH];    /* one item a line at this depth */
} abuti_json;

abuti_json abuti_json_on(FILE *file);

/* Objects and arrays; `wide` puts every item on its own line. A key is NULL inside an array. */
void abuti_json_open(abuti_json *json, const char *key, char bracket, bool wide);
void abuti_json_close(abuti_json *json, char bracket);

void abuti_json_string(abuti_json *json, const char *key, const char *text);
void abuti_json_number(abuti_json *json, const char *key, double value);
void abuti_json_integer(abuti_json *json, const char *key, long long value);
void abuti_json_bool(abuti_json *json, const char *key, bool value);
void abuti_json_null(abuti_json *json, const char *key);
/* An array of count numbers on one line, or null when values is NULL. */
void abuti_json_numbers(abuti_json *json, const char *key, const double *values, int count);

#endif
