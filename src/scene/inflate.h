/* Data compressed by DEFLATE (RFC 1951) inside a zlib stream (RFC 1950), as pictures have it. */
#ifndef ABUTI_SCENE_INFLATE_H
#define ABUTI_SCENE_INFLATE_H

#include <stdbool.h>
#include <stddef.h>

/* Writes exactly `size` bytes to `out`. False: the stream is damaged, ends early or holds more. Its checksum is not
 * looked at. */
bool abuti_inflate(const unsigned char *bytes, size_t count, unsigned char *out, size_t size);

#endif
