/* Recordings: whatever the bytes are, the reader ends, and every number that it gives can be used. Random changes never
 * meet a checksum, so the bytes are read once as they are and once with all checksums made right. */

#include "abut/record.h"

#include "record/bytes.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_all(const uint8_t *data, size_t size)
{
    abut_record_reader *reader = NULL;
    abut_error error;
    if (abut_record_reader_create(data, size, NULL, &reader, &error) != ABUT_OK) return;
    const abut_record_scene *scene = abut_record_reader_scene(reader);
    abut_record_step step;
    int steps = 0;
    while (abut_record_reader_next(reader, &step)) {
        steps++;
        for (int i = 0; i < step.contact_count; ++i)
            for (int k = 0; k < 2; ++k)
                if (step.contacts[i].bodies[k] < -1 || step.contacts[i].bodies[k] >= scene->body_count)
                    abort();
    }
    if (steps != abut_record_reader_extent(reader)->steps) abort();
    abut_record_reader_destroy(reader);
}

static void mend_checksums(uint8_t *data, size_t size)
{
    for (size_t at = ABUTI_MAGIC_SIZE; at + ABUTI_PIECE_FRAME <= size;) {
        size_t length = 0;
        for (int k = 0; k < 4; ++k) length |= (size_t)data[at + 1 + (size_t)k] << (8 * k);
        if (length > size - at - ABUTI_PIECE_FRAME) return;
        uint32_t crc = abuti_crc32(data + at, ABUTI_PIECE_FRONT + length);
        for (int k = 0; k < 4; ++k)
            data[at + ABUTI_PIECE_FRONT + length + (size_t)k] = (uint8_t)(crc >> (8 * k));
        at += ABUTI_PIECE_FRAME + length;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_all(data, size);
    uint8_t *copy = malloc(size + 1);
    if (!copy) return 0;
    if (size > 0) memcpy(copy, data, size);
    mend_checksums(copy, size);
    read_all(copy, size);
    free(copy);
    return 0;
}
