#include "solve_request.h"

#include "cmd.h"
#include "models.h"

#include "abut/union.h"
#include "io/words.h"

#include <stdio.h>
#include <string.h>

int solve_refuse_directions(const solve_request *r, const abuti_contact_data *data)
{
    const char *name = abut_contact_model_name(data->model);
    if (r->directions == 0) return EXIT_SOLVED;
    if (data->dimension == 2 && r->directions != 2)
        return cmd_error(
            "solve", "%s: a 2-D problem has 2 directions; its friction cone is a polygon already", r->path);
    if (model_is_coulomb(data->model)) return EXIT_SOLVED;
    if (model_has_law(data->model, ABUT_LAW_NONE))
        return cmd_error("solve", "--directions: model %s has no friction; expected coulomb", name);
    /* In the other models contacts have no polygons of their own, but may lie in the plane: two directions say so. */
    for (int i = 0; i < data->contact_count; ++i)
        if ((data->contacts[i].directions == ABUT_DIRECTIONS_MIN) != (r->directions == ABUT_DIRECTIONS_MIN))
            return EXIT_SOLVED;
    return cmd_error(
        "solve",
        "--directions %lld: changes nothing, model %s has no polygon of a contact's own; expected "
        "coulomb%s",
        r->directions, name, model_is_coulomb_accel(data->model) ? ", or --accel-directions" : "");
}

int solve_refuse_cone(const solve_request *r, const abuti_contact_data *data)
{
    if (r->cone == CONE_OF_FILE || model_has_law(data->model, ABUT_LAW_COULOMB)) return EXIT_SOLVED;
    return cmd_error("solve", "--cone: model %s has no cone; expected coulomb or coulomb-accel",
                     abut_contact_model_name(data->model));
}

/* Circles of impulses are answered by faces alone. */
static int refuse_circles(const solve_request *r, const abut_contact_problem *problem)
{
    abut_contact_solver solver = (abut_contact_solver)r->solver;
    if (!model_is_coulomb(problem->model) || solver == ABUT_SOLVER_AUTO || solver == ABUT_SOLVER_FACES)
        return EXIT_SOLVED;
    for (int i = 0; i < problem->contact_count; ++i)
        if (problem->contacts[i].cone != ABUT_CONE_POLYGON &&
            problem->contacts[i].directions != ABUT_DIRECTIONS_MIN)
            return cmd_error(
                "solve",
                "%s: contacts[%d].cone: %s; solver %s answers polygons only, expected solver faces, "
                "or --cone polygon",
                r->path, i, abut_contact_cone_name(problem->contacts[i].cone),
                abut_contact_solver_name(solver));
    return EXIT_SOLVED;
}

static int refuse_pair(const solve_request *r, const abut_contact_problem *problem)
{
    abut_contact_solver solver = (abut_contact_solver)r->solver;
    char list[1024] = "";
    size_t used = 0;
    bool local = problem->local;
    if (abut_contact_supports(problem->model, solver, local)) return EXIT_SOLVED;
    for (int s = ABUT_SOLVER_AUTO + 1; s < ABUT_SOLVER_COUNT; ++s) {
        if (!abut_contact_supports(problem->model, (abut_contact_solver)s, local)) continue;
        int wrote = snprintf(list + used, sizeof list - used, "%s%s", used > 0 ? ", " : "",
                             abut_contact_solver_name((abut_contact_solver)s));
        if (wrote > 0 && used + (size_t)wrote < sizeof list) used += (size_t)wrote;
    }
    return cmd_error("solve", "solver %s does not answer model %s%s; these do: %s",
                     abut_contact_solver_name(solver), abut_contact_model_name(problem->model),
                     local ? " in local form (W + q)" : "", used > 0 ? list : "none");
}

int solve_refuse_warm(const solve_request *r, const abut_contact_problem *problem)
{
    bool blind = r->solver == ABUT_SOLVER_ENUMERATE ||
                 (r->solver == ABUT_SOLVER_LEMKE && model_is_coulomb(problem->model));
    if (problem->contact_count == 0)
        return cmd_error("solve", "%s: --warm-from: there are no contacts, and so no states", r->path);
    if (blind)
        return cmd_error("solve", "--warm-from: solver %s starts from no states; expected another solver",
                         abut_contact_solver_name((abut_contact_solver)r->solver));
    return EXIT_SOLVED;
}

