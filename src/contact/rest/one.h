/* One body whose contacts all touch and do not slip: the load is shared evenly, and squeezed if need be (rest.h), eight
 * contacts at a time. */
#ifndef ABUTI_CONTACT_REST_ONE_H
#define ABUTI_CONTACT_REST_ONE_H

#include "contact/system/system.h"

typedef struct rest_one_kernel {
    /* Finds impulses that hold the body, by axis and lane; false when none are found in this way. `scratch` has
     * 3 * lanes numbers. */
    bool (*hold)(const abuti_system *system, double *const p[3], double *scratch);
    /* Whether the normals of the contacts nearly cancel: they surround the body, so that it can be squeezed. */
    bool (*surrounded)(const abuti_system *system);
} rest_one_kernel;

extern const rest_one_kernel abuti_rest_one_plain;
extern const rest_one_kernel abuti_rest_one_avx2;
extern const rest_one_kernel abuti_rest_one_avx512;

const rest_one_kernel *abuti_rest_one_choose(void);
/* The question of the kernel; false where the system is not one body that only contacts hold. */
bool abuti_rest_one_surrounded(const abuti_system *system);
/* Whether the system is one that this kernel serves. */
bool abuti_rest_one_serves(const abuti_system *system);

#endif
