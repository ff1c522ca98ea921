/* Textbook LCPs with known answers, as a table in C so that a test needs neither a path nor a parser.
 *
 * Murty's exponential family (Lemke with cover e walks through 2^n pivots), Kostreva's cycling
 * problem, infeasible, copositive, skew, P, rank-deficient and trivial ones. `pivots` counts the
 * first z0 pivot and belongs to Lemke with cover e and lexicographic ties; `outcome` is what Lemke
 * must say (a ray where no solution lies on its path). `solutions` are known points row by row: all
 * of them when `expect` is "unique", some of them when it is "solvable" or "continuum". */
#ifndef GOLDEN_LCP_H
#define GOLDEN_LCP_H

#include <stddef.h>

typedef struct golden_lcp {
    const char *name;
    int n;
    const char *expect;  /* "unique", "solvable", "continuum", "trivial", "infeasible" */
    const char *outcome; /* of Lemke with cover e: "solved" or "ray" */
    int pivots;
    const double *M; /* n x n, row-major */
    const double *q;
    int solution_count;
    const double *solutions; /* solution_count rows of n numbers, or NULL */
} golden_lcp;

/* clang-format off */
static const double golden_murty_exponential_n2_M[] = {
    1, 0,
    2, 1,
};
static const double golden_murty_exponential_n2_q[] = {-4, -6};
static const double golden_murty_exponential_n2_z[] = {4, 0};
static const double golden_murty_exponential_n3_M[] = {
    1, 0, 0,
    2, 1, 0,
    2, 2, 1,
};
static const double golden_murty_exponential_n3_q[] = {-8, -12, -14};
static const double golden_murty_exponential_n3_z[] = {8, 0, 0};
static const double golden_murty_exponential_n4_M[] = {
    1, 0, 0, 0,
    2, 1, 0, 0,
    2, 2, 1, 0,
    2, 2, 2, 1,
};
static const double golden_murty_exponential_n4_q[] = {-16, -24, -28, -30};
static const double golden_murty_exponential_n4_z[] = {16, 0, 0, 0};
static const double golden_murty_exponential_n5_M[] = {
    1, 0, 0, 0, 0,
    2, 1, 0, 0, 0,
    2, 2, 1, 0, 0,
    2, 2, 2, 1, 0,
    2, 2, 2, 2, 1,
};
static const double golden_murty_exponential_n5_q[] = {-32, -48, -56, -60, -62};
static const double golden_murty_exponential_n5_z[] = {32, 0, 0, 0, 0};
static const double golden_murty_exponential_n6_M[] = {
    1, 0, 0, 0, 0, 0,
    2, 1, 0, 0, 0, 0,
    2, 2, 1, 0, 0, 0,
    2, 2, 2, 1, 0, 0,
    2, 2, 2, 2, 1, 0,
    2, 2, 2, 2, 2, 1,
};
static const double golden_murty_exponential_n6_q[] = {-64, -96, -112, -120, -124, -126};
static const double golden_murty_exponential_n6_z[] = {64, 0, 0, 0, 0, 0};
static const double golden_murty_exponential_n7_M[] = {
    1, 0, 0, 0, 0, 0, 0,
    2, 1, 0, 0, 0, 0, 0,
    2, 2, 1, 0, 0, 0, 0,
    2, 2, 2, 1, 0, 0, 0,
    2, 2, 2, 2, 1, 0, 0,
    2, 2, 2, 2, 2, 1, 0,
    2, 2, 2, 2, 2, 2, 1,
};
static const double golden_murty_exponential_n7_q[] = {-128, -192, -224, -240, -248, -252, -254};
static const double golden_murty_exponential_n7_z[] = {128, 0, 0, 0, 0, 0, 0};
static const double golden_murty_exponential_n8_M[] = {
    1, 0, 0, 0, 0, 0, 0, 0,
    2, 1, 0, 0, 0, 0, 0, 0,
    2, 2, 1, 0, 0, 0, 0, 0,
    2, 2, 2, 1, 0, 0, 0, 0,
    2, 2, 2, 2, 1, 0, 0, 0,
    2, 2, 2, 2, 2, 1, 0, 0,
    2, 2, 2, 2, 2, 2, 1, 0,
    2, 2, 2, 2, 2, 2, 2, 1,
};
static const double golden_murty_exponential_n8_q[] = {-256, -384, -448, -480, -496, -504, -508, -510};
static const double golden_murty_exponential_n8_z[] = {256, 0, 0, 0, 0, 0, 0, 0};
static const double golden_murty_exponential_n9_M[] = {
    1, 0, 0, 0, 0, 0, 0, 0, 0,
    2, 1, 0, 0, 0, 0, 0, 0, 0,
    2, 2, 1, 0, 0, 0, 0, 0, 0,
    2, 2, 2, 1, 0, 0, 0, 0, 0,
    2, 2, 2, 2, 1, 0, 0, 0, 0,
    2, 2, 2, 2, 2, 1, 0, 0, 0,
    2, 2, 2, 2, 2, 2, 1, 0, 0,
    2, 2, 2, 2, 2, 2, 2, 1, 0,
    2, 2, 2, 2, 2, 2, 2, 2, 1,
};
static const double golden_murty_exponential_n9_q[] = {-512, -768, -896, -960, -992, -1008, -1016, -1020, -1022};
static const double golden_murty_exponential_n9_z[] = {512, 0, 0, 0, 0, 0, 0, 0, 0};
static const double golden_murty_exponential_n10_M[] = {
    1, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    2, 1, 0, 0, 0, 0, 0, 0, 0, 0,
    2, 2, 1, 0, 0, 0, 0, 0, 0, 0,
    2, 2, 2, 1, 0, 0, 0, 0, 0, 0,
    2, 2, 2, 2, 1, 0, 0, 0, 0, 0,
    2, 2, 2, 2, 2, 1, 0, 0, 0, 0,
    2, 2, 2, 2, 2, 2, 1, 0, 0, 0,
    2, 2, 2, 2, 2, 2, 2, 1, 0, 0,
    2, 2, 2, 2, 2, 2, 2, 2, 1, 0,
    2, 2, 2, 2, 2, 2, 2, 2, 2, 1,
};
static const double golden_murty_exponential_n10_q[] = {-1024, -1536, -1792, -1920, -1984, -2016, -2032, -2040, -2044, -2046};
static const double golden_murty_exponential_n10_z[] = {1024, 0, 0, 0, 0, 0, 0, 0, 0, 0};
static const double golden_kostreva_cycle_M[] = {
    1, 2, 0,
    0, 1, 2,
    2, 0, 1,
};
static const double golden_kostreva_cycle_q[] = {-1, -1, -1};
static const double golden_kostreva_cycle_z[] = {0.3333333333333333, 0.3333333333333333, 0.3333333333333333};
static const double golden_psd_sym_infeasible_M[] = {
    1, -1,
    -1, 1,
};
static const double golden_psd_sym_infeasible_q[] = {-1, -1};
static const double golden_psd_skew_lp_M[] = {
    0, 0, -1, -1,
    0, 0, -1, -2,
    1, 1, 0, 0,
    1, 2, 0, 0,
};
static const double golden_psd_skew_lp_q[] = {3, 4, -2, -3};
static const double golden_psd_skew_lp_z[] = {1, 1, 2, 1};
static const double golden_ray_but_solvable_M[] = {
    0, 1,
    1, 0,
};
static const double golden_ray_but_solvable_q[] = {-1, -1};
static const double golden_ray_but_solvable_z[] = {1, 1};
static const double golden_p_matrix_n4_M[] = {
    4, -1, 0, 1,
    1, 3, -2, 0,
    0, 2, 5, 1,
    -1, 0, 1, 2,
};
static const double golden_p_matrix_n4_q[] = {-4, 1, -6, -3};
static const double golden_p_matrix_n4_z[] = {0.6666666666666665, 0.04761904761904766, 0.9047619047619048, 1.3809523809523812};
static const double golden_psd_rank1_continuum_M[] = {
    1, 1,
    1, 1,
};
static const double golden_psd_rank1_continuum_q[] = {-1, -1};
static const double golden_psd_rank1_continuum_z[] = {1, 0, 0, 1, 0.5, 0.5};
static const double golden_neg_diag_nosolution_M[] = {
    -1,
};
static const double golden_neg_diag_nosolution_q[] = {-1};
static const double golden_q_nonneg_trivial_M[] = {
    0, -5,
    7, -3,
};
static const double golden_q_nonneg_trivial_q[] = {0, 2};
static const double golden_q_nonneg_trivial_z[] = {0, 0};
static const double golden_singular_zero_matrix_M[] = {
    0, 0,
    0, 0,
};
static const double golden_singular_zero_matrix_q[] = {1e-17, 0};
static const double golden_singular_zero_matrix_z[] = {0, 0};

