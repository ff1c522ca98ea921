/* A problem of the first door as one of the second: each dynamic body becomes a block of six numbers, what is static
 * becomes the world, and what kinematic bodies do becomes the velocity of surfaces and targets. */
#ifndef ABUT_TEST_AS_BLOCKS_H
#define ABUT_TEST_AS_BLOCKS_H

#include "abut/contact.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct as_blocks {
    abut_contact_problem problem;
    abut_generalised generalised;
    abut_contact *contacts;
    abut_joint *joints;
    double *numbers;
    int *sizes;
    int *body; /* [block]: its body */
} as_blocks;

static inline void as_blocks_cross(const double *a, const double *b, double *out)
{
    for (int c = 0; c < 3; ++c) {
        int d = (c + 1) % 3, e = (c + 2) % 3;
        out[c] = a[d] * b[e] - a[e] * b[d];
    }
}

/* A normal, which is a unit vector to rounding, made one as the first door makes it. */
static inline void as_blocks_unit(const double *n, double *out)
{
    double e = n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - 1.0;
    for (int c = 0; c < 3; ++c) out[c] = n[c] * (1.0 - e * (0.5 - 0.375 * e));
}

static inline void as_blocks_body(const abut_body *body, double *M, double *velocity, double *force)
{
    static const int at[6] = {21, 28, 35, 22, 23, 29}, mirror[6] = {21, 28, 35, 27, 33, 34};
    for (int c = 0; c < 3; ++c) M[7 * c] = body->mass;
    for (int c = 0; c < 6; ++c) M[at[c]] = M[mirror[c]] = body->inertia[c];
    memcpy(velocity, body->velocity, sizeof body->velocity);
    memcpy(force, body->force, sizeof body->force);
}

/* One row on both bodies: it goes to *to for those that move, and its velocity on kinematic ones is returned. */
static inline double as_blocks_row(const abut_contact_problem *p, const int pair[2], double row[2][6],
                                   double **to)
{
    double given = 0.0;
    for (int side = 0; side < 2 && pair[side] >= 0; ++side) {
        const abut_body *body = &p->bodies[pair[side]];
        if (body->kind == ABUT_DYNAMIC) {
            memcpy(*to, row[side], 6 * sizeof(double));
            *to += 6;
        }
        for (int c = 0; c < 6 && body->kind == ABUT_KINEMATIC; ++c) given += row[side][c] * body->velocity[c];
    }
    return given;
}

/* The blocks of a pair of bodies, those that move first. False: none moves. */
static inline bool as_blocks_pair(const int *block, const int bodies[2], int pair[2])
{
    int a = block[bodies[0]], b = bodies[1] >= 0 ? block[bodies[1]] : -1;
    pair[0] = a >= 0 ? a : b;
    pair[1] = a >= 0 ? b : -1;
    return pair[0] >= 0;
}

/* `answers` says which tangents the first door took. Problems in which nothing moves at some contact are left out:
 * false. */