/* --stage needs a stage that answers this model, and no other option beside it that chooses stages. */
static int refuse_stage(const solve_request *r, const abut_contact_problem *problem)
{
    enum { MOST = 64 };
    const char *names[MOST], *name;
    int count = 0;
    if (!r->stage) return EXIT_SOLVED;
    if (r->solver != ABUT_SOLVER_AUTO || r->alone)
        return cmd_error("solve",
                         "%s: --stage runs one stage of one solver already; expected only one of both",
                         r->alone ? "--alone" : "--solver");
    for (int s = ABUT_SOLVER_AUTO + 1; s < ABUT_SOLVER_COUNT; ++s)
        for (int k = 0; (name = abut_contact_stage_name(problem->model, (abut_contact_solver)s, k)); ++k) {
            if (strcmp(name, r->stage) == 0) return EXIT_SOLVED;
            if (count < MOST) names[count++] = name;
        }
    char list[1024] = "";
    size_t used = 0;
    for (int i = 0; i < count; ++i) {
        int wrote = snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", names[i]);
        if (wrote > 0 && used + (size_t)wrote < sizeof list) used += (size_t)wrote;
    }
    const char *closest = abuti_closest_word(r->stage, names, count);
    return cmd_error("solve", "--stage '%s': no stage of model %s;%s%s%s expected one of %s", r->stage,
                     abut_contact_model_name(problem->model), closest ? " did you mean " : "",
                     closest ? closest : "", closest ? "?" : "", list);
}

/* --joint-rows needs joint rows that stand beside W. */
static int refuse_joints(const solve_request *r, const abut_contact_problem *problem)
{
    if (r->joint_rows == NOT_GIVEN) return EXIT_SOLVED;
    if (problem->joint_count == 0)
        return cmd_error("solve", "%s: --joint-rows: there are no joint rows; expected a problem with joints",
                         r->path);
    if (problem->local)
        return cmd_error("solve", "%s: --joint-rows: joint rows of a problem in local form are rows of W",
                         r->path);
    return EXIT_SOLVED;
}

/* --report, --impulse and --accel-directions belong to the acceleration level. */
static int refuse_level(const solve_request *r, const abut_contact_problem *problem)
{
    abut_contact_model model = problem->model;
    const char *name = abut_contact_model_name(model);
    bool given = model_has_law(model, ABUT_LAW_GIVEN);
    if (r->report == REPORT_STATICS && !model_accelerates(model))
        return cmd_error("solve",
                         "--report statics: model %s has impulses; expected coulomb-accel or viscous", name);
    if (r->report == REPORT_STATICS && problem->generalised)
        return cmd_error("solve", "--report statics: %s has blocks; expected bodies", r->path);
    if (r->impulse && !model_accelerates(model))
        return cmd_error("solve",
                         "--impulse: model %s has impulses anyway; expected coulomb-accel or viscous", name);
    if (r->accel_directions != NOT_GIVEN && !model_is_coulomb_accel(model))
        return cmd_error("solve", "--accel-directions: model %s; expected coulomb-accel%s", name,
                         model_is_coulomb(model) ? ", or --directions" : "");
    if (r->slide_threshold != NOT_GIVEN && !model_is_coulomb_accel(model) && !(given && r->impulse))
        return cmd_error("solve", "--slide-threshold: model %s%s; expected coulomb-accel", name,
                         given ? " reads it with --impulse only" : " tells slip by its states");
    if (r->impact_seconds != NOT_GIVEN && !(given && r->impulse))
        return cmd_error("solve", "--impact-seconds: model %s%s; expected viscous and --impulse", name,
                         given ? " without --impulse" : "");
    if (r->all && given) return cmd_error("solve", "--all: not for model %s", name);
    int spatial = 0;
    for (int i = 0; i < problem->contact_count; ++i)
        spatial += problem->contacts[i].directions != ABUT_DIRECTIONS_MIN;
    if (r->all && model_is_coulomb_accel(model) &&
        (problem->contact_count > ABUT_ACCEL_CONTACTS_MAX || spatial > ABUT_ACCEL_SPATIAL_MAX))
        return cmd_error("solve",
                         "--all searches all modes of at most %d contacts, %d of them in space; there are %d "
                         "and %d",
                         ABUT_ACCEL_CONTACTS_MAX, ABUT_ACCEL_SPATIAL_MAX, problem->contact_count, spatial);
    return EXIT_SOLVED;
}

