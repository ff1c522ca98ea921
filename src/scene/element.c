#include "scene/element.h"

#include "io/words.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what was given ---- */

const abuti_attribute *abuti_given(const abuti_element *element, const char *name)
{
    const abuti_attribute *attributes = element->attributes.items;
    for (int i = 0; i < element->attributes.count; ++i)
        if (strcmp(attributes[i].name, name) == 0) return &attributes[i];
    return NULL;
}

const char *abuti_text_of(const abuti_element *element, const char *name, const char *otherwise)
{
    const abuti_attribute *attribute = abuti_given(element, name);
    return attribute ? attribute->text : otherwise;
}

int abuti_numbers_of(const abuti_element *element, const char *name, double *values)
{
    const abuti_attribute *attribute = abuti_given(element, name);
    if (!attribute) return 0;
    memcpy(values, attribute->numbers, (size_t)attribute->count * sizeof *values);
    return attribute->count;
}

bool abuti_integer_of(const abuti_element *element, const char *name, int *value)
{
    const abuti_attribute *attribute = abuti_given(element, name);
    if (!attribute) return false;
    *value = (int)attribute->numbers[0];
    return true;
}

bool abuti_word_of(const abuti_element *element, const char *name, int *value)
{
    const abuti_attribute *attribute = abuti_given(element, name);
    if (!attribute) return false;
    *value = attribute->count;
    return true;
}

bool abuti_is(const abuti_element *element, const char *name)
{
    return strcmp(element->name, name) == 0;
}

/* ---- values ---- */

/* The place of a word in "a|b|c", or -1. */
static int word_place(const char *words, const char *word)
{
    size_t length = strlen(word);
    int place = 0;
    for (const char *w = words; *w != '\0'; ++place) {
        size_t n = strcspn(w, "|");
        if (n == length && strncmp(w, word, n) == 0) return place;
        w += n + (w[n] == '|' ? 1 : 0);
    }
    return -1;
}

static const char *blanks = " \t\r\n";

/* One number at *text, which then stands behind it. */
static bool read_number(const char **text, bool integer, double *value)
{
    char *end;
    errno = 0;
    *value = strtod(*text, &end);
    if (end == *text || !isfinite(*value) || (*end != '\0' && !strchr(blanks, *end))) return false;
    if (integer && (*value != floor(*value) || fabs(*value) > 2147483647.0)) return false;
    *text = end;
    return true;
}

static bool wrong_count(abuti_source *source, const abuti_element *element, const abuti_mjcf_attribute *row,
                        int count)
{
    if (row->low == row->high)
        return abuti_fail(source, ABUT_INVALID_ARGUMENT, element, row->name, "%d number%s; expected %d",
                          count, count == 1 ? "" : "s", row->low);
    return abuti_fail(source, ABUT_INVALID_ARGUMENT, element, row->name, "%d numbers; expected %d to %d",
                      count, row->low, row->high);
}

static bool read_numbers(abuti_source *source, const abuti_element *element, const abuti_mjcf_attribute *row,
                         abuti_attribute *attribute)
{
    const char *text = attribute->text;
    int words = 0;
    for (const char *t = text + strspn(text, blanks); *t != '\0'; t += strspn(t, blanks), ++words)
        t += strcspn(t, blanks);
    if (words < row->low || (row->high >= 0 && words > row->high))
        return wrong_count(source, element, row, words);
    attribute->numbers = abuti_pool_take(source->pool, ((size_t)words + 1) * sizeof *attribute->numbers);
    if (!attribute->numbers) return abuti_fail_memory(source);
    bool integer = row->kind == ABUTI_MJCF_INTEGERS;
    for (int i = 0; i < words; ++i) {
        text += strspn(text, blanks);
        if (!read_number(&text, integer, &attribute->numbers[i]))
            return abuti_fail(source, ABUT_INVALID_ARGUMENT, element, row->name, "'%.*s'; expected %s",
                              (int)(strcspn(text, blanks) < 30 ? strcspn(text, blanks) : 30), text,
                              integer ? "an integer" : "a finite number");
    }
    attribute->count = words;
    return true;
}

static bool read_value(abuti_source *source, const abuti_element *element, const abuti_mjcf_attribute *row,
                       abuti_attribute *attribute)
{
    switch (row->kind) {
    case ABUTI_MJCF_TEXT: return true;
    case ABUTI_MJCF_NUMBERS:
    case ABUTI_MJCF_INTEGERS: return read_numbers(source, element, row, attribute);
    case ABUTI_MJCF_WORD: break;
    }
    attribute->count = word_place(row->words, attribute->text);
    if (attribute->count >= 0) return true;
    return abuti_fail(source, ABUT_INVALID_ARGUMENT, element, row->name, "'%.30s'; expected one of %s",
                      attribute->text, row->words);
}

