/* stress.h: the frame of `abut stress NAME`.
 *
 * A campaign is a set of families of random problems that share a name. Each family is one row in
 * the table of campaigns.c: it makes problem number i from its own random stream, solves it, has it verified
 * and says what came out. The frame counts, and on anything that must not happen dumps the problem
 * to a file that `abut lcp` or `abut solve` reads, so that a failure is a bug report at once.
 */
#ifndef ABUT_STRESS_H
#define ABUT_STRESS_H

#include "abut/base.h"
#include "random.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* What one problem gave. */
typedef struct stress_verdict {
    abut_outcome outcome;
    double residual; /* as an own call of the verifier found it; read when outcome is ABUT_SOLVED */
    bool accepted;   /* this may happen in this family: solved within its tolerance, or an allowed outcome */
} stress_verdict;

typedef struct stress_family {
    const char *campaign;
    const char *name;
    const char *summary;
    int usual_count;     /* problems when --count is not given */
    const char *suffix;  /* of dumped problems: ".json", ".dat" */
    void *(*open)(void); /* workspace and buffers of the family; NULL: out of memory */
    void (*close)(void *state);
    /* Makes a problem, solves and verifies it. */
    stress_verdict (*one)(void *state, bench_random *random);
    /* Writes the problem that `one` made last. */
    bool (*dump)(void *state, FILE *file);
    /* Takes the place of `open` where many families share it and are told apart by their names. */
    void *(*open_named)(const struct stress_family *family);
} stress_family;

/* The table, in campaigns.c; ends with a NULL campaign. */
extern const stress_family stress_families[];

typedef struct stress_tally {
    long long count;
    long long outcomes[ABUT_FAILED + 1];
    long long rejected; /* not accepted: a failure of abut */
    double worst_residual;
    double seconds;
    char first_dump[256]; /* file of the first rejected problem, or "" */
} stress_tally;

typedef struct stress_options {
    long long count; /* 0: usual */
    long long first; /* index of the first problem */
    uint64_t seed;
    const char *directory; /* where dumps go */
    bool progress;
} stress_options;

/* Runs one family. False when memory is short or a dump could not be written. */
bool stress_run(const stress_family *family, const stress_options *options, stress_tally *tally);

#endif