/* Unions, and with them their options, belong to the velocity level. */
static int refuse_unions(const solve_request *r, const abut_contact_problem *problem)
{
    int sides = 0;
    for (int i = 0; i < problem->contact_count; ++i) {
        sides += problem->contacts[i].group > 0;
        if (model_accelerates(problem->model) && abut_union_is_side(problem, i))
            return cmd_error("solve",
                             "%s: contacts[%d].group: a union; model %s has none, expected coulomb, "
                             "frictionless or no-slip",
                             r->path, i, abut_contact_model_name(problem->model));
    }
    const char *given = r->rule != NOT_GIVEN      ? "--union"
                        : r->epsilon != NOT_GIVEN ? "--epsilon"
                        : r->prefer != NOT_GIVEN  ? "--prefer"
                                                  : NULL;
    if (given && sides == 0)
        return cmd_error("solve", "%s: %s: no contact has a group; expected a problem with unions", r->path,
                         given);
    if (r->epsilon != NOT_GIVEN && r->rule != ABUT_UNION_SUM)
        return cmd_error("solve", "--epsilon: the exact union has no cap; expected --union sum beside it");
    if (r->all && sides == 0 && !model_is_coulomb_accel(problem->model))
        return cmd_error("solve",
                         "%s: --all: no contact has a group; expected a problem with unions, or model "
                         "coulomb-accel",
                         r->path);
    if (r->all && sides > ABUT_UNION_ALL_MAX)
        return cmd_error("solve", "%s: --all: %d sides of unions; expected at most %d", r->path, sides,
                         ABUT_UNION_ALL_MAX);
    return EXIT_SOLVED;
}

/* --restitution-threshold says when contacts bounce. */
static int refuse_threshold(const solve_request *r, const abut_contact_problem *problem)
{
    if (r->restitution_threshold == NOT_GIVEN) return EXIT_SOLVED;
    if (model_accelerates(problem->model))
        return cmd_error("solve",
                         "--restitution-threshold: nothing bounces in model %s; expected coulomb, "
                         "frictionless or no-slip",
                         abut_contact_model_name(problem->model));
    for (int i = 0; i < problem->contact_count; ++i)
        if (problem->contacts[i].restitution > 0) return EXIT_SOLVED;
    return cmd_error("solve", "%s: --restitution-threshold: no contact has a restitution > 0", r->path);
}

/* --viscous is a question of the velocity level, where unions take the velocity before. */
static int refuse_viscous(const solve_request *r, const abut_contact_problem *problem)
{
    bool any = false, unions = false;
    for (int i = 0; i < problem->contact_count; ++i) {
        any = any || problem->contacts[i].viscous > 0;
        unions = unions || problem->contacts[i].group > 0;
    }
    if (r->viscous == NOT_GIVEN) return EXIT_SOLVED;
    if (model_accelerates(problem->model))
        return cmd_error("solve", "--viscous: forces of model %s follow the velocity before; expected %s",
                         abut_contact_model_name(problem->model), "coulomb, frictionless or no-slip");
    if (!any) return cmd_error("solve", "%s: --viscous: no contact has a viscous coefficient > 0", r->path);
    if (unions && r->viscous == ABUT_VISCOUS_IMPLICIT)
        return cmd_error("solve", "%s: --viscous implicit: the problem has unions; expected explicit",
                         r->path);
    return EXIT_SOLVED;
}

/* --others compares velocities of Coulomb's law. */
static int refuse_others(const solve_request *r, const abut_contact_problem *problem)
{
    if (r->others == 0) return EXIT_SOLVED;
    if (!model_is_coulomb(problem->model))
        return cmd_error("solve", "--others: model %s; expected coulomb",
                         abut_contact_model_name(problem->model));
    for (int i = 0; i < problem->contact_count; ++i)
        if (problem->contacts[i].group > 0)
            return cmd_error("solve", "--others: %s has unions; expected --all", r->path);
    if (problem->local)
        return cmd_error("solve", "--others: %s has no bodies (W + q), so no energies", r->path);
    if (problem->generalised) return cmd_error("solve", "--others: %s has blocks; expected bodies", r->path);
    return EXIT_SOLVED;
}

int solve_refuse(const solve_request *r, const abut_contact_problem *problem)
{
    int (*const refuse[])(const solve_request *, const abut_contact_problem *) = {
        refuse_pair,   refuse_circles,   refuse_stage,   refuse_level, refuse_joints,
        refuse_unions, refuse_threshold, refuse_viscous, refuse_others};
    int status = EXIT_SOLVED;
    for (size_t k = 0; k < sizeof refuse / sizeof *refuse && status == EXIT_SOLVED; ++k)
        status = refuse[k](r, problem);
    return status;
}
