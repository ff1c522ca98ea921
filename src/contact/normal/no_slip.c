/* Which contacts the no-slip model holds.
 *
 * Drumwright's rows S v = 0, T v = 0 act on every contact in the list, also on one that is about to
 * separate: a particle that leaves the floor with (1, 0, 1) would lose its tangential velocity. So
 * a contact is let go, its tangent rows dropped, when it separates both with and without them. A
 * choice of held contacts is consistent when every held contact touches (w = 0) and every free one, which
 * separated while it was held, separates still (w > 0).
 *
 * The search starts from all held and lets separating contacts go; one that comes back is held for
 * good. If that ends with a held contact that separates, all choices among the few contacts
 * that ever separated are tried, fewest free ones first. Where no consistent choice exists (it happens) the
 * paper's model stands, all are held, and those that separate are reported as glued.
 *
 * Rows of contacts with kinematic bodies may contradict each other while all are held: a box on the floor
 * under a belt that is lifted off. Then the search starts from the other end, with none held, and takes hold
 * of those that do not separate. */
#include "contact/normal/normal.h"
#include <string.h>

/* All choices are tried up to so many contacts in doubt. */
enum { exhaustive_max = 6 };

/* A contact separates when its normal velocity is more than rounding. */
static bool separates(const abuti_normal *s, int i)
{
    return s->z[i] == 0.0 && s->w[i] > 100.0 * s->tolerance;
}

static abut_outcome answer_for_held(abuti_normal *s, const abuti_system *system,
                                    const abuti_stage_context *context, abuti_answer *answer,
                                    abuti_normal_method method)
{
    s->pivots = 0;
    abut_outcome outcome = abuti_normal_prepare(s, system);
    if (outcome == ABUT_SOLVED) outcome = method(s, context);
    answer->pivots += s->pivots;
    return outcome;
}

static void hold_all(abuti_normal *s)
{
    for (int i = 0; i < s->n; ++i) s->held[i] = true;
}

/* Lets go of what separates, takes back what does not stay away. Leaves the contacts that were ever in doubt
 * in `candidates`. Returns solved with a consistent choice, failed when a held contact separates at the end.
 */
static abut_outcome let_go(abuti_normal *s, const abuti_system *system, const abuti_stage_context *context,
                           abuti_answer *answer, abuti_normal_method method, int *doubtful)
{
    *doubtful = 0;
    memset(s->locked, 0, (size_t)s->n * sizeof *s->locked);
    for (int turn = 0; turn <= 2 * s->n; ++turn) {
        bool changed = false, glued = false;
        for (int i = 0; i < s->n; ++i) {
            bool leaves = separates(s, i);
            if (!s->held[i] && !leaves) {
                s->held[i] = s->locked[i] = changed = true;
            } else if (s->held[i] && leaves) {
                glued = glued || s->locked[i];
                if (s->locked[i]) continue;
                s->held[i] = false;
                s->candidates[(*doubtful)++] = i;
                changed = true;
            }
        }
        if (!changed) return glued ? ABUT_FAILED : ABUT_SOLVED;
        abut_outcome outcome = answer_for_held(s, system, context, answer, method);
        if (outcome != ABUT_SOLVED) return outcome;
    }
    return ABUT_FAILED;
}

/* Every held one touches, every free one separates. */
static bool choice_agrees(const abuti_normal *s)
{
    for (int i = 0; i < s->n; ++i)
        if (s->held[i] == separates(s, i)) return false;
    return true;
}

static int bits(unsigned x)
{
    int count = 0;
    for (; x; x &= x - 1) count++;
    return count;
}

