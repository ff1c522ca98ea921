/* Coulomb's law on circles and ellipses: random families, each stage alone, isotropy, the spinning disc, warm
 * sequences, doors, unions, and what is refused. Every answer goes through the verifier, and through a checker of its own
 * that knows nothing but the law. */
#include "abut/union.h"
#include "check.h"
#include "contact_families.h"
#include "contact_trial.h"
#include "io/delassus.h"

#define PI 3.14159265358979323846

static void make_round(contact_case *c, abut_contact_cone cone, bench_random *random)
{
    for (int i = 0; i < c->problem.contact_count; ++i) {
        abut_contact *contact = &c->contacts[i];
        contact->cone = contact->friction > 0 ? cone : ABUT_CONE_CIRCLE;
        if (cone == ABUT_CONE_ELLIPSE)
            contact->friction_across = contact->friction * bench_uniform(random, 0.2, 5);
    }
}

/* The law itself, in units of the largest impulse and velocity: friction within the ellipse, as much power as the slip
 * can give it. */
static double law_error(const abut_contact_problem *problem, const abut_contact_result *result)
{
    double impulse = 0, speed = 0, worst = 0;
    for (int i = 0; i < problem->contact_count; ++i) {
        const abut_contact_answer *a = &result->contacts[i];
        impulse = fmax(impulse, fmax(a->normal, hypot(a->tangent[0], a->tangent[1])));
        for (int k = 0; k < 3; ++k) speed = fmax(speed, fabs(a->velocity[k]));
    }
    for (int i = 0; problem->local && i < 3 * problem->contact_count; ++i)
        speed = fmax(speed, fabs(problem->local->q[i]));
    for (int i = 0; i < problem->body_count; ++i) /* bodies at rest have rounding for velocities */
        for (int k = 0; k < 6; ++k) {
            const abut_body *b = &problem->bodies[i];
            double mass = k < 3 ? b->mass : b->inertia[k - 3];
            speed = fmax(speed, fabs(b->velocity[k]) + problem->step * fabs(b->force[k]) / mass);
        }
    for (int i = 0; i < problem->contact_count && impulse > 0; ++i) {
        const abut_contact *c = &problem->contacts[i];
        const abut_contact_answer *a = &result->contacts[i];
        if (c->cone == ABUT_CONE_POLYGON || c->directions == 2 || c->viscous > 0 || c->group > 0) continue;
        double along = c->friction, across = c->cone == ABUT_CONE_ELLIPSE ? c->friction_across : c->friction;
        double x = along > 0 ? a->tangent[0] / along : 0, y = across > 0 ? a->tangent[1] / across : 0;
        double limit = hypot(along * a->velocity[1], across * a->velocity[2]) * a->normal;
        double power = a->tangent[0] * a->velocity[1] + a->tangent[1] * a->velocity[2];
        worst = fmax(worst, (hypot(x, y) - a->normal) * fmin(along, across) / impulse);
        if (speed > 0)
            worst = fmax(worst, fabs(limit + power) / (impulse * speed * (1 + fmax(along, across))));
    }
    return worst;
}

static void expect_right(const contact_trial *trial, const abut_contact_problem *problem, const char *name,
                         int number)
{
    CHECK_MSG(trial->result.outcome == ABUT_SOLVED && trial->check.residual <= 1e-9, "%s %d: %s, residual %g",
              name, number, abut_outcome_name(trial->result.outcome), trial->check.residual);
    if (trial->result.outcome != ABUT_SOLVED) return;
    CHECK_MSG(law_error(problem, &trial->result) <= 1e-7, "%s %d: law %g", name, number,
              law_error(problem, &trial->result));
    for (int i = 0; i < problem->contact_count; ++i)
        CHECK(trial->result.contacts[i].state != ABUT_EDGE || problem->contacts[i].cone == ABUT_CONE_POLYGON);
}

