/* The verifier's way through many contacts at once (verify/run.inl) against its way chunk by chunk: answers
 * that are wrong in every respect must show the same errors. */
#include "base/cpu.h"
#include "check.h"
#include "contact/verify/parts.h"
#include "random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SEED = 11, MOST = 40, BODIES = 3 };

typedef struct trial {
    abut_contact_problem problem;
    abut_body bodies[BODIES];
    abut_contact contacts[MOST];
    double impulses[3 * MOST], velocity[6 * BODIES];
    double scratch[8192];
} trial;

static void unit(bench_random *random, double *x)
{
    double square = 0;
    while (!(square > 0.1)) {
        square = 0;
        for (int c = 0; c < 3; ++c) {
            x[c] = bench_uniform(random, -1, 1);
            square += x[c] * x[c];
        }
    }
    for (int c = 0; c < 3; ++c) x[c] /= sqrt(square);
}

/* Across n, and off by what single precision leaves. */
static void across(bench_random *random, const double *n, double *t)
{
    double other[3];
    unit(random, other);
    t[0] = n[1] * other[2] - n[2] * other[1];
    t[1] = n[2] * other[0] - n[0] * other[2];
    t[2] = n[0] * other[1] - n[1] * other[0];
    double length = sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
    for (int c = 0; c < 3; ++c) t[c] = t[c] / length * (1 + bench_uniform(random, -1e-7, 1e-7));
}

/* Bodies 0 and 1 are dynamic, 2 is static. Impulses are about right in the cone, and wrong elsewhere. */
static void make(trial *t, bench_random *random, int contacts, const int pair[2], int directions)
{
    *t = (trial){.problem = {.model = ABUT_COULOMB, .step = 0.1, .body_count = BODIES}};
    for (int b = 0; b < BODIES; ++b) {
        abut_body *body = &t->bodies[b];
        *body = (abut_body){.mass = bench_uniform(random, 0.5, 2), .inertia = {1, 1.2, 0.9, 0.1, -0.2, 0.05}};
        for (int c = 0; c < 6; ++c) {
            body->velocity[c] = bench_uniform(random, -1, 1);
            body->force[c] = bench_uniform(random, -1, 1);
            t->velocity[6 * b + c] = bench_uniform(random, -1, 1);
        }
        for (int c = 0; c < 3; ++c) body->com[c] = bench_uniform(random, -1, 1);
    }
    t->bodies[2].kind = ABUT_STATIC;
    for (int c = 0; c < 6; ++c) t->velocity[12 + c] = 0;
    for (int i = 0; i < contacts; ++i) {
        abut_contact *contact = &t->contacts[i];
        *contact = (abut_contact){.bodies = {pair[0], pair[1]}, .directions = directions};
        contact->friction = bench_uniform(random, 0, 1);
        unit(random, contact->normal);
        across(random, contact->normal, contact->tangent);
        for (int c = 0; c < 3; ++c) {
            contact->point[c] = bench_uniform(random, -1, 1);
            t->impulses[3 * i + c] = bench_uniform(random, -1, 1);
        }
    }
    t->problem.contact_count = contacts;
}

/* Half of them overlap, some bounce. */
static void add_gaps(trial *t, bench_random *random, bool bounce)
{
    for (int i = 0; i < t->problem.contact_count; ++i) {
        t->contacts[i].gap = bench_uniform(random, -0.1, 0.1);
        t->contacts[i].restitution = bounce && i % 2 ? bench_uniform(random, 0, 1) : 0.0;
    }
}

/* Tangents that are not given, and what they stand for: the axis with the least |n_k|, projected. */
static void leave_out_tangents(trial *t)
{
    for (int i = 0; i < t->problem.contact_count; i += 2)
        memset(t->contacts[i].tangent, 0, sizeof t->contacts[i].tangent);
}

static void spell_out_tangents(trial *t)
{
    for (int i = 0; i < t->problem.contact_count; i += 2) {
        const double *n = t->contacts[i].normal;
        double *tangent = t->contacts[i].tangent, square = 0;
        int axis = 0;
        for (int c = 1; c < 3; ++c) axis = fabs(n[c]) < fabs(n[axis]) ? c : axis;
        for (int c = 0; c < 3; ++c) tangent[c] = (c == axis ? 1.0 : 0.0) - n[axis] * n[c];
        for (int c = 0; c < 3; ++c) square += tangent[c] * tangent[c];
        for (int c = 0; c < 3; ++c) tangent[c] /= sqrt(square);
    }
}

