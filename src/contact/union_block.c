/* An island with unions that has blocks, bounded rows or compliance.
 *
 * The search over unions knows bodies, and one block with dense rows. So the island's system, in which bounded rows are
 * contacts and compliance is private numbers (build/lift.h), becomes a problem of the second door with one block of unit
 * mass: its rows are those of the system, its forces are k, its gaps and surfaces the offsets, its step is 1. A workspace
 * inside the workspace answers it, with all that unions have, and the answer goes back lane by lane. The verifier
 * judges it on the problem that the caller gave, and knows nothing of this.
 *
 * No-slip has no cone that a row with two bounds could slide on. There such a row is held, as a joint row, or pushes what
 * a bound says, as a force; states that turn out wrong are changed, and where that does not end all are gone through.
 *
 * Rows of the system are scaled, each contact by its own power of two. The rule `max` asks for signs alone and does not
 * notice; for `sum`, which adds gaps, all sides get the same scale. The energy by which answers are compared includes
 * that of springs: c p^2 / 2 of a row with the compliance c. */
#include "contact/union_block.h"
#include "base/clock.h"
#include "contact/call.h"
#include <limits.h>
#include <math.h>
#include <string.h>

bool abuti_union_block_used(const abut_contact_limits *limits)
{
    return limits->sides > 0 && limits->blocks + limits->bounded + limits->compliant > 0;
}

abut_contact_limits abuti_union_block_limits(const abut_contact_limits *limits)
{
    /* Small blocks have the form of rigid bodies. */
    int bodies = ABUTI_RIGID * (limits->bodies > limits->blocks ? limits->bodies : limits->blocks);
    int numbers = (bodies > limits->nv ? bodies : limits->nv) + limits->bounded + limits->compliant;
    if (limits->dense > bodies && limits->dense < numbers) numbers = limits->dense;
    return (abut_contact_limits){.contacts = limits->contacts + limits->bounded,
                                 .joints = limits->joints,
                                 .directions = limits->directions,
                                 .nv = numbers,
                                 .sides = limits->sides,
                                 .summation = limits->summation,
                                 .cones = limits->cones,
                                 .solvers = limits->solvers};
}

void abuti_union_block_layout(abuti_union_block *b, abuti_arena *arena, const abut_contact_limits *limits)
{
    abut_contact_limits inner = abuti_union_block_limits(limits);
    bool used = abuti_union_block_used(limits);
    size_t n = used ? (size_t)inner.contacts : 0, joints = used ? (size_t)inner.joints : 0;
    size_t numbers = used ? (size_t)inner.nv : 0;
    *b = (abuti_union_block){.numbers = inner.nv,
                             .contacts = abuti_take(arena, n, abut_contact),
                             .joints = abuti_take(arena, joints, abut_joint),
                             .mass = abuti_take(arena, numbers * numbers, double),
                             .velocity = abuti_take(arena, numbers, double),
                             .force = abuti_take(arena, numbers, double),
                             .normals = abuti_take(arena, n * numbers, double),
                             .tangents = abuti_take(arena, 2 * n * numbers, double),
                             .rows = abuti_take(arena, joints * numbers, double),
                             .scale = abuti_take(arena, n, double),
                             .lane = abuti_take(arena, n, int),
                             .bound = abuti_take(arena, n, int),
                             .row = abuti_take(arena, n, int)};
}

/* ------------------------------------------------------------------------------------------------
 * The problem */

/* One axis of a lane over all numbers of all blocks, scaled. */
static void dense_row(const abuti_system *s, int axis, int lane, double scale, double *out)
{
    memset(out, 0, (size_t)(s->bodies * s->dim) * sizeof *out);
    for (int side = 0; side < s->sides; ++side) {
        int body = s->body[side][lane];
        for (int c = 0; c < s->dim && body < s->bodies; ++c)
            out[body * s->dim + c] = scale * abuti_row(s, axis, side, c)[lane];
    }
}

