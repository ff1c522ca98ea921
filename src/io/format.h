/* The table of problem formats: one row says how a format is recognised, read and written. A further format is a
 * row in format.c and a file with its reader and writer. */
#ifndef ABUTI_IO_FORMAT_H
#define ABUTI_IO_FORMAT_H

#include "io/contact_file.h"
#include "io/lcp_file.h"
#include "io/text.h"

typedef enum abuti_problem_kind { ABUTI_KIND_UNKNOWN, ABUTI_KIND_LCP, ABUTI_KIND_CONTACT } abuti_problem_kind;

/* Where a problem comes from. */
typedef struct abuti_source {
    abuti_text *text;   /* open, at its beginning */
    const char *path;   /* of the same file, for readers that open it themselves */
    const char *q_path; /* a second file, for a format that takes_q; else NULL */
    int index;          /* which problem, for a format that takes_index; else 0 */
    abut_error *error;
} abuti_source;

/* Where a problem goes. */
typedef struct abuti_target {
    FILE *file;       /* open, empty */
    const char *path; /* of the same file, for writers that open it themselves */
    const char *name; /* what the problem is called, where the format has a place for it */
    FILE *q_file;     /* a second file, for a format that takes_q; else NULL */
    abut_error *error;
} abuti_target;

typedef struct abuti_format {
    abuti_problem_kind kind;
    const char *extensions[2]; /* the first is the one to speak of; NULL: there is no second */
    const char *name;          /* in messages, with its extension */
    /* Whether a file that begins with these characters, blanks left out, has this format, whatever its kind. */
    bool (*begins)(const unsigned char *bytes, size_t count);
    /* Whether it is of this kind; NULL: the format has no other. */
    bool (*is_kind)(const unsigned char *bytes, size_t count);
    bool takes_q;     /* holds M alone: q is in a second file */
    bool takes_index; /* holds several problems */
    bool holds_free;  /* has a place for free variables */
    /* Of an LCP format the first two are set, of a contact format the last two. They leave *data empty on
     * failure. */
    bool (*read_lcp)(const abuti_source *source, abuti_lcp_data *data);
    bool (*write_lcp)(const abuti_target *target, const abut_lcp_problem *problem);
    bool (*read_contact)(const abuti_source *source, abuti_contact_data *data);
    bool (*write_contact)(const abuti_target *target, abuti_contact_data *data);
} abuti_format;

/* The row of a kind that has the extension of `path`; NULL: none has. */
const abuti_format *abuti_format_by_name(abuti_problem_kind kind, const char *path);
/* Chooses the format by the extension, so that the errors of a broken .json speak of JSON, and, where that is unknown,
 * by the first characters. */
const abuti_format *abuti_format_of(abuti_problem_kind kind, abuti_text *text, const char *path);
/* Row k of the table, NULL past the last. */
const abuti_format *abuti_format_at(int k);
/* "JSON (.json), Matrix Market (.mtx) or Siconos (.dat)": all formats of a kind; with `names` false the
 * extensions alone. */
void abuti_format_list(abuti_problem_kind kind, bool names, char *text, size_t size);

#endif
