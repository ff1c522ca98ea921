/* The language in which the table of MJCF tells attributes.
 *
 * Attributes stand in one text, separated by blanks, each as  [status]name:type[=neutral].
 *
 *   status   none: read;  - skipped;  ~ soft;  ! refused
 *   type     3: three numbers;  1-3: one to three;  *: any number of them;  with i before it: integers;
 *            t: text;  b: true or false;  a|b|c: one of these words
 *   neutral  of a refused attribute: the value that changes nothing, and is let pass; 0: all zeros
 *
 * @name stands for a group. */
#include "scene/mjcf.h"

#include <stdlib.h>
#include <string.h>

static void copy_part(char *into, size_t size, const char *from, size_t length)
{
    if (length >= size) length = size - 1;
    memcpy(into, from, length);
    into[length] = '\0';
}

/* "1-3", "*", "4": how many numbers. */
static void read_arity(const char *type, abuti_mjcf_attribute *attribute)
{
    if (*type == '*') {
        attribute->low = 0;
        attribute->high = -1;
        return;
    }
    char *end;
    attribute->low = attribute->high = (int)strtol(type, &end, 10);
    if (*end == '-') attribute->high = (int)strtol(end + 1, NULL, 10);
}

/* One word of the text, of this length, as an attribute. */
static void read_attribute(const char *word, size_t length, abuti_mjcf_attribute *attribute)
{
    *attribute = (abuti_mjcf_attribute){.status = ABUTI_MJCF_READ};
    const char *marks = "-~!", *mark = strchr(marks, *word);
    if (mark) {
        attribute->status = (abuti_mjcf_status)(ABUTI_MJCF_SKIPPED + (mark - marks));
        word++;
        length--;
    }
    const char *colon = memchr(word, ':', length);
    copy_part(attribute->name, sizeof attribute->name, word, (size_t)(colon - word));
    size_t rest = length - (size_t)(colon + 1 - word);
    const char *type = colon + 1, *neutral = memchr(type, '=', rest);
    if (neutral) {
        copy_part(attribute->neutral, sizeof attribute->neutral, neutral + 1,
                  rest - (size_t)(neutral + 1 - type));
        rest = (size_t)(neutral - type);
    }
    if (memchr(type, '|', rest)) {
        attribute->kind = ABUTI_MJCF_WORD;
        copy_part(attribute->words, sizeof attribute->words, type, rest);
    } else if (*type == 'b') {
        attribute->kind = ABUTI_MJCF_WORD;
        copy_part(attribute->words, sizeof attribute->words, "false|true", 10);
    } else if (*type == 't') {
        attribute->kind = ABUTI_MJCF_TEXT;
    } else {
        attribute->kind = *type == 'i' ? ABUTI_MJCF_INTEGERS : ABUTI_MJCF_NUMBERS;
        read_arity(*type == 'i' ? type + 1 : type, attribute);
    }
}

/* Goes through the words of a text, groups included. With `name` it stops at that attribute; returns how many it saw,
 * or with `name` whether it is there. */
static int walk(const char *text, const char *name, abuti_mjcf_attribute *into, int room)
{
    int seen = 0;
    for (const char *word = text; *word != '\0';) {
        size_t length = strcspn(word, " ");
        if (*word == '@') {
            int inner =
                walk(abuti_mjcf_group(word + 1, length - 1), name, name ? into : into + seen, room - seen);
            if (name && inner > 0) return 1;
            if (!name) seen += inner;
        } else if (length > 0) {
            abuti_mjcf_attribute attribute;
            read_attribute(word, length, &attribute);
            if (name && strcmp(attribute.name, name) == 0) {
                *into = attribute;
                return 1;
            }
            if (!name && seen < room) into[seen++] = attribute;
        }
        word += length;
        word += strspn(word, " ");
    }
    return seen;
}

int abuti_mjcf_attributes(const abuti_mjcf_element *element,
                          abuti_mjcf_attribute attributes[ABUTI_MJCF_ATTRIBUTES_MAX])
{
    return walk(element->attributes, NULL, attributes, ABUTI_MJCF_ATTRIBUTES_MAX);
}

bool abuti_mjcf_attribute_find(const abuti_mjcf_element *element, const char *name,
                               abuti_mjcf_attribute *attribute)
{
    return walk(element->attributes, name, attribute, 1) > 0;
}
