/* Bytes of a recording: a buffer that is filled, a cursor that is read, and the frame around each piece.
 *
 *     piece:  kind (1 byte)   length (4)   payload (length bytes)   checksum (4: CRC-32 of all that comes before)
 *
 * Whole numbers of fixed size and floats are little-endian; varints have seven bits a byte, least first. */
#ifndef ABUTI_RECORD_BYTES_H
#define ABUTI_RECORD_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Kinds of pieces. Readers step over kinds they do not know. */
enum {
    ABUTI_PIECE_HEAD = 'H',
    ABUTI_PIECE_BODY = 'B',
    ABUTI_PIECE_SHAPE = 'S',
    ABUTI_PIECE_JOINT = 'J',
    ABUTI_PIECE_STAGE = 'N', /* the name of a stage, before the first step that has it */
    ABUTI_PIECE_STEP = 'T',
    ABUTI_PIECE_END = 'E'
};

/* The first bytes: no text file begins so, and a transfer that changes line ends is noticed. */
#define ABUTI_RECORD_MAGIC                                                                                   \
    "\x89"                                                                                                   \
    "abut\r\n\x1a"
enum { ABUTI_MAGIC_SIZE = 8, ABUTI_PIECE_FRONT = 5, ABUTI_PIECE_FRAME = 9 };

uint32_t abuti_crc32(const unsigned char *bytes, size_t size);

/* ---- writing ---- */

/* Without memory (base NULL) it only counts. What does not fit is counted and not written. */
typedef struct abuti_bytes {
    unsigned char *base;
    size_t used, capacity;
} abuti_bytes;

void abuti_put_byte(abuti_bytes *out, unsigned value);
void abuti_put_u32(abuti_bytes *out, uint32_t value);
void abuti_put_varint(abuti_bytes *out, uint64_t value);
void abuti_put_f32(abuti_bytes *out, float value);
void abuti_put_f64(abuti_bytes *out, double value);
void abuti_put_text(abuti_bytes *out, const char *text);

/* Begins a piece at the front of the buffer; end fills in length and checksum. */
void abuti_piece_begin(abuti_bytes *out, unsigned kind);
void abuti_piece_end(abuti_bytes *out);

/* ---- reading: past its end a cursor gives zeros and `bad` ---- */

typedef struct abuti_cursor {
    const unsigned char *at, *end;
    bool bad;
} abuti_cursor;

uint64_t abuti_get_varint(abuti_cursor *in);
/* A varint of at most `most`; more is bad. */
int abuti_get_count(abuti_cursor *in, uint64_t most);
float abuti_get_f32(abuti_cursor *in);
double abuti_get_f64(abuti_cursor *in);

typedef enum abuti_piece_verdict {
    ABUTI_PIECE_WHOLE,
    ABUTI_PIECE_CUT,    /* it goes on past the end of the data */
    ABUTI_PIECE_CORRUPT /* its checksum does not match */
} abuti_piece_verdict;

/* The piece at `in`, which is set behind it when it is whole. */
abuti_piece_verdict abuti_next_piece(abuti_cursor *in, unsigned *kind, abuti_cursor *payload);

#endif