static void take_contact(abuti_union_block *b, const abuti_system *s, const abut_contact_problem *problem,
                         int lane)
{
    size_t numbers = (size_t)b->generalised.nv, at = (size_t)b->problem.contact_count++;
    int index = s->index[lane];
    double scale = b->scale[lane];
    bool bounded = index >= problem->contact_count;
    abut_contact *contact = &b->contacts[at];
    *contact = (abut_contact){.friction = s->mu[lane],
                              .directions = bounded ? ABUT_DIRECTIONS_MIN : s->directions[lane],
                              .cone = s->round && s->round[lane] ? ABUT_CONE_CIRCLE : ABUT_CONE_POLYGON,
                              .gap = scale * s->offset[ABUTI_NORMAL][lane],
                              .group = bounded ? 0 : problem->contacts[index].group};
    b->lane[at] = lane;
    for (int t = 1; t < 3; ++t) contact->surface[t] = scale * s->offset[t][lane];
    dense_row(s, ABUTI_NORMAL, lane, scale, b->normals + at * numbers);
    for (size_t t = 0; t < 2; ++t)
        dense_row(s, 1 + (int)t, lane, scale, b->tangents + (2 * at + t) * numbers);
}

/* What a row with two bounds pushes at the bound where it is. */
static double push_of(const abuti_union_block *b, const abuti_system *s, int lane)
{
    return b->bound[lane] * s->mu[lane] * s->given[lane];
}

/* A row with two bounds of a no-slip problem: it is held, or it pushes. */
static void take_row(abuti_union_block *b, const abuti_system *s, int lane)
{
    double *row = b->rows + (size_t)b->problem.joint_count * (size_t)b->generalised.nv;
    dense_row(s, ABUTI_TANGENT_X, lane, 1.0, row);
    if (b->bound[lane] == 0) {
        b->row[b->problem.joint_count - s->joints] = lane;
        b->joints[b->problem.joint_count++] = (abut_joint){.target = -s->offset[ABUTI_TANGENT_X][lane]};
    } else {
        for (int c = 0; c < b->generalised.nv; ++c) b->force[c] += push_of(b, s, lane) * row[c];
    }
}

static void take_joint(abuti_union_block *b, const abuti_system *s, int j)
{
    double *to = b->rows + (size_t)j * (size_t)b->generalised.nv;
    memset(to, 0, (size_t)b->generalised.nv * sizeof *to);
    for (int side = 0; side < s->sides; ++side) {
        int body = s->joint_body[side][j];
        const double *from = s->joint_rows + (size_t)(j * s->sides + side) * (size_t)s->stride;
        for (int c = 0; c < s->dim && body < s->bodies; ++c) to[body * s->dim + c] = from[c];
    }
    b->joints[j] = (abut_joint){.target = -s->joint_offset[j]};
}

/* The scale of each lane: none, or, for the sum, what makes all of them that of the heaviest. */
static void choose_scales(abuti_union_block *b, const abuti_system *s, bool sum, double *heaviest)
{
    *heaviest = 0.0;
    for (int i = 0; i < s->n; ++i) *heaviest = fmax(*heaviest, s->row_scale[i]);
    for (int i = 0; i < s->n; ++i) b->scale[i] = sum ? *heaviest / s->row_scale[i] : 1.0;
}

static void make_problem(abuti_union_block *b, const abuti_system *s, const abut_contact_problem *problem)
{
    int numbers = s->bodies * s->dim;
    for (int body = 0; body < s->bodies; ++body)
        memcpy(b->force + (size_t)(body * s->dim), s->k + (size_t)(body * s->stride),
               (size_t)s->dim * sizeof *b->force);
    memset(b->velocity, 0, (size_t)numbers * sizeof *b->velocity);
    memset(b->mass, 0, (size_t)numbers * (size_t)numbers * sizeof *b->mass);
    for (size_t i = 0; i < (size_t)numbers; ++i) b->mass[i * (size_t)numbers + i] = 1.0;
    b->generalised = (abut_generalised){.nv = numbers,
                                        .mass_matrix = b->mass,
                                        .velocity = b->velocity,
                                        .force = b->force,
                                        .normal_rows = b->normals,
                                        .tangent_rows = b->tangents,
                                        .joint_rows = b->rows};
    b->problem = (abut_contact_problem){.model = s->model,
                                        .step = 1.0,
                                        .contacts = b->contacts,
                                        .joint_count = s->joints,
                                        .joints = b->joints,
                                        .generalised = &b->generalised};
    for (int j = 0; j < s->joints; ++j) take_joint(b, s, j);
    for (int lane = 0; lane < s->n; ++lane) {
        if (abuti_is_boxed(s, lane)) {
            take_row(b, s, lane);
        } else {
            take_contact(b, s, problem, lane);
        }
    }
}

