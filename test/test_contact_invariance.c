/* What must not matter: the order of the contacts, where the scene lies and how it is turned, and the units.
 */
#include "contact_case.h"
#include "golden_contacts.h"

/* The golden scenes have unique velocities, so every description of them must give the same ones. */
static void scene_case(const golden_scene *scene, contact_case *c)
{
    *c = (contact_case){.bodies = scene->body_count, .contacts = scene->contact_count};
    memcpy(c->body, scene->bodies, (size_t)scene->body_count * sizeof(abut_body));
    memcpy(c->contact, scene->contacts, (size_t)scene->contact_count * sizeof(abut_contact));
}

static void solve_and_compare(const contact_case *c, double step, abut_contact_solver solver,
                              const double *expected, double tolerance, const char *name, const char *what)
{
    abut_contact_problem problem = case_problem(c);
    problem.step = step;
    abut_contact_options options = abut_contact_default_options();
    options.solver = solver;
    options.alone = true;
    abut_contact_result result;
    abut_contact_workspace *work = case_solve(&problem, &options, &result);
    CHECK_MSG(result.outcome == ABUT_SOLVED && result.residual <= 1e-11, "%s %s by %s: %s %g", name, what,
              abut_contact_solver_name(solver), abut_outcome_name(result.outcome), result.residual);
    for (int i = 0; i < 6 * c->bodies && result.velocity; ++i) {
        CHECK_MSG(fabs(result.velocity[i] - expected[i]) <= tolerance, "%s %s by %s: v[%d] %g, expected %g",
                  name, what, abut_contact_solver_name(solver), i, result.velocity[i], expected[i]);
    }
    abut_contact_workspace_destroy(work);
}

#define FOR_EACH_SOLVER(solver)                                                                              \
    for (abut_contact_solver solver = 0; solver < ABUT_SOLVER_COUNT; ++solver)                               \
        if (solver != ABUT_SOLVER_ENUMERATE && abut_contact_supports(ABUT_COULOMB, solver, false))

static void test_order_of_contacts(void)
{
    uint64_t seed = check_seed(3);
    for (int s = 0; s < GOLDEN_SCENE_COUNT; ++s) {
        bench_random random = bench_random_stream(seed, (uint64_t)s);
        contact_case c;
        scene_case(&golden_scenes[s], &c);
        for (int round = 0; round < 4; ++round) {
            for (int i = c.contacts - 1; i > 0; --i) {
                int j = bench_below(&random, i + 1);
                abut_contact kept = c.contact[i];
                c.contact[i] = c.contact[j];
                c.contact[j] = kept;
            }
            FOR_EACH_SOLVER(solver)
            {
                solve_and_compare(&c, golden_scenes[s].step, solver, golden_scenes[s].v, 1e-11,
                                  golden_scenes[s].name, "in another order");
            }
        }
    }
}

/* A rotation matrix from a random quaternion. */
static void random_rotation(bench_random *random, double R[3][3])
{
    double q[4], square = 0.0;
    do {
        square = 0.0;
        for (int i = 0; i < 4; ++i) {
            q[i] = bench_uniform(random, -1.0, 1.0);
            square += q[i] * q[i];
        }
    } while (!(square > 0.1 && square <= 1.0));
    double by = 2.0 / square, w = q[0], x = q[1], y = q[2], z = q[3];
    double rotation[3][3] = {{1 - by * (y * y + z * z), by * (x * y - w * z), by * (x * z + w * y)},
                             {by * (x * y + w * z), 1 - by * (x * x + z * z), by * (y * z - w * x)},
                             {by * (x * z - w * y), by * (y * z + w * x), 1 - by * (x * x + y * y)}};
    memcpy(R, rotation, sizeof rotation);
}

static void turn(double R[3][3], const double in[3], double out[3])
{
    double x[3] = {in[0], in[1], in[2]};
    for (int i = 0; i < 3; ++i) out[i] = R[i][0] * x[0] + R[i][1] * x[1] + R[i][2] * x[2];
}

