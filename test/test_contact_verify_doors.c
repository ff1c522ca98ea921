/* The verifier behind every door and at the edges of the question: other doors, units, islands, joints,
 * kinematic bodies, planar contacts, gaps and bounces, nothing at all, and all vector widths. */
#include "base/cpu.h"
#include "contact/verify/parts.h"
#include "random.h"
#include "verify_scene.h"

/* ------------------------------------------------------------------------------------------------
 * The same scene through three doors */

typedef struct doors {
    abut_generalised generalised;
    abut_local local;
    double M[36], v[6], f[6], Jn[6 * MAX_CONTACTS], Jt[12 * MAX_CONTACTS];
    double W[9 * MAX_CONTACTS * MAX_CONTACTS], q[3 * MAX_CONTACTS];
} doors;

/* Of one body with diagonal inertia. */
static void make_doors(const scene *s, doors *d)
{
    const abut_body *b = &s->bodies[0];
    int n = s->problem.contact_count;
    *d = (doors){.generalised = {.nv = 6}, .local = {.dimension = 3}};
    for (int c = 0; c < 6; ++c) {
        d->M[7 * c] = c < 3 ? b->mass : b->inertia[c - 3];
        d->v[c] = b->velocity[c];
        d->f[c] = b->force[c];
    }
    double rows[3 * MAX_CONTACTS][6];
    for (int i = 0; i < n; ++i) {
        const abut_contact *c = &s->contacts[i];
        double axes[3][3];
        for (int k = 0; k < 3; ++k) {
            int e = (k + 1) % 3, f = (k + 2) % 3;
            axes[0][k] = c->normal[k];
            axes[1][k] = c->tangent[k];
            axes[2][k] = c->normal[e] * c->tangent[f] - c->normal[f] * c->tangent[e];
        }
        for (int a = 0; a < 3; ++a)
            for (int k = 0; k < 3; ++k) {
                int e = (k + 1) % 3, f = (k + 2) % 3;
                rows[3 * i + a][k] = axes[a][k];
                rows[3 * i + a][3 + k] =
                    (c->point[e] - b->com[e]) * axes[a][f] - (c->point[f] - b->com[f]) * axes[a][e];
            }
        for (int k = 0; k < 6; ++k) {
            d->Jn[6 * i + k] = rows[3 * i][k];
            d->Jt[12 * i + k] = rows[3 * i + 1][k];
            d->Jt[12 * i + 6 + k] = rows[3 * i + 2][k];
        }
    }
    for (int i = 0; i < 3 * n; ++i)
        for (int k = 0; k < 6; ++k) {
            d->q[i] += rows[i][k] * (d->v[k] + STEP * d->f[k] / d->M[7 * k]);
            for (int j = 0; j < 3 * n; ++j) d->W[3 * n * i + j] += rows[i][k] * rows[j][k] / d->M[7 * k];
        }
    d->generalised = (abut_generalised){.nv = 6,
                                        .mass_matrix = d->M,
                                        .velocity = d->v,
                                        .force = d->f,
                                        .normal_rows = d->Jn,
                                        .tangent_rows = d->Jt};
    d->local = (abut_local){3, d->W, d->q, NULL};
}

static abut_contact_check verify_through(const scene *s, doors *d, int door)
{
    double scratch[512];
    abut_contact_problem problem = s->problem;
    abut_contact_check check;
    problem.body_count = 0;
    problem.bodies = NULL;
    problem.contacts = s->contacts;
    d->generalised = (abut_generalised){.nv = 6,
                                        .mass_matrix = d->M,
                                        .velocity = d->v,
                                        .force = d->f,
                                        .normal_rows = d->Jn,
                                        .tangent_rows = d->Jt};
    d->local = (abut_local){3, d->W, d->q, NULL};
    if (door == 1) problem.generalised = &d->generalised;
    if (door == 2) problem.local = &d->local;
    CHECK(abut_contact_verify_size(&problem) <= 512);
    CHECK_EQ_INT(abut_contact_verify(&problem, NULL, s->impulses, NULL, door == 1 ? s->velocity : NULL,
                                     scratch, &check),
                 ABUT_OK);
    return check;
}