/* Whether a refused attribute has the value that changes nothing. */
static bool is_neutral(const abuti_mjcf_attribute *row, const abuti_attribute *attribute)
{
    if (row->neutral[0] == '\0') return false;
    if (!attribute->numbers) return strcmp(attribute->text, row->neutral) == 0;
    for (int i = 0; i < attribute->count; ++i)
        if (attribute->numbers[i] != 0) return false;
    return true;
}

/* ---- names ---- */

static bool unknown_attribute(abuti_source *source, const abuti_element *element, const char *name)
{
    abuti_mjcf_attribute rows[ABUTI_MJCF_ATTRIBUTES_MAX];
    const char *names[ABUTI_MJCF_ATTRIBUTES_MAX];
    int count = abuti_mjcf_attributes(element->row, rows);
    for (int i = 0; i < count; ++i) names[i] = rows[i].name;
    const char *meant = abuti_closest_word(name, names, count);
    return abuti_unsupported(source, element, NULL, "it has no attribute '%.40s'%s%s%s", name,
                             meant ? "; did you mean '" : "", meant ? meant : "", meant ? "'?" : "");
}

static bool unknown_element(abuti_source *source, const abuti_element *element, const char *inside)
{
    enum { CANDIDATES = 100 };
    const char *names[CANDIDATES];
    int rows_count, count = 0;
    const abuti_mjcf_element *rows = abuti_mjcf_elements(&rows_count);
    for (int i = 0; i < rows_count && count < CANDIDATES; ++i)
        if (strcmp(rows[i].inside, inside) == 0) names[count++] = rows[i].name;
    const char *meant = abuti_closest_word(element->name, names, count);
    return abuti_unsupported(source, element, NULL, "unknown element%s%s%s",
                             meant ? "; did you mean <" : " in this place", meant ? meant : "",
                             meant ? ">?" : "");
}

/* ---- checking ---- */

/* Reads and judges the attributes; those that are skipped or left out are taken away. */
static bool check_attributes(abuti_source *source, abuti_element *element)
{
    abuti_attribute *attributes = element->attributes.items;
    int kept = 0;
    for (int i = 0; i < element->attributes.count; ++i) {
        abuti_attribute *attribute = &attributes[i];
        abuti_mjcf_attribute row;
        if (!abuti_mjcf_attribute_find(element->row, attribute->name, &row)) {
            if (!unknown_attribute(source, element, attribute->name)) return false;
            continue;
        }
        if (element->row->status == ABUTI_MJCF_SKIPPED) continue;
        if (!read_value(source, element, &row, attribute)) return false;
        if (row.status == ABUTI_MJCF_REFUSED && !is_neutral(&row, attribute) &&
            !abuti_unsupported(source, element, row.name, "not supported"))
            return false;
        if (row.status == ABUTI_MJCF_READ) {
            attributes[kept++] = *attribute;
        } else if (row.status != ABUTI_MJCF_REFUSED) {
            char what[96];
            snprintf(what, sizeof what, "%s of <%s>%s", row.name, element->name,
                     row.status == ABUTI_MJCF_SOFT ? " (constraints are rigid here)" : "");
            if (!abuti_skip(source, what)) return false;
        }
    }
    element->attributes.count = kept;
    return true;
}

static bool check_children(abuti_source *source, abuti_element *element)
{
    abuti_element *kept = NULL, *next;
    for (abuti_element *child = element->first; child; child = next) {
        next = child->next;
        if (!abuti_tree_check(source, child, element->row->content ? element->row->content : "nothing"))
            return false;
        bool keep = child->row && child->row->status == ABUTI_MJCF_READ;
        if (keep && !kept) element->first = child;
        if (keep && kept) kept->next = child;
        if (keep) kept = child;
    }
    if (!kept) element->first = NULL;
    if (kept) kept->next = NULL;
    element->last = kept;
    return true;
}

bool abuti_tree_check(abuti_source *source, abuti_element *element, const char *inside)
{
    element->row = abuti_mjcf_find(inside, element->name);
    if (!element->row) return unknown_element(source, element, inside);
    if (element->row->status == ABUTI_MJCF_REFUSED)
        return abuti_unsupported(source, element, NULL, "not supported");
    if (element->row->status == ABUTI_MJCF_SKIPPED) {
        char what[64];
        snprintf(what, sizeof what, "<%s> in <%s>", element->name, inside);
        if (!abuti_skip(source, what)) return false;
    }
    return check_attributes(source, element) && check_children(source, element);
}
