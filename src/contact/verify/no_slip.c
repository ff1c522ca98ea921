/* The judge of the no-slip model: a contact that touches does not slip, whatever force that takes.
 *
 * A contact that separates may be let go, or it may be held all the same (the result calls it glued), at least along
 * the direction in which the impulse acts. So for each contact there are three ways to be right, and the best one
 * counts:
 *
 *     it does not slip                              |u_t| / s_t
 *     it separates, and nothing holds it            |f| s_t with w > 0, theta = 0
 *     it separates, and does not slip along f       |u_t . f / |f|| / s_t with w > 0, theta = 0
 *
 * The last is wrong all the same where another answer holds no contact that separates; verify.c asks glue.c when
 * the findings say that there is glue.
 */
#include "base/length.h"
#include "contact/verify/parts.h"

void abuti_judge_no_slip(abuti_verification *v, const abuti_chunk *chunk)
{
    ABUTI_ALIGNED double error[ABUTI_LANES] = {0};
    v->kernel->normal(chunk, v->findings, error);
    for (int l = 0; l < ABUTI_LANES; ++l) {
        double s = chunk->size[1][l];
        double across = chunk->directions[l] == 2 ? 0.0 : chunk->velocity[2][l]; /* planar: along t only */
        double slip = abuti_length(chunk->velocity[1][l], across) / s;
        double push = abuti_length(chunk->impulse[1][l], chunk->impulse[2][l]);
        double along = chunk->velocity[1][l] * chunk->impulse[1][l] + across * chunk->impulse[2][l];
        double wrong = abuti_finite_or_infinite(slip);
        if (chunk->velocity[0][l] > 0.0 && chunk->impulse[0][l] == 0.0) {
            wrong = fmin(wrong, abuti_finite_or_infinite(push * s));
            abuti_raise(&v->findings->glue, fmin(chunk->velocity[0][l] / chunk->size[0][l], push * s));
            if (push > 0.0) wrong = fmin(wrong, abuti_finite_or_infinite(fabs(along) / push / s));
        }
        abuti_raise(&v->findings->cone[l], wrong);
        abuti_raise(&v->findings->true_cone[l], wrong);
        abuti_raise(&error[l], wrong);
    }
    v->kernel->record(chunk, error, v->findings);
}