static scene sliding_box(void)
{
    scene s = box_on_plane(0.3, 12.611492902049902, -15.029791973994353);
    for (int i = 0; i < 4; ++i) s.contacts[i].tangent[0] = 1;
    return s;
}

static void test_three_doors(void)
{
    scene right = sliding_box();
    doors d;
    make_doors(&right, &d);
    CHECK_NEAR(verify(&right).residual, 0, RIGHT);
    CHECK_NEAR(verify_through(&right, &d, 1).residual, 0, RIGHT);
    CHECK_NEAR(verify_through(&right, &d, 2).residual, 0, RIGHT);
    /* Each single number of the answer, disturbed. */
    for (int i = 0; i < 12; ++i) {
        scene wrong = right;
        wrong.impulses[i] += 1e-6;
        double bodies = verify(&wrong).residual, generalised = verify_through(&wrong, &d, 1).residual;
        CHECK(bodies > 1e-8);
        CHECK_NEAR(generalised, bodies, 1e-9 * bodies);
        CHECK(verify_through(&wrong, &d, 2).residual > 1e-8);
    }
    for (int i = 0; i < 6; ++i) {
        scene wrong = right;
        wrong.velocity[i] += 1e-6;
        double bodies = verify(&wrong).residual;
        CHECK(bodies > 1e-8);
        CHECK_NEAR(verify_through(&wrong, &d, 1).residual, bodies, 1e-9 * bodies);
    }
    scene wrong = right;
    wrong.impulses[4] = NAN;
    CHECK(verify_through(&wrong, &d, 1).residual == INFINITY);
    CHECK(verify_through(&wrong, &d, 2).residual == INFINITY);
    d.W[5] = NAN;
    CHECK(verify_through(&right, &d, 2).residual == INFINITY);
    d.M[8] = NAN;
    CHECK(verify_through(&right, &d, 1).residual == INFINITY);
}

/* ------------------------------------------------------------------------------------------------
 * Units */

static void change_units(scene *s, double mass, double length, double time)
{
    double speed = length / time, force = mass * length / (time * time);
    s->problem.step *= time;
    for (int i = 0; i < s->problem.body_count; ++i) {
        abut_body *b = &s->bodies[i];
        b->mass *= mass;
        for (int k = 0; k < 6; ++k) {
            b->inertia[k] *= mass * length * length;
            b->velocity[k] *= k < 3 ? speed : 1 / time;
            b->force[k] *= k < 3 ? force : force * length;
            s->velocity[6 * i + k] *= k < 3 ? speed : 1 / time;
        }
        for (int k = 0; k < 3; ++k) b->com[k] *= length;
    }
    for (int i = 0; i < s->problem.contact_count; ++i) {
        for (int k = 0; k < 3; ++k) s->contacts[i].point[k] *= length;
        s->contacts[i].gap *= length;
        for (int k = 0; k < 3; ++k) s->impulses[3 * i + k] *= force * time;
    }
}

static void test_units_do_not_matter(void)
{
    const double units[][3] = {
        {1e-3, 1, 1}, {1e6, 1e3, 1}, {1e-9, 1e-6, 1e-3}, {1e3, 1e-3, 3600}, {1e12, 1e9, 1e5}};
    for (size_t k = 0; k < sizeof units / sizeof units[0]; ++k)
        for (int wrong = 0; wrong < 2; ++wrong) {
            scene s = sliding_box();
            if (wrong) {
                s.impulses[4] *= 1.001;
                s.velocity[5] += 1e-4;
            }
            double before = verify(&s).residual;
            change_units(&s, units[k][0], units[k][1], units[k][2]);
            double after = verify(&s).residual;
            if (wrong) CHECK_NEAR(after, before, 1e-9 * before);
            if (!wrong) CHECK_NEAR(after, 0, RIGHT);
        }
}

/* A kilometre from the origin the same answer is still right, up to the rounding of the points. */
static void test_far_away(void)
{
    scene s = sliding_box();
    for (int i = 0; i < 4; ++i) s.contacts[i].point[0] += 1024;
    s.bodies[0].com[0] += 1024;
    CHECK_NEAR(verify(&s).residual, 0, RIGHT);
}

