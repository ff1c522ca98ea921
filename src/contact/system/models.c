/* One row a model. The columns of a row's first part are public, and contact.h tells what they mean. */
#include "contact/system/models.h"

const abuti_model_row abuti_models[ABUT_MODEL_COUNT] = {
    [ABUT_COULOMB] =
        {.info = {.name = "coulomb", .friction = ABUT_LAW_COULOMB, .unions = true, .impact = ABUT_COULOMB},
         .automatic = {ABUT_SOLVER_FACES, ABUT_SOLVER_REDUCED, ABUT_SOLVER_LEMKE}},
    [ABUT_FRICTIONLESS] = {.info = {.name = "frictionless",
                                    .friction = ABUT_LAW_NONE,
                                    .unions = true,
                                    .impact = ABUT_FRICTIONLESS},
                           .automatic = {ABUT_SOLVER_FACES, ABUT_SOLVER_DANTZIG, ABUT_SOLVER_LEMKE}},
    [ABUT_COULOMB_ACCEL] = {.info = {.name = "coulomb-accel",
                                     .acceleration = true,
                                     .friction = ABUT_LAW_COULOMB,
                                     .ray_is_answer = true,
                                     .impact = ABUT_COULOMB},
                            .automatic = {ABUT_SOLVER_DRIVE}},
    [ABUT_VISCOUS] = {.info = {.name = "viscous",
                               .acceleration = true,
                               .friction = ABUT_LAW_GIVEN,
                               .impact = ABUT_FRICTIONLESS},
                      .automatic = {ABUT_SOLVER_PPM}},
    [ABUT_NO_SLIP] =
        {.info = {.name = "no-slip", .friction = ABUT_LAW_HELD, .unions = true, .impact = ABUT_NO_SLIP},
         .automatic = {ABUT_SOLVER_PPM}},
};

const abut_model_info *abut_contact_model_info(abut_contact_model model)
{
    return (unsigned)model < ABUT_MODEL_COUNT ? &abuti_models[model].info : NULL;
}
