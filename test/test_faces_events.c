/* What holds after every event of the path, of flips on a tableau and of the homotopy, and what each
 * operation on the slots leaves alone (faces.h, faces/inverse.inl, faces/tableau.inl).
 *
 * The solver's own steps are compiled into this program, and the path is walked here, one event at a time. */
#define FACES_VARIANT abuti_faces_here
#include "contact/faces/core.inl"

#include "check.h"
#include "contact/build/build.h"
#include "contact_families.h"
#include <limits.h>

enum { BODIES = 16, CONTACTS = 160, DIRECTIONS = 64 };

typedef struct bed {
    abuti_islands islands;
    abuti_build build;
    faces *f;
    void *memory;
    contact_case *c;
} bed;

static bed b;

static void lay_out(abuti_arena *arena)
{
    abut_contact_limits limits = {
        .bodies = BODIES, .contacts = CONTACTS, .joints = 8, .directions = DIRECTIONS};
    abuti_islands_layout(&b.islands, arena, &limits);
    abuti_build_layout(&b.build, arena, &limits);
    b.f = abuti_faces_family.layout(arena, &limits);
}

static bool make(const char *family, int size, uint64_t seed, int i)
{
    bench_random random = bench_random_stream(seed, (uint64_t)i);
    if (!contact_family_make(contact_family_find(family), size, &random, b.c)) return false;
    abuti_islands_find(&b.islands, &b.c->problem);
    return b.islands.count == 1 &&
           abuti_build_bodies(&b.build, &b.c->problem, &b.islands, b.islands.island) == ABUT_OK;
}

/* max |B R'C - I| over the slots in use */
static double inverse_error(const faces *f)
{
    double worst = 0.0;
    for (int i = 0; i < f->slots.top; ++i) {
        for (int j = 0; j < f->slots.top; ++j) {
            if (f->slots.contact[i] == FACES_NONE || f->slots.contact[j] == FACES_NONE) continue;
            double sum = i == j ? -1.0 : 0.0;
            for (int k = 0; k < f->slots.top; ++k) {
                if (f->slots.contact[k] == FACES_NONE) continue;
                sum += f->inverse.B[(size_t)i * (size_t)f->inverse.ld + (size_t)k] *
                       f->door->product(f, slot_row(f, k), slot_at(f, k), slot_column(f, j), slot_at(f, j));
            }
            worst = fmax(worst, fabs(sum));
            double turned = f->inverse.B[(size_t)i * (size_t)f->inverse.ld + (size_t)j] -
                            f->inverse.BT[(size_t)j * (size_t)f->inverse.ld + (size_t)i];
            worst = fmax(worst, fabs(turned));
        }
    }
    return worst;
}

/* max |R'v + base| and max |v - k - C x| in both parts */
static double state_error(faces *f)
{
    static double kept[2 * 8 * (BODIES + 1)];
    double worst = 0.0;
    for (int part = 0; part < 2; ++part) {
        worst = fmax(worst, f->basis->errors(f, part));
        memcpy(kept, f->v[part], (size_t)f->space * sizeof(double));
        f->basis->move(f, part);
        for (int c = 0; c < f->space; ++c) worst = fmax(worst, fabs(kept[c] - f->v[part][c]));
        memcpy(f->v[part], kept, (size_t)f->space * sizeof(double));
    }
    return worst;
}

static double largest_entry(const faces *f)
{
    double most = 1.0;
    for (int s = 0; s < f->slots.top; ++s)
        most = fmax(most,
                    largest_of(f->inverse.B + (size_t)s * (size_t)f->inverse.ld, abuti_padded(f->slots.top)));
    return most;
}

