/* LCPs in files: JSON, Matrix Market (with q in a second file), Siconos .dat. */
#ifndef ABUTI_LCP_FILE_H
#define ABUTI_LCP_FILE_H

#include "abut/lcp.h"
#include "io/text.h"

/* An LCP that owns its arrays. */
typedef struct abuti_lcp_data {
    int n;
    double *M; /* n x n */
    double *q; /* n */
    int free_count;
    int *free_indices; /* ascending */
    double *start;     /* n, the z of a similar problem to start from; or NULL */
} abuti_lcp_data;

void abuti_lcp_data_release(abuti_lcp_data *data);
/* The data as a problem for the solvers. It borrows the arrays. */
abut_lcp_problem abuti_lcp_data_problem(const abuti_lcp_data *data);

/* Reads a file, by its extension (.json, .mtx, .dat) or, without a known one, by its first characters.
 * `q_path` goes with .mtx, and must be NULL otherwise. On failure `error` says where and why, and
 * *data is empty. */
bool abuti_lcp_read(const char *path, const char *q_path, abuti_lcp_data *data, abut_error *error);

/* The readers of one format each; they leave *data empty on failure. */
bool abuti_lcp_read_json(abuti_text *text, abuti_lcp_data *data);
bool abuti_lcp_read_siconos(abuti_text *text, abuti_lcp_data *data);
bool abuti_lcp_read_matrix_market(abuti_text *text, abuti_text *q_text, abuti_lcp_data *data);

/* Writers. A Matrix Market file holds one matrix, so its q goes to a second file. */
bool abuti_lcp_write_json(FILE *file, const abut_lcp_problem *problem);
bool abuti_lcp_write_siconos(FILE *file, const abut_lcp_problem *problem);
bool abuti_lcp_write_matrix_market(FILE *file, FILE *q_file, const abut_lcp_problem *problem);

/* What `abut lcp --json` printed, as far as `abut check` needs it. */
typedef struct abuti_lcp_solution {
    char outcome[16];
    int n;           /* length of z or witness */
    int count;       /* points in z: 1, or more when "solutions" lists all */
    double *z;       /* count x n, or NULL */
    double *witness; /* n, or NULL */
} abuti_lcp_solution;

bool abuti_lcp_solution_read(abuti_text *text, int n, abuti_lcp_solution *solution);
void abuti_lcp_solution_release(abuti_lcp_solution *solution);

#endif
