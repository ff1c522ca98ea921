/* What the examples that simulate share: bodies with poses, a step through abut_contact_solve, and the recording of it.
 *
 *     loop l = {.title = ..., .step = 0.002, .body_count = 1, ...};
 *     if (!loop_begin(&l, path)) return 1;
 *     while (l.time < 3) {
 *         loop_clear(&l);                               no forces but weight, no contacts, no joint rows
 *         ... add forces to l.bodies[i].force, contacts to l.contacts, rows to l.rows ...
 *         if (!loop_step(&l)) return 1;                 solves, moves, records
 *     }
 *     return loop_end(&l);
 */
#ifndef RECORD_LOOP_H
#define RECORD_LOOP_H

#include <abut/contact.h>
#include <abut/record.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { LOOP_BODIES = 8, LOOP_CONTACTS = 64, LOOP_ROWS = 16, LOOP_SHAPES = 16 };

typedef struct loop {
    /* Given at the beginning. */
    const char *title, *caption;
    abut_contact_model model;
    double step, gravity;
    int body_count, shape_count;
    abut_record_body named[LOOP_BODIES]; /* names and masses */
    abut_record_shape shapes[LOOP_SHAPES];
    double moments[LOOP_BODIES][3]; /* kg m^2: about the body's own axes, which are principal */
    /* The state. */
    double time;
    abut_record_pose poses[LOOP_BODIES];
    /* The next step. */
    abut_body bodies[LOOP_BODIES]; /* velocity stays; mass, inertia, com and weight are set by loop_clear */
    int contact_count, row_count;
    abut_contact contacts[LOOP_CONTACTS];
    abut_joint rows[LOOP_ROWS];
    /* Inside. */
    FILE *file;
    abut_record_writer *writer;
    abut_contact_workspace *work;
    double worst;
    int steps;
} loop;

/* ---- rotations ---- */

