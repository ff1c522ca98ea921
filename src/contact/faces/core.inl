/* Included by faces/core_avx2.c, faces/core_avx512.c and faces/core_plain.c.
 *
 * The stages of `faces`, in one body of code that three files compile, each for its vector width.
 *
 *     check    are the states of the last step still right? one solve, one pass over the slacks
 *     greedy   flip what is violated, a few times
 *     interior many bodies: through the inside to all faces at once
 *     path     the parametric path from all open
 *     cover    the same with other covers
 *
 * The including file has defined FACES_VARIANT, the name of its table. */
#include "base/clock.h"
#include "contact/faces/faces.h"
#include "linalg/lanes.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

/* Small steps of the hot loops: calls would cost as much as they do. */
#define HOT static inline __attribute__((always_inline))

#include "contact/faces/basis.inl"
#include "contact/faces/refresh.inl"

#include "contact/faces/tableau.inl"

#include "contact/faces/slack.inl"

#include "contact/faces/events.inl"

#include "contact/faces/begin.inl"
#include "contact/faces/finish.inl"
#include "contact/faces/path.inl"

#include "contact/faces/greedy.inl"

#include "contact/faces/one.inl"

#include "contact/faces/one_flips.inl"

#include "contact/faces/one_states.inl"

#include "contact/faces/start.inl"

#include "contact/faces/order.inl"

#include "contact/faces/band.inl"

#include "contact/faces/block.inl"

#include "contact/faces/home.inl"

#include "contact/faces/springs.inl"

#include "contact/faces/settle.inl"

#include "contact/faces/interior.inl"

/* Keeps a finished basis of one block for the next call. */
static void keep(faces *f, const abuti_answer *answer)
{
    f->kept = f->single;
    if (f->single) memcpy(f->told, answer->face, (size_t)f->system->n * sizeof *f->told);
}

/* Whether the kept basis belongs to these rows and these states, and is the one that they would give anew: a
 * step must not depend on how its states were come by. */
static bool same_basis(const faces *f, const abuti_stage_context *context)
{
    const abuti_system *s = f->system;
    return f->kept && f->inverse.fresh && context->same_geometry && s->joints == 0 &&
           memcmp(f->told, context->start, (size_t)s->n * sizeof *f->told) == 0;
}

/* New offsets for old slots. */
static void rebase(faces *f)
{
    const abuti_system *s = f->system;
    for (int t = 0; t < f->slots.top; ++t) {
        int contact = f->slots.contact[t];
        if (contact <= -2) f->slots.base[0][t] = s->joint_offset[-2 - contact];
        if (contact < 0) continue;
        const faces_polygon *p = &f->polygon[s->directions[contact]];
        double ax = p->ax[f->face[contact]], ay = p->ay[f->face[contact]];
        double ox = s->offset[1][contact], oy = s->offset[2][contact];
        f->slots.base[0][t] = f->slots.kind[t] == 0   ? s->offset[0][contact]
                              : f->slots.kind[t] == 1 ? abuti_madd(oy, ax, -ox * ay)
                                                      : abuti_madd(ox, ax, oy * ay);
        f->slots.base[1][t] = 0.0;
    }
    set_shift(f, s->offset, f->path.cover);
}

/* A basis with the given states, or with everything open, for the path (two parts) or without it. False:
 * joint rows contradict each other. */
static bool start_basis(faces *f, int parts, const abut_contact_face *start)
{
    f->parts = parts;
    f->kept = f->ready = f->inverse.fresh = false;
    clear(f, false);
    make_polygons(f);
    if (!add_joints(f)) return false;
    if (start) load_states(f, start);
    return true;
}

static abut_outcome finish(faces *f, const abuti_stage_context *context, abuti_answer *answer)
{
    tell_pivots(f, answer);
    if (!polish(f)) return ABUT_FAILED;
    write_answer(f, answer);
    if (context->options->warm) keep(f, answer);
    return ABUT_SOLVED;
}

/* Where flips have come to, as an answer. */
static abut_outcome finish_flips(faces *f, flips end, const abuti_stage_context *context,
                                 abuti_answer *answer)
{
    if (end == FLIPS_DONE) return finish(f, context, answer);
    tell_pivots(f, answer);
    if (end == FLIPS_STUCK || !f->regular) return ABUT_FAILED;
    write_answer(f, answer);
    return ABUT_LIMIT;
}

