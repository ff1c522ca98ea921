/* One body (faces/one.inl): what holds after every change of state, whatever the order they come in.
 *
 * The solver's own steps are compiled into this program. Contacts of random problems change their states at
 * random, not only where a slack is violated, so that every change is met from many bases. */
#define FACES_VARIANT abuti_faces_here
#include "contact/faces/core.inl"

#include "check.h"
#include "contact/build/build.h"
#include "contact_families.h"
#include <limits.h>

enum { CONTACTS = 160, DIRECTIONS = 64 };

typedef struct bed {
    abuti_islands islands;
    abuti_build build;
    faces *f;
    contact_case *c;
} bed;

static bed b;

static void lay_out(abuti_arena *arena)
{
    abut_contact_limits limits = {.bodies = 2, .contacts = CONTACTS, .joints = 8, .directions = DIRECTIONS};
    abuti_islands_layout(&b.islands, arena, &limits);
    abuti_build_layout(&b.build, arena, &limits);
    b.f = abuti_faces_family.layout(arena, &limits);
}

/* A problem of one body, everything open. */
static bool make(const char *family, int size, bench_random *random)
{
    if (!contact_family_make(contact_family_find(family), size, random, b.c)) return false;
    if (b.c->problem.body_count != 1 || b.c->problem.contact_count > CONTACTS) return false;
    abuti_islands_find(&b.islands, &b.c->problem);
    if (b.islands.count != 1) return false;
    CHECK(abuti_build_bodies(&b.build, &b.c->problem, &b.islands, b.islands.island) == ABUT_OK);
    if (!one_serves(&b.build.system)) return false;
    CHECK(begin(b.f, &b.build.system));
    make_polygons(b.f);
    one_open(b.f);
    b.f->rests = bench_below(random, 4) == 0;
    return true;
}

/* The largest entry of a difference that should be zero. */
static void differ(double *worst, double difference)
{
    if (!(fabs(difference) <= *worst)) *worst = fabs(difference);
}

/* P = I - C D = I - E R', both copies of it; D C = R'E = I over the slots in use. */
static double basis_error(const faces_one *o)
{
    double worst = 0.0;
    for (int i = 0; i < SIX; ++i) {
        for (int j = 0; j < SIX; ++j) {
            double sum[2] = {i == j, i == j};
            for (int s = 0; s < SIX; ++s) {
                if (o->free_slots >> s & 1u) continue;
                sum[0] -= o->C[s][i] * o->D[j][s];
                sum[1] -= o->E[i][s] * o->R[j][s];
            }
            differ(&worst, o->P_row[i][j] - o->P_column[j][i]);
            differ(&worst, o->P_row[i][j] - sum[0]);
            differ(&worst, o->P_row[i][j] - sum[1]);
        }
    }
    for (int s = 0; s < ABUTI_LANES; ++s) {
        bool unused = s >= SIX || (o->free_slots >> s & 1u);
        for (int t = 0; t < SIX; ++t) {
            double DC = 0.0, RE = 0.0, one = s == t && !unused;
            for (int c = 0; c < SIX; ++c) {
                DC += o->D[c][s] * o->C[t][c];
                RE += o->R[c][s] * o->E[c][t];
            }
            if (o->free_slots >> t & 1u) continue;
            differ(&worst, DC - one);
            differ(&worst, RE - one);
        }
        for (int c = 0; c < SIX && unused; ++c) {
            differ(&worst, o->D[c][s]);
            differ(&worst, o->E[c][s]);
        }
        if (unused) differ(&worst, o->x[s]);
    }
    return worst;
}

/* v = k + C x, R'v + base = 0, and the contacts' velocities are those of v. */
static double point_error(const faces *f)
{
    const faces_one *o = f->one;
    const abuti_system *s = f->system;
    double worst = 0.0, row[SIX];
    for (int c = 0; c < SIX; ++c) {
        double v = s->k[c];
        for (int t = 0; t < SIX; ++t) v += o->C[t][c] * o->x[t];
        differ(&worst, v - o->v[c]);
    }
    for (int t = 0; t < SIX; ++t) {
        double u = o->base[t];
        for (int c = 0; c < SIX; ++c) u += o->R[c][t] * o->v[c];
        differ(&worst, u);
    }
    for (int i = 0; i < s->n; ++i) {
        contact_row(s, i, 0, row);
        differ(&worst, dot6(s->offset[0][i], row, o->v) - f->un[0][i]);
    }
    for (int seat = 0; seat < ABUTI_LANES; ++seat) {
        for (int axis = 0; axis < 2 && o->contact[seat] != FACES_NONE; ++axis) {
            contact_row(s, o->contact[seat], axis + 1, row);
            differ(&worst, dot6(s->offset[axis + 1][o->contact[seat]], row, o->v) - o->ut[axis][seat]);
        }
    }
    return worst;
}

