/* `abut stress union`: random unions by both rules and three models, each answer lifted to the published LCP
 * (where the model has one) and judged there too. Rows for the table in campaigns.c. */
#ifndef ABUT_BENCH_CAMPAIGN_UNION_H
#define ABUT_BENCH_CAMPAIGN_UNION_H

#include "stress.h"

void *union_campaign_open(const stress_family *family);
void union_campaign_close(void *state);
stress_verdict union_campaign_one(void *state, bench_random *random);
bool union_campaign_dump(void *state, FILE *file);

#define UNION_ROW(family, count, text)                                                                       \
    {                                                                                                        \
        "union", family, text, count, ".json", NULL, union_campaign_close, union_campaign_one,               \
            union_campaign_dump, union_campaign_open                                                         \
    }

/* A number at the end of a name is that of the unions. */
#define UNION_CAMPAIGN                                                                                       \
    UNION_ROW("max", 20000, "the exact union: 1 to 4 groups of 1 to 5 sides, friction, ordinary contacts"),  \
        UNION_ROW("sum", 20000, "the same by the summation formulation"),                                    \
        UNION_ROW("max-frictionless", 20000, "without friction"),                                            \
        UNION_ROW("sum-frictionless", 20000, "without friction"),                                            \
        UNION_ROW("max-no-slip", 20000, "contacts that do not slip"),                                        \
        UNION_ROW("sum-no-slip", 20000, "the same by the summation formulation"),                            \
        UNION_ROW("max-no-slip-8", 1000, "eight groups"), UNION_ROW("max-no-slip-12", 1000, "twelve groups")

#endif
