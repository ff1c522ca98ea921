#include "contact/choice.h"
#include "contact/again.h"
#include "contact/rest/rest.h"
#include <math.h>
#include <string.h>

/* Velocities are in units of the problem's own size: below this nothing moves. */
#define MOVES 1e-9
#define STOOD 1e-6   /* likewise, below this nothing moved before the step */
#define STIRS 1e-6   /* bodies that stick rest below this: rounding of gaps adds up over a stack */
#define TOUCHES 1e-9 /* likewise, gaps and slacks above this are more than rounding */
/* The speeds with which bodies come back to gaps, in units of gap / step; heavy bodies on light ones reach them. */
#define RETURNS 100.0
#define PROOF 1e-8   /* a proof counts when it holds by more than this */
#define CARRIED 1e-8 /* twice the energy below which nothing carries or drives an island, in squared units */
/* In steps of free fall: a body that is faster does not come to rest by the states of the last step. */
#define SLOW 10.0
#define TOO_MANY 100 /* from so many bodies on, other answers take long to find */
/* Energy below this share of another counts as less: the difference is more than rounding. */
#define LESS (1.0 - 1e-9)

/* Whether rest is chosen here at all. Unions choose among their answers by themselves. */
static bool applies(const abuti_call *c, const abuti_system *s)
{
    if (c->problem == &c->work->unions.reduced) return false;
    if (c->options->stage || !abuti_is_coulomb(s->model) || !s->rows || s->n == 0 || s->bodies == 0)
        return false;
    return c->plan->rests;
}

/* Whether no motor wants to move, and no row gives way; a row that gives way carries only while it moves. */
static bool nothing_drives(const abuti_call *c)
{
    const abuti_lift *lift = &c->work->build.lift;
    return !lift->used || lift->stands;
}

/* The same question once there is an answer: motors that do not reach their targets, because they are at their bounds,
 * push and drive nothing (fingers that close on a block). */
static bool nothing_is_driven(const abuti_call *c, const abuti_system *s, const abuti_answer *answer)
{
    return nothing_drives(c) || abuti_lift_gives_up(&c->work->build.lift, s, answer);
}

/* Whether the states to start from are those of bodies at rest: all that touch stick, and share the load. */
static bool shares_load(const abut_contact_face *start, int count)
{
    bool any = false;
    for (int i = 0; i < count; ++i) {
        if (start[i].state == ABUT_OPEN) continue;
        if (start[i].state != ABUT_STICK || start[i].rows != 0) return false;
        any = true;
    }
    return any;
}

/* Whether nothing has moved before this step. */
static bool stood(const abuti_call *c, const abuti_island *island, const abuti_system *s)
{
    double still = STOOD * s->unit, square = 0.0;
    if (!abuti_has_bodies(c, island)) return false;
    for (int i = 0; i < island->bodies; ++i) {
        abut_body store;
        square += abuti_twice_energy(abuti_body_of(c, island, i, &store));
    }
    return square <= still * still;
}

const abuti_stage *abuti_rest_first(const abuti_call *c, const abuti_island *island, const abuti_system *s)
{
    const abut_contact_face *start = c->context.start;
    bool single = s->bodies == 1 && s->sides == 1 && s->dim == 6 && !s->given;
    if (!applies(c, s) || !nothing_drives(c)) return NULL;
    if (!start && single) return abuti_rest_one_surrounded(s) ? &abuti_stage_rest_quick : NULL;
    /* A call that stands alone looks at other answers, too, unless these would take long to find. */
    bool early = abuti_in_sequence(c->options) || s->bodies >= TOO_MANY;
    bool still = early && s->bodies > 1 && stood(c, island, s);
    if (start && still) return &abuti_stage_rest;
    if (still) return &abuti_stage_rest_quick;
    if (!start || !shares_load(start, s->n)) return NULL;
    if (s->bodies == 1) return &abuti_stage_rest;
    bool fast = abuti_has_bodies(c, island) && !abuti_slower_than(c, island, SLOW);
    return fast ? NULL : &abuti_stage_rest_quick;
}

/* Twice the kinetic energy of the velocities in the outputs. These are mass-scaled, so a sum of squares will do. */
static double energy(const abuti_call *c, const abuti_system *s)
{
    double sum = 0.0;
    for (int k = 0; k < s->bodies * s->stride; ++k) sum += c->work->outputs.v[k] * c->work->outputs.v[k];
    return sum;
}

