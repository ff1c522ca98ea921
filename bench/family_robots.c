/* Random robots: trees that touch the floor, hands that hold a box, loops, motors, brakes, ropes, soft fingers. */
#include "family_robots.h"

#include <string.h>

static const double UP[3] = {0, 0, 1};

static void random_unit(bench_random *r, double out[3])
{
    double square = 0;
    while (square < 0.01 || square > 1) {
        square = 0;
        for (int c = 0; c < 3; ++c) {
            out[c] = bench_uniform(r, -1, 1);
            square += out[c] * out[c];
        }
    }
    for (int c = 0; c < 3; ++c) out[c] /= sqrt(square);
}

/* A tree of so many links on a root, somewhere near `at`; its first link. */
static int add_tree(robot_scene *s, int links, bool floating, const double at[3], bench_random *r)
{
    int first = s->maximal->problem.body_count;
    for (int k = 0; k < links; ++k) {
        int parent = k == 0 ? (floating ? ROBOT_FREE : ROBOT_WORLD)
                            : first + (bench_below(r, 3) == 0 ? bench_below(r, k) : k - 1);
        double sides[3], com[3], hinge[3], axis[3], mass = bench_uniform(r, 0.2, 2);
        const double *from = k == 0 ? at : s->maximal->bodies[parent].com;
        for (int c = 0; c < 3; ++c) {
            sides[c] = bench_uniform(r, 0.05, 0.2);
            hinge[c] = from[c] + bench_uniform(r, -0.1, 0.1);
            com[c] = hinge[c] + bench_uniform(r, -0.1, 0.1);
        }
        random_unit(r, axis);
        robot_add_link(s, parent, mass, sides, com, hinge, axis);
    }
    for (int k = 0; k < links; ++k) {
        abut_body *body = &s->maximal->bodies[first + k];
        if (k == 0 && floating)
            for (int c = 0; c < 6; ++c) body->velocity[c] = bench_uniform(r, -0.3, 0.3);
    }
    /* All that hangs on a free root moves with it. */
    for (int k = 1; k < links && floating; ++k) {
        const abut_body *root = &s->maximal->bodies[first];
        abut_body *body = &s->maximal->bodies[first + k];
        const double *w = root->velocity + 3;
        double d[3];
        for (int c = 0; c < 3; ++c) d[c] = body->com[c] - root->com[c];
        for (int c = 0; c < 3; ++c) {
            int e = (c + 1) % 3, f = (c + 2) % 3;
            body->velocity[c] = root->velocity[c] + w[e] * d[f] - w[f] * d[e];
            body->velocity[3 + c] = w[c];
        }
    }
    for (int k = floating ? 1 : 0; k < links; ++k) robot_turn(s, first + k, bench_uniform(r, -1, 1));
    return first;
}

