#include "io/json_write.h"

#include <math.h>

abuti_json abuti_json_on(FILE *file)
{
    return (abuti_json){.file = file};
}

static void quoted(FILE *file, const char *text)
{
    fputc('"', file);
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; ++c) {
        if (*c == '"' || *c == '\\')
            fprintf(file, "\\%c", *c);
        else if (*c < 0x20)
            fprintf(file, "\\u%04x", *c);
        else
            fputc(*c, file);
    }
    fputc('"', file);
}

static void indent(const abuti_json *json)
{
    fputc('\n', json->file);
    for (int i = 0; i < json->depth; ++i) fputs("  ", json->file);
}

/* The comma, the line break and the key before an item. */
static void item(abuti_json *json, const char *key)
{
    if (json->started[json->depth]) fputc(',', json->file);
    if (json->depth > 0 && json->wide[json->depth])
        indent(json);
    else if (json->started[json->depth])
        fputc(' ', json->file);
    json->started[json->depth] = true;
    if (key) {
        quoted(json->file, key);
        fputs(": ", json->file);
    }
}

void abuti_json_open(abuti_json *json, const char *key, char bracket, bool wide)
{
    item(json, key);
    fputc(bracket, json->file);
    json->depth++;
    json->started[json->depth] = false;
    json->wide[json->depth] = wide;
}

void abuti_json_close(abuti_json *json, char bracket)
{
    bool lines = json->wide[json->depth] && json->started[json->depth];
    json->depth--;
    if (lines) indent(json);
    fputc(bracket, json->file);
    if (json->depth == 0) fputc('\n', json->file);
}

void abuti_json_string(abuti_json *json, const char *key, const char *text)
{
    item(json, key);
    quoted(json->file, text);
}

static void number(FILE *file, double value)
{
    if (!isfinite(value))
        fputs("null", file);
    else if (value == 0 && signbit(value))
        fputs("-0.0", file); /* "-0" reads back as the whole number 0 */
    else
        fprintf(file, "%.17g", value);
}

void abuti_json_number(abuti_json *json, const char *key, double value)
{
    item(json, key);
    number(json->file, value);
}

void abuti_json_integer(abuti_json *json, const char *key, long long value)
{
    item(json, key);
    fprintf(json->file, "%lld", value);
}

void abuti_json_bool(abuti_json *json, const char *key, bool value)
{
    item(json, key);
    fputs(value ? "true" : "false", json->file);
}

void abuti_json_null(abuti_json *json, const char *key)
{
    item(json, key);
    fputs("null", json->file);
}

void abuti_json_numbers(abuti_json *json, const char *key, const double *values, int count)
{
    if (!values) {
        abuti_json_null(json, key);
        return;
    }
    item(json, key);
    fputc('[', json->file);
    for (int i = 0; i < count; ++i) {
        if (i > 0) fputs(", ", json->file);
        number(json->file, values[i]);
    }
    fputc(']', json->file);
}
