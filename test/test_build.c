/* The contact system: its rows are those of the problem, of order one, padded as system.h says, and the same
 * bits in every vector width. */
#include "base/cpu.h"
#include "contact/build/build.h"
#include "contact_case.h"
#include "dense.h"

typedef struct bed {
    abuti_islands islands;
    abuti_build build;
    void *memory;
} bed;

static void layout(bed *b, abuti_arena *arena, const abut_contact_limits *limits)
{
    abuti_islands_layout(&b->islands, arena, limits);
    abuti_build_layout(&b->build, arena, limits);
}

static void bed_create(bed *b)
{
    abut_contact_limits limits = {.bodies = CASE_BODIES, .contacts = CASE_CONTACTS, .joints = CASE_JOINTS};
    abuti_arena arena;
    DENSE_LAYOUT(layout(b, &arena, &limits), arena);
    b->memory = arena.base;
}

static bool power_of_two(double x)
{
    int exponent = 0;
    return frexp(x, &exponent) == 0.5;
}

/* row_a M^-1 row_b' of two contacts' axes, from the problem alone, by conjugate formulas on each body. */
static void solve3(const double I[6], const double b[3], double x[3])
{
    double a00 = I[0], a11 = I[1], a22 = I[2], a01 = I[3], a02 = I[4], a12 = I[5];
    double c00 = a11 * a22 - a12 * a12, c01 = a02 * a12 - a01 * a22, c02 = a01 * a12 - a02 * a11;
    double c11 = a00 * a22 - a02 * a02, c12 = a01 * a02 - a00 * a12, c22 = a00 * a11 - a01 * a01;
    double det = a00 * c00 + a01 * c01 + a02 * c02;
    x[0] = (c00 * b[0] + c01 * b[1] + c02 * b[2]) / det;
    x[1] = (c01 * b[0] + c11 * b[1] + c12 * b[2]) / det;
    x[2] = (c02 * b[0] + c12 * b[1] + c22 * b[2]) / det;
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int c = 0; c < 3; ++c) out[c] = a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
}

static double expected_product(const contact_case *c, int i, const double axis_i[3], int j,
                               const double axis_j[3])
{
    double sum = 0.0;
    for (int p = 0; p < 2; ++p) {
        for (int q = 0; q < 2; ++q) {
            int body = c->contact[i].bodies[p];
            if (body < 0 || body != c->contact[j].bodies[q] || c->body[body].kind != ABUT_DYNAMIC) continue;
            double arm[3], other[3], moment[3], turn[3], spin[3], sign = p == q ? 1.0 : -1.0;
            for (int k = 0; k < 3; ++k) {
                arm[k] = c->contact[i].point[k] - c->body[body].com[k];
                other[k] = c->contact[j].point[k] - c->body[body].com[k];
            }
            cross(arm, axis_i, moment);
            cross(other, axis_j, turn);
            solve3(c->body[body].inertia, turn, spin);
            for (int k = 0; k < 3; ++k)
                sum += sign * (axis_i[k] * axis_j[k] / c->body[body].mass + moment[k] * spin[k]);
        }
    }
    return sum;
}

static double system_product(const abuti_system *s, int i, int axis_i, int j, int axis_j)
{
    double a[2][8], b[2][8], sum = 0.0;
    for (int side = 0; side < s->sides; ++side) {
        abuti_row_gather(s, i, axis_i, side, a[side]);
        abuti_row_gather(s, j, axis_j, side, b[side]);
    }
    for (int p = 0; p < s->sides; ++p) {
        for (int q = 0; q < s->sides; ++q) {
            if (s->body[p][i] != s->body[q][j] || s->body[p][i] >= s->bodies) continue;
            for (int k = 0; k < 6; ++k) sum += a[p][k] * b[q][k];
        }
    }
    return sum / (s->row_scale[i] * s->row_scale[j]);
}

static void check_frame(const abuti_build *build, const abut_contact *contact, int lane, double axis[3][3])
{
    for (int a = 0; a < 3; ++a) {
        for (int c = 0; c < 3; ++c) axis[a][c] = build->frames[lane / 8].axis[a][c][lane % 8];
    }
    double expected[3];
    cross(axis[0], axis[1], expected);
    double tt = 0.0, nt = 0.0;
    for (int c = 0; c < 3; ++c) {
        CHECK_NEAR(axis[0][c], contact->normal[c], 1e-15);
        CHECK_NEAR(axis[2][c], expected[c], 1e-15);
        tt += axis[1][c] * axis[1][c];
        nt += axis[0][c] * axis[1][c];
    }
    CHECK_NEAR(tt, 1.0, 1e-15);
    CHECK_NEAR(nt, 0.0, 1e-15);
}