static inline bool as_blocks_make(const abut_contact_problem *p, const abut_contact_answer *answers,
                                  as_blocks *out)
{
    int n = 0, contacts = p->contact_count, *block = calloc((size_t)p->body_count, sizeof(int));
    bool good = true;
    *out = (as_blocks){.problem = *p,
                       .sizes = calloc((size_t)p->body_count, sizeof(int)),
                       .body = calloc((size_t)p->body_count, sizeof(int)),
                       .contacts = calloc((size_t)contacts + 1, sizeof(abut_contact)),
                       .joints = calloc((size_t)p->joint_count + 1, sizeof(abut_joint))};
    out->numbers = calloc(
        48 * (size_t)p->body_count + 36 * (size_t)contacts + 12 * (size_t)p->joint_count + 1, sizeof(double));
    double *mass = out->numbers, *velocity = mass + 36 * p->body_count, *force = velocity + 6 * p->body_count,
           *normals = force + 6 * p->body_count, *tangents = normals + 12 * contacts,
           *rows = tangents + 24 * contacts;
    out->generalised = (abut_generalised){.mass_matrix = mass,
                                          .velocity = velocity,
                                          .force = force,
                                          .normal_rows = normals,
                                          .tangent_rows = tangents,
                                          .joint_rows = rows,
                                          .block_sizes = out->sizes};
    for (int b = 0; b < p->body_count; ++b) {
        block[b] = p->bodies[b].kind == ABUT_DYNAMIC ? n : -1;
        if (block[b] < 0) continue;
        as_blocks_body(&p->bodies[b], mass + 36 * n, velocity + 6 * n, force + 6 * n);
        out->body[n] = b;
        out->sizes[n++] = 6;
    }
    for (int i = 0; i < contacts; ++i) {
        abut_contact *c = &out->contacts[i];
        double axis[3][3];
        *c = p->contacts[i];
        good = good && as_blocks_pair(block, p->contacts[i].bodies, c->bodies);
        as_blocks_unit(c->normal, axis[0]);
        memcpy(axis[1], answers[i].axis, sizeof axis[1]);
        as_blocks_cross(axis[0], axis[1], axis[2]);
        for (int a = 0; a < 3; ++a) {
            double row[2][6] = {{0}};
            for (int side = 0; side < 2 && p->contacts[i].bodies[side] >= 0; ++side) {
                const double *com = p->bodies[p->contacts[i].bodies[side]].com;
                bool second = side == 1 && c->two_points; /* with the roundings of the first door */
                double r[3];
                for (int k = 0; k < 3; ++k) {
                    double from = second ? com[k] + (c->point[k] - c->second_point[k]) : com[k];
                    r[k] = c->point[k] - from;
                    row[side][k] = side == 0 ? axis[a][k] : -axis[a][k];
                }
                as_blocks_cross(r, row[side], row[side] + 3);
            }
            c->surface[a] = as_blocks_row(p, p->contacts[i].bodies, row, a == 0 ? &normals : &tangents);
        }
        c->two_points = false;
    }
    for (int j = 0; j < p->joint_count; ++j) {
        abut_joint *joint = &out->joints[j];
        double row[2][6];
        *joint = p->joints[j];
        memcpy(row, joint->jacobian, sizeof row);
        good = good && as_blocks_pair(block, p->joints[j].bodies, joint->bodies);
        joint->target -= as_blocks_row(p, p->joints[j].bodies, row, &rows);
    }
    free(block);
    out->generalised.nv = 6 * n;
    out->generalised.block_count = n;
    out->problem.body_count = 0;
    out->problem.bodies = NULL;
    out->problem.contacts = out->contacts;
    out->problem.joints = out->joints;
    out->problem.generalised = &out->generalised;
    return good && n > 0;
}

static inline void as_blocks_free(as_blocks *b)
{
    free(b->contacts);
    free(b->joints);
    free(b->numbers);
    free(b->sizes);
    free(b->body);
}

/* x'M x of a block. */
static inline double as_blocks_square(const double *M, const double *x)
{
    double sum = 0.0;
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) sum += x[i] * M[6 * i + j] * x[j];
    return fmax(sum, 0.0);
}

/* How far the velocities of two answers are apart, in the unit of the residual: sqrt(m) velocity, in parts of what the
 * bodies have before the step and what their forces give them. */
static inline double as_blocks_apart(const as_blocks *b, const double *bodies, const double *blocks)
{
    const abut_generalised *g = &b->generalised;
    double most = 1e-300, off = 0.0;
    for (int k = 0; k < g->block_count; ++k) {
        const double *M = g->mass_matrix + 36 * k, *f = g->force + 6 * k;
        double apart[6], push = 0.0;
        for (int c = 0; c < 6; ++c) {
            apart[c] = bodies[6 * b->body[k] + c] - blocks[6 * k + c];
            push = fmax(push, b->problem.step * fabs(f[c]) / sqrt(M[7 * c]));
        }
        most = fmax(most, fmax(push, sqrt(as_blocks_square(M, g->velocity + 6 * k))));
        off = fmax(off, sqrt(as_blocks_square(M, apart)));
    }
    return off / most;
}

#endif
