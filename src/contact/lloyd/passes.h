/* The straight passes of Lloyd's methods over lanes and pairs, in several widths, chosen at run time: one
 * source, lloyd/passes.inl, is compiled for any machine, for AVX2 and for AVX-512. Every pass works lane by
 * lane or folds eight partial results in one fixed order, without fused operations, so every width gives the
 * same bits. Counts are multiples of eight. */
#ifndef ABUTI_CONTACT_LLOYD_PASSES_H
#define ABUTI_CONTACT_LLOYD_PASSES_H

/* The limits by which the ratio test of step 1 judges. */
typedef struct abuti_lloyd_limits {
    double noise; /* a rate above -(noise + cover_noise * |cover|) is none */
    double cover_noise;
    double slack;   /* how far below zero a variable may be taken */
    double longest; /* the step that takes no variable below -slack */
} abuti_lloyd_limits;

typedef struct abuti_lloyd_passes {
    /* u += sum over components of row_c v_c, lane by lane; both are `dim` arrays of lanes */
    void (*add_products)(int lanes, int dim, const double *rows, const double *v, double *u);
    /* out = x + cover z0 */
    void (*normals)(int lanes, const double *u, const double *cover, double z0, double *out);
    /* out = mu theta - sum + cover z0 */
    void (*cones)(int lanes, const double *mu, const double *theta, const double *sum, const double *cover,
                  double z0, double *out);
    /* out = dx u[0] + dy u[1] + cover z0 + real shift */
    void (*tangents)(int count, const double *dx, const double *dy, const double *cover, const double *real,
                     const double u[2], double z0, double shift, double *out);
    /* reach = max(reach, (x^2 + y^2) factor^2) */
    void (*reaches)(int lanes, const double *x, const double *y, double factor, double *reach);
    /* the least (max(value, 0) + slack) / -rate over the falling */
    double (*longest_step)(int count, const double *value, const double *rate, const double *cover,
                           const abuti_lloyd_limits *limits);
    /* the most negative rate among the falling whose value is gone within the longest step: its index, or -1
     */
    int (*steepest)(int count, const double *value, const double *rate, const double *cover,
                    const abuti_lloyd_limits *limits);
} abuti_lloyd_passes;

const abuti_lloyd_passes *abuti_lloyd_passes_choose(void);

extern const abuti_lloyd_passes abuti_lloyd_passes_plain;
extern const abuti_lloyd_passes abuti_lloyd_passes_avx2;
extern const abuti_lloyd_passes abuti_lloyd_passes_avx512;

#endif