static const golden_lcp golden_lcps[] = {
    {"murty_exponential_n2", 2, "unique", "solved", 4, golden_murty_exponential_n2_M, golden_murty_exponential_n2_q, 1, golden_murty_exponential_n2_z},
    {"murty_exponential_n3", 3, "unique", "solved", 8, golden_murty_exponential_n3_M, golden_murty_exponential_n3_q, 1, golden_murty_exponential_n3_z},
    {"murty_exponential_n4", 4, "unique", "solved", 16, golden_murty_exponential_n4_M, golden_murty_exponential_n4_q, 1, golden_murty_exponential_n4_z},
    {"murty_exponential_n5", 5, "unique", "solved", 32, golden_murty_exponential_n5_M, golden_murty_exponential_n5_q, 1, golden_murty_exponential_n5_z},
    {"murty_exponential_n6", 6, "unique", "solved", 64, golden_murty_exponential_n6_M, golden_murty_exponential_n6_q, 1, golden_murty_exponential_n6_z},
    {"murty_exponential_n7", 7, "unique", "solved", 128, golden_murty_exponential_n7_M, golden_murty_exponential_n7_q, 1, golden_murty_exponential_n7_z},
    {"murty_exponential_n8", 8, "unique", "solved", 256, golden_murty_exponential_n8_M, golden_murty_exponential_n8_q, 1, golden_murty_exponential_n8_z},
    {"murty_exponential_n9", 9, "unique", "solved", 512, golden_murty_exponential_n9_M, golden_murty_exponential_n9_q, 1, golden_murty_exponential_n9_z},
    {"murty_exponential_n10", 10, "unique", "solved", 1024, golden_murty_exponential_n10_M, golden_murty_exponential_n10_q, 1, golden_murty_exponential_n10_z},
    {"kostreva_cycle", 3, "unique", "solved", 4, golden_kostreva_cycle_M, golden_kostreva_cycle_q, 1, golden_kostreva_cycle_z},
    {"psd_sym_infeasible", 2, "infeasible", "ray", 2, golden_psd_sym_infeasible_M, golden_psd_sym_infeasible_q, 0, NULL},
    {"psd_skew_lp", 4, "solvable", "solved", 5, golden_psd_skew_lp_M, golden_psd_skew_lp_q, 1, golden_psd_skew_lp_z},
    {"ray_but_solvable", 2, "unique", "ray", 1, golden_ray_but_solvable_M, golden_ray_but_solvable_q, 1, golden_ray_but_solvable_z},
    {"p_matrix_n4", 4, "unique", "solved", 5, golden_p_matrix_n4_M, golden_p_matrix_n4_q, 1, golden_p_matrix_n4_z},
    {"psd_rank1_continuum", 2, "continuum", "solved", 2, golden_psd_rank1_continuum_M, golden_psd_rank1_continuum_q, 3, golden_psd_rank1_continuum_z},
    {"neg_diag_nosolution", 1, "infeasible", "ray", 1, golden_neg_diag_nosolution_M, golden_neg_diag_nosolution_q, 0, NULL},
    {"q_nonneg_trivial", 2, "trivial", "solved", 0, golden_q_nonneg_trivial_M, golden_q_nonneg_trivial_q, 1, golden_q_nonneg_trivial_z},
    {"singular_zero_matrix", 2, "trivial", "solved", 0, golden_singular_zero_matrix_M, golden_singular_zero_matrix_q, 1, golden_singular_zero_matrix_z},
};
/* clang-format on */

#define GOLDEN_LCP_COUNT ((int)(sizeof golden_lcps / sizeof golden_lcps[0]))

#endif
