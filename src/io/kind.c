#include "io/kind.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Whether "name" stands as a key in the first characters of a JSON text, before any value is looked at. */
static bool has_key(const unsigned char *bytes, size_t count, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i + length + 2 < count; i++) {
        if (bytes[i] != '"' || memcmp(bytes + i + 1, name, length) != 0 || bytes[i + 1 + length] != '"')
            continue;
        size_t after = i + 2 + length;
        while (after < count && isspace(bytes[after])) after++;
        if (after < count && bytes[after] == ':') return true;
    }
    return false;
}

static abuti_problem_kind json_kind(const unsigned char *bytes, size_t count)
{
    static const char *const names[] = {"abut", "bodies", "contacts"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (has_key(bytes, count, names[i])) return ABUTI_KIND_CONTACT;
    return has_key(bytes, count, "M") || has_key(bytes, count, "q") ? ABUTI_KIND_LCP : ABUTI_KIND_UNKNOWN;
}

/* Siconos files begin with numbers. An LCP: n, storage, n, n. A contact problem: dimension, contacts,
 * storage, rows, with rows = dimension * contacts. Both fit only "2 1 2 2": there a compressed matrix says so
 * in words three words later, which an LCP in blocks does not. */
static abuti_problem_kind siconos_kind(abuti_text *text)
{
    long head[4] = {0};
    for (int i = 0; i < 4; i++) {
        if (!abuti_text_word(text)) return ABUTI_KIND_UNKNOWN;
        head[i] = strtol(text->word, NULL, 10);
    }
    bool lcp = head[1] >= 0 && head[1] <= 2 && head[2] == head[0] && head[3] == head[0];
    bool contact =
        (head[0] == 2 || head[0] == 3) && head[2] >= 0 && head[2] <= 2 && head[3] == head[0] * head[1];
    if (!lcp && !contact) return ABUTI_KIND_UNKNOWN;
    if (lcp != contact) return contact ? ABUTI_KIND_CONTACT : ABUTI_KIND_LCP;
    for (int i = 0; i < 3 && abuti_text_word(text); i++)
        if (strcmp(text->word, "CSparse") == 0) return ABUTI_KIND_CONTACT;
    return ABUTI_KIND_LCP;
}

abuti_problem_kind abuti_kind_of_content(const char *path)
{
    abuti_text text;
    if (strcmp(path, "-") == 0 || !abuti_text_open(&text, path, NULL)) return ABUTI_KIND_UNKNOWN;
    const unsigned char *bytes;
    size_t count = abuti_text_head(&text, &bytes), first = 0;
    while (first < count && isspace(bytes[first])) first++;
    int c = first < count ? bytes[first] : 0;
    abuti_problem_kind kind = ABUTI_KIND_UNKNOWN;
    if (c == '{')
        kind = json_kind(bytes, count);
    else if (c == '%')
        kind = ABUTI_KIND_LCP;
    else if (c == 'c' || c == 0x89) /* contactset, HDF5 */
        kind = ABUTI_KIND_CONTACT;
    else if (isdigit(c))
        kind = siconos_kind(&text);
    abuti_text_close(&text);
    return kind;
}

abuti_problem_kind abuti_kind_of(const char *path)
{
    static const char *const extensions[] = {".txt", ".hdf5", ".h5"};
    abuti_problem_kind kind = abuti_kind_of_content(path);
    if (kind != ABUTI_KIND_UNKNOWN) return kind;
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot != NULL && i < sizeof extensions / sizeof extensions[0]; i++)
        if (strcasecmp(dot, extensions[i]) == 0) return ABUTI_KIND_CONTACT;
    return ABUTI_KIND_LCP;
}
