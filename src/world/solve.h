/* Solving the contact problem of a step, and the safe step where an island has no answer (solve.c). */
#ifndef ABUTI_WORLD_SOLVE_H
#define ABUTI_WORLD_SOLVE_H

#include "world/problem.h"

/* Solves a problem in the threads of the world, with workspaces that grow where they must. */
abut_status abuti_solve(abut_world *world, const abut_contact_problem *problem,
                        const abut_contact_options *options, abuti_crew *crew, abut_contact_result *result);
void abuti_release_crew(abuti_crew *crew);

/* The options of a solve of this model: those of the world, with the model's default solver where the world's solver
 * does not answer the model. */
abut_contact_options abuti_options_for(const abut_world *world, abut_contact_model model);

/* Solves world->velocity_problem into world->result. `unsolved` gets the number of islands that had no accepted answer
 * as they were; these are solved again with as little compliance as is enough. */
abut_status abuti_solve_step(abut_world *world, int *unsolved);

#endif
