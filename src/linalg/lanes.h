/* Eight doubles that go together: the one vector type of the hot loops.
 *
 * The same source, included by files that are compiled for AVX-512, for AVX2 or for nothing in particular,
 * becomes one 512-bit register, two 256-bit ones or a plain loop. Every operation is exact IEEE arithmetic
 * lane by lane, fused multiply-adds are written out, and sums over lanes run in one fixed order; so all
 * variants that have fused multiply-adds give the same bits, whatever the compiler and its optimisation
 * level.
 *
 * All pointers are aligned to 64 bytes, but for lanes_load_any and lanes_store_any.
 */
#ifndef ABUTI_LANES_H
#define ABUTI_LANES_H

#include <math.h>

#define ABUTI_LANES 8

/* a b + c, fused where the machine does it in one instruction. */
static inline double abuti_madd(double a, double b, double c)
{
#if defined(__FMA__) || defined(__FP_FAST_FMA)
    return fma(a, b, c);
#else
    return a * b + c;
#endif
}

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)

#include <immintrin.h>

typedef __m512d lanes;
typedef __mmask8 lane_mask;

static inline lanes lanes_load(const double *p)
{
    return _mm512_load_pd(p);
}
static inline void lanes_store(double *p, lanes a)
{
    _mm512_store_pd(p, a);
}
static inline lanes lanes_load_any(const double *p)
{
    return _mm512_loadu_pd(p);
}
static inline void lanes_store_any(double *p, lanes a)
{
    _mm512_storeu_pd(p, a);
}
static inline lanes lanes_all(double a)
{
    return _mm512_set1_pd(a);
}
static inline lanes lanes_add(lanes a, lanes b)
{
    return _mm512_add_pd(a, b);
}
static inline lanes lanes_sub(lanes a, lanes b)
{
    return _mm512_sub_pd(a, b);
}
static inline lanes lanes_mul(lanes a, lanes b)
{
    return _mm512_mul_pd(a, b);
}
/* a b + c and c - a b */
static inline lanes lanes_madd(lanes a, lanes b, lanes c)
{
    return _mm512_fmadd_pd(a, b, c);
}
static inline lanes lanes_msub(lanes a, lanes b, lanes c)
{
    return _mm512_fnmadd_pd(a, b, c);
}
/* a > b ? a : b */
static inline lanes lanes_max(lanes a, lanes b)
{
    return _mm512_max_pd(a, b);
}
/* a < b ? a : b */
static inline lanes lanes_min(lanes a, lanes b)
{
    return _mm512_min_pd(a, b);
}
static inline lanes lanes_abs(lanes a)
{
    return _mm512_abs_pd(a);
}
static inline lane_mask lanes_less(lanes a, lanes b)
{
    return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ);
}
static inline lane_mask lanes_and(lane_mask a, lane_mask b)
{
    return a & b;
}
static inline lanes lanes_select(lane_mask m, lanes a, lanes b)
{
    return _mm512_mask_blend_pd(m, b, a);
}
static inline int lanes_any(lane_mask m)
{
    return m != 0;
}
/* Bit i for lane i. */
static inline unsigned lanes_bits(lane_mask m)
{
    return m;
}
static inline lanes lanes_gather(const double *base, const int *index)
{
    return _mm512_i32gather_pd(_mm256_load_si256((const __m256i *)(const void *)index), base, 8);
}

/* x[index[i]], 0 where index[i] < 0; x are eight numbers */
static inline lanes lanes_pick(const double *x, const int *index)
{
    __m512i at = _mm512_cvtepi32_epi64(_mm256_load_si256((const __m256i *)(const void *)index));
    return _mm512_maskz_permutexvar_pd((__mmask8)~_mm512_movepi64_mask(at), at, _mm512_load_pd(x));
}
/* x[index[i]]; x are sixteen numbers */
static inline lanes lanes_pick16(const double *x, const int *index)
{
    __m512i at = _mm512_cvtepi32_epi64(_mm256_load_si256((const __m256i *)(const void *)index));
    return _mm512_permutex2var_pd(_mm512_load_pd(x), at, _mm512_load_pd(x + 8));
}
static inline lanes lanes_div(lanes a, lanes b)
{
    return _mm512_div_pd(a, b);
}
static inline lanes lanes_sqrt(lanes a)
{
    return _mm512_sqrt_pd(a);
}
/* a with lane i replaced */
static inline lanes lanes_with(lanes a, int i, double x)
{
    return _mm512_mask_mov_pd(a, (__mmask8)(1 << i), _mm512_set1_pd(x));
}
/* The first of the least lanes; 0 when all are NaN. */
static inline int lanes_argmin(lanes a)
{
    __mmask8 least = _mm512_cmp_pd_mask(a, _mm512_set1_pd(_mm512_reduce_min_pd(a)), _CMP_EQ_OQ);
    return least ? __builtin_ctz(least) : 0;
}
static inline __m256d lanes_halves(lanes a)
{
    return _mm256_add_pd(_mm512_castpd512_pd256(a), _mm512_extractf64x4_pd(a, 1));
}

