/* The verdict of `abut check`, as words for people and as JSON for scripts. */

#ifndef ABUT_CLI_VERDICT_H
#define ABUT_CLI_VERDICT_H

#include <stdbool.h>
#include <stdio.h>

/* One measured number. */
typedef struct finding {
    const char *name, *words;
    double value;
} finding;

/* The judgement of a claim. Where --all listed answers, every one is judged, and the findings are those of the
 * worst. */
typedef struct verdict {
    bool right;
    const char *claim;
    const finding *findings;
    int count;         /* of findings */
    int worst;         /* index in the worst answer, or -1 */
    int listed;        /* answers of --all */
    const bool *fails; /* [listed], then that of the answer beside them */
} verdict;

void verdict_print(FILE *file, const verdict *v, double tolerance);
void verdict_json(FILE *file, const verdict *v);

#endif