/* Many bodies are checked and mended on factors, not on an inverse. */
static bool factors_serve(const faces *f, const abuti_system *s)
{
    return !f->local && !(s->bodies == 1 && s->stride == ABUTI_LANES);
}

/* Whether these states are those of the last answer, whose slots still stand. */
static bool resumes(const faces *f, const abut_contact_face *start)
{
    const abuti_system *s = f->system;
    return f->stood && memcmp(f->told, start, (size_t)s->n * sizeof *start) == 0 &&
           memcmp(f->kept_directions, s->directions, (size_t)s->n * sizeof(int)) == 0 &&
           memcmp(f->kept_mu, f->mu, (size_t)s->n * sizeof(double)) == 0;
}

static void start_factored(faces *f, const abut_contact_face *start)
{
    const abuti_system *s = f->system;
    bool same_pairs = find_order(f);
    if (same_pairs && resumes(f, start)) {
        set_shift(f, s->offset, f->path.cover);
        return;
    }
    f->parts = 1;
    f->kept = f->ready = false;
    clear(f, true);
    make_polygons(f);
    for (int i = 0; i < s->n; ++i) {
        int face, mask = given_slots(f, i, start[i], &face);
        put_state(f, i, (abut_contact_face){.state = start[i].state, .face = (uint8_t)face}, mask);
    }
}

/* The slots stay for the next call if their states do. */
static void keep_standing(faces *f, const abuti_answer *answer)
{
    const abuti_system *s = f->system;
    f->standing = f->band.set_aside == 0;
    memcpy(f->told, answer->face, (size_t)s->n * sizeof *f->told);
    memcpy(f->kept_mu, f->mu, (size_t)s->n * sizeof(double));
    memcpy(f->kept_directions, s->directions, (size_t)s->n * sizeof(int));
}

static abut_outcome finish_factored(faces *f, flips end, abuti_answer *answer)
{
    tell_pivots(f, answer);
    if (end == FLIPS_STUCK) return ABUT_FAILED;
    if (!polish_factored(f)) return ABUT_FAILED;
    write_answer(f, answer);
    keep_standing(f, answer);
    return end == FLIPS_DONE ? ABUT_SOLVED : ABUT_LIMIT;
}

/* Whether springs (faces/springs.inl) take this system. */
static bool inside_serves(const faces *f, const abuti_system *s)
{
    return factors_serve(f, s) && s->bodies > 1 && s->sides == 2 && s->stride == ABUTI_LANES;
}

/* The impulses of the springs, on the faces at hand. */
static abut_outcome finish_settled(faces *f, flips end, abuti_answer *answer)
{
    const abuti_system *s = f->system;
    tell_pivots(f, answer);
    if (end == FLIPS_STUCK) return ABUT_FAILED;
    for (int i = 0; i < s->n; ++i) {
        bool inside = f->state[i] == ABUT_STICK || (f->state[i] == ABUT_EDGE && s->directions[i] == 2);
        answer->theta[i] = fmax(f->springs.x[0][i], 0.0);
        answer->f[0][i] = f->springs.x[1][i];
        answer->f[1][i] = f->springs.x[2][i];
        answer->face[i] =
            (abut_contact_face){.state = inside ? ABUT_STICK : f->state[i], .face = inside ? 0 : f->face[i]};
    }
    for (int j = 0; j < s->joints; ++j) answer->joint[j] = f->springs.joint_x[j];
    return end == FLIPS_DONE ? ABUT_SOLVED : ABUT_LIMIT;
}

/* Given states that do not say which rows hold them, as the interior point leaves them: all contacts share.
 */
static bool rows_untold(const faces *f, const abut_contact_face *start)
{
    bool some = false;
    for (int i = 0; i < f->system->n; ++i) {
        if (start[i].rows != 0) return false;
        some = some || start[i].state != ABUT_OPEN;
    }
    return some;
}

/* Such states of many bodies, which springs settle on. */
static bool states_share(const faces *f, const abut_contact_face *start)
{
    return start && f->system->bodies >= FACES_FEW && inside_serves(f, f->system) && rows_untold(f, start);
}

