/* Further answers of a problem (`abut solve --others N`): Coulomb's law can have several, and no method lists them
 * all. Other stages, covering vectors and states to start from are tried. An answer is kept when the verifier accepts
 * it and its motion differs from those that are known. */
#ifndef ABUT_CLI_OTHERS_H
#define ABUT_CLI_OTHERS_H

#include "abut/contact.h"
#include "io/json_write.h"

#include <stdio.h>

typedef struct other_answer {
    const char *stage; /* that found it */
    unsigned seed;     /* its covering vectors */
    bool started;      /* from states, made from the seed */
    double energy;     /* kinetic, after the step, J */
    double residual;
    double *velocity; /* 6 a body */
} other_answer;

typedef struct others {
    int numbers; /* of a velocity */
    int count;
    other_answer *answers; /* the first is the answer that the solve returned */
    int tried;             /* attempts */
} others;

/* Up to `wanted` answers beside the one that `result` holds; false: memory is short. */
bool others_find(const abut_contact_problem *problem, const abut_contact_options *options,
                 const abut_contact_result *result, int wanted, others *out);
void others_release(others *o);
void others_print(FILE *file, const others *o);
/* The member "other_answers" of an open object. */
void others_json(abuti_json *json, const others *o);

#endif