/* The least slack at t, of all contacts. */
static double least_slack(faces *f, double t)
{
    double least = INFINITY;
    f->basis->spread(f, 2);
    for (int i = 0; i < f->system->n; ++i) {
        int seat = f->seats.of[i];
        if (f->state[i] == ABUT_OPEN) {
            least = fmin(least, f->un[0][i] + t * f->un[1][i]);
        } else if (f->state[i] == ABUT_STICK) {
            const faces_polygon *p = &f->polygon[f->system->directions[i]];
            stuck s0 = stuck_friction(f, i, seat, 0), s1 = stuck_friction(f, i, seat, 1);
            for (int l = 0; l < f->system->directions[i]; ++l)
                least = fmin(least, s0.radius + t * s1.radius - p->ax[l] * (s0.x + t * s1.x) -
                                        p->ay[l] * (s0.y + t * s1.y));
        } else {
            for (int q = 0; q < 3; ++q) {
                double at[2];
                for (int part = 0; part < 2; ++part)
                    at[part] = f->slack.weight[q][0][seat] * f->value[part][0][seat] +
                               f->slack.weight[q][1][seat] * f->value[part][1][seat] +
                               f->slack.weight[q][2][seat] * f->ut[part][0][seat] +
                               f->slack.weight[q][3][seat] * f->ut[part][1][seat];
                least = fmin(least, at[0] + t * at[1]);
            }
        }
    }
    return least;
}

static long seen[FACES_HOLD_A + 1];
static long verticals;

/* Walks the path of the problem at hand and looks after each event. */
static void walk_path(const char *family, int number)
{
    faces *f = b.f;
    CHECK(begin(f, &b.build.system));
    choose_cover(f, 0);
    CHECK(start_basis(f, inverse_for(f->system), 2, NULL));
    f->basis->spread(f, 2);
    double t = 0.0, sense = -1.0,
           scale = 1.0; /* the worst inverse so far: what rounding has been multiplied by */
    for (int i = 0; i < f->system->n; ++i) t = fmax(t, -f->un[0][i] / f->un[1][i]);
    if (t <= f->zero) return;
    for (int events = 0; events < 2000; ++events) {
        faces_event event;
        CHECK(next_event(f, t, sense, &event));
        if (sense < 0.0 && !(event.found && event.step < t)) return;
        if (!event.found) return;
        t += sense * event.step;
        CHECK_MSG(least_slack(f, t) >= -1e-9 * scale, "%s %d event %d: %g", family, number, events,
                  least_slack(f, t));
        seen[event.change]++;
        CHECK(event_apply(f, &event, t, false));
        if (!f->regular) {
            verticals++;
            if (vertical(f, &event, t) != PATH_DONE) return;
        }
        scale = fmax(scale, largest_entry(f));
        CHECK_MSG(inverse_error(f) <= 1e-12 * scale * scale, "%s %d event %d: B A - I %g", family, number,
                  events, inverse_error(f));
        CHECK_MSG(state_error(f) <= 1e-12 * scale * scale, "%s %d event %d: %g", family, number, events,
                  state_error(f));
        CHECK(f->slots.used <= f->system->bodies * f->system->dim);
        double drive = drive_rate(f, &event);
        if (!(fabs(drive) > FACES_STALL)) return;
        sense = drive > 0.0 ? 1.0 : -1.0;
    }
}

static void test_path_invariants(void)
{
    static const struct {
        const char *family;
        int size, count;
    } runs[] = {{"pegs", 16, 30},    {"jittered", 16, 30},      {"stacks", 9, 10},
                {"gaps", 8, 30},     {"directions", 9, 30},     {"belts", 2, 20},
                {"friction", 9, 30}, {"symmetric-pegs", 8, 10}, {"towers", 6, 4}};
    uint64_t seed = check_seed(21);
    for (size_t r = 0; r < sizeof runs / sizeof *runs; ++r) {
        for (int i = 0; i < runs[r].count; ++i) {
            if (make(runs[r].family, runs[r].size, seed, i)) walk_path(runs[r].family, i);
        }
    }
    for (int change = FACES_CLOSE; change <= FACES_LOOSEN; ++change)
        CHECK_MSG(seen[change] > 0, "change %d never happened", change);
    CHECK(verticals > 0);
}

/* A basis somewhere on the way: greedy flips, stopped early. */
static bool some_basis(const char *family, int size, uint64_t seed, int i, int flips_wanted)
{
    abuti_stage_context context = {.pivots_left = INT_MAX, .deadline = INFINITY};
    faces *f = b.f;
    if (!make(family, size, seed, i) || !begin(f, &b.build.system) ||
        !start_basis(f, inverse_for(f->system), 2, NULL))
        return false;
    flip(f, flips_wanted, &context);
    return f->regular && f->slots.used > 0;
}

