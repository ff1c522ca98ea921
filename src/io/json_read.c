#include "io/json_read.h"

bool abuti_json_left_out(abuti_text *text)
{
    return abuti_text_fail_whole(
        text, "this build of abut cannot read JSON: its component JSON (jansson) was left out");
}

#ifdef ABUT_HAVE_JSON

#include <math.h>
#include <string.h>
#include <strings.h>

/* The guard looks at the bytes before jansson does. Every value costs the parser some 60 bytes, and a string its own
 * length. So values are counted in the whole file and in each list, which no problem fills with more than some numbers
 * for each body or contact, and the length of strings is limited. A file that does not begin with '{' is not parsed at
 * all. */
enum { VALUES_MAX = 24 << 20, LIST_MAX = 1 << 20, STRING_MAX = 4096 };

typedef struct guard {
    abuti_text *text;
    long values;
    long in_list;      /* since the last bracket */
    int string_length; /* -1 outside strings */
    bool escaped;
    const char *refused; /* why reading stopped, or NULL */
    int line, column;    /* where */
} guard;

static void look_at(guard *g, unsigned char c)
{
    if (g->string_length >= 0) {
        bool ends = c == '"' && !g->escaped;
        g->escaped = c == '\\' && !g->escaped;
        g->string_length = ends ? -1 : g->string_length + 1;
        if (g->string_length > STRING_MAX) g->refused = "a text of more than 4096 characters";
    } else if (c == '"') {
        g->string_length = 0;
    } else if (c == ',' || c == '[' || c == '{') {
        g->in_list = c == ',' ? g->in_list + 1 : 0;
        if (g->in_list > LIST_MAX) g->refused = "more than a million values in one list";
        if (++g->values > VALUES_MAX) g->refused = "more than 24 million values";
    } else if (c == ']' || c == '}') {
        g->in_list = 0;
    }
}

static size_t feed(void *into, size_t size, void *context)
{
    guard *g = context;
    unsigned char *bytes = into;
    int line = g->text->line, column = g->text->column;
    size_t count = g->refused ? 0 : abuti_text_bytes(g->text, into, size);
    for (size_t i = 0; i < count; ++i) {
        look_at(g, bytes[i]);
        if (g->refused) {
            g->line = line;
            g->column = column;
            return (size_t)-1;
        }
        column = bytes[i] == '\n' ? 1 : column + 1;
        line += bytes[i] == '\n';
    }
    return count;
}

/* Skips blanks and wants a '{'. */
static bool starts_like_an_object(abuti_text *text)
{
    int c;
    char byte;
    for (int skipped = 0; (c = abuti_text_peek(text)) == ' ' || c == '\t' || c == '\n' || c == '\r';
         skipped++) {
        if (skipped == ABUTI_BLANKS_MAX) break;
        abuti_text_bytes(text, &byte, 1);
    }
    text->word_line = text->line;
    text->word_column = text->column;
    if (c == '{') return true;
    if (c < 0) return abuti_text_fail(text, "the file ends too early; expected a JSON object { ... }");
    return abuti_text_fail(text, "expected a JSON object { ... }");
}

json_t *abuti_json_parse(abuti_text *text, abuti_json_whole whole)
{
    if (!starts_like_an_object(text)) return NULL;
    int first_line = text->line, first_column = text->column;
    guard g = {.text = text, .string_length = -1};
    json_error_t error;
    size_t as_real = whole == ABUTI_JSON_WHOLE_AS_DOUBLE ? JSON_DECODE_INT_AS_REAL : 0;
    json_t *root = json_load_callback(feed, &g, JSON_REJECT_DUPLICATES | as_real, &error);
    if (root) return root;
    text->word_line = g.refused ? g.line : first_line + (error.line > 0 ? error.line - 1 : 0);
    text->word_column = g.refused ? g.column : error.column + (error.line <= 1 ? first_column - 1 : 0);
    if (text->word_column < 1) text->word_column = 1;
    if (g.refused)
        abuti_text_fail(text, "%s; expected a problem in JSON", g.refused);
    else
        abuti_text_fail(text, "not JSON: %s", error.text);
    return NULL;
}

static const char *kind_of(const json_t *value)
{
    if (!value) return "nothing";
    switch (json_typeof(value)) {
    case JSON_OBJECT: return "an object";
    case JSON_ARRAY: return "a list";
    case JSON_STRING: return "text";
    case JSON_INTEGER:
    case JSON_REAL: return "a number";
    case JSON_NULL: return "null";
    default: return "true or false";
    }
}