/* `count` problems of a family; the number of those that have an answer. */
static int run_family(contact_trial *trial, const char *name, int count, abut_contact_cone cone,
                      uint64_t seed, bool all)
{
    const contact_family *family = contact_family_find(name);
    contact_case *c = contact_case_create();
    int sizes = 0, solved = 0;
    while (sizes < CONTACT_SIZES_MAX && family->sizes[sizes] != 0) sizes++;
    for (int i = 0; i < count; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        CHECK(contact_family_make(family, family->sizes[i % sizes], &random, c));
        make_round(c, cone, &random);
        CHECK(contact_trial_run(trial, &c->problem));
        abut_outcome outcome = trial->result.outcome;
        if ((outcome == ABUT_RAY || trial->proven) && family->ray_allowed) continue;
        solved += outcome == ABUT_SOLVED;
        if (all || outcome == ABUT_SOLVED) expect_right(trial, &c->problem, name, i);
    }
    contact_case_destroy(c);
    return solved;
}

static void test_families(void)
{
    static const char *const names[] = {
        "pegs",       "jittered",   "single", "stacks",  "towers",         "walls",           "gaps",
        "duplicates", "directions", "masses", "belts",   "friction",       "units",           "rebound",
        "chains",     "driven",     "loops",  "clutter", "symmetric-pegs", "symmetric-stacks"};
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    for (size_t k = 0; k < sizeof names / sizeof names[0]; ++k) {
        run_family(trial, names[k], 60, ABUT_CONE_CIRCLE, 11, true);
        run_family(trial, names[k], 30, ABUT_CONE_ELLIPSE, 12, k < 6);
    }
    contact_trial_destroy(trial);
}

/* Each stage alone: Newton's method from the polygon's answer, the proximal point and the interior point from nothing. */
static void test_stages(void)
{
    static const char *const names[] = {"cone-newton", "cone-proximal", "cone-interior"};
    static const char *const families[] = {"pegs", "single", "stacks", "walls"};
    enum { COUNT = 12 };
    for (int s = 0; s < 3; ++s) {
        contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
        trial->options.stage = names[s];
        for (int k = 0; k < (s == 1 ? 3 : 4);
             k++) { /* from nothing, walls take the proximal point too long */
            int solved = run_family(trial, families[k], COUNT, ABUT_CONE_CIRCLE, 13, false);
            CHECK_MSG(solved == COUNT, "%s solved %d of %d %s", names[s], solved, COUNT, families[k]);
        }
        contact_trial_destroy(trial);
    }
}

/* A block of unit mass on four corners with its centre of mass at the floor, so that pushing does not tilt it. */
static void make_block(contact_case *c, double mu, double angle, double push, double speed)
{
    double inertia[3];
    contact_case_clear(c);
    contact_block_inertia(1, 1, 1, 1, inertia);
    int body = contact_case_body(c, 1, inertia, (double[3]){0, 0, 0});
    abut_body *b = &c->bodies[body];
    b->force[0] = push * cos(angle);
    b->force[1] = push * sin(angle);
    b->force[2] = -CONTACT_GRAVITY;
    b->velocity[0] = speed * cos(angle);
    b->velocity[1] = speed * sin(angle);
    for (int k = 0; k < 4; ++k) {
        int i =
            contact_case_add(c, body, ABUT_WORLD, mu, (double[3]){k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, 0},
                             (double[3]){0, 0, 1});
        c->contacts[i].cone = ABUT_CONE_CIRCLE;
    }
}