/* Whether the velocities are more than rounding. In a sequence of steps they must also exceed the speeds that bring
 * bodies back to gaps that are rounding themselves; where all contacts that touch stick, nothing else moves the
 * bodies. */
static bool in_motion(const abuti_call *c, const abuti_system *s, const abuti_answer *answer,
                      double twice_energy)
{
    double gaps = 0.0;
    if (!c->context.impulse[0]) return twice_energy > MOVES * MOVES;
    for (int i = 0; i < s->n; ++i) {
        double gap = fabs(s->offset[0][i]);
        if (gap <= TOUCHES && gap > gaps) gaps = gap;
    }
    double speed = (shares_load(answer->face, s->n) ? STIRS : MOVES) + RETURNS * gaps;
    return twice_energy > (double)s->bodies * speed * speed;
}

/* ---- proofs that come for nothing ---- */

static bool moves(const double *v)
{
    double square = 0.0;
    for (int c = 0; c < 6; ++c) square += v[c] * v[c];
    return square > MOVES * MOVES;
}

/* Two bodies and which of them moves; contacts one after the other mostly have the same pair. */
typedef struct moving_pair {
    int body[2], side;
} moving_pair;

/* Which side of contact i moves while the other does not; -1: both or none. */
static int edge_of_motion(const abuti_system *s, const double *v, int i, moving_pair *last)
{
    if (s->bodies == 1 && s->sides == 1) return 0;
    int first = s->body[0][i], second = s->sides > 1 ? s->body[1][i] : s->bodies;
    if (first == last->body[0] && second == last->body[1]) return last->side;
    bool a = moves(v + (size_t)first * (size_t)s->stride);
    bool b = s->sides > 1 && moves(v + (size_t)second * (size_t)s->stride);
    *last = (moving_pair){{first, second}, a == b ? -1 : b};
    return last->side;
}

/* The product of `up` and the linear part of a row. */
static double along(const abuti_system *s, int axis, int side, int i, const double up[3])
{
    const double *row = abuti_row(s, axis, side, 0) + i;
    size_t step = (size_t)s->lanes;
    return up[0] * row[0] + up[1] * row[step] + up[2] * row[2 * step];
}

/* Whether it is proven that no impulses hold k (rest.h). The proof is v itself, with all that moves lifted along one
 * direction off all that does not, if this opens or keeps every generator of every cone and gains energy from k. v
 * satisfies the contacts, except that slip closes generators by mu times the slip, which the lift has to make up for.
 *
 *     w = v + lift z:   n.w >= mu |t.w| at every contact that touches,   k.w > 0
 *
 * What rounding leaves closed counts as if impulses of REST_LARGEST pushed there. */
static bool proven_to_move(const abuti_call *c, const abuti_island *island, const abuti_system *s)
{
    const abuti_outputs *out = &c->work->outputs;
    const double *v = out->v;
    double up[3] = {0.0, 0.0, 0.0}, low = 0.0, high = INFINITY, power = 0.0, lifted = 0.0, left = 0.0;
    moving_pair pair = {{-1, -1}, -1};
    if (s->joints > 0 || s->dim != 6 || !abuti_has_bodies(c, island) || c->work->joint_space.projected ||
        c->work->build.damps)
        return false;
    for (int i = 0; i < s->n; ++i) {
        int side = s->offset[0][i] > TOUCHES ? -1 : edge_of_motion(s, v, i, &pair);
        if (side < 0) continue;
        const double *row = abuti_row(s, ABUTI_NORMAL, side, 0) + i;
        for (int k = 0; k < 3; ++k) up[k] += row[(size_t)k * (size_t)s->lanes];
    }
    double length = sqrt(up[0] * up[0] + up[1] * up[1] + up[2] * up[2]);
    for (int k = 0; k < 3 && length > 0.0; ++k) up[k] /= length;
    for (int i = 0; i < s->n; ++i) {
        if (s->offset[0][i] > TOUCHES) continue;
        double slack = out->u[0][i] - s->mu[i] * out->slip[i], gain = 0.0;
        int side = edge_of_motion(s, v, i, &pair);
        if (side >= 0) {
            double root = c->work->build.factor[s->body[side][i]].root;
            double across =
                fabs(along(s, ABUTI_TANGENT_X, side, i, up)) + fabs(along(s, ABUTI_TANGENT_Y, side, i, up));
            gain = root * (along(s, ABUTI_NORMAL, side, i, up) - s->mu[i] * across);
        }
        if (slack < -TOUCHES && !(gain > TOUCHES)) return false;
        if (slack < 0.0 && gain > TOUCHES && -slack > low * gain) low = -slack / gain;
        if (slack < 0.0 && gain <= TOUCHES && -slack > left) left = -slack;
        double allowed = gain < 0.0 ? (slack > 0.0 ? slack : 0.0) / -gain : INFINITY;
        high = allowed < high ? allowed : high;
    }
    for (int b = 0; b < s->bodies; ++b) {
        const double *k = s->k + (size_t)b * (size_t)s->stride, *w = v + (size_t)b * (size_t)s->stride;
        for (int axis = 0; axis < 6; ++axis) power += k[axis] * w[axis];
        if (moves(w)) lifted += c->work->build.factor[b].root * (k[0] * up[0] + k[1] * up[1] + k[2] * up[2]);
    }
    return low <= high && power + low * lifted > PROOF * (1.0 + low) + REST_LARGEST * left;
}

