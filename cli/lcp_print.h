/* The answer to an LCP, as a table for people and as JSON for scripts. */

#ifndef ABUT_CLI_LCP_PRINT_H
#define ABUT_CLI_LCP_PRINT_H

#include "abut/lcp.h"

#include <stdio.h>

typedef struct lcp_report {
    const char *path;
    const abut_lcp_problem *problem;
    double tolerance;
    abut_lcp_result result;
    double time_us;
} lcp_report;

/* All solutions: count records of n numbers z, n numbers w and the residual. */
typedef struct lcp_points {
    int n, count, capacity;
    double *values;
    bool out_of_memory;
} lcp_points;

/* `points` is NULL when only one solution was asked for. */
void lcp_print_table(FILE *file, const lcp_report *report, const lcp_points *points);
void lcp_print_json(FILE *file, const lcp_report *report, const lcp_points *points);

/* A trace function that prints a table; its context is an lcp_trace. */
typedef struct lcp_trace {
    FILE *file;
    int n;
} lcp_trace;
void lcp_print_trace(const abut_lcp_trace *record, void *context);

#endif