/* ------------------------------------------------------------------------------------------------
 * Answers */

typedef struct inner_call {
    abuti_call *call;
    const abuti_island *island;
    const abuti_system *system; /* of the island, as stages answer it */
    double heaviest;
    bool states; /* no-slip: rows with two bounds have states, */
    bool found;  /* and an answer that agrees with them has been reported */
} inner_call;

/* An answer of the inner problem as one of the island's system. */
static void take_answer(const inner_call *in, const abut_contact_result *result)
{
    abut_contact_workspace *work = in->call->work;
    const abuti_union_block *b = &work->union_block;
    abuti_answer *answer = &work->answer;
    abuti_clear_answer(answer, in->system);
    const abuti_system *s = in->system;
    for (int i = 0; i < b->problem.contact_count; ++i) {
        const abut_contact_answer *contact = &result->contacts[i];
        int lane = b->lane[i];
        answer->theta[lane] = contact->normal * b->scale[lane];
        for (int t = 0; t < 2; ++t) answer->f[t][lane] = contact->tangent[t] * b->scale[lane];
        answer->face[lane] = result->faces[i];
        answer->glued[lane] = contact->glued;
    }
    for (int lane = 0; lane < s->n && in->states; ++lane) {
        if (!abuti_is_boxed(s, lane)) continue;
        answer->theta[lane] = s->given[lane];
        answer->f[0][lane] = push_of(b, s, lane);
        answer->face[lane] = (abut_contact_face){.state = b->bound[lane] ? ABUT_SLIDE : ABUT_STICK,
                                                 .face = b->bound[lane] < 0};
    }
    for (int j = s->joints; j < b->problem.joint_count; ++j)
        answer->f[0][b->row[j - s->joints]] = result->joints[j];
    for (int j = 0; j < in->system->joints; ++j) answer->joint[j] = result->joints[j];
}

/* Judges an inner result on the caller's problem, and reports it. */
static void report(const inner_call *in, const abut_contact_result *result)
{
    abuti_call *c = in->call;
    abuti_verdict verdict = {.outcome = result->outcome == ABUT_INFEASIBLE ? ABUT_FAILED : result->outcome,
                             .pivots = result->pivots,
                             .check = {.residual = INFINITY, .worst_contact = -1},
                             .stage = c->plan->stage[0],
                             .glue_proven = result->glue_proven};
    if (result->exhausted) c->result->exhausted = true;
    if (verdict.outcome == ABUT_RAY) verdict.outcome = ABUT_FAILED; /* of one choice of sides */
    if (verdict.outcome != ABUT_SOLVED && !abuti_out_of_budget(c) && abuti_proven_impossible(c, in->island))
        verdict.outcome = ABUT_INFEASIBLE;
    if (verdict.outcome == ABUT_SOLVED || verdict.outcome == ABUT_LIMIT) {
        abuti_clear_answer(&c->work->answer, in->system);
        if (result->contacts) take_answer(in, result);
        abuti_call_judge(c, in->island, in->system, &c->work->answer, &verdict.check);
        verdict.point = &c->work->answer;
        if (verdict.outcome == ABUT_SOLVED && !(verdict.check.residual <= c->options->tolerance))
            verdict.outcome = ABUT_FAILED;
    }
    abuti_report(c, in->island, in->system, &verdict);
}

typedef struct inner_answer {
    const inner_call *in;
    const abut_contact_result *result;
} inner_answer;

static void report_shown(void *context)
{
    const inner_answer *answer = context;
    report(answer->in, answer->result);
}