#elif defined(__AVX2__) && defined(__FMA__)

#include <immintrin.h>

typedef struct lanes {
    __m256d a, b;
} lanes;
typedef lanes lane_mask;

#define LANES_EACH(call_a, call_b) ((lanes){(call_a), (call_b)})

static inline lanes lanes_load(const double *p)
{
    return LANES_EACH(_mm256_load_pd(p), _mm256_load_pd(p + 4));
}
static inline void lanes_store(double *p, lanes x)
{
    _mm256_store_pd(p, x.a);
    _mm256_store_pd(p + 4, x.b);
}
static inline lanes lanes_load_any(const double *p)
{
    return LANES_EACH(_mm256_loadu_pd(p), _mm256_loadu_pd(p + 4));
}
static inline void lanes_store_any(double *p, lanes x)
{
    _mm256_storeu_pd(p, x.a);
    _mm256_storeu_pd(p + 4, x.b);
}
static inline lanes lanes_all(double x)
{
    return LANES_EACH(_mm256_set1_pd(x), _mm256_set1_pd(x));
}
static inline lanes lanes_add(lanes x, lanes y)
{
    return LANES_EACH(_mm256_add_pd(x.a, y.a), _mm256_add_pd(x.b, y.b));
}
static inline lanes lanes_sub(lanes x, lanes y)
{
    return LANES_EACH(_mm256_sub_pd(x.a, y.a), _mm256_sub_pd(x.b, y.b));
}
static inline lanes lanes_mul(lanes x, lanes y)
{
    return LANES_EACH(_mm256_mul_pd(x.a, y.a), _mm256_mul_pd(x.b, y.b));
}
static inline lanes lanes_madd(lanes x, lanes y, lanes z)
{
    return LANES_EACH(_mm256_fmadd_pd(x.a, y.a, z.a), _mm256_fmadd_pd(x.b, y.b, z.b));
}
static inline lanes lanes_msub(lanes x, lanes y, lanes z)
{
    return LANES_EACH(_mm256_fnmadd_pd(x.a, y.a, z.a), _mm256_fnmadd_pd(x.b, y.b, z.b));
}
static inline lanes lanes_max(lanes x, lanes y)
{
    return LANES_EACH(_mm256_max_pd(x.a, y.a), _mm256_max_pd(x.b, y.b));
}
static inline lanes lanes_min(lanes x, lanes y)
{
    return LANES_EACH(_mm256_min_pd(x.a, y.a), _mm256_min_pd(x.b, y.b));
}
static inline lanes lanes_abs(lanes x)
{
    __m256d sign = _mm256_set1_pd(-0.0);
    return LANES_EACH(_mm256_andnot_pd(sign, x.a), _mm256_andnot_pd(sign, x.b));
}
static inline lane_mask lanes_less(lanes x, lanes y)
{
    return LANES_EACH(_mm256_cmp_pd(x.a, y.a, _CMP_LT_OQ), _mm256_cmp_pd(x.b, y.b, _CMP_LT_OQ));
}
static inline lane_mask lanes_and(lane_mask x, lane_mask y)
{
    return LANES_EACH(_mm256_and_pd(x.a, y.a), _mm256_and_pd(x.b, y.b));
}
static inline lanes lanes_select(lane_mask m, lanes x, lanes y)
{
    return LANES_EACH(_mm256_blendv_pd(y.a, x.a, m.a), _mm256_blendv_pd(y.b, x.b, m.b));
}
static inline int lanes_any(lane_mask m)
{
    return (_mm256_movemask_pd(m.a) | _mm256_movemask_pd(m.b)) != 0;
}
static inline unsigned lanes_bits(lane_mask m)
{
    return (unsigned)(_mm256_movemask_pd(m.a) | _mm256_movemask_pd(m.b) << 4);
}
static inline lanes lanes_gather(const double *base, const int *index)
{
    return LANES_EACH(_mm256_set_pd(base[index[3]], base[index[2]], base[index[1]], base[index[0]]),
                      _mm256_set_pd(base[index[7]], base[index[6]], base[index[5]], base[index[4]]));
}

