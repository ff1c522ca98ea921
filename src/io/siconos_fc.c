/* Friction-contact problems of Siconos in local form: dimension (2 or 3), number of contacts, the matrix W, q (normal
 * and tangents of one contact after the other), mu. What follows is not read. */
#include "io/contact_file.h"
#include "io/delassus.h"
#include "io/siconos_matrix.h"

#include <stdlib.h>

static bool read_all(abuti_text *text, abuti_contact_data *data)
{
    double *mu = NULL;
    int contacts;
    if (!abuti_text_integer(text, "dimension", 2, 3, &data->dimension) ||
        !abuti_text_integer(text, "contacts", 1, ABUTI_DENSE_MAX_N / data->dimension, &contacts))
        return false;
    int n = data->dimension * contacts;
    if (!abuti_siconos_matrix(text, "W", n, n + contacts, &data->W) ||
        !abuti_text_numbers(text, "q", (size_t)n, 0, &data->q) ||
        !abuti_text_numbers(text, "mu", (size_t)contacts, 0, &mu))
        return false;
    bool fine = abuti_contact_data_local(data, contacts, mu) || abuti_text_out_of_memory(text);
    free(mu);
    return fine;
}

bool abuti_contact_read_siconos(abuti_text *text, abuti_contact_data *data)
{
    *data = (abuti_contact_data){.step = 1};
    bool fine = read_all(text, data);
    if (!fine) abuti_contact_data_release(data);
    return fine;
}

bool abuti_contact_write_siconos(FILE *file, const abut_contact_problem *problem,
                                 const abut_contact_options *options, abut_error *error)
{
    abuti_delassus local;
    if (problem->joint_count > 0) {
        snprintf(error->text, sizeof error->text, "a Siconos .dat file holds no joints");
        return false;
    }
    if (!abuti_delassus_form(problem, options, &local, error)) return false;
    int n = local.dimension * problem->contact_count;
    fprintf(file, "%d\n%d\n", local.dimension, problem->contact_count);
    abuti_siconos_matrix_write(file, local.W, n, n);
    abuti_siconos_vector_write(file, local.q, n);
    for (int i = 0; i < problem->contact_count; ++i)
        fprintf(file, "%s%.17g", i > 0 ? " " : "", problem->contacts[i].friction);
    fputc('\n', file);
    abuti_delassus_release(&local);
    return !ferror(file);
}
