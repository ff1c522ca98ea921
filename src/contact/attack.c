/* Runs the stages of the plan on one island, in order. The verifier judges each answer. */
#include "base/clock.h"
#include "contact/admit.h"
#include "contact/call.h"
#include "contact/choice.h"
#include "contact/drive/drive.h"
#include "contact/faces/faces.h"
#include "contact/rest/rest.h"
#include "contact/soften.h"
#include "contact/sparse/sparse.h"
#include "contact/verify/verify.h"
#include <limits.h>
#include <math.h>
#include <string.h>

/* Driving may stop where its own conditions just hold and Coulomb's law is off by more than rounding. Its answer is
 * taken if the residual is within this part of the tolerance; else the next stages may do better. */
#define DRIVE_ENOUGH 0.1

/* A point with at most this residual is near enough to an answer to go on from as it is. */
#define NEAR 1e-4

/* Where paths end on a ray, the modes of at most so many contacts are searched through: the first number is for a
 * step of a sequence, where the search takes a millisecond, the second for a call that stands alone. */
enum { SEARCHED = 3, SEARCHED_ALONE = 8 };

/* Sweeps polish a point whose residual is at most POLISH_NEAR, and go on while they leave less than POLISH_GAINS of
 * it. */
#define POLISH_NEAR 1e-7
#define POLISH_GAINS 0.9

void abuti_swap_answers(abut_contact_workspace *work)
{
    abuti_answer best = work->best;
    work->best = work->answer;
    work->answer = best;
}

void abuti_clear_answer(abuti_answer *answer, const abuti_system *system)
{
    size_t lanes = (size_t)system->lanes;
    memset(answer->theta, 0, lanes * sizeof(double));
    memset(answer->f[0], 0, lanes * sizeof(double));
    memset(answer->f[1], 0, lanes * sizeof(double));
    memset(answer->face, 0, lanes * sizeof(abut_contact_face));
    memset(answer->glued, 0, lanes * sizeof(bool));
    if (system->joints) memset(answer->joint, 0, (size_t)system->joints * sizeof(double));
}

static void copy_answer(abuti_answer *to, const abuti_answer *from, const abuti_system *system)
{
    size_t lanes = (size_t)system->lanes;
    memcpy(to->theta, from->theta, lanes * sizeof(double));
    memcpy(to->f[0], from->f[0], lanes * sizeof(double));
    memcpy(to->f[1], from->f[1], lanes * sizeof(double));
    memcpy(to->face, from->face, lanes * sizeof(abut_contact_face));
    memcpy(to->glued, from->glued, lanes * sizeof(bool));
    if (system->joints) memcpy(to->joint, from->joint, (size_t)system->joints * sizeof(double));
    to->glue_proven = from->glue_proven;
}

/* Carries an answer to the caller's units and lets the verifier judge it. */
void abuti_call_judge(abuti_call *c, const abuti_island *island, const abuti_system *system,
                      const abuti_answer *answer, abut_contact_check *check)
{
    abut_contact_workspace *work = c->work;
    abuti_outputs *out = &work->outputs;
    abuti_unscale(&work->build, &work->joint_space, system, answer, c->problem, island, out);
    abuti_verify_island(c->problem, c->options, island, out->impulses, out->joints, out->velocity,
                        work->verify_scratch, check);
}

/* Runs a stage in the room of its family. */
static abut_outcome run(abuti_call *c, const abuti_stage *stage, const abuti_system *system)
{
    abut_contact_workspace *work = c->work;
    if (stage->parts) system = abuti_parts_system(&work->build, c->problem, system);
    if (!stage->bounded && !system->parts) system = abuti_lift_expand(&work->build.lift, system);
    int at = abuti_room_find(&work->room, stage->family);
    abuti_place *place = &work->room.place[at];
    if (c->context.deadline < INFINITY &&
        abuti_clock() + abuti_room_delay(&work->room, at, system) >= c->context.deadline)
        return ABUT_LIMIT; /* there is no time to begin */
    void *scratch = abuti_room_enter(&work->room, at, system);
    work->answer.too_large = !scratch;
    if (!scratch) return ABUT_FAILED;
    c->context.continued = place->seen == work->systems;
    place->seen = work->systems;
    return stage->run(system, scratch, &c->context, &work->answer);
}