/* A contact that is open, closed and opened again leaves everything as it was. */
static void test_add_and_delete(void)
{
    static double B[4096], v[64], x[64];
    uint64_t seed = check_seed(22);
    faces *f = b.f;
    int tried = 0;
    for (int i = 0; i < 60; ++i) {
        if (!some_basis(i % 2 ? "pegs" : "stacks", i % 2 ? 16 : 3, seed, i, 2)) continue;
        size_t size = (size_t)f->slots.top * (size_t)f->inverse.ld;
        int top = f->slots.top;
        if (size > 4096 || f->space > 64) continue;
        memcpy(B, f->inverse.B, size * sizeof *B);
        memcpy(v, f->v[0], (size_t)f->space * sizeof *v);
        memcpy(x, f->x[0], (size_t)top * sizeof *x);
        for (int contact = 0; contact < f->system->n; ++contact) {
            if (f->state[contact] != ABUT_OPEN) continue;
            CHECK(close_contact(f, contact, 0.0, false));
            if (!f->regular) return;
            lift_contact(f, contact);
            CHECK_EQ_INT(f->slots.top, top);
            for (size_t k = 0; k < size; ++k) CHECK_NEAR(f->inverse.B[k], B[k], 1e-9);
            for (int k = 0; k < f->space; ++k) CHECK_NEAR(f->v[0][k], v[k], 1e-11);
            for (int k = 0; k < top; ++k) CHECK_NEAR(f->x[0][k], x[k], 1e-10);
            tried++;
            break;
        }
    }
    CHECK(tried >= 20);
}

/* COL and ROT turn coordinates: v stays, B stays the inverse. */
static void test_shear_and_rotation(void)
{
    static double v[64];
    uint64_t seed = check_seed(23);
    faces *f = b.f;
    int turned = 0;
    for (int i = 0; i < 80; ++i) {
        if (!some_basis(i % 2 ? "single" : "stacks", i % 2 ? 7 : 3, seed, i, 20)) continue;
        for (int k = 0; k < f->seats.active_count; ++k) {
            int seat = f->seats.of[f->seats.active[k]], th = f->seats.slot[0][seat],
                e = f->seats.slot[1][seat], a = f->seats.slot[2][seat];
            if (e == FACES_NONE) continue;
            memcpy(v, f->v[0], (size_t)f->space * sizeof *v);
            f->basis->shear(f, th, e, 0.3);
            if (a != FACES_NONE) f->basis->rotate(f, e, a, 0.8, 0.6);
            turned += a != FACES_NONE;
            f->basis->move(f, 0);
            for (int c = 0; c < f->space; ++c) CHECK_NEAR(f->v[0][c], v[c], 1e-12);
            CHECK(inverse_error(f) <= 1e-9 * largest_entry(f));
        }
    }
    CHECK(turned > 0);
}

/* Rows 1e-6 apart: the careful inverse lets a refinement reach rounding, and when the columns depend on each
 * other it finds the combination that is zero. */
static void test_nearly_dependent(void)
{
    uint64_t seed = check_seed(27);
    faces *f = b.f;
    int inverted = 0, nulls = 0;
    for (int i = 0; i < 80; ++i) {
        if (!make("single", 7, seed, i)) continue;
        int places = b.c->problem.contact_count < 3 ? b.c->problem.contact_count : 3;
        for (int k = 0; k < places; ++k) {
            abut_contact from = b.c->contacts[k];
            int copy =
                contact_case_add(b.c, from.bodies[0], from.bodies[1], from.friction, from.point, from.normal);
            b.c->contacts[copy].point[k % 3] += 1e-6;
        }
        abuti_islands_find(&b.islands, &b.c->problem);
        CHECK(abuti_build_bodies(&b.build, &b.c->problem, &b.islands, b.islands.island) == ABUT_OK);
        CHECK(begin(f, &b.build.system) && start_basis(f, &basis_of_eight, 1, NULL) &&
              eight_serves(f->system));
        const double normal[3] = {1.0, 0.0, 0.0};
        int n = f->system->n, first = i % 2 ? 0 : n - places;
        for (int k = first; k < n && f->slots.used < (i % 2 ? 8 : 3); ++k) {
            CHECK(seat_take(f, k));
            set_state(f, k, ABUT_SLIDE, 0);
            f->regular = false; /* slots without an inverse */
            f->basis->take(f, k, 0, normal, normal);
        }
        f->inverse.delicate = true;
        near_end end = invert_nearly_dependent(f);
        if (end == NEAR_DONE) {
            fill(f->x[0], 0.0, 8);
            for (int step = 0; step < 4; ++step) refine(f, 0);
            double size = f->size + largest_of(f->x[0], 8);
            CHECK_MSG(f->basis->errors(f, 0) <= 1e-13 * size, "%d: %g, x %g", i, f->basis->errors(f, 0),
                      size);
            inverted++;
        } else if (end == NEAR_COLUMNS) {
            lanes sum = combine8(f->slots.C, f->work.b);
            _Alignas(64) double zero[8];
            lanes_store(zero, sum);
            CHECK(largest_of(zero, 8) <= 1e-8 * largest_of(f->work.b, 8));
            nulls++;
        }
    }
    CHECK_MSG(inverted > 10 && nulls > 10, "%d inverted, %d dependent", inverted, nulls);
}