/* Pushed in 360 directions it starts at the same force, and slides with the same deceleration. */
static void test_isotropy(void)
{
    const double mu = 0.4, weight = CONTACT_GRAVITY;
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    contact_case *c = contact_case_create();
    for (int degree = 0; degree < 360; ++degree) {
        double angle = degree * PI / 180;
        for (int side = -1; side <= 1; side += 2) {
            make_block(c, mu, angle, mu * weight * (1 + side * 1e-9), 0);
            CHECK(contact_trial_run(trial, &c->problem));
            expect_right(trial, &c->problem, "push", degree);
            double speed = hypot(trial->result.velocity[0], trial->result.velocity[1]);
            CHECK_MSG(side < 0 ? speed <= 1e-12 : speed > 1e-12, "%d degrees: %g", degree, speed);
        }
        make_block(c, mu, angle, 0, 1);
        CHECK(contact_trial_run(trial, &c->problem));
        expect_right(trial, &c->problem, "slide", degree);
        const double *v = trial->result.velocity;
        double expected = 1 - mu * weight * CONTACT_STEP;
        double slower = (1 - expected) * 1e-12; /* of the deceleration itself */
        CHECK_MSG(fabs(v[0] - expected * cos(angle)) <= slower &&
                      fabs(v[1] - expected * sin(angle)) <= slower,
                  "%d degrees: %.17g", degree, hypot(v[0], v[1]));
        CHECK(trial->result.contacts[0].state == ABUT_OPEN || trial->result.contacts[0].state == ABUT_SLIDE);
    }
    contact_case_destroy(c);
    contact_trial_destroy(trial);
}

/* An ellipse holds along each axis as much as its coefficient says. */
static void test_ellipse(void)
{
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    contact_case *c = contact_case_create();
    for (int axis = 0; axis < 2; ++axis) {
        for (int side = -1; side <= 1; side += 2) {
            double mu = axis == 0 ? 0.5 : 0.1;
            make_block(c, 0.5, axis * PI / 2, mu * CONTACT_GRAVITY * (1 + side * 1e-6), 0);
            for (int i = 0; i < 4; ++i) {
                c->contacts[i].cone = ABUT_CONE_ELLIPSE;
                c->contacts[i].friction_across = 0.1;
                c->contacts[i].tangent[0] = 1;
            }
            CHECK(contact_trial_run(trial, &c->problem));
            expect_right(trial, &c->problem, "ellipse", axis);
            double speed = hypot(trial->result.velocity[0], trial->result.velocity[1]);
            CHECK_MSG(side < 0 ? speed <= 1e-12 : speed > 1e-9, "axis %d: %g", axis, speed);
        }
    }
    contact_case_destroy(c);
    contact_trial_destroy(trial);
}

/* Force over mu N and torque over mu N R of a ring that spins and slides, e = v / (R w): means over the ring. */
static void ring(double e, double *force, double *torque)
{
    enum { PARTS = 100000 };
    *force = *torque = 0;
    for (int k = 0; k < PARTS; ++k) {
        double cosine = cos(2 * PI * (k + 0.5) / PARTS), speed = sqrt(1 + e * e + 2 * e * cosine);
        *force += (e + cosine) / speed / PARTS;
        *torque += (1 + e * cosine) / speed / PARTS;
    }
}

/* A disc on a ring of 32 contacts that spins and slides: both end together, at a ratio v / (R w) that Farkas, Bartels,
 * Unger and Wolf (2003) found for discs, here where force / e = (m R^2 / I) torque, and which it keeps to the end. The
 * interior point shares the load
 * evenly among redundant contacts, as the formula does. */