/* Every four contacts have other bodies. */
static void change_bodies(trial *t)
{
    for (int i = 0; i < t->problem.contact_count; ++i) {
        t->contacts[i].bodies[0] = i / 4 % 2;
        t->contacts[i].bodies[1] = i / 4 % 3 == 0 ? 2 : i / 4 % 3 == 1 ? ABUT_WORLD : 1 - i / 4 % 2;
    }
}

static abut_contact_check verify(trial *t)
{
    abut_contact_check check;
    t->problem.bodies = t->bodies;
    t->problem.contacts = t->contacts;
    CHECK(abut_contact_verify_size(&t->problem) <= 8192);
    for (int i = 0; i < 8192; ++i) t->scratch[i] = NAN; /* nothing may be read before it is written */
    CHECK_EQ_INT(abut_contact_verify(&t->problem, NULL, t->impulses, NULL, t->velocity, t->scratch, &check),
                 ABUT_OK);
    return check;
}

/* A viscosity so small that it is none when multiplied by the step, which takes a contact out of the run. */
static void take_out(trial *t, int contact)
{
    t->contacts[contact].viscous = 4.9e-324;
}

static void compare(abut_contact_check a, abut_contact_check b, int contacts, int directions)
{
    const double x[] = {a.residual,  a.dynamics, a.normal, a.cone,
                        a.direction, a.momentum, a.work,   a.cone_residual};
    const double y[] = {b.residual,  b.dynamics, b.normal, b.cone,
                        b.direction, b.momentum, b.work,   b.cone_residual};
    for (int i = 0; i < 8; ++i)
        CHECK_MSG(x[i] == y[i] || fabs(x[i] - y[i]) <= 1e-12 * (1 + fabs(x[i])),
                  "seed %d, %d contacts, %d directions, error %d: %.17g and %.17g", SEED, contacts,
                  directions, i, x[i], y[i]);
    CHECK_MSG(a.worst_contact == b.worst_contact, "%d contacts: worst %d and %d", contacts, a.worst_contact,
              b.worst_contact);
}

static void test_same_errors(void)
{
    static const int pairs[][2] = {{0, ABUT_WORLD}, {0, 1}, {2, 1}, {1, 2}};
    static trial whole, apart;
    for (int contacts = 1; contacts <= MOST; ++contacts) {
        for (int d = 3; d <= 64; d += d < 16 ? 1 : 16) {
            bench_random random = bench_random_stream(SEED, (uint64_t)(100 * contacts + d));
            make(&whole, &random, contacts, pairs[(contacts + d) % 4], d);
            if (contacts % 3 != 0) add_gaps(&whole, &random, contacts % 3 == 1);
            if (d % 3 == 0) change_bodies(&whole);
            if (d % 4 == 0) leave_out_tangents(&whole);
            apart = whole;
            if (d % 4 == 0) spell_out_tangents(&apart);
            for (int i = 0; i < contacts; ++i) take_out(&apart, i);
            compare(verify(&whole), verify(&apart), contacts, d);
            take_out(&whole, contacts / 2); /* the run breaks off, and another begins */
            compare(verify(&whole), verify(&apart), contacts, d);
        }
    }
}

/* Each of these in the middle of a run must be seen. */
static void test_what_breaks_a_run(void)
{
    static trial plain, other;
    const int pair[2] = {0, ABUT_WORLD};
    bench_random random = bench_random_stream(SEED, 1);
    make(&plain, &random, 24, pair, 8);
    abut_contact_check before = verify(&plain);
    for (int field = 0; field < 5; ++field) {
        other = plain;
        abut_contact *contact = &other.contacts[before.worst_contact];
        double *impulse = other.impulses + 3 * before.worst_contact;
        if (field == 0) contact->gap = -100; /* stays, and counts */
        if (field == 1) contact->bodies[1] = 1;
        if (field == 2) contact->directions = 3;
        if (field == 3) memset(contact->tangent, 0, sizeof contact->tangent);
        if (field == 4) impulse[0] = NAN;
        abut_contact_check after = verify(&other);
        CHECK_MSG(after.normal != before.normal || after.dynamics != before.dynamics ||
                      after.cone != before.cone || after.direction != before.direction,
                  "field %d", field);
        CHECK_MSG(field != 4 || isinf(after.residual), "no number: residual %g", after.residual);
    }
}

