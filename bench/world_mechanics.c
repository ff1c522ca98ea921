/* Rows of `abut bench world` that mechanics knows the answer of: rolling, pushing, energy at three steps, momentum. */
#include "world_mechanics.h"
#include "timer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define G 9.81

static const double up[3] = {0, 0, 1}, origin[3] = {0, 0, 0};

/* Files a row for a scene that has run: its times, and how far it is from what mechanics says. */
static void file(bench *b, bench_series *series, world_scene *s, const double *us, int steps, double error)
{
    for (int i = 0; i < steps; ++i) bench_add(series, us[i], i >= s->unsolved + s->failures, s->residual, 0);
    bench_row *row = bench_end(b, series);
    bench_extra(row, "step_ms", 1e3 * s->step);
    bench_extra(row, "error", error);
    bench_extra(row, "loop_m", s->loop_error);
    bench_extra(row, "rise_J", s->rise);
    world_scene_destroy(s);
}

static double *times(int steps)
{
    return malloc((size_t)steps * sizeof(double));
}

/* A ball that is thrown without spin keeps five sevenths of its speed. */
static void ball(bench *b)
{
    bench_series series = bench_begin(b, "ball-2/7", 1, "world");
    world_scene *s = world_scene_create(0.001, NULL);
    double *us = times(2000), v[6] = {2, 0, 0, 0, 0, 0};
    abut_shape shape = {.kind = ABUT_SPHERE, .radius = 0.1};
    abut_body_state end;
    world_scene_plane(s, origin, up, 0.3);
    abut_body_id id = world_scene_add(s, &shape, (double[3]){0, 0, 0.1}, NULL, 1000, 0);
    abut_world_set_velocities(s->world, v);
    world_scene_run(s, 2000, us);
    abut_body_get_state(s->world, id, &end);
    file(b, &series, s, us, 2000, fabs(end.velocity[0] / (2 * 5.0 / 7) - 1));
    free(us);
}

/* Whether a box of 8 kg on friction 0.5 moves when it is pushed. */
static bool moves(double force, double angle, double *us)
{
    abut_world_def def = abut_world_default_def();
    def.directions = 32;
    world_scene *s = world_scene_create_from(&def);
    double push[3] = {force * cos(angle), force * sin(angle), 0};
    abut_body_state now;
    world_scene_plane(s, origin, up, 0.5);
    abut_body_id box = world_scene_box(s, 0.1, 0.1, 0.1, 0, 0, 0.1, 1000, 0.5);
    abut_body_apply_force(s->world, box, push, NULL, NULL);
    world_scene_run(s, 1, us);
    abut_body_get_state(s->world, box, &now);
    world_scene_destroy(s);
    return fabs(now.velocity[0]) + fabs(now.velocity[1]) > 1e-9;
}

static double starting_force(double angle, double *us)
{
    double low = 0, high = 100;
    for (int i = 0; i < 22; ++i) {
        double force = 0.5 * (low + high);
        if (moves(force, angle, us + i))
            high = force;
        else
            low = force;
    }
    return high;
}

/* A diagonal push and an axial one start at the same force. */
static void push(bench *b)
{
    bench_series series = bench_begin(b, "push-diagonal", 1, "world");
    double us[44], axial = starting_force(0, us), diagonal = starting_force(0.78539816339744831, us + 22);
    for (int i = 0; i < 44; ++i) bench_add(&series, us[i], true, 0, 0);
    bench_extra(bench_end(b, &series), "error", fabs(diagonal / axial - 1));
}

/* ---- energy ---- */

static abut_body_id link(world_scene *s, abut_body_id parent, double x, double z, double length)
{
    abut_body_def body = abut_body_default_def();
    abut_joint_def hinge = abut_joint_default_def(ABUT_JOINT_HINGE);
    abut_body_id id = {0};
    body.parent = parent;
    body.position[0] = x;
    body.position[2] = z;
    body.mass = length;
    body.com[0] = 0.5 * length;
    for (int k = 0; k < 3; ++k) body.inertia[k] = length * length * length / 12;
    memcpy(hinge.axis, (double[3]){0, 1, 0}, sizeof hinge.axis);
    bool fine = abut_world_add_body(s->world, &body, &id, NULL) == ABUT_OK &&
                abut_world_add_joint(s->world, id, &hinge, NULL, NULL) == ABUT_OK;
    if (!fine) s->failures++;
    return id;
}

static void double_pendulum(world_scene *s)
{
    link(s, link(s, (abut_body_id){0}, 0, 5, 1), 1, 0, 1);
}

/* Crank and coupler in a line, rocker down to the ground: a loop of four bars. */
static void four_bar(world_scene *s)
{
    abut_body_id crank = link(s, (abut_body_id){0}, 0, 5, 0.5), coupler = link(s, crank, 0.5, 0, 1);
    abut_body_id rocker = link(s, (abut_body_id){0}, 1, 5, 0.5);
    abut_loop_def loop = abut_loop_default_def(ABUT_LOOP_CONNECT);
    loop.bodies[0] = coupler;
    loop.bodies[1] = rocker;
    loop.points[0][0] = 1;
    loop.points[1][0] = 0.5;
    if (abut_world_add_loop(s->world, &loop, NULL, NULL) != ABUT_OK) s->failures++;
}

