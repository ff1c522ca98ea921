/* The normal LCP by the dense methods of the LCP room: F = N P N' is formed from the projected rows. */
#include "contact/normal/normal.h"
#include "linalg/kernels.h"
#include <string.h>

abut_outcome abuti_normal_lcp(abuti_normal *s, const abuti_stage_context *context)
{
    const int ld = abuti_padded(s->n);
    for (int i = 0; i < s->n; ++i) {
        if (abuti_normal_spent(s)) return ABUT_LIMIT;
        double *row = s->dense + (size_t)i * (size_t)ld;
        for (int j = 0; j < ld; ++j) row[j] = 0.0;
        if (s->immobile[i]) continue;
        for (int j = 0; j < s->n; ++j)
            if (!s->immobile[j]) row[j] = abuti_normal_dot(s, abuti_normal_row(s, i), abuti_normal_row(s, j));
    }
    /* A contact that the equations hold still has neither row nor column; its impulse stays zero. */
    for (int i = 0; i < s->n; ++i) {
        s->ones[i] = 1.0;
        s->w[i] = s->immobile[i] && s->q[i] < 0.0 ? 0.0 : s->q[i];
        s->start[i] = context->start && context->start[i].state != ABUT_OPEN ? 1.0 : 0.0;
    }
    const abuti_lcp problem = {
        .n = s->n,
        .ld = ld,
        .M = s->dense,
        .q = s->w,
        .cover = s->ones,
        .start = context->start ? s->start : NULL,
        .row_scale = s->ones,
        .column_scale = s->ones,
        .symmetric = true,
        .deadline = s->deadline,
    };
    abut_lcp_options options = abut_lcp_default_options();
    if (context->options && context->options->max_pivots > 0) options.max_pivots = s->pivots_left;
    abuti_lcp_answer answer = {.z = s->z, .ray = s->ray, .witness = s->v};
    abut_outcome outcome = s->lcp->run(&problem, s->lcp_scratch, &options, &answer);
    s->pivots = answer.pivots;
    if (outcome == ABUT_INFEASIBLE) {
        memcpy(s->ray, s->v, (size_t)s->n * sizeof *s->ray);
        outcome = ABUT_RAY;
    }
    if (outcome != ABUT_SOLVED && outcome != ABUT_LIMIT) return outcome;
    s->set_count = 0;
    for (int i = 0; i < s->n; ++i)
        if (s->z[i] != 0.0) s->set[s->set_count++] = i;
    abuti_normal_velocities(s);
    return outcome;
}
