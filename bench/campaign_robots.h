/* The campaign `robots`: blocks, bounded rows and compliance. Every problem is solved in its own coordinates, and every
 * fourth also in maximal ones. Small problems that end without an answer are given to an exhaustive search, which must
 * find none. The campaigns `robots-circle` and `robots-ellipse` do the same with these cones, which the search does not
 * know. Rows for the table in campaigns.c. */
#ifndef ABUT_BENCH_CAMPAIGN_ROBOTS_H
#define ABUT_BENCH_CAMPAIGN_ROBOTS_H

#include "stress.h"

void *robots_campaign_open(const stress_family *family);
void robots_campaign_close(void *state);
stress_verdict robots_campaign_one(void *state, bench_random *random);
bool robots_campaign_dump(void *state, FILE *file);

#define ROBOTS_ROW(campaign, name, text)                                                                     \
    {                                                                                                        \
        campaign, name, text, 20000, ".json", NULL, robots_campaign_close, robots_campaign_one,              \
            robots_campaign_dump, robots_campaign_open                                                       \
    }
/* By their names in family_robots.c. */
#define ROBOTS_CAMPAIGN(campaign)                                                                            \
    ROBOTS_ROW(campaign, "trees", "one tree of 2 to 40 freedoms, 1 to 40 contacts"),                         \
        ROBOTS_ROW(campaign, "bounces", "the same with restitution; rays allowed"),                          \
        ROBOTS_ROW(campaign, "motors", "bounded motors in every hinge, some too weak"),                      \
        ROBOTS_ROW(campaign, "brakes", "dry friction, given torques, rows twice"),                           \
        ROBOTS_ROW(campaign, "ropes", "limits of hinges and ropes"),                                         \
        ROBOTS_ROW(campaign, "holding", "two robots that hold a box"),                                       \
        ROBOTS_ROW(campaign, "loops", "trees that are closed, with motors"),                                 \
        ROBOTS_ROW(campaign, "soft", "compliant fingers driven by position"),                                \
        ROBOTS_ROW(campaign, "mixed", "a robot among boxes, one island")

#define ROBOTS_CAMPAIGNS                                                                                     \
    ROBOTS_CAMPAIGN("robots"), ROBOTS_CAMPAIGN("robots-circle"), ROBOTS_CAMPAIGN("robots-ellipse")

#endif
