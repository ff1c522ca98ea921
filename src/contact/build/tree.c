#include "contact/build/tree.h"
#include "contact/build/build.h"
#include "contact/system/thresholds.h"
#include <math.h>
#include <string.h>

static double *entry(const abuti_block *b, int i, int j)
{
    return b->factor + (size_t)i * (size_t)b->size + (size_t)j;
}

/* Whether number i hangs on number j, directly or not. */
static bool hangs_on(const abuti_block *b, int i, int j)
{
    while (i > j) i = b->parent[i];
    return i == j;
}

/* Reads the lower half of M where a tree has entries. False when M has others, or is not symmetric. */
static bool take_mass(const abuti_block *b)
{
    int n = b->size;
    bool good = true;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j <= i; ++j) {
            double a = b->mass[(size_t)i * (size_t)n + (size_t)j],
                   mirror = b->mass[(size_t)j * (size_t)n + (size_t)i];
            double size = sqrt(b->mass[(size_t)i * (size_t)n + (size_t)i]) *
                          sqrt(b->mass[(size_t)j * (size_t)n + (size_t)j]);
            good &= fabs(a) <= ABUTI_LARGEST && fabs(a - mirror) <= ABUTI_SYMMETRIC * size;
            good &= a == 0.0 || hangs_on(b, i, j);
            *entry(b, i, j) = a;
        }
    }
    return good;
}

/* M = L'L, from the last number to the first. */
static bool factor_tree(const abuti_block *b)
{
    if (!take_mass(b)) return false;
    for (int i = b->size - 1; i >= 0; --i) {
        double mass = b->mass[(size_t)i * (size_t)b->size + (size_t)i], left = *entry(b, i, i);
        if (!(left > ABUTI_DEFINITE * mass)) return false;
        double root = sqrt(left);
        *entry(b, i, i) = root;
        for (int j = b->parent[i]; j >= 0; j = b->parent[j]) *entry(b, i, j) /= root;
        for (int j = b->parent[i]; j >= 0; j = b->parent[j]) {
            for (int k = j; k >= 0; k = b->parent[k]) *entry(b, j, k) -= *entry(b, i, j) * *entry(b, i, k);
        }
    }
    return true;
}

bool abuti_block_is_body(const abuti_block *b)
{
    const double *M = b->mass;
    if (b->size != ABUTI_RIGID || M[0] != M[7] || M[0] != M[14]) return false;
    for (int i = 0; i < ABUTI_RIGID; ++i) {
        for (int j = 0; j < i; ++j) {
            double below = M[ABUTI_RIGID * i + j];
            if (below != M[ABUTI_RIGID * j + i] || (j < 3 && below != 0.0)) return false;
        }
    }
    return true;
}

/* The numbers of a block that is a body, as the first door takes them. */
static abut_body body_of(const abuti_block *b)
{
    const double *M = b->mass;
    return (abut_body){.mass = M[0], .inertia = {M[21], M[28], M[35], M[22], M[23], M[29]}};
}

void abuti_block_body(const abuti_block *b, const abut_generalised *g, abut_body *body)
{
    *body = body_of(b);
    memcpy(body->velocity, g->velocity + b->at, sizeof body->velocity);
    memcpy(body->force, g->force + b->at, sizeof body->force);
}

static bool factor_body(const abuti_block *b)
{
    abut_body body = body_of(b);
    for (int c = 0; c < 6; ++c)
        if (!(fabs(body.inertia[c]) <= ABUTI_LARGEST)) return false;
    return body.mass <= ABUTI_LARGEST && abuti_factor_body(&body, b->body);
}

bool abuti_block_factor(const abuti_block *b)
{
    if (b->body) return factor_body(b);
    return b->parent ? factor_tree(b) : abuti_factor_mass(b->mass, b->size, b->factor);
}

void abuti_block_scale(const abuti_block *b, double *x)
{
    if (b->body) {
        abuti_body_row(b->body, x, x);
        return;
    }
    if (!b->parent) {
        int first = 0; /* numbers before it are 0 and stay so: most rows of a tree begin with some */
        while (first < b->size && x[first] == 0.0) ++first;
        for (int i = first; i < b->size; ++i) {
            const double *row = entry(b, i, 0);
            double sum = x[i];
            for (int j = first; j < i; ++j) sum -= row[j] * x[j];
            x[i] = sum / row[i];
        }
        return;
    }
    for (int i = b->size - 1; i >= 0; --i) {
        double at = x[i] / *entry(b, i, i);
        x[i] = at;
        if (at == 0.0) continue;
        for (int j = b->parent[i]; j >= 0; j = b->parent[j]) x[j] -= *entry(b, i, j) * at;
    }
}

double abuti_block_square(const abuti_block *b, const double *x)
{
    double sum = 0.0;
    if (b->size == ABUTI_RIGID)
        return (x[0] * x[0] + x[1] * x[1]) + (x[2] * x[2] + x[3] * x[3]) + (x[4] * x[4] + x[5] * x[5]);
    for (int i = 0; i < b->size; ++i) sum += x[i] * x[i];
    return sum;
}

void abuti_block_velocity(const abuti_block *b, const double *x, double unit, double *v)
{
    if (b->body) {
        abuti_body_velocity(b->body, x, unit, v);
        return;
    }
    if (b->parent) {
        for (int i = 0; i < b->size; ++i) {
            double sum = x[i] * unit;
            for (int j = b->parent[i]; j >= 0; j = b->parent[j]) sum -= *entry(b, i, j) * v[j];
            v[i] = sum / *entry(b, i, i);
        }
        return;
    }
    for (int i = b->size - 1; i >= 0; --i) {
        double sum = x[i] * unit;
        for (int j = i + 1; j < b->size; ++j) sum -= *entry(b, j, i) * v[j];
        v[i] = sum / *entry(b, i, i);
    }
}

/* Number i of G' v. */
static double momentum(const abuti_block *b, const double *v, int i)
{
    double sum = *entry(b, i, i) * v[i];
    if (b->parent) {
        for (int j = b->parent[i]; j >= 0; j = b->parent[j]) sum += *entry(b, i, j) * v[j];
    } else {
        for (int j = i + 1; j < b->size; ++j) sum += *entry(b, j, i) * v[j];
    }
    return sum;
}

void abuti_block_k(const abuti_block *b, const double *velocity, const double *force, double keep,
                   double time, double *k)
{
    if (b->body) {
        double padded[ABUTI_LANES];
        abut_body body = body_of(b);
        memcpy(body.velocity, velocity, sizeof body.velocity);
        memcpy(body.force, force, sizeof body.force);
        abuti_body_k(&body, b->body, time, keep == 0.0, padded);
        memcpy(k, padded, ABUTI_RIGID * sizeof(double));
        return;
    }
    memcpy(k, force, (size_t)b->size * sizeof(double));
    abuti_block_scale(b, k);
    for (int i = 0; i < b->size; ++i) k[i] = time * k[i] + (keep != 0.0 ? momentum(b, velocity, i) : 0.0);
}
