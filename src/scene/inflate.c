#include "scene/inflate.h"

#include <stdint.h>
#include <string.h>

enum { LENGTH_MAX = 15, SYMBOLS_MAX = 288, DISTANCES_MAX = 32 };

/* A stream of bits, the lowest of each byte first. Beyond the end there are zeros, and `over` counts them. */
typedef struct bits {
    const unsigned char *bytes;
    size_t count, at;
    uint32_t held;
    int held_count, over;
} bits;

static uint32_t take(bits *b, int n)
{
    while (b->held_count < n) {
        uint32_t next = b->at < b->count ? b->bytes[b->at++] : (b->over++, 0);
        b->held |= next << b->held_count;
        b->held_count += 8;
    }
    uint32_t value = b->held & (((uint32_t)1 << n) - 1);
    b->held >>= n;
    b->held_count -= n;
    return value;
}

/* A canonical Huffman code: how many words have each length, and their symbols in the order of the words. */
typedef struct code {
    int counts[LENGTH_MAX + 1];
    int symbols[SYMBOLS_MAX];
} code;

/* False: the lengths ask for more words than there are. */
static bool make_code(code *c, const unsigned char *lengths, int n)
{
    int first[LENGTH_MAX + 2] = {0}, left = 1;
    memset(c->counts, 0, sizeof c->counts);
    for (int i = 0; i < n; ++i) c->counts[lengths[i]]++;
    c->counts[0] = 0;
    for (int k = 1; k <= LENGTH_MAX; ++k) {
        left = 2 * left - c->counts[k];
        if (left < 0) return false;
        first[k + 1] = first[k] + c->counts[k];
    }
    for (int i = 0; i < n; ++i)
        if (lengths[i] > 0) c->symbols[first[lengths[i]]++] = i;
    return true;
}

/* The next symbol; -1: no word fits. Words of one length are consecutive numbers, after those of the shorter ones,
 * doubled. */
static int decode(bits *b, const code *c)
{
    int word = 0, first = 0, index = 0;
    for (int k = 1; k <= LENGTH_MAX; ++k) {
        word |= (int)take(b, 1);
        if (word - first < c->counts[k]) return c->symbols[index + word - first];
        index += c->counts[k];
        first = 2 * (first + c->counts[k]);
        word *= 2;
    }
    return -1;
}

typedef struct output {
    unsigned char *bytes;
    size_t size, at;
} output;

static bool copy_stored(bits *b, output *o)
{
    take(b, b->held_count % 8);
    uint32_t length = take(b, 16), check = take(b, 16);
    if ((length ^ 0xffff) != check || length > o->size - o->at) return false;
    for (uint32_t i = 0; i < length; ++i) o->bytes[o->at++] = (unsigned char)take(b, 8);
    return b->over == 0;
}

/* Literals, and copies of what was written before. */
static bool copy_coded(bits *b, output *o, const code *literals, const code *distances)
{
    static const int length_base[29] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                        31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const int length_more[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                        2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    static const int far_base[30] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                     33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                     1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
    for (;;) {
        int symbol = decode(b, literals);
        if (symbol < 0 || b->over > 4) return false;
        if (symbol == 256) return true;
        if (symbol < 256) {
            if (o->at == o->size) return false;
            o->bytes[o->at++] = (unsigned char)symbol;
            continue;
        }
        symbol -= 257;
        if (symbol >= 29) return false;
        size_t length = (size_t)length_base[symbol] + take(b, length_more[symbol]);
        int far = decode(b, distances);
        if (far < 0 || far >= 30) return false;
        size_t distance = (size_t)far_base[far] + take(b, far < 2 ? 0 : far / 2 - 1);
        if (distance > o->at || length > o->size - o->at) return false;
        for (size_t i = 0; i < length; i++, o->at++) o->bytes[o->at] = o->bytes[o->at - distance];
    }
}

static bool fixed_codes(code *literals, code *distances)
{
    unsigned char lengths[SYMBOLS_MAX];
    for (int i = 0; i < SYMBOLS_MAX; ++i) lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    if (!make_code(literals, lengths, SYMBOLS_MAX)) return false;
    memset(lengths, 5, DISTANCES_MAX);
    return make_code(distances, lengths, 30);
}

/* The codes of a block come as lengths, which are coded themselves: repeats of the last one, and runs of zeros. */
static bool own_codes(bits *b, code *literals, code *distances)
{
    static const int order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    unsigned char lengths[SYMBOLS_MAX + DISTANCES_MAX] = {0};
    code inner;
    int n = (int)take(b, 5) + 257, d = (int)take(b, 5) + 1, k = (int)take(b, 4) + 4;
    if (n > 286 || d > 30) return false;
    for (int i = 0; i < k; ++i) lengths[order[i]] = (unsigned char)take(b, 3);
    if (!make_code(&inner, lengths, 19)) return false;
    memset(lengths, 0, sizeof lengths);
    for (int i = 0; i < n + d;) {
        int symbol = decode(b, &inner), repeat = 1;
        unsigned char value = 0;
        if (symbol < 0 || (symbol == 16 && i == 0) || b->over > 4) return false;
        if (symbol < 16) value = (unsigned char)symbol;
        if (symbol == 16) {
            value = lengths[i - 1];
            repeat = 3 + (int)take(b, 2);
        }
        if (symbol == 17) repeat = 3 + (int)take(b, 3);
        if (symbol == 18) repeat = 11 + (int)take(b, 7);
        if (repeat > n + d - i) return false;
        while (repeat-- > 0) lengths[i++] = value;
    }
    return make_code(literals, lengths, n) && make_code(distances, lengths + n, d);
}

bool abuti_inflate(const unsigned char *bytes, size_t count, unsigned char *out, size_t size)
{
    if (count < 2 || (bytes[0] & 15) != 8 || (bytes[0] * 256 + bytes[1]) % 31 != 0 || (bytes[1] & 32))
        return false;
    bits b = {.bytes = bytes + 2, .count = count - 2};
    output o = {out, size, 0};
    bool last = false;
    while (!last) {
        code literals, distances;
        last = take(&b, 1);
        uint32_t kind = take(&b, 2);
        bool good =
            kind == 0   ? copy_stored(&b, &o)
            : kind == 1 ? fixed_codes(&literals, &distances) && copy_coded(&b, &o, &literals, &distances)
            : kind == 2 ? own_codes(&b, &literals, &distances) && copy_coded(&b, &o, &literals, &distances)
                        : false;
        if (!good) return false;
    }
    return o.at == size;
}
