/* A file that appears whole or not at all: written beside the target, whose name it takes when all went well. */
#ifndef ABUT_CLI_DRAFT_H
#define ABUT_CLI_DRAFT_H

#include <stdbool.h>
#include <stdio.h>

typedef struct draft {
    const char *target;
    char *path;
    FILE *file;
} draft;

/* False, with errno, when it cannot be made. */
bool draft_open(draft *d, const char *target);

/* Keeps the draft under its target's name, or removes it. True when it was kept. */
bool draft_close(draft *d, bool keep);

#endif
