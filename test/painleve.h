/* Painleve's rod: half length 1, mass 1, tan(theta) = 2, its tip ahead and sliding at 1 m/s, mu = 2. */
#ifndef ABUT_TEST_PAINLEVE_H
#define ABUT_TEST_PAINLEVE_H

#include "abut/contact.h"
#include <math.h>

static inline abut_body painleve_rod(void)
{
    return (abut_body){.mass = 1.0,
                       .inertia = {1.0 / 3, 1.0 / 3, 1.0 / 3},
                       .com = {0, 0, 2.0 / sqrt(5.0)},
                       .velocity = {1.0, 0, 0},
                       .force = {0, 0, -9.81}};
}

static inline abut_contact painleve_tip(void)
{
    return (abut_contact){.bodies = {0, ABUT_WORLD},
                          .point = {1.0 / sqrt(5.0), 0, 0},
                          .normal = {0, 0, 1},
                          .tangent = {1, 0, 0},
                          .friction = 2.0,
                          .directions = 2};
}

#endif
