/* The answer to a contact problem as a table and in words. */
#include "contact_print.h"
#include "islands_print.h"
#include "models.h"
#include "others.h"
#include "solutions.h"
#include "statics_print.h"

#include "io/contact_file.h"

#include <math.h>
#include <string.h>

/* At the acceleration level the same numbers are forces and accelerations. */
static bool is_acceleration_level(const contact_report *report)
{
    return model_accelerates(report->result.model);
}

/* Rounding of verified answers is not worth reading: what is far below the largest number prints as 0. */
static double cleaned(double value, double largest)
{
    return fabs(value) <= 1e-13 * largest ? 0 : value;
}

/* At the acceleration level: the largest acceleration that the forces would give a body without contacts. The noise
 * in the accelerations of bodies at rest is far below it. */
static double free_acceleration(const abut_contact_problem *problem)
{
    double most = 0;
    for (int b = 0; b < problem->body_count; ++b) {
        const abut_body *body = &problem->bodies[b];
        for (int c = 0; c < 3 && body->kind == ABUT_DYNAMIC; ++c)
            most = fmax(most, fabs(body->force[c]) / body->mass);
    }
    return most;
}

static void body_name(char out[16], int body)
{
    if (body == ABUT_WORLD)
        snprintf(out, 16, "world");
    else
        snprintf(out, 16, "%d", body);
}

static void print_contacts(FILE *file, const contact_report *report)
{
    const abut_contact_problem *problem = report->problem;
    bool local = problem->local, accelerates = is_acceleration_level(report);
    double largest = 0, fastest = accelerates ? 10 * free_acceleration(problem) : 0;
    for (int i = 0; i < problem->contact_count; ++i) {
        const abut_contact_answer *a = &report->result.contacts[i];
        largest = fmax(largest, fmax(a->normal, hypot(a->tangent[0], a->tangent[1])));
        for (int k = 0; k < 3; ++k) fastest = fmax(fastest, fabs(a->velocity[k]));
    }
    fprintf(file, "\n%7s  %-13s %-6s %14s %14s %14s\n", "contact",
            local                  ? ""
            : problem->generalised ? "blocks"
                                   : "bodies",
            "state", accelerates ? "normal N" : "normal Ns", accelerates ? "friction N" : "friction Ns",
            accelerates ? "slip m/s2" : "slip m/s");
    for (int i = 0; i < problem->contact_count; ++i) {
        const abut_contact_answer *a = &report->result.contacts[i];
        char pair[40] = "", first[16], second[16];
        if (!local) {
            body_name(first, problem->contacts[i].bodies[0]);
            body_name(second, problem->contacts[i].bodies[1]);
            snprintf(pair, sizeof pair, "%s - %s", first, second);
        }
        fprintf(file, "%7d  %-13s %-6s %14.6g %14.6g %14.6g\n", i, pair,
                a->glued ? "glued" : abut_contact_state_name(a->state), cleaned(a->normal, largest),
                cleaned(hypot(a->tangent[0], a->tangent[1]), largest), cleaned(a->slip, fastest));
    }
}

static void print_bodies(FILE *file, const contact_report *report)
{
    const double *v = report->result.velocity;
    bool accelerates = is_acceleration_level(report);
    double largest = accelerates ? 10 * free_acceleration(report->problem) : 0;
    for (int i = 0; i < 6 * report->problem->body_count; ++i) largest = fmax(largest, fabs(v[i]));
    fprintf(file, "\n%7s  %s\n", "body",
            accelerates ? "acceleration: linear m/s2, angular rad/s2"
                        : "velocity after the step: linear m/s, angular rad/s");
    for (int i = 0; i < report->problem->body_count; ++i) {
        fprintf(file, "%7d ", i);
        for (int k = 0; k < 6; ++k)
            fprintf(file, "%s%12.5g", k == 3 ? "  " : "", cleaned(v[6 * i + k], largest));
        fputc('\n', file);
    }
}

/* The numbers of each block, eight a line. */
static void print_blocks(FILE *file, const contact_report *report)
{
    enum { A_LINE = 8 };
    const abut_generalised *g = report->problem->generalised;
    const double *v = report->result.velocity;
    double largest = 0;
    for (int i = 0; i < g->nv; ++i) largest = fmax(largest, fabs(v[i]));
    fprintf(file, "\n%7s  %s\n", "block",
            is_acceleration_level(report) ? "accelerations" : "velocities after the step");
    for (int b = 0; b < (g->block_count > 0 ? g->block_count : 1); ++b) {
        int size = g->block_count > 0 ? g->block_sizes[b] : g->nv;
        for (int k = 0; k < size; ++k) {
            if (k == 0) fprintf(file, "%7d ", b);
            if (k > 0 && k % A_LINE == 0) fprintf(file, "%8s", "");
            fprintf(file, "%12.5g", cleaned(*v++, largest));
            if (k % A_LINE == A_LINE - 1 || k == size - 1) fputc('\n', file);
        }
    }
}

