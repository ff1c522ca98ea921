#include "others.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Velocities are the same when the energy of their difference is below this share of the free motion's. */
static const double SAME = 1e-12;
/* Attempts for each answer that is wanted, beside the stages themselves. */
enum { ATTEMPTS = 24 };

/* ---- energies ---- */

/* 1/2 v'M v of the dynamic bodies. */
static double energy_of(const abut_contact_problem *problem, const double *velocity)
{
    double sum = 0;
    for (int b = 0; b < problem->body_count; ++b) {
        const abut_body *body = &problem->bodies[b];
        const double *v = velocity + 6 * b, *w = v + 3, *I = body->inertia;
        if (body->kind != ABUT_DYNAMIC) continue;
        sum += body->mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        sum += I[0] * w[0] * w[0] + I[1] * w[1] * w[1] + I[2] * w[2] * w[2];
        sum += 2 * (I[3] * w[0] * w[1] + I[4] * w[0] * w[2] + I[5] * w[1] * w[2]);
    }
    return sum / 2;
}

/* The kinetic energy of the linear motion that the dynamic bodies would have after the step without contacts. Motions
 * are measured by it. */
static double usual_energy(const abut_contact_problem *problem)
{
    double sum = 0;
    for (int b = 0; b < problem->body_count; ++b) {
        const abut_body *body = &problem->bodies[b];
        for (int k = 0; k < 3 && body->kind == ABUT_DYNAMIC; ++k) {
            double speed = body->velocity[k] + problem->step * body->force[k] / body->mass;
            sum += body->mass * speed * speed / 2;
        }
    }
    return sum;
}

/* ---- what was found ---- */

static bool is_new(const others *o, const abut_contact_problem *problem, const double *velocity,
                   double *scratch)
{
    double usual = usual_energy(problem), largest = energy_of(problem, velocity);
    if (largest > usual) usual = largest;
    for (int k = 0; k < o->count; ++k) {
        for (int c = 0; c < o->numbers; ++c) scratch[c] = velocity[c] - o->answers[k].velocity[c];
        if (energy_of(problem, scratch) <= SAME * usual) return false;
    }
    return true;
}

static bool keep(others *o, const abut_contact_problem *problem, const abut_contact_result *result,
                 unsigned seed, bool started)
{
    other_answer *grown = realloc(o->answers, (size_t)(o->count + 1) * sizeof *grown);
    if (!grown) return false;
    o->answers = grown;
    double *velocity = malloc((size_t)o->numbers * sizeof *velocity);
    if (!velocity) return false;
    memcpy(velocity, result->velocity, (size_t)o->numbers * sizeof *velocity);
    o->answers[o->count++] = (other_answer){.stage = result->stage,
                                            .seed = seed,
                                            .started = started,
                                            .energy = energy_of(problem, velocity),
                                            .residual = result->residual,
                                            .velocity = velocity};
    return true;
}

/* ---- attempts ---- */

typedef struct attempt {
    const char *stage;
    unsigned seed;
    bool started; /* from states made from the seed; all new with seed 0 */
} attempt;

/* First every stage by itself, then covers and states in turn. */
static attempt attempt_number(int k)
{
    static const char *const again[] = {"faces-greedy", "faces-path", "faces-greedy", "reduced"};
    int stages = 0;
    const char *name;
    while ((name = abut_contact_stage_name(ABUT_COULOMB, ABUT_SOLVER_FACES, stages))) {
        if (stages == k) return (attempt){.stage = name};
        stages++;
    }
    k -= stages;
    if (k < 2) return (attempt){.stage = k == 0 ? "reduced" : "lemke"};
    k -= 2;
    return (attempt){.stage = again[k % 4], .seed = (unsigned)(k / 4 + 1), .started = k % 2 == 0};
}

