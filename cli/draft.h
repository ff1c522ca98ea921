/* A file that appears whole or not at all. It is written beside the target and takes the target's name when all went
 * well. A link stays, and the file that it leads to is replaced; devices and pipes are written to directly. */
#ifndef ABUT_CLI_DRAFT_H
#define ABUT_CLI_DRAFT_H

#include <stdbool.h>
#include <stdio.h>

typedef struct draft {
    char *target;
    char *path; /* where it is written */
    FILE *file;
    bool direct; /* into the target itself: a device, a pipe */
} draft;

/* False, with errno, when it cannot be made. */
bool draft_open(draft *d, const char *target);

/* Keeps the draft under its target's name, or removes it. True when it was kept. */
bool draft_close(draft *d, bool keep);

/* Whether there is something by this name that is no plain file. */
bool draft_is_direct(const char *target);

/* Whether two names are those of one plain file, or equal; false where one is NULL. */
bool draft_same_file(const char *a, const char *b);

#endif