/* L U solves what the inverse solves. */
static void test_factors(void)
{
    uint64_t seed = check_seed(24);
    faces *f = b.f;
    int compared = 0;
    for (int i = 0; i < 40; ++i) {
        if (!some_basis("stacks", 9, seed, i, 1000) || violated(f, f->zero)) continue;
        static double v[64];
        memcpy(v, f->v[0], (size_t)f->space * sizeof *v);
        find_order(f);
        for (int k = 0; k < f->system->n; ++k) {
            f->band.wanted[k] = 0;
            for (int kind = 0; kind < FACES_KINDS && f->state[k] != ABUT_OPEN; ++kind)
                f->band.wanted[k] =
                    (uint8_t)(f->band.wanted[k] | (f->seats.slot[kind][k] != FACES_NONE) << kind);
        }
        CHECK(solve_states(f) && band_polish(f));
        for (int c = 0; c < f->space; ++c) CHECK_NEAR(f->v[0][c], v[c], 1e-9);
        compared++;
    }
    CHECK(compared >= 20);
}

/* Largest |v - k - sum of rows times impulses|, and largest u along a row whose slot is in use: from the
 * system alone. */
static double factored_error(faces *f)
{
    static double v[ABUTI_LANES * (BODIES + 1)];
    const abuti_system *s = f->system;
    double worst = 0.0;
    memcpy(v, s->k, (size_t)f->space * sizeof *v);
    for (int k = 0; k < f->seats.active_count; ++k) {
        int i = f->seats.active[k];
        const faces_polygon *p = &f->polygon[s->directions[i]];
        double ax = p->ax[f->face[i]], ay = p->ay[f->face[i]], x[3] = {0.0, 0.0, 0.0}, u[3];
        for (int kind = 0; kind < FACES_KINDS; ++kind)
            if (f->seats.slot[kind][i] != FACES_NONE) x[kind] = f->x[0][f->seats.slot[kind][i]];
        double fx = x[2] * ax - x[1] * ay, fy = x[2] * ay + x[1] * ax, mu = f->mu[i] * x[0];
        if (f->state[i] == ABUT_SLIDE) {
            fx = mu * p->dx[f->face[i]];
            fy = mu * p->dy[f->face[i]];
        } else if (f->state[i] == ABUT_EDGE) {
            fx += mu * p->kap * ax;
            fy += mu * p->kap * ay;
        }
        double impulse[3] = {x[0], fx, fy};
        for (int axis = 0; axis < 3; ++axis) {
            u[axis] = f->door->velocity(f, i, axis, 0);
            for (int side = 0; side < s->sides; ++side)
                for (int c = 0; c < s->dim && s->body[side][i] < s->bodies; ++c)
                    v[s->body[side][i] * s->stride + c] += impulse[axis] * abuti_row(s, axis, side, c)[i];
        }
        double along[3] = {u[0], u[2] * ax - u[1] * ay, u[1] * ax + u[2] * ay};
        int used = slots_in_use(f, i);
        for (int kind = 0; kind < FACES_KINDS; ++kind)
            if (used >> kind & 1) worst = fmax(worst, fabs(along[kind]));
    }
    for (int c = 0; c < s->bodies * s->stride; ++c) worst = fmax(worst, fabs(v[c] - f->v[0][c]));
    return worst;
}

/* Any states at all, redundant ones included: dependent rows are set aside, the others hold; and it does not
 * matter whether pairs begin a chunk. */
