/* `abut stress union`: random unions by both rules and three models, each answer lifted to the published LCP
 * (where the model has one) and judged there too. Rows for the table in campaigns.c. */
#ifndef ABUT_BENCH_CAMPAIGN_UNION_H
#define ABUT_BENCH_CAMPAIGN_UNION_H

#include "stress.h"

void *union_campaign_open(const stress_family *family);
void union_campaign_close(void *state);
stress_verdict union_campaign_one(void *state, bench_random *random);
bool union_campaign_dump(void *state, FILE *file);

#define UNION_ROW(family, text)                                                                              \
    {                                                                                                        \
        "union", family, text, 20000, ".json", NULL, union_campaign_close, union_campaign_one,               \
            union_campaign_dump, union_campaign_open                                                         \
    }

#define UNION_CAMPAIGN                                                                                       \
    UNION_ROW("max", "the exact union: 1 to 4 groups of 1 to 5 sides, friction, ordinary contacts"),         \
        UNION_ROW("sum", "the same by the summation formulation"),                                           \
        UNION_ROW("max-frictionless", "without friction"),                                                   \
        UNION_ROW("sum-frictionless", "without friction"),                                                   \
        UNION_ROW("max-no-slip", "contacts that do not slip"),                                               \
        UNION_ROW("sum-no-slip", "the same by the summation formulation")

#endif