/* Contacts of links of a tree with the floor, or with the box `other`. */
static void touch(robot_scene *s, int first, int links, int other, int contacts, bool bounces,
                  bench_random *r)
{
    for (int i = 0; i < contacts; ++i) {
        int link = first + bench_below(r, links);
        const double *com = s->maximal->bodies[link].com;
        double point[3], normal[3];
        memcpy(normal, UP, sizeof normal);
        if (other != ABUT_WORLD || bench_below(r, 4) == 0) random_unit(r, normal);
        for (int c = 0; c < 3; ++c) point[c] = com[c] - 0.08 * normal[c] + bench_uniform(r, -0.05, 0.05);
        int at = contact_case_add(s->maximal, link, other, bench_uniform(r, 0, 1), point, normal);
        abut_contact *contact = &s->maximal->contacts[at];
        if (bench_below(r, 3) == 0) contact->gap = bench_uniform(r, 0, 0.002);
        contact->two_points = contact->gap > 0;
        if (bench_below(r, 6) == 0) contact->viscous = bench_uniform(r, 0, 5);
        for (int c = 0; c < 3; ++c) contact->second_point[c] = point[c] - contact->gap * normal[c];
        if (bounces && bench_below(r, 4) == 0) contact->restitution = bench_uniform(r, 0, 0.5);
    }
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static void make_tree(robot_scene *s, int size, bool bounces, bench_random *r)
{
    bool floating = size > 7 && bench_below(r, 2);
    int links = floating ? size - 5 : size;
    int first = add_tree(s, links, floating, (double[]){0, 0, 0.3}, r);
    touch(s, first, links, ABUT_WORLD, 1 + bench_below(r, least(size, 40)), bounces, r);
}

static void make_trees(robot_scene *s, int size, bench_random *r)
{
    make_tree(s, size, false, r);
}

static void make_bounces(robot_scene *s, int size, bench_random *r)
{
    make_tree(s, size, true, r);
}

static void bound(abut_joint *joint, double lower, double upper)
{
    joint->bounded = true;
    joint->lower = lower;
    joint->upper = upper;
    joint->key = 1;
}

/* Motors in all hinges, some of which are too weak. */
static void make_motors(robot_scene *s, int size, bench_random *r)
{
    make_trees(s, size, r);
    int links = s->maximal->problem.body_count;
    for (int k = 0; k < links; ++k) {
        if (s->links[k].parent == ROBOT_FREE) continue;
        abut_joint *joint = robot_add_hinge_row(s, k, bench_uniform(r, -1, 1));
        double most = CONTACT_STEP * pow(10, bench_uniform(r, -3, 2));
        bound(joint, -most, bench_below(r, 3) ? most : bench_uniform(r, -0.5, 2) * most);
        if (joint->upper < joint->lower) joint->upper = joint->lower;
        joint->key = (uint64_t)k + 1;
    }
}

/* Dry friction and brakes: hinges that hold unless more is asked of them, some given impulses, some rows twice. */
static void make_brakes(robot_scene *s, int size, bench_random *r)
{
    make_trees(s, size, r);
    int links = s->maximal->problem.body_count;
    for (int k = 0; k < links; ++k) {
        if (s->links[k].parent == ROBOT_FREE) continue;
        for (int twice = bench_below(r, 4) == 0; twice >= 0; twice--) {
            abut_joint *joint = robot_add_hinge_row(s, k, 0);
            double most = CONTACT_STEP * bench_uniform(r, 0, 1);
            bound(joint, -most, most);
            if (bench_below(r, 6) == 0) joint->lower = joint->upper;
        }
    }
}

/* Limits of hinges and ropes: bounds on one side. */
static void make_ropes(robot_scene *s, int size, bench_random *r)
{
    make_trees(s, size, r);
    int links = s->maximal->problem.body_count;
    for (int k = 0; k < links; ++k) {
        if (s->links[k].parent != ROBOT_FREE && bench_below(r, 2)) {
            abut_joint *joint = robot_add_hinge_row(s, k, -bench_uniform(r, 0, 0.2));
            bound(joint, 0, INFINITY);
        } else if (bench_below(r, 2)) {
            double axis[3];
            random_unit(r, axis);
            abut_joint *joint =
                robot_add_point_row(s, k, bench_below(r, 2) && k > 0 ? k - 1 : ABUT_WORLD,
                                    s->maximal->bodies[k].com, axis, bench_uniform(r, 0, 0.2));
            bound(joint, -INFINITY, 0);
        }
    }
}

/* Two robots that press a box from both sides; motors close them. */
static void make_holding(robot_scene *s, int size, bench_random *r)
{
    const double sides[3] = {0.1, 0.1, 0.1};
    int box = robot_add_link(s, ROBOT_FREE, 0.5, sides, (double[]){0, 0, 0}, NULL, NULL);
    for (int side = -1; side <= 1; side += 2) {
        int first = add_tree(s, size, false, (double[]){0.4 * side, 0, 0.1}, r);
        for (int i = 0; i < 4; ++i) {
            double point[3] = {0.05 * side, i & 1 ? 0.03 : -0.03, i & 2 ? 0.03 : -0.03}, normal[3] = {0};
            normal[0] = -side;
            /* The box is pushed away from the finger. */
            contact_case_add(s->maximal, box, first + size - 1, bench_uniform(r, 0.3, 1), point, normal);
        }
        for (int k = 0; k < size; ++k) {
            double most = CONTACT_STEP * bench_uniform(r, 1, 20);
            bound(robot_add_hinge_row(s, first + k, bench_uniform(r, -2, 2)), -most, most);
        }
    }
    for (int i = 0; i < 4; ++i)
        contact_case_add(s->maximal, box, ABUT_WORLD, 0.5,
                         (double[]){i & 1 ? 0.05 : -0.05, i & 2 ? 0.05 : -0.05, -0.05}, UP);
}

/* Trees whose ends are tied to each other or to the world. */
static void make_loops(robot_scene *s, int size, bench_random *r)
{
    make_trees(s, size, r);
    int links = s->maximal->problem.body_count, last = links - 1, other = bench_below(r, links);
    for (int k = 0; k < 3; ++k) {
        double axis[3] = {k == 0, k == 1, k == 2};
        robot_add_point_row(s, last, other == last ? ABUT_WORLD : other, s->maximal->bodies[last].com, axis,
                            0);
    }
    for (int k = 0; k < links; ++k) {
        if (s->links[k].parent == ROBOT_FREE || bench_below(r, 2)) continue;
        double most = CONTACT_STEP * bench_uniform(r, 0, 5);
        bound(robot_add_hinge_row(s, k, bench_uniform(r, -1, 1)), -most, most);
    }
}

/* Fingers driven by position, without bounds, on a box between them. Where they are rigid there need be no answer;
 * where they are compliant there is one. */
static void make_soft(robot_scene *s, int size, bench_random *r)
{
    make_holding(s, size, r);
    contact_case *c = s->maximal;
    for (int j = 0; j < c->problem.joint_count; ++j) {
        c->joints[j].bounded = bench_below(r, 4) == 0;
        if (bench_below(r, 2)) c->joints[j].compliance = pow(10, bench_uniform(r, -3, 1));
    }
    for (int i = 0; i < c->problem.contact_count; ++i) {
        c->contacts[i].compliance = pow(10, bench_uniform(r, -4, 1));
        c->contacts[i].gap = bench_uniform(r, -0.001, 0.001);
    }
}

/* A robot and boxes on the floor around it, some of which it touches. */
static void make_mixed(robot_scene *s, int size, bench_random *r)
{
    const double sides[3] = {0.1, 0.1, 0.1};
    int links = 8, first = add_tree(s, links, true, (double[]){0, 0, 0.3}, r);
    touch(s, first, links, ABUT_WORLD, 6, false, r);
    for (int b = 0; b < size; ++b) {
        double at[3] = {0.1 * (b / 4), 0.5, 0.05 + 0.1 * (b % 4)};
        int box = robot_add_link(s, ROBOT_FREE, 0.5, sides, at, NULL, NULL);
        for (int i = 0; i < 4; ++i)
            contact_case_add(
                s->maximal, box, b % 4 == 0 ? ABUT_WORLD : box - 1, bench_uniform(r, 0.2, 0.8),
                (double[]){at[0] + (i & 1 ? 0.05 : -0.05), 0.5 + (i & 2 ? 0.05 : -0.05), at[2] - 0.05}, UP);
        if (b % 3 == 0) touch(s, first, links, box, 1, false, r);
    }
    for (int k = 1; k < links; ++k) {
        double most = CONTACT_STEP * bench_uniform(r, 0, 5);
        bound(robot_add_hinge_row(s, first + k, bench_uniform(r, -1, 1)), -most, most);
    }
}

const robot_family robot_families[] = {
    {"trees", "one tree of 2 to 40 freedoms, 1 to 40 contacts", false, {2, 3, 5, 8, 13, 24, 40}, make_trees},
    {"bounces", "the same with restitution", true, {2, 3, 5, 8}, make_bounces},
    {"motors", "bounded motors in every hinge, some too weak", true, {2, 3, 5, 8, 13, 24}, make_motors},
    {"brakes", "dry friction, given torques, rows twice", true, {2, 3, 5, 8, 13, 24}, make_brakes},
    {"ropes", "limits of hinges and ropes", true, {2, 3, 5, 8, 13, 24}, make_ropes},
    {"holding", "two robots that hold a box", true, {2, 3, 4, 6}, make_holding},
    {"loops", "trees that are closed, with motors", true, {3, 5, 8, 13}, make_loops},
    {"soft", "compliant fingers driven by position", false, {2, 3, 4}, make_soft},
    {"mixed", "a robot among boxes, one island", true, {3, 6, 9}, make_mixed},
};
const int robot_family_count = sizeof robot_families / sizeof robot_families[0];

const robot_family *robot_family_find(const char *name)
{
    for (int i = 0; i < robot_family_count; ++i)
        if (strcmp(robot_families[i].name, name) == 0) return &robot_families[i];
    return NULL;
}

bool robot_family_make(const robot_family *family, int size, bench_random *random, robot_scene *scene)
{
    robot_scene_clear(scene);
    family->make(scene, size, random);
    return robot_scene_reduce(scene, false);
}
