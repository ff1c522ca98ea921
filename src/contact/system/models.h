/* The table of models: what each of them asks, one row a model. Code that treats models differently asks the
 * row what it needs to know, and does not name the model; a further model is a row here, a judge in
 * verify/models.c, and stages that say they answer it. (The verifier has a table of its own.) */
#ifndef ABUTI_CONTACT_SYSTEM_MODELS_H
#define ABUTI_CONTACT_SYSTEM_MODELS_H

#include "abut/contact.h"

/* What decides the tangential impulse of a contact. */
typedef enum abuti_friction_law {
    ABUTI_LAW_NONE,    /* there is none */
    ABUTI_LAW_COULOMB, /* it lies in a cone and opposes the slip */
    ABUTI_LAW_GIVEN,   /* it is known beforehand, from the velocities */
    ABUTI_LAW_HELD,    /* it is whatever keeps the contact from slipping */
} abuti_friction_law;

/* More solvers than `auto` tries for any model. */
#define ABUTI_AUTOMATIC_MAX 4

typedef struct abuti_model {
    const char *name;  /* what people type and read */
    bool acceleration; /* the unknowns are forces and accelerations, else impulses and velocities */
    abuti_friction_law friction;
    bool unions; /* contacts may be sides of unions */
    /* There need be no forces, and an impulse may be the answer: a ray is kept with its direction, and is no reason to
     * look for a proof of infeasibility. */
    bool ray_is_answer;
    /* What `auto` means: the first of these that answers through the door at hand; AUTO ends the list. */
    abut_contact_solver automatic[ABUTI_AUTOMATIC_MAX + 1];
} abuti_model;

extern const abuti_model abuti_models[ABUT_MODEL_COUNT];

/* The model has been checked. */
static inline const abuti_model *abuti_model_of(abut_contact_model model)
{
    return &abuti_models[model];
}

#endif
