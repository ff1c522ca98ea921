/* The table of campaigns: one row a family, families of one campaign together. */
#include "campaign_accel.h"
#include "campaign_active_set.h"
#include "campaign_contact.h"
#include "campaign_lcp.h"
#include "campaign_piles.h"
#include "campaign_rest.h"
#include "campaign_robots.h"
#include "campaign_union.h"
#include "campaign_worlds.h"
#include "stress.h"

const stress_family stress_families[] = {
    LCP_CAMPAIGN_FAMILIES, ACTIVE_SET_FAMILIES, CONTACT_CAMPAIGNS, ROBOTS_CAMPAIGNS, ACCEL_CAMPAIGN,
    REST_CAMPAIGN,         UNION_CAMPAIGN,      WORLDS_CAMPAIGN,   PILES_CAMPAIGN,   {0},
};
