/* Systems with circles: the polygons' stages find where to start, the stages of the room cone/ end on the circles.
 *
 *     the last step's states -> cone-check
 *     a polygon's answer, by the plan -> cone-newton; likewise with 16 and 32 directions
 *     cone-proximal, cone-interior
 *
 * Each answer is judged by the verifier on its circles. */
#include "contact/call.h"
#include "contact/cone/cone.h"
#include "contact/faces/faces.h"
#include "contact/soften.h"
#include <limits.h>
#include <math.h>

/* Sweeps bring a point nearer whose residual is at most POLISH_NEAR, and go on while they leave at most POLISH_GAINS
 * of it. */
#define POLISH_NEAR 1e-6
#define POLISH_GAINS 0.9
/* From so many bodies on a moving island whose states have changed goes inside the circles at once, where it would take
 * the polygons' stages longer to find where to start. */
#define SEVERAL 5
/* Pivots that finer polygons of a large island may take; a hundred are usual. */
#define FINER_PIVOTS 4000

void abuti_round_start(abuti_call *c, const abuti_system *system)
{
    const abuti_warm *warm = &c->work->warm;
    c->context.turn = system->round && c->context.start == warm->start ? warm->turn : NULL;
    for (int axis = 0; axis < 3; ++axis)
        c->context.pushed[axis] = c->context.turn && warm->pushes ? warm->pushed[axis] : NULL;
}

/* Whether no circle slides or lies on an edge of its polygon. Polygons are inscribed, so a contact that sticks on one
 * sticks on its circle, too. */
static bool is_round(const abuti_system *system, const abuti_answer *answer)
{
    for (int i = 0; i < system->n; ++i) {
        uint8_t state = answer->face[i].state;
        if (system->round[i] && state != ABUT_OPEN && state != ABUT_STICK) return false;
    }
    return true;
}

abut_outcome abuti_round_refine(abuti_call *c, const abuti_system *system, abuti_verdict *verdict)
{
    if (!c->work->answer.rough && is_round(system, &c->work->answer)) return ABUT_SOLVED;
    const abuti_stage *stage = &abuti_cone_newton_stage;
    abut_contact_workspace *work = c->work;
    int before = work->answer.pivots;
    c->context.point = &work->answer;
    const abuti_system *full = abuti_lift_expand(&work->build.lift, system);
    abut_outcome belief =
        stage->run(full, abuti_workspace_enter(work, stage, full), &c->context, &work->answer);
    c->context.point = NULL;
    verdict->refined = work->answer.pivots > before ? stage : NULL;
    /* At the acceleration level the plan goes on: a later stage of polygons may know another start. */
    verdict->unrefined = belief != ABUT_SOLVED && abuti_is_coulomb(system->model);
    return belief;
}

static bool try_stage(abuti_call *c, const abuti_island *island, const abuti_system *system,
                      const abuti_stage *stage, abuti_verdict *verdict)
{
    return abuti_run_stage(c, stage, system, verdict) == ABUT_SOLVED &&
           abuti_accept(c, island, system, stage, verdict);
}

/* Where the point at hand, which a stage of the room cone/ has left, is near an answer, sweeps go on from there. */
static bool sweep_on(abuti_call *c, const abuti_island *island, const abuti_system *system,
                     const abuti_stage *stage, abuti_verdict *verdict)
{
    abut_contact_workspace *work = c->work;
    if (work->answer.too_large || !abuti_soften_serves(system) || work->build.lift.used) return false;
    abuti_call_judge(c, island, system, &work->answer, &verdict->check);
    double before = INFINITY, residual = verdict->check.residual;
    while (residual <= fmin(POLISH_NEAR, POLISH_GAINS * before) && !abuti_out_of_budget(c) &&
           abuti_polish(system, &c->context, work->outputs.v, &work->answer)) {
        if (abuti_accept(c, island, system, stage, verdict)) return true;
        before = residual;
        residual = verdict->check.residual;
    }
    return false;
}

static bool try_rescue(abuti_call *c, const abuti_island *island, const abuti_system *system,
                       const abuti_stage *stage, abuti_verdict *verdict)
{
    if (abuti_out_of_budget(c)) return false;
    return try_stage(c, island, system, stage, verdict) || sweep_on(c, island, system, stage, verdict);
}

bool abuti_round_warm(abuti_call *c, const abuti_island *island, const abuti_system *system,
                      abuti_verdict *verdict)
{
    if (!c->context.start || !c->context.turn || c->options->stage || !abuti_is_coulomb(system->model))
        return false;
    if (try_rescue(c, island, system, &abuti_cone_check_stage, verdict)) return true;
    if (system->bodies < SEVERAL) return false;
    verdict->early = true;
    return try_rescue(c, island, system, &abuti_cone_interior_stage, verdict);
}

/* Whether the island has too many bodies for the stage, which leaves it to others. */
static bool too_many(const abuti_system *system, const abuti_stage *stage)
{
    return stage->most_bodies > 0 && system->bodies > stage->most_bodies;
}

/* Tries polygons with d directions in place of the circles, from nothing. The verdict is a ray where a stage ends on one
 * and none has an answer. */