/* ------------------------------------------------------------------------------------------------
 * Islands */

/* A heavy box and, far away, a light one: an error that is nothing beside the heavy one is still an error. */
static void test_an_island_has_its_own_scale(void)
{
    scene s = empty(), one = sliding_box();
    for (int b = 0; b < 2; ++b) {
        double scale = b ? 1e-9 : 1;
        s.bodies[b] = one.bodies[0];
        s.bodies[b].mass *= scale;
        for (int k = 0; k < 6; ++k) {
            s.bodies[b].inertia[k] *= scale;
            s.bodies[b].force[k] *= scale;
            s.velocity[6 * b + k] = one.velocity[k];
        }
        for (int i = 0; i < 4; ++i) {
            s.contacts[4 * b + i] = one.contacts[i];
            s.contacts[4 * b + i].bodies[0] = b;
            for (int k = 0; k < 3; ++k) s.impulses[3 * (4 * b + i) + k] = scale * one.impulses[3 * i + k];
        }
    }
    s.problem.body_count = 2;
    s.problem.contact_count = 8;
    CHECK_NEAR(verify(&s).residual, 0, RIGHT);
    s.impulses[3 * 6] *= 1.01;
    abut_contact_check check = verify(&s);
    CHECK(check.residual > 1e-4);
    s.impulses[3 * 6] /= 1.01;
    s.impulses[3 * 7 + 2] = 1e-12;
    check = verify(&s);
    CHECK(check.residual > 1e-6);
    CHECK_EQ_INT(check.worst_contact, 7);
}

/* Without forces and offsets the only answer is zero: not even a squeeze that cancels. */
static void test_nothing_acts(void)
{
    scene s = empty();
    body(&s, 0, 1, 1, 1, 1, 0, 0, 0);
    contact(&s, 0, ABUT_WORLD, 0.5, 0.1, 0, 0, -1, 0, 0);
    contact(&s, 0, ABUT_WORLD, 0.5, -0.1, 0, 0, 1, 0, 0);
    CHECK(verify(&s).residual == 0);
    set_impulse(&s, 0, 1, 0, 0);
    set_impulse(&s, 1, 1, 0, 0);
    CHECK(verify(&s).residual == INFINITY);
    s.problem.contact_count = 0; /* a body alone */
    CHECK(verify(&s).residual == 0);
    s.velocity[1] = 1e-100;
    CHECK(verify(&s).residual == INFINITY);
    s.bodies[0].force[1] = 2;
    s.velocity[1] = 2 * STEP;
    CHECK_NEAR(verify(&s).residual, 0, RIGHT);
    s.velocity[1] *= 1 + 1e-6;
    CHECK(verify(&s).residual > 1e-7);
}

/* ------------------------------------------------------------------------------------------------
 * Joints */

/* Two bodies on one vertical rail: a row holds the upper, a row couples them. */
static scene hanging_pair(void)
{
    scene s = empty();
    for (int i = 0; i < 2; ++i) {
        body(&s, i, 1 + i, 0.1, 0.1, 0.1, 0, 0, -i);
        s.bodies[i].force[2] = -(1 + i) * G;
    }
    s.joint_rows[0] = (abut_joint){.bodies = {0, ABUT_WORLD}, .jacobian = {{0, 0, 1, 0, 0, 0}}};
    s.joint_rows[1] = (abut_joint){.bodies = {0, 1}, .jacobian = {{0, 0, 1, 0, 0, 0}, {0, 0, -1, 0, 0, 0}}};
    s.problem.joint_count = 2;
    s.joints[0] = 3 * G * STEP;
    s.joints[1] = -2 * G * STEP;
    return s;
}

