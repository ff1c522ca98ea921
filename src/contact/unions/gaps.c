/* What a motion means for the sides of unions: a_i = n_i.u+ + b_i, the gap at the end of the step over the
 * step (Egan et al., eqs. (10), (11)), and the energy by which answers are compared. */
#include "contact/unions/unions.h"

/* The normal velocity n.u of a pair of bodies at a contact. `velocity` has 6 numbers a body, which count for dynamic
 * bodies; the others, and all bodies where it is NULL, move with the velocity that the problem gives. */
static double normal_velocity(const abut_contact_problem *problem, const abut_contact *contact,
                              const double *velocity)
{
    double sum = 0.0;
    for (int side = 0; side < 2; ++side) {
        int body = contact->bodies[side];
        if (body < 0 || problem->bodies[body].kind == ABUT_STATIC) continue;
        const abut_body *b = &problem->bodies[body];
        const double *v = velocity && b->kind == ABUT_DYNAMIC ? velocity + 6 * (size_t)body : b->velocity;
        const double *point = abuti_point_of(contact, side);
        for (int c = 0; c < 3; ++c) {
            int d = (c + 1) % 3, e = (c + 2) % 3;
            double at = v[c] + v[3 + d] * (point[e] - b->com[e]) - v[3 + e] * (point[d] - b->com[d]);
            sum += (side == 0 ? 1.0 : -1.0) * contact->normal[c] * at;
        }
    }
    return sum;
}

static double along(const double *row, const double *v, size_t count)
{
    double sum = 0.0;
    for (size_t c = 0; c < count; ++c) sum += row[c] * v[c];
    return sum;
}

/* The velocity n.u before the step matters only to a side with restitution (abut/contact.h). */
double abuti_side_gap(const abut_contact_problem *problem, double threshold, int contact,
                      const double *velocity)
{
    const abut_contact *c = &problem->contacts[contact];
    size_t i = (size_t)contact;
    if (problem->generalised) {
        size_t nv = (size_t)problem->generalised->nv;
        const double *row = problem->generalised->normal_rows + i * nv;
        double given = c->surface[0],
               before = c->restitution == 0.0 ? 0.0 : along(row, problem->generalised->velocity, nv) + given;
        return along(row, velocity, nv) + given + abuti_bias(c, problem->step, threshold, before);
    }
    double before = c->restitution == 0.0 ? 0.0 : normal_velocity(problem, c, NULL);
    return normal_velocity(problem, c, velocity) + abuti_bias(c, problem->step, threshold, before);
}

static double body_energy(const abut_body *body, const double *v)
{
    const double *I = body->inertia, *w = v + 3;
    return 0.5 * (body->mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + I[0] * w[0] * w[0] +
                  I[1] * w[1] * w[1] + I[2] * w[2] * w[2]) +
           I[3] * w[0] * w[1] + I[4] * w[0] * w[2] + I[5] * w[1] * w[2];
}

double abuti_kinetic_energy(const abut_contact_problem *problem, const abuti_island *island,
                            const double *velocity)
{
    double energy = 0.0;
    if (problem->generalised) {
        size_t nv = (size_t)problem->generalised->nv;
        for (size_t i = 0; i < nv; ++i)
            energy += 0.5 * velocity[i] * along(problem->generalised->mass_matrix + i * nv, velocity, nv);
    } else {
        for (int b = 0; b < island->bodies; ++b)
            energy += body_energy(&problem->bodies[island->body[b]], velocity + 6 * (size_t)island->body[b]);
    }
    return energy;
}
