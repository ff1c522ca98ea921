/* Random problems of the acceleration level: blocks on and beside each other, in the plane or in space, at
 * rest or sliding, with far more contacts than they need. */
#ifndef ABUT_BENCH_FAMILY_ACCEL_H
#define ABUT_BENCH_FAMILY_ACCEL_H

#include "contact_families.h"

typedef enum accel_motion {
    ACCEL_AT_REST, /* every contact is static */
    ACCEL_MIXED,   /* some bodies slide */
    ACCEL_SLIDING, /* all do */
} accel_motion;

/* `bodies` blocks with about `contacts` contacts; friction up to `friction`. planar: everything lies in the
 * x-z plane and friction acts in it. */
void accel_make(contact_case *c, bool planar, int bodies, int contacts, accel_motion motion, double friction,
                bench_random *random);
/* A chain of links, pinned to each other and to the world, that lies on the ground: 2 joint rows a pin in the
 * plane, 3 in space. */
void accel_make_mechanism(contact_case *c, bool planar, int links, accel_motion motion, bench_random *random);

#endif
