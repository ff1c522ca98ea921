/* Recordings as one web page that needs nothing else: the built viewer with the recordings inside it. */
#ifndef ABUT_CLI_PAGE_H
#define ABUT_CLI_PAGE_H

#include "abut/base.h"

#include <stdbool.h>

enum { PAGE_RECORDINGS_MAX = 2 }; /* one is shown, two are compared */

/* Whether there is a viewer, and a page can be written to `path`. Ask this before long work. False with the reason. */
bool page_ready(const char *path, abut_error *error);

/* Writes the page of `count` recordings to `path`, which appears whole or not at all. The part of a recording that is
 * not whole is left out, and `warning` says so ("" otherwise). False with the reason; where the viewer is missing, the
 * reason says how to get it. */
bool page_write(const char *const *recordings, int count, const char *path, abut_error *warning,
                abut_error *error);

#endif
