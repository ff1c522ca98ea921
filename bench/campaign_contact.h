/* Campaigns on contact problems. Rows for the table in campaigns.c.
 *
 *     contact                   every family of contact_families.c by the default order of attack
 *     circle, ellipse           the same with circles or ellipses for cones
 *     contact-reduced, ...      by each solver alone
 *     contact-frictionless      without friction
 *     viscous, no-slip          Drumwright's models on bodies that move; every third problem has its contacts twice
 *
 * The family `jittered` of no-slip has noise of another size, see family_jittered.c. */
#ifndef ABUT_BENCH_CAMPAIGN_CONTACT_H
#define ABUT_BENCH_CAMPAIGN_CONTACT_H

#include "stress.h"

void *contact_campaign_open(const stress_family *family);
void contact_campaign_close(void *state);
stress_verdict contact_campaign_one(void *state, bench_random *random);
bool contact_campaign_dump(void *state, FILE *file);

#define CONTACT_ROW(campaign, family, text)                                                                  \
    {                                                                                                        \
        campaign, family, text, 20000, ".json", NULL, contact_campaign_close, contact_campaign_one,          \
            contact_campaign_dump, contact_campaign_open                                                     \
    }

/* The families by their names in contact_families.c. */
#define CONTACT_CAMPAIGN(campaign)                                                                           \
    CONTACT_ROW(campaign, "pegs", "peg in a hole, 8 to 32 contacts"),                                        \
        CONTACT_ROW(campaign, "jittered", "pegs with points and normals a little off"),                      \
        CONTACT_ROW(campaign, "single", "ten situations of one body"),                                       \
        CONTACT_ROW(campaign, "stacks", "Lloyd's ten stacks"),                                               \
        CONTACT_ROW(campaign, "towers", "6 to 10 blocks"), CONTACT_ROW(campaign, "walls", "4 to 12 bricks"), \
        CONTACT_ROW(campaign, "symmetric-pegs", "everything alike, wrench on an axis"),                      \
        CONTACT_ROW(campaign, "symmetric-stacks", "gravity alone, edge of slipping or tipping"),             \
        CONTACT_ROW(campaign, "duplicates", "up to 200 contacts on one body"),                               \
        CONTACT_ROW(campaign, "masses", "masses up to 1e6 apart"),                                           \
        CONTACT_ROW(campaign, "directions", "2 to 64 directions"),                                           \
        CONTACT_ROW(campaign, "friction", "friction from 0 to 5"),                                           \
        CONTACT_ROW(campaign, "rough", "friction up to 1e9"),                                                \
        CONTACT_ROW(campaign, "inertias", "inertias up to 1e10 apart"),                                      \
        CONTACT_ROW(campaign, "gaps", "moving bodies, gaps >= 0"),                                           \
        CONTACT_ROW(campaign, "rebound", "overlap and restitution; rays allowed"),                           \
        CONTACT_ROW(campaign, "units", "masses, lengths, forces over twelve decades"),                       \
        CONTACT_ROW(campaign, "chains", "pinned links, rows once or twice"),                                 \
        CONTACT_ROW(campaign, "driven", "chains with motors; rays allowed"),                                 \
        CONTACT_ROW(campaign, "loops", "closed rings of hinged links"),                                      \
        CONTACT_ROW(campaign, "belts", "belts, turntables, moving walls"),                                   \
        CONTACT_ROW(campaign, "clutter", "several islands, mixed everything")

#define DRUMWRIGHT_CAMPAIGN(campaign)                                                                        \
    CONTACT_ROW(campaign, "pegs", "peg in a hole, 8 to 32 contacts"),                                        \
        CONTACT_ROW(campaign, "single", "ten situations of one body"),                                       \
        CONTACT_ROW(campaign, "stacks", "Lloyd's ten stacks"),                                               \
        CONTACT_ROW(campaign, "symmetric-stacks", "gravity alone, edge of slipping or tipping"),             \
        CONTACT_ROW(campaign, "chains", "pinned links, rows once or twice"),                                 \
        CONTACT_ROW(campaign, "loops", "closed rings of hinged links")

#define CONTACT_CAMPAIGNS                                                                                    \
    CONTACT_CAMPAIGN("contact"), CONTACT_CAMPAIGN("contact-faces"), CONTACT_CAMPAIGN("contact-reduced"),     \
        CONTACT_CAMPAIGN("contact-structural"), CONTACT_CAMPAIGN("contact-lemke"),                           \
        CONTACT_CAMPAIGN("contact-frictionless"), CONTACT_CAMPAIGN("circle"), CONTACT_CAMPAIGN("ellipse"),   \
        DRUMWRIGHT_CAMPAIGN("viscous"), DRUMWRIGHT_CAMPAIGN("no-slip"),                                      \
        CONTACT_ROW("no-slip", "jittered", "noise of 1e-11 to 1e-5 m, single precision, slopes")

#endif
