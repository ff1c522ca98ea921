/* The table of campaigns: one row a family, families of one campaign together. */
#include "stress.h"

const stress_family stress_families[] = {
    {0},
};