static void test_joints(void)
{
    scene s = hanging_pair();
    CHECK_NEAR(verify(&s).residual, 0, RIGHT);
    s.joints[1] *= 1 + 1e-6;
    CHECK(verify(&s).dynamics > 1e-7);
    s = hanging_pair();
    s.joint_rows[1].target = 0.01; /* not what the velocities do */
    CHECK(verify(&s).joint > 1e-3);
    s = hanging_pair();
    s.velocity[8] = -1e-3; /* moves away, with the impulse that goes with it */
    s.joints[1] += 2e-3;
    s.joints[0] -= 2e-3;
    CHECK(verify(&s).joint > 1e-3);
    s = hanging_pair();
    s.joints[0] = NAN;
    CHECK(verify(&s).residual == INFINITY);
    /* The same row twice shares the impulse in any way. */
    s = hanging_pair();
    s.joint_rows[2] = s.joint_rows[0];
    s.problem.joint_count = 3;
    s.joints[2] = 0.7 * s.joints[0];
    s.joints[0] *= 0.3;
    CHECK_NEAR(verify(&s).residual, 0, RIGHT);
}

/* ------------------------------------------------------------------------------------------------
 * Kinematic and static bodies */

/* A box carried by a belt that moves with it, and one that is dragged. */
static void test_belts(void)
{
    scene s = box_on_plane(0.5, 0, -2 * G);
    body(&s, 1, 1, 1, 1, 1, 0, 0, 0);
    s.bodies[1].kind = ABUT_KINEMATIC;
    s.bodies[1].velocity[0] = s.velocity[6] = 0.03; /* slower than friction can make the box in a step */
    double total = 2 * G * STEP, friction = 2 * 0.03, back = 0.25 * total + 0.1 * friction,
           front = 0.25 * total - 0.1 * friction;
    for (int i = 0; i < 4; ++i) {
        double theta = i < 2 ? back : front;
        s.contacts[i].bodies[1] = 1;
        s.contacts[i].tangent[0] = 1;
        set_impulse(&s, i, theta, friction * theta / total, 0);
    }
    s.velocity[0] = 0.03;
    CHECK_NEAR(verify(&s).residual, 0, RIGHT);
    s.velocity[6] = 0.0301; /* the belt itself is not for the solver to move */
    CHECK(verify(&s).dynamics > 1e-4);
    s.velocity[6] = 0.03;
    s.bodies[1].kind = ABUT_STATIC;
    CHECK(!(verify(&s).residual <= 1e-3));
}

/* Contacts that touch nothing that moves: no impulse there. */
static void test_loose_contacts(void)
{
    scene s = empty();
    for (int i = 0; i < 2; ++i) {
        body(&s, i, 1, 1, 1, 1, 0, 0, i);
        s.bodies[i].kind = i ? ABUT_STATIC : ABUT_KINEMATIC;
    }
    contact(&s, 0, 1, 0.5, 0, 0, 0.5, 0, 0, -1);
    CHECK(verify(&s).residual == 0);
    s.impulses[0] = 1e-9;
    CHECK(verify(&s).residual == INFINITY);
}

/* ------------------------------------------------------------------------------------------------
 * Gaps, bounces, planar friction, no friction */

static scene falling_ball(double speed, double gap, double restitution)
{
    scene s = empty();
    body(&s, 0, 2, 0.1, 0.1, 0.1, 0, 0, 1 + gap);
    s.bodies[0].velocity[2] = -speed;
    int i = contact(&s, 0, ABUT_WORLD, 0.3, 0, 0, gap, 0, 0, 1);
    s.contacts[i].gap = gap;
    s.contacts[i].restitution = restitution;
    return s;
}

static void answer_ball(scene *s, double velocity_after)
{
    s->velocity[2] = velocity_after;
    set_impulse(s, 0, 2 * (velocity_after - s->bodies[0].velocity[2]), 0, 0);
}

