/* Contactset text: many contact problems in one file.
 *
 *     contactset 1 NAME COUNT
 *     problem INDEX bodies M contacts N dirs D
 *     b mass Ixx Iyy Izz Ixy Ixz Iyz comx comy comz kx ky kz ktx kty ktz         a body
 *     c A B mu px py pz nx ny nz t1x t1y t1z                                      a contact
 *
 * k = step force + M v is the external impulse; it becomes the force of a step of one second on a body at
 * rest, which is the same problem. */
#include "io/contact_file.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT_MAX = 100000000 };

static bool numbers(abuti_text *text, const char *label, int count, double *out)
{
    for (int i = 0; i < count; ++i) {
        char each[ABUTI_LABEL_MAX];
        snprintf(each, sizeof each, "%s[%d]", label, i);
        if (!abuti_text_number(text, count == 1 ? label : each, &out[i])) return false;
    }
    return true;
}

typedef struct heading {
    int index, bodies, contacts, directions;
} heading;

static bool read_heading(abuti_text *text, int index, heading *head)
{
    return abuti_text_expect(text, "problem") &&
           abuti_text_integer(text, "problem index", index, index, &head->index) &&
           abuti_text_expect(text, "bodies") &&
           abuti_text_integer(text, "bodies", 1, COUNT_MAX, &head->bodies) &&
           abuti_text_expect(text, "contacts") &&
           abuti_text_integer(text, "contacts", 0, COUNT_MAX, &head->contacts) &&
           abuti_text_expect(text, "dirs") &&
           abuti_text_integer(text, "dirs", ABUT_DIRECTIONS_MIN, ABUT_DIRECTIONS_MAX, &head->directions);
}

static bool read_body(abuti_text *text, abut_body *body)
{
    return abuti_text_expect(text, "b") && numbers(text, "mass", 1, &body->mass) &&
           numbers(text, "inertia", 6, body->inertia) && numbers(text, "com", 3, body->com) &&
           numbers(text, "impulse", 6, body->force);
}

static bool read_contact(abuti_text *text, const heading *head, abut_contact *contact)
{
    contact->directions = head->directions;
    return abuti_text_expect(text, "c") &&
           abuti_text_integer(text, "body A", 0, head->bodies - 1, &contact->bodies[0]) &&
           abuti_text_integer(text, "body B", ABUT_WORLD, head->bodies - 1, &contact->bodies[1]) &&
           numbers(text, "friction", 1, &contact->friction) && numbers(text, "point", 3, contact->point) &&
           numbers(text, "normal", 3, contact->normal) && numbers(text, "tangent", 3, contact->tangent);
}

static bool skip_problem(abuti_text *text, const heading *head)
{
    abuti_text_skip_line(text);
    for (long long line = 0; line < (long long)head->bodies + head->contacts; ++line) {
        if (abuti_text_peek(text) < 0)
            return abuti_text_fail(text, "the file ends within problem %d", head->index);
        abuti_text_skip_line(text);
    }
    return true;
}

static bool read_problem(abuti_text *text, const heading *head, abuti_contact_data *data)
{
    /* A body line has 17 words, a contact line 13. */
    if (!abuti_text_has_room(text, "bodies and contacts",
                             17 * (size_t)head->bodies + 13 * (size_t)head->contacts))
        return false;
    data->bodies = calloc((size_t)head->bodies, sizeof *data->bodies);
    data->contacts = head->contacts > 0 ? calloc((size_t)head->contacts, sizeof *data->contacts) : NULL;
    if (!data->bodies || (head->contacts > 0 && !data->contacts)) return abuti_text_out_of_memory(text);
    data->body_count = head->bodies;
    data->contact_count = head->contacts;
    for (int i = 0; i < head->bodies; ++i)
        if (!read_body(text, &data->bodies[i])) return false;
    for (int i = 0; i < head->contacts; ++i)
        if (!read_contact(text, head, &data->contacts[i])) return false;
    return true;
}

