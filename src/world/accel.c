/* The step at the acceleration level.
 *
 *     until the step is over:
 *         impacts where bodies touch and approach          velocities jump; no time passes
 *         the contacts that touch now act until the next event
 *         forces, accelerations, time up to the next event
 *
 * Events are first touches and the ends of sliding. Semi-implicit Euler takes the accelerations of the beginning for
 * the whole stretch, so that the end of sliding is known in closed form; what would overlap at its end is stopped by an
 * impact that lets it land exactly, as at the velocity level. Runge-Kutta steps find both kinds of events (runge.c).
 *
 * Where forces have no answer (Painleve's rod), and after EVENTS_MOST events, the rest of the step is a stride at the
 * velocity level: impulses have an answer where forces have none, and need no events. */
#include "world/accel.h"
#include "base/clock.h"
#include "base/sort.h"
#include "base/space.h"
#include "world/drift.h"
#include "world/kinematics.h"
#include "world/list.h"
#include "world/locate.h"
#include "world/mechanics.h"
#include "world/problem.h"
#include "world/remember.h"
#include "world/rows.h"
#include "world/solve.h"
#include "world/stride.h"
#include <math.h>
#include <string.h>

#define EVENTS_MOST 32

/* When less than this part of the step is left, what is left is rounding. */
#define OVER 1e-9

/* m/s: impulses keep velocities of loops and of contacts that touch below this, if nothing else does. */
#define KEPT 1e-9

/* ------------------------------------------------------------------------------------------------
 * What acts */

static double threshold(const abut_world *world)
{
    return world->def.contact.accel.slide_threshold;
}

/* m/s: sliding below this is slower than what friction takes away in a step. Its direction would swing from side to
 * side if friction opposed the velocity before the step. So friction opposes the velocity after it, as where a contact
 * sticks. */
static double slow_slip(const abut_world *world)
{
    double friction = 0;
    for (int i = 0; i < world->touches.count; ++i)
        friction = fmax(friction, world->touches.items[i].friction);
    return fmax(threshold(world), world->def.step * friction * abuti_v3_length(world->def.gravity));
}

/* Contacts that touch and do not come apart are held until the next event. */
static bool choose_holds(abut_world *world)
{
    double slow = slow_slip(world);
    world->holds.count = 0;
    for (int i = 0; i < world->touches.count; ++i) {
        abuti_touch *touch = &world->touches.items[i];
        double u[3];
        abuti_contact_velocity(world, touch, u);
        touch->acts =
            touch->gap <= world->def.slop && u[0] <= threshold(world) && !abuti_touch_idles(world, touch);
        if (!touch->acts) continue;
        if (!abuti_list_push(world, &world->holds)) return false;
        bool slides = u[1] * u[1] + u[2] * u[2] > slow * slow;
        *abuti_list_last(&world->holds) =
            (abuti_hold){.key = touch->key, .slip = {slides ? u[1] : 0, slides ? u[2] : 0}};
    }
    abuti_sort_by_key(world->holds.items, world->holds.count, sizeof(abuti_hold));
    return true;
}