static inline lanes lanes_pick(const double *x, const int *index)
{
    _Alignas(32) double r[8];
    for (int i = 0; i < ABUTI_LANES; ++i) r[i] = index[i] < 0 ? 0.0 : x[index[i]];
    return lanes_load(r);
}
static inline lanes lanes_pick16(const double *x, const int *index)
{
    return lanes_gather(x, index);
}
static inline lanes lanes_div(lanes x, lanes y)
{
    return LANES_EACH(_mm256_div_pd(x.a, y.a), _mm256_div_pd(x.b, y.b));
}
static inline lanes lanes_sqrt(lanes x)
{
    return LANES_EACH(_mm256_sqrt_pd(x.a), _mm256_sqrt_pd(x.b));
}
static inline lanes lanes_with(lanes x, int i, double value)
{
    __m256d at = _mm256_set1_pd((double)i), v = _mm256_set1_pd(value);
    __m256d low = _mm256_cmp_pd(_mm256_set_pd(3, 2, 1, 0), at, _CMP_EQ_OQ);
    __m256d high = _mm256_cmp_pd(_mm256_set_pd(7, 6, 5, 4), at, _CMP_EQ_OQ);
    return LANES_EACH(_mm256_blendv_pd(x.a, v, low), _mm256_blendv_pd(x.b, v, high));
}
static inline int lanes_argmin(lanes x)
{
    __m256d m = _mm256_min_pd(x.a, x.b);
    m = _mm256_min_pd(m, _mm256_permute2f128_pd(m, m, 1));
    m = _mm256_min_pd(m, _mm256_permute_pd(m, 5));
    int least = _mm256_movemask_pd(_mm256_cmp_pd(x.a, m, _CMP_EQ_OQ)) |
                _mm256_movemask_pd(_mm256_cmp_pd(x.b, m, _CMP_EQ_OQ)) << 4;
    return least ? __builtin_ctz((unsigned)least) : 0;
}
static inline __m256d lanes_halves(lanes x)
{
    return _mm256_add_pd(x.a, x.b);
}

#else

typedef struct lanes {
    double at[ABUTI_LANES];
} lanes;
typedef struct lane_mask {
    int at[ABUTI_LANES];
} lane_mask;

/* The body of a function of one expression, which sees the number of the lane as i. */
#define LANES_EACH(expression)                                                                               \
    lanes r;                                                                                                 \
    for (int i = 0; i < ABUTI_LANES; ++i) r.at[i] = (expression);                                            \
    return r