/* Whether a text fits into one line of an error. */
static bool is_plain(const char *text)
{
    size_t length = strlen(text);
    for (size_t i = 0; i < length; ++i)
        if (text[i] < ' ' || text[i] > '~') return false;
    return length <= 40;
}

bool abuti_json_wrong(abuti_text *text, const char *path, const char *expected, const json_t *found)
{
    if (json_is_number(found))
        return abuti_text_fail_whole(text, "%s: %g; expected %s", path, json_number_value(found), expected);
    if (json_is_string(found) && is_plain(json_string_value(found)))
        return abuti_text_fail_whole(text, "%s: \"%s\"; expected %s", path, json_string_value(found),
                                     expected);
    return abuti_text_fail_whole(text, "%s: expected %s, found %s", path, expected, kind_of(found));
}

bool abuti_json_get_number(abuti_text *text, const char *path, const json_t *value, double *out)
{
    if (!json_is_number(value) || !isfinite(json_number_value(value)))
        return abuti_json_wrong(text, path, "a finite number", value);
    *out = json_number_value(value);
    return true;
}

bool abuti_json_get_optional(abuti_text *text, const char *path, const json_t *value, bool *given,
                             double *out)
{
    *given = value && !json_is_null(value);
    if (!*given) return true;
    *out = json_is_number(value) ? json_number_value(value) : NAN;
    return (*out >= 0 && isfinite(*out)) || abuti_json_wrong(text, path, "a number >= 0", value);
}

bool abuti_json_get_integer(abuti_text *text, const char *path, const json_t *value, int low, int high,
                            int *out)
{
    double number = json_is_number(value) ? json_number_value(value) : NAN;
    if (!(number >= low && number <= high) || number != floor(number)) {
        char expected[64];
        snprintf(expected, sizeof expected, "a whole number from %d to %d", low, high);
        return abuti_json_wrong(text, path, expected, value);
    }
    *out = (int)number;
    return true;
}

bool abuti_json_get_numbers(abuti_text *text, const char *path, const json_t *value, int count, double *out)
{
    if (!json_is_array(value) || json_array_size(value) != (size_t)count) {
        if (json_is_array(value))
            return abuti_text_fail_whole(text, "%s: expected a list of %d numbers, found one of %zu", path,
                                         count, json_array_size(value));
        char expected[64];
        snprintf(expected, sizeof expected, "a list of %d numbers", count);
        return abuti_json_wrong(text, path, expected, value);
    }
    for (int i = 0; i < count; ++i) {
        const json_t *item = json_array_get(value, (size_t)i);
        if (json_is_number(item) && isfinite(json_number_value(item))) {
            out[i] = json_number_value(item);
            continue;
        }
        char each[ABUTI_LABEL_MAX];
        snprintf(each, sizeof each, "%.40s[%d]", path, i);
        return abuti_json_wrong(text, each, "a finite number", item);
    }
    return true;
}

/* Whether one slip of the fingers turns `known` into `name`: a letter too many, too few or wrong, or two letters
 * swapped. Short names are left out, since they are near too many words. */
static bool is_near(const char *name, const char *known)
{
    size_t length = strlen(known), same = 0;
    if (length < 5) return false;
    while (name[same] != '\0' && name[same] == known[same]) same++;
    const char *a = name + same, *b = known + same;
    if (*a == '\0' && *b == '\0') return false;
    bool swapped = *a != '\0' && *b != '\0' && a[0] == b[1] && a[1] == b[0] && strcmp(a + 2, b + 2) == 0;
    return swapped || (*a != '\0' && strcmp(a + 1, b) == 0) || (*b != '\0' && strcmp(a, b + 1) == 0) ||
           (*a != '\0' && *b != '\0' && strcmp(a + 1, b + 1) == 0);
}

static bool is_known(const char *name, const char *const *known)
{
    while (*known && strcmp(name, *known) != 0) known++;
    return *known;
}

bool abuti_json_check_slips(abuti_text *text, const char *prefix, json_t *object, const char *const *known)
{
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value)
    {
        for (const char *const *k = known; *k && !is_known(name, known); ++k)
            if (strcasecmp(name, *k) == 0 || is_near(name, *k))
                return abuti_text_fail_whole(text, "%s%s: unknown name; expected \"%s\"", prefix, name, *k);
    }
    return true;
}

#endif
