/* Lloyd's peg in a hole (Fig. 4): n contacts in two rings, at the top and the bottom of the hole, that push
 * towards the axis; a random wrench at the centre. */
#include "contact_families.h"

static const double RADIUS = 0.02, DEPTH = 0.06, MASS = 0.4;

static int peg_body(contact_case *c)
{
    /* A cylinder of twice the hole's depth. */
    double across = MASS * (3 * RADIUS * RADIUS + 4 * DEPTH * DEPTH) / 12, along = MASS * RADIUS * RADIUS / 2;
    return contact_case_body(c, MASS, (double[]){across, across, along}, (double[]){0, 0, 0});
}

static void ring_contact(contact_case *c, int body, double mu, int i, int n)
{
    int half = (n + 1) / 2, top = i < half;
    double x, y;
    contact_circle(top ? i : i - half, top ? half : n - half, &x, &y);
    double point[3] = {RADIUS * x, RADIUS * y, top ? DEPTH / 2 : -DEPTH / 2};
    int added = contact_case_add(c, body, ABUT_WORLD, mu, point, (double[]){-x, -y, 0});
    c->contacts[added].tangent[0] = -y;
    c->contacts[added].tangent[1] = x;
}

void contact_make_peg(contact_case *c, int n, bench_random *random)
{
    int body = peg_body(c);
    for (int i = 0; i < n; ++i) ring_contact(c, body, contact_usual_friction(random), i, n);
    contact_random_wrench(c, body, 10, DEPTH, random);
}

/* Points and normals as a measurement would give them: a little off, and no two alike. */
void contact_make_peg_jittered(contact_case *c, int n, bench_random *random)
{
    contact_make_peg(c, n, random);
    for (int i = 0; i < c->problem.contact_count; ++i) {
        abut_contact *contact = &c->contacts[i];
        double length2 = 0;
        for (int k = 0; k < 3; ++k) {
            contact->point[k] += 0.01 * RADIUS * bench_normal(random);
            contact->normal[k] += 0.01 * bench_normal(random);
            length2 += contact->normal[k] * contact->normal[k];
        }
        for (int k = 0; k < 3; ++k) {
            contact->normal[k] /= sqrt(length2);
            contact->tangent[k] = 0;
        }
    }
}

/* Everything equal, and a wrench along or about axes of symmetry: ties wherever a ratio test looks. */
void contact_make_peg_symmetric(contact_case *c, int n, bench_random *random)
{
    int body = peg_body(c);
    for (int i = 0; i < n; ++i) ring_contact(c, body, 0.25, i, n);
    double *force = c->bodies[body].force;
    switch (bench_below(random, 6)) {
    case 0: force[0] = 1; break;
    case 1: force[2] = -1; break;
    case 2: force[5] = 0.125; break;
    case 3: force[4] = 0.125; break;
    case 4:
        force[0] = force[1] = 1;
        force[2] = -1;
        break;
    default:
        force[0] = 1;
        force[4] = -0.25;
        break;
    }
}
