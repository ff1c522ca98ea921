/* One row a model; models.h tells what the columns mean. */
#include "contact/system/models.h"

const abuti_model abuti_models[ABUT_MODEL_COUNT] = {
    [ABUT_COULOMB] = {.name = "coulomb",
                      .friction = ABUTI_LAW_COULOMB,
                      .unions = true,
                      .automatic = {ABUT_SOLVER_FACES, ABUT_SOLVER_REDUCED, ABUT_SOLVER_LEMKE}},
    [ABUT_FRICTIONLESS] = {.name = "frictionless",
                           .friction = ABUTI_LAW_NONE,
                           .unions = true,
                           .automatic = {ABUT_SOLVER_FACES, ABUT_SOLVER_DANTZIG, ABUT_SOLVER_LEMKE}},
    [ABUT_COULOMB_ACCEL] = {.name = "coulomb-accel",
                            .acceleration = true,
                            .friction = ABUTI_LAW_COULOMB,
                            .ray_is_answer = true,
                            .automatic = {ABUT_SOLVER_DRIVE}},
    [ABUT_VISCOUS] = {.name = "viscous",
                      .acceleration = true,
                      .friction = ABUTI_LAW_GIVEN,
                      .automatic = {ABUT_SOLVER_PPM}},
    [ABUT_NO_SLIP] = {.name = "no-slip",
                      .friction = ABUTI_LAW_HELD,
                      .unions = true,
                      .automatic = {ABUT_SOLVER_PPM}},
};
