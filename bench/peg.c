#include "peg.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

void bench_peg_make(bench_peg *peg, int n, int d, bench_random *random)
{
    const double radius = 0.5, length = 2, ring_height = 0.5;
    double across = (3 * radius * radius + length * length) / 12, along = radius * radius / 2;
    *peg = (bench_peg){.n = n, .body = {.mass = 1, .inertia = {across, across, along}}};
    for (int k = 0; k < 6; k++) peg->body.force[k] = bench_uniform(random, -1, 1);
    for (int i = 0; i < n; i++) {
        int half = n / 2;
        double angle = 2 * pi * (i % half) / half, c = cos(angle), s = sin(angle);
        abut_contact *contact = &peg->contacts[i];
        *contact = (abut_contact){.bodies = {0, ABUT_WORLD}, .directions = d};
        memcpy(contact->point, (double[3]){radius * c, radius * s, i < half ? ring_height : -ring_height},
               sizeof contact->point);
        memcpy(contact->normal, (double[3]){-c, -s, 0}, sizeof contact->normal);
        memcpy(contact->tangent, (double[3]){-s, c, 0}, sizeof contact->tangent);
        contact->friction = bench_uniform(random, 0.2, 0.3);
    }
}

abut_contact_problem bench_peg_problem(const bench_peg *peg)
{
    return (abut_contact_problem){.model = ABUT_COULOMB,
                                  .step = 1,
                                  .contact_count = peg->n,
                                  .contacts = peg->contacts,
                                  .body_count = 1,
                                  .bodies = &peg->body};
}

int bench_peg_lcp_size(const bench_peg *peg)
{
    return peg->n * (2 + peg->contacts[0].directions);
}

/* The row of a direction at a point, in mass-scaled coordinates: G^-1 (direction, point x direction). */
static void scaled_row(const bench_peg *peg, const double point[3], const double direction[3], double row[6])
{
    for (int k = 0; k < 3; k++) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        row[k] = direction[k] / sqrt(peg->body.mass);
        row[3 + k] = (point[a] * direction[b] - point[b] * direction[a]) / sqrt(peg->body.inertia[k]);
    }
}

static double dot6(const double *a, const double *b)
{
    double sum = 0;
    for (int k = 0; k < 6; k++) sum += a[k] * b[k];
    return sum;
}

void bench_peg_lcp(const bench_peg *peg, double *M, double *q, double *rows)
{
    int n = peg->n, d = peg->contacts[0].directions, moving = n * (1 + d), size = bench_peg_lcp_size(peg);
    double k[6];
    for (int c = 0; c < 6; c++)
        k[c] = peg->body.force[c] / sqrt(c < 3 ? peg->body.mass : peg->body.inertia[c - 3]);

    /* Rows of [N D]': n normals, then d directions a contact. */
    for (int i = 0; i < n; i++) {
        const abut_contact *contact = &peg->contacts[i];
        const double *t = contact->tangent, *m = contact->normal;
        double b[3] = {m[1] * t[2] - m[2] * t[1], m[2] * t[0] - m[0] * t[2], m[0] * t[1] - m[1] * t[0]};
        scaled_row(peg, contact->point, m, rows + 6 * i);
        for (int j = 0; j < d; j++) {
            double c = cos(2 * pi * j / d), s = sin(2 * pi * j / d);
            double direction[3] = {c * t[0] + s * b[0], c * t[1] + s * b[1], c * t[2] + s * b[2]};
            scaled_row(peg, contact->point, direction, rows + 6 * (n + i * d + j));
        }
    }

    /* M = [N'N N'D 0; D'N D'D E; mu -E' 0], q = (N'k, D'k, 0): eq. (8). */
    memset(M, 0, (size_t)size * (size_t)size * sizeof(double));
    memset(q, 0, (size_t)size * sizeof(double));
    for (int i = 0; i < moving; i++) {
        for (int j = 0; j < moving; j++) M[i * size + j] = dot6(rows + 6 * i, rows + 6 * j);
        q[i] = dot6(rows + 6 * i, k);
    }
    for (int i = 0; i < n; i++) {
        int lambda = moving + i;
        M[lambda * size + i] = peg->contacts[i].friction;
        for (int j = 0; j < d; j++) {
            M[(n + i * d + j) * size + lambda] = 1;
            M[lambda * size + n + i * d + j] = -1;
        }
    }
}