static inline void loop_matrix(const double q[4], double m[3][3])
{
    double w = q[0], x = q[1], y = q[2], z = q[3];
    const double rows[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                               {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                               {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    memcpy(m, rows, sizeof rows);
}

/* A point of a body in the world. */
static inline void loop_point(const abut_record_pose *pose, const double local[3], double world[3])
{
    double m[3][3];
    loop_matrix(pose->orientation, m);
    for (int i = 0; i < 3; i++)
        world[i] = pose->position[i] + m[i][0] * local[0] + m[i][1] * local[1] + m[i][2] * local[2];
}

static inline void loop_turn(double q[4], const double omega[3], double step)
{
    double speed = sqrt(omega[0] * omega[0] + omega[1] * omega[1] + omega[2] * omega[2]),
           half = speed * step / 2;
    double s = speed > 0 ? sin(half) / speed : 0, c = cos(half), length = 0;
    double x = s * omega[0], y = s * omega[1], z = s * omega[2];
    double turned[4] = {c * q[0] - x * q[1] - y * q[2] - z * q[3], c * q[1] + x * q[0] + y * q[3] - z * q[2],
                        c * q[2] - x * q[3] + y * q[0] + z * q[1], c * q[3] + x * q[2] - y * q[1] + z * q[0]};
    for (int k = 0; k < 4; k++) length += turned[k] * turned[k];
    for (int k = 0; k < 4; k++) q[k] = turned[k] / sqrt(length);
}

/* ---- energies ---- */

static inline double loop_kinetic(const loop *l)
{
    double sum = 0;
    for (int i = 0; i < l->body_count; i++) {
        const abut_body *b = &l->bodies[i];
        const double *v = b->velocity, *w = v + 3, *j = b->inertia;
        if (b->kind != ABUT_DYNAMIC) continue;
        sum += 0.5 * b->mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        sum += 0.5 * (j[0] * w[0] * w[0] + j[1] * w[1] * w[1] + j[2] * w[2] * w[2]) + j[3] * w[0] * w[1] +
               j[4] * w[0] * w[2] + j[5] * w[1] * w[2];
    }
    return sum;
}

static inline double loop_potential(const loop *l)
{
    double sum = 0;
    for (int i = 0; i < l->body_count; i++)
        if (l->bodies[i].kind == ABUT_DYNAMIC) sum += l->named[i].mass * l->gravity * l->poses[i].position[2];
    return sum;
}

/* ---- the loop ---- */

static inline bool loop_write(void *file, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, file) == size;
}

static inline bool loop_begin(loop *l, const char *path)
{
    abut_contact_limits limits = {.bodies = LOOP_BODIES, .contacts = LOOP_CONTACTS, .joints = LOOP_ROWS};
    abut_record_scene scene = {.title = l->title,
                               .caption = l->caption,
                               .model = abut_contact_model_name(l->model),
                               .solver = "auto",
                               .step = l->step,
                               .gravity = {0, 0, -l->gravity},
                               .body_count = l->body_count,
                               .shape_count = l->shape_count,
                               .bodies = l->named,
                               .shapes = l->shapes};
    abut_error error = {""};
    l->file = fopen(path, "wb");
    abut_record_sink sink = {.write = loop_write, .context = l->file};
    if (l->file == NULL) {
        perror(path);
        return false;
    }
    bool fine =
        abut_record_writer_create(&scene, &sink, LOOP_CONTACTS, NULL, &l->writer, &error) == ABUT_OK &&
        abut_contact_workspace_create(&limits, NULL, &l->work) == ABUT_OK;
    if (!fine) fprintf(stderr, "%s: %s\n", path, error.text);
    return fine;
}

/* Mass, inertia in world axes, weight and gyroscopic torque of each body as it stands now. */
static inline void loop_clear(loop *l)
{
    l->contact_count = l->row_count = 0;
    for (int i = 0; i < l->body_count; i++) {
        abut_body *b = &l->bodies[i];
        double m[3][3], world[3][3] = {{0}};
        const double *w = b->velocity + 3;
        loop_matrix(l->poses[i].orientation, m);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                for (int k = 0; k < 3; k++) world[r][c] += m[r][k] * l->moments[i][k] * m[c][k];
        b->mass = l->named[i].mass;
        memcpy(b->inertia,
               (double[6]){world[0][0], world[1][1], world[2][2], world[0][1], world[0][2], world[1][2]},
               sizeof b->inertia);
        memcpy(b->com, l->poses[i].position, sizeof b->com);
        double spin[3];
        for (int r = 0; r < 3; r++) spin[r] = world[r][0] * w[0] + world[r][1] * w[1] + world[r][2] * w[2];
        memcpy(b->force,
               (double[6]){0, 0, -b->mass * l->gravity, spin[1] * w[2] - spin[2] * w[1],
                           spin[2] * w[0] - spin[0] * w[2], spin[0] * w[1] - spin[1] * w[0]},
               sizeof b->force);
    }
}

/* One step into the recording: where everything is now, and the contacts that brought it here. */
static inline bool loop_record(loop *l, const abut_contact_result *result, double microseconds)
{
    abut_record_contact contacts[LOOP_CONTACTS];
    for (int i = 0; i < l->contact_count; i++) {
        const abut_contact *c = &l->contacts[i];
        const abut_contact_answer *a = &result->contacts[i];
        contacts[i] = (abut_record_contact){.bodies = {c->bodies[0], c->bodies[1]},
                                            .impulse = {a->normal, a->tangent[0], a->tangent[1]},
                                            .friction = c->friction,
                                            .directions = ABUT_DIRECTIONS_DEFAULT,
                                            .state = (abut_record_contact_state)a->state,
                                            .gap = c->gap};
        memcpy(contacts[i].point, c->point, sizeof c->point);
        memcpy(contacts[i].normal, c->normal, sizeof c->normal);
        memcpy(contacts[i].tangent, a->axis, sizeof a->axis);
    }
    abut_record_step step = {.time = l->time,
                             .outcome = result->outcome,
                             .stage = result->stage,
                             .pivots = result->pivots,
                             .islands = result->islands,
                             .residual = result->residual,
                             .microseconds = microseconds,
                             .kinetic = loop_kinetic(l),
                             .potential = loop_potential(l),
                             .poses = l->poses,
                             .contact_count = l->contact_count,
                             .contacts = contacts};
    abut_error error;
    if (abut_record_writer_add(l->writer, &step, &error) == ABUT_OK) return true;
    fprintf(stderr, "%s\n", error.text);
    return false;
}

static inline double loop_clock(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

/* Solves for the velocities after the step, moves the bodies by them, records. */
static inline bool loop_step(loop *l)
{
    abut_contact_problem problem = {.model = l->model,
                                    .step = l->step,
                                    .body_count = l->body_count,
                                    .bodies = l->bodies,
                                    .contact_count = l->contact_count,
                                    .contacts = l->contacts,
                                    .joint_count = l->row_count,
                                    .joints = l->rows};
    abut_contact_options options = abut_contact_default_options();
    abut_contact_result result;
    double start = loop_clock();
    abut_status status = abut_contact_solve(l->work, &problem, &options, &result);
    double end = loop_clock();
    if (status != ABUT_OK || result.outcome != ABUT_SOLVED) {
        abut_error why = {""};
        abut_contact_validate(&problem, &why);
        fprintf(stderr, "%.3f s: %s %s\n", l->time,
                status != ABUT_OK ? abut_status_text(status) : abut_outcome_name(result.outcome), why.text);
        return false;
    }
    for (int i = 0; i < l->body_count; i++) {
        abut_body *b = &l->bodies[i];
        memcpy(b->velocity, result.velocity + 6 * i, sizeof b->velocity);
        for (int k = 0; k < 3; k++) l->poses[i].position[k] += l->step * b->velocity[k];
        loop_turn(l->poses[i].orientation, b->velocity + 3, l->step);
    }
    l->time += l->step;
    l->steps++;
    l->worst = fmax(l->worst, result.residual);
    return loop_record(l, &result, end > start ? end - start : 0);
}

static inline int loop_end(loop *l)
{
    bool fine = abut_record_writer_finish(l->writer) == ABUT_OK;
    abut_record_writer_destroy(l->writer);
    abut_contact_workspace_destroy(l->work);
    fine = fclose(l->file) == 0 && fine;
    printf("%d steps recorded, every one solved, residual at most %.0e\n", l->steps, l->worst);
    return fine ? 0 : 1;
}

/* ---- contacts ---- */

/* A contact, when it is near enough to matter in this step. */
static inline void loop_contact(loop *l, int a, int b, const double point[3], const double normal[3],
                                double gap, double friction)
{
    if (gap > 0.01 || l->contact_count == LOOP_CONTACTS) return;
    abut_contact *c = &l->contacts[l->contact_count++];
    *c = (abut_contact){.bodies = {a, b}, .friction = friction, .gap = gap};
    memcpy(c->point, point, sizeof c->point);
    memcpy(c->normal, normal, sizeof c->normal);
}

/* The corners of a box against the plane through `origin`. */
static inline void loop_box_on_plane(loop *l, int body, const double half[3], const double origin[3],
                                     const double normal[3], double friction)
{
    for (int i = 0; i < 8; i++) {
        double corner[3] = {i & 1 ? half[0] : -half[0], i & 2 ? half[1] : -half[1],
                            i & 4 ? half[2] : -half[2]};
        double point[3], gap = 0;
        loop_point(&l->poses[body], corner, point);
        for (int k = 0; k < 3; k++) gap += normal[k] * (point[k] - origin[k]);
        loop_contact(l, body, ABUT_WORLD, point, normal, gap, friction);
    }
}

static inline void loop_box_moments(double mass, const double half[3], double moments[3])
{
    for (int k = 0; k < 3; k++) {
        double a = half[(k + 1) % 3], b = half[(k + 2) % 3];
        moments[k] = mass * (a * a + b * b) / 3;
    }
}

#endif