/* The velocities in the outputs, for an expanded system. What stands in for normal impulses there has stopped. */
static const double *expanded_velocity(const abuti_call *c, const abuti_system *s, const abuti_system *full)
{
    const abuti_outputs *out = &c->work->outputs;
    if (full == s) return out->v;
    memset(out->blocks, 0, (size_t)full->stride * sizeof(double));
    memcpy(out->blocks, out->v, (size_t)s->dim * sizeof(double));
    return out->blocks;
}

/* Whether it is proven that bodies which could stand still, by their contacts, do not. */
static bool refuted(const abuti_call *c, const abuti_island *island, const abuti_system *s)
{
    const abuti_system *full = abuti_lift_expand(&c->work->build.lift, s);
    void *scratch = abuti_workspace_enter(c->work, &abuti_stage_rest, full);
    return proven_to_move(c, island, s) || abuti_rest_refuted(scratch, full, expanded_velocity(c, s, full));
}

/* Who is to be asked for an answer without slip in place of one that moves; NULL: nobody. Continuity comes first where
 * states of the last step are given, except that a hand whose motors begin to move what it holds, so that states
 * change, is asked whether it carries it along. */
static const abuti_stage *whom_to_ask(const abuti_call *c, const abuti_island *island, const abuti_system *s,
                                      const abuti_stage *found_by, double before)
{
    bool conceivable = (!c->work->build.has_offsets && s->joints == 0) || abuti_rest_conceivable(s);
    if (!conceivable)
        return c->context.start || before < CARRIED /* rounding of gaps */ ? NULL : &abuti_stage_rest;
    if (!refuted(c, island, s)) return &abuti_stage_rest;
    bool goes_on = found_by == &abuti_faces_check || found_by == &abuti_sparse_check;
    return goes_on || abuti_has_bodies(c, island) ? NULL : &abuti_stage_rest_carried;
}

void abuti_rest_instead(abuti_call *c, const abuti_island *island, const abuti_system *s,
                        abuti_verdict *verdict)
{
    if (verdict->stage->family == &abuti_rest_family || !applies(c, s) ||
        !nothing_is_driven(c, s, verdict->point))
        return;
    double before = energy(c, s);
    if (!in_motion(c, s, verdict->point, before) || abuti_out_of_budget(c)) return;
    abut_contact_workspace *work = c->work;
    abuti_describe(&work->build, s, verdict->point, c->problem, &work->outputs);
    verdict->described = true;
    const abuti_stage *stage = whom_to_ask(c, island, s, verdict->stage, before);
    if (!stage) return;
    abut_contact_check check, moving = verdict->check;
    abuti_swap_answers(work); /* the accepted answer is kept in `best` */
    bool found = abuti_run_stage(c, stage, s, verdict) == ABUT_SOLVED;
    if (found) {
        abuti_call_judge(c, island, s, &work->answer, &check);
        found = check.residual <= c->options->tolerance;
        verdict->others = found;
        if (found && energy(c, s) < LESS * before) {
            verdict->check = check;
            verdict->stage = stage;
            verdict->point = &work->answer;
            verdict->described = false;
            return;
        }
        abuti_swap_answers(work);
        abuti_call_judge(c, island, s, &work->answer, &check);
    } else {
        abuti_swap_answers(work);
    }
    verdict->check = moving;
    verdict->point = &work->answer;
}
