/* Which vector width the processor runs: the one place that asks it.
 *
 * Code that is compiled for several widths (.inl) keeps its variants in an array by width, with NULL for those
 * that the build has not made, and takes the entry of abuti_cpu_width. */
#ifndef ABUTI_BASE_CPU_H
#define ABUTI_BASE_CPU_H

#include <stdbool.h>
#include <stddef.h>

typedef enum abuti_width {
    ABUTI_WIDTH_PLAIN = 0, /* any machine */
    ABUTI_WIDTH_AVX2,      /* AVX2 and FMA */
    ABUTI_WIDTH_AVX512,    /* AVX-512 F, DQ, VL and FMA */
    ABUTI_WIDTHS
} abuti_width;

/* An entry of such an array. */
#ifdef ABUT_HAVE_AVX2
#define ABUTI_IF_AVX2(variant) (variant)
#else
#define ABUTI_IF_AVX2(variant) NULL
#endif
#ifdef ABUT_HAVE_AVX512
#define ABUTI_IF_AVX512(variant) (variant)
#else
#define ABUTI_IF_AVX512(variant) NULL
#endif

/* Whether the processor runs a width and the build has made it. */
bool abuti_cpu_runs(abuti_width width);
/* The widest of them. */
abuti_width abuti_cpu_width(void);

#endif