/* A state a contact, from a counter: the same on every machine. */
static void make_states(const abut_contact_problem *problem, unsigned seed, abut_contact_face *start)
{
    for (int i = 0; i < problem->contact_count; ++i) {
        unsigned h = (seed * 0x9e3779b9u + (unsigned)i) * 0x85ebca6bu;
        h = (h ^ (h >> 15)) * 0xc2b2ae35u;
        h ^= h >> 13;
        int d = problem->contacts[i].directions ? problem->contacts[i].directions : ABUT_DIRECTIONS_DEFAULT;
        static const uint8_t states[] = {ABUT_OPEN, ABUT_SLIDE, ABUT_STICK, ABUT_STICK};
        uint8_t state = states[h % 4];
        start[i] = (abut_contact_face){.state = state,
                                       .face = state == ABUT_SLIDE ? (uint8_t)(h / 4 % (unsigned)d) : 0};
    }
}

bool others_find(const abut_contact_problem *problem, const abut_contact_options *options,
                 const abut_contact_result *result, int wanted, others *out)
{
    *out = (others){.numbers = 6 * problem->body_count};
    abut_contact_options chosen = *options;
    chosen.solver = ABUT_SOLVER_AUTO;
    chosen.alone = false;
    abut_contact_limits limits = abut_contact_limits_for(problem, &chosen);
    abut_contact_workspace *work = NULL;
    abut_contact_face *start = calloc((size_t)problem->contact_count + 1, sizeof *start);
    double *scratch = malloc((size_t)(out->numbers + 1) * sizeof *scratch);
    bool fine = start && scratch && keep(out, problem, result, options->seed, options->start) &&
                abut_contact_workspace_create(&limits, NULL, &work) == ABUT_OK;
    int attempts = 8 + ATTEMPTS * wanted;
    for (; fine && out->tried < attempts && out->count <= wanted; ++out->tried) {
        attempt a = attempt_number(out->tried);
        abut_contact_result found;
        chosen.stage = a.stage;
        chosen.seed = a.seed;
        chosen.start = a.started ? start : NULL;
        if (a.started) make_states(problem, a.seed, start);
        if (abut_contact_solve(work, problem, &chosen, &found) != ABUT_OK || found.outcome != ABUT_SOLVED)
            continue;
        if (is_new(out, problem, found.velocity, scratch))
            fine = keep(out, problem, &found, a.seed, a.started);
    }
    abut_contact_workspace_destroy(work);
    free(start);
    free(scratch);
    return fine;
}

void others_release(others *o)
{
    for (int k = 0; k < o->count; ++k) free(o->answers[k].velocity);
    free(o->answers);
    *o = (others){0};
}

void others_print(FILE *file, const others *o)
{
    fprintf(file, "\n%d other answer%s in %d attempts; kinetic energy after the step:\n", o->count - 1,
            o->count == 2 ? "" : "s", o->tried);
    for (int k = 0; k < o->count; ++k) {
        const other_answer *a = &o->answers[k];
        fprintf(file, "%3d: %12.6g J  residual %.1g  %s", k, a->energy, a->residual, a->stage);
        if (k == 0) fprintf(file, " (the answer above)");
        if (k > 0 && a->started) fprintf(file, " from states %u", a->seed);
        if (k > 0 && !a->started && a->seed > 0) fprintf(file, ", cover %u", a->seed);
        fputc('\n', file);
    }
}

void others_json(abuti_json *json, const others *o)
{
    abuti_json_integer(json, "attempts", o->tried);
    if (o->count > 0) abuti_json_number(json, "energy", o->answers[0].energy);
    abuti_json_open(json, "other_answers", '[', true);
    for (int k = 1; k < o->count; ++k) {
        const other_answer *a = &o->answers[k];
        abuti_json_open(json, NULL, '{', true);
        abuti_json_string(json, "stage", a->stage);
        abuti_json_integer(json, "seed", a->seed);
        abuti_json_bool(json, "started", a->started);
        abuti_json_number(json, "energy", a->energy);
        abuti_json_number(json, "residual", a->residual);
        abuti_json_numbers(json, "velocity", a->velocity, o->numbers);
        abuti_json_close(json, '}');
    }
    abuti_json_close(json, ']');
}