/* Runs a stage on a cleared answer. Where contacts have circles, what a stage for polygons finds is brought onto them.
 * `rough`: the stage may stop near the polygons' answer. */
static abut_outcome run_to_end(abuti_call *c, const abuti_stage *stage, const abuti_system *system,
                               bool rough, abuti_verdict *verdict)
{
    abuti_answer *answer = &c->work->answer;
    abuti_clear_answer(answer, system);
    answer->exhausted = answer->too_large = answer->glue_proven = answer->rough = false;
    c->context.rough = rough;
    abut_outcome belief = run(c, stage, system);
    verdict->refined = NULL;
    if (!system->round || stage->round) return belief;
    verdict->unrefined = false;
    return belief == ABUT_SOLVED ? abuti_round_refine(c, system, verdict) : belief;
}

/* Runs one stage on the system, and takes its pivots from the budget. */
abut_outcome abuti_run_stage(abuti_call *c, const abuti_stage *stage, const abuti_system *system,
                             abuti_verdict *verdict)
{
    abut_contact_workspace *work = c->work;
    work->answer.pivots = 0;
    bool rough = system->round && abuti_is_coulomb(system->model);
    abut_outcome belief = run_to_end(c, stage, system, rough, verdict);
    if (belief != ABUT_SOLVED && work->answer.rough && !abuti_out_of_budget(c))
        belief = run_to_end(c, stage, system, false, verdict);
    verdict->pivots += work->answer.pivots;
    verdict->exhausted = verdict->exhausted || work->answer.exhausted;
    if (work->answer.too_large) {
        verdict->too_large = true;
        if (!verdict->cramped) verdict->cramped = stage;
    } else {
        verdict->tried = true;
    }
    if (c->context.pivots_left < INT_MAX) c->context.pivots_left -= work->answer.pivots;
    return belief;
}

void abuti_take_ray(abuti_call *c, const abuti_system *system, abuti_verdict *verdict)
{
    abut_contact_workspace *work = c->work;
    if (verdict->directed ||
        (abuti_model_of(system->model)->ray_is_answer && !abuti_drive_is_impulse(system, work->answer.ray)))
        return;
    if (!c->has_ray) memset(work->outputs.ray, 0, 3 * (size_t)c->problem->contact_count * sizeof(double));
    abuti_unscale_ray(system, work->answer.ray, &work->outputs);
    verdict->directed = c->has_ray = true;
}

/* Whether a point of a model without friction is so near to an answer that it satisfies contacts and joint rows. Then
 * there is an answer, which rounding alone keeps from the tolerance (impulses a million times larger than the motion),
 * and the rays of other stages tell nothing. */
static bool nearly_solved(const abuti_system *system, const abut_contact_check *least)
{
    return abuti_model_of(system->model)->friction == ABUT_LAW_NONE && least->residual <= 1e-6;
}

/* How far the stages have come with an island. */
typedef struct course {
    abut_contact_check least;      /* the check of the best point so far */
    const abuti_answer *best;      /* that point; NULL: there is none */
    const abuti_stage *best_stage; /* the stage that found it */
    const abuti_stage *on_ray;     /* the first stage that ended on a ray */
    bool said[ABUT_FAILED + 1];    /* what stages believed */
    const abuti_stage *asked_rest; /* the last stage that was asked whether the bodies rest */
    bool asked;                    /* nobody will be asked for rest again */
} course;

/* Asks, before the stage `next` that moves the bodies, whether they rest. Before a stage that mends given states, which
 * takes longer, springs alone are asked; before a stage that starts from nothing, all means are. */