/* Shows one of all answers to the caller. */
static bool show(const abut_contact_result *result, void *context)
{
    const inner_call *in = context;
    inner_answer answer = {in, result};
    return abuti_show(in->call, report_shown, &answer);
}

/* epsilon / step in the inner problem's units: the caller's, or a part of the free motion (unions/lcp.h), in which
 * impulses that bounds give do not count. */
static double inner_cap(const inner_call *in)
{
    const abuti_call *c = in->call;
    const abuti_build *build = &c->work->build;
    const abuti_system *plain = build->lift.used ? &build->lift.plain : &build->system;
    return abuti_union_cap(plain, c->problem, c->options) * in->heaviest / in->system->unit;
}

static abut_contact_options inner_options(const inner_call *in)
{
    const abuti_call *c = in->call;
    abut_contact_options options = *c->options;
    options.warm = false;
    options.start = abuti_warm_start(&c->work->warm, in->system, c->problem, c->options);
    options.start_impulses = options.start_joint_impulses = NULL;
    options.start_joints = NULL;
    options.restitution_threshold = 0.0;
    if (options.unions.rule == ABUT_UNION_SUM) options.unions.epsilon = inner_cap(in);
    if (options.max_pivots > 0) options.max_pivots = c->context.pivots_left > 0 ? c->context.pivots_left : 1;
    if (c->deadline < INFINITY) options.max_seconds = fmax(c->deadline - abuti_clock(), 1e-6);
    return options;
}

bool abuti_union_block_serves(const abuti_call *c, const abuti_island *island)
{
    const abut_generalised *g = c->problem->generalised;
    bool lifts = c->survey.bounded + c->survey.compliant > 0 && abuti_lift_needed(c->problem, island);
    return lifts || (g && g->block_count > 0);
}

/* ------------------------------------------------------------------------------------------------
 * Rows with two bounds in no-slip */

/* The state that an inner answer shows a row to have: its own if it is right there. */
static int state_of(const inner_call *in, const abut_contact_result *result, int lane)
{
    const abuti_system *s = in->system;
    const abuti_union_block *b = &in->call->work->union_block;
    double half = s->mu[lane] * s->given[lane], w = s->offset[ABUTI_TANGENT_X][lane];
    if (b->bound[lane] == 0) {
        int j = s->joints;
        while (b->row[j - s->joints] != lane) ++j;
        return fabs(result->joints[j]) <= half ? 0 : result->joints[j] > 0.0 ? 1 : -1;
    }
    for (int c = 0; c < s->dim; ++c) w += abuti_row(s, ABUTI_TANGENT_X, 0, c)[lane] * result->velocity[c];
    bool right = half == 0.0 || w * b->bound[lane] <= in->call->options->tolerance;
    return right ? b->bound[lane] : 0;
}

/* Whether all rows are in the states that the inner answer shows. */
static bool states_agree(const inner_call *in, const abut_contact_result *result)
{
    for (int lane = 0; lane < in->system->n; ++lane)
        if (abuti_is_boxed(in->system, lane) &&
            state_of(in, result, lane) != in->call->work->union_block.bound[lane])
            return false;
    return true;
}

/* The next choice of states; false: there is none. */
static bool next_states(const inner_call *in)
{
    const abuti_system *s = in->system;
    int *bound = in->call->work->union_block.bound;
    for (int lane = 0; lane < s->n; ++lane) {
        if (!abuti_is_boxed(s, lane)) continue;
        bound[lane] = bound[lane] == 0 ? 1 : bound[lane] == 1 ? -1 : 0;
        if (bound[lane] != 0) return true;
    }
    return false;
}

