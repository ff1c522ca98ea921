/* The table of solvers. A row lists the stages of one solver in order of attack. Each stage says itself which laws of
 * friction, and which doors, it answers. */
#include "contact/solvers.h"
#include "contact/cone/cone.h"
#include "contact/dense/lcp.h"
#include "contact/drive/drive.h"
#include "contact/faces/faces.h"
#include "contact/lloyd/lloyd.h"
#include "contact/normal/normal.h"
#include "contact/rest/rest.h"
#include "contact/sparse/sparse.h"
#include "contact/system/models.h"
#include <string.h>

/* A solver has at most this many stages. */
enum { STAGES_MAX = 18 };

static const abuti_stage *const own_stages[ABUT_SOLVER_COUNT][STAGES_MAX + 1] = {
    [ABUT_SOLVER_FACES] = {&abuti_faces_check, &abuti_sparse_hold, &abuti_faces_mend, &abuti_sparse_check,
                           &abuti_faces_narrow, &abuti_sparse_interior, &abuti_sparse_path,
                           &abuti_faces_greedy, &abuti_faces_interior, &abuti_faces_path, &abuti_faces_cover,
                           &abuti_stage_distance, &abuti_stage_rest_quick, &abuti_stage_rest,
                           &abuti_cone_check_stage, &abuti_cone_newton_stage, &abuti_cone_proximal_stage,
                           &abuti_cone_interior_stage},
    [ABUT_SOLVER_REDUCED] = {&abuti_stage_reduced},
    [ABUT_SOLVER_STRUCTURAL] = {&abuti_stage_structural},
    [ABUT_SOLVER_LEMKE] = {&abuti_stage_lemke, &abuti_stage_twofold, &abuti_stage_normal_lemke},
    [ABUT_SOLVER_DRIVE] = {&abuti_stage_drive_warm, &abuti_stage_drive, &abuti_stage_drive_polygon,
                           &abuti_stage_drive_modes, &abuti_stage_drive_lemke},
    [ABUT_SOLVER_PPM] = {&abuti_stage_ppm},
    [ABUT_SOLVER_DANTZIG] = {&abuti_stage_normal_dantzig},
    [ABUT_SOLVER_ACTIVE_SET] = {&abuti_stage_normal_active_set},
    [ABUT_SOLVER_ENUMERATE] = {&abuti_stage_enumerate},
};

/* The solvers that come to help when the chosen one has no answer, in order; AUTO ends the list. The first of them comes
 * before the covers of `faces`: where one path has failed, a path on another basis mostly ends, and other covers may go
 * on for thousands of events. */
static const abut_contact_solver helpers[] = {ABUT_SOLVER_REDUCED, ABUT_SOLVER_PPM, ABUT_SOLVER_LEMKE,
                                              ABUT_SOLVER_AUTO};

static bool answers(const abuti_stage *stage, abut_contact_model model, bool local)
{
    return (stage->answers & abuti_question_of(model)) && (local ? stage->local : stage->rows);
}

bool abut_contact_supports(abut_contact_model model, abut_contact_solver solver, bool local)
{
    if ((unsigned)model >= ABUT_MODEL_COUNT || (unsigned)solver >= ABUT_SOLVER_COUNT) return false;
    solver = abuti_solver_resolve(model, solver, local);
    for (int k = 0; own_stages[solver][k]; ++k) {
        if (answers(own_stages[solver][k], model, local)) return true;
    }
    return false;
}

abut_contact_solver abuti_solver_resolve(abut_contact_model model, abut_contact_solver solver, bool local)
{
    if (solver != ABUT_SOLVER_AUTO) return solver;
    const abut_contact_solver *automatic = abuti_models[model].automatic;
    for (int k = 0; automatic[k] != ABUT_SOLVER_AUTO; ++k) {
        if (abut_contact_supports(model, automatic[k], local)) return automatic[k];
    }
    return ABUT_SOLVER_AUTO;
}

