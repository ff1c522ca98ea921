/* Included by verify/contact.inl.
 *
 * One register of lanes, and what the verifier's passes do with it beyond + - * /.
 *
 * A register holds VERIFY_WIDTH of the eight doubles of a chunk. Every operation works lane by lane and rounds as
 * it does for a single double. Multiply-adds are written out, and are fused where the file is compiled for a machine
 * that has such an instruction; all widths that have it give the same bits. Comparisons with NaN are false. */
#ifndef ABUTI_CONTACT_VERIFY_LANES_INL
#define ABUTI_CONTACT_VERIFY_LANES_INL

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#if VERIFY_WIDTH > 2
#include <immintrin.h>
#endif

typedef double vec __attribute__((vector_size(8 * VERIFY_WIDTH)));
typedef uint64_t vec_bits __attribute__((vector_size(8 * VERIFY_WIDTH)));
/* The same type at any double of an array, without the alignment of a register. */
typedef double vec_at __attribute__((vector_size(8 * VERIFY_WIDTH), aligned(8), may_alias));

/* The lanes of an array of eight from lane `first` on. */
#define LOAD(array) (*(const vec_at *)((array) + first))
#define STORE(array, value) (*(vec_at *)((array) + first) = (value))

static inline vec all_lanes(double x)
{
    return x - (vec){0};
}

#if VERIFY_WIDTH == 8

typedef __mmask8 mask;

static inline mask below(vec a, vec b)
{
    return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ);
}
static inline mask at_most(vec a, vec b)
{
    return _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ);
}
static inline mask same_bits(vec a, vec b)
{
    return _mm512_cmpeq_epi64_mask((__m512i)a, (__m512i)b);
}
static inline mask both(mask a, mask b)
{
    return a & b;
}
static inline bool in_all(mask m)
{
    return m == 0xff;
}
static inline bool in_none(mask m)
{
    return m == 0;
}
/* m ? a : b */
static inline vec choose(mask m, vec a, vec b)
{
    return _mm512_mask_blend_pd(m, b, a);
}
/* a > b ? a : b */
static inline vec larger(vec a, vec b)
{
    return _mm512_max_pd(a, b);
}
/* a < b ? a : b */
static inline vec smaller(vec a, vec b)
{
    return _mm512_min_pd(a, b);
}
/* a b + c and c - a b */
static inline vec madd(vec a, vec b, vec c)
{
    return _mm512_fmadd_pd(a, b, c);
}
static inline vec msub(vec a, vec b, vec c)
{
    return _mm512_fnmadd_pd(a, b, c);
}

#elif VERIFY_WIDTH == 4

typedef __m256d mask;

static inline mask below(vec a, vec b)
{
    return _mm256_cmp_pd(a, b, _CMP_LT_OQ);
}
static inline mask at_most(vec a, vec b)
{
    return _mm256_cmp_pd(a, b, _CMP_LE_OQ);
}
static inline mask same_bits(vec a, vec b)
{
    return (__m256d)_mm256_cmpeq_epi64((__m256i)a, (__m256i)b);
}
static inline mask both(mask a, mask b)
{
    return _mm256_and_pd(a, b);
}
static inline bool in_all(mask m)
{
    return _mm256_movemask_pd(m) == 0xf;
}
static inline bool in_none(mask m)
{
    return _mm256_movemask_pd(m) == 0;
}
static inline vec choose(mask m, vec a, vec b)
{
    return _mm256_blendv_pd(b, a, m);
}
static inline vec larger(vec a, vec b)
{
    return _mm256_max_pd(a, b);
}
static inline vec smaller(vec a, vec b)
{
    return _mm256_min_pd(a, b);
}
static inline vec madd(vec a, vec b, vec c)
{
    return _mm256_fmadd_pd(a, b, c);
}
static inline vec msub(vec a, vec b, vec c)
{
    return _mm256_fnmadd_pd(a, b, c);
}

#else

typedef vec_bits mask;

static inline mask below(vec a, vec b)
{
    return (mask)(a < b);
}
static inline mask at_most(vec a, vec b)
{
    return (mask)(a <= b);
}
static inline mask same_bits(vec a, vec b)
{
    return (mask)((vec_bits)a == (vec_bits)b);
}
static inline mask both(mask a, mask b)
{
    return a & b;
}
static inline bool in_all(mask m)
{
    uint64_t all = ~(uint64_t)0;
    for (int l = 0; l < VERIFY_WIDTH; ++l) all &= m[l];
    return all != 0;
}
static inline bool in_none(mask m)
{
    uint64_t any = 0;
    for (int l = 0; l < VERIFY_WIDTH; ++l) any |= m[l];
    return any == 0;
}
static inline vec choose(mask m, vec a, vec b)
{
    return (vec)(((vec_bits)a & m) | ((vec_bits)b & ~m));
}
static inline vec larger(vec a, vec b)
{
    return choose(below(b, a), a, b);
}
static inline vec smaller(vec a, vec b)
{
    return choose(below(a, b), a, b);
}
static inline vec madd(vec a, vec b, vec c)
{
    return a * b + c;
}
static inline vec msub(vec a, vec b, vec c)
{
    return c - a * b;
}

#endif

#define SIGN_BIT ((uint64_t)1 << 63)

static inline vec magnitude(vec a)
{
    return (vec)((vec_bits)a & ~(SIGN_BIT - (vec_bits){0}));
}

/* a, or -a where `by` is negative. */
static inline vec turn(vec a, vec by)
{
    return (vec)((vec_bits)a ^ ((vec_bits)by & (SIGN_BIT - (vec_bits){0})));
}

/* An error that is not a number is the largest error. */
static inline vec finite_or_infinite(vec error)
{
    return choose(at_most(error, all_lanes(DBL_MAX)), error, all_lanes(INFINITY));
}

/* |min(z, w)|, the natural residual of a complementary pair; it is not finite when z or w is not. */
static inline vec natural(vec z, vec w)
{
    return finite_or_infinite(madd((vec){0}, z + w, magnitude(smaller(z, w))));
}

/* 1 / sqrt(x) for x that is 1 up to a few ABUTI_NEARLY_ONE: the terms left out are below rounding. */
static inline vec inverse_root_near_one(vec x)
{
    vec e = x - 1.0;
    return msub(e, msub(all_lanes(0.375), e, all_lanes(0.5)), all_lanes(1.0));
}

/* Improves a given y that is near 1 / sqrt(x): with e = 1 - x y^2 the better one is y (1 + e/2 + 3 e^2/8), whose
 * error is e^3/3. */
static inline vec nearer_root(vec x, vec y)
{
    vec e = msub(x * y, y, all_lanes(1.0));
    return madd(y * e, madd(all_lanes(0.375), e, all_lanes(0.5)), y);
}

/* 1 / sqrt(x) for x > 0, from a guess by the exponent: it takes multiplications only and is several times as fast as
 * root and quotient. Two steps from an error of 3.5 percent (e = 0.07) end at 3e-12 of the size, which is enough,
 * since the size only weighs errors. */
static inline vec inverse_root(vec x)
{
    vec guess = (vec)(0x5fe6eb50c7b537a9u - ((vec_bits)x >> 1));
    return madd((vec){0}, x, nearer_root(x, nearer_root(x, guess)));
}

static inline vec inverse_root_to_rounding(vec x)
{
    return nearer_root(x, inverse_root(x));
}

#endif
