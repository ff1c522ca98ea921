/* The table of campaigns: one row a family, families of one campaign together. */
#include "campaign_active_set.h"
#include "stress.h"

const stress_family stress_families[] = {
    ACTIVE_SET_FAMILIES,
    {0},
};
