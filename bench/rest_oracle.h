/* Whether a contact problem can rest. A linear program decides, which shares no code with the library:
 *
 *     sum over generators of the friction cones of x * wrench = -(M v + step force),   x >= 0
 *
 * It is solved as phase one of a plain dense simplex method; joint rows are free unknowns. The problem must come
 * through the bodies' door, without gaps and without kinematic bodies. */
#ifndef ABUT_BENCH_REST_ORACLE_H
#define ABUT_BENCH_REST_ORACLE_H

#include "abut/contact.h"

#include <stdbool.h>

typedef enum rest_finding {
    REST_IMPOSSIBLE,
    REST_POSSIBLE,
    REST_UNCLEAR, /* too close to call, by rounding or by very large impulses; or memory is short */
} rest_finding;

rest_finding rest_oracle(const abut_contact_problem *problem);
/* Whether a problem that can rest can also do so with forces that are off by a millionth, one way and the other. Where
 * it cannot, rest hangs on rounding. */
bool rest_has_room(const abut_contact_problem *problem);
/* Kinetic energy of velocities (6 a body; NULL: the free motion that no contact stops), J. */
double rest_energy(const abut_contact_problem *problem, const double *velocity);

#endif