static void print_joints(FILE *file, const contact_report *report)
{
    fprintf(file, "\n%7s %14s\n", "joint", is_acceleration_level(report) ? "force N" : "impulse Ns");
    for (int i = 0; i < report->problem->joint_count; ++i)
        fprintf(file, "%7d %14.6g\n", i, report->result.joints[i]);
}

static void print_impact(FILE *file, const contact_report *report)
{
    const abut_contact_result *r = &report->result;
    int n = report->problem->contact_count;
    bool drifts = false;
    for (int i = 0; i < n; ++i)
        for (int c = 0; c < 3; ++c) drifts = drifts || report->problem->contacts[i].drift[c] != 0;
    for (int k = 0; k < r->impacts; ++k) {
        fprintf(file, "\n%s\n\n%7s %14s %14s\n",
                k > 0             ? "then another one"
                : r->impacts == 1 ? "an impact came first; all else speaks of what is after it"
                                  : "impacts came first; all else speaks of what is after them",
                "contact", "normal Ns", "friction Ns");
        for (int i = 0; i < n; ++i) {
            const double *p = r->impact + 3 * (k * n + i);
            fprintf(file, "%7d %14.6g %14.6g\n", i, p[0], hypot(p[1], p[2]));
        }
    }
    if (drifts)
        fputs("\ndrift is still that of the velocities before; solve again with the new ones\n", file);
}

/* Who excludes whom: the weights that are not zero, the largest as 1. */
static void print_weights(FILE *file, const char *what, const double *weights, int count, double largest,
                          bool *first)
{
    for (int i = 0; i < count; ++i) {
        if (weights[i] == 0) continue;
        fprintf(file, "%s%.4g x %s %d", *first ? "" : " + ", weights[i] / largest, what, i);
        *first = false;
    }
}

static double largest_weight(double largest, const double *weights, int count)
{
    for (int i = 0; i < count; ++i) largest = fmax(largest, fabs(weights[i]));
    return largest;
}

static void print_witness(FILE *file, const contact_report *report)
{
    const abut_contact_result *r = &report->result;
    int contacts = report->problem->contact_count, joints = report->problem->joint_count;
    double largest = largest_weight(largest_weight(0, r->witness, contacts), r->witness_joints, joints);
    bool first = true;
    fprintf(
        file,
        "no solution exists: no motion satisfies all contacts%s. Proof: the weighted sum of velocities\n  ",
        joints > 0 ? " and joint rows" : "");
    print_weights(file, "contact", r->witness, contacts, largest, &first);
    print_weights(file, "joint row", r->witness_joints, joints, largest, &first);
    fputs("\nis the same whatever the bodies do, and negative where contacts and joint rows ask for 0 or "
          "more\n",
          file);
}

/* Which of Coulomb's laws in space: the published conditions with the round cone, or the polygon. */
static void print_law(FILE *file, const contact_report *report)
{
    bool space = false;
    for (int i = 0; i < report->problem->contact_count; ++i) {
        const abut_contact *c = &report->problem->contacts[i];
        space = space || (c->directions != ABUT_DIRECTIONS_MIN && c->friction > 0);
    }
    if (!space) return;
    if (strcmp(report->result.stage, "drive") == 0)
        fputs("friction lies in the round cone\n", file);
    else
        fprintf(file,
                "friction at rest lies in a polygon of %d directions: Baraff's conditions in space were not "
                "enough\n",
                report->accel_directions);
}

/* Prints what a ray of the acceleration level means, and the direction of the impulse, scaled so that its largest
 * normal part is 1. */
static void print_no_forces(FILE *file, const contact_report *report)
{
    const abut_contact_result *r = &report->result;
    if (r->exhausted)
        fprintf(file,
                "no forces exist (Painleve): all modes of the contacts were searched, none is consistent.\n");
    else
        fprintf(file,
                "no forces were found: driving, polygons and Lemke's path were tried, which is no proof. "
                "Sliding\ncontacts may have none (Painleve).\n");
    if (report->asked_impulse)
        fprintf(file, "an impulse was asked for, but none was found that leads to forces\n");
    else
        fprintf(file, "--impulse goes on with an impulse.\n");
    if (!r->ray) {
        fprintf(file, "no direction of an impulse was met\n");
        return;
    }
    double largest = 0;
    for (int i = 0; i < report->problem->contact_count; ++i) largest = fmax(largest, r->ray[3 * i]);
    fprintf(file, "\ndirection of the impulse\n%7s %14s %14s %14s\n", "contact", "normal", "tangent x",
            "tangent y");
    for (int i = 0; i < report->problem->contact_count; ++i)
        fprintf(file, "%7d %14.6g %14.6g %14.6g\n", i, r->ray[3 * i] / largest + 0.0,
                r->ray[3 * i + 1] / largest + 0.0, r->ray[3 * i + 2] / largest + 0.0);
}