static void check_padding(const abuti_system *s)
{
    CHECK_EQ_INT(s->lanes % 8, 0);
    CHECK(s->lanes >= s->n && s->lanes < s->n + 8);
    for (int lane = s->n; lane < s->lanes; ++lane) {
        for (int axis = 0; axis < 3; ++axis) {
            CHECK(s->offset[axis][lane] == 0.0);
            for (int side = 0; side < s->sides; ++side) {
                for (int k = 0; k < 6; ++k) CHECK(abuti_row(s, axis, side, k)[lane] == 0.0);
            }
        }
        CHECK(s->mu[lane] == 0.0 && s->directions[lane] == 8);
        CHECK(s->body[0][lane] == s->bodies && s->body[1][lane] == s->bodies);
    }
    for (int k = 0; k < 8; ++k) CHECK(s->k[s->bodies * 8 + k] == 0.0);
}

static void check_system(const contact_case *c, const abuti_build *build)
{
    const abuti_system *s = &build->system;
    static double axis[CASE_CONTACTS][3][3];
    check_padding(s);
    CHECK(power_of_two(s->unit));
    double largest = 0.0;
    for (int i = 0; i < s->bodies * 8; ++i) largest = fmax(largest, fabs(s->k[i]));
    CHECK(largest < 2.0);
    for (int lane = 0; lane < s->n; ++lane) {
        check_frame(build, &c->contact[s->index[lane]], lane, axis[lane]);
        CHECK(power_of_two(s->row_scale[lane]));
        CHECK(s->size[0][lane] >= 0.70 && s->size[0][lane] <= 1.42);
        CHECK(s->body[0][lane] < s->bodies);
    }
    for (int i = 0; i < s->n; ++i) {
        for (int j = 0; j < s->n; ++j) {
            for (int a = 0; a < 9; ++a) {
                double expected =
                    expected_product(c, s->index[i], axis[i][a / 3], s->index[j], axis[j][a % 3]);
                CHECK_NEAR(system_product(s, i, a / 3, j, a % 3), expected, 1e-12 * (1.0 + fabs(expected)));
            }
        }
        double size = sqrt(expected_product(c, s->index[i], axis[i][0], s->index[i], axis[i][0]));
        CHECK_NEAR(s->size[0][i] / s->row_scale[i], size, 1e-13 * size);
    }
}

/* Case k of a campaign, and the random numbers that go on from it. */
static bench_random case_of(contact_case *c, uint64_t seed, int k)
{
    bench_random random = bench_random_stream(seed, (uint64_t)k);
    case_random(c, 1 + k % 5, 1 + k % 19, &random);
    return random;
}

static void test_rows(void)
{
    uint64_t seed = check_seed(21);
    bed b;
    bed_create(&b);
    for (int k = 0; k < 40; ++k) {
        contact_case c;
        (void)case_of(&c, seed, k);
        if (k % 4 == 3)
            c.body[0].kind = k % 8 == 3 ? ABUT_STATIC : ABUT_KINEMATIC; /* side A of some: the sign turns */
        abut_contact_problem problem = case_problem(&c);
        abuti_islands_find(&b.islands, &problem);
        for (int i = 0; i < b.islands.count; ++i) {
            CHECK_EQ_INT(abuti_build_bodies(&b.build, &problem, &b.islands, &b.islands.island[i]), ABUT_OK);
            check_system(&c, &b.build);
        }
    }
    dense_free(b.memory);
}

/* n.u before the step, from the problem alone. */
static double approach_of(const contact_case *c, const abut_contact *contact)
{
    double sum = 0.0;
    for (int side = 0; side < 2; ++side) {
        if (contact->bodies[side] < 0) continue;
        const abut_body *body = &c->body[contact->bodies[side]];
        if (body->kind == ABUT_STATIC) continue;
        double arm[3], turn[3];
        for (int k = 0; k < 3; ++k) arm[k] = contact->point[k] - body->com[k];
        cross(body->velocity + 3, arm, turn);
        for (int k = 0; k < 3; ++k)
            sum += (side == 0 ? 1.0 : -1.0) * contact->normal[k] * (body->velocity[k] + turn[k]);
    }
    return sum;
}

