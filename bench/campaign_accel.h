/* Campaign `baraff`: contact forces at the acceleration level. Rows for the table in campaigns.c. */
#ifndef ABUT_BENCH_CAMPAIGN_ACCEL_H
#define ABUT_BENCH_CAMPAIGN_ACCEL_H

#include "stress.h"

void *accel_campaign_open(const stress_family *family);
void accel_campaign_close(void *state);
stress_verdict accel_campaign_one(void *state, bench_random *random);
bool accel_campaign_dump(void *state, FILE *file);

#define ACCEL_ROW(family, text)                                                                              \
    {                                                                                                        \
        "baraff", family, text, 20000, ".json", NULL, accel_campaign_close, accel_campaign_one,              \
            accel_campaign_dump, accel_campaign_open                                                         \
    }

#define ACCEL_CAMPAIGN                                                                                       \
    ACCEL_ROW("plane-static", "2-D, redundant contacts, at rest"),                                           \
        ACCEL_ROW("plane", "2-D, some contacts slide; rays allowed"),                                        \
        ACCEL_ROW("space-static", "3-D, redundant contacts, at rest"),                                       \
        ACCEL_ROW("space", "3-D, some contacts slide; rays allowed"),                                        \
        ACCEL_ROW("mechanisms", "pinned links on the ground, 2-D and 3-D; rays allowed")

#endif
