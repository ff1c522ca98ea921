/* Families of the campaign `active-set`: rows for the table in campaigns.c. */
#ifndef ABUT_BENCH_CAMPAIGN_ACTIVE_SET_H
#define ABUT_BENCH_CAMPAIGN_ACTIVE_SET_H

#include "stress.h"

void *active_set_open_definite(void);
void *active_set_open_unsymmetric(void);
void *active_set_open_semi(void);
void *active_set_open_flat(void);
void *active_set_open_stack(void);
void active_set_close(void *state);
stress_verdict active_set_one(void *state, bench_random *random);
bool active_set_dump(void *state, FILE *file);

#define ACTIVE_SET_FAMILY(family, text, opener)                                                              \
    {                                                                                                        \
        .campaign = "active-set", .name = family, .summary = text, .usual_count = 10000, .suffix = ".json",  \
        .open = opener, .close = active_set_close, .one = active_set_one, .dump = active_set_dump            \
    }

#define ACTIVE_SET_FAMILIES                                                                                  \
    ACTIVE_SET_FAMILY("pd", "symmetric positive definite", active_set_open_definite),                        \
        ACTIVE_SET_FAMILY("pd-unsymmetric", "positive definite with a skew part",                            \
                          active_set_open_unsymmetric),                                                      \
        ACTIVE_SET_FAMILY("psd", "rank-deficient, always solvable", active_set_open_semi),                   \
        ACTIVE_SET_FAMILY("flat", "contacts on a plane, rank 3", active_set_open_flat),                      \
        ACTIVE_SET_FAMILY("stack", "frictionless stacks", active_set_open_stack)

#endif
