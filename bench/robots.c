#include "robots.h"

#include <stdlib.h>
#include <string.h>

robot_scene *robot_scene_create(void)
{
    robot_scene *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->maximal = contact_case_create();
    if (!s->maximal) {
        free(s);
        return NULL;
    }
    return s;
}

static void drop_reduced(robot_scene *s)
{
    free(s->contacts);
    free(s->joints);
    free(s->sizes);
    free(s->parents);
    free(s->numbers);
    s->contacts = NULL;
    s->joints = NULL;
    s->sizes = s->parents = NULL;
    s->numbers = NULL;
}

void robot_scene_destroy(robot_scene *s)
{
    if (!s) return;
    drop_reduced(s);
    contact_case_destroy(s->maximal);
    free(s->links);
    free(s);
}

void robot_scene_clear(robot_scene *s)
{
    drop_reduced(s);
    contact_case_clear(s->maximal);
    s->rows = 0;
    s->failed = false;
}

static void cross(const double *a, const double *b, double *out)
{
    for (int c = 0; c < 3; ++c) {
        int d = (c + 1) % 3, e = (c + 2) % 3;
        out[c] = a[d] * b[e] - a[e] * b[d];
    }
}

int robot_add_link(robot_scene *s, int parent, double mass, const double sides[3], const double com[3],
                   const double at[3], const double axis[3])
{
    double inertia[3];
    contact_block_inertia(mass, sides[0], sides[1], sides[2], inertia);
    int link = contact_case_body(s->maximal, mass, inertia, com);
    if (link >= s->link_capacity) {
        int wanted = 2 * link + 16;
        robot_link *grown = realloc(s->links, (size_t)wanted * sizeof *grown);
        s->failed |= !grown;
        if (!grown) return 0;
        s->links = grown;
        s->link_capacity = wanted;
    }
    s->maximal->bodies[link].force[2] = -CONTACT_GRAVITY * mass;
    robot_link *l = &s->links[link];
    *l = (robot_link){.parent = parent};
    for (int c = 0; c < 3 && parent != ROBOT_FREE; ++c) {
        l->at[c] = at[c];
        l->axis[c] = axis[c];
    }
    return link;
}

abut_joint *robot_add_hinge_row(robot_scene *s, int link, double target)
{
    const robot_link *l = &s->links[link];
    double a[6] = {0, 0, 0, l->axis[0], l->axis[1], l->axis[2]};
    double b[6] = {0, 0, 0, -l->axis[0], -l->axis[1], -l->axis[2]};
    int index = contact_case_joint(s->maximal, link, l->parent, a, b, target);
    s->rows++;
    return &s->maximal->joints[index];
}

/* The row of a point of a link along an axis. */
static void point_row(const robot_scene *s, int link, const double at[3], const double axis[3], double sign,
                      double row[6])
{
    const double *com = s->maximal->bodies[link].com;
    double r[3] = {at[0] - com[0], at[1] - com[1], at[2] - com[2]};
    for (int c = 0; c < 3; ++c) row[c] = sign * axis[c];
    cross(r, row, row + 3);
}

abut_joint *robot_add_point_row(robot_scene *s, int a, int b, const double at[3], const double axis[3],
                                double target)
{
    double row_a[6], row_b[6] = {0};
    point_row(s, a, at, axis, 1, row_a);
    if (b >= 0) point_row(s, b, at, axis, -1, row_b);
    int index = contact_case_joint(s->maximal, a, b, row_a, row_b, target);
    s->rows++;
    return &s->maximal->joints[index];
}

static bool hangs_on(const robot_scene *s, int link, int on)
{
    while (link > on) link = s->links[link].parent;
    return link == on;
}

void robot_turn(robot_scene *s, int link, double speed)
{
    const robot_link *l = &s->links[link];
    for (int k = link; k < s->maximal->problem.body_count; ++k) {
        if (!hangs_on(s, k, link)) continue;
        abut_body *body = &s->maximal->bodies[k];
        double r[3], v[3];
        for (int c = 0; c < 3; ++c) r[c] = body->com[c] - l->at[c];
        cross(l->axis, r, v);
        for (int c = 0; c < 3; ++c) {
            body->velocity[c] += speed * v[c];
            body->velocity[3 + c] += speed * l->axis[c];
        }
    }
}

/* Five rows that leave a hinge its axis. */
static void add_hinge(robot_scene *s, int link)
{
    const robot_link *l = &s->links[link];
    double u[3] = {0, 0, 0}, w[3];
    int least = 0;
    for (int c = 1; c < 3; ++c)
        if (fabs(l->axis[c]) < fabs(l->axis[least])) least = c;
    u[least] = 1;
    double along = l->axis[least], length = sqrt(1 - along * along);
    for (int c = 0; c < 3; ++c) u[c] = (u[c] - along * l->axis[c]) / length;
    cross(l->axis, u, w);
    for (int k = 0; k < 5; ++k) {
        double a[6] = {0}, b[6] = {0}, axis[3] = {k == 0, k == 1, k == 2};
        if (k < 3) {
            point_row(s, link, l->at, axis, 1, a);
            if (l->parent >= 0) point_row(s, l->parent, l->at, axis, -1, b);
        }
        for (int c = 0; c < 3 && k >= 3; ++c) {
            a[3 + c] = k == 3 ? u[c] : w[c];
            b[3 + c] = -a[3 + c];
        }
        contact_case_joint(s->maximal, link, l->parent, a, b, 0);
    }
}

