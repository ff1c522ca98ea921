#include "record/bytes.h"

#include <string.h>

/* CRC-32 (the one of zlib and PNG, reflected 0x04c11db7), four bits at a time. */
uint32_t abuti_crc32(const unsigned char *bytes, size_t size)
{
    static const uint32_t table[16] = {0x00000000u, 0x1db71064u, 0x3b6e20c8u, 0x26d930acu,
                                       0x76dc4190u, 0x6b6b51f4u, 0x4db26158u, 0x5005713cu,
                                       0xedb88320u, 0xf00f9344u, 0xd6d6a3e8u, 0xcb61b38cu,
                                       0x9b64c2b0u, 0x86d3d2d4u, 0xa00ae278u, 0xbdbdf21cu};
    uint32_t crc = 0xffffffffu;
    for (size_t i = 0; i < size; ++i) {
        crc ^= bytes[i];
        crc = (crc >> 4) ^ table[crc & 15];
        crc = (crc >> 4) ^ table[crc & 15];
    }
    return ~crc;
}

/* ---- writing ---- */

void abuti_put_byte(abuti_bytes *out, unsigned value)
{
    if (out->base && out->used < out->capacity) out->base[out->used] = (unsigned char)value;
    out->used++;
}

static void put_fixed(abuti_bytes *out, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; ++i) abuti_put_byte(out, (unsigned)(value >> (8 * i)) & 255u);
}

void abuti_put_u32(abuti_bytes *out, uint32_t value)
{
    put_fixed(out, value, 4);
}

void abuti_put_varint(abuti_bytes *out, uint64_t value)
{
    for (; value >= 128; value >>= 7) abuti_put_byte(out, (unsigned)(value & 127) | 128u);
    abuti_put_byte(out, (unsigned)value);
}

void abuti_put_f32(abuti_bytes *out, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_fixed(out, bits, 4);
}

void abuti_put_f64(abuti_bytes *out, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_fixed(out, bits, 8);
}

void abuti_put_text(abuti_bytes *out, const char *text)
{
    size_t length = text ? strlen(text) : 0;
    abuti_put_varint(out, length);
    for (size_t i = 0; i < length; ++i) abuti_put_byte(out, (unsigned char)text[i]);
}

void abuti_piece_begin(abuti_bytes *out, unsigned kind)
{
    out->used = 0;
    abuti_put_byte(out, kind);
    abuti_put_u32(out, 0);
}

void abuti_piece_end(abuti_bytes *out)
{
    size_t end = out->used;
    out->used = 1;
    abuti_put_u32(out, (uint32_t)(end - ABUTI_PIECE_FRONT));
    out->used = end;
    abuti_put_u32(out, out->base && end <= out->capacity ? abuti_crc32(out->base, end) : 0);
}

/* ---- reading ---- */

static uint64_t get_fixed(abuti_cursor *in, size_t bytes)
{
    if (in->bad || (size_t)(in->end - in->at) < bytes) {
        in->bad = true;
        return 0;
    }
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; ++i) value |= (uint64_t)in->at[i] << (8 * i);
    in->at += bytes;
    return value;
}

uint64_t abuti_get_varint(abuti_cursor *in)
{
    uint64_t value = 0;
    for (int shift = 0; shift < 63; shift += 7) {
        unsigned byte = (unsigned)get_fixed(in, 1);
        value |= (uint64_t)(byte & 127u) << shift;
        if (byte < 128) return value;
    }
    in->bad = true;
    return 0;
}

int abuti_get_count(abuti_cursor *in, uint64_t most)
{
    uint64_t value = abuti_get_varint(in);
    if (value > most) in->bad = true;
    return in->bad ? 0 : (int)value;
}

float abuti_get_f32(abuti_cursor *in)
{
    uint32_t bits = (uint32_t)get_fixed(in, 4);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double abuti_get_f64(abuti_cursor *in)
{
    uint64_t bits = get_fixed(in, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

abuti_piece_verdict abuti_next_piece(abuti_cursor *in, unsigned *kind, abuti_cursor *payload)
{
    abuti_cursor front = *in;
    *kind = (unsigned)get_fixed(&front, 1);
    uint64_t length = get_fixed(&front, 4);
    if (front.bad || (uint64_t)(front.end - front.at) < length + 4) return ABUTI_PIECE_CUT;
    abuti_cursor tail = {.at = front.at + length, .end = front.end};
    *payload = (abuti_cursor){.at = front.at, .end = front.at + length};
    if (get_fixed(&tail, 4) != abuti_crc32(in->at, (size_t)length + ABUTI_PIECE_FRONT))
        return ABUTI_PIECE_CORRUPT;
    in->at = tail.at;
    return ABUTI_PIECE_WHOLE;
}