static bool find_and_read(abuti_text *text, int index, abuti_contact_data *data)
{
    int version, count;
    heading head = {0};
    if (!abuti_text_expect(text, "contactset") || !abuti_text_integer(text, "version", 1, 1, &version))
        return false;
    if (!abuti_text_word(text))
        return abuti_text_fail(text, "the file ends too early; expected the set's name");
    if (!abuti_text_integer(text, "count", 1, COUNT_MAX, &count)) return false;
    if (index >= count)
        return abuti_text_fail_whole(text, "no problem %d; the file holds problems 0 to %d", index,
                                     count - 1);
    for (int i = 0; i < index; ++i)
        if (!read_heading(text, i, &head) || !skip_problem(text, &head)) return false;
    return read_heading(text, index, &head) && read_problem(text, &head, data);
}

bool abuti_contact_read_set(abuti_text *text, int index, abuti_contact_data *data)
{
    *data = (abuti_contact_data){.step = 1};
    bool fine = find_and_read(text, index, data);
    if (!fine) abuti_contact_data_release(data);
    return fine;
}

/* ---- writing ---- */

/* What the format cannot say, or NULL. */
static const char *obstacle(const abut_contact_problem *problem)
{
    if (problem->generalised) return "bodies; this problem has blocks";
    if (problem->body_count == 0) return "bodies; this problem is in local form (W + q)";
    if (problem->model != ABUT_COULOMB) return "the coulomb model only";
    if (problem->joint_count > 0) return "no joints";
    for (int i = 0; i < problem->body_count; ++i)
        if (problem->bodies[i].kind != ABUT_DYNAMIC) return "dynamic bodies only";
    for (int i = 0; i < problem->contact_count; ++i) {
        const abut_contact *c = &problem->contacts[i];
        if (c->gap != 0 || c->restitution != 0) return "no gaps and no restitution";
        if (c->viscous != 0) return "no viscous coefficients";
        if (c->group != 0) return "no groups";
        if (c->cone != ABUT_CONE_POLYGON) return "polygons only";
        if (c->directions != problem->contacts[0].directions)
            return "one number of directions for all contacts";
    }
    return NULL;
}

static void write_numbers(FILE *file, const double *values, int count)
{
    for (int i = 0; i < count; ++i) fprintf(file, " %.17g", values[i]);
}

static void write_body(FILE *file, const abut_body *b, double step)
{
    const double *I = b->inertia, *v = b->velocity;
    double k[6];
    for (int i = 0; i < 3; ++i) k[i] = step * b->force[i] + b->mass * v[i];
    k[3] = step * b->force[3] + I[0] * v[3] + I[3] * v[4] + I[4] * v[5];
    k[4] = step * b->force[4] + I[3] * v[3] + I[1] * v[4] + I[5] * v[5];
    k[5] = step * b->force[5] + I[4] * v[3] + I[5] * v[4] + I[2] * v[5];
    fputc('b', file);
    write_numbers(file, &b->mass, 1);
    write_numbers(file, I, 6);
    write_numbers(file, b->com, 3);
    write_numbers(file, k, 6);
    fputc('\n', file);
}

bool abuti_contact_write_set(FILE *file, const abut_contact_problem *problem, const char *name,
                             abut_error *error)
{
    const char *missing = obstacle(problem);
    if (missing) {
        snprintf(error->text, sizeof error->text, "contactset text holds %s", missing);
        return false;
    }
    int directions = problem->contact_count > 0 ? problem->contacts[0].directions : 0;
    if (directions == 0) directions = ABUT_DIRECTIONS_DEFAULT;
    fprintf(file, "contactset 1 %s 1\nproblem 0 bodies %d contacts %d dirs %d\n", name, problem->body_count,
            problem->contact_count, directions);
    for (int i = 0; i < problem->body_count; ++i) write_body(file, &problem->bodies[i], problem->step);
    for (int i = 0; i < problem->contact_count; ++i) {
        const abut_contact *c = &problem->contacts[i];
        bool given = c->tangent[0] != 0 || c->tangent[1] != 0 || c->tangent[2] != 0;
        double normal[3], tangent[3];
        abuti_contact_frame(c, normal, tangent);
        fprintf(file, "c %d %d", c->bodies[0], c->bodies[1]);
        write_numbers(file, &c->friction, 1);
        write_numbers(file, c->point, 3);
        write_numbers(file, c->normal, 3);
        write_numbers(file, given ? c->tangent : tangent, 3);
        fputc('\n', file);
    }
    return !ferror(file);
}