static void test_any_states(void)
{
    static const char *const families[] = {"stacks", "walls", "towers"};
    static const int sizes[] = {9, 8, 12};
    static double v[ABUTI_LANES * (BODIES + 1)];
    uint64_t seed = check_seed(25);
    faces *f = b.f;
    int aside = 0, complete = 0;
    for (int i = 0; i < 300; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)(1000 + i));
        if (!make(families[i % 3], sizes[i % 3], seed, i) || !begin(f, &b.build.system)) continue;
        f->parts = 1;
        clear(f, &basis_of_band);
        make_polygons(f);
        find_order(f);
        for (int k = 0; k < f->system->n; ++k) {
            int d = f->system->directions[k], most = i % 2 ? 3 : 2; /* with most = 2 nothing sticks */
            abut_contact_face face = {.state = (uint8_t)bench_below(&random, most + 1),
                                      .face = (uint8_t)bench_below(&random, d)};
            put_state(f, k, face, FACES_ALL_SLOTS);
        }
        CHECK(solve_states(f));
        double scale = 1.0 + largest_of(f->x[0], f->slots.top);
        CHECK_MSG(factored_error(f) <= 1e-7 * scale, "%s %d: %g", families[i % 3], i, factored_error(f));
        aside += f->band.set_aside > 0;
        if (f->band.set_aside > 0) continue;
        memcpy(v, f->v[0], (size_t)f->space * sizeof *v);
        CHECK(number_slots(f, false));
        list_bodies(f);
        find_blocks(f);
        CHECK(solve_states(f));
        CHECK(factored_error(f) <= 1e-7 * scale);
        for (int c = 0; c < f->space; ++c) CHECK_NEAR(f->v[0][c], v[c], 1e-7 * scale);
        complete++;
    }
    CHECK(aside > 0 && complete > 0);
}

/* The friction impulse and theta of a contact at t, whatever its state. */
static void impulse_at(const faces *f, int i, double t, double out[3])
{
    const faces_polygon *p = &f->polygon[f->system->directions[i]];
    double x[3] = {0.0, 0.0, 0.0}, ax = p->ax[f->face[i]], ay = p->ay[f->face[i]];
    for (int kind = 0; kind < FACES_KINDS && f->state[i] != ABUT_OPEN; ++kind)
        x[kind] = f->value[0][kind][i] + t * f->value[1][kind][i];
    double mu = f->mu[i] * x[0];
    out[0] = x[0];
    out[1] = f->state[i] == ABUT_SLIDE ? mu * p->dx[f->face[i]] : x[2] * ax - x[1] * ay;
    out[2] = f->state[i] == ABUT_SLIDE ? mu * p->dy[f->face[i]] : x[2] * ay + x[1] * ax;
    if (f->state[i] == ABUT_EDGE) out[1] += mu * p->kap * ax, out[2] += mu * p->kap * ay;
}

static long home_seen[FACES_HOLD_A + 1], home_taken, home_done;

/* Walks home and looks at each event: no slack is violated at its t, and no impulse jumps. */
static void walk_home(const char *name, int number)
{
    static double before[CONTACTS][3];
    faces *f = b.f;
    double t = 1.0, sense = -1.0, scale = f->size;
    bool taken;
    if (f->band.set_aside > 0 || !take_up(f, 0, f->zero, &taken)) return;
    cover_from_here(f);
    for (int events = 0; events < FACES_HOME_EVENTS; ++events) {
        faces_event event;
        ratio_test(f, t, sense, &event);
        if (sense < 0.0 && !(event.found && event.step < t)) {
            home_done += all_hold(f);
            CHECK_MSG(factored_error(f) <= 1e-9 * scale, "%s %d: %g", name, number, factored_error(f));
            return;
        }
        if (!event.found) return;
        t += sense * event.step;
        scale = fmax(scale, largest_of(f->x[0], f->slots.top) + t * largest_of(f->x[1], f->slots.top));
        CHECK_MSG(least_slack(f, t) >= -1e-8 * scale, "%s %d event %d: %g", name, number, events,
                  least_slack(f, t));
        for (int i = 0; i < f->system->n; ++i) impulse_at(f, i, t, before[i]);
        home_seen[event.change]++;
        put_state(f, event.contact, state_after(f, &event, t), FACES_ALL_SLOTS);
        if (!solve_parts(f, 2) || !take_up(f, 1, FACES_SLIP, &taken)) return;
        home_taken += taken;
        for (int i = 0; i < f->system->n; ++i) {
            double after[3];
            impulse_at(f, i, t, after);
            for (int axis = 0; axis < 3; ++axis)
                CHECK_MSG(fabs(after[axis] - before[i][axis]) <= 1e-7 * scale,
                          "%s %d event %d (%d): contact %d from %g to %g", name, number, events,
                          (int)event.change, i, before[i][axis], after[axis]);
        }
        if (taken) continue;
        double drive = drive_rate(f, &event);
        if (!(fabs(drive) > FACES_STALL)) return;
        sense = drive > 0.0 ? 1.0 : -1.0;
    }
}

