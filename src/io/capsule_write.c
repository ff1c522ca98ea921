/* Capsules (capsule.c) in JSON text, in the lowest version that has all that they hold. */
#include "io/capsule_blocks.h"
#include "io/capsule_fields.h"
#include "io/contact_file.h"
#include "io/contact_warm.h"
#include "io/json_write.h"

#include <math.h>

/* Fields that are zero and not required are left to their default. */
static void write_fields(abuti_json *json, const abuti_capsule_field *fields, const void *from)
{
    for (const abuti_capsule_field *f = fields; f->name; ++f) {
        const double *numbers = (const double *)((const char *)from + f->offset);
        bool zero = true;
        for (int i = 0; i < f->count; ++i) zero = zero && numbers[i] == 0;
        if (zero && !f->required) continue;
        if (f->count == 1)
            abuti_json_number(json, f->name, numbers[0]);
        else
            abuti_json_numbers(json, f->name, numbers, f->count);
    }
}

static void write_pair(abuti_json *json, const int pair[2])
{
    abuti_json_open(json, "bodies", '[', false);
    abuti_json_integer(json, NULL, pair[0]);
    abuti_json_integer(json, NULL, pair[1]);
    abuti_json_close(json, ']');
}

static void write_bodies(abuti_json *json, const abut_contact_problem *problem)
{
    abuti_json_open(json, "bodies", '[', true);
    for (int i = 0; i < problem->body_count; ++i) {
        abuti_json_open(json, NULL, '{', false);
        write_fields(json, abuti_capsule_body_fields, &problem->bodies[i]);
        if (problem->bodies[i].kind != ABUT_DYNAMIC)
            abuti_json_string(json, "kind", abuti_capsule_kinds[problem->bodies[i].kind]);
        abuti_json_close(json, '}');
    }
    abuti_json_close(json, ']');
}

/* Writes the blocks of a contact and its rows, which begin at number `at` of the normals. Returns how many numbers one
 * row has. */
static int write_rows(abuti_json *json, const abut_generalised *g, const abut_contact *c, size_t at)
{
    int pair[2];
    abuti_capsule_pair(g, c->bodies, pair);
    int width = abuti_capsule_width(g, pair);
    write_pair(json, pair);
    abuti_json_open(json, "rows", '[', false);
    abuti_json_numbers(json, NULL, g->normal_rows + at, width);
    for (int k = 0; k < 2 && g->tangent_rows; ++k)
        abuti_json_numbers(json, NULL, g->tangent_rows + 2 * at + (size_t)(k * width), width);
    abuti_json_close(json, ']');
    return width;
}

static void write_contacts(abuti_json *json, const abut_contact_problem *problem)
{
    const abut_generalised *g = problem->generalised;
    size_t at = 0;
    abuti_json_open(json, "contacts", '[', true);
    for (int i = 0; i < problem->contact_count; ++i) {
        const abut_contact *c = &problem->contacts[i];
        abuti_json_open(json, NULL, '{', false);
        if (g)
            at += (size_t)write_rows(json, g, c, at);
        else
            write_pair(json, c->bodies);
        write_fields(json, g ? abuti_capsule_row_contact_fields : abuti_capsule_contact_fields, c);
        if (c->directions != 0) abuti_json_integer(json, "directions", c->directions);
        if (c->cone != ABUT_CONE_POLYGON) abuti_json_string(json, "cone", abut_contact_cone_name(c->cone));
        if (c->group > 0) abuti_json_integer(json, "group", c->group - 1);
        if (c->key != 0) abuti_json_integer(json, "key", (long long)c->key);
        if (c->two_points && !g) abuti_json_numbers(json, "second_point", c->second_point, 3);
        abuti_json_close(json, '}');
    }
    abuti_json_close(json, ']');
}