static bool rests(abuti_call *c, const abuti_island *island, const abuti_system *system,
                  const abuti_stage *next, course *so_far, abuti_verdict *verdict)
{
    abut_contact_check check;
    bool due = !next->needs_start || next == &abuti_faces_mend || system->bodies == 1;
    if (so_far->asked || (!due && next != &abuti_sparse_check)) return false;
    so_far->asked = due;
    const abuti_stage *stage = abuti_rest_first(c, island, system);
    if (stage && !due) stage = &abuti_stage_rest_quick;
    if (!stage || stage == so_far->asked_rest) return false;
    so_far->asked_rest = stage;
    if (abuti_run_stage(c, stage, system, verdict) != ABUT_SOLVED) return false;
    abuti_call_judge(c, island, system, &c->work->answer, &check);
    if (!(check.residual <= c->options->tolerance)) return false;
    verdict->check = check;
    verdict->outcome = ABUT_SOLVED;
    verdict->stage = verdict->refined ? verdict->refined : stage;
    verdict->point = &c->work->answer;
    return true;
}

/* Whether contacts and joint rows of a step in a sequence may exclude each other, because some ask for a motion. (A
 * single solve goes on until a stage has a ray to show.) */
static bool asks_for_motion(const abuti_call *c, const abuti_system *system)
{
    const abut_contact_options *options = c->options;
    return c->proves && system->rows && !options->stage && abuti_in_sequence(options) &&
           !abuti_rest_conceivable(system);
}

/* Looks, once an island, for a proof that there is no answer. If there is a proof, it is the verdict. */
static bool impossible(abuti_call *c, const abuti_island *island, const abuti_stage *stage,
                       const abut_contact_check *least, abuti_verdict *verdict)
{
    if (!c->proves) return false;
    c->proves = false;
    if (!abuti_proven_impossible(c, island)) return false;
    verdict->outcome = ABUT_INFEASIBLE;
    verdict->stage = stage;
    verdict->check = *least;
    return true;
}

/* The number of bodies or trees of an island, also where it is built as one block. */
static int bodies_of(const abuti_call *c, const abuti_system *system)
{
    const abuti_part_store *parts = &c->work->build.partition;
    return system->bodies == 1 && parts->bodies > 1 ? parts->bodies : system->bodies;
}

/* Whether the stage is not for this island. */
static bool left_out(const abuti_call *c, const abuti_system *system, const abuti_stage *stage)
{
    int bodies = bodies_of(c, system), most = stage->most_bodies;
    bool unfit = !c->options->stage && (bodies < stage->least_bodies || (most > 0 && bodies > most));
    return (stage->needs_start && !c->context.start) || unfit;
}

/* Notes what a stage believes, before the verifier has judged it. True: the stage's ray led to a proof that there is no
 * answer. */
static bool take_belief(abuti_call *c, const abuti_island *island, const abuti_system *system,
                        const abuti_stage *stage, abut_outcome belief, course *so_far, abuti_verdict *verdict)
{
    if (belief == ABUT_RAY) {
        abuti_take_ray(c, system, verdict);
        if (!so_far->on_ray) so_far->on_ray = stage;
        if (impossible(c, island, stage, &so_far->least, verdict)) return true;
    }
    if (!so_far->said[belief]) verdict->stage = stage;
    so_far->said[belief] = true;
    return false;
}

bool abuti_accept(abuti_call *c, const abuti_island *island, const abuti_system *system,
                  const abuti_stage *stage, abuti_verdict *verdict)
{
    abut_contact_workspace *work = c->work;
    bool drives = abuti_model_of(system->model)->ray_is_answer;
    abuti_call_judge(c, island, system, &work->answer, &verdict->check);
    if (!(verdict->check.residual <= c->options->tolerance * (drives ? DRIVE_ENOUGH : 1.0))) return false;
    verdict->outcome = ABUT_SOLVED;
    verdict->stage = verdict->refined ? verdict->refined : stage;
    verdict->point = &work->answer;
    verdict->glue_proven = work->answer.glue_proven;
    verdict->exhausted = verdict->too_large = verdict->directed = verdict->unrefined = false;
    abuti_rest_instead(c, island, system, verdict);
    return true;
}

