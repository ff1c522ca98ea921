/* LCPs of Siconos: n, the matrix, q; what follows is a comment. */
#include "io/lcp_file.h"
#include "io/siconos_matrix.h"

bool abuti_lcp_read_siconos(abuti_text *text, abuti_lcp_data *data)
{
    *data = (abuti_lcp_data){0};
    bool fine = abuti_text_integer(text, "n", 1, ABUTI_DENSE_MAX_N, &data->n) &&
                abuti_siconos_matrix(text, "M", data->n, data->n, &data->M) &&
                abuti_text_numbers(text, "q", (size_t)data->n, 0, &data->q);
    if (!fine) abuti_lcp_data_release(data);
    return fine;
}

bool abuti_lcp_write_siconos(FILE *file, const abut_lcp_problem *problem)
{
    if (problem->free_count > 0) return false;
    fprintf(file, "%d\n", problem->n);
    abuti_siconos_matrix_write(file, problem->M, problem->n, problem->ld);
    abuti_siconos_vector_write(file, problem->q, problem->n);
    return !ferror(file);
}
