#include "io/format.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- first characters ---- */

static bool begins_json(const unsigned char *bytes, size_t count)
{
    return count > 0 && bytes[0] == '{';
}

static bool begins_market(const unsigned char *bytes, size_t count)
{
    return count > 0 && bytes[0] == '%';
}

static bool begins_set(const unsigned char *bytes, size_t count)
{
    return count > 0 && bytes[0] == 'c';
}

static bool begins_hdf5(const unsigned char *bytes, size_t count)
{
    return count >= 4 && memcmp(bytes, "\211HDF", 4) == 0;
}

static bool begins_number(const unsigned char *bytes, size_t count)
{
    return count > 0 && isdigit(bytes[0]);
}

/* Whether "name" stands as a key in the first characters of a JSON text, before any value is looked at. */
static bool has_key(const unsigned char *bytes, size_t count, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i + length + 2 < count; ++i) {
        if (bytes[i] != '"' || memcmp(bytes + i + 1, name, length) != 0 || bytes[i + 1 + length] != '"')
            continue;
        size_t after = i + 2 + length;
        while (after < count && isspace(bytes[after])) after++;
        if (after < count && bytes[after] == ':') return true;
    }
    return false;
}

static bool json_is_contact(const unsigned char *bytes, size_t count)
{
    return has_key(bytes, count, "abut") || has_key(bytes, count, "bodies") ||
           has_key(bytes, count, "contacts");
}

static bool json_is_lcp(const unsigned char *bytes, size_t count)
{
    return !json_is_contact(bytes, count) && (has_key(bytes, count, "M") || has_key(bytes, count, "q"));
}

/* Moves *at past the next word. Returns the word's length, 0 at the end. */
static size_t next_word(const unsigned char *bytes, size_t count, size_t *at)
{
    while (*at < count && isspace(bytes[*at])) ++*at;
    size_t first = *at;
    while (*at < count && !isspace(bytes[*at])) ++*at;
    return *at - first;
}

/* Siconos files begin with numbers. An LCP: n, storage, n, n. A contact problem: dimension, contacts,
 * storage, rows, with rows = dimension * contacts. Both fit only "2 1 2 2": there a compressed matrix says so
 * in words three words later, which an LCP in blocks does not. */
static abuti_problem_kind siconos_kind(const unsigned char *bytes, size_t count)
{
    static const char compressed[] = "CSparse";
    long head[4] = {0};
    size_t at = 0;
    for (int i = 0; i < 4; ++i) {
        char word[24] = {0};
        size_t length = next_word(bytes, count, &at);
        if (length == 0 || length >= sizeof word) return ABUTI_KIND_UNKNOWN;
        memcpy(word, bytes + at - length, length);
        head[i] = strtol(word, NULL, 10);
    }
    bool lcp = head[1] >= 0 && head[1] <= 2 && head[2] == head[0] && head[3] == head[0];
    bool contact =
        (head[0] == 2 || head[0] == 3) && head[2] >= 0 && head[2] <= 2 && head[3] == head[0] * head[1];
    if (!lcp && !contact) return ABUTI_KIND_UNKNOWN;
    if (lcp != contact) return contact ? ABUTI_KIND_CONTACT : ABUTI_KIND_LCP;
    for (int i = 0; i < 3; ++i) {
        size_t length = next_word(bytes, count, &at);
        if (length == sizeof compressed - 1 && memcmp(bytes + at - length, compressed, length) == 0)
            return ABUTI_KIND_CONTACT;
    }
    return ABUTI_KIND_LCP;
}

static bool siconos_is_lcp(const unsigned char *bytes, size_t count)
{
    return siconos_kind(bytes, count) == ABUTI_KIND_LCP;
}

static bool siconos_is_contact(const unsigned char *bytes, size_t count)
{
    return siconos_kind(bytes, count) == ABUTI_KIND_CONTACT;
}

/* ---- readers and writers, as the table takes them ---- */

static bool read_lcp_json(const abuti_source *source, abuti_lcp_data *data)
{
    return abuti_lcp_read_json(source->text, data);
}

static bool write_lcp_json(const abuti_target *target, const abut_lcp_problem *problem)
{
    return abuti_lcp_write_json(target->file, problem);
}

static bool read_lcp_market(const abuti_source *source, abuti_lcp_data *data)
{
    abuti_text *text = source->text, q_text;
    if (!source->q_path)
        return abuti_text_fail_whole(
            text, "a Matrix Market file holds M alone; expected q in a second file (--q FILE)");
    if (!abuti_text_open(&q_text, source->q_path, text->error)) return false;
    bool fine = abuti_lcp_read_matrix_market(text, &q_text, data);
    abuti_text_close(&q_text);
    return fine;
}

static bool write_lcp_market(const abuti_target *target, const abut_lcp_problem *problem)
{
    return abuti_lcp_write_matrix_market(target->file, target->q_file, problem);
}

static bool read_lcp_siconos(const abuti_source *source, abuti_lcp_data *data)
{
    return abuti_lcp_read_siconos(source->text, data);
}

static bool write_lcp_siconos(const abuti_target *target, const abut_lcp_problem *problem)
{
    return abuti_lcp_write_siconos(target->file, problem);
}

static bool read_capsule(const abuti_source *source, abuti_contact_data *data)
{
    return abuti_contact_read_capsule(source->text, data);
}

