/* Pictures (PNG) as elevations: one number a pixel, from its red or grey. */
#include "scene/picture.h"
#include "scene/inflate.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const unsigned char magic[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
static const size_t header_size = 33; /* magic, and the chunk IHDR */

enum { GREY = 0, COLOUR = 2, PALETTE = 3, GREY_ALPHA = 4, COLOUR_ALPHA = 6 };

static uint32_t big_endian(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

bool abuti_is_picture(const unsigned char *bytes, size_t size)
{
    return size >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

const char *abuti_picture_begin(const unsigned char *bytes, size_t size, abuti_picture *picture)
{
    static const int channels[7] = {1, 0, 3, 1, 2, 0, 4};
    if (size < header_size || memcmp(bytes + 12, "IHDR", 4) != 0) return "a PNG without a header";
    uint32_t width = big_endian(bytes + 16), height = big_endian(bytes + 20);
    *picture = (abuti_picture){.bytes = bytes, .size = size, .depth = bytes[24], .kind = bytes[25]};
    int depth = picture->depth, kind = picture->kind;
    bool small = depth == 1 || depth == 2 || depth == 4;
    if (kind > COLOUR_ALPHA || channels[kind] == 0 || !(small || depth == 8 || depth == 16) ||
        (small && kind != GREY && kind != PALETTE) || (depth == 16 && kind == PALETTE))
        return "a PNG of an unknown kind";
    if (bytes[28] != 0) return "an interlaced PNG is not read";
    if (width < 1 || height < 1 || width > 1 << 20 || height > 1 << 20) return "a PNG of absurd size";
    picture->width = (int)width;
    picture->height = (int)height;
    picture->channels = channels[kind];
    return NULL;
}

/* All chunks of one kind together; NULL: none, or no memory. */
static unsigned char *gather(const abuti_picture *picture, const char *kind, size_t *length)
{
    unsigned char *all = malloc(picture->size);
    *length = 0;
    for (size_t at = sizeof magic; all && at + 12 <= picture->size;) {
        const unsigned char *chunk = picture->bytes + at;
        size_t count = big_endian(chunk);
        if (count > picture->size - at - 12) break;
        if (memcmp(chunk + 4, kind, 4) == 0) {
            memcpy(all + *length, chunk + 8, count);
            *length += count;
        }
        at += 12 + count;
    }
    return all;
}

static int paeth(int left, int up, int corner)
{
    int guess = left + up - corner, a = abs(guess - left), b = abs(guess - up), c = abs(guess - corner);
    return a <= b && a <= c ? left : b <= c ? up : corner;
}

/* A row was written as differences to the pixel before, the row above, or both. */
static bool undo_filter(unsigned char *row, const unsigned char *above, size_t length, size_t pixel,
                        int filter)
{
    if (filter > 4) return false;
    for (size_t i = 0; i < length; ++i) {
        int left = i >= pixel ? row[i - pixel] : 0, up = above ? above[i] : 0;
        int corner = above && i >= pixel ? above[i - pixel] : 0;
        int guess = filter == 1   ? left
                    : filter == 2 ? up
                    : filter == 3 ? (left + up) / 2
                    : filter == 4 ? paeth(left, up, corner)
                                  : 0;
        row[i] = (unsigned char)(row[i] + guess);
    }
    return true;
}

/* 0 .. 255: the red or grey of a pixel. */
static int value_at(const abuti_picture *picture, const unsigned char *row, int column,
                    const unsigned char *palette, size_t colours)
{
    int depth = picture->depth;
    if (depth >= 8) {
        int value = row[(size_t)column * (size_t)picture->channels * (size_t)(depth / 8)];
        if (picture->kind != PALETTE) return value;
        return (size_t)value < colours ? palette[3 * value] : 0;
    }
    int bit = column * depth, most = (1 << depth) - 1;
    int value = row[bit / 8] >> (8 - depth - bit % 8) & most;
    if (picture->kind == PALETTE) return (size_t)value < colours ? palette[3 * value] : 0;
    return value * 255 / most;
}

const char *abuti_picture_read(const abuti_picture *picture, double *values)
{
    size_t bits = (size_t)picture->width * (size_t)picture->channels * (size_t)picture->depth;
    size_t length = (bits + 7) / 8, stride = length + 1, packed_size, palette_size;
    size_t pixel = (size_t)picture->channels * (size_t)picture->depth / 8;
    unsigned char *packed = gather(picture, "IDAT", &packed_size);
    unsigned char *palette = gather(picture, "PLTE", &palette_size);
    unsigned char *rows = malloc(stride * (size_t)picture->height);
    const char *wrong = packed && palette && rows ? NULL : "no memory for its picture";
    if (!wrong && !abuti_inflate(packed, packed_size, rows, stride * (size_t)picture->height))
        wrong = "a damaged PNG";
    for (int r = 0; !wrong && r < picture->height; ++r) {
        unsigned char *row = rows + (size_t)r * stride + 1;
        if (!undo_filter(row, r > 0 ? row - stride : NULL, length, pixel > 0 ? pixel : 1, row[-1]))
            wrong = "a damaged PNG";
        for (int c = 0; !wrong && c < picture->width; ++c)
            values[(size_t)(picture->height - 1 - r) * (size_t)picture->width + (size_t)c] =
                value_at(picture, row, c, palette, palette_size / 3);
    }
    free(packed);
    free(palette);
    free(rows);
    return wrong;
}
