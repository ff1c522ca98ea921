#include "contact/rest/rest.h"
#include "base/clock.h"
#include "linalg/kernels.h"
#include <math.h>
#include <string.h>

static void *layout(abuti_arena *arena, const abut_contact_limits *limits)
{
    rest counting = {0}, *taken = abuti_take(arena, 1, rest), *r = taken ? taken : &counting;
    size_t contacts = (size_t)limits->contacts, joints = (size_t)limits->joints;
    size_t space = 8 * ((size_t)limits->bodies + 1), wide = 2 * (size_t)abuti_padded(limits->nv);
    if (wide > space) space = wide;
    r->one = abuti_rest_one_choose();
    r->width = limits->directions > 0 ? limits->directions : ABUT_DIRECTIONS_DEFAULT;
    abut_contact_limits few = *limits;
    if (few.bodies > REST_MANY) few.bodies = REST_MANY;
    abuti_rest_matrix_layout(&r->matrix, arena, &few);
    abuti_rest_many_layout(r, arena, limits);
    r->from = abuti_take(arena, contacts, int);
    r->count = abuti_take(arena, contacts, int);
    r->part = abuti_take(arena, contacts, rest_part);
    double **threes[] = {&r->offset, &r->p, &r->squeeze, &r->h, &r->step, &r->way};
    for (int i = 0; i < 6; ++i) *threes[i] = abuti_take(arena, 3 * contacts, double);
    r->K = abuti_take(arena, REST_K * contacts, double);
    double **by_joint[] = {&r->y, &r->dy, &r->kept, &r->joint_h, &r->joint_way};
    for (int i = 0; i < 5; ++i) *by_joint[i] = abuti_take(arena, joints, double);
    r->v = abuti_take(arena, space, double);
    r->dv = abuti_take(arena, space, double);
    r->lift = abuti_take(arena, space, double);
    double **pairs[] = {&r->x, &r->s, &r->dx, &r->ds, &r->side[0], &r->side[1]};
    for (int i = 0; i < 6; ++i) *pairs[i] = abuti_take(arena, contacts * (size_t)r->width, double);
    return taken;
}

/* ---- the question ---- */

/* Makes the generators of contact i, once `from` and `count` are known. */
static void make_generators(rest *r, const abuti_system *s, int i)
{
    int d = s->directions[i];
    for (int j = 0; j < r->count[i]; ++j) {
        const double *direction = abuti_direction(d, (r->from[i] + j) % d);
        size_t at = (size_t)i * (size_t)r->width + (size_t)j;
        r->side[0][at] = s->mu[i] * direction[0];
        r->side[1][at] = s->mu[i] * direction[1];
    }
}

/* The largest of k and the offsets, which is what the verifier measures errors by. */
static double size_of(const abuti_system *s)
{
    double size = 0.0;
    for (int b = 0; b < s->bodies; ++b) {
        double sum = 0.0;
        for (int c = 0; c < s->dim; ++c) sum += s->k[b * s->stride + c] * s->k[b * s->stride + c];
        size = fmax(size, sum);
    }
    size = sqrt(size);
    for (int i = 0; i < s->n; ++i) size = fmax(size, fabs(s->offset[0][i]) / s->size[0][i]);
    return size;
}

/* Which directions oppose a slip u: one vertex, or both of an edge. */
static void oppose(rest *r, const abuti_system *s, int contact, const double u[2], double near)
{
    int d = s->directions[contact], best = 0;
    double least = INFINITY;
    for (int j = 0; j < d; ++j) {
        const double *direction = abuti_direction(d, j);
        double along = direction[0] * u[0] + direction[1] * u[1];
        if (along < least) {
            least = along;
            best = j;
        }
    }
    r->from[contact] = best;
    r->count[contact] = 1;
    for (int side = -1; side <= 1 && d > 2; side += 2) {
        int j = (best + side + d) % d;
        const double *direction = abuti_direction(d, j);
        if (direction[0] * u[0] + direction[1] * u[1] > least + near) continue;
        r->from[contact] = side < 0 ? j : best;
        r->count[contact] = 2;
        return;
    }
}

/* Whether bodies that stand still satisfy contact i. */
static bool lets_stand(const abuti_system *s, int i, double size)
{
    return s->offset[0][i] >= -REST_NEAR * size * s->size[0][i];
}

bool abuti_rest_conceivable(const abuti_system *s)
{
    double size = size_of(s);
    for (int j = 0; j < s->joints; ++j) {
        if (fabs(s->joint_offset[j]) > REST_NEAR * size) return false;
    }
    for (int i = 0; i < s->n; ++i) {
        if (!lets_stand(s, i, size)) return false;
    }
    return true;
}

/* What contact i may do if nothing moves. */
static void ask_still(rest *r, const abuti_system *s, int i)
{
    double near = REST_NEAR * r->size * s->size[0][i], across = REST_NEAR * r->size * s->size[1][i];
    double u[2] = {s->offset[1][i], s->directions[i] == ABUT_DIRECTIONS_MIN ? 0.0 : s->offset[2][i]};
    if (s->offset[0][i] > near) r->count[i] = 0;
    if (r->count[i] > 1 && fmax(fabs(u[0]), fabs(u[1])) > across) oppose(r, s, i, u, across);
    for (int axis = 0; axis < 3; ++axis) r->offset[3 * i + axis] = 0.0;
}

/* Asks whether all can stand still, or whether they move without slip. */
static void ask(rest *r, const abuti_system *s, bool still)
{
    r->size = size_of(s);
    r->still = still;
    for (int i = 0; i < s->n; ++i) {
        r->from[i] = 0;
        r->count[i] = s->mu[i] > 0.0 ? s->directions[i] : 1;
        for (int axis = 0; axis < 3; ++axis) r->offset[3 * i + axis] = s->offset[axis][i];
        if (r->still) ask_still(r, s, i);
        make_generators(r, s, i);
    }
}

