/* Looking at definitions: check.h. */
#include "world/check.h"
#include <math.h>

abut_status abuti_no_memory(abut_error *error)
{
    abuti_invalid(error, "there is no memory for it");
    return ABUT_OUT_OF_MEMORY;
}

bool abuti_finite(const double *numbers, int count)
{
    for (int i = 0; i < count; ++i) {
        if (!(fabs(numbers[i]) <= 1e100)) return false;
    }
    return true;
}

bool abuti_at_least(double number, double least)
{
    return number >= least && number <= 1e100;
}

bool abuti_unit(double *numbers, int count)
{
    double square = 0;
    if (!abuti_finite(numbers, count)) return false;
    for (int i = 0; i < count; ++i) square += numbers[i] * numbers[i];
    if (!(square > 1e-200)) return false;
    double length = sqrt(square);
    for (int i = 0; i < count; ++i) numbers[i] /= length;
    return true;
}
