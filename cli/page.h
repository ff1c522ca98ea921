/* Recordings as one web page that needs nothing else: the built viewer with the recordings inside it. */
#ifndef ABUT_CLI_PAGE_H
#define ABUT_CLI_PAGE_H

#include "abut/base.h"

#include <stdbool.h>

enum { PAGE_RECORDINGS_MAX = 2 }; /* one is shown, two are compared */

/* Whether there is a viewer, and a page can be written to `path`: to be asked before long work. False with the reason. */
bool page_ready(const char *path, abut_error *error);

/* Writes the page of `count` recordings to `path`, which appears whole or not at all. What is not whole of a recording
 * is left out, and `warning` says so ("" otherwise). False with the reason, which names how to get the viewer where it is
 * missing. */
bool page_write(const char *const *recordings, int count, const char *path, abut_error *warning,
                abut_error *error);

#endif
