/* The judges of the velocity-level models, and the verifier's own table of models. A further model is a file with its
 * judge and a row here. */
#include "contact/verify/parts.h"

/* cos and sin of pi x / (2 d) for 0 <= x <= d / 2, an angle of at most pi/4: Taylor series to a term of
 * 1e-18. */
static void cos_sin(int x, int d, double *cosine, double *sine)
{
    static const double over[] = {
        1.0 / (1 * 2),   1.0 / (2 * 3),   1.0 / (3 * 4),   1.0 / (4 * 5),   1.0 / (5 * 6),   1.0 / (6 * 7),
        1.0 / (7 * 8),   1.0 / (8 * 9),   1.0 / (9 * 10),  1.0 / (10 * 11), 1.0 / (11 * 12), 1.0 / (12 * 13),
        1.0 / (13 * 14), 1.0 / (14 * 15), 1.0 / (15 * 16), 1.0 / (16 * 17), 1.0 / (17 * 18), 1.0 / (18 * 19)};
    double angle = 1.57079632679489661923 * (double)x / (double)d, q = -angle * angle, c = 1.0, s = 1.0;
    for (int term = 16; term >= 0; term -= 2) {
        c = 1.0 + c * q * over[term];
        s = 1.0 + s * q * over[term + 1];
    }
    *cosine = c;
    *sine = s * angle;
}

/* The angle of edge k is 2k + 1 parts of which 2d make a turn. It is mirrored into the first octant, where the few
 * different angles are computed once. */
void abuti_polygon_set(abuti_polygon *polygon, int d)
{
    double cosine[ABUT_DIRECTIONS_MAX / 2 + 1] = {0}, sine[ABUT_DIRECTIONS_MAX / 2 + 1] = {0};
    polygon->d = d;
    for (int k = 0; k < d; ++k) {
        int part = 2 * k + 1;
        double sign_x = 1.0, sign_y = 1.0;
        if (part > d) {
            part = 2 * d - part;
            sign_y = -1.0;
        }
        if (2 * part > d) {
            part = d - part;
            sign_x = -1.0;
        }
        int swap = 4 * part > d, octant = swap ? d - 2 * part : 2 * part;
        if (cosine[octant] == 0.0) cos_sin(octant, d, &cosine[octant], &sine[octant]);
        polygon->x[k] = sign_x * (swap ? sine[octant] : cosine[octant]);
        polygon->y[k] = sign_y * (swap ? cosine[octant] : sine[octant]);
    }
    /* The first edge's normal stands at the angle pi / d. */
    polygon->kappa = polygon->x[0];
    polygon->half = polygon->y[0];
    polygon->over_kappa = 1.0 / polygon->kappa;
    polygon->over_half = 1.0 / polygon->half;
    for (int k = 0; k < d; ++k) {
        polygon->vertex_x[k] = polygon->kappa * polygon->x[k] + polygon->half * polygon->y[k];
        polygon->vertex_y[k] = polygon->kappa * polygon->y[k] - polygon->half * polygon->x[k];
    }
}

static void record_friction(abuti_verification *v, const abuti_chunk *chunk, const double *error)
{
    v->kernel->work(chunk, v->findings);
    if (v->want_true_cone) v->kernel->true_cone(chunk, v->findings);
    v->kernel->record(chunk, error, v->findings);
}

/* Two directions, +t and -t: the polygon is a segment, and nothing may push across it. */
void abuti_judge_planar(const abuti_chunk *chunk, int l, abuti_findings *f, double *error)
{
    double x = chunk->impulse[1][l], across = chunk->impulse[2][l], u = chunk->velocity[1][l];
    double s = chunk->size[1][l], slip = fabs(u);
    double slack = chunk->mu[l] * chunk->impulse[0][l] - fabs(x);
    double phi = fabs(x), sigma = (x > 0.0 ? u : -u) + slip;
    double cone = abuti_finite_or_infinite(fabs(fmin(slip / s, slack * s)) + 0.0 * (slip + slack));
    abuti_raise(&cone, fabs(across) * s);
    double direction = abuti_finite_or_infinite(fabs(fmin(phi * s, sigma / s)) + 0.0 * (phi + sigma));
    abuti_raise(&f->cone[l], cone);
    abuti_raise(&f->direction[l], direction);
    abuti_raise(&error[l], fmax(cone, direction));
}

