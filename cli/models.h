/* What the command line asks about models, by the library's table of them. */
#ifndef ABUT_CLI_MODELS_H
#define ABUT_CLI_MODELS_H

#include "abut/contact.h"

static inline bool model_accelerates(abut_contact_model model)
{
    return abut_contact_model_info(model)->acceleration;
}

/* Coulomb's law on impulses: contacts choose their cones. */
static inline bool model_is_coulomb(abut_contact_model model)
{
    return !model_accelerates(model) && abut_contact_model_info(model)->friction == ABUT_LAW_COULOMB;
}

/* Coulomb's law on forces: the options choose the polygons. */
static inline bool model_is_coulomb_accel(abut_contact_model model)
{
    return model_accelerates(model) && abut_contact_model_info(model)->friction == ABUT_LAW_COULOMB;
}

static inline bool model_has_law(abut_contact_model model, abut_friction_law law)
{
    return abut_contact_model_info(model)->friction == law;
}

#endif