/* Settles on given states from no impulses, within `rounds` changes of faces. */
static abut_outcome settle_given(faces *f, int rounds, const abuti_stage_context *context,
                                 abuti_answer *answer)
{
    const abuti_system *s = f->system;
    if (!springs_begin(f)) return ABUT_FAILED;
    for (int i = 0; i < s->n; ++i) {
        bool acts = context->start[i].state != ABUT_OPEN, rubs = f->mu[i] > 0.0;
        bool inside = context->start[i].state == ABUT_STICK && s->directions[i] == 2;
        f->state[i] = acts && !rubs ? ABUT_SLIDE : inside ? ABUT_EDGE : context->start[i].state;
        f->face[i] = rubs ? context->start[i].face : 0;
    }
    for (int axis = 0; axis < 3; ++axis) fill(f->springs.x[axis], 0.0, f->lanes);
    for (int j = 0; j < s->joints; ++j) f->springs.joint_x[j] = 0.0;
    return finish_settled(f, settle(f, rounds, context), answer);
}

static abut_outcome run_check(faces *f, const abuti_system *s, const abuti_stage_context *context,
                              abuti_answer *answer)
{
    f->pivots = 0;
    f->ready = f->ready_one = false;
    if (!context->start || !begin(f, s)) return ABUT_FAILED;
    if (states_share(f, context->start)) return settle_given(f, 1, context, answer);
    if (factors_serve(f, s)) {
        start_factored(f, context->start);
        flips end = mend_rounds(f, 0, context);
        f->ready = end != FLIPS_DONE && f->slots.top > 0;
        return finish_factored(f, end, answer);
    }
    if (one_serves(s) && one_given(f, context)) return one_check(f, context, answer);
    if (same_basis(f, context)) {
        rebase(f);
    } else {
        if (!start_basis(f, 1, context->start)) return ABUT_INFEASIBLE;
        f->inverse.fresh = f->single && !f->inverse.shaky;
    }
    if (f->inverse.fresh) {
        fill(f->x[0], 0.0, ABUTI_LANES);
        refine(f, 0);
    }
    f->kept = false;
    f->ready = true;
    if (violated(f, f->zero)) return ABUT_FAILED;
    return finish(f, context, answer);
}

/* Few bodies: from given states by flips, one at a time. */
static abut_outcome mend_on_tableau(faces *f, const abuti_stage_context *context, abuti_answer *answer)
{
    if (!start_basis(f, 1, NULL)) return ABUT_INFEASIBLE;
    tableau_begin(f);
    load_states(f, context->start);
    return finish_flips(f, flip(f, FACES_MEND * f->system->bodies, context), context, answer);
}

/* From the states of the check that has just failed, or from given ones. */
static abut_outcome mend_given(faces *f, bool goes_on, const abuti_stage_context *context,
                               abuti_answer *answer)
{
    const abuti_system *s = f->system;
    if (!goes_on && states_share(f, context->start))
        return settle_given(f, FACES_SETTLE_ROUNDS, context, answer);
    if (tableau_serves(f) && !rows_untold(f, context->start)) return mend_on_tableau(f, context, answer);
    if (factors_serve(f, s)) {
        if (goes_on) {
            mend(f);
        } else {
            start_factored(f, context->start);
        }
        flips end = mend_rounds(f, FACES_ROUNDS, context);
        if (end == FLIPS_STUCK) {
            start_factored(f, context->start);
            end = go_home(f, context);
        }
        return finish_factored(f, end, answer);
    }
    if (goes_on ? f->ready_one : one_serves(s) && one_given(f, context))
        return one_finish(f, one_flip(f, FACES_MEND, context), answer);
    if (!goes_on && !start_basis(f, 1, context->start)) return ABUT_INFEASIBLE;
    if (flip(f, FACES_MEND, context) == FLIPS_DONE) return finish(f, context, answer);
    return ABUT_FAILED;
}

/* Cold solves of many bodies go through the inside, not over flips, unless a tableau makes these cheap. Who
 * goes on from the states of an answer is better served by flips and the path, which leave no more rows than
 * act by themselves, as long as there are not too many bodies. A stage that is asked for by name is not
 * passed over. */
static bool passed_over(const faces *f, const abuti_stage_context *context, bool inside)
{
    const abuti_system *s = f->system;
    bool goes_on = context->options->warm || (context->start && !states_share(f, context->start));
    bool corner = goes_on && s->bodies <= FACES_TOO_MANY;
    if (context->options->stage || !inside_serves(f, s)) return false;
    bool flips_serve = s->bodies < FACES_FEW || (f->tableau.length && s->bodies < FACES_MANY);
    return inside ? corner : !corner && !flips_serve;
}

/* How many flips are worth trying before the path. */
static int flips_worthwhile(const faces *f)
{
    int bodies = f->system->bodies > 0 ? f->system->bodies : 1 + f->system->n;
    if (f->rests || bodies < FACES_MANY) return FACES_FLIPS * bodies;
    return bodies <= FACES_TOO_MANY ? FACES_FLIPS_MANY * bodies : 0;
}

