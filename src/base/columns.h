/* From eight structs to lanes and back: four neighbouring doubles of each become four columns of eight.
 *
 * Copying one number at a time costs as much as the arithmetic that follows it, and a wide load right after
 * eight narrow stores waits for all of them. So the block is transposed in registers, where the including file
 * is compiled for them. Numbers are moved, none is computed: what is no double passes unchanged, bit by bit.
 */
#ifndef ABUTI_BASE_COLUMNS_H
#define ABUTI_BASE_COLUMNS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

enum { ABUTI_COLUMN = 8 };

#if defined(__AVX512F__)

/* Eight rows of four, turned. */
static inline void abuti_turn(const __m256d at[ABUTI_COLUMN], double column[4][ABUTI_COLUMN])
{
    const __m512i low = _mm512_set_epi64(13, 12, 5, 4, 9, 8, 1, 0);
    const __m512i high = _mm512_set_epi64(15, 14, 7, 6, 11, 10, 3, 2);
    __m512d both[4];
    for (int l = 0; l < 4; ++l) both[l] = _mm512_insertf64x4(_mm512_castpd256_pd512(at[l]), at[l + 4], 1);
    __m512d even0 = _mm512_unpacklo_pd(both[0], both[1]), odd0 = _mm512_unpackhi_pd(both[0], both[1]);
    __m512d even1 = _mm512_unpacklo_pd(both[2], both[3]), odd1 = _mm512_unpackhi_pd(both[2], both[3]);
    _mm512_storeu_pd(column[0], _mm512_permutex2var_pd(even0, low, even1));
    _mm512_storeu_pd(column[1], _mm512_permutex2var_pd(odd0, low, odd1));
    _mm512_storeu_pd(column[2], _mm512_permutex2var_pd(even0, high, even1));
    _mm512_storeu_pd(column[3], _mm512_permutex2var_pd(odd0, high, odd1));
}

#elif defined(__AVX2__)

static inline void abuti_turn(const __m256d at[ABUTI_COLUMN], double column[4][ABUTI_COLUMN])
{
    for (int first = 0; first < ABUTI_COLUMN; first += 4) {
        const __m256d *row = at + first;
        __m256d even0 = _mm256_unpacklo_pd(row[0], row[1]), odd0 = _mm256_unpackhi_pd(row[0], row[1]);
        __m256d even1 = _mm256_unpacklo_pd(row[2], row[3]), odd1 = _mm256_unpackhi_pd(row[2], row[3]);
        _mm256_storeu_pd(column[0] + first, _mm256_permute2f128_pd(even0, even1, 0x20));
        _mm256_storeu_pd(column[1] + first, _mm256_permute2f128_pd(odd0, odd1, 0x20));
        _mm256_storeu_pd(column[2] + first, _mm256_permute2f128_pd(even0, even1, 0x31));
        _mm256_storeu_pd(column[3] + first, _mm256_permute2f128_pd(odd0, odd1, 0x31));
    }
}

#endif

/* column[c][l] = the double at row[l] + offset + 8 c bytes, c = 0 .. 3. */
static inline void abuti_columns4(const void *const row[ABUTI_COLUMN], size_t offset,
                                  double column[4][ABUTI_COLUMN])
{
#define AT(l) ((const double *)(const void *)((const char *)row[l] + offset))
#if defined(__AVX2__)
    __m256d at[ABUTI_COLUMN];
    for (int l = 0; l < ABUTI_COLUMN; ++l) at[l] = _mm256_loadu_pd(AT(l));
    abuti_turn(at, column);
#else
    for (int l = 0; l < ABUTI_COLUMN; ++l)
        for (int c = 0; c < 4; ++c) memcpy(&column[c][l], AT(l) + c, sizeof(double));
#endif
#undef AT
}

/* Likewise c = 0 .. 2, where no fourth double follows; column[3] is not set. */
static inline void abuti_columns3(const void *const row[ABUTI_COLUMN], double column[4][ABUTI_COLUMN])
{
#if defined(__AVX2__)
    const __m256i three = _mm256_set_epi64x(0, -1, -1, -1);
    __m256d at[ABUTI_COLUMN];
    for (int l = 0; l < ABUTI_COLUMN; ++l) at[l] = _mm256_maskload_pd((const double *)row[l], three);
    abuti_turn(at, column);
#else
    for (int l = 0; l < ABUTI_COLUMN; ++l)
        for (int c = 0; c < 3; ++c) memcpy(&column[c][l], (const double *)row[l] + c, sizeof(double));
#endif
}