static bool write_capsule(const abuti_target *target, abuti_contact_data *data)
{
    abut_contact_problem problem = abuti_contact_data_problem(data);
    abut_contact_options options = abuti_contact_data_options(data);
    return abuti_contact_write_capsule(target->file, &problem, &options, target->error);
}

static bool read_set(const abuti_source *source, abuti_contact_data *data)
{
    return abuti_contact_read_set(source->text, source->index, data);
}

static bool write_set(const abuti_target *target, abuti_contact_data *data)
{
    abut_contact_problem problem = abuti_contact_data_problem(data);
    return abuti_contact_write_set(target->file, &problem, target->name, target->error);
}

static bool read_siconos(const abuti_source *source, abuti_contact_data *data)
{
    return abuti_contact_read_siconos(source->text, data);
}

static bool write_siconos(const abuti_target *target, abuti_contact_data *data)
{
    abut_contact_problem problem = abuti_contact_data_problem(data);
    abut_contact_options options = abuti_contact_data_options(data);
    return abuti_contact_write_siconos(target->file, &problem, &options, target->error);
}

static bool read_fclib(const abuti_source *source, abuti_contact_data *data)
{
    return abuti_contact_read_fclib(source->path, data, source->error);
}

static bool write_fclib(const abuti_target *target, abuti_contact_data *data)
{
    abut_contact_problem problem = abuti_contact_data_problem(data);
    abut_contact_options options = abuti_contact_data_options(data);
    return abuti_contact_write_fclib(target->path, &problem, &options, target->error);
}

/* ---- the table ---- */

static const abuti_format table[] = {
    {.kind = ABUTI_KIND_LCP,
     .name = "JSON",
     .extensions = {".json"},
     .begins = begins_json,
     .is_kind = json_is_lcp,
     .holds_free = true,
     .read_lcp = read_lcp_json,
     .write_lcp = write_lcp_json},
    {.kind = ABUTI_KIND_LCP,
     .name = "Matrix Market",
     .extensions = {".mtx"},
     .begins = begins_market,
     .takes_q = true,
     .read_lcp = read_lcp_market,
     .write_lcp = write_lcp_market},
    {.kind = ABUTI_KIND_LCP,
     .name = "Siconos",
     .extensions = {".dat"},
     .begins = begins_number,
     .is_kind = siconos_is_lcp,
     .read_lcp = read_lcp_siconos,
     .write_lcp = write_lcp_siconos},
    {.kind = ABUTI_KIND_CONTACT,
     .name = "a capsule",
     .extensions = {".json"},
     .begins = begins_json,
     .is_kind = json_is_contact,
     .read_contact = read_capsule,
     .write_contact = write_capsule},
    {.kind = ABUTI_KIND_CONTACT,
     .name = "a contactset",
     .extensions = {".txt"},
     .begins = begins_set,
     .takes_index = true,
     .read_contact = read_set,
     .write_contact = write_set},
    {.kind = ABUTI_KIND_CONTACT,
     .name = "Siconos",
     .extensions = {".dat"},
     .begins = begins_number,
     .is_kind = siconos_is_contact,
     .read_contact = read_siconos,
     .write_contact = write_siconos},
    {.kind = ABUTI_KIND_CONTACT,
     .name = "FCLIB",
     .extensions = {".hdf5", ".h5"},
     .begins = begins_hdf5,
     .read_contact = read_fclib,
     .write_contact = write_fclib},
};

const abuti_format *abuti_format_at(int k)
{
    return k >= 0 && (size_t)k < sizeof table / sizeof table[0] ? &table[k] : NULL;
}

const abuti_format *abuti_format_by_name(abuti_problem_kind kind, const char *path)
{
    const char *dot = strrchr(path, '.');
    for (int k = 0; dot && abuti_format_at(k); ++k) {
        for (int e = 0; e < 2 && table[k].kind == kind && table[k].extensions[e]; ++e)
            if (strcasecmp(dot, table[k].extensions[e]) == 0) return &table[k];
    }
    return NULL;
}

const abuti_format *abuti_format_of(abuti_problem_kind kind, abuti_text *text, const char *path)
{
    const abuti_format *named = abuti_format_by_name(kind, path);
    if (named) return named;
    const unsigned char *bytes;
    size_t count = abuti_text_head(text, &bytes), first = 0;
    while (first < count && isspace(bytes[first])) first++;
    for (int k = 0; abuti_format_at(k); ++k)
        if (table[k].kind == kind && table[k].begins(bytes + first, count - first)) return &table[k];
    return NULL;
}

void abuti_format_list(abuti_problem_kind kind, bool names, char *text, size_t size)
{
    const abuti_format *listed[sizeof table / sizeof table[0]];
    int count = 0;
    size_t used = 0;
    for (int k = 0; abuti_format_at(k); ++k)
        if (table[k].kind == kind) listed[count++] = &table[k];
    text[0] = '\0';
    for (int k = 0; k < count && used < size; ++k) {
        const char *between = k == 0          ? ""
                              : k + 1 < count ? ", "
                                              : " or ",
                   *extension = listed[k]->extensions[0];
        int more = names
                       ? snprintf(text + used, size - used, "%s%s (%s)", between, listed[k]->name, extension)
                       : snprintf(text + used, size - used, "%s%s", between, extension);
        used += more > 0 ? (size_t)more : 0;
    }
}
