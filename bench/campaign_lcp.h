/* Families of the campaign `lcp`: one for each family of lcp_families.c, solved by `auto`. */
#ifndef ABUT_BENCH_CAMPAIGN_LCP_H
#define ABUT_BENCH_CAMPAIGN_LCP_H

#include "stress.h"

void *lcp_campaign_open(const stress_family *family);
void lcp_campaign_close(void *state);
stress_verdict lcp_campaign_one(void *state, bench_random *random);
bool lcp_campaign_dump(void *state, FILE *file);

#define LCP_CAMPAIGN(family, text)                                                                           \
    {                                                                                                        \
        .campaign = "lcp", .name = family, .summary = text, .usual_count = 10000, .suffix = ".json",         \
        .open_named = lcp_campaign_open, .close = lcp_campaign_close, .one = lcp_campaign_one,               \
        .dump = lcp_campaign_dump                                                                            \
    }

#define LCP_CAMPAIGN_FAMILIES                                                                                \
    LCP_CAMPAIGN("definite", "symmetric positive definite"),                                                 \
        LCP_CAMPAIGN("semidefinite", "symmetric of every rank, solvable"),                                   \
        LCP_CAMPAIGN("semidefinite-any-q", "symmetric of every rank, any q"),                                \
        LCP_CAMPAIGN("duplicated", "low rank, every row several times"),                                     \
        LCP_CAMPAIGN("ties", "small integers, exact ties"),                                                  \
        LCP_CAMPAIGN("badly-scaled", "scales from 1e-8 to 1e8"),                                             \
        LCP_CAMPAIGN("p", "positive definite, unsymmetric"),                                                 \
        LCP_CAMPAIGN("copositive", "nonnegative with positive diagonal"), LCP_CAMPAIGN("z", "M-matrices"),   \
        LCP_CAMPAIGN("skew", "linear programmes"),                                                           \
        LCP_CAMPAIGN("unsymmetric", "semidefinite and degenerate"),                                          \
        LCP_CAMPAIGN("z-any-q", "Z-matrices, any q"),                                                        \
        LCP_CAMPAIGN("skew-any-q", "linear programmes, any q"),                                              \
        LCP_CAMPAIGN("any", "no structure: any honest outcome")

#endif