/* Whether some of the eight have a bit set in the three doubles at `first` bytes, or in those at `second`. A
 * fourth double follows each. */
static inline bool abuti_any3(const void *const row[ABUTI_COLUMN], size_t first, size_t second)
{
#define AT(l, offset) (const void *)((const char *)row[l] + (offset))
#if defined(__AVX2__)
    const __m256i three = _mm256_set_epi64x(0, -1, -1, -1);
    __m256i all = _mm256_setzero_si256();
    for (int l = 0; l < ABUTI_COLUMN; ++l)
        all = _mm256_or_si256(
            all, _mm256_or_si256(_mm256_loadu_si256(AT(l, first)), _mm256_loadu_si256(AT(l, second))));
    return !_mm256_testz_si256(all, three);
#else
    uint64_t all = 0;
    for (int l = 0; l < ABUTI_COLUMN; ++l) {
        uint64_t here[2][3];
        memcpy(here[0], AT(l, first), sizeof here[0]);
        memcpy(here[1], AT(l, second), sizeof here[1]);
        for (int c = 0; c < 3; ++c) all |= here[0][c] | here[1][c];
    }
    return all != 0;
#endif
#undef AT
}

/* The way back: the double at row[l] + offset + 8 c bytes = column[c][l]. */
static inline void abuti_rows4(double column[4][ABUTI_COLUMN], void *const row[ABUTI_COLUMN], size_t offset)
{
#define AT(l) ((double *)(void *)((char *)row[l] + offset))
#if defined(__AVX512F__)
    const __m512i low = _mm512_set_epi64(13, 12, 5, 4, 9, 8, 1, 0);
    const __m512i high = _mm512_set_epi64(15, 14, 7, 6, 11, 10, 3, 2);
    __m512d a = _mm512_loadu_pd(column[0]), b = _mm512_loadu_pd(column[1]), c = _mm512_loadu_pd(column[2]),
            d = _mm512_loadu_pd(column[3]);
    __m512d even0 = _mm512_unpacklo_pd(a, b), odd0 = _mm512_unpackhi_pd(a, b);
    __m512d even1 = _mm512_unpacklo_pd(c, d), odd1 = _mm512_unpackhi_pd(c, d);
    /* Rows l and l + 4. */
    const __m512d both[4] = {
        _mm512_permutex2var_pd(even0, low, even1), _mm512_permutex2var_pd(odd0, low, odd1),
        _mm512_permutex2var_pd(even0, high, even1), _mm512_permutex2var_pd(odd0, high, odd1)};
    for (int l = 0; l < 4; ++l) {
        _mm256_storeu_pd(AT(l), _mm512_castpd512_pd256(both[l]));
        _mm256_storeu_pd(AT(l + 4), _mm512_extractf64x4_pd(both[l], 1));
    }
#elif defined(__AVX2__)
    for (int first = 0; first < ABUTI_COLUMN; first += 4) {
        __m256d a = _mm256_loadu_pd(column[0] + first), b = _mm256_loadu_pd(column[1] + first),
                c = _mm256_loadu_pd(column[2] + first), d = _mm256_loadu_pd(column[3] + first);
        __m256d even0 = _mm256_unpacklo_pd(a, b), odd0 = _mm256_unpackhi_pd(a, b);
        __m256d even1 = _mm256_unpacklo_pd(c, d), odd1 = _mm256_unpackhi_pd(c, d);
        _mm256_storeu_pd(AT(first), _mm256_permute2f128_pd(even0, even1, 0x20));
        _mm256_storeu_pd(AT(first + 1), _mm256_permute2f128_pd(odd0, odd1, 0x20));
        _mm256_storeu_pd(AT(first + 2), _mm256_permute2f128_pd(even0, even1, 0x31));
        _mm256_storeu_pd(AT(first + 3), _mm256_permute2f128_pd(odd0, odd1, 0x31));
    }
#else
    for (int l = 0; l < ABUTI_COLUMN; ++l)
        for (int c = 0; c < 4; ++c) memcpy(AT(l) + c, &column[c][l], sizeof(double));
#endif
#undef AT
}

#endif