/* Some change that is open to some contact, with its slack. */
static one_event some_event(const faces *f, bench_random *random)
{
    const faces_one *o = f->one;
    int seat = (int)bench_below(random, SIX), contact = o->contact[seat];
    if (contact == FACES_NONE) {
        int i = (int)bench_below(random, (uint64_t)f->system->n);
        return (one_event){FACES_CLOSE, i, 0, f->un[0][i]};
    }
    int d = f->system->directions[contact], face = o->face[seat];
    const faces_polygon *p = &f->polygon[d];
    double ux = o->ut[0][seat], uy = o->ut[1][seat];
    bool turns = f->mu[contact] > 0.0;
    if (o->state[seat] == ABUT_SLIDE) {
        int which = turns ? (int)bench_below(random, d > 2 ? 4 : 3) : 0, before = (face + d - 1) % d;
        if (which == 0) return (one_event){FACES_LIFT, seat, 0, 0.0};
        if (which < 3) return (one_event){FACES_TURN_UP, seat, 0, uy * p->ax[face] - ux * p->ay[face]};
        return (one_event){FACES_TURN_DOWN, seat, 0, ux * p->ay[before] - uy * p->ax[before]};
    }
    if (o->state[seat] == ABUT_EDGE) {
        int which = (int)bench_below(random, d > 2 ? 4 : 2);
        if (which < 2) return (one_event){which ? FACES_VERTEX_UP : FACES_VERTEX_DOWN, seat, 0, 0.0};
        return (one_event){FACES_HALT, seat, 0, -ux * p->ax[face] - uy * p->ay[face]};
    }
    bool whole = o->slot[1][seat] != FACES_NONE && o->slot[2][seat] != FACES_NONE;
    if (whole) return (one_event){FACES_LOOSEN, seat, (int)bench_below(random, (uint64_t)d), 0.0};
    return (one_event){o->slot[1][seat] == FACES_NONE ? FACES_HOLD_E : FACES_HOLD_A, seat, 0, 0.0};
}

static long seen[FACES_HOLD_A + 1];

static double largest_number(const faces_one *o)
{
    return fmax(fmax(1.0, largest_of(o->P_row[0], 48)),
                fmax(largest_of(o->D[0], 48), largest_of(o->E[0], 48)));
}

/* Changes of state in a row; errors are measured by the largest numbers that the basis went through. */
static void wander(const char *family, int number, bench_random *random)
{
    faces *f = b.f;
    double scale = 1.0, reach = f->size;
    for (int events = 0; events < 20; ++events) {
        one_event event = some_event(f, random);
        one_change change;
        if (!one_change_state(f, &event, &change)) return;
        one_update(f, &change);
        seen[event.change]++;
        scale = fmax(scale, largest_number(f->one));
        reach = fmax(reach, fmax(largest_of(f->one->x, 8), largest_of(f->one->v, 8)));
        CHECK_MSG(basis_error(f->one) <= 1e-12 * scale * scale, "%s %d event %d (%d): %g of %g", family,
                  number, events, event.change, basis_error(f->one), scale);
        CHECK_MSG(point_error(f) <= 1e-12 * scale * reach, "%s %d event %d (%d): %g of %g, %g", family,
                  number, events, event.change, point_error(f), scale, reach);
    }
    /* One refinement takes what has gathered to rounding. */
    one_refine(f);
    CHECK(one_refine(f) <= 1e-14 * scale * reach);
}

static void test_every_change(void)
{
    static const char *const families[] = {"pegs", "single", "jittered", "directions", "friction", "gaps"};
    uint64_t seed = check_seed(51);
    for (int i = 0; i < 3000; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        const char *family = families[i % 6];
        if (make(family, family[0] == 's' ? 7 : i % 5 ? 16 : 1, &random)) wander(family, i, &random);
    }
    for (int change = FACES_CLOSE; change <= FACES_HOLD_A; ++change)
        CHECK_MSG(seen[change] > 20, "change %d: %ld times", change, seen[change]);
}

/* States that changes led to, given to an empty basis: the same impulses and the same velocity. */
static void test_given_states(void)
{
    static abut_contact_face start[CONTACTS];
    uint64_t seed = check_seed(53);
    faces *f = b.f;
    int given = 0;
    for (int i = 0; i < 4000; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        if (!make(i % 2 ? "single" : "directions", 7, &random)) continue;
        one_change change;
        bool regular = true;
        for (int events = 0; events < 8 && regular; ++events) {
            one_event event = some_event(f, &random);
            regular = one_change_state(f, &event, &change);
            if (regular) one_update(f, &change);
        }
        if (!regular) continue;
        one_refine(f);
        double v[SIX], scale = largest_number(f->one), size = f->size + largest_of(f->one->x, 8);
        memset(start, 0, sizeof start);
        for (unsigned left = one_seats(f->one); left; left &= left - 1u) {
            int seat = __builtin_ctz(left), rows = 0;
            for (int kind = 0; kind < FACES_KINDS; ++kind)
                rows |= (f->one->slot[kind][seat] != FACES_NONE) << kind;
            start[f->one->contact[seat]] = (abut_contact_face){.state = f->one->state[seat],
                                                               .face = f->one->face[seat],
                                                               .frame = f->one->face[seat],
                                                               .rows = (uint8_t)rows};
        }
        memcpy(v, f->one->v, sizeof v);
        if (!one_load(f, start)) continue;
        one_solve(f);
        scale = fmax(scale, largest_number(f->one));
        for (int c = 0; c < SIX; ++c) CHECK_NEAR(f->one->v[c], v[c], 1e-12 * scale * scale * size);
        CHECK(point_error(f) <= 1e-12 * scale * size && basis_error(f->one) <= 1e-12 * scale * scale);
        given++;
    }
    CHECK_MSG(given > 100, "%d given", given);
}