static bool begin_to_ask(rest *r, const abuti_system *s, bool still)
{
    ask(r, s, still);
    return r->size > 0.0 && abuti_rest_take(r, s);
}

bool abuti_rest_begin(rest *r, const abuti_system *s)
{
    return begin_to_ask(r, s, abuti_rest_conceivable(s));
}

/* ---- the stage ---- */

bool abuti_rest_spent(const abuti_stage_context *context, int rounds)
{
    return abuti_budget_spent(rounds, context->pivots_left, context->deadline);
}

static abut_contact_face face_of(const rest *r, const abuti_system *s, int i)
{
    const double *p = r->p + 3 * i;
    if (r->count[i] == 0 || !(p[0] > 0.0)) return (abut_contact_face){.state = ABUT_OPEN};
    if (s->mu[i] == 0.0) return (abut_contact_face){.state = ABUT_SLIDE};
    if (!abuti_rest_on_face(r, s, i)) return (abut_contact_face){.state = ABUT_STICK};
    uint8_t state = r->count[i] == 1 ? ABUT_SLIDE : ABUT_EDGE;
    return (abut_contact_face){.state = state, .face = (uint8_t)r->from[i]};
}

static void write_answer(const rest *r, const abuti_system *s, bool held, abuti_answer *answer)
{
    for (int i = 0; i < s->n; ++i) {
        if (held) answer->face[i] = face_of(r, s, i);
        bool carries = answer->face[i].state != ABUT_OPEN;
        answer->theta[i] = carries ? r->p[3 * i] : 0.0;
        answer->f[0][i] = carries ? r->p[3 * i + 1] : 0.0;
        answer->f[1][i] = carries ? r->p[3 * i + 2] : 0.0;
    }
    for (int j = 0; j < s->joints; ++j) answer->joint[j] = r->y[j];
}

/* One body that contacts alone hold: its own kernel writes the answer. */
static bool hold_one(const rest *r, const abuti_system *s, abuti_answer *answer)
{
    double *const p[3] = {answer->theta, answer->f[0], answer->f[1]};
    if (!abuti_rest_one_serves(s) || !r->one->hold(s, p, answer->ray)) return false;
    for (int i = 0; i < s->n; ++i) {
        bool carries = answer->theta[i] > 0.0;
        uint8_t state = !carries ? ABUT_OPEN : s->mu[i] > 0.0 ? ABUT_STICK : ABUT_SLIDE;
        answer->face[i] = (abut_contact_face){.state = state};
        if (!carries) answer->theta[i] = answer->f[0][i] = answer->f[1][i] = 0.0;
    }
    return true;
}

static abut_outcome decide(rest *r, const abuti_system *s, const abuti_stage_context *context, bool inside,
                           abuti_answer *answer)
{
    if (s->bodies == 0 || s->n == 0) return ABUT_FAILED;
    answer->pivots++;
    if (hold_one(r, s, answer)) return ABUT_SOLVED;
    if (!abuti_rest_begin(r, s)) return ABUT_FAILED;
    bool held = r->still && abuti_rest_quick(r, s, context);
    inside = inside && !abuti_rest_spent(context, 0);
    if (!held && inside) held = abuti_rest_inside(r, s, context, &answer->pivots);
    write_answer(r, s, held, answer);
    return held ? ABUT_SOLVED : ABUT_FAILED;
}

static abut_outcome run_quick(const abuti_system *s, void *scratch, const abuti_stage_context *context,
                              abuti_answer *answer)
{
    return decide(scratch, s, context, false, answer);
}

static abut_outcome run(const abuti_system *s, void *scratch, const abuti_stage_context *context,
                        abuti_answer *answer)
{
    return decide(scratch, s, context, true, answer);
}

static abut_outcome run_carried(const abuti_system *s, void *scratch, const abuti_stage_context *context,
                                abuti_answer *answer)
{
    rest *r = scratch;
    if (s->bodies == 0 || s->n == 0 || !begin_to_ask(r, s, false)) return ABUT_FAILED;
    bool held = abuti_rest_inside(r, s, context, &answer->pivots);
    write_answer(r, s, held, answer);
    return held ? ABUT_SOLVED : ABUT_FAILED;
}

static void host(void *scratch, abuti_home *home)
{
    ((rest *)scratch)->at.home = home;
}

const abuti_family abuti_rest_family = {.solver = ABUT_SOLVER_FACES, .layout = layout, .host = host};
const abuti_stage abuti_stage_rest_again = {.name = "rest-again",
                                            .family = &abuti_rest_family,
                                            .answers = ABUTI_ON_IMPULSES(ABUT_LAW_COULOMB),
                                            .rows = true};
const abuti_stage abuti_stage_rest_quick = {.name = "rest-quick",
                                            .family = &abuti_rest_family,
                                            .answers = ABUTI_ON_IMPULSES(ABUT_LAW_COULOMB),
                                            .rows = true,
                                            .run = run_quick};
const abuti_stage abuti_stage_rest = {.name = "rest",
                                      .family = &abuti_rest_family,
                                      .answers = ABUTI_ON_IMPULSES(ABUT_LAW_COULOMB),
                                      .rows = true,
                                      .run = run};
const abuti_stage abuti_stage_rest_carried = {.name = "rest-carried",
                                              .family = &abuti_rest_family,
                                              .answers = ABUTI_ON_IMPULSES(ABUT_LAW_COULOMB),
                                              .rows = true,
                                              .run = run_carried};
