#include "recording.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned char *file_bytes(const char *path, size_t *size, abut_error *error)
{
    FILE *file = fopen(path, "rb");
    size_t capacity = 1 << 16;
    unsigned char *bytes = file ? malloc(capacity) : NULL;
    *size = 0;
    while (bytes) {
        *size += fread(bytes + *size, 1, capacity - *size, file);
        if (*size < capacity) break;
        capacity *= 2;
        unsigned char *larger = realloc(bytes, capacity);
        if (!larger) free(bytes);
        bytes = larger;
    }
    bool failed = !bytes || ferror(file);
    if (failed)
        snprintf(error->text, sizeof error->text, "%.150s: %s", path,
                 errno != 0 ? strerror(errno) : "cannot be read");
    if (file) fclose(file);
    if (!failed) return bytes;
    free(bytes);
    return NULL;
}

bool recording_open(recording *r, const char *path, abut_error *error)
{
    abut_error why;
    *r = (recording){0};
    errno = 0;
    r->bytes = file_bytes(path, &r->size, error);
    if (!r->bytes) return false;
    if (abut_record_reader_create(r->bytes, r->size, NULL, &r->reader, &why) == ABUT_OK) return true;
    snprintf(error->text, sizeof error->text, "%.100s: %.140s", path, why.text);
    recording_close(r);
    return false;
}

void recording_close(recording *r)
{
    abut_record_reader_destroy(r->reader);
    free(r->bytes);
    *r = (recording){0};
}