/* Keeps the point at hand, which was judged, if it is the best so far. */
static bool keep_best(abuti_call *c, const abuti_stage *stage, const abuti_verdict *verdict, course *so_far)
{
    if (so_far->best && !(verdict->check.residual < so_far->least.residual)) return false;
    so_far->least = verdict->check;
    so_far->best_stage = stage;
    abuti_swap_answers(c->work);
    so_far->best = &c->work->best;
    return true;
}

/* Brings the best point so far nearer by sweeps if it is near an answer. Points of other solvers' stages, and of a
 * stage that is asked for by name, are left as they are. */
static bool polish(abuti_call *c, const abuti_system *system, const course *so_far)
{
    abut_contact_workspace *work = c->work;
    bool own = so_far->best_stage->family->solver == ABUT_SOLVER_FACES && !c->options->stage;
    if (!own || !(so_far->least.residual <= POLISH_NEAR) || !abuti_soften_serves(system) ||
        system->before[0] || work->build.lift.used || abuti_out_of_budget(c))
        return false;
    copy_answer(&work->answer, &work->best, system);
    return abuti_polish(system, &c->context, work->outputs.v, &work->answer);
}

/* The verdict when no stage was right. A spent budget counts before a proof or a ray, and those count before a
 * stage's own limit. */
static void conclude(abuti_call *c, const abuti_island *island, const abuti_system *system, bool spent,
                     const course *so_far, abuti_verdict *verdict)
{
    abut_contact_workspace *work = c->work;
    verdict->check = so_far->least;
    if (so_far->best && verdict->check.residual <= c->options->tolerance) {
        abuti_call_judge(c, island, system, so_far->best, &verdict->check);
        verdict->outcome = ABUT_SOLVED;
        verdict->stage = so_far->best_stage;
        verdict->point = so_far->best;
    } else if (!spent && so_far->said[ABUT_RAY] && !nearly_solved(system, &so_far->least)) {
        verdict->outcome = ABUT_RAY;
        verdict->stage = so_far->on_ray;
    } else if (spent || so_far->said[ABUT_LIMIT]) {
        bool near = so_far->best && so_far->least.residual <= NEAR;
        if (!so_far->best) abuti_clear_answer(&work->best, system); /* no point so far: no impulses at all */
        if (abuti_soften_serves(system) && !work->build.lift.used)
            abuti_soften(system, &c->context, c->deadline, near, work->outputs.v, &work->best);
        abuti_call_judge(c, island, system, &work->best, &verdict->check);
        verdict->outcome = verdict->check.residual <= c->options->tolerance ? ABUT_SOLVED : ABUT_LIMIT;
        verdict->point = &work->best;
    }
}

/* Whether the island is too large for pivoting. A large one is not if joint rows leave it no more freedoms than smaller
 * islands have, like a long tree in maximal coordinates. */
static bool leaves_pivoting(const abuti_call *c, const abuti_system *system)
{
    int freedoms = system->bodies * system->dim - system->joints, bodies = bodies_of(c, system);
    return bodies >= (bodies > system->bodies ? ABUTI_LARGE_PARTS : ABUTI_LARGE_ISLAND) &&
           freedoms >= ABUTI_LARGE_ISLAND * 6;
}

/* Looks for an answer that no path leads to: paths have ended on a ray, and there are so few contacts that all their
 * modes can be gone through. */
static bool searched(abuti_call *c, const abuti_island *island, const abuti_system *system,
                     abuti_verdict *verdict)
{
    const abuti_stage *modes = &abuti_stage_drive_modes;
    bool fits = system->rows && !system->before[0] && !system->round && !system->given &&
                !c->options->stage && abuti_model_of(system->model)->friction == ABUT_LAW_COULOMB &&
                system->n <= (abuti_in_sequence(c->options) ? SEARCHED : SEARCHED_ALONE) &&
                abuti_room_find(&c->work->room, modes->family) >= 0;
    for (int i = 1; i < system->n && fits; ++i) fits = system->directions[i] == system->directions[0];
    if (!fits) return false;
    bool exhausted = verdict->exhausted, too_large = verdict->too_large;
    int left = c->context.pivots_left; /* the search has a budget of its own */
    bool found = abuti_run_stage(c, modes, system, verdict) == ABUT_SOLVED &&
                 abuti_accept(c, island, system, modes, verdict);
    c->context.pivots_left = left;
    if (!found) verdict->exhausted = exhausted;
    if (!found) verdict->too_large = too_large;
    return found;
}