/* High enough that many of the contacts which would touch do not bounce. */
#define TEST_THRESHOLD 1.0

/* b of the normal condition, as contact.h has it. */
static double expected_bias(const contact_case *c, const abut_contact *contact, double step)
{
    double approach = approach_of(c, contact);
    bool touches = contact->gap + step * approach <= 0.0;
    if (contact->restitution > 0.0 && approach < -TEST_THRESHOLD && touches)
        return contact->restitution * approach;
    return contact->gap / step;
}

/* Gaps and restitution, eight contacts at a time and one by one, where a viscous one is among the eight. */
static void test_gaps(void)
{
    uint64_t seed = check_seed(23);
    bed b;
    bed_create(&b);
    b.build.restitution_threshold = TEST_THRESHOLD;
    int bounced = 0, landed = 0;
    for (int k = 0; k < 40; ++k) {
        contact_case c;
        bench_random random = case_of(&c, seed, k);
        for (int i = 0; i < c.contacts; ++i) {
            abut_contact *contact = &c.contact[i];
            contact->gap = i % 4 == 0 ? 0.0 : bench_uniform(&random, -0.02, 0.02);
            contact->restitution = i % 3 == 0 ? 0.0 : bench_uniform(&random, 0, 1);
            contact->viscous = k % 4 == 3 && i == 0 ? 1.0 : 0.0;
        }
        if (k % 5 == 4) c.body[0].kind = ABUT_STATIC;
        abut_contact_problem problem = case_problem(&c);
        abuti_islands_find(&b.islands, &problem);
        for (int i = 0; i < b.islands.count; ++i) {
            CHECK_EQ_INT(abuti_build_bodies(&b.build, &problem, &b.islands, &b.islands.island[i]), ABUT_OK);
            const abuti_system *s = &b.build.system;
            double largest = 0.0;
            for (int lane = 0; lane < s->n; ++lane) {
                const abut_contact *contact = &c.contact[s->index[lane]];
                double expected = expected_bias(&c, contact, problem.step),
                       approach = approach_of(&c, contact);
                bounced += expected != contact->gap / problem.step;
                landed += expected == contact->gap / problem.step && approach < 0.0 &&
                          contact->restitution > 0.0 && contact->gap + problem.step * approach <= 0.0;
                double found = s->offset[0][lane] * s->unit / s->row_scale[lane];
                CHECK_NEAR(found, expected, 1e-12 * (1.0 + fabs(expected)));
                CHECK_NEAR(b.build.bias[lane], expected, 1e-12 * (1.0 + fabs(expected)));
                CHECK(s->offset[1][lane] == 0.0 && s->offset[2][lane] == 0.0);
                largest = fmax(largest, fabs(s->offset[0][lane]) / s->size[0][lane]);
            }
            for (int j = 0; j < s->bodies * 8; ++j) largest = fmax(largest, fabs(s->k[j]));
            CHECK(largest >= 1.0 && largest < 2.0);
        }
    }
    CHECK_MSG(bounced >= 20 && landed >= 20, "%d bounced, %d landed", bounced, landed);
    dense_free(b.memory);
}