static void chain_of_50(world_scene *s)
{
    if (!world_scene_fill(s, "chain", 50, 0)) s->failures++;
}

/* The energy after a second against that at the beginning, in parts of the largest kinetic energy in between. */
static void energy(bench *b, const char *name, int size, double step, void (*build)(world_scene *))
{
    bench_series series = bench_begin(b, name, size, "world");
    world_scene *s = world_scene_create(step, NULL);
    int steps = (int)lround(1 / step);
    double *us = times(steps), first = 0, most = 0, last = 0;
    build(s);
    for (int i = 0; i < steps; ++i) {
        abut_step_report report = {0};
        double start = bench_now_us();
        if (abut_world_step(s->world, &report) != ABUT_OK) s->failures++;
        us[i] = bench_now_us() - start;
        last = report.kinetic + report.potential;
        if (i == 0) first = last;
        most = fmax(most, report.kinetic);
        s->residual = fmax(s->residual, report.residual);
        s->loop_error = fmax(s->loop_error, report.loop_error);
        s->unsolved += report.unsolved;
    }
    file(b, &series, s, us, steps, fabs(last - first) / most);
    free(us);
}

/* ---- momentum ---- */

/* Linear and angular momentum (about the origin) of all bodies, and their kinetic energy. */
static void momentum(const world_scene *s, double p[6], double *kinetic)
{
    memset(p, 0, 6 * sizeof *p);
    *kinetic = 0;
    for (int i = 0; i < s->count; ++i) {
        abut_body_state a;
        abut_body_get_state(s->world, s->bodies[i], &a);
        const double *I = a.inertia, *v = a.velocity, *w = v + 3, *c = a.com;
        double L[3] = {I[0] * w[0] + I[3] * w[1] + I[4] * w[2], I[3] * w[0] + I[1] * w[1] + I[5] * w[2],
                       I[4] * w[0] + I[5] * w[1] + I[2] * w[2]};
        for (int k = 0; k < 3; ++k) {
            int m = (k + 1) % 3, n = (k + 2) % 3;
            p[k] += a.mass * v[k];
            p[3 + k] += L[k] + a.mass * (c[m] * v[n] - c[n] * v[m]);
            *kinetic += 0.5 * (a.mass * v[k] * v[k] + L[k] * w[k]);
        }
    }
}

static double change(const double before[6], const double after[6])
{
    double worst = 0, size = 0;
    for (int k = 0; k < 6; ++k) {
        worst = fmax(worst, fabs(after[k] - before[k]));
        size = fmax(size, fabs(before[k]));
    }
    return worst / size;
}

/* A brick that turns about its middle axis for a minute (Dzhanibekov): energy, or momentum. */
static void brick(bench *b, bool of_energy)
{
    static const double none[3];
    bench_series series = bench_begin(b, of_energy ? "brick-energy" : "brick-momentum", 1, "world");
    world_scene *s = world_scene_create(1e-3, none);
    double *us = times(60000), v[6] = {0, 0, 0, 0.01, 5, 0.02}, before[6], after[6], first, last;
    world_scene_box(s, 0.05, 0.1, 0.2, 0, 0, 0, 1000, 0);
    abut_world_set_velocities(s->world, v);
    momentum(s, before, &first);
    world_scene_run(s, 60000, us);
    momentum(s, after, &last);
    file(b, &series, s, us, 60000, of_energy ? fabs(last / first - 1) : change(before, after));
    free(us);
}

/* Two boxes meet off centre in empty space. */
static void collision(bench *b)
{
    static const double none[3];
    bench_series series = bench_begin(b, "collision-momentum", 2, "world");
    world_scene *s = world_scene_create(1e-3, none);
    double *us = times(1000), v[12] = {2, 0.1, 0, 0.5, 0.2, 0, -1, 0, 0.2, 0, 0, 1}, before[6], after[6],
           energies[2];
    world_scene_box(s, 0.1, 0.2, 0.15, -0.5, 0.05, 0, 1000, 0.4);
    world_scene_box(s, 0.2, 0.1, 0.1, 0.5, 0, 0.05, 3000, 0.4);
    abut_world_set_velocities(s->world, v);
    momentum(s, before, &energies[0]);
    world_scene_run(s, 1000, us);
    momentum(s, after, &energies[1]);
    file(b, &series, s, us, 1000, change(before, after));
    free(us);
}

void bench_world_mechanics(bench *b)
{
    static const double steps[3] = {4e-3, 2e-3, 1e-3};
    ball(b);
    push(b);
    for (int i = 0; i < 3; ++i) energy(b, "double-pendulum", 2, steps[i], double_pendulum);
    for (int i = 0; i < 3; ++i) energy(b, "four-bar", 3, steps[i], four_bar);
    for (int i = 0; i < 3; ++i) energy(b, "chain-energy", 50, steps[i], chain_of_50);
    brick(b, true);
    brick(b, false);
    collision(b);
    bench_note(b, "error: against mechanics; of the speed of the ball (2/7), of the force that starts a "
                  "diagonal push (below "
                  "0.005), of energy after 1 s at three steps (first order), of energy (1e-6) and momentum "
                  "(1e-12) of a "
                  "brick after 60 s, of momentum through a collision (1e-12)");
}