static void test_disc(void)
{
    enum { CONTACTS = 32 };
    const double radius = 1, mu = 0.3, weight = CONTACT_GRAVITY, inertia = 0.6;
    double low = 1e-3, high = 10, force, torque;
    for (int k = 0; k < 50; ++k) {
        double middle = 0.5 * (low + high);
        ring(middle, &force, &torque);
        if (force / middle < torque / inertia) {
            low = middle;
        } else {
            high = middle;
        }
    }
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    trial->options.stage = "cone-interior";
    contact_case *c = contact_case_create();
    int body = contact_case_body(c, 1, (double[3]){0.4, 0.4, inertia}, (double[3]){0, 0, 0});
    for (int k = 0; k < CONTACTS; ++k) {
        double x, y;
        contact_circle(k, CONTACTS, &x, &y);
        int i = contact_case_add(c, body, ABUT_WORLD, mu, (double[3]){radius * x, radius * y, 0},
                                 (double[3]){0, 0, 1});
        c->contacts[i].cone = ABUT_CONE_CIRCLE;
    }
    abut_body *b = &c->bodies[body];
    double step = 5e-5, ratio = 0;
    b->force[2] = -weight;
    b->velocity[0] = 0.2 * low * radius;
    b->velocity[5] = 0.2;
    c->problem.step = step;
    for (int k = 0; k < 4000; ++k) {
        double before = hypot(b->velocity[0], b->velocity[1]) + fabs(b->velocity[5]);
        if (before < 0.25) break;
        CHECK(contact_trial_run(trial, &c->problem));
        expect_right(trial, &c->problem, "disc", k);
        if (trial->result.outcome != ABUT_SOLVED) break;
        memcpy(b->velocity, trial->result.velocity, sizeof b->velocity);
        CHECK(hypot(b->velocity[0], b->velocity[1]) + fabs(b->velocity[5]) < before);
        ratio = hypot(b->velocity[0], b->velocity[1]) / (radius * fabs(b->velocity[5]));
    }
    CHECK_MSG(fabs(ratio - low) <= 1e-3 && low > 1.5 && low < 1.6, "ratio %.6f, expected %.6f", ratio, low);
    contact_case_destroy(c);
    contact_trial_destroy(trial);
}

/* Slow changes of one scene, warm: every step is right, most by cone-check. */
static void test_warm(void)
{
    contact_case *c = contact_case_create();
    for (int s = 0; s < contact_sequence_count; ++s) {
        contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
        trial->options.warm = true;
        int checked = 0, moving = 0, newton = 0;
        for (int step = 0; step < 60; ++step) {
            bench_random random = bench_random_stream(3, (uint64_t)step);
            contact_case_clear(c);
            contact_sequences[s].make(c, contact_sequences[s].sizes[0], step, 5);
            make_round(c, ABUT_CONE_CIRCLE, &random);
            CHECK(contact_trial_run(trial, &c->problem));
            expect_right(trial, &c->problem, contact_sequences[s].name, step);
            checked += strcmp(trial->result.stage, "cone-check") == 0;
            moving += strncmp(trial->result.stage, "rest", 4) != 0;
            if (strcmp(trial->result.stage, "cone-check") == 0) newton += trial->result.pivots;
        }
        /* Impulses that change steadily are known in advance: one step with a new factor, one with the same. */
        if (contact_sequences[s].sizes[0] == 1)
            CHECK_MSG(10 * newton <= 23 * checked, "%s: %d steps in %d calls", contact_sequences[s].name,
                      newton, checked);
        CHECK_MSG(2 * checked >= moving || moving < 20, "%s: %d of %d by cone-check",
                  contact_sequences[s].name, checked, moving);
        contact_trial_destroy(trial);
    }
    contact_case_destroy(c);
}

/* Polygons, circles, segments and no friction in one island. */
static void test_mixed(void)
{
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    contact_case *c = contact_case_create();
    int solved = 0;
    for (int i = 0; i < 200; ++i) {
        bench_random random = bench_random_stream(21, (uint64_t)i);
        CHECK(
            contact_family_make(contact_family_find(i % 2 ? "stacks" : "pegs"), i % 2 ? 3 : 16, &random, c));
        for (int k = 0; k < c->problem.contact_count; ++k) {
            int kind = bench_below(&random, 4);
            c->contacts[k].cone = kind == 0 ? ABUT_CONE_POLYGON : ABUT_CONE_CIRCLE;
            if (kind == 1) c->contacts[k].directions = 2;
            if (kind == 2) c->contacts[k].friction = 0;
        }
        CHECK(contact_trial_run(trial, &c->problem));
        solved += trial->result.outcome == ABUT_SOLVED && trial->check.residual <= 1e-9;
        if (trial->result.outcome == ABUT_SOLVED) CHECK(law_error(&c->problem, &trial->result) <= 1e-7);
    }
    CHECK_MSG(solved >= 198, "%d of 200", solved);
    contact_case_destroy(c);
    contact_trial_destroy(trial);
}

