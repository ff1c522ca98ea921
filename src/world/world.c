/* Makes and destroys worlds; the defaults of all their parts. */
#include "base/arena.h"
#include "world/check.h"
#include "world/list.h"
#include "world/solve.h"
#include <math.h>
#include <string.h>

abut_world_def abut_world_default_def(void)
{
    return (abut_world_def){.gravity = {0, 0, -9.81},
                            .step = 0.002,
                            .model = ABUT_COULOMB,
                            .contact = abut_contact_default_options(),
                            .directions = ABUT_DIRECTIONS_DEFAULT,
                            .slop = 1e-9,
                            .threads = 1,
                            .sleep_speed = 1e-4,
                            .projection_max = 0.05,
                            .margin = 1e-3};
}

static abut_status check_world(const abut_world_def *def, abut_error *error)
{
    if (!abuti_finite(def->gravity, 3))
        return abuti_invalid(error, "gravity: expected three finite numbers, m/s^2");
    if (!abuti_at_least(def->step, 1e-12))
        return abuti_invalid(error, "step: %g; expected seconds > 0", def->step);
    if ((int)def->model < 0 || def->model >= ABUT_MODEL_COUNT)
        return abuti_invalid(error, "model: %d; expected one of contact.h", (int)def->model);
    if (def->integrator != ABUT_SEMI_IMPLICIT_EULER && def->integrator != ABUT_RUNGE_KUTTA)
        return abuti_invalid(error, "integrator: %d; expected one of world.h", (int)def->integrator);
    const abut_model_info *model = abut_contact_model_info(def->model);
    if (def->integrator == ABUT_RUNGE_KUTTA && !model->acceleration)
        return abuti_invalid(error,
                             "integrator: Runge-Kutta goes with the models coulomb-accel and viscous alone");
    if (def->directions < ABUT_DIRECTIONS_MIN || def->directions > ABUT_DIRECTIONS_MAX) {
        return abuti_invalid(error, "directions: %d; expected 2 to 64", def->directions);
    }
    if (def->cone != ABUT_CONE_POLYGON && def->cone != ABUT_CONE_CIRCLE)
        return abuti_invalid(error, "cone: %d; expected polygon or circle", (int)def->cone);
    bool round = def->cone == ABUT_CONE_CIRCLE,
         own = def->contact.solver == ABUT_SOLVER_AUTO || def->contact.solver == ABUT_SOLVER_FACES;
    if (round && model->friction == ABUT_LAW_COULOMB && !model->acceleration && !own)
        return abuti_invalid(error, "cone: circles are answered by the solvers auto and faces alone");
    if (def->threads < 1 || def->threads > ABUT_THREADS_MAX)
        return abuti_invalid(error, "threads: %d; expected 1 to %d", def->threads, ABUT_THREADS_MAX);
    if (!abuti_at_least(def->sleep_seconds, 0) || !abuti_at_least(def->sleep_speed, 0))
        return abuti_invalid(error, "sleep_seconds, sleep_speed: expected numbers >= 0");
    if (!abuti_at_least(def->slop, 0))
        return abuti_invalid(error, "slop: %g; expected metres >= 0", def->slop);
    if (!abuti_at_least(def->projection_max, 1e-100)) {
        return abuti_invalid(error, "projection_max: %g; expected metres > 0", def->projection_max);
    }
    if (!abuti_at_least(def->margin, 0))
        return abuti_invalid(error, "margin: %g; expected metres >= 0", def->margin);
    return ABUT_OK;
}

abut_status abut_world_create(const abut_world_def *def, const abut_allocator *allocator, abut_world **world,
                              abut_error *error)
{
    if (!def || !world || !abuti_valid_allocator(allocator)) {
        return abuti_invalid(error,
                             "a world needs a definition, a place to put it, and an allocator or none");
    }
    *world = NULL;
    abut_status status = check_world(def, error);
    if (status != ABUT_OK) return status;
    abut_allocator memory = abuti_allocator_or_default(allocator);
    abut_world *made = abuti_allocate(&memory, sizeof *made);
    if (!made) return abuti_no_memory(error);
    memset(made, 0, sizeof *made);
    made->def = *def;
    made->span = def->step;
    made->smallest = INFINITY;
    made->allocator = memory;
    *world = made;
    return ABUT_OK;
}