/* All choices of free contacts among the doubtful ones, fewest first. */
static abut_outcome try_choices(abuti_normal *s, const abuti_system *system,
                                const abuti_stage_context *context, abuti_answer *answer,
                                abuti_normal_method method, int doubtful)
{
    if (doubtful > exhaustive_max) return ABUT_FAILED;
    for (int size = 1; size <= doubtful; ++size) {
        for (unsigned choice = 1; choice < 1u << doubtful; ++choice) {
            if (bits(choice) != size) continue;
            hold_all(s);
            for (int j = 0; j < doubtful; ++j) s->held[s->candidates[j]] = !(choice >> j & 1u);
            abut_outcome outcome = answer_for_held(s, system, context, answer, method);
            if (outcome == ABUT_SOLVED && choice_agrees(s)) return ABUT_SOLVED;
        }
    }
    return ABUT_FAILED;
}

/* From none held: takes hold of what does not separate, for good, until nothing changes. Solved with a
 * consistent choice only. */
static abut_outcome take_hold(abuti_normal *s, const abuti_system *system, const abuti_stage_context *context,
                              abuti_answer *answer, abuti_normal_method method)
{
    memset(s->held, 0, (size_t)s->n * sizeof *s->held);
    for (bool changed = true; changed;) {
        abut_outcome outcome = answer_for_held(s, system, context, answer, method);
        if (outcome != ABUT_SOLVED) return outcome;
        changed = false;
        for (int i = 0; i < s->n; ++i) {
            if (s->held[i] || separates(s, i)) continue;
            s->held[i] = changed = true;
        }
    }
    return choice_agrees(s) ? ABUT_SOLVED : ABUT_FAILED;
}

/* No-slip, from the paper's model to the choice that glues nothing. */
static abut_outcome run_no_slip(abuti_normal *s, const abuti_system *system,
                                const abuti_stage_context *context, abuti_answer *answer,
                                abuti_normal_method method)
{
    int doubtful = 0;
    hold_all(s);
    abut_outcome outcome = answer_for_held(s, system, context, answer, method);
    if (outcome == ABUT_INFEASIBLE || outcome == ABUT_RAY) {
        outcome = take_hold(s, system, context, answer, method);
    } else if (outcome == ABUT_SOLVED) {
        outcome = let_go(s, system, context, answer, method, &doubtful);
        if (outcome != ABUT_SOLVED) outcome = try_choices(s, system, context, answer, method, doubtful);
    } else {
        return outcome;
    }
    if (outcome == ABUT_SOLVED) return outcome;
    hold_all(s);
    return answer_for_held(s, system, context, answer, method);
}

/* States as people read them: a held contact that touches sticks. */
static void set_faces(const abuti_normal *s, const abuti_system *system, abuti_answer *answer)
{
    for (int i = 0; i < s->n; ++i) {
        bool holds = system->model == ABUT_NO_SLIP && s->held[i];
        bool touches = s->z[i] > 0.0 || (holds && !separates(s, i));
        answer->face[i].state = (uint8_t)(!touches ? ABUT_OPEN : holds ? ABUT_STICK : ABUT_SLIDE);
        answer->face[i].face = touches && s->z[i] == 0.0; /* a warm start leaves it out of the set */
        answer->glued[i] = holds && separates(s, i);
    }
}

abut_outcome abuti_normal_run(abuti_normal *s, const abuti_system *system, const abuti_stage_context *context,
                              abuti_answer *answer, abuti_normal_method method)
{
    abut_outcome outcome;
    s->n = system->n;
    s->kernels = abuti_kernels_get();
    if (system->model == ABUT_NO_SLIP) {
        outcome = run_no_slip(s, system, context, answer, method);
    } else {
        memset(s->held, 0, (size_t)system->n * sizeof *s->held);
        outcome = answer_for_held(s, system, context, answer, method);
    }
    if (outcome == ABUT_RAY) {
        memset(answer->ray, 0, 3 * (size_t)system->lanes * sizeof *answer->ray);
        memcpy(answer->ray, s->ray, (size_t)s->n * sizeof *answer->ray);
    }
    if (outcome != ABUT_SOLVED && outcome != ABUT_LIMIT) return outcome;
    set_faces(s, system, answer);
    for (int i = 0; i < s->n; ++i)
        if (s->z[i] < 0.0) s->z[i] = 0.0;
    abuti_normal_velocities(s);
    abuti_normal_recover(s, system, answer);
    return outcome;
}