/* From the states that all rows are held in, to those that each answer shows. */
static abut_status mend_states(const inner_call *in, const abut_contact_options *options,
                               abut_contact_result *result, bool *right)
{
    enum { MENDED = 8 };
    abuti_call *c = in->call;
    abuti_union_block *b = &c->work->union_block;
    abut_status status = ABUT_OK;
    for (int turn = 0; turn < MENDED && !*right; ++turn) {
        make_problem(b, in->system, c->problem);
        status = abut_contact_solve(b->work, &b->problem, options, result);
        if (status != ABUT_OK || result->outcome != ABUT_SOLVED) break;
        if (c->context.pivots_left < INT_MAX) c->context.pivots_left -= result->pivots;
        *right = states_agree(in, result);
        for (int lane = 0; lane < in->system->n && !*right; ++lane)
            if (abuti_is_boxed(in->system, lane)) b->bound[lane] = state_of(in, result, lane);
    }
    return status;
}

/* Takes an answer that agrees with the states at hand; false ends the list of answers. */
static bool take_agreeing(const abut_contact_result *result, void *context)
{
    inner_call *in = context;
    in->found = states_agree(in, result);
    if (in->found) report(in, result);
    return !in->found;
}

/* Goes through all states of the rows, and all answers of each. */
static abut_status search_states(inner_call *in, const abut_contact_options *options)
{
    enum { ROWS = 6 };
    abuti_union_block *b = &in->call->work->union_block;
    abut_status status = ABUT_OK;
    int count;
    bool few = in->system->boxed <= ROWS && b->work->limits.sides <= ABUT_UNION_ALL_MAX;
    memset(b->bound, 0, (size_t)in->system->n * sizeof *b->bound);
    for (bool more = few; more && !in->found && !abuti_out_of_budget(in->call); more = next_states(in)) {
        make_problem(b, in->system, in->call->problem);
        status = abut_union_all(b->work, &b->problem, options, take_agreeing, in, &count);
        if (status != ABUT_OK && status != ABUT_TOO_LARGE) return status;
        if (in->found) return ABUT_OK;
    }
    return ABUT_OK;
}

static abut_status solve_with_states(inner_call *in, abut_contact_options *options)
{
    abuti_union_block *b = &in->call->work->union_block;
    abut_contact_result result = {.outcome = ABUT_FAILED};
    bool right = false;
    options->start = NULL; /* contacts are numbered otherwise */
    memset(b->bound, 0, (size_t)in->system->n * sizeof *b->bound);
    abut_status status = mend_states(in, options, &result, &right);
    if (status == ABUT_OK && !right) status = search_states(in, options);
    if (status != ABUT_OK || in->found) return status;
    if (!right) result = (abut_contact_result){.outcome = ABUT_FAILED};
    report(in, &result);
    return ABUT_OK;
}

abut_status abuti_solve_union_block(abuti_call *c, const abuti_island *island)
{
    abuti_union_block *b = &c->work->union_block;
    abut_contact_result result = {.outcome = ABUT_FAILED};
    inner_call in = {.call = c, .island = island};
    if (!b->work) return ABUT_TOO_LARGE;
    abut_status status = abuti_prepare_island(c, island, &in.system);
    if (status != ABUT_OK) return status;
    if (!in.system) { /* joint rows contradict each other */
        report(&in, &result);
        return ABUT_OK;
    }
    in.states = in.system->given && abuti_model_of(in.system->model)->friction == ABUT_LAW_HELD;
    const abuti_system *full = in.states ? in.system : abuti_lift_expand(&c->work->build.lift, in.system);
    if (full->bodies * full->dim > b->numbers) return ABUT_TOO_LARGE;
    choose_scales(b, full, c->options->unions.rule == ABUT_UNION_SUM, &in.heaviest);
    abut_contact_options options = inner_options(&in);
    if (in.states) {
        return c->visit ? ABUT_UNSUPPORTED : solve_with_states(&in, &options);
    }
    make_problem(b, full, c->problem);
    if (c->visit) {
        int count;
        status = abut_union_all(b->work, &b->problem, &options, show, &in, &count);
        c->cut_short = status == ABUT_TOO_LARGE;
        return status == ABUT_TOO_LARGE ? ABUT_OK : status;
    }
    status = abut_contact_solve(b->work, &b->problem, &options, &result);
    if (status != ABUT_OK) return status;
    if (c->context.pivots_left < INT_MAX) c->context.pivots_left -= result.pivots;
    report(&in, &result);
    return ABUT_OK;
}
