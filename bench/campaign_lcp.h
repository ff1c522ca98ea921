/* Families of the campaign `lcp`: one for each family of lcp_families.c, solved by `auto`. */
#ifndef ABUT_BENCH_CAMPAIGN_LCP_H
#define ABUT_BENCH_CAMPAIGN_LCP_H

#include "stress.h"

void *lcp_campaign_definite(void);
void *lcp_campaign_semidefinite(void);
void *lcp_campaign_any_q(void);
void *lcp_campaign_duplicated(void);
void *lcp_campaign_ties(void);
void *lcp_campaign_badly_scaled(void);
void *lcp_campaign_p(void);
void *lcp_campaign_copositive(void);
void *lcp_campaign_z(void);
void *lcp_campaign_skew(void);
void *lcp_campaign_unsymmetric(void);
void *lcp_campaign_any(void);
void lcp_campaign_close(void *state);
stress_verdict lcp_campaign_one(void *state, bench_random *random);
bool lcp_campaign_dump(void *state, FILE *file);

#define LCP_CAMPAIGN(family, text, opener)                                                                   \
    {                                                                                                        \
        "lcp", family, text, 10000, ".json", opener, lcp_campaign_close, lcp_campaign_one, lcp_campaign_dump \
    }

#define LCP_CAMPAIGN_FAMILIES                                                                                \
    LCP_CAMPAIGN("definite", "symmetric positive definite", lcp_campaign_definite),                          \
        LCP_CAMPAIGN("semidefinite", "symmetric of every rank, solvable", lcp_campaign_semidefinite),        \
        LCP_CAMPAIGN("semidefinite-any-q", "symmetric of every rank, any q", lcp_campaign_any_q),            \
        LCP_CAMPAIGN("duplicated", "low rank, every row several times", lcp_campaign_duplicated),            \
        LCP_CAMPAIGN("ties", "small integers, exact ties", lcp_campaign_ties),                               \
        LCP_CAMPAIGN("badly-scaled", "scales from 1e-8 to 1e8", lcp_campaign_badly_scaled),                  \
        LCP_CAMPAIGN("p", "positive definite, unsymmetric", lcp_campaign_p),                                 \
        LCP_CAMPAIGN("copositive", "nonnegative with positive diagonal", lcp_campaign_copositive),           \
        LCP_CAMPAIGN("z", "M-matrices", lcp_campaign_z),                                                     \
        LCP_CAMPAIGN("skew", "linear programmes", lcp_campaign_skew),                                        \
        LCP_CAMPAIGN("unsymmetric", "semidefinite and degenerate", lcp_campaign_unsymmetric),                \
        LCP_CAMPAIGN("any", "no structure: any honest outcome", lcp_campaign_any)

#endif