static void test_gaps_and_bounces(void)
{
    scene s = falling_ball(1, 0.1, 0); /* does not arrive in this step */
    answer_ball(&s, -1);
    CHECK_NEAR(verify(&s).residual, 0, RIGHT);
    answer_ball(&s, -0.9); /* an impulse at a distance */
    CHECK(verify(&s).normal > 1e-3);
    s = falling_ball(1, 0.002, 0); /* arrives, and goes the 2 mm in the 10 ms of the step */
    answer_ball(&s, -0.2);
    CHECK_NEAR(verify(&s).residual, 0, RIGHT);
    answer_ball(&s, 0); /* stops in mid-air */
    CHECK(verify(&s).normal > 1e-3);
    s = falling_ball(0.009, 0, 0.5); /* too slow to bounce */
    answer_ball(&s, 0);
    CHECK_NEAR(verify(&s).residual, 0, RIGHT);
    answer_ball(&s, 0.0045);
    CHECK(verify(&s).normal > 1e-3);
    s = falling_ball(1, 0.002, 0.5); /* arrives, and leaves with half the speed */
    answer_ball(&s, 0.5);
    CHECK_NEAR(verify(&s).residual, 0, RIGHT);
    answer_ball(&s, 0);
    CHECK(verify(&s).normal > 1e-3);
    s = falling_ball(1, -0.001, 0); /* overlaps by 1 mm, to be undone in one step */
    answer_ball(&s, 0.1);
    CHECK_NEAR(verify(&s).residual, 0, RIGHT);
    answer_ball(&s, 0.099);
    CHECK(verify(&s).normal > 1e-4);
    answer_ball(&s, 0.101); /* leaves faster than its impulse explains */
    CHECK(verify(&s).normal > 1e-4);
}

static void test_planar_friction(void)
{
    for (int slides = 0; slides < 2; ++slides) {
        scene s = slides ? sliding_box() : box_on_plane(0.5, 6.710435212049622, -18.43676921981952);
        for (int i = 0; i < 4; ++i) {
            s.contacts[i].tangent[0] = 1;
            s.contacts[i].directions = 2;
        }
        CHECK_NEAR(verify(&s).residual, 0, RIGHT);
        scene wrong = s;
        for (int i = 0; i < 4; ++i) wrong.impulses[3 * i + 2] = i % 2 ? 1e-4 : -1e-4; /* across the plane */
        CHECK(verify(&wrong).cone > 1e-5);
        wrong = s;
        wrong.impulses[1] *= 1.5;
        CHECK(!(verify(&wrong).residual <= 1e-4));
        wrong = s;
        wrong.impulses[1] *= -1;
        CHECK(!(verify(&wrong).residual <= 1e-4));
    }
}

static void test_frictionless_model(void)
{
    scene s = box_on_plane(0, 3, -2 * G);
    s.problem.model = ABUT_FRICTIONLESS;
    for (int i = 0; i < 4; ++i) s.contacts[i].friction = 0.5; /* not looked at */
    CHECK_NEAR(verify(&s).residual, 0, RIGHT);
    scene sticks = box_on_plane(0.5, 3, -2 * G);
    sticks.problem.model = ABUT_FRICTIONLESS;
    CHECK(verify(&sticks).cone > 1e-3);
}

/* ------------------------------------------------------------------------------------------------
 * Vector widths, polygons, misuse */

static void judge_with(const abuti_verify_kernel *kernel, int d, abuti_findings *findings)
{
    bench_random random = bench_random_stream(7, (uint64_t)d);
    abuti_chunk chunk = {.count = ABUTI_LANES};
    abuti_polygon polygon;
    double error[ABUTI_LANES] = {0};
    for (int l = 0; l < ABUTI_LANES; ++l) {
        chunk.index[l] = l;
        chunk.directions[l] = d;
        chunk.mu[l] = bench_uniform(&random, 0, 1);
        for (int k = 0; k < 3; ++k) {
            chunk.impulse[k][l] = bench_uniform(&random, -1, 1);
            chunk.velocity[k][l] = bench_uniform(&random, -1, 1);
            chunk.square[k][l] = bench_uniform(&random, 0.1, 2);
        }
    }
    *findings = (abuti_findings){0};
    abuti_polygon_set(&polygon, d);
    kernel->sizes(&chunk, findings);
    kernel->normal(&chunk, findings, error);
    kernel->polygon(&chunk, &polygon, findings, error);
    kernel->work(&chunk, findings);
    kernel->true_cone(&chunk, findings);
    kernel->record(&chunk, error, findings);
}