static void turn_inertia(double R[3][3], double I[6])
{
    static const int place[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    double out[6] = {0};
    for (int i = 0; i < 3; ++i) {
        for (int j = i; j < 3; ++j) {
            double sum = 0.0;
            for (int k = 0; k < 3; ++k) {
                for (int l = 0; l < 3; ++l) sum += R[i][k] * I[place[k][l]] * R[j][l];
            }
            out[place[i][j]] = sum;
        }
    }
    memcpy(I, out, sizeof out);
}

static void test_rigid_motion(void)
{
    uint64_t seed = check_seed(4);
    for (int s = 0; s < GOLDEN_SCENE_COUNT; ++s) {
        bench_random random = bench_random_stream(seed, (uint64_t)s);
        for (int round = 0; round < 4; ++round) {
            contact_case c;
            double R[3][3], shift[3], expected[6 * CASE_BODIES];
            scene_case(&golden_scenes[s], &c);
            random_rotation(&random, R);
            for (int k = 0; k < 3; ++k) shift[k] = bench_uniform(&random, -10.0, 10.0);
            for (int b = 0; b < c.bodies; ++b) {
                abut_body *body = &c.body[b];
                turn(R, body->com, body->com);
                for (int k = 0; k < 3; ++k) body->com[k] += shift[k];
                for (int half = 0; half < 2; ++half) {
                    turn(R, body->velocity + 3 * half, body->velocity + 3 * half);
                    turn(R, body->force + 3 * half, body->force + 3 * half);
                    turn(R, golden_scenes[s].v + 6 * b + 3 * half, expected + 6 * b + 3 * half);
                }
                turn_inertia(R, body->inertia);
            }
            for (int i = 0; i < c.contacts; ++i) {
                abut_contact *contact = &c.contact[i];
                turn(R, contact->point, contact->point);
                for (int k = 0; k < 3; ++k) contact->point[k] += shift[k];
                turn(R, contact->normal, contact->normal);
                turn(R, contact->tangent, contact->tangent);
            }
            FOR_EACH_SOLVER(solver)
            {
                solve_and_compare(&c, golden_scenes[s].step, solver, expected, 1e-10, golden_scenes[s].name,
                                  "moved");
            }
        }
    }
}

/* The scene in other units: kilograms, metres and seconds become `mass`, `length` and `time` of the new ones.
 */
static void change_units(contact_case *c, double mass, double length, double time)
{
    for (int b = 0; b < c->bodies; ++b) {
        abut_body *body = &c->body[b];
        body->mass *= mass;
        for (int k = 0; k < 6; ++k) {
            body->inertia[k] *= mass * length * length;
            body->velocity[k] *= k < 3 ? length / time : 1.0 / time;
            body->force[k] *= k < 3 ? mass * length / (time * time) : mass * length * length / (time * time);
        }
        for (int k = 0; k < 3; ++k) body->com[k] *= length;
    }
    for (int i = 0; i < c->contacts; ++i) {
        for (int k = 0; k < 3; ++k) c->contact[i].point[k] *= length;
        c->contact[i].gap *= length;
    }
}

/* Powers of four: roots and products are exact, so the solver must walk the same path to the same bits. */
static void test_units_exactly(void)
{
    uint64_t seed = check_seed(8);
    const double units[][3] = {{0x1p-20, 1, 1}, {0x1p20, 1, 1},  {1, 0x1p20, 1},          {1, 0x1p-20, 1},
                               {1, 1, 0x1p10},  {1, 1, 0x1p-10}, {0x1p-40, 0x1p40, 0x1p8}};
    for (int k = 0; k < 30; ++k) {
        bench_random random = bench_random_stream(seed, (uint64_t)k);
        contact_case plain;
        case_random(&plain, 1 + k % 3, 2 + k % 12, &random);
        for (int i = 0; i < plain.contacts; ++i)
            plain.contact[i].gap = k % 2 ? bench_uniform(&random, 0.0, 0.01) : 0.0;
        FOR_EACH_SOLVER(solver)
        {
            abut_contact_options options = abut_contact_default_options();
            options.solver = solver;
            abut_contact_problem problem = case_problem(&plain);
            abut_contact_result first;
            abut_contact_workspace *work = case_solve(&problem, &options, &first);
            CHECK_EQ_INT(first.outcome, ABUT_SOLVED);
            for (size_t u = 0; u < sizeof units / sizeof units[0] && first.contacts; ++u) {
                double mass = units[u][0], length = units[u][1], time = units[u][2];
                contact_case other = plain;
                change_units(&other, mass, length, time);
                abut_contact_problem changed = case_problem(&other);
                changed.step *= time;
                abut_contact_result result;
                abut_contact_workspace *another = case_solve(&changed, &options, &result);
                CHECK_EQ_INT(result.outcome, ABUT_SOLVED);
                CHECK_EQ_INT(result.pivots, first.pivots);
                for (int i = 0; i < 6 * other.bodies && result.velocity; ++i) {
                    double by = i % 6 < 3 ? length / time : 1.0 / time;
                    CHECK_MSG(result.velocity[i] == first.velocity[i] * by, "problem %d, units %zu, %s", k, u,
                              abut_contact_solver_name(solver));
                }
                for (int i = 0; i < other.contacts && result.contacts; ++i) {
                    CHECK(result.contacts[i].normal == first.contacts[i].normal * (mass * length / time));
                }
                abut_contact_workspace_destroy(another);
            }
            abut_contact_workspace_destroy(work);
        }
    }
}

/* Millinewtons and meganewtons, grams and tonnes, micrometres and kilometres. */
static void test_units(void)
{
    const double units[][3] = {{1e3, 1, 1},   {1e-3, 1, 1}, {1, 1e6, 1}, {1, 1e-3, 1},
                               {1e3, 1e3, 1}, {1, 1, 1e3},  {1, 1, 1e-3}};
    for (int s = 0; s < GOLDEN_SCENE_COUNT; ++s) {
        for (size_t u = 0; u < sizeof units / sizeof units[0]; ++u) {
            contact_case c;
            double expected[6 * CASE_BODIES], length = units[u][1], time = units[u][2];
            scene_case(&golden_scenes[s], &c);
            change_units(&c, units[u][0], length, time);
            double largest = 0.0;
            for (int i = 0; i < 6 * c.bodies; ++i) {
                expected[i] = golden_scenes[s].v[i] * (i % 6 < 3 ? length / time : 1.0 / time);
                largest = fmax(largest, fabs(expected[i]));
            }
            double tolerance = 1e-10 * (largest + 0.1 * fmax(length, 1.0) / time);
            FOR_EACH_SOLVER(solver)
            {
                solve_and_compare(&c, golden_scenes[s].step * time, solver, expected, tolerance,
                                  golden_scenes[s].name, "in other units");
            }
        }
    }
}

int main(void)
{
    RUN(test_order_of_contacts);
    RUN(test_rigid_motion);
    RUN(test_units_exactly);
    RUN(test_units);
    return check_report();
}
