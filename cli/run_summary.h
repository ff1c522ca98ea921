/* What a run came to: numbers gathered step by step, printed as a table or as JSON. */
#ifndef ABUT_CLI_RUN_SUMMARY_H
#define ABUT_CLI_RUN_SUMMARY_H

#include "abut/scene.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct run_summary {
    const char *scene, *see, *model, *solver;
    double step, time;
    bool interrupted;
    long steps, unverified;   /* steps whose outcome is not solved */
    long unsolved;            /* islands that took the safe step */
    double contacts, islands; /* sums over steps */
    int contacts_max, islands_max;
    long long pivots;
    double residual, penetration, loop_error; /* the worst */
    double energy_first, energy_last, energy_max, kinetic;
    double stages[ABUT_STEP_STAGES]; /* s */
    double *seconds;                 /* one a step */
    long capacity;
} run_summary;

/* False: memory is short. */
bool run_summary_add(run_summary *summary, const abut_step_report *report, double seconds);
void run_summary_print(FILE *out, run_summary *summary);
void run_summary_json(FILE *out, run_summary *summary);
void run_summary_release(run_summary *summary);

#endif