/* From the states of one step of a sequence to the answer of a later one. */
static void test_way_home(void)
{
    static abut_contact_face start[CONTACTS];
    static const struct {
        const char *name;
        int size;
    } runs[] = {{"swaying-stack", 3}, {"swaying-stack", 10}, {"shaken-wall", 6}, {"shaken-wall", 12}};
    uint64_t seed = check_seed(26);
    abuti_stage_context context = {.pivots_left = INT_MAX, .deadline = INFINITY};
    faces *f = b.f;
    int tried = 0;
    for (size_t r = 0; r < sizeof runs / sizeof *runs; ++r) {
        const contact_sequence *sequence = contact_sequences;
        while (strcmp(sequence->name, runs[r].name) != 0) sequence++;
        for (int step = 0; step < 2000; step += 10) {
            bool given = step % 20 == 10;
            contact_case_clear(b.c);
            sequence->make(b.c, runs[r].size, step, seed);
            abuti_islands_find(&b.islands, &b.c->problem);
            CHECK(abuti_build_bodies(&b.build, &b.c->problem, &b.islands, b.islands.island) == ABUT_OK);
            CHECK(begin(f, &b.build.system));
            if (!given) {
                if (!start_basis(f, inverse_for(f->system), 1, NULL) || flip(f, 1000, &context) != FLIPS_DONE)
                    memset(start, 0, sizeof start);
                for (int i = 0; i < f->system->n; ++i)
                    start[i] = (abut_contact_face){
                        .state = f->state[i],
                        .face = f->face[i],
                        .rows = f->state[i] == ABUT_OPEN ? 0 : (uint8_t)slots_in_use(f, i),
                        .frame = f->state[i] == ABUT_STICK ? f->face[i] : 0};
                continue;
            }
            start_band(f, start);
            CHECK(solve_states(f));
            if (all_hold(f)) continue;
            tried++;
            f->parts = 2;
            walk_home(runs[r].name, step);
        }
    }
    for (int change = FACES_CLOSE; change <= FACES_LOOSEN; ++change)
        CHECK_MSG(home_seen[change] > 0, "change %d never happened", change);
    printf("       %ld of %d came home, %ld rows taken up\n", home_done, tried, home_taken);
    CHECK(home_taken > 0 && 4 * home_done >= 3 * tried);
}

/* How far y of the tableau is from the velocities that its own impulses cause: at free places y is the
 * velocity along the contact's frame, at held places there is none. */
static double tableau_error(const faces *f)
{
    const abuti_system *s = f->system;
    double v[8 * (BODIES + 1)], worst = 0.0;
    memcpy(v, s->k, (size_t)f->space * sizeof *v);
    for (int i = 0; i < s->n; ++i) {
        double part[3], ax = f->tableau.frame[0][i], ay = f->tableau.frame[1][i];
        for (int axis = 0; axis < 3; ++axis)
            part[axis] = f->tableau.held[axis][i] != 0.0 ? f->x[0][place_in(f, i, axis)] : 0.0;
        double along = part[1] + part[0] * f->tableau.lean[0][i],
               out = part[2] + part[0] * f->tableau.lean[1][i];
        const double impulse[3] = {part[0], ax * out - ay * along, ay * out + ax * along};
        for (int side = 0; side < 2; ++side) {
            for (int c = 0; c < s->dim && s->body[side][i] < s->bodies; ++c) {
                for (int axis = 0; axis < 3; ++axis)
                    v[8 * s->body[side][i] + c] += impulse[axis] * abuti_row(s, axis, side, c)[i];
            }
        }
    }
    for (int i = 0; i < s->n; ++i) {
        double u[3], ax = f->tableau.frame[0][i], ay = f->tableau.frame[1][i];
        for (int axis = 0; axis < 3; ++axis) {
            u[axis] = s->offset[axis][i];
            for (int side = 0; side < 2; ++side) {
                for (int c = 0; c < s->dim; ++c)
                    u[axis] += abuti_row(s, axis, side, c)[i] * v[8 * s->body[side][i] + c];
            }
        }
        const double turned[3] = {u[0], ax * u[2] - ay * u[1], ax * u[1] + ay * u[2]};
        for (int axis = 0; axis < 3; ++axis) {
            double y = f->tableau.held[axis][i] != 0.0 ? 0.0 : f->x[0][place_in(f, i, axis)];
            worst = fmax(worst, fabs(turned[axis] - y));
        }
    }
    return worst;
}