const abuti_hold *abuti_find_hold(const abut_world *world, uint64_t key)
{
    int low = 0, high = world->holds.count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (world->holds.items[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < world->holds.count && world->holds.items[low].key == key ? &world->holds.items[low] : NULL;
}

void abuti_mark_holds(abut_world *world)
{
    for (int i = 0; i < world->touches.count; ++i)
        world->touches.items[i].acts = abuti_find_hold(world, world->touches.items[i].key) != NULL;
}

/* ------------------------------------------------------------------------------------------------
 * What acted */

abuti_touch *abuti_find_among(const abuti_touches *list, uint64_t key)
{
    for (int i = 0; i < list->count; ++i) {
        if (list->items[i].key == key) return &list->items[i];
    }
    return NULL;
}

/* Adds an impulse of a contact to a list. */
static bool note(abut_world *world, abuti_touches *list, const abuti_touch *touch, const double impulse[3])
{
    abuti_touch *same = abuti_find_among(list, touch->key);
    if (!same) {
        if (!abuti_list_push(world, list)) return false;
        same = abuti_list_last(list);
        *same = *touch;
        abuti_v3_set(same->impulse, 0, 0, 0);
    }
    abuti_v3_add(same->impulse, same->impulse, impulse);
    same->approach = fmax(same->approach, touch->approach);
    same->face = touch->face;
    same->carries = touch->carries;
    return true;
}

/* Adds an impulse of a row to a list. */
static bool note_row(abut_world *world, abuti_rows *list, const abuti_row *row, double impulse)
{
    int i = 0;
    while (i < list->count && list->items[i].key != row->key) i++;
    if (i == list->count) {
        if (!abuti_list_push(world, list)) return false;
        list->items[i] = *row;
        list->items[i].impulse = 0;
    }
    list->items[i].impulse += impulse;
    list->items[i].face = row->face;
    return true;
}

/* Adds what acted in a stretch to what acted in the step. */
static bool gather(abut_world *world, const abuti_touches *touches, const abuti_rows *rows)
{
    for (int i = 0; i < touches->count; ++i) {
        if (!note(world, &world->gathered, &touches->items[i], touches->items[i].impulse)) return false;
    }
    for (int i = 0; i < rows->count; ++i) {
        if (!note_row(world, &world->gathered_rows, &rows->items[i], rows->items[i].impulse)) return false;
    }
    return true;
}

bool abuti_note_forces(abut_world *world, double seconds)
{
    const abuti_world_problem *p = &world->force_problem;
    for (int i = 0; i < p->touch_of.count; ++i) {
        const abut_contact_answer *answer = &world->force_result.contacts[i];
        abuti_touch *touch = &world->touches.items[p->touch_of.items[i]];
        double impulse[3] = {seconds * answer->normal, seconds * answer->tangent[0],
                             seconds * answer->tangent[1]};
        touch->face = world->force_result.faces[i];
        touch->carries = answer->normal > 0;
        if (!note(world, &world->fresh, touch, impulse)) return false;
    }
    for (int j = 0; j < p->row_of.count; ++j) {
        abuti_row *row = &world->rows.items[p->row_of.items[j]];
        if (!note_row(world, &world->fresh_rows, row, seconds * world->force_result.joints[j])) return false;
        if (row->kind == ABUTI_ROW_MOTOR)
            world->motors.items[row->owner].force = world->force_result.joints[j];
    }
    return true;
}

/* Contacts of what sleeps go on with the impulses they had. */
static bool gather_sleepers(abut_world *world)
{
    for (int i = 0; i < world->touches.count; ++i) {
        const abuti_touch *touch = &world->touches.items[i];
        if (abuti_touch_idles(world, touch) && !note(world, &world->gathered, touch, touch->impulse))
            return false;
    }
    return true;
}

/* Sorts contacts in the order of their pairs, which finding events needs. */
static void sort_gathered(abut_world *world)
{
    abuti_touch *items = world->gathered.items;
    for (int i = 1; i < world->gathered.count; ++i) {
        abuti_touch moved = items[i];
        int low = moved.colliders[0] < moved.colliders[1] ? 0 : 1, k = i;
        for (; k > 0; --k) {
            int other = items[k - 1].colliders[0] < items[k - 1].colliders[1] ? 0 : 1;
            int first = items[k - 1].colliders[other] - moved.colliders[low],
                second = items[k - 1].colliders[1 - other] - moved.colliders[1 - low];
            if (first < 0 || (first == 0 && second <= 0)) break;
            items[k] = items[k - 1];
        }
        items[k] = moved;
    }
}

/* ------------------------------------------------------------------------------------------------
 * Impacts */

/* Whether velocities break what contacts and rows ask of them. */
static bool is_broken(const abut_world *world, abuti_question question)
{
    bool runge = world->def.integrator == ABUT_RUNGE_KUTTA;
    double slow = runge ? KEPT : threshold(world), h = world->span;
    for (int i = 0; i < world->touches.count; ++i) {
        const abuti_touch *touch = &world->touches.items[i];
        double u[3];
        abuti_contact_velocity(world, touch, u);
        if (question == ABUTI_IMPACTS && touch->acts && u[0] < -slow) return true;
        if (question == ABUTI_LANDINGS && fmax(touch->gap, 0) + h * u[0] < -world->def.slop - h * slow)
            return true;
    }
    for (int i = 0; i < world->rows.count; ++i) {
        const abuti_row *row = &world->rows.items[i];
        double excess = abuti_row_velocity(world, row) - row->target;
        if (row->compliance > 0) continue;
        if (row->kind == ABUTI_ROW_LOOP && fabs(excess) > slow) return true;
        bool reached = question == ABUTI_LANDINGS || row->error <= world->def.slop;
        if (row->kind == ABUTI_ROW_LIMIT && reached && excess < -slow) return true;
    }
    return false;
}

/* Velocities after impacts, where there are any: the velocity level without forces. */
static abut_status impact(abut_world *world, abuti_question question, abut_step_report *told)
{
    if (world->trees.count == 0 || !is_broken(world, question)) return ABUT_OK;
    abuti_world_problem *p = &world->velocity_problem;
    if (!abuti_build_problem(world, question, false, p)) return ABUT_OUT_OF_MEMORY;
    int unsolved;
    abut_status status = abuti_solve_step(world, &unsolved);
    if (status != ABUT_OK) return status;
    told->unsolved += unsolved;
    told->events++;
    abuti_note_result(&world->result, told);
    if (!world->result.velocity) return ABUT_OK;
    abuti_take_velocities(world, world->result.velocity, world->velocities.items);
    abuti_move(world);
    for (int i = 0; i < p->touch_of.count && world->result.contacts; ++i) {
        const abut_contact_answer *answer = &world->result.contacts[i];
        abuti_touch *touch = &world->touches.items[p->touch_of.items[i]];
        double impulse[3] = {answer->normal, answer->tangent[0], answer->tangent[1]};
        if (answer->normal == 0) continue;
        if (!note(world, &world->gathered, touch, impulse)) return ABUT_OUT_OF_MEMORY;
    }
    for (int j = 0; j < p->row_of.count && world->result.joints; ++j) {
        const abuti_row *row = &world->rows.items[p->row_of.items[j]];
        if (!note_row(world, &world->gathered_rows, row, world->result.joints[j])) return ABUT_OUT_OF_MEMORY;
    }
    return ABUT_OK;
}

/* ------------------------------------------------------------------------------------------------
 * Forces */

/* The slide_threshold of a force problem: `slow_slip`, but no less than the speed at which a contact that acts comes
 * apart. In a Runge-Kutta stage this speed is an error of high order, since events decide which contacts act. */
static double slide_threshold(const abut_world *world)
{
    double limit = slow_slip(world);
    for (int i = 0; i < world->touches.count; ++i) {
        double u[3];
        if (!world->touches.items[i].acts) continue;
        abuti_contact_velocity(world, &world->touches.items[i], u);
        limit = fmax(limit, u[0] * (1 + 1e-6));
    }
    return limit;
}

/* Lets velocities that shall vanish do so within the stretch: u+ = u + h du/dt takes the place of h du/dt. (Normal
 * velocities of Runge-Kutta stages are errors of high order, and are not undone.) */
static void add_rest_to_drift(abut_world *world, double slow)
{
    bool runge = world->def.integrator == ABUT_RUNGE_KUTTA;
    for (int i = 0; i < world->touches.count; ++i) {
        abuti_touch *touch = &world->touches.items[i];
        double u[3];
        if (!touch->acts) continue;
        abuti_contact_velocity(world, touch, u);
        bool sticks = u[1] * u[1] + u[2] * u[2] <= slow * slow;
        if (!runge && fabs(u[0]) <= threshold(world)) touch->drift[0] += u[0] / world->span;
        for (int k = 1; k < 3 && sticks; ++k) touch->drift[k] += u[k] / world->span;
    }
}

abut_status abuti_find_accelerations(abut_world *world, abut_step_report *told, bool *answered)
{
    double last = abuti_clock();
    abuti_world_problem *p = &world->force_problem;
    abut_status status = abuti_find_drift(world);
    if (status != ABUT_OK) return status;
    double slow = slide_threshold(world);
    add_rest_to_drift(world, slow);
    abuti_mark(&told->seconds[ABUT_STEP_NARROW], &last);
    if (!abuti_build_problem(world, ABUTI_FORCES, false, p)) return ABUT_OUT_OF_MEMORY;
    abuti_mark(&told->seconds[ABUT_STEP_PROBLEM], &last);
    abut_contact_options options = abuti_options_for(world, p->problem.model);
    options.accel.slide_threshold = slow;
    status = abuti_solve(world, &p->problem, &options, &world->force_crew, &world->force_result);
    abuti_mark(&told->seconds[ABUT_STEP_SOLVE], &last);
    if (status == ABUT_TOO_LARGE) { /* more rows than the acceleration level has room for */
        *answered = false;
        return ABUT_OK;
    }
    if (status != ABUT_OK) return status;
    *answered = world->force_result.outcome == ABUT_SOLVED && world->force_result.velocity;
    told->pivots += world->force_result.pivots;
    told->contacts = p->problem.contact_count;
    told->rows = p->problem.joint_count;
    if (*answered) abuti_note_result(&world->force_result, told);
    return ABUT_OK;
}

/* s: the time until sliding first ends, if velocities change evenly, in `seconds`, from those in holds to the present
 * ones. */
static double end_of_sliding(const abut_world *world, double seconds)
{
    double first = seconds;
    for (int i = 0; i < world->touches.count; ++i) {
        const abuti_touch *touch = &world->touches.items[i];
        const abuti_hold *hold = touch->acts ? abuti_find_hold(world, touch->key) : NULL;
        double u[3];
        if (!hold || (hold->slip[0] == 0 && hold->slip[1] == 0)) continue;
        abuti_contact_velocity(world, touch, u);
        double before = hold->slip[0] * hold->slip[0] + hold->slip[1] * hold->slip[1];
        double after = hold->slip[0] * u[1] + hold->slip[1] * u[2];
        if (after >= -threshold(world) * sqrt(before)) continue;
        first = fmin(first, seconds * before / (before - after));
    }
    return first;
}

/* Semi-implicit Euler over up to `*seconds`. */
static abut_status euler(abut_world *world, double *seconds, abut_step_report *told, bool *answered)
{
    double last = abuti_clock();
    abut_status status = abuti_find_step_forces(world);
    abuti_mark(&told->seconds[ABUT_STEP_FORCES], &last);
    if (status == ABUT_OK) status = abuti_find_accelerations(world, told, answered);
    if (status != ABUT_OK || !*answered) return status;
    last = abuti_clock();
    int count = world->velocities.count;
    if (!abuti_list_resize(world, &world->stages, 2 * count)) return ABUT_OUT_OF_MEMORY;
    double *before = world->stages.items, *rate = before + count, *v = world->velocities.items;
    memcpy(before, v, (size_t)count * sizeof *v);
    memcpy(rate, v, (size_t)count * sizeof *v);
    abuti_take_velocities(world, world->force_result.velocity, rate);
    for (int k = 0; k < count; ++k) v[k] = before[k] + *seconds * rate[k];
    abuti_move(world);
    double taken = end_of_sliding(world, *seconds);
    if (taken < *seconds) {
        for (int k = 0; k < count; ++k) v[k] = before[k] + taken * rate[k];
        abuti_move(world);
        told->events++;
    }
    world->span = *seconds = taken;
    if (!abuti_note_forces(world, taken)) return ABUT_OUT_OF_MEMORY;
    if (!abuti_find_rows(world)) return ABUT_OUT_OF_MEMORY; /* targets of limits fit the span */
    status = impact(world, ABUTI_LANDINGS, told);
    if (status != ABUT_OK) return status;
    status = abuti_advance_all(world);
    abuti_mark(&told->seconds[ABUT_STEP_INTEGRATE], &last);
    return status;
}

/* ------------------------------------------------------------------------------------------------
 * From event to event */

static void note_approach(abut_world *world)
{
    for (int i = 0; i < world->touches.count; ++i)
        world->touches.items[i].approach = abuti_approach(world, &world->touches.items[i]);
}

/* One stretch; `*seconds` is what is left before, what was taken after. */
static abut_status stretch(abut_world *world, double *seconds, abut_step_report *told, bool *answered)
{
    world->span = *seconds;
    note_approach(world);
    if (!abuti_find_mass(world) || !abuti_find_rows(world) || !choose_holds(world)) return ABUT_OUT_OF_MEMORY;
    abut_status status = impact(world, ABUTI_IMPACTS, told);
    if (status != ABUT_OK) return status;
    if (!choose_holds(world)) return ABUT_OUT_OF_MEMORY;
    world->fresh.count = world->fresh_rows.count = 0;
    bool runge = world->def.integrator == ABUT_RUNGE_KUTTA;
    status =
        runge ? abuti_runge_kutta(world, seconds, told, answered) : euler(world, seconds, told, answered);
    if (status != ABUT_OK || !*answered) return status;
    return gather(world, &world->fresh, &world->fresh_rows) ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

abut_status abuti_step_by_forces(abut_world *world, abut_step_report *told)
{
    double left = world->def.step;
    bool answered = true;
    abut_status status = ABUT_OK;
    world->gathered.count = world->gathered_rows.count = 0;
    if (world->trees.count == 0) { /* nothing moves by forces */
        abuti_advance_told(world, left);
        return abuti_remember(world, &world->gathered, &world->gathered_rows) ? ABUT_OK : ABUT_OUT_OF_MEMORY;
    }
    for (int round = 0; status == ABUT_OK && answered && left > 0 && round < EVENTS_MOST; ++round) {
        double taken = left;
        status = stretch(world, &taken, told, &answered);
        if (status != ABUT_OK || !answered) break;
        left -= taken;
        if (left <= OVER * world->def.step) left = 0;
        if (left > 0) status = abuti_locate(world);
    }
    world->by_forces = left == 0;
    if (status == ABUT_OK && left > 0) {
        told->by_impulses = true;
        world->span = left;
        status = abuti_stride(world, told);
        if (status == ABUT_OK && !gather(world, &world->touches, &world->rows)) status = ABUT_OUT_OF_MEMORY;
    }
    world->span = world->def.step;
    if (status != ABUT_OK) return status;
    if (!gather_sleepers(world)) return ABUT_OUT_OF_MEMORY;
    sort_gathered(world);
    return abuti_remember(world, &world->gathered, &world->gathered_rows) ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}
