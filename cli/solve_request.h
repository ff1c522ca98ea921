/* What the command line of `abut solve` asks for, and whether this problem has an answer to it: an option
 * that would change nothing is refused, in one line that says where it belongs. */

#ifndef ABUT_CLI_SOLVE_REQUEST_H
#define ABUT_CLI_SOLVE_REQUEST_H

#include "io/contact_file.h"
#include "options.h"

enum { REPORT_NONE = 0, REPORT_STATICS };

/* The model of the file, in the table of choices. */
enum { MODEL_OF_FILE = 0 };
/* The cones of the file, likewise. */
enum { CONE_OF_FILE = 0 };

typedef struct solve_request {
    const char *path;
    const char *stage, *warm_from; /* or NULL */
    long long index, model, solver, report;
    long long directions;                                   /* 0: not given */
    long long cone;                                         /* CONE_OF_FILE, or 1 + abut_contact_cone */
    long long max_pivots;                                   /* 0: not given */
    long long others;                                       /* 0: not given */
    long long rule, prefer, accel_directions;               /* or NOT_GIVEN */
    long long joint_rows, viscous;                          /* or NOT_GIVEN */
    double tolerance, max_seconds;                          /* seconds 0: not given */
    double epsilon, slide_threshold, restitution_threshold; /* or NOT_GIVEN */
    double impact_seconds;                                  /* or NOT_GIVEN */
    bool alone, json, all, impulse;
} solve_request;

/* Reads the command line. True: go on. False: end with *status. */
bool solve_request_parse(int argc, char **argv, solve_request *r, int *status);

/* Each of these returns EXIT_SOLVED: go on; or the status to end with, after one line on standard error. */
/* --directions, before it replaces what the file says. */
int solve_refuse_directions(const solve_request *r, const abuti_contact_data *data);
/* --cone, likewise. */
int solve_refuse_cone(const solve_request *r, const abuti_contact_data *data);
/* --warm-from, before its file is read. */
int solve_refuse_warm(const solve_request *r, const abut_contact_problem *problem);
/* All others. */
int solve_refuse(const solve_request *r, const abut_contact_problem *problem);

#endif
