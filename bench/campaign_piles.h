/* The campaign `piles`: one island of 30, 100 or 1,000 bodies, solved cold by default options, each problem within its
 * budget. A problem that is not solved must end as `limit`, with velocities to go on from; it counts as a failure all
 * the same. Rows for the table in campaigns.c. */
#ifndef ABUT_BENCH_CAMPAIGN_PILES_H
#define ABUT_BENCH_CAMPAIGN_PILES_H

#include "stress.h"

void *piles_campaign_open(const stress_family *family);
void piles_campaign_close(void *state);
stress_verdict piles_campaign_one(void *state, bench_random *random);
bool piles_campaign_dump(void *state, FILE *file);

#define PILES_ROW(name, text, count)                                                                         \
    {                                                                                                        \
        "piles", name, text, count, ".json", NULL, piles_campaign_close, piles_campaign_one,                 \
            piles_campaign_dump, piles_campaign_open                                                         \
    }
/* By the names of the families in family_piles.c, and the number of bodies. */
#define PILES_CAMPAIGN                                                                                       \
    PILES_ROW("heap-30", "boxes in layers, a little off the lattice", 1000),                                 \
        PILES_ROW("bin-30", "the same between walls", 1000),                                                 \
        PILES_ROW("cluster-30", "bodies in contact at random points, friction to 1.5", 1000),                \
        PILES_ROW("heap-100", "heaps of 100", 100), PILES_ROW("bin-100", "bins of 100", 100),                \
        PILES_ROW("cluster-100", "clusters of 100", 100), PILES_ROW("heap-1000", "heaps of 1,000", 10),      \
        PILES_ROW("bin-1000", "bins of 1,000", 10), PILES_ROW("cluster-1000", "clusters of 1,000", 10)

#endif