/* Adds the stages of a solver that are not in the plan, up to `end`; NULL: all of them. */
static void plan_add(abuti_plan *plan, abut_contact_model model, abut_contact_solver solver,
                     const abuti_stage *end, bool local, unsigned served)
{
    for (int k = 0; own_stages[solver][k] && own_stages[solver][k] != end; ++k) {
        const abuti_stage *stage = own_stages[solver][k];
        bool there =
            stage->round || !answers(stage, model, local) || !(served & (1u << stage->family->solver));
        for (int i = 0; i < plan->count && !there; ++i) there = plan->stage[i] == stage;
        if (!there && plan->count < ABUTI_PLAN_MAX) plan->stage[plan->count++] = stage;
    }
}

abuti_plan abuti_plan_make(abut_contact_model model, abut_contact_solver solver, bool local, bool fallback,
                           unsigned served)
{
    abuti_plan plan = {.solver = abuti_solver_resolve(model, solver, local)};
    plan_add(&plan, model, plan.solver, &abuti_faces_cover, local, served);
    if (fallback) plan_add(&plan, model, ABUT_SOLVER_REDUCED, NULL, local, served);
    plan_add(&plan, model, plan.solver, NULL, local, served);
    for (int k = 0; fallback && helpers[k] != ABUT_SOLVER_AUTO; ++k)
        plan_add(&plan, model, helpers[k], NULL, local, served);
    for (int k = 0; k < plan.count; ++k) plan.rests = plan.rests || plan.stage[k] == &abuti_stage_rest;
    return plan;
}

const abuti_stage *abuti_stage_find(abut_contact_model model, bool local, const char *name)
{
    for (int solver = 0; solver < ABUT_SOLVER_COUNT; ++solver) {
        for (int k = 0; own_stages[solver][k]; ++k) {
            const abuti_stage *stage = own_stages[solver][k];
            if (answers(stage, model, local) && strcmp(stage->name, name) == 0) return stage;
        }
    }
    return NULL;
}

int abuti_families(unsigned served, const abuti_family *families[ABUTI_FAMILIES_MAX])
{
    int count = 0;
    for (int solver = 0; solver < ABUT_SOLVER_COUNT; ++solver) {
        for (int k = 0; own_stages[solver][k]; ++k) {
            const abuti_family *family = own_stages[solver][k]->family;
            bool there = !(served & (1u << family->solver)) || count == ABUTI_FAMILIES_MAX;
            for (int i = 0; i < count && !there; ++i) there = families[i] == family;
            if (!there) families[count++] = family;
        }
    }
    return count;
}

unsigned abuti_solvers_served(unsigned solvers)
{
    unsigned automatic_bit = 1u << ABUT_SOLVER_AUTO;
    if (solvers != 0 && !(solvers & automatic_bit)) return solvers;
    for (int k = 0; helpers[k] != ABUT_SOLVER_AUTO; ++k) solvers |= 1u << helpers[k];
    for (int model = 0; model < ABUT_MODEL_COUNT; ++model) {
        for (int local = 0; local < 2; ++local) {
            solvers |= 1u << abuti_solver_resolve((abut_contact_model)model, ABUT_SOLVER_AUTO, local != 0);
        }
    }
    return solvers & ~automatic_bit;
}

const char *abut_contact_stage_name(abut_contact_model model, abut_contact_solver solver, int k)
{
    if ((unsigned)model >= ABUT_MODEL_COUNT || (unsigned)solver >= ABUT_SOLVER_COUNT || k < 0) return NULL;
    abuti_plan rows = abuti_plan_make(model, solver, false, false, ~0u);
    if (k < rows.count) return rows.stage[k]->name;
    for (int i = 0, at = rows.count; own_stages[rows.solver][i]; ++i) {
        const abuti_stage *stage = own_stages[rows.solver][i];
        if (stage->round && answers(stage, model, false) && at++ == k) return stage->name;
    }
    return NULL;
}