/* Plain, AVX2 and AVX-512: the same bits. */
static void test_widths(void)
{
    const abuti_lane_kernel *kernels[ABUTI_WIDTHS] = {&abuti_lane_kernel_plain,
                                                      ABUTI_IF_AVX2(&abuti_lane_kernel_avx2),
                                                      ABUTI_IF_AVX512(&abuti_lane_kernel_avx512)};
    for (int w = 0; w < ABUTI_WIDTHS; ++w)
        if (!abuti_cpu_runs((abuti_width)w)) kernels[w] = NULL;
    bed b;
    bed_create(&b);
    for (int k = 0; k < 20; ++k) {
        bench_random random = bench_random_stream(22, (uint64_t)k);
        contact_case c;
        case_random(&c, 1 + k % 3, 1 + 2 * k, &random);
        for (int i = 0; i < c.contacts && k % 2; ++i) {
            c.contact[i].gap = bench_uniform(&random, -0.02, 0.02);
            c.contact[i].restitution = bench_uniform(&random, 0, 1);
        }
        abut_contact_problem problem = case_problem(&c);
        abuti_islands_find(&b.islands, &problem);
        uint64_t first = 0;
        for (int width = 0; width < 3; ++width) {
            if (!kernels[width]) continue;
            b.build.kernel = kernels[width];
            CHECK_EQ_INT(abuti_build_bodies(&b.build, &problem, &b.islands, &b.islands.island[0]), ABUT_OK);
            const abuti_system *s = &b.build.system;
            uint64_t hash = 0;
            const unsigned char *bytes = (const unsigned char *)s->rows;
            for (size_t i = 0; i < (size_t)(18 * s->sides * s->lanes) * sizeof(double); ++i)
                hash = hash * 31 + bytes[i];
            double x[48], y[48], slip[48], v[8] = {0};
            const double *const p[3] = {s->size[0], s->size[1], s->row_scale};
            for (int i = 0; i < 48; ++i) {
                x[i] = s->rows[i % s->lanes];
                y[i] = s->size[1][i % s->lanes] - 1.0;
                slip[i] = i % 5 != 0;
            }
            kernels[width]->slip(12, abuti_direction(12, 0), 48, x, y, slip);
            kernels[width]->impulse(s->rows, (size_t)s->lanes, p, v);
            for (int i = 0; i < 6; i += 3) {
                double *const u[3] = {slip + 8 * i, slip + 8 * i + 8, slip + 8 * i + 16};
                const double *const from[3] = {slip, slip + 8, slip + 16};
                const void *const block[8] = {x, x + 8, x, x, x + 8, x, x + 16, x};
                kernels[width]->velocity(s->rows, (size_t)s->lanes, (size_t)(6 * s->lanes), block, from, u);
            }
            bytes = (const unsigned char *)slip;
            for (size_t i = 0; i < sizeof slip; ++i) hash = hash * 31 + bytes[i];
            bytes = (const unsigned char *)v;
            for (size_t i = 0; i < sizeof v; ++i) hash = hash * 31 + bytes[i];
            bytes = (const unsigned char *)s->offset[0];
            for (size_t i = 0; i < (size_t)s->lanes * sizeof(double); ++i) hash = hash * 31 + bytes[i];
            if (width == 0) first = hash;
            CHECK_MSG(hash == first, "width %d, problem %d", width, k);
        }
    }
    dense_free(b.memory);
}

/* An absent tangent: the axis with the least |n_k|, the lowest on a tie, projected. */
static void test_absent_tangents(void)
{
    const double root = 0x1.6a09e667f3bcdp-1;
    const struct {
        double normal[3], tangent[3];
    } cases[] = {
        {{0, 0, 1}, {1, 0, 0}},
        {{1, 0, 0}, {0, 1, 0}},
        {{0, -1, 0}, {1, 0, 0}},
        {{0, root, root}, {1, 0, 0}},
        {{root, 0, -root}, {0, 1, 0}},
        {{root, root, 0}, {0, 0, 1}},
        {{0.6, 0.64, 0.48}, {-0.48 * 0.6, -0.48 * 0.64, 1 - 0.48 * 0.48}},
    };
    bed b;
    bed_create(&b);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        contact_case c = {.bodies = 1, .contacts = 1};
        c.body[0] = (abut_body){.mass = 1, .inertia = {1, 1, 1}};
        c.contact[0] = (abut_contact){.bodies = {0, ABUT_WORLD}};
        memcpy(c.contact[0].normal, cases[k].normal, sizeof cases[k].normal);
        abut_contact_problem problem = case_problem(&c);
        abuti_islands_find(&b.islands, &problem);
        CHECK_EQ_INT(abuti_build_bodies(&b.build, &problem, &b.islands, &b.islands.island[0]), ABUT_OK);
        const double *t = cases[k].tangent, length = sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
        for (int i = 0; i < 3; ++i) CHECK_NEAR(b.build.frames[0].axis[1][i][0], t[i] / length, 2e-16);
    }
    dense_free(b.memory);
}

int main(void)
{
    RUN(test_rows);
    RUN(test_gaps);
    RUN(test_widths);
    RUN(test_absent_tangents);
    return check_report();
}