/* Which tree each link belongs to, and where its numbers begin there; the number of trees. */
static int find_trees(robot_scene *s, bool merged, int *total)
{
    int trees = 0, links = s->maximal->problem.body_count;
    *total = 0;
    for (int k = 0; k < links; ++k) {
        robot_link *l = &s->links[k];
        bool root = l->parent < 0 && (!merged || trees == 0);
        l->block = root ? trees++ : merged ? 0 : s->links[l->parent].block;
        if (root) s->sizes[l->block] = 0;
        l->first = s->sizes[l->block];
        int numbers = l->parent == ROBOT_FREE ? 6 : 1;
        for (int c = 0; c < numbers; ++c) {
            int before = c > 0 ? l->first + c - 1 : -1;
            if (c == 0 && l->parent >= 0) {
                const robot_link *p = &s->links[l->parent];
                before = p->first + (p->parent == ROBOT_FREE ? 5 : 0);
            }
            s->parents[*total + c] = before; /* moved to its block later */
        }
        s->sizes[l->block] += numbers;
        *total += numbers;
    }
    return trees;
}

/* `wrench` on a link, as a row on the numbers of its tree; added with a sign. */
static void reduce_row(const robot_scene *s, int link, const double wrench[6], double *row)
{
    const double *com = s->maximal->bodies[link].com;
    for (int k = link; k >= 0; k = s->links[k].parent) {
        const robot_link *l = &s->links[k];
        if (l->parent == ROBOT_FREE) {
            const double *root = s->maximal->bodies[k].com;
            double r[3] = {com[0] - root[0], com[1] - root[1], com[2] - root[2]}, moment[3];
            cross(r, wrench, moment);
            for (int c = 0; c < 3; ++c) {
                row[l->first + c] += wrench[c];
                row[l->first + 3 + c] += wrench[3 + c] + moment[c];
            }
        } else {
            double r[3] = {com[0] - l->at[0], com[1] - l->at[1], com[2] - l->at[2]}, moment[3];
            cross(r, wrench, moment);
            for (int c = 0; c < 3; ++c) row[l->first] += l->axis[c] * (wrench[3 + c] + moment[c]);
        }
    }
}

/* A row on two links: on one block where both belong to it. */
static double *put_row(const robot_scene *s, const int links[2], const double *wrench_a,
                       const double *wrench_b, int blocks[2], double *to)
{
    int a = s->links[links[0]].block, b = links[1] >= 0 ? s->links[links[1]].block : -1;
    int size_a = s->sizes[a], size_b = b >= 0 && b != a ? s->sizes[b] : 0;
    memset(to, 0, (size_t)(size_a + size_b) * sizeof *to);
    reduce_row(s, links[0], wrench_a, to);
    if (b >= 0) reduce_row(s, links[1], wrench_b, b == a ? to : to + size_a);
    blocks[0] = a;
    blocks[1] = size_b > 0 ? b : ABUT_WORLD;
    return to + size_a + size_b;
}

static void frame_of(const abut_contact *c, double axis[3][3])
{
    int least = 0;
    for (int k = 1; k < 3; ++k)
        if (fabs(c->normal[k]) < fabs(c->normal[least])) least = k;
    double along = c->normal[least], length = sqrt(1 - along * along);
    for (int k = 0; k < 3; ++k) {
        axis[0][k] = c->normal[k];
        axis[1][k] = ((k == least) - along * c->normal[k]) / length;
    }
    cross(axis[0], axis[1], axis[2]);
}

/* The three rows of a contact. */
static double *put_contact(const robot_scene *s, const abut_contact *c, int axis, int blocks[2], double *to)
{
    double axes[3][3], wrench[2][6] = {{0}};
    frame_of(c, axes);
    for (int side = 0; side < 2; ++side) {
        if (c->bodies[side] < 0) continue;
        const double *at = side == 1 && c->two_points ? c->second_point : c->point;
        point_row(s, c->bodies[side], at, axes[axis], side == 0 ? 1 : -1, wrench[side]);
    }
    return put_row(s, c->bodies, wrench[0], wrench[1], blocks, to);
}

