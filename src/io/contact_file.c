#include "io/contact_file.h"
#include "io/format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void abuti_contact_data_release(abuti_contact_data *data)
{
    free(data->bodies);
    free(data->contacts);
    free(data->joints);
    free(data->W);
    free(data->q);
    free(data->start);
    abuti_block_data *b = &data->blocks;
    free(b->sizes);
    free(b->parents);
    double *const numbers[] = {b->mass, b->velocity, b->force, b->normals, b->tangents, b->joints};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) free(numbers[i]);
    *data = (abuti_contact_data){0};
}

int abuti_contact_numbers(const abut_contact_problem *problem)
{
    return problem->generalised ? problem->generalised->nv : 6 * problem->body_count;
}

abut_contact_problem abuti_contact_data_problem(abuti_contact_data *data)
{
    const abuti_block_data *b = &data->blocks;
    data->local = (abut_local){.dimension = data->dimension, .W = data->W, .q = data->q};
    data->generalised = (abut_generalised){.nv = b->numbers,
                                           .mass_matrix = b->mass,
                                           .velocity = b->velocity,
                                           .force = b->force,
                                           .normal_rows = b->normals,
                                           .tangent_rows = b->tangents,
                                           .joint_rows = b->joints,
                                           .block_count = b->count,
                                           .block_sizes = b->sizes,
                                           .parents = b->parents};
    return (abut_contact_problem){.model = data->model,
                                  .step = data->step,
                                  .contact_count = data->contact_count,
                                  .contacts = data->contacts,
                                  .joint_count = data->joint_count,
                                  .joints = data->joints,
                                  .body_count = data->body_count,
                                  .bodies = data->bodies,
                                  .generalised = b->count > 0 ? &data->generalised : NULL,
                                  .local = data->dimension > 0 ? &data->local : NULL};
}

abut_contact_options abuti_contact_data_options(const abuti_contact_data *data)
{
    abut_contact_options options = abut_contact_default_options();
    options.start = data->start;
    options.seed = data->seed;
    if (data->has_threshold) options.restitution_threshold = data->restitution_threshold;
    return options;
}

bool abuti_contact_data_local(abuti_contact_data *data, int contacts, const double *mu)
{
    data->contacts = calloc((size_t)contacts, sizeof *data->contacts);
    if (!data->contacts) return false;
    data->contact_count = contacts;
    for (int i = 0; i < contacts; ++i) {
        data->contacts[i].friction = mu[i];
        data->contacts[i].directions = data->dimension == 2 ? 2 : ABUT_DIRECTIONS_DEFAULT;
        data->contacts[i].cone = ABUT_CONE_CIRCLE; /* what these files mean; a segment in the plane */
    }
    return true;
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void shorten(double *a)
{
    double length = sqrt(dot(a, a));
    for (int k = 0; k < 3; ++k) a[k] /= length;
}

void abuti_contact_frame(const abut_contact *contact, double normal[3], double tangent[3])
{
    memcpy(normal, contact->normal, 3 * sizeof(double));
    memcpy(tangent, contact->tangent, 3 * sizeof(double));
    shorten(normal);
    if (tangent[0] == 0 && tangent[1] == 0 && tangent[2] == 0) {
        int axis = 0;
        for (int k = 1; k < 3; ++k)
            if (fabs(normal[k]) < fabs(normal[axis])) axis = k;
        tangent[axis] = 1;
    }
    double along = dot(tangent, normal);
    for (int k = 0; k < 3; ++k) tangent[k] -= along * normal[k];
    shorten(tangent);
}

bool abuti_contact_read(const char *path, int index, abuti_contact_data *data, abut_error *error)
{
    abuti_text text;
    *data = (abuti_contact_data){0};
    if (!abuti_text_open(&text, path, error)) return false;
    const abuti_format *format = abuti_format_of(ABUTI_KIND_CONTACT, &text, path);
    bool fine = false;
    if (index > 0 && !(format && format->takes_index)) {
        abuti_text_fail_whole(&text, "holds one problem; --index chooses among those of a contactset");
    } else if (format) {
        fine = format->read_contact(
            &(abuti_source){.text = &text, .path = path, .index = index, .error = error}, data);
    } else {
        char all[256];
        abuti_format_list(ABUTI_KIND_CONTACT, true, all, sizeof all);
        abuti_text_fail_whole(&text, "not a contact problem; expected %s", all);
    }
    abuti_text_close(&text);
    return fine;
}
