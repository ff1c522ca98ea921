/* Robots for tests, campaigns and benchmarks: links on hinges, in two forms of one problem.
 *
 * A scene is a list of links, each free or hinged to another or to the world, and contacts and rows on links. It is
 * told twice: in maximal coordinates, where every link is a body and every hinge five joint rows, and in coordinates
 * of its own, where every tree of links is a block. What is asked is the same. */
#ifndef ABUT_BENCH_ROBOTS_H
#define ABUT_BENCH_ROBOTS_H

#include "contact_families.h"

enum { ROBOT_FREE = -2, ROBOT_WORLD = -1 };

typedef struct robot_link {
    int parent; /* a link before it, ROBOT_WORLD, or ROBOT_FREE: it hangs on nothing */
    double at[3], axis[3];
    int block, first; /* its tree, and its first number there */
} robot_link;

typedef struct robot_scene {
    contact_case *maximal; /* bodies: links; contacts; rows: those of the scene first, then those of hinges */
    robot_link *links;
    int link_capacity;
    int rows; /* joint rows of the scene */
    bool failed;

    abut_contact_problem reduced; /* after robot_scene_reduce */
    abut_generalised generalised;
    abut_contact *contacts;
    abut_joint *joints;
    int *sizes, *parents;
    double *numbers; /* everything else */
} robot_scene;

robot_scene *robot_scene_create(void);
void robot_scene_destroy(robot_scene *scene);
void robot_scene_clear(robot_scene *scene);

/* A box of these sides and mass; hinged about `axis` at `at`, unless it is free. Gravity acts. */
int robot_add_link(robot_scene *scene, int parent, double mass, const double sides[3], const double com[3],
                   const double at[3], const double axis[3]);
/* Adds a row on the relative speed of a link's hinge. (Contacts are added to scene->maximal by contact_case_add.) */
abut_joint *robot_add_hinge_row(robot_scene *scene, int link, double target);
/* Adds a row on the relative velocity of two links at a point (rope, loop); b may be ABUT_WORLD. */
abut_joint *robot_add_point_row(robot_scene *scene, int a, int b, const double at[3], const double axis[3],
                                double target);
/* Gives a link's hinge a relative speed, which moves the link and all that hangs on it. Call it before
 * robot_scene_reduce. */
void robot_turn(robot_scene *scene, int link, double speed);

/* Adds the rows of hinges, and makes the problem in blocks; false when memory has run out. With `merged` all trees
 * are one block of the old form. */
bool robot_scene_reduce(robot_scene *scene, bool merged);
/* The velocities of links (6 each) that a reduced velocity stands for. */
void robot_link_velocities(const robot_scene *scene, const double *reduced, double *links);

#endif
