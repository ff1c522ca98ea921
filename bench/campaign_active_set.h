/* Families of the campaign `active-set`: rows for the table in campaigns.c, one a class of psd_classes.h. */
#ifndef ABUT_BENCH_CAMPAIGN_ACTIVE_SET_H
#define ABUT_BENCH_CAMPAIGN_ACTIVE_SET_H

#include "stress.h"

void *active_set_open(const stress_family *family);
void active_set_close(void *state);
stress_verdict active_set_one(void *state, bench_random *random);
bool active_set_dump(void *state, FILE *file);

#define ACTIVE_SET_FAMILY(class_name, text)                                                                  \
    {                                                                                                        \
        .campaign = "active-set", .name = class_name, .summary = text, .usual_count = 10000,                 \
        .suffix = ".json", .open_named = active_set_open, .close = active_set_close, .one = active_set_one,  \
        .dump = active_set_dump,                                                                             \
    }

#define ACTIVE_SET_FAMILIES                                                                                  \
    ACTIVE_SET_FAMILY("pd", "symmetric positive definite"),                                                  \
        ACTIVE_SET_FAMILY("pd-unsymmetric", "positive definite with a skew part"),                           \
        ACTIVE_SET_FAMILY("psd", "rank-deficient, always solvable"),                                         \
        ACTIVE_SET_FAMILY("flat", "contacts on a plane, rank 3"),                                            \
        ACTIVE_SET_FAMILY("stack", "frictionless stacks")

#endif
