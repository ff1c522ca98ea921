/* Memory and stages; see cone.h. */
#include "contact/cone/cone.h"
#include "contact/cone/inner.h"
#include "linalg/kernels.h"
#include <math.h>
#include <string.h>

/* Lays out padded rows of contacts, and blocks. Blocks of bodies are six by eight; others are, padded, at most 16 / 9
 * times as wide as long. */
static void layout_blocks(cone *c, abuti_arena *arena, const abut_contact_limits *limits)
{
    size_t wide = (size_t)abuti_padded(limits->nv), contacts = (size_t)limits->contacts;
    size_t bodies = limits->bodies > 0 ? 2 * 8 : 0, row = wide > bodies ? wide : bodies;
    c->kernel = abuti_cone_kernel_choose();
    c->block_room = limits->nv > 6 ? 2 * c->matrix.room : c->matrix.room / 36 * 48;
    c->rows = abuti_take(arena, 3 * contacts * row, double);
    c->lower = abuti_take(arena, c->block_room, double);
    c->upper = abuti_take(arena, c->block_room, double);
    c->row_begin = abuti_take(arena, (size_t)limits->bodies + 1, size_t);
    size_t block = wide > 8 ? wide * wide : 64;
    c->room = abuti_take(arena, block > 6 * wide ? block : 6 * wide, double);
}

static void *layout(abuti_arena *arena, const abut_contact_limits *limits)
{
    cone *taken = abuti_take(arena, 1, cone), counting, *c = taken ? taken : &counting;
    abut_contact_limits none = {0};
    if (!limits->cones) limits = &none;
    size_t contacts = (size_t)limits->contacts, joints = (size_t)limits->joints;
    size_t rows = 3 * contacts + joints, nv = (size_t)limits->nv;
    size_t space = 8 * ((size_t)limits->bodies + 1), wide = 2 * (size_t)abuti_padded((int)nv);
    if (wide > space) space = wide;
    c->capacity = limits->contacts;
    c->touch = abuti_take(arena, contacts, cone_touch);
    c->joint = abuti_take(arena, joints, double);
    c->joint_best = abuti_take(arena, joints, double);
    c->joint_base = abuti_take(arena, joints, double);
    c->joint_center = abuti_take(arena, joints, double);
    c->joint_found = abuti_take(arena, joints, double);
    c->joint_rho = abuti_take(arena, joints, double);
    c->joint_inner = abuti_take(arena, joints, double);
    c->joint_step = abuti_take(arena, joints, double);
    c->x = abuti_take(arena, space, double);
    c->dx = abuti_take(arena, space, double);
    abuti_rest_matrix_layout(&c->matrix, arena, limits);
    layout_blocks(c, arena, limits);
    c->perm = abuti_take(arena, 6 * ((size_t)limits->bodies + 1) + nv, int);
    size_t small = contacts < CONE_DENSE ? contacts : CONE_DENSE, formed = 3 * small + joints;
    if (limits->bodies == 0 && nv == 0) formed = 0;
    c->formed_rows = (int)formed;
    c->formed = abuti_take(arena, formed * formed, double);
    c->free = abuti_take(arena, rows, double);
    abuti_lu_layout(&c->lu, arena, (int)(limits->local && rows > formed ? rows : formed));
    c->rhs = abuti_take(arena, rows, double);
    c->solution = abuti_take(arena, rows, double);
    c->pushed = abuti_take(arena, rows, double);
    c->row_scale = abuti_take(arena, rows, double);
    c->column_scale = abuti_take(arena, rows, double);
    c->inner = abuti_take(arena, contacts, cone_inner);
    c->row_contact = abuti_take(arena, rows, int);
    c->row_part = abuti_take(arena, rows, int);
    abuti_cone_one_layout(&c->one, arena, limits->contacts);
    return taken;
}

static const abuti_family family = {.solver = ABUT_SOLVER_FACES, .layout = layout};

static abut_outcome conclude(cone *c, bool found, abuti_answer *answer)
{
    answer->pivots += c->steps;
    abuti_cone_finish(c, answer);
    return found ? ABUT_SOLVED : ABUT_FAILED;
}

/* Whether the verifier may take the best iterate, even where Newton's method has not come to its end. */
static bool near_enough(const cone *c)
{
    return c->least <= c->context->options->tolerance;
}

static abut_outcome conclude_rescue(cone *c, bool found, abuti_answer *answer)
{
    return conclude(c, found || near_enough(c), answer);
}

/* Says that the island's matrix is larger than the room for its envelope. */
static abut_outcome too_large(abuti_answer *answer)
{
    answer->too_large = true;
    return ABUT_FAILED;
}

/* The same for one body, in lanes, from the point or the states at hand. True: an answer is found. */
static bool one_body(cone *c, const abuti_system *system, const abuti_stage_context *context, int eager,
                     abuti_answer *answer)
{
    cone_one *o = &c->one;
    double enough = fmin(CONE_TARGET, CONE_ENOUGH * context->options->tolerance);
    if (!abuti_cone_one_serves(o, system)) return false;
    o->system = system;
    if (context->point) {
        abuti_cone_one_from_point(o, context->point);
    } else {
        abuti_cone_one_from_states(o, context);
    }
    bool asserted = !context->point && !context->pushed[0];
    if (!abuti_cone_one_newton(o, c->kernel, asserted, eager, enough, &answer->pivots)) return false;
    abuti_cone_one_finish(o, answer);
    return true;
}