/* Whether the failure of a stage in a sequence of steps leads to a proof that there is no answer. The proof is looked
 * for where the best point so far does not show that there is none. (The search takes the answer at hand as its
 * scratch: what is worth keeping has been kept.) */
static bool failed_for_good(abuti_call *c, const abuti_island *island, const abuti_system *system,
                            const abuti_stage *stage, const course *so_far, abuti_verdict *verdict)
{
    if (!asks_for_motion(c, system)) return false;
    if (so_far->best && abuti_shown_possible(c, system, so_far->best)) return false;
    return impossible(c, island, stage, &so_far->least, verdict);
}

/* Whether the point at hand, or what sweeps make of it, is an answer. If not, it is kept if it is the best so far. */
static bool right(abuti_call *c, const abuti_island *island, const abuti_system *system,
                  const abuti_stage *stage, course *so_far, abuti_verdict *verdict)
{
    if (abuti_accept(c, island, system, stage, verdict)) return true;
    bool better = keep_best(c, stage, verdict, so_far);
    while (better && polish(c, system, so_far)) {
        double before = so_far->least.residual;
        if (abuti_accept(c, island, system, stage, verdict)) return true;
        better = keep_best(c, stage, verdict, so_far) && so_far->least.residual < POLISH_GAINS * before;
    }
    return false;
}

/* Runs the plan until the verifier accepts. */
void abuti_attack(abuti_call *c, const abuti_island *island, const abuti_system *system,
                  abuti_verdict *verdict)
{
    course so_far = {.least = {.residual = INFINITY, .worst_contact = -1}};
    bool spent = false;
    *verdict = (abuti_verdict){.outcome = ABUT_FAILED};
    if (c->plan->count == 1 && c->plan->stage[0]->round) {
        (void)abuti_round_alone(c, island, system, verdict);
        return;
    }
    if (system->round && c->context.start && system->bodies == 1 &&
        rests(c, island, system, c->plan->stage[0], &so_far, verdict))
        return; /* what rests on polygons rests on circles */
    if (system->round && abuti_round_warm(c, island, system, verdict)) return;
    /* There are no states to start from where the step before had no answer. */
    if (!c->context.start && asks_for_motion(c, system) &&
        impossible(c, island, abuti_first_stage(c->plan, c->options), &so_far.least, verdict))
        return;
    for (int k = 0; k < c->plan->count && !verdict->unrefined && !(spent = abuti_out_of_budget(c)); ++k) {
        const abuti_stage *stage = c->plan->stage[k];
        if (left_out(c, system, stage)) continue;
        if (rests(c, island, system, stage, &so_far, verdict)) return;
        abut_outcome belief = abuti_run_stage(c, stage, system, verdict);
        if (take_belief(c, island, system, stage, belief, &so_far, verdict)) return;
        if (system->round && belief != ABUT_SOLVED && abuti_round_early(c, island, system, verdict)) return;
        if (verdict->exhausted && verdict->directed) break; /* there is nothing left to find */
        bool point = belief == ABUT_SOLVED || belief == ABUT_LIMIT;
        /* (A stage that has passed the island over has not failed.) */
        bool failed = belief != ABUT_SOLVED && !stage->needs_start && c->work->answer.pivots > 0;
        if (point && right(c, island, system, stage, &so_far, verdict)) return;
        if (failed && failed_for_good(c, island, system, stage, &so_far, verdict)) return;
        if (stage->last && point && leaves_pivoting(c, system)) break;
    }
    if (!spent && so_far.said[ABUT_RAY] && searched(c, island, system, verdict)) return;
    if (system->round && !spent && abuti_round_rescue(c, island, system, verdict)) return;
    conclude(c, island, system, spent || verdict->spent || abuti_out_of_budget(c), &so_far, verdict);
}