static long flipped[FACES_HOLD_A + 1];

/* Flips on the tableau of the problem at hand, one at a time. True when they ended with all slacks in order.
 */
static bool walk_tableau(const char *family, int number)
{
    faces *f = b.f;
    if (!begin(f, &b.build.system) || !tableau_serves(f->system)) return false;
    CHECK(start_basis(f, &basis_of_tableau, 1, NULL));
    double largest = fmax(f->size, 1.0); /* the worst tableau so far */
    for (int count = 0; count < 300; ++count) {
        faces_event event;
        worst_slack(f, f->zero, &event);
        if (!event.found) {
            CHECK(tableau_refresh(f, 1));
            CHECK_MSG(tableau_error(f) <= 1e-14 * largest, "%s %d: %g", family, number, tableau_error(f));
            return true;
        }
        if (!event_apply(f, &event, 0.0, true) || !f->regular) return false;
        flipped[event.change]++;
        for (int k = 0; k < f->slots.used; ++k)
            largest = fmax(largest, largest_of(tableau_column(f, f->tableau.places[k]), f->tableau.length));
        CHECK_MSG(tableau_error(f) <= 1e-14 * largest * largest, "%s %d, change %d: %g for %g", family,
                  number, (int)event.change, tableau_error(f), largest);
        CHECK(f->slots.used <= f->system->bodies * f->system->dim);
    }
    return false;
}

static void test_tableau(void)
{
    static const struct {
        const char *family;
        int size, count;
    } runs[] = {{"stacks", 3, 40}, {"towers", 5, 20}, {"towers", 7, 10},     {"walls", 4, 20},
                {"gaps", 3, 40},   {"masses", 3, 40}, {"directions", 3, 40}, {"clutter", 6, 40}};
    uint64_t seed = check_seed(28);
    int tried = 0, solved = 0;
    for (size_t r = 0; r < sizeof runs / sizeof *runs; ++r) {
        for (int i = 0; i < runs[r].count; ++i) {
            if (!make(runs[r].family, runs[r].size, seed, i)) continue;
            tried++;
            solved += walk_tableau(runs[r].family, i);
        }
    }
    printf("tableau: %d of %d, changes", solved, tried);
    for (int change = FACES_CLOSE; change <= FACES_HOLD_A; ++change) printf(" %ld", flipped[change]);
    printf("\n");
    CHECK(solved >= 100);
    for (int change = FACES_CLOSE; change <= FACES_HOLD_A; ++change)
        CHECK_MSG(flipped[change] > 0, "change %d never happened", change);
}

int main(void)
{
    abuti_arena arena = {0};
    lay_out(&arena);
    abut_allocator allocator = abuti_allocator_or_default(NULL);
    size_t size = arena.used;
    b.memory = abuti_allocate(&allocator, size);
    b.c = contact_case_create();
    if (!b.memory || !b.c) return 1;
    arena = (abuti_arena){.base = b.memory, .capacity = size};
    lay_out(&arena);
    RUN(test_path_invariants);
    RUN(test_add_and_delete);
    RUN(test_shear_and_rotation);
    RUN(test_nearly_dependent);
    RUN(test_factors);
    RUN(test_any_states);
    RUN(test_tableau);
    RUN(test_way_home);
    contact_case_destroy(b.c);
    abuti_release(&allocator, b.memory, size);
    return check_report();
}
