/* Pictures (PNG) as elevations. */
#ifndef ABUTI_SCENE_PICTURE_H
#define ABUTI_SCENE_PICTURE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct abuti_picture {
    const unsigned char *bytes;
    size_t size;
    int width, height;
    int depth, kind, channels; /* bits a channel; PNG's kind of colours; channels a pixel */
} abuti_picture;

/* Whether it begins as a PNG does. */
bool abuti_is_picture(const unsigned char *bytes, size_t size);
/* Looks at the header; NULL: good, else what is wrong. The bytes are borrowed. */
const char *abuti_picture_begin(const unsigned char *bytes, size_t size, abuti_picture *picture);
/* height x width numbers, 0 .. 255: red or grey, the lowest row of the picture first; NULL: good, else what is
 * wrong. */
const char *abuti_picture_read(const abuti_picture *picture, double *values);

#endif