static void release_problem(abut_world *world, abuti_world_problem *p)
{
    abuti_list_release(world, &p->contacts);
    abuti_list_release(world, &p->joints);
    abuti_list_release(world, &p->faces);
    abuti_list_release(world, &p->joint_faces);
    abuti_list_release(world, &p->impulses);
    abuti_list_release(world, &p->joint_impulses);
    abuti_list_release(world, &p->touch_of);
    abuti_list_release(world, &p->row_of);
    abuti_list_release(world, &p->bodies);
    abuti_list_release(world, &p->sizes);
    abuti_list_release(world, &p->parents);
    abuti_list_release(world, &p->mass);
    abuti_list_release(world, &p->velocity);
    abuti_list_release(world, &p->force);
    abuti_list_release(world, &p->normal_rows);
    abuti_list_release(world, &p->tangent_rows);
    abuti_list_release(world, &p->joint_rows);
}

/* What was added to a world, and where it is. */
static void release_things(abut_world *world)
{
    abuti_list_release(world, &world->bodies);
    abuti_list_release(world, &world->joints);
    abuti_list_release(world, &world->colliders);
    abuti_list_release(world, &world->tendons);
    abuti_list_release(world, &world->tendon_terms);
    abuti_list_release(world, &world->motors);
    abuti_list_release(world, &world->loops);
    abuti_list_release(world, &world->excluded);
    abuti_list_release(world, &world->included);
    abuti_list_release(world, &world->pair_frictions);
    abuti_list_release(world, &world->positions);
    abuti_list_release(world, &world->velocities);
    abuti_list_release(world, &world->applied);
}

void abut_world_destroy(abut_world *world)
{
    if (!world) return;
    release_things(world);
    abuti_list_release(world, &world->trees);
    abuti_list_release(world, &world->dofs);
    abuti_list_release(world, &world->groups);
    abuti_list_release(world, &world->joined);
    abuti_list_release(world, &world->mass);
    abuti_list_release(world, &world->implicit);
    abuti_list_release(world, &world->bias);
    abuti_list_release(world, &world->force);
    abuti_list_release(world, &world->scratch);
    abuti_list_release(world, &world->energy);
    abuti_list_release(world, &world->turning);
    abuti_list_release(world, &world->begun);
    abuti_list_release(world, &world->flights);
    abuti_list_release(world, &world->parties);
    abuti_list_release(world, &world->composite);
    abuti_list_release(world, &world->wrench);
    abuti_list_release(world, &world->touches);
    abuti_list_release(world, &world->solved);
    abuti_list_release(world, &world->known);
    abuti_list_release(world, &world->known_rows);
    abuti_list_release(world, &world->pairs);
    abuti_list_release(world, &world->next_pairs);
    if (world->broad_begun) abuti_tree_end(&world->broad);
    abuti_list_release(world, &world->boxes);
    abuti_list_release(world, &world->near);
    abuti_list_release(world, &world->points);
    abuti_list_release(world, &world->events);
    abuti_list_release(world, &world->rows);
    abuti_list_release(world, &world->solved_rows);
    abuti_list_release(world, &world->free_motion);
    abuti_list_release(world, &world->entries);
    release_problem(world, &world->velocity_problem);
    release_problem(world, &world->force_problem);
    abuti_list_release(world, &world->holds);
    abuti_list_release(world, &world->fresh);
    abuti_list_release(world, &world->gathered);
    abuti_list_release(world, &world->displaced);
    abuti_list_release(world, &world->displaced_rows);
    abuti_list_release(world, &world->fresh_rows);
    abuti_list_release(world, &world->gathered_rows);
    abuti_list_release(world, &world->displaced_entries);
    abuti_list_release(world, &world->kept_positions);
    abuti_list_release(world, &world->shares);
    abuti_list_release(world, &world->unmoved_positions);
    abuti_list_release(world, &world->unmoved_velocities);
    abuti_list_release(world, &world->kept_told);
    abuti_list_release(world, &world->stages);
    abuti_release_crew(&world->force_crew);
    release_problem(world, &world->position_problem);
    abuti_release_crew(&world->contact_crew);
    abuti_release_crew(&world->position_crew);
    abut_allocator memory = world->allocator;
    abuti_release(&memory, world, sizeof *world);
}
