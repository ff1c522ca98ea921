/* Which contacts the no-slip model holds.
 *
 * Drumwright's rows S v = 0, T v = 0 act on every contact in the list, also on one that is about to
 * separate: a particle that leaves the floor with (1, 0, 1) would lose its tangential velocity. So
 * a contact is let go, its tangent rows dropped, when it separates both with and without them. A
 * choice of held contacts is consistent when every held contact touches (w = 0) and every free one
 * separates (w > 0).
 *
 * The search starts from all held and lets separating contacts go; one that comes back is held for good. If
 * that ends with a held contact that separates, it starts from none held and takes hold of what does not
 * separate; then the choices that can be consistent are gone through (no_slip_search.c). Where no consistent
 * choice exists (it happens) the paper's model stands, all are held, and those that separate are reported as
 * glued.
 *
 * Rows of contacts with kinematic bodies may contradict each other while all are held: a box on the floor
 * under a belt that is lifted off. Then the first of the three searches is passed over. */
#include "contact/normal/normal.h"
#include <string.h>

/* From when on a faint equation is violated (abuti_normal.violated): the first is a part of the motion that leaves the
 * verifier's tolerance to everything else, the second takes all of that tolerance. */
static const double violated_clearly = 2e-11, violated_at_most = 1.0;

/* What one run of the stage carries along. */
typedef struct run {
    abuti_normal *s;
    const abuti_system *system;
    const abuti_stage_context *context;
    abuti_answer *answer;
    abuti_normal_method method;
} run;

static bool some_held_separates(const abuti_normal *s)
{
    for (int i = 0; i < s->n; ++i)
        if (s->held[i] && abuti_normal_separates(s, i)) return true;
    return false;
}

/* Equations and motion for the held contacts. With `lenient` faint rows (normal/equations.c) do not count as
 * long as a held contact separates: it is going to be let go, and it must not be faint rows that keep it. */
static abut_outcome answer_for_held(const run *r, bool lenient)
{
    abuti_normal *s = r->s;
    abut_outcome outcome = abuti_normal_prepare(s, r->system);
    for (bool whole = false; outcome == ABUT_SOLVED && !whole;) {
        s->pivots = 0;
        outcome = r->method(s, r->context);
        r->answer->pivots += s->pivots;
        s->pivots_left -= s->pivots;
        s->pivots = 0;
        if (outcome != ABUT_SOLVED) break;
        whole = (lenient && some_held_separates(s)) || abuti_normal_complete(s, r->system, &outcome);
    }
    return outcome;
}

static void hold_all(abuti_normal *s)
{
    for (int i = 0; i < s->n; ++i) s->held[i] = true;
}

/* Lets go of what separates, takes back what does not stay away. Returns solved with a consistent choice,
 * failed when a held contact separates at the end. */
static abut_outcome let_go(const run *r)
{
    abuti_normal *s = r->s;
    memset(s->locked, 0, (size_t)s->n * sizeof *s->locked);
    for (int turn = 0; turn <= 2 * s->n; ++turn) {
        bool changed = false, glued = false;
        for (int i = 0; i < s->n; ++i) {
            bool leaves = abuti_normal_separates(s, i);
            if (!s->held[i] && !leaves) {
                s->held[i] = s->locked[i] = changed = true;
            } else if (s->held[i] && leaves) {
                glued = glued || s->locked[i];
                if (s->locked[i]) continue;
                s->held[i] = false;
                changed = true;
            }
        }
        if (!changed) return glued ? ABUT_FAILED : ABUT_SOLVED;
        abut_outcome outcome = answer_for_held(r, true);
        if (outcome != ABUT_SOLVED) return outcome;
    }
    return ABUT_FAILED;
}

/* Whether every held contact touches and every free one separates. */
static bool choice_agrees(const abuti_normal *s)
{
    for (int i = 0; i < s->n; ++i)
        if (s->held[i] == abuti_normal_separates(s, i)) return false;
    return true;
}

/* Starts from no held contact and takes hold, for good, of contacts that do not separate, until nothing changes.
 * Returns solved with a consistent choice only. */
static abut_outcome take_hold(const run *r)
{
    abuti_normal *s = r->s;
    memset(s->held, 0, (size_t)s->n * sizeof *s->held);
    for (bool changed = true; changed;) {
        abut_outcome outcome = answer_for_held(r, true);
        if (outcome != ABUT_SOLVED) return outcome;
        changed = false;
        for (int i = 0; i < s->n; ++i) {
            if (s->held[i] || abuti_normal_separates(s, i)) continue;
            s->held[i] = changed = true;
        }
    }
    return choice_agrees(s) ? ABUT_SOLVED : ABUT_FAILED;
}

/* Answers for the choice that the search has set. */
static abut_outcome attempt(void *context)
{
    const run *r = context;
    abut_outcome outcome = answer_for_held(r, true);
    if (outcome == ABUT_LIMIT) return outcome;
    return outcome == ABUT_SOLVED && choice_agrees(r->s) ? ABUT_SOLVED : ABUT_FAILED;
}