static void write_bounds(abuti_json *json, const abut_joint *joint)
{
    const double bounds[2] = {joint->lower, joint->upper};
    abuti_json_open(json, "bounds", '[', false);
    for (int side = 0; side < 2; ++side) {
        if (isinf(bounds[side]))
            abuti_json_null(json, NULL);
        else
            abuti_json_number(json, NULL, bounds[side]);
    }
    abuti_json_close(json, ']');
}

static void write_jacobian(abuti_json *json, const abut_joint *j)
{
    write_pair(json, j->bodies);
    abuti_json_open(json, "jacobian", '[', false);
    abuti_json_numbers(json, NULL, j->jacobian[0], 6);
    abuti_json_numbers(json, NULL, j->jacobian[1], 6);
    abuti_json_close(json, ']');
}

/* Writes the row of a joint on its blocks. Returns how many numbers it has. */
static int write_row(abuti_json *json, const abut_generalised *g, const abut_joint *j, size_t at)
{
    int pair[2];
    abuti_capsule_pair(g, j->bodies, pair);
    int width = abuti_capsule_width(g, pair);
    write_pair(json, pair);
    abuti_json_numbers(json, "row", g->joint_rows + at, width);
    return width;
}

static void write_joints(abuti_json *json, const abut_contact_problem *problem)
{
    const abut_generalised *g = problem->generalised;
    size_t at = 0;
    abuti_json_open(json, "joints", '[', true);
    for (int i = 0; i < problem->joint_count; ++i) {
        const abut_joint *j = &problem->joints[i];
        abuti_json_open(json, NULL, '{', false);
        if (g)
            at += (size_t)write_row(json, g, j, at);
        else
            write_jacobian(json, j);
        write_fields(json, abuti_capsule_joint_fields, j);
        if (j->bounded) write_bounds(json, j);
        if (j->key != 0) abuti_json_integer(json, "key", (long long)j->key);
        abuti_json_close(json, '}');
    }
    abuti_json_close(json, ']');
}

static void write_warm(abuti_json *json, int count, const abut_contact_face *start, uint32_t seed)
{
    abuti_json_open(json, "warm", '{', false);
    if (start) abuti_contact_warm_write(json, count, start);
    abuti_json_integer(json, "seed", seed);
    abuti_json_close(json, '}');
}

/* The lowest version that has a place for all that the problem has. */
static int version_of(const abut_contact_problem *problem)
{
    if (problem->generalised) return 3;
    for (int i = 0; i < problem->contact_count; ++i)
        if (problem->contacts[i].compliance != 0 || problem->contacts[i].two_points) return 2;
    for (int i = 0; i < problem->joint_count; ++i) {
        const abut_joint *joint = &problem->joints[i];
        if (joint->bounded || joint->compliance != 0 || joint->key != 0) return 2;
    }
    return 1;
}

bool abuti_contact_write_capsule(FILE *file, const abut_contact_problem *problem,
                                 const abut_contact_options *options, abut_error *error)
{
    const abut_contact_options defaults = abut_contact_default_options();
    const abut_contact_options *o = options ? options : &defaults;
    if (problem->local) {
        snprintf(error->text, sizeof error->text,
                 "a capsule holds bodies or blocks; this problem is in local form (W + q)");
        return false;
    }
    abuti_json json = abuti_json_on(file);
    abuti_json_open(&json, NULL, '{', true);
    abuti_json_string(&json, "abut", "capsule");
    abuti_json_integer(&json, "version", version_of(problem));
    abuti_json_number(&json, "step", problem->step);
    abuti_json_string(&json, "model", abut_contact_model_name(problem->model));
    if (o->restitution_threshold != defaults.restitution_threshold)
        abuti_json_number(&json, "restitution_threshold", o->restitution_threshold);
    if (problem->generalised)
        abuti_capsule_write_blocks(&json, problem->generalised);
    else
        write_bodies(&json, problem);
    write_contacts(&json, problem);
    if (problem->joint_count > 0) write_joints(&json, problem);
    if (o->start || o->seed != 0) write_warm(&json, problem->contact_count, o->start, o->seed);
    abuti_json_close(&json, '}');
    return !ferror(file);
}
