/* The answer to a contact problem, as a table for people and as JSON for scripts. */

#ifndef ABUT_CLI_CONTACT_PRINT_H
#define ABUT_CLI_CONTACT_PRINT_H

#include "abut/contact.h"

#include <stdio.h>

typedef struct contact_report {
    const char *title; /* what the table calls the problem */
    const abut_contact_problem *problem;
    double tolerance;
    int directions; /* --directions, or 0 when the problem's own were used */
    abut_contact_result result;
    double time_us;
} contact_report;

void contact_print_table(FILE *file, const contact_report *report);
void contact_print_json(FILE *file, const contact_report *report);

#endif