static void print_failed(FILE *file, const contact_report *report)
{
    const abut_contact_result *r = &report->result;
    if (r->exhausted)
        fprintf(file,
                "no impulses satisfy these contacts and unions: branch and bound went through all cases. "
                "--union %s\nmay have an answer.\n",
                report->union_rule == ABUT_UNION_SUM ? "max" : "sum");
    else if (r->residual <= 1e-6)
        fprintf(
            file,
            "the best answer has a residual of %.2g, which is beyond the tolerance of %.2g: impulses that "
            "are\nmuch larger than the motion leave no more digits. --tolerance %.0e takes it.\n",
            r->residual, report->tolerance, pow(10, ceil(log10(r->residual))));
    else if (report->only_stage)
        fprintf(file, "stage %s has no answer that the verifier accepts; without --stage others follow\n",
                report->only_stage);
    else if (report->alone)
        fputs("this solver has no answer that the verifier accepts; without --alone others help\n", file);
    else
        fputs("no stage gave an answer that the verifier accepts; this problem is worth a bug report\n",
              file);
}

/* Whether some contact in space has a polygon for its cone. */
static bool on_polygons(const abut_contact_problem *problem)
{
    for (int i = 0; i < problem->contact_count; ++i)
        if (problem->contacts[i].cone == ABUT_CONE_POLYGON &&
            problem->contacts[i].directions != ABUT_DIRECTIONS_MIN)
            return true;
    return false;
}

static void print_meaning(FILE *file, const contact_report *report)
{
    const abut_contact_result *r = &report->result;
    switch (r->outcome) {
    case ABUT_SOLVED:
        fprintf(file, "verified: residual %.2g (tolerance %.0e)\n", r->residual, report->tolerance);
        if (model_is_coulomb_accel(r->model)) print_law(file, report);
        if (report->problem->local && on_polygons(report->problem))
            fprintf(file, "friction lies in polygons; measured against circles the answer is off by %.2g\n",
                    r->check.cone_residual);
        break;
    case ABUT_RAY:
        if (is_acceleration_level(report))
            print_no_forces(file, report);
        else
            fprintf(file, "no solution was found: every path that was tried ran off along a ray. With "
                          "penetration, restitution\n"
                          "or a given W there may be none.\n");
        break;
    case ABUT_INFEASIBLE: print_witness(file, report); break;
    case ABUT_LIMIT:
        fprintf(file, "the budget is spent; below is the best answer so far, residual %.2g\n", r->residual);
        break;
    case ABUT_FAILED: print_failed(file, report); break;
    }
}

void contact_print_table(FILE *file, const contact_report *report)
{
    const abut_contact_result *r = &report->result;
    const abut_contact_problem *problem = report->problem;
    fprintf(file, "%s: ", report->title);
    if (problem->local)
        fprintf(file, "%d contacts in local form (%d-D)", problem->contact_count, problem->local->dimension);
    else if (problem->generalised)
        fprintf(file, "%d block%s of %d numbers, %d contact%s", problem->generalised->block_count,
                problem->generalised->block_count == 1 ? "" : "s", problem->generalised->nv,
                problem->contact_count, problem->contact_count == 1 ? "" : "s");
    else
        fprintf(file, "%d %s, %d contact%s", problem->body_count,
                problem->body_count == 1 ? "body" : "bodies", problem->contact_count,
                problem->contact_count == 1 ? "" : "s");
    if (problem->joint_count > 0) fprintf(file, ", %d joint rows", problem->joint_count);
    if (r->islands > 1) fprintf(file, ", %d islands", r->islands);
    fprintf(file, ", model %s\n%s by %s: %d pivot%s, %.1f us%s\n", abut_contact_model_name(r->model),
            abut_outcome_name(r->outcome), r->stage ? r->stage : abut_contact_solver_name(r->solver),
            r->pivots, r->pivots == 1 ? "" : "s", report->time_us,
            r->others > 0 ? "; another answer, which moves otherwise, was seen" : "");
    print_meaning(file, report);
    islands_print_table(file, r);
    if (r->contacts && problem->contact_count > 0) print_contacts(file, report);
    if (r->glued > 0)
        fprintf(file, "glued: held by the rows of the no-slip model though it separates; %s\n",
                r->glue_proven ? "no answer does without" : "an answer without was not found");
    if (r->joints && problem->joint_count > 0) print_joints(file, report);
    if (r->velocity && problem->body_count > 0) print_bodies(file, report);
    if (r->velocity && problem->generalised) print_blocks(file, report);
    if (r->impact) print_impact(file, report);
    if (report->statics) statics_print_table(file, report, report->statics);
    if (report->solutions) solutions_print(file, report->solutions);
    if (report->others) others_print(file, report->others);
}