/* Puts the rows of contacts that separate behind those of the others. Returns whether there is a new such contact. */
static bool put_later(abuti_normal *s)
{
    bool changed = false;
    for (int i = 0; i < s->n; ++i) {
        if (s->later[i] || !abuti_normal_separates(s, i)) continue;
        s->later[i] = changed = true;
    }
    return changed;
}

/* The paper's model: all are held. Rows of contacts that separate all the same come last, so that they hold what
 * they can and do not keep from moving what touches. */
static abut_outcome glue(const run *r)
{
    abuti_normal *s = r->s;
    abut_outcome outcome;
    hold_all(s);
    do {
        do outcome = answer_for_held(r, true);
        while (outcome == ABUT_SOLVED && put_later(s));
        if (outcome == ABUT_SOLVED) outcome = answer_for_held(r, false);
    } while (outcome == ABUT_SOLVED && put_later(s));
    return outcome;
}

/* Looks for a choice that glues nothing; infeasible: there is none. */
static abut_outcome choose(run *r)
{
    abuti_normal *s = r->s;
    hold_all(s);
    abut_outcome outcome = answer_for_held(r, true);
    if (outcome == ABUT_SOLVED) outcome = let_go(r);
    if (outcome != ABUT_SOLVED && outcome != ABUT_LIMIT) outcome = take_hold(r);
    if (outcome != ABUT_SOLVED && outcome != ABUT_LIMIT)
        outcome = abuti_hold_search_run(s, r->system, attempt, r);
    return outcome;
}

/* No-slip, from the paper's model to the choice that glues nothing. Where there is no such choice because of rows
 * that are independent by a hair (two corners that land, one 0.3 um after the other, and may not turn), these rows may
 * slip by as much as the verifier lets pass: to the verifier such a choice is right, and glue then is wrong. */
static abut_outcome run_no_slip(run *r)
{
    abuti_normal *s = r->s;
    s->violated = violated_clearly;
    s->strict = false;
    abut_outcome outcome = choose(r), second = ABUT_FAILED;
    if (outcome == ABUT_SOLVED || outcome == ABUT_LIMIT) return outcome;
    if (s->strict) {
        s->violated = violated_at_most * r->context->options->tolerance;
        second = choose(r);
        s->violated = violated_clearly;
    }
    if (second == ABUT_SOLVED || second == ABUT_LIMIT) return second;
    r->answer->glue_proven = outcome == ABUT_INFEASIBLE;
    return glue(r);
}

/* Whether contacts that touch are held, which is a search of its own. */
static bool keeps_from_slipping(const abuti_system *system)
{
    return abuti_model_of(system->model)->friction == ABUT_LAW_HELD;
}

/* States as people read them: a held contact that touches sticks. */
static void set_faces(const abuti_normal *s, const abuti_system *system, abuti_answer *answer)
{
    for (int i = 0; i < s->n; ++i) {
        if (abuti_normal_is_row(s, i)) {
            bool inside = fabs(s->z[i]) < s->half[i];
            answer->face[i].state = (uint8_t)(inside ? ABUT_STICK : ABUT_SLIDE);
            answer->face[i].face = !inside && s->z[i] < 0.0;
            continue;
        }
        bool holds = keeps_from_slipping(system) && s->held[i];
        bool touches = s->z[i] > 0.0 || (holds && !abuti_normal_separates(s, i));
        answer->face[i].state = (uint8_t)(!touches ? ABUT_OPEN : holds ? ABUT_STICK : ABUT_SLIDE);
        answer->face[i].face = touches && s->z[i] == 0.0; /* a warm start leaves it out of the set */
        answer->glued[i] = holds && abuti_normal_separates(s, i);
    }
}

abut_outcome abuti_normal_run(abuti_normal *s, const abuti_system *system, const abuti_stage_context *context,
                              abuti_answer *answer, abuti_normal_method method)
{
    run r = {s, system, context, answer, method};
    abut_outcome outcome;
    s->n = system->n;
    s->kernels = abuti_kernels_get();
    s->pivots_left = context->pivots_left;
    s->deadline = context->deadline;
    memset(s->later, 0, (size_t)s->n * sizeof *s->later);
    if (keeps_from_slipping(system)) {
        outcome = run_no_slip(&r);
    } else {
        memset(s->held, 0, (size_t)system->n * sizeof *s->held);
        s->violated = violated_clearly;
        outcome = answer_for_held(&r, false);
    }
    if (outcome == ABUT_RAY) {
        memset(answer->ray, 0, 3 * (size_t)system->lanes * sizeof *answer->ray);
        memcpy(answer->ray, s->ray, (size_t)s->n * sizeof *answer->ray);
    }
    if ((outcome != ABUT_SOLVED && outcome != ABUT_LIMIT) || !s->ready) return outcome;
    for (int i = 0; i < s->n; ++i) s->z[i] = fmin(fmax(s->z[i], abuti_normal_least(s, i)), s->half[i]);
    abuti_normal_velocities(s);
    set_faces(s, system, answer);
    abuti_normal_recover(s, system, answer);
    if (keeps_from_slipping(system)) abuti_normal_spread(s, system, answer);
    return outcome;
}
