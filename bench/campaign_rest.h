/* The campaign `rest`: problems for which a linear program of the campaign's own says that rest is possible; rest must
 * be the answer. Rows for the table in campaigns.c. */
#ifndef ABUT_BENCH_CAMPAIGN_REST_H
#define ABUT_BENCH_CAMPAIGN_REST_H

#include "stress.h"

void *rest_campaign_open(const stress_family *family);
void rest_campaign_close(void *state);
stress_verdict rest_campaign_one(void *state, bench_random *random);
bool rest_campaign_dump(void *state, FILE *file);

#define REST_ROW(name, text)                                                                                 \
    {                                                                                                        \
        "rest", name, text, 2000, ".json", NULL, rest_campaign_close, rest_campaign_one, rest_campaign_dump, \
            rest_campaign_open                                                                               \
    }
/* By their names in family_rest.c. */
#define REST_CAMPAIGN                                                                                        \
    REST_ROW("grasps", "blocks between two fingers that can hold them"),                                     \
        REST_ROW("wedges", "a body between inclined planes that can hold it"),                               \
        REST_ROW("arches", "arches that can stand"), REST_ROW("stacks", "leaning stacks that can stand"),    \
        REST_ROW("heaps", "heaps that can lie as they are")

#endif
