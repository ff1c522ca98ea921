/* The friction polygons' directions, from a table that was made without libm, so that every machine has the
 * same bits. They are exactly symmetric wherever the true ones are: about both axes and both diagonals, and
 * direction j + d/2 is minus direction j. test/test_directions.c tells how they were computed and checks
 * every bit. */
#include "contact/system/system.h"

static const double table[] = {
#include "contact/system/directions_table.h"
};

const double *abuti_direction(int d, int j)
{
    /* 2 + 3 + ... + (d-1) directions come before those of d. */
    return table + 2 * (d * (d - 1) / 2 - 1 + j);
}