/* From the states, directions and impulses of the last step. */
static abut_outcome run_check(const abuti_system *system, void *scratch, const abuti_stage_context *context,
                              abuti_answer *answer)
{
    cone *c = scratch;
    if (!system->round || !context->start || !context->turn) return ABUT_FAILED;
    if (one_body(c, system, context, CONE_EAGER, answer)) return ABUT_SOLVED;
    if (!abuti_cone_begin(c, system, context)) return too_large(answer);
    abuti_cone_from_states(c, context);
    c->eager = CONE_EAGER;
    c->asserted = !context->pushed[0];
    return conclude(c, abuti_cone_newton(c, CONE_STEPS_WARM), answer);
}

/* Where springs were not exact enough, tries the same with J J', if the system is small. Where bodies are many this
 * takes long, and helps only where impulses are much larger than the motion. */
static bool by_elimination(cone *c, const abuti_stage_context *context)
{
    abuti_cone_from_point(c, context->point);
    c->least = INFINITY; /* what was found before is given up */
    bool jammed = abuti_cone_jammed(c);
    if ((!jammed && c->system->bodies >= ABUTI_LARGE_WARM) || !abuti_cone_form(c)) return false;
    if (abuti_cone_newton(c, CONE_STEPS)) return true;
    if (!jammed && !abuti_cone_jammed(c)) return false;
    abuti_cone_from_faces(c, context->point);
    if (abuti_cone_newton(c, CONE_STEPS)) return true;
    c->ridge = CONE_RIDGE_FIRM;
    abuti_cone_from_point(c, context->point);
    return abuti_cone_newton(c, CONE_STEPS);
}

/* For few bodies. Where the polygon's answer leads nowhere, the reason is mostly that redundant contacts carry little
 * and slip slowly. An interior point does not ask which of them carry, and takes some ten rounds. */
static bool from_inside(cone *c, const abuti_stage_context *context)
{
    const abuti_system *s = c->system;
    return s->rows && !s->before[0] && s->bodies < ABUTI_LARGE_WARM && !context->options->stage &&
           abuti_cone_interior(c);
}

/* From the answer on polygons. */
static abut_outcome run_newton(const abuti_system *system, void *scratch, const abuti_stage_context *context,
                               abuti_answer *answer)
{
    cone *c = scratch;
    if (!system->round || !context->point) return ABUT_FAILED;
    if (one_body(c, system, context, 0, answer)) return ABUT_SOLVED;
    if (!abuti_cone_begin(c, system, context)) return too_large(answer);
    abuti_cone_from_point(c, context->point);
    bool found = abuti_cone_newton(c, CONE_STEPS + (system->n < 200 ? system->n / 8 : 25)) ||
                 near_enough(c) || from_inside(c, context) || near_enough(c) || by_elimination(c, context);
    return conclude_rescue(c, found, answer);
}

#define STAGE(NAME, RUN, START)                                                                              \
    {                                                                                                        \
        .name = NAME, .family = &family, .answers = ABUTI_ON_IMPULSES(ABUT_LAW_COULOMB), .rows = true,       \
        .local = true, .needs_start = START, .round = true, .run = RUN                                       \
    }

const abuti_stage abuti_cone_check_stage = STAGE("cone-check", run_check, true);
const abuti_stage abuti_cone_newton_stage = STAGE("cone-newton", run_newton, false);

/* Takes the point at hand, if there is one; otherwise nothing pushes. */
static void take_point(cone *c, const abuti_stage_context *context)
{
    if (context->point) {
        abuti_cone_from_point(c, context->point);
    } else {
        abuti_cone_from_impulses(c);
    }
}

static abut_outcome run_proximal(const abuti_system *system, void *scratch,
                                 const abuti_stage_context *context, abuti_answer *answer)
{
    cone *c = scratch;
    if (!system->round) return ABUT_FAILED; /* nothing that polygons do not answer */
    if (!abuti_cone_begin(c, system, context)) return too_large(answer);
    take_point(c, context);
    bool found = abuti_cone_proximal(c);
    if (!found && !near_enough(c) && abuti_cone_form(c)) {
        take_point(c, context);
        found = abuti_cone_proximal(c);
    }
    return conclude_rescue(c, found, answer);
}

static abut_outcome run_interior(const abuti_system *system, void *scratch,
                                 const abuti_stage_context *context, abuti_answer *answer)
{
    cone *c = scratch;
    if (!system->round) return ABUT_FAILED; /* nothing that polygons do not answer */
    if (!abuti_cone_begin(c, system, context)) return too_large(answer);
    return conclude_rescue(c, abuti_cone_interior(c), answer);
}

const abuti_stage abuti_cone_proximal_stage = STAGE("cone-proximal", run_proximal, false);
const abuti_stage abuti_cone_interior_stage = STAGE("cone-interior", run_interior, false);