static bool try_polygons(abuti_call *c, const abuti_island *island, const abuti_system *system, int d,
                         abuti_verdict *verdict)
{
    abut_contact_workspace *work = c->work;
    abuti_system finer = *system;
    for (int i = 0; i < system->lanes; ++i)
        work->finer[i] = system->round[i] && system->directions[i] < d ? d : system->directions[i];
    finer.directions = work->finer;
    work->systems++;
    verdict->unrefined = false;
    verdict->outcome = ABUT_FAILED;
    for (int k = 0; k < c->plan->count && !verdict->unrefined && !abuti_out_of_budget(c); ++k) {
        const abuti_stage *stage = c->plan->stage[k];
        if (stage->family != abuti_faces_check.family || stage->needs_start || too_many(system, stage))
            continue;
        abut_outcome belief = abuti_run_stage(c, stage, &finer, verdict);
        if (belief == ABUT_RAY) {
            abuti_take_ray(c, &finer, verdict);
            verdict->outcome = ABUT_RAY;
            verdict->stage = stage;
        }
        if (belief != ABUT_SOLVED) continue;
        if (abuti_accept(c, island, system, stage, verdict)) return true;
        verdict->unrefined = true;
        verdict->outcome = ABUT_FAILED;
    }
    return false;
}

bool abuti_round_early(abuti_call *c, const abuti_island *island, const abuti_system *system,
                       abuti_verdict *verdict)
{
    if (system->rows || verdict->early || c->options->stage || abuti_out_of_budget(c) ||
        !abuti_is_coulomb(system->model))
        return false;
    verdict->early = true;
    return try_stage(c, island, system, &abuti_cone_proximal_stage, verdict) ||
           (!abuti_out_of_budget(c) && try_stage(c, island, system, &abuti_cone_interior_stage, verdict));
}

/* Tries the interior point from nothing, unless that was done before, then the proximal point from what was found
 * last. */
static bool try_own(abuti_call *c, const abuti_island *island, const abuti_system *system,
                    abuti_verdict *verdict)
{
    abuti_swap_answers(c->work);
    c->context.point = &c->work->best;
    bool solved = (!verdict->early && try_rescue(c, island, system, &abuti_cone_interior_stage, verdict)) ||
                  try_rescue(c, island, system, &abuti_cone_proximal_stage, verdict);
    c->context.point = NULL;
    return solved;
}

/* Tries finer polygons, one after the other. In large islands their paths may wander for seconds, so they have a
 * budget of their own; where it is spent, the island's outcome is `limit`. */
static bool try_finer(abuti_call *c, const abuti_island *island, const abuti_system *system,
                      abuti_verdict *verdict)
{
    bool solved = false;
    int left = c->context.pivots_left, before = verdict->pivots;
    if (system->bodies >= ABUTI_LARGE_WARM && left > FINER_PIVOTS) c->context.pivots_left = FINER_PIVOTS;
    for (int d = 2 * ABUT_DIRECTIONS_DEFAULT; d <= ABUTI_FINEST && !solved && !abuti_out_of_budget(c); d *= 2)
        solved = try_polygons(c, island, system, d, verdict);
    verdict->spent = !solved && abuti_out_of_budget(c);
    if (left < INT_MAX) left -= verdict->pivots - before;
    c->context.pivots_left = left;
    return solved;
}

/* Goes on with the plan behind a stage whose answer lacked digits, if a later stage computes in twice as many. */
static bool try_last(abuti_call *c, const abuti_island *island, const abuti_system *system,
                     abuti_verdict *verdict)
{
    const abuti_stage *last = c->plan->stage[c->plan->count - 1];
    bool own = last->family == abuti_faces_check.family;
    if (own || last->round || !system->rows || too_many(system, last) || abuti_out_of_budget(c)) return false;
    return try_stage(c, island, system, last, verdict) ||
           sweep_on(c, island, system, &abuti_cone_newton_stage, verdict);
}

bool abuti_round_rescue(abuti_call *c, const abuti_island *island, const abuti_system *system,
                        abuti_verdict *verdict)
{
    const abut_contact_face *start = c->context.start;
    if (!abuti_is_coulomb(system->model))
        return !c->options->stage && !abuti_out_of_budget(c) &&
               try_stage(c, island, system, &abuti_cone_proximal_stage, verdict);
    bool large = system->bodies >= ABUTI_LARGE_WARM;
    bool solved = !c->options->stage && verdict->unrefined &&
                  sweep_on(c, island, system, &abuti_cone_newton_stage, verdict);
    c->context.start = NULL;
    if (!c->options->stage && !solved) { /* where polygons take long, the point at hand is tried first */
        solved = large && verdict->unrefined && try_own(c, island, system, verdict);
        solved = solved || try_finer(c, island, system, verdict);
        solved = solved || (!large && try_own(c, island, system, verdict));
        solved = solved || (!large && verdict->outcome != ABUT_RAY && try_last(c, island, system, verdict));
    }
    c->context.start = start;
    /* Several bodies are to move on, and a point that is near an answer lets them (soften.h). */
    if (!solved && system->rows && system->bodies >= SEVERAL && verdict->outcome != ABUT_RAY)
        verdict->spent = true;
    return solved;
}

bool abuti_round_alone(abuti_call *c, const abuti_island *island, const abuti_system *system,
                       abuti_verdict *verdict)
{
    const abuti_plan *asked = c->plan;
    const abuti_stage *stage = asked->stage[0];
    verdict->check = (abut_contact_check){.residual = INFINITY, .worst_contact = -1};
    if (stage != &abuti_cone_newton_stage)
        return (c->context.start || !stage->needs_start) && try_stage(c, island, system, stage, verdict);
    abuti_plan polygons =
        abuti_plan_make(system->model, ABUT_SOLVER_FACES, !system->rows, false, c->work->served);
    bool solved = false;
    for (int k = 0; k < polygons.count && !solved && !verdict->unrefined && !abuti_out_of_budget(c); ++k) {
        if ((polygons.stage[k]->needs_start && !c->context.start) || too_many(system, polygons.stage[k]))
            continue;
        solved = try_stage(c, island, system, polygons.stage[k], verdict);
    }
    if (solved) verdict->stage = stage;
    return solved;
}