/* Wide ones agree bit by bit; the plain one, which has no fused operations, up to rounding. */
static void test_widths_agree(void)
{
    const abuti_verify_kernel *chosen = abuti_verify_kernel_choose();
    for (int d = 3; d <= 64; ++d) {
        abuti_findings plain, wide;
        judge_with(&abuti_verify_kernel_plain, d, &plain);
        judge_with(chosen, d, &wide);
        const double *a = (const double *)(const void *)&wide, *b = (const double *)(const void *)&plain;
        for (int i = 0; i < ABUTI_BY_LANE * ABUTI_LANES; ++i)
            CHECK_MSG(fabs(a[i] - b[i]) <= RIGHT * (1 + fabs(a[i])), "d = %d, finding %d", d, i);
#ifdef ABUT_HAVE_AVX2
        if (abuti_cpu_runs(ABUTI_WIDTH_AVX2)) {
            judge_with(&abuti_verify_kernel_avx2, d, &plain);
            CHECK_MSG(memcmp(&plain, &wide, sizeof plain) == 0, "avx2, d = %d", d);
        }
#endif
    }
}

static void test_polygons(void)
{
    /* The angle given to cos and sin is itself rounded, at most by half an ulp of 2 pi three times. */
    const double pi = 3.14159265358979323846, angle = 2e-15;
    for (int d = 3; d <= 64; ++d) {
        abuti_polygon made, p;
        abuti_polygon_set(&made, d);
        p = *abuti_polygon_of(d, &made);
        CHECK_NEAR(p.kappa, cos(pi / d), 2e-16);
        CHECK_NEAR(p.half, sin(pi / d), 2e-16);
        for (int k = 0; k < d; ++k) {
            CHECK_NEAR(p.x[k], cos(2 * pi * (k + 0.5) / d), angle);
            CHECK_NEAR(p.y[k], sin(2 * pi * (k + 0.5) / d), angle);
            CHECK_NEAR(p.vertex_x[k], cos(2 * pi * k / d), angle);
            CHECK_NEAR(p.vertex_y[k], sin(2 * pi * k / d), angle);
        }
    }
}

static void test_misuse(void)
{
    scene s = sliding_box();
    double scratch[512];
    abut_contact_check check;
    s.problem.bodies = s.bodies;
    s.problem.contacts = s.contacts;
    CHECK_EQ_INT(abut_contact_verify(NULL, NULL, s.impulses, NULL, s.velocity, scratch, &check),
                 ABUT_INVALID_ARGUMENT);
    CHECK_EQ_INT(abut_contact_verify(&s.problem, NULL, NULL, NULL, s.velocity, scratch, &check),
                 ABUT_INVALID_ARGUMENT);
    CHECK_EQ_INT(abut_contact_verify(&s.problem, NULL, s.impulses, NULL, NULL, scratch, &check),
                 ABUT_INVALID_ARGUMENT);
    CHECK_EQ_INT(abut_contact_verify(&s.problem, NULL, s.impulses, NULL, s.velocity, NULL, &check),
                 ABUT_INVALID_ARGUMENT);
    CHECK_EQ_INT(abut_contact_verify(&s.problem, NULL, s.impulses, NULL, s.velocity, scratch, NULL),
                 ABUT_INVALID_ARGUMENT);
    s.contacts[2].bodies[0] = 1;
    CHECK_EQ_INT(abut_contact_verify(&s.problem, NULL, s.impulses, NULL, s.velocity, scratch, &check),
                 ABUT_INVALID_ARGUMENT);
    s.contacts[2].bodies[0] = 0;
    s.contacts[2].directions = 65;
    CHECK_EQ_INT(abut_contact_verify(&s.problem, NULL, s.impulses, NULL, s.velocity, scratch, &check),
                 ABUT_INVALID_ARGUMENT);
}

int main(void)
{
    RUN(test_three_doors);
    RUN(test_units_do_not_matter);
    RUN(test_far_away);
    RUN(test_an_island_has_its_own_scale);
    RUN(test_nothing_acts);
    RUN(test_joints);
    RUN(test_belts);
    RUN(test_loose_contacts);
    RUN(test_gaps_and_bounces);
    RUN(test_planar_friction);
    RUN(test_frictionless_model);
    RUN(test_widths_agree);
    RUN(test_polygons);
    RUN(test_misuse);
    return check_report();
}
