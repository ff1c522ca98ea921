#include "io/kind.h"

#include <ctype.h>
#include <string.h>

abuti_problem_kind abuti_kind_of_content(const char *path)
{
    abuti_text text;
    if (strcmp(path, "-") == 0 || !abuti_text_open(&text, path, NULL)) return ABUTI_KIND_UNKNOWN;
    const unsigned char *bytes;
    size_t count = abuti_text_head(&text, &bytes), first = 0;
    while (first < count && isspace(bytes[first])) first++;
    bytes += first;
    count -= first;
    abuti_problem_kind kind = ABUTI_KIND_UNKNOWN;
    for (int k = 0; abuti_format_at(k) && kind == ABUTI_KIND_UNKNOWN; ++k) {
        const abuti_format *format = abuti_format_at(k);
        if (format->begins(bytes, count) && (!format->is_kind || format->is_kind(bytes, count)))
            kind = format->kind;
    }
    abuti_text_close(&text);
    return kind;
}

abuti_problem_kind abuti_kind_of(const char *path)
{
    abuti_problem_kind kind = abuti_kind_of_content(path);
    if (kind != ABUTI_KIND_UNKNOWN) return kind;
    /* Whether only contact problems have such a name; everything else is left to the reader of LCPs. */
    bool contact = abuti_format_by_name(ABUTI_KIND_CONTACT, path);
    return contact && !abuti_format_by_name(ABUTI_KIND_LCP, path) ? ABUTI_KIND_CONTACT : ABUTI_KIND_LCP;
}