/* The verifier finds what is wrong with a right answer that was changed a little, and where. */
static void test_damage(void)
{
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    contact_case *c = contact_case_create();
    make_block(c, 0.4, 0.3, 0, 1);
    CHECK(contact_trial_run(trial, &c->problem));
    double p[12], v[6], scratch[4096];
    CHECK(abut_contact_verify_size(&c->problem) <= 4096);
    for (int damage = 0; damage < 4; ++damage) {
        abut_contact_check check;
        memcpy(v, trial->result.velocity, sizeof v);
        for (int i = 0; i < 4; ++i) {
            const abut_contact_answer *a = &trial->result.contacts[i];
            double turn = damage == 1 ? 1e-5 : 0, by = damage == 2 ? 1 - 1e-5 : damage == 3 ? 1 + 1e-5 : 1;
            p[3 * i] = a->normal;
            p[3 * i + 1] = by * (a->tangent[0] - turn * a->tangent[1]);
            p[3 * i + 2] = by * (a->tangent[1] + turn * a->tangent[0]);
        }
        CHECK(abut_contact_verify(&c->problem, NULL, p, NULL, v, scratch, &check) == ABUT_OK);
        if (damage == 0) CHECK(check.residual <= 1e-12 && check.cone_residual == check.residual);
        if (damage == 1) CHECK(check.direction > 1e-8 && check.cone < 1e-9);
        if (damage >= 2) CHECK(check.cone > 1e-8 && check.direction < 1e-9);
        CHECK(check.normal <= 1e-12);
    }
    contact_case_destroy(c);
    contact_trial_destroy(trial);
}

/* The same problems as W + q, and with the mass matrix and rows of one body. */
static void test_doors(void)
{
    static const char *const names[] = {"single", "stacks", "gaps", "chains"};
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    contact_case *c = contact_case_create();
    for (int i = 0; i < 80; ++i) {
        bench_random random = bench_random_stream(31, (uint64_t)i);
        const contact_family *family = contact_family_find(names[i % 4]);
        CHECK(contact_family_make(family, family->sizes[i / 4 % 3], &random, c));
        make_round(c, ABUT_CONE_CIRCLE, &random);
        abuti_delassus local;
        abut_error error = {""};
        CHECK_MSG(abuti_delassus_form(&c->problem, NULL, &local, &error), "%s", error.text);
        abut_local door = {.dimension = local.dimension, .W = local.W, .q = local.q};
        abut_contact_problem problem = c->problem;
        for (int k = 0; k < problem.contact_count; ++k) c->contacts[k].gap = c->contacts[k].restitution = 0;
        for (int k = 0; k < problem.joint_count; ++k) c->joints[k].target = 0;
        problem.body_count = 0;
        problem.bodies = NULL;
        problem.local = &door;
        CHECK(contact_trial_run(trial, &problem));
        expect_right(trial, &problem, names[i % 4], i);
        abuti_delassus_release(&local);
    }
    /* A block at the generalised door: rows of its corners by hand. */
    double rows[12 * 6], velocity[6] = {0.6, 0.3, 0, 0, 0, 0.4}, force[6] = {0, 0, -CONTACT_GRAVITY, 0, 0, 0};
    static const double identity[36] = {[0] = 1, [7] = 1, [14] = 1, [21] = 1, [28] = 1, [35] = 1};
    abut_contact contacts[4] = {{.friction = 0}};
    for (int k = 0; k < 4; ++k) {
        double x = k & 1 ? 0.5 : -0.5, y = k & 2 ? 0.5 : -0.5;
        const double normal[6] = {0, 0, 1, y, -x, 0}, t[6] = {1, 0, 0, 0, 0, -y}, b[6] = {0, 1, 0, 0, 0, x};
        memcpy(rows + 6 * k, normal, sizeof normal);
        memcpy(rows + 24 + 12 * k, t, sizeof t);
        memcpy(rows + 30 + 12 * k, b, sizeof b);
        contacts[k].friction = 0.4;
        contacts[k].cone = ABUT_CONE_CIRCLE;
    }
    abut_generalised generalised = {.nv = 6,
                                    .mass_matrix = identity,
                                    .velocity = velocity,
                                    .force = force,
                                    .normal_rows = rows,
                                    .tangent_rows = rows + 24};
    abut_contact_problem problem = {
        .step = CONTACT_STEP, .contact_count = 4, .contacts = contacts, .generalised = &generalised};
    CHECK(contact_trial_run(trial, &problem));
    expect_right(trial, &problem, "generalised", 0);
    contact_case_destroy(c);
    contact_trial_destroy(trial);
}