/* A home for the island, with room for one basis. */
static void give_home(faces *f)
{
    static _Alignas(64) unsigned char shelf[8192];
    static abuti_home home;
    static abuti_homes homes;
    homes = (abuti_homes){.count = 1, .home = &home, .first = -1, .last = -1};
    home = (abuti_home){.all = &homes, .tenant = 1};
    abuti_homes_furnish(&homes, shelf, sizeof shelf);
    abuti_faces_host(f, &home);
}

/* Nothing is kept of the island. */
static void forget(faces *f)
{
    faces_place *place = abuti_home_kept(f->memory.home, ABUTI_KEPT_ONE);
    if (place) place->kept = false;
}

/* Another force on the same body, and the states at hand: what is used again gives the bits of what is made
 * anew. */
static void test_same_geometry(void)
{
    static _Alignas(64) double theta[3][CONTACTS], fx[CONTACTS], fy[CONTACTS];
    static abut_contact_face start[CONTACTS], face[CONTACTS];
    uint64_t seed = check_seed(54);
    abut_contact_options options = abut_contact_default_options();
    options.warm = true;
    int again = 0;
    for (int i = 0; i < 500; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        if (!make(i % 2 ? "single" : "pegs", i % 2 ? 7 : 16, &random)) continue;
        give_home(b.f);
        abuti_stage_context context = {.options = &options, .pivots_left = INT_MAX, .deadline = INFINITY};
        abuti_answer answer = {.theta = theta[0], .f = {fx, fy}, .face = start};
        memset(start, 0, sizeof start);
        if (run_greedy(b.f, &b.build.system, &context, &answer) != ABUT_SOLVED) continue;
        context.start = start;
        answer.face = face;
        abut_outcome outcome[3];
        for (int step = 0; step < 3; ++step) {
            memset(face, 0, sizeof face);
            answer.theta = theta[step];
            if (step == 2) forget(b.f);
            outcome[step] = run_check(b.f, &b.build.system, &context, &answer);
            CHECK(step != 1 || outcome[0] != ABUT_SOLVED || b.f->one != b.f->memory.common);
            if (step > 0 || outcome[0] != ABUT_SOLVED) continue;
            CHECK(run_check(b.f, &b.build.system, &context, &answer) == ABUT_SOLVED);
            CHECK(b.f->memory.at && b.f->memory.at->kept && memcmp(face, start, sizeof face) == 0);
            for (int c = 0; c < 6; ++c) b.c->bodies[0].force[c] *= 1.0 + 1e-3 * c;
            CHECK(abuti_build_bodies(&b.build, &b.c->problem, &b.islands, b.islands.island) == ABUT_OK);
        }
        CHECK_EQ_INT(outcome[1], outcome[2]);
        if (outcome[1] != ABUT_SOLVED) continue;
        CHECK(memcmp(theta[1], theta[2], (size_t)b.f->system->n * sizeof(double)) == 0);
        again++;
    }
    CHECK_MSG(again > 100, "%d used again", again);
}

/* The vertex that opposes a slip, for every d: none does it better. */
static void test_vertices(void)
{
    uint64_t seed = check_seed(52);
    bench_random random = bench_random_stream(seed, 0);
    static int directions[1];
    abuti_system s = {.n = 1, .directions = directions};
    for (int d = 2; d <= DIRECTIONS; ++d) {
        directions[0] = d;
        b.f->system = &s;
        make_polygons(b.f);
        const faces_polygon *p = &b.f->polygon[d];
        for (int i = 0; i < 100; ++i) {
            double x = bench_uniform(&random, -1, 1), y = bench_uniform(&random, -1, 1), least = 0.0;
            for (int j = 0; j < d; ++j) least = fmin(least, p->dx[j] * x + p->dy[j] * y);
            int j = vertex_against(p, d, x, y);
            CHECK(p->dx[j] * x + p->dy[j] * y <= least + 1e-15);
        }
        CHECK(vertex_against(p, d, 0.0, 0.0) == 0);
    }
}

int main(void)
{
    abuti_arena arena = {0};
    lay_out(&arena);
    abut_allocator allocator = abuti_allocator_or_default(NULL);
    size_t size = arena.used;
    void *memory = abuti_allocate(&allocator, size);
    b.c = contact_case_create();
    if (!memory || !b.c) return 1;
    arena = (abuti_arena){.base = memory, .capacity = size};
    lay_out(&arena);
    RUN(test_every_change);
    RUN(test_given_states);
    RUN(test_same_geometry);
    RUN(test_vertices);
    contact_case_destroy(b.c);
    abuti_release(&allocator, memory, size);
    return check_report();
}
