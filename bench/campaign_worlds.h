/* The campaign `worlds`: closed loops of random worlds, in which nothing may become infinite, leave its box, gain
 * energy in a step, or go unverified without being counted. Rows for the table in campaigns.c. */
#ifndef ABUT_BENCH_CAMPAIGN_WORLDS_H
#define ABUT_BENCH_CAMPAIGN_WORLDS_H

#include "stress.h"

void *worlds_campaign_open(const stress_family *family);
void worlds_campaign_close(void *state);
stress_verdict worlds_campaign_one(void *state, bench_random *random);
bool worlds_campaign_dump(void *state, FILE *file);

#define WORLDS_ROW(name, text, count)                                                                        \
    {                                                                                                        \
        "worlds", name, text, count, ".json", NULL, worlds_campaign_close, worlds_campaign_one,              \
            worlds_campaign_dump, worlds_campaign_open                                                       \
    }
/* By their names in campaign_worlds.c. */
#define WORLDS_CAMPAIGN                                                                                      \
    WORLDS_ROW("drops", "mixed shapes fall into a box, 4 s each", 1000),                                     \
        WORLDS_ROW("rings", "rings of hinges with limits, closed by a loop, 4 s each", 200),                 \
        WORLDS_ROW("squeezes", "bodies between a wall and a mover that goes on, 2 s each", 200)

#endif