static abut_outcome run_greedy(faces *f, const abuti_system *s, const abuti_stage_context *context,
                               abuti_answer *answer)
{
    bool goes_on = context->continued && f->ready;
    f->pivots = 0;
    f->ready = false;
    if (!begin(f, s)) return ABUT_FAILED;
    if (goes_on || context->start) {
        abut_outcome outcome = mend_given(f, goes_on, context, answer);
        if (outcome != ABUT_FAILED) return outcome;
    }
    if (one_serves(s)) {
        abut_outcome outcome = one_greedy(f, context, answer);
        if (outcome != ABUT_FAILED) return outcome;
        if (f->regular) {
            tell_pivots(f, answer);
            return outcome;
        }
    }
    if (!start_basis(f, 1, NULL)) return ABUT_INFEASIBLE;
    if (tableau_serves(f)) tableau_begin(f);
    f->rests = all_at_rest(f); /* flips find such answers in two events a body */
    if (!f->rests && passed_over(f, context, false)) return ABUT_FAILED;
    return finish_flips(f, flip(f, flips_worthwhile(f), context), context, answer);
}

/* For a caller who will start from these states: the interior point shares loads among redundant contacts,
 * which states do not tell. If a few rounds lead to as many rows as act by themselves, those are the answer.
 */
static void to_corner(faces *f, const abuti_stage_context *context, abuti_answer *answer)
{
    start_factored(f, answer->face);
    if (mend_rounds(f, FACES_CORNER, context) != FLIPS_DONE || !polish_factored(f)) return;
    for (int i = 0; i < f->system->n; ++i) {
        answer->theta[i] = answer->f[0][i] = answer->f[1][i] = 0.0;
        answer->face[i] = (abut_contact_face){.state = ABUT_OPEN};
    }
    write_answer(f, answer);
    keep_standing(f, answer);
}

static abut_outcome run_interior(faces *f, const abuti_system *s, const abuti_stage_context *context,
                                 abuti_answer *answer)
{
    f->pivots = 0;
    if (!begin(f, s) || !inside_serves(f, s) || passed_over(f, context, true)) return ABUT_FAILED;
    if (!springs_begin(f)) return ABUT_FAILED;
    flips end = walk_inside(f, context);
    if (end == FLIPS_LIMIT) read_faces(f);
    abut_outcome outcome = finish_settled(f, end, answer);
    if (outcome == ABUT_SOLVED && (context->options->warm || context->start)) to_corner(f, context, answer);
    return outcome;
}

/* One path with one cover. */
static abut_outcome run_path_with(faces *f, int attempt, const abuti_stage_context *context,
                                  abuti_answer *answer)
{
    choose_cover(f, attempt);
    if (!start_basis(f, 2, NULL)) return ABUT_INFEASIBLE;
    path_end end = cold_path(f, context);
    if (end == PATH_DONE) {
        bool good = polish(f) && !violated(f, FACES_ACCEPT * f->size);
        if (!good) return ABUT_FAILED;
        write_answer(f, answer);
        if (context->options->warm) keep(f, answer);
        return ABUT_SOLVED;
    }
    if (end == PATH_RAY) {
        write_ray(f, 1.0, answer);
        return ABUT_RAY;
    }
    if (end == PATH_FAILED || !f->regular) return ABUT_FAILED;
    write_answer(f, answer);
    return ABUT_LIMIT;
}

static abut_outcome run_path(faces *f, const abuti_system *s, const abuti_stage_context *context,
                             abuti_answer *answer)
{
    f->pivots = 0;
    if (!begin(f, s)) return ABUT_FAILED;
    abut_outcome outcome = run_path_with(f, 0, context, answer);
    tell_pivots(f, answer);
    return outcome;
}

static abut_outcome run_cover(faces *f, const abuti_system *s, const abuti_stage_context *context,
                              abuti_answer *answer)
{
    f->pivots = 0;
    if (!begin(f, s)) return ABUT_FAILED;
    abut_outcome outcome = ABUT_FAILED;
    for (int attempt = 1; attempt <= FACES_COVERS && (outcome == ABUT_FAILED || outcome == ABUT_RAY);
         ++attempt)
        outcome = run_path_with(f, attempt, context, answer);
    tell_pivots(f, answer);
    return outcome;
}

const faces_kernels FACES_VARIANT = {run_check, run_greedy, run_interior, run_path, run_cover};
