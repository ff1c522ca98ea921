#include "statics_print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Net wrenches and accelerations below this part of the forces that act are none. */
static const double at_rest = 1e-9;

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Adds a force at a point to a body's wrench. */
static void add_force(const abut_body *body, const double point[3], const double force[3], double sign,
                      double wrench[6])
{
    double arm[3], moment[3];
    for (int c = 0; c < 3; c++) arm[c] = point[c] - body->com[c];
    cross(arm, force, moment);
    for (int c = 0; c < 3; c++) {
        wrench[c] += sign * force[c];
        wrench[3 + c] += sign * moment[c];
    }
}

static void add_contacts(const contact_report *report, double *net)
{
    const abut_contact_problem *problem = report->problem;
    for (int i = 0; i < problem->contact_count; i++) {
        const abut_contact *contact = &problem->contacts[i];
        const abut_contact_answer *a = &report->result.contacts[i];
        const double *n = contact->normal;
        double across[3], force[3], length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]); /* 1 to 1e-6 */
        cross(n, a->axis, across);
        for (int c = 0; c < 3; c++)
            force[c] = (a->normal * n[c] + a->tangent[1] * across[c]) / length + a->tangent[0] * a->axis[c];
        for (int side = 0; side < 2; side++) {
            int body = contact->bodies[side];
            if (body >= 0)
                add_force(&problem->bodies[body], contact->point, force, side ? -1 : 1,
                          net + 6 * (size_t)body);
        }
    }
}

static void add_joints(const contact_report *report, double *net)
{
    const abut_contact_problem *problem = report->problem;
    for (int j = 0; j < problem->joint_count; j++) {
        for (int side = 0; side < 2; side++) {
            int body = problem->joints[j].bodies[side];
            for (int c = 0; body >= 0 && c < 6; c++)
                net[6 * (size_t)body + (size_t)c] +=
                    problem->joints[j].jacobian[side][c] * report->result.joints[j];
        }
    }
}

/* Forces of every dynamic body against the largest force that acts anywhere; moments likewise, with the
 * largest arm. */
static bool bodies_rest(const contact_report *report, const double *net)
{
    const abut_contact_problem *problem = report->problem;
    double force = 0, moment = 0, most_force = 0, most_moment = 0;
    for (int b = 0; b < problem->body_count; b++) {
        const abut_body *body = &problem->bodies[b];
        if (body->kind != ABUT_DYNAMIC) continue;
        for (int c = 0; c < 3; c++) {
            force = fmax(force, fabs(body->force[c]));
            moment = fmax(moment, fabs(body->force[3 + c]));
            most_force = fmax(most_force, fabs(net[6 * b + c]));
            most_moment = fmax(most_moment, fabs(net[6 * b + 3 + c]));
        }
    }
    for (int i = 0; i < problem->contact_count; i++) {
        const abut_contact *contact = &problem->contacts[i];
        double normal = report->result.contacts[i].normal, arm = 0;
        for (int c = 0; c < 3; c++)
            arm = fmax(arm, fabs(contact->point[c] - problem->bodies[contact->bodies[0]].com[c]));
        force = fmax(force, normal);
        moment = fmax(moment, normal * arm);
    }
    return most_force <= at_rest * force && most_moment <= at_rest * fmax(moment, force * 1e-3);
}

static bool contacts_rest(const contact_report *report)
{
    const abut_local *local = report->problem->local;
    double most = 0, size = 0;
    int rows = local->dimension * report->problem->contact_count;
    for (int i = 0; i < rows; i++) size = fmax(size, fabs(local->q[i]));
    for (int i = 0; i < report->problem->contact_count; i++)
        for (int c = 0; c < local->dimension; c++)
            most = fmax(most, fabs(report->result.contacts[i].velocity[c]));
    return most <= at_rest * size;
}

