/* A recording file in memory, with its reader. */
#ifndef ABUT_CLI_RECORDING_H
#define ABUT_CLI_RECORDING_H

#include "abut/record.h"

#include <stdbool.h>

typedef struct recording {
    unsigned char *bytes;
    size_t size;
    abut_record_reader *reader;
} recording;

/* False with "FILE: what is wrong" when not even the scene can be read. */
bool recording_open(recording *r, const char *path, abut_error *error);
void recording_close(recording *r);

/* All of a file, to be freed; NULL with the reason. */
unsigned char *file_bytes(const char *path, size_t *size, abut_error *error);

#endif