static abuti_findings run_with(const abuti_verify_kernel *kernel, const trial *t, int directions,
                               double pushed[2][ABUTI_LANES])
{
    static const abuti_body_record records[2] = {{.inverse_mass = 0.7,
                                                  .lower = {0.1, -0.2, 0.3},
                                                  .inverse_pivot = {1, 2, 3},
                                                  .com = {0.1, 0.2, 0.3},
                                                  .velocity = {1, -2, 0.5, 0.3, 0.2, -0.7},
                                                  .before = {-1, 1, 0.2, 0.1, -0.3, 0.5}},
                                                 {.inverse_mass = 1.3,
                                                  .lower = {-0.3, 0.2, 0.1},
                                                  .inverse_pivot = {2, 1, 3},
                                                  .com = {0.3, -0.2, 0.1},
                                                  .velocity = {-1, 0.2, 0.7, -0.3, 0.1, 0.4},
                                                  .before = {0.5, -1, 0.3, 0.2, 0.1, -0.4}}};
    int index[MOST];
    abuti_polygon polygon;
    abuti_findings findings = {0};
    uint64_t bits = (uint64_t)directions;
    for (int i = 0; i < MOST; ++i) index[i] = i;
    abuti_polygon_set(&polygon, directions);
    abuti_run run = {.contacts = t->contacts,
                     .impulses = t->impulses,
                     .contact = index,
                     .count = t->problem.contact_count,
                     .body = {&records[0], &records[1]},
                     .polygon = &polygon,
                     .step = 0.1,
                     .true_cone = true};
    memcpy(&run.pair, t->contacts[0].bodies, sizeof run.pair);
    memcpy(&run.directions, &bits, sizeof bits);
    CHECK_EQ_INT(kernel->run(&run, 0, &findings, pushed), t->problem.contact_count);
    return findings;
}

/* Wide ones agree bit by bit; the plain one, which has no fused operations, up to rounding. */
static void test_widths_agree(void)
{
    static trial t;
    const int pair[2] = {0, 1};
    const abuti_verify_kernel *chosen = abuti_verify_kernel_choose();
    for (int d = 3; d <= 64; ++d) {
        bench_random random = bench_random_stream(SEED, (uint64_t)d);
        ABUTI_ALIGNED double pushed[2][2][ABUTI_LANES];
        make(&t, &random, 1 + d % MOST, pair, d);
        if (d % 2) add_gaps(&t, &random, true);
        abuti_findings wide = run_with(chosen, &t, d, pushed[0]);
        abuti_findings plain = run_with(&abuti_verify_kernel_plain, &t, d, pushed[1]);
        const double *a = (const double *)(const void *)&wide, *b = (const double *)(const void *)&plain;
        for (int i = 0; i < ABUTI_BY_LANE * ABUTI_LANES; ++i)
            CHECK_MSG(fabs(a[i] - b[i]) <= 1e-13 * (1 + fabs(a[i])), "d = %d, finding %d", d, i);
        for (int i = 0; i < 2 * ABUTI_LANES; ++i)
            CHECK_NEAR(pushed[0][i / ABUTI_LANES][i % ABUTI_LANES],
                       pushed[1][i / ABUTI_LANES][i % ABUTI_LANES], 1e-13);
#ifdef ABUT_HAVE_AVX2
        if (abuti_cpu_runs(ABUTI_WIDTH_AVX2)) {
            abuti_findings other = run_with(&abuti_verify_kernel_avx2, &t, d, pushed[1]);
            CHECK_MSG(memcmp(&wide, &other, sizeof wide) == 0, "avx2, d = %d", d);
            CHECK_MSG(memcmp(pushed[0], pushed[1], sizeof pushed[0]) == 0, "avx2, pushes, d = %d", d);
        }
#endif
    }
}

int main(void)
{
    RUN(test_same_errors);
    RUN(test_what_breaks_a_run);
    RUN(test_widths_agree);
    return check_report();
}
