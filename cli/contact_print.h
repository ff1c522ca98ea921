/* The answer to a contact problem, as a table for people and as JSON for scripts. */

#ifndef ABUT_CLI_CONTACT_PRINT_H
#define ABUT_CLI_CONTACT_PRINT_H

#include "abut/contact.h"

#include <stdio.h>

typedef struct contact_report {
    const char *title; /* what the table calls the problem */
    const abut_contact_problem *problem;
    double tolerance;
    int directions;               /* --directions, or 0 when the problem's own were used */
    const char *cone;             /* --cone, or NULL when the problem's own were used */
    int accel_directions;         /* of the acceleration level */
    bool asked_impulse;           /* --impulse */
    bool alone;                   /* --alone */
    const char *only_stage;       /* --stage, or NULL */
    double slide_threshold;       /* --slide-threshold, or < 0: not given */
    double impact_seconds;        /* --impact-seconds */
    abut_viscous_rule viscous;    /* --viscous */
    abut_union_rule union_rule;   /* --union */
    double union_epsilon;         /* --epsilon, or 0 */
    double restitution_threshold; /* m/s */
    abut_contact_result result;
    double time_us;
    const struct statics_report *statics; /* --report statics, or NULL */
    const struct solutions *solutions;    /* --all, or NULL */
    const struct others *others;          /* --others, or NULL */
} contact_report;

void contact_print_table(FILE *file, const contact_report *report);
void contact_print_json(FILE *file, const contact_report *report);

#endif