static inline lanes lanes_load(const double *p)
{
    LANES_EACH(p[i]);
}
static inline void lanes_store(double *p, lanes a)
{
    for (int i = 0; i < ABUTI_LANES; ++i) p[i] = a.at[i];
}
static inline lanes lanes_load_any(const double *p)
{
    return lanes_load(p);
}
static inline void lanes_store_any(double *p, lanes a)
{
    lanes_store(p, a);
}
static inline lanes lanes_all(double a)
{
    LANES_EACH(a);
}
static inline lanes lanes_add(lanes a, lanes b)
{
    LANES_EACH(a.at[i] + b.at[i]);
}
static inline lanes lanes_sub(lanes a, lanes b)
{
    LANES_EACH(a.at[i] - b.at[i]);
}
static inline lanes lanes_mul(lanes a, lanes b)
{
    LANES_EACH(a.at[i] * b.at[i]);
}
static inline lanes lanes_madd(lanes a, lanes b, lanes c)
{
    LANES_EACH(abuti_madd(a.at[i], b.at[i], c.at[i]));
}
static inline lanes lanes_msub(lanes a, lanes b, lanes c)
{
    LANES_EACH(abuti_madd(-a.at[i], b.at[i], c.at[i]));
}
static inline lanes lanes_max(lanes a, lanes b)
{
    LANES_EACH(a.at[i] > b.at[i] ? a.at[i] : b.at[i]);
}
static inline lanes lanes_min(lanes a, lanes b)
{
    LANES_EACH(a.at[i] < b.at[i] ? a.at[i] : b.at[i]);
}
static inline lanes lanes_abs(lanes a)
{
    LANES_EACH(fabs(a.at[i]));
}
static inline lane_mask lanes_less(lanes a, lanes b)
{
    lane_mask m;
    for (int i = 0; i < ABUTI_LANES; ++i) m.at[i] = a.at[i] < b.at[i];
    return m;
}
static inline lane_mask lanes_and(lane_mask a, lane_mask b)
{
    for (int i = 0; i < ABUTI_LANES; ++i) a.at[i] &= b.at[i];
    return a;
}
static inline lanes lanes_select(lane_mask m, lanes a, lanes b)
{
    LANES_EACH(m.at[i] ? a.at[i] : b.at[i]);
}
static inline int lanes_any(lane_mask m)
{
    int any = 0;
    for (int i = 0; i < ABUTI_LANES; ++i) any |= m.at[i];
    return any;
}
static inline unsigned lanes_bits(lane_mask m)
{
    unsigned bits = 0;
    for (int i = 0; i < ABUTI_LANES; ++i) bits |= (m.at[i] ? 1u : 0u) << i;
    return bits;
}
static inline lanes lanes_gather(const double *base, const int *index)
{
    LANES_EACH(base[index[i]]);
}

static inline lanes lanes_pick(const double *x, const int *index)
{
    LANES_EACH(index[i] < 0 ? 0.0 : x[index[i]]);
}
static inline lanes lanes_pick16(const double *x, const int *index)
{
    return lanes_gather(x, index);
}
static inline lanes lanes_div(lanes a, lanes b)
{
    LANES_EACH(a.at[i] / b.at[i]);
}
static inline lanes lanes_sqrt(lanes a)
{
    LANES_EACH(sqrt(a.at[i]));
}
static inline lanes lanes_with(lanes a, int i, double x)
{
    a.at[i] = x;
    return a;
}
static inline int lanes_argmin(lanes a)
{
    int least = 0;
    for (int i = 1; i < ABUTI_LANES; ++i) least = a.at[i] < a.at[least] ? i : least;
    return least;
}

#endif

/* Lane i is first + i. */
static inline lanes lanes_count_from(double first)
{
    static _Alignas(64) const double count[ABUTI_LANES] = {0, 1, 2, 3, 4, 5, 6, 7};
    return lanes_add(lanes_all(first), lanes_load(count));
}

/* The largest of all lanes, at least 0; NaN is passed over. */
static inline double lanes_most(lanes a)
{
    a = lanes_max(a, lanes_all(0.0));
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
    return _mm512_reduce_max_pd(a);
#else
    _Alignas(64) double by_lane[ABUTI_LANES];
    lanes_store(by_lane, a);
    double largest = 0.0;
    for (int l = 0; l < ABUTI_LANES; ++l) largest = by_lane[l] > largest ? by_lane[l] : largest;
    return largest;
#endif
}

/* The least of all lanes. */
static inline double lanes_least(lanes a)
{
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
    return _mm512_reduce_min_pd(a);
#else
    _Alignas(64) double by_lane[ABUTI_LANES];
    lanes_store(by_lane, a);
    double least = by_lane[0];
    for (int l = 1; l < ABUTI_LANES; ++l) least = by_lane[l] < least ? by_lane[l] : least;
    return least;
#endif
}

/* The sum of all lanes, in halves: (0+4, 1+5, 2+6, 3+7), then (0+2, 1+3), then the two. */
static inline double lanes_sum(lanes a)
{
#if defined(__AVX2__) && defined(__FMA__)
    __m256d half = lanes_halves(a);
    __m128d quarter = _mm_add_pd(_mm256_castpd256_pd128(half), _mm256_extractf128_pd(half, 1));
    return _mm_cvtsd_f64(_mm_add_sd(quarter, _mm_unpackhi_pd(quarter, quarter)));
#else
    double h0 = a.at[0] + a.at[4], h1 = a.at[1] + a.at[5], h2 = a.at[2] + a.at[6], h3 = a.at[3] + a.at[7];
    return (h0 + h2) + (h1 + h3);
#endif
}

#endif