/* The polygon of eight directions, which almost everybody uses: cos and sin of pi/8 and pi/4, with every sign. */
#define C 0.92387953251128674
#define S 0.38268343236508978
#define H 0.70710678118654752
static const abuti_polygon octagon = {.d = 8,
                                      .kappa = C,
                                      .half = S,
                                      .over_kappa = 1.0 / C,
                                      .over_half = 1.0 / S,
                                      .x = {C, S, -S, -C, -C, -S, S, C},
                                      .y = {S, C, C, S, -S, -C, -C, -S},
                                      .vertex_x = {1, H, 0, -H, -1, -H, 0, H},
                                      .vertex_y = {0, H, 1, H, 0, -H, -1, -H}};
#undef C
#undef S
#undef H

const abuti_polygon *abuti_polygon_of(int d, abuti_polygon *made)
{
    if (d == 8) return &octagon;
    if (made->d != d) abuti_polygon_set(made, d);
    return made;
}

static int seen_before(const abuti_chunk *chunk, int lane)
{
    for (int l = 0; l < lane; ++l)
        if (chunk->directions[l] == chunk->directions[lane]) return 1;
    return 0;
}

/* Coulomb friction on each contact's polygon or circle. Almost always all eight have the same d. */
static void judge_coulomb(abuti_verification *v, const abuti_chunk *chunk)
{
    abuti_chunk copy;
    if (chunk->rounds) {
        abuti_chunk_round(v, chunk, &copy);
        chunk = &copy;
    }
    if (!chunk->rounds && chunk->alike && chunk->directions[0] != 2.0 && !v->want_true_cone) {
        const abuti_polygon *polygon = abuti_polygon_of((int)chunk->directions[0], &v->polygon);
        v->kernel->coulomb(chunk, polygon, v->findings);
        return;
    }
    ABUTI_ALIGNED double error[ABUTI_LANES] = {0};
    v->kernel->normal(chunk, v->findings, error);
    double seen = 0.0;
    for (int l = 0; l < ABUTI_LANES; ++l) {
        double d = chunk->directions[l];
        if (d == 2.0) {
            abuti_judge_planar(chunk, l, v->findings, error);
        } else if (d > 0.0 && d != seen && !seen_before(chunk, l)) {
            v->kernel->polygon(chunk, abuti_polygon_of((int)d, &v->polygon), v->findings, error);
            seen = d;
        }
    }
    if (chunk->rounds) v->kernel->circle(chunk, v->findings, error);
    record_friction(v, chunk, error);
}

/* No friction, whatever the coefficients say: a tangential impulse is wrong by its whole size. */
static void judge_frictionless(abuti_verification *v, const abuti_chunk *chunk)
{
    ABUTI_ALIGNED double error[ABUTI_LANES] = {0};
    v->kernel->normal(chunk, v->findings, error);
    for (int l = 0; l < ABUTI_LANES; ++l) {
        double tangential = (fabs(chunk->impulse[1][l]) + fabs(chunk->impulse[2][l])) * chunk->size[1][l];
        abuti_raise(&v->findings->cone[l], tangential);
        abuti_raise(&v->findings->true_cone[l], tangential);
        abuti_raise(&error[l], tangential);
    }
    v->kernel->record(chunk, error, v->findings);
}

const abuti_verify_model *abuti_verify_model_of(abut_contact_model model)
{
    static const abuti_verify_model models[ABUT_MODEL_COUNT + 1] = {
        [ABUT_COULOMB] = {.judge = judge_coulomb, .runs = true},
        [ABUT_FRICTIONLESS] = {.judge = judge_frictionless},
        [ABUT_COULOMB_ACCEL] = {.judge = abuti_judge_accel, .accelerations = true, .before_decides = true},
        /* The viscous force was taken out before, and no other tangential force is allowed. */
        [ABUT_VISCOUS] = {.judge = judge_frictionless, .accelerations = true},
        [ABUT_NO_SLIP] = {.judge = abuti_judge_no_slip, .untied = true},
    };
    return &models[(unsigned)model < ABUT_MODEL_COUNT ? (unsigned)model : ABUT_MODEL_COUNT];
}