bool statics_find(const contact_report *report, statics *out)
{
    const abut_contact_problem *problem = report->problem;
    size_t n = (size_t)problem->contact_count, numbers = 6 * (size_t)problem->body_count;
    *out = (statics){0};
    out->margin = calloc(n + 1, sizeof(double));
    out->used = calloc(n + 1, sizeof(double));
    out->net_wrench = calloc(numbers + 1, sizeof(double));
    if (out->margin == NULL || out->used == NULL || out->net_wrench == NULL) return false;
    double largest = 0;
    for (size_t i = 0; i < n; i++) largest = fmax(largest, report->result.contacts[i].normal);
    for (size_t i = 0; i < n; i++) {
        const abut_contact_answer *a = &report->result.contacts[i];
        double cone = problem->contacts[i].friction * a->normal,
               friction = hypot(a->tangent[0], a->tangent[1]);
        out->margin[i] = cone - friction;
        out->used[i] = cone > 1e-12 * largest ? friction / cone : NAN;
    }
    if (problem->local != NULL) {
        out->equilibrium = contacts_rest(report);
        return true;
    }
    for (int b = 0; b < problem->body_count; b++)
        if (problem->bodies[b].kind == ABUT_DYNAMIC)
            memcpy(out->net_wrench + 6 * b, problem->bodies[b].force, 6 * sizeof(double));
    add_contacts(report, out->net_wrench);
    add_joints(report, out->net_wrench);
    out->equilibrium = bodies_rest(report, out->net_wrench);
    return true;
}

void statics_release(statics *s)
{
    free(s->margin);
    free(s->used);
    free(s->net_wrench);
    *s = (statics){0};
}

static double cleaned(double value, double largest)
{
    return fabs(value) <= 1e-12 * largest ? 0 : value;
}

void statics_print_table(FILE *file, const contact_report *report, const statics *s)
{
    const abut_contact_problem *problem = report->problem;
    double largest = 0;
    for (int i = 0; i < problem->contact_count; i++)
        largest = fmax(largest, report->result.contacts[i].normal);
    fprintf(file, "\nstatics: %s\n",
            s->equilibrium ? "in equilibrium" : "not in equilibrium: something accelerates");
    if (problem->contact_count > 0)
        fprintf(file, "\n%7s %14s %14s %14s %8s\n", "contact", "normal N", "friction N", "margin N", "used");
    for (int i = 0; i < problem->contact_count; i++) {
        const abut_contact_answer *a = &report->result.contacts[i];
        fprintf(file, "%7d %14.6g %14.6g %14.6g ", i, cleaned(a->normal, largest),
                cleaned(hypot(a->tangent[0], a->tangent[1]), largest), cleaned(s->margin[i], largest));
        if (isnan(s->used[i]))
            fprintf(file, "%8s\n", "-");
        else
            fprintf(file, "%7.1f%%\n", 100 * s->used[i]);
    }
    if (problem->body_count > 0)
        fprintf(file, "\n%7s  net wrench: force N, moment N m at the centre of mass\n", "body");
    for (int b = 0; b < problem->body_count; b++) {
        fprintf(file, "%7d ", b);
        for (int c = 0; c < 6; c++)
            fprintf(file, "%s%12.5g", c == 3 ? "  " : "", cleaned(s->net_wrench[6 * b + c], largest));
        fputc('\n', file);
    }
}

void statics_print_json(abuti_json *json, const contact_report *report, const statics *s)
{
    const abut_contact_problem *problem = report->problem;
    abuti_json_open(json, "statics", '{', true);
    abuti_json_bool(json, "equilibrium", s->equilibrium);
    abuti_json_numbers(json, "margins", s->margin, problem->contact_count);
    abuti_json_open(json, "used", '[', false);
    for (int i = 0; i < problem->contact_count; i++) {
        if (isnan(s->used[i]))
            abuti_json_null(json, NULL);
        else
            abuti_json_number(json, NULL, s->used[i]);
    }
    abuti_json_close(json, ']');
    if (problem->body_count > 0) {
        abuti_json_open(json, "net_wrench", '[', true);
        for (int b = 0; b < problem->body_count; b++)
            abuti_json_numbers(json, NULL, s->net_wrench + 6 * b, 6);
        abuti_json_close(json, ']');
    } else {
        abuti_json_null(json, "net_wrench");
    }
    abuti_json_close(json, '}');
}
