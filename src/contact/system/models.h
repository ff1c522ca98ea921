/* The table of models: what each of them asks, one row a model. Code that treats models differently asks the row what
 * it needs to know, and does not compare a model with a name; test_layers holds that. A further model is a row here, a
 * row and a judge in verify/models.c (the verifier has a table of its own), and a stage, if none answers its law. */
#ifndef ABUTI_CONTACT_SYSTEM_MODELS_H
#define ABUTI_CONTACT_SYSTEM_MODELS_H

#include "abut/contact.h"

/* The most solvers that `auto` tries for a model. */
#define ABUTI_AUTOMATIC_MAX 4

typedef struct abuti_model_row {
    abut_model_info info;
    /* `auto` means the first of these that answers through the door at hand; AUTO ends the list. */
    abut_contact_solver automatic[ABUTI_AUTOMATIC_MAX + 1];
} abuti_model_row;

extern const abuti_model_row abuti_models[ABUT_MODEL_COUNT];

/* The model has been checked. */
static inline const abut_model_info *abuti_model_of(abut_contact_model model)
{
    return &abuti_models[model].info;
}

/* A question is a law of friction at a level. Each has a bit, with which stages say what they answer. */
#define ABUTI_ON_IMPULSES(law) (1u << (law))
#define ABUTI_ON_FORCES(law) (1u << 8 << (law))
#define ABUTI_CONES_OF_IMPULSES (ABUTI_ON_IMPULSES(ABUT_LAW_COULOMB) | ABUTI_ON_IMPULSES(ABUT_LAW_NONE))

/* The bit of a model's question; 0 if there is no such model. */
static inline unsigned abuti_question_of(abut_contact_model model)
{
    if ((unsigned)model >= ABUT_MODEL_COUNT) return 0;
    const abut_model_info *info = abuti_model_of(model);
    return info->acceleration ? ABUTI_ON_FORCES(info->friction) : ABUTI_ON_IMPULSES(info->friction);
}

/* Coulomb's law on impulses, in cones of which the contacts choose the kind. */
static inline bool abuti_is_coulomb(abut_contact_model model)
{
    return abuti_question_of(model) == ABUTI_ON_IMPULSES(ABUT_LAW_COULOMB);
}

/* Coulomb's law on forces, in polygons that the options choose. */
static inline bool abuti_is_coulomb_accel(abut_contact_model model)
{
    return abuti_question_of(model) == ABUTI_ON_FORCES(ABUT_LAW_COULOMB);
}

/* Coulomb's law on impulses, or no friction at all, which is a cone without width. */
static inline bool abuti_has_cones_of_impulses(abut_contact_model model)
{
    return (abuti_question_of(model) & ABUTI_CONES_OF_IMPULSES) != 0;
}

#endif
