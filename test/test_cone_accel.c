/* Circles at the acceleration level: what rests in space obeys Coulomb's circle on its accelerations, what slides has the
 * direction of its velocity. */
#include "check.h"
#include "contact_trial.h"
#include "family_accel.h"

#include <math.h>
#include <string.h>

static void set_cones(contact_case *c, abut_contact_cone cone)
{
    for (int i = 0; i < c->problem.contact_count; ++i) c->contacts[i].cone = cone;
}

/* A cube of 1 kg on four points of a floor with mu = 0.4, pushed at an angle; it moves along it with this speed. */
static void make_block(contact_case *c, double angle, double push, double speed)
{
    static const double inertia[3] = {1.0 / 6, 1.0 / 6, 1.0 / 6};
    contact_case_clear(c);
    int body = contact_case_body(c, 1, inertia, (double[3]){0, 0, 0.5});
    c->bodies[body].force[0] = push * cos(angle);
    c->bodies[body].force[1] = push * sin(angle);
    c->bodies[body].force[2] = -10;
    c->bodies[body].velocity[0] = speed * cos(angle);
    c->bodies[body].velocity[1] = speed * sin(angle);
    for (int k = 0; k < 4; ++k)
        contact_case_add(c, body, ABUT_WORLD, 0.4, (double[3]){k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, 0.5},
                         (double[3]){0, 0, 1});
    c->problem.model = ABUT_COULOMB_ACCEL;
    set_cones(c, ABUT_CONE_CIRCLE);
}

/* Pushed through its centre with 6 N it starts with 2 m/s^2 whatever the angle; with 3.9 N it stays; sliding it slows down with
 * 4 m/s^2. */
static void test_isotropy(void)
{
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    contact_case *c = contact_case_create();
    for (int degree = 0; degree < 360 && trial && c; ++degree) {
        static const struct {
            double push, speed, expected;
        } runs[] = {{6, 0, 2}, {3.9, 0, 0}, {0, 1, -4}};
        double angle = degree * 0.017453292519943295;
        for (int k = 0; k < 3; ++k) {
            make_block(c, angle, runs[k].push, runs[k].speed);
            for (int i = 0; i < 4; ++i)
                c->contacts[i].point[2] = 0.5; /* pushed at the height of the floor: no moment */
            CHECK(contact_trial_run(trial, &c->problem));
            CHECK(trial->result.outcome == ABUT_SOLVED && trial->check.residual <= 1e-11);
            const double *a = trial->result.velocity;
            CHECK_NEAR(a[0], runs[k].expected * cos(angle), 1e-11);
            CHECK_NEAR(a[1], runs[k].expected * sin(angle), 1e-11);
        }
    }
    contact_trial_destroy(trial);
    contact_case_destroy(c);
}

/* The acceleration of contact i along its tangents, from the bodies alone. */
static void slip_of(const contact_case *c, const abut_contact_result *result, int i, double out[3])
{
    const abut_contact *contact = &c->contacts[i];
    out[0] = out[1] = out[2] = 0;
    for (int side = 0; side < 2; ++side) {
        int b = contact->bodies[side];
        if (b < 0 || c->bodies[b].kind == ABUT_STATIC) continue;
        const double *a = result->velocity + 6 * b, *com = c->bodies[b].com;
        double r[3] = {contact->point[0] - com[0], contact->point[1] - com[1], contact->point[2] - com[2]};
        double sign = side == 0 ? 1 : -1;
        out[0] += sign * (a[0] + a[4] * r[2] - a[5] * r[1]);
        out[1] += sign * (a[1] + a[5] * r[0] - a[3] * r[2]);
        out[2] += sign * (a[2] + a[3] * r[1] - a[4] * r[0]);
    }
    double along = 0;
    for (int k = 0; k < 3; ++k) out[k] += contact->drift[0] * contact->normal[k];
    for (int k = 0; k < 3; ++k) along += out[k] * contact->normal[k];
    for (int k = 0; k < 3; ++k) out[k] -= along * contact->normal[k];
}

/* How far a contact that rests is from Coulomb's circle: friction beyond it, short of it or off the slip where it begins to
 * slip. */
static double off_circle(const contact_case *c, const abut_contact_result *result, int i)
{
    const abut_contact_answer *q = &result->contacts[i];
    const abut_contact *contact = &c->contacts[i];
    double slip[3], n[3], f[3];
    memcpy(n, contact->normal, sizeof n);
    const double *t = q->axis,
                 b[3] = {n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2], n[0] * t[1] - n[1] * t[0]};
    slip_of(c, result, i, slip);
    double limit = contact->friction * q->normal, size = hypot(q->tangent[0], q->tangent[1]), speed = 0,
           wrong = 0;
    for (int k = 0; k < 3; ++k) {
        f[k] = q->tangent[0] * t[k] + q->tangent[1] * b[k];
        speed += slip[k] * slip[k];
    }
    speed = sqrt(speed);
    wrong = fmax(0, size - limit);
    for (int k = 0; k < 3 && speed > 1e-5; ++k) wrong = fmax(wrong, fabs(f[k] + limit * slip[k] / speed));
    return wrong / (1 + limit);
}

/* Random problems at rest: all are solved, and by this file's own arithmetic on the circle. What slides or separates already
 * may leave no answer at all. */
static void test_random(void)
{
    uint64_t seed = check_seed(20);
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    contact_case *c = contact_case_create();
    int rounded = 0, solved = 0;
    for (int i = 0; i < 600 && trial && c; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        int bodies = 1 + bench_below(&random, 3), contacts = bodies + bench_below(&random, 8);
        accel_motion motion = (accel_motion)bench_below(&random, 3);
        accel_make(c, false, bodies, contacts, motion, 1.5, &random);
        set_cones(c, ABUT_CONE_CIRCLE);
        CHECK(contact_trial_run(trial, &c->problem));
        bool right = trial->result.outcome == ABUT_SOLVED && trial->check.residual <= 1e-9;
        bool ray = trial->result.outcome == ABUT_RAY && motion != ACCEL_AT_REST;
        CHECK_MSG(right || ray, "problem %d: %s, residual %g", i, abut_outcome_name(trial->result.outcome),
                  trial->check.residual);
        solved += right;
        rounded += right && strcmp(trial->result.stage, "cone-newton") == 0;
        for (int k = 0; k < c->problem.contact_count && right && motion == ACCEL_AT_REST; ++k)
            CHECK_MSG(off_circle(c, &trial->result, k) <= 1e-6, "problem %d, contact %d: off by %g", i, k,
                      off_circle(c, &trial->result, k));
    }
    CHECK_MSG(rounded >= 50, "%d of %d by Newton's method", rounded, solved);
    contact_trial_destroy(trial);
    contact_case_destroy(c);
}

/* Ellipses have no meaning there, and are refused by name. */
static void test_ellipse(void)
{
    contact_case *c = contact_case_create();
    abut_error error = {""};
    make_block(c, 0, 1, 0);
    for (int i = 0; i < 4; ++i) {
        c->contacts[i].cone = ABUT_CONE_ELLIPSE;
        c->contacts[i].friction_across = 0.2;
    }
    CHECK(abut_contact_validate(&c->problem, &error) == ABUT_INVALID_ARGUMENT);
    CHECK(strstr(error.text, "contacts[0].cone: ellipse") && strstr(error.text, "coulomb-accel"));
    contact_case_destroy(c);
}

int main(void)
{
    RUN(test_isotropy);
    RUN(test_random);
    RUN(test_ellipse);
    return check_report();
}