static void test_refused(void)
{
    contact_case *c = contact_case_create();
    abut_contact_workspace *work = NULL;
    abut_contact_result result;
    abut_error error;
    abut_contact_options options = abut_contact_default_options();
    abut_contact_limits limits = {.bodies = 1, .contacts = 4};
    make_block(c, 0.4, 0, 0, 1);
    CHECK(abut_contact_workspace_create(&limits, NULL, &work) == ABUT_OK);
    CHECK(abut_contact_solve(work, &c->problem, &options, &result) == ABUT_TOO_LARGE);
    abut_contact_workspace_destroy(work);
    limits = abut_contact_limits_for(&c->problem, NULL);
    CHECK(limits.cones);
    limits.solvers = 0;
    CHECK(abut_contact_workspace_create(&limits, NULL, &work) == ABUT_OK);
    options.solver = ABUT_SOLVER_REDUCED;
    CHECK(abut_contact_solve(work, &c->problem, &options, &result) == ABUT_UNSUPPORTED);
    options.solver = ABUT_SOLVER_FACES;
    c->contacts[2].cone = ABUT_CONE_ELLIPSE;
    CHECK(abut_contact_solve(work, &c->problem, &options, &result) == ABUT_INVALID_ARGUMENT);
    CHECK(abut_contact_validate(&c->problem, &error) == ABUT_INVALID_ARGUMENT);
    CHECK(strstr(error.text, "contacts[2].friction_across"));
    c->contacts[2].cone = (abut_contact_cone)7;
    CHECK(abut_contact_solve(work, &c->problem, &options, &result) == ABUT_INVALID_ARGUMENT);
    CHECK(abut_contact_validate(&c->problem, &error) == ABUT_INVALID_ARGUMENT);
    CHECK(strstr(error.text, "contacts[2].cone"));
    c->contacts[2].cone = ABUT_CONE_CIRCLE;
    CHECK(abut_contact_solve(work, &c->problem, &options, &result) == ABUT_OK &&
          result.outcome == ABUT_SOLVED);
    abut_contact_workspace_destroy(work);
    contact_case_destroy(c);
}

/* A ball in a corner whose two faces are one union: the side that holds has a circle. */
static void test_union(void)
{
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    contact_case *c = contact_case_create();
    for (int degree = 0; degree < 360; degree += 7) {
        double angle = degree * PI / 180;
        make_block(c, 0.4, angle, 6, 0.3);
        for (int i = 0; i < 4; ++i) {
            int other =
                contact_case_add(c, 0, ABUT_WORLD, 0.4, c->contacts[i].point, (double[3]){0.6, 0, 0.8});
            c->contacts[other].cone = ABUT_CONE_CIRCLE;
            c->contacts[i].group = c->contacts[other].group = i + 1;
        }
        CHECK(contact_trial_run(trial, &c->problem));
        CHECK_MSG(trial->result.outcome == ABUT_SOLVED && trial->check.residual <= 1e-9, "%d degrees: %s, %g",
                  degree, abut_outcome_name(trial->result.outcome), trial->check.residual);
    }
    contact_case_destroy(c);
    contact_trial_destroy(trial);
}

int main(void)
{
    RUN(test_families);
    RUN(test_stages);
    RUN(test_isotropy);
    RUN(test_ellipse);
    RUN(test_disc);
    RUN(test_warm);
    RUN(test_mixed);
    RUN(test_damage);
    RUN(test_doors);
    RUN(test_refused);
    RUN(test_union);
    return check_report();
}
