/* A recording in memory, a scene with every kind of shape and joint, and steps made up by a formula. */
#ifndef ABUT_TEST_RECORD_CASE_H
#define ABUT_TEST_RECORD_CASE_H

#include "abut/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A sink that grows, and that fails after `room` bytes when room > 0. */
typedef struct memory {
    unsigned char *bytes;
    size_t used, capacity, room;
} memory;

static inline bool memory_write(void *context, const void *bytes, size_t size)
{
    memory *m = context;
    if (m->room > 0 && m->used + size > m->room) return false;
    if (m->used + size > m->capacity) {
        m->capacity = 2 * (m->used + size);
        m->bytes = realloc(m->bytes, m->capacity);
        if (!m->bytes) abort();
    }
    memcpy(m->bytes + m->used, bytes, size);
    m->used += size;
    return true;
}

enum { CASE_BODIES = 3, CASE_SHAPES = 10, CASE_JOINTS = 2, CASE_CONTACTS = 5, CASE_STEPS = 12 };

typedef struct record_case {
    abut_record_body bodies[CASE_BODIES];
    abut_record_shape shapes[CASE_SHAPES];
    abut_record_joint joints[CASE_JOINTS];
    abut_record_scene scene;
    abut_record_pose poses[CASE_BODIES];
    abut_record_contact contacts[CASE_CONTACTS];
    abut_record_joint_state states[CASE_JOINTS];
    abut_record_step step;
} record_case;

static inline void record_case_scene(record_case *c)
{
    static const float vertices[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const int triangles[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    static const float heights[6] = {0, 0.5f, 0, 0.25f, 0, -0.5f};
    memset(c, 0, sizeof *c);
    for (int i = 0; i < CASE_BODIES; ++i)
        c->bodies[i] = (abut_record_body){.name = i == 0 ? "first" : "K\xc3\xb6rper", .mass = i};
    for (int i = 0; i < CASE_SHAPES; ++i) {
        abut_record_shape *s = &c->shapes[i];
        *s = (abut_record_shape){.body = i % (CASE_BODIES + 1) - 1,
                                 .kind = (abut_record_shape_kind)(i % ABUT_RECORD_SHAPE_KINDS),
                                 .size = {0.5, 1 + i, 0.25},
                                 .position = {i, 0, -1},
                                 .orientation = {1, 0, 0, 0},
                                 .colour = {0.5f, 0.25f, 1, 1},
                                 .name = i == 4 ? NULL : "shape"};
        if (s->kind == ABUT_RECORD_CONVEX || s->kind == ABUT_RECORD_MESH) {
            s->vertex_count = 4, s->vertices = vertices;
            if (s->kind == ABUT_RECORD_MESH) s->triangle_count = 4, s->triangles = triangles;
        }
        if (s->kind == ABUT_RECORD_HEIGHTFIELD) s->rows = 2, s->columns = 3, s->heights = heights;
    }
    for (int i = 0; i < CASE_JOINTS; ++i)
        c->joints[i] = (abut_record_joint){.bodies = {i, ABUT_RECORD_WORLD},
                                           .kind = (abut_record_joint_kind)(i + 1),
                                           .anchor = {0, i, 0},
                                           .axis = {0, 0, 1},
                                           .name = "joint"};
    c->scene = (abut_record_scene){.title = "A title",
                                   .caption = "What to see.",
                                   .model = "coulomb",
                                   .solver = "auto",
                                   .step = 0.01,
                                   .gravity = {0, 0, -9.81},
                                   .body_count = CASE_BODIES,
                                   .shape_count = CASE_SHAPES,
                                   .joint_count = CASE_JOINTS,
                                   .bodies = c->bodies,
                                   .shapes = c->shapes,
                                   .joints = c->joints};
}

/* Step k: bodies that fall and turn, contacts that come and go, all states, both signs of everything. */
static inline void record_case_step(record_case *c, int k)
{
    static const char *const stages[] = {"faces-check", "faces-path", NULL};
    double t = 0.01 * k;
    for (int i = 0; i < CASE_BODIES; ++i) {
        double angle = 3 * t + i;
        c->poses[i] = (abut_record_pose){.position = {0.1 * i, t, 1 - 4.9 * t * t},
                                         .orientation = {cos(angle / 2), 0, 0, sin(angle / 2)}};
    }
    for (int i = 0; i < CASE_CONTACTS; ++i) {
        double a = 0.7 * i + 0.1 * k, n[3] = {cos(a) * 0.6, sin(a) * 0.6, i & 1 ? 0.8 : -0.8};
        c->contacts[i] = (abut_record_contact){.bodies = {i % CASE_BODIES, i & 1 ? ABUT_RECORD_WORLD : 0},
                                               .point = {i, t * t, -0.125},
                                               .tangent = {-sin(a), cos(a), 0},
                                               .impulse = {1.5 + i + t, -0.25 * i, i == 3 ? 1e-17 : 0.125},
                                               .friction = 0.5,
                                               .directions = i == 4 ? 0 : 8,
                                               .state = (abut_record_contact_state)((i + k) % 4),
                                               .gap = i & 1 ? -1e-5 : 3e-6};
        memcpy(c->contacts[i].normal, n, sizeof n);
    }
    for (int i = 0; i < CASE_JOINTS; ++i)
        c->states[i] = (abut_record_joint_state){.position = -0.5 * t, .impulse = 2 + i};
    c->step = (abut_record_step){.time = t,
                                 .outcome = k == 5 ? ABUT_LIMIT : ABUT_SOLVED,
                                 .stage = stages[k % 3],
                                 .pivots = 3 * k,
                                 .islands = 1,
                                 .residual = k == 5 ? INFINITY : 1e-15 * k,
                                 .microseconds = 1.25 + k,
                                 .kinetic = 0.5 * k,
                                 .potential = k == 2 ? NAN : -3.0 * k,
                                 .poses = c->poses,
                                 .contact_count = 1 + (k * 3) % CASE_CONTACTS,
                                 .contacts = c->contacts,
                                 .joints = k & 1 ? c->states : NULL};
}

/* All of it, with the end mark; bytes to be freed. */
static inline memory record_case_write(record_case *c)
{
    memory m = {0};
    abut_record_sink sink = {.write = memory_write, .context = &m};
    abut_record_writer *writer = NULL;
    record_case_scene(c);
    if (abut_record_writer_create(&c->scene, &sink, CASE_CONTACTS, NULL, &writer, NULL) != ABUT_OK) abort();
    for (int k = 0; k < CASE_STEPS; ++k) {
        record_case_step(c, k);
        if (abut_record_writer_add(writer, &c->step, NULL) != ABUT_OK) abort();
    }
    if (abut_record_writer_finish(writer) != ABUT_OK) abort();
    abut_record_writer_destroy(writer);
    return m;
}

#endif