/* M and force of all links. */
static void put_links(const robot_scene *s, int trees, int total, double *mass, double *velocity,
                      double *force, double *J)
{
    const abut_contact_problem *p = &s->maximal->problem;
    for (int k = 0; k < p->body_count; ++k) {
        const abut_body *body = &s->maximal->bodies[k];
        const robot_link *l = &s->links[k];
        double *M = mass, *f = force, *v = velocity;
        for (int b = 0; b < l->block; ++b) {
            M += s->sizes[b] * s->sizes[b];
            f += s->sizes[b];
            v += s->sizes[b];
        }
        int size = s->sizes[l->block];
        for (int c = 0; c < 6; ++c) {
            double unit[6] = {0};
            unit[c] = 1;
            memset(J + c * total, 0, (size_t)size * sizeof *J);
            reduce_row(s, k, unit, J + c * total);
        }
        for (int c = 0; c < 6; ++c) {
            double m = c < 3 ? body->mass : body->inertia[c - 3];
            for (int i = 0; i < size; ++i) {
                f[i] += J[c * total + i] * body->force[c];
                for (int j = 0; j < size; ++j) M[i * size + j] += m * J[c * total + i] * J[c * total + j];
            }
        }
        if (l->parent == ROBOT_FREE) {
            memcpy(v + l->first, body->velocity, 6 * sizeof *v);
        } else {
            const double *before = l->parent >= 0 ? s->maximal->bodies[l->parent].velocity : NULL;
            for (int c = 0; c < 3; ++c)
                v[l->first] += l->axis[c] * (body->velocity[3 + c] - (before ? before[3 + c] : 0));
        }
    }
    (void)trees;
}

bool robot_scene_reduce(robot_scene *s, bool merged)
{
    abut_contact_problem *p = &s->maximal->problem;
    int links = p->body_count, contacts = p->contact_count;
    for (int k = 0; k < links; ++k)
        if (s->links[k].parent != ROBOT_FREE) add_hinge(s, k);
    drop_reduced(s);
    s->sizes = calloc((size_t)links, sizeof *s->sizes);
    s->parents = calloc(6 * (size_t)links, sizeof *s->parents);
    s->contacts = calloc((size_t)contacts + 1, sizeof *s->contacts);
    s->joints = calloc((size_t)s->rows + 1, sizeof *s->joints);
    if (!s->sizes || !s->parents || !s->contacts || !s->joints) return false;
    int total = 0, trees = find_trees(s, merged, &total);
    size_t n = (size_t)total, rows = (size_t)(3 * contacts + s->rows);
    s->numbers = calloc(n * n + 2 * n + 2 * n * rows + 6 * n, sizeof(double));
    if (s->failed || s->maximal->failed || !s->numbers) return false;
    double *mass = s->numbers, *velocity = mass + n * n, *force = velocity + n, *J = force + n;
    double *normals = J + 6 * n, *tangents = normals + 2 * n * (size_t)contacts;
    double *joints = tangents + 4 * n * (size_t)contacts;
    s->generalised = (abut_generalised){.nv = total,
                                        .mass_matrix = mass,
                                        .velocity = velocity,
                                        .force = force,
                                        .normal_rows = normals,
                                        .tangent_rows = tangents,
                                        .joint_rows = joints,
                                        .block_count = merged ? 0 : trees,
                                        .block_sizes = s->sizes};
    put_links(s, trees, total, mass, velocity, force, J);
    for (int i = 0; i < contacts; ++i) {
        int blocks[2];
        s->contacts[i] = s->maximal->contacts[i];
        normals = put_contact(s, &s->maximal->contacts[i], 0, blocks, normals);
        tangents = put_contact(s, &s->maximal->contacts[i], 1, blocks, tangents);
        tangents = put_contact(s, &s->maximal->contacts[i], 2, blocks, tangents);
        memcpy(s->contacts[i].bodies, blocks, sizeof blocks);
    }
    for (int j = 0; j < s->rows; ++j) {
        const abut_joint *from = &s->maximal->joints[j];
        s->joints[j] = *from;
        joints = put_row(s, from->bodies, from->jacobian[0], from->jacobian[1], s->joints[j].bodies, joints);
    }
    s->reduced = *p;
    s->reduced.body_count = 0;
    s->reduced.bodies = NULL;
    s->reduced.joint_count = s->rows;
    s->reduced.contacts = s->contacts;
    s->reduced.joints = s->joints;
    s->reduced.generalised = &s->generalised;
    return true;
}

void robot_link_velocities(const robot_scene *s, const double *reduced, double *links)
{
    for (int k = 0; k < s->maximal->problem.body_count; ++k) {
        const robot_link *l = &s->links[k];
        const double *v = reduced, *com = s->maximal->bodies[k].com;
        for (int b = 0; b < l->block; ++b) v += s->sizes[b];
        double *out = links + 6 * k;
        if (l->parent == ROBOT_FREE) {
            memcpy(out, v + l->first, 6 * sizeof *out);
            continue;
        }
        memset(out, 0, 6 * sizeof *out);
        if (l->parent >= 0) {
            const double *p = links + 6 * l->parent, *from = s->maximal->bodies[l->parent].com;
            double r[3] = {com[0] - from[0], com[1] - from[1], com[2] - from[2]};
            cross(p + 3, r, out);
            for (int c = 0; c < 3; ++c) {
                out[c] += p[c];
                out[3 + c] = p[3 + c];
            }
        }
        double r[3] = {com[0] - l->at[0], com[1] - l->at[1], com[2] - l->at[2]}, turn[3];
        cross(l->axis, r, turn);
        for (int c = 0; c < 3; ++c) {
            out[c] += v[l->first] * turn[c];
            out[3 + c] += v[l->first] * l->axis[c];
        }
    }
}
