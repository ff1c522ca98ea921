/* Lemke's path (section 4 of the paper) on a problem whose matrix is never formed.
 *
 *     step 0   z0 enters for the basic variable that is the most negative beside its cover
 *     step 1   the driving variable grows; which basic variable reaches zero first? none: a ray
 *     step 2   exchange the two. z0 left: solved. Otherwise the complement of what left drives next.
 *
 * Symmetric scenes tie exactly, so the choice in step 1 matters. The rule is Harris': no basic variable may
 * fall below -slack; among those that allow the longest such step the one with the largest rate leaves, which
 * makes the best pivot. z0 leaves as soon as that step takes it to zero, so it never leaves while another
 * variable would end below the slack. This has no proof against cycling; when a pair (basis, driving
 * variable) comes back, ties are broken lexicographically from then on, which has one.
 *
 * A path must end with a solution where bodies do not overlap: z'M z = |N theta + D phi|^2 + lambda' mu theta
 * makes M copositive, and q'z >= 0 where that vanishes. Offsets below zero may leave a problem without
 * solution; then the path ends on a ray. */
#include "base/clock.h"
#include "contact/lloyd/lloyd.h"
#include <math.h>
#include <string.h>

/* A rate below this part of the edge's size is rounding. */
#define RATE_NOISE 1e-11

/* The same for z0. It may be tiny on a reduced path and is not a result, so only rounding itself counts as none. */
#define Z0_NOISE 1e-14

/* Errors of values and rates, in units of the equation errors that were seen. */
#define ERROR_MARGIN 4

/* Equation errors above this, in units of l->scale, call for a fresh inverse. */
#define DRIFT 1e-11

/* The largest negative value that a finished basis may show, in units of the slack. Many pivots may each have used the
 * slack. */
#define ACCEPT 10

/* Ratios this close, relatively, are ties for the lexicographic rule. */
#define TIE 1e-10

/* A vertex is computed from the problem after so many pivots, or when the errors that it has collected exceed
 * CARRIED, in units of l->scale. */
#define VERTEX_EVERY 8
#define CARRIED 1e-14

#define CLOCK_PERIOD 16

/* The number of pivots after which a path is watched for cycles. */
#define WATCH_FROM 50

/* A path that has not ended after so many pivots will not: usual ones take less than two for each pair. */
#define PIVOTS_MIN 1000
#define PIVOTS_A_PAIR 20

double abuti_lloyd_worst(const abuti_lloyd *l)
{
    double worst = 0;
    for (int p = 0; p < l->pairs; ++p) {
        if (isnan(l->point.pairs[p])) return -INFINITY;
        if (l->point.pairs[p] < worst) worst = l->point.pairs[p];
    }
    return worst;
}

/* Step 0: the pair whose value / cover is the least; of ties the one with the last index, as the lexicographic rule
 * wants. */
static int first_leaving(const abuti_lloyd *l)
{
    int out = -1;
    double most = 0;
    for (int p = 0; p < l->pairs; ++p) {
        double value = l->point.pairs[p], rate = l->edge.pairs[p];
        if (value >= 0 || !(rate > 0)) continue;
        double ratio = -value / rate;
        if (ratio >= most * (1 - TIE)) {
            out = p;
            most = ratio > most ? ratio : most;
        }
    }
    return out;
}

static inline bool falls(const abuti_lloyd *l, const abuti_lloyd_limits *limits, int p)
{
    return -l->edge.pairs[p] > limits->noise + limits->cover_noise * fabs(l->cover[p]);
}

static inline double step_of(const abuti_lloyd *l, int p)
{
    double value = l->point.pairs[p];
    return (value > 0 ? value : 0) / -l->edge.pairs[p];
}

/* What may leave besides the basic variable of a pair. */
enum { LEAVES_Z0 = -1, LEAVES_NONE = -2 };

/* Breaks ties of step 1 by the rows of the inverse basis (14), column by column until one pair is left. */
static int lexicographic(abuti_lloyd *l, const abuti_lloyd_limits *limits, abuti_lloyd_point *column)
{
    double least = INFINITY;
    int count = 0;
    for (int p = 0; p < l->pairs; ++p) {
        if (falls(l, limits, p) && step_of(l, p) < least) least = step_of(l, p);
    }
    for (int p = 0; p < l->pairs; ++p) {
        if (falls(l, limits, p) && step_of(l, p) <= least + TIE * (least + l->scale)) l->ties[count++] = p;
    }
    for (int q = 0; q < l->pairs && count > 1; ++q) {
        bool nonbasic = l->basic[q] || q == l->odd; /* its w */
        if (nonbasic) abuti_lloyd_edge(l, (abuti_lloyd_drive){LLOYD_W, q}, column);
        double best = INFINITY;
        int kept = 0;
        for (int pass = 0; pass < 2; ++pass) {
            for (int i = 0; i < count; ++i) {
                int p = l->ties[i];
                double entry = nonbasic ? -column->pairs[p]
                               : p == q ? 1
                                        : 0,
                       ratio = entry / -l->edge.pairs[p];
                if (pass == 0 && ratio < best) best = ratio;
                if (pass == 1 && ratio <= best + TIE * (1 + fabs(best))) l->ties[kept++] = p;
            }
        }
        count = kept;
    }
    return count > 0 ? l->ties[0] : LEAVES_NONE;
}

/* Step 1: the pair that leaves, or one of the two above. */
static int leaving(abuti_lloyd *l, abuti_lloyd_drive drive, bool by_lexicographic, double slack)
{
    const abuti_lloyd_point *edge = &l->edge;
    double size = l->kernels->max_abs(l->size, edge->slots);
    double speed = l->kernels->max_abs(l->s->bodies * l->s->stride, edge->v);
    abuti_lloyd_limits limits = {.longest = INFINITY};
    limits.slack = slack * l->scale + ERROR_MARGIN * l->point.residual;
    double extent = fmax(fmax(size, speed), drive.move == LLOYD_Z ? 1 : 0);
    limits.noise = fmax(RATE_NOISE * extent, ERROR_MARGIN * edge->residual);
    limits.cover_noise = RATE_NOISE * fabs(edge->z0);
    limits.longest = l->passes->longest_step(l->pairs, l->point.pairs, edge->pairs, l->cover, &limits);
    if (-edge->z0 > Z0_NOISE * extent && l->point.z0 / -edge->z0 <= limits.longest) return LEAVES_Z0;
    if (limits.longest == INFINITY) return LEAVES_NONE;
    int out =
        by_lexicographic ? -1 : l->passes->steepest(l->pairs, l->point.pairs, edge->pairs, l->cover, &limits);
    return out >= 0 ? out : lexicographic(l, &limits, &l->spare);
}

/* Whether this basis was here before with this driving variable. */
static bool repeated(abuti_lloyd *l, abuti_lloyd_drive drive)
{
    uint64_t key = l->hash ^ (0x9e3779b97f4a7c15u * (uint64_t)(2 * drive.pair + (drive.move == LLOYD_W) + 1));
    key |= 1;
    uint64_t at = (key >> 20) % ABUTI_LLOYD_SEEN;
    for (int probe = 0; probe < 8; ++probe, at = (at + 1) % ABUTI_LLOYD_SEEN) {
        if (l->seen[at] == key) return true;
        if (l->seen[at] == 0) break;
    }
    l->seen[at] = key;
    return false;
}

/* Section 5.3 with appendix D: the friction of a contact appears when its theta is about to drive. The cover
 * of the new rows is large enough for every vertex since the start, so the path is that of the whole problem
 * with this cover. */
static void expand_before(abuti_lloyd *l, abuti_lloyd_drive drive)
{
    int i = drive.pair;
    if (drive.move != LLOYD_Z || i >= l->s->lanes || l->block[i] >= 0) return;
    if (!abuti_lloyd_has_friction(l->s, i)) return;
    double reach = sqrt(l->reach[i]);
    abuti_lloyd_expand(l, i, (reach > 1 ? reach : 1) * (1 + 0x1p-4), 1);
    abuti_lloyd_block_values(l, i);
}

/* Arrives at the present vertex. It is carried along the last edge; every few pivots, and whenever errors grow, it is
 * computed from the problem, with a fresh inverse when the kept one has drifted. */
static bool arrive(abuti_lloyd *l, int rebuild_every)
{
    if (l->since_rebuild >= rebuild_every && !abuti_lloyd_rebuild(l)) return false;
    if (l->since_rebuild % VERTEX_EVERY == 0 || !(l->point.residual <= CARRIED * l->scale))
        abuti_lloyd_vertex(l);
    if (!(l->point.residual <= DRIFT * l->scale) && l->since_rebuild > 0) {
        if (!abuti_lloyd_rebuild(l)) return false;
        abuti_lloyd_vertex(l);
    }
    if (l->reduced && l->point.z0 > 0) /* how large a cover unexpanded contacts would have needed here */
        l->passes->reaches(l->s->lanes, l->point.u[1], l->point.u[2], 1 / l->point.z0, l->reach);
    return isfinite(l->point.residual);
}

/* z0 has left: the basis is complementary. A fresh inverse, refined, tells whether it solves the problem. */
static abut_outcome finish(abuti_lloyd *l, double slack)
{
    if (!abuti_lloyd_rebuild(l)) return ABUT_FAILED;
    abuti_lloyd_vertex(l);
    abuti_lloyd_refine(l);
    return abuti_lloyd_worst(l) >= -ACCEPT * slack * l->scale ? ABUT_SOLVED : ABUT_FAILED;
}

/* Whether z0 is zero but has not left: a tie with it was lost. All pairs are complementary, so this vertex is
 * a solution, if a fresh inverse confirms it. */
static bool ends_here(abuti_lloyd *l, double slack)
{
    double allowed = slack * l->scale, cover;
    if (!(fabs(l->point.z0) <= allowed)) return false;
    cover = l->kernels->max_abs(l->pairs, l->cover);
    if (!(fabs(l->point.z0) * cover <= allowed) || !abuti_lloyd_rebuild(l)) return false;
    abuti_lloyd_vertex(l);
    abuti_lloyd_refine(l);
    return fabs(l->point.z0) * cover <= allowed && abuti_lloyd_worst(l) >= -ACCEPT * allowed;
}

abut_outcome abuti_lloyd_path(abuti_lloyd *l, abuti_lloyd_rules rules, const abuti_stage_context *context,
                              int *pivots)
{
    bool by_lexicographic = rules.lexicographic, confirmed = false;
    const int begun = *pivots;
    const int most = begun + PIVOTS_MIN + PIVOTS_A_PAIR * l->pair_count;
    abuti_lloyd_vertex(l);
    if (abuti_lloyd_worst(l) >= -rules.slack * l->scale) return finish(l, rules.slack);

    /* step 0 */
    abuti_lloyd_drive drive = {LLOYD_Z0, -1};
    abuti_lloyd_edge(l, drive, &l->edge);
    int out = first_leaving(l);
    if (out < 0) return ABUT_FAILED;
    while (1) {
        /* step 2 */
        if (*pivots >= context->pivots_left) return ABUT_LIMIT;
        bool w_next = out >= 0 && l->basic[out];
        abuti_lloyd_advance(l, drive, out);
        if (!abuti_lloyd_exchange(l, drive, out)) {
            if (l->since_rebuild == 0 || !abuti_lloyd_rebuild(l)) return ABUT_FAILED;
            if (!abuti_lloyd_exchange(l, drive, out)) return ABUT_FAILED;
        }
        ++*pivots;
        if (out < 0) return finish(l, rules.slack);
        if (*pivots % CLOCK_PERIOD == 0 && abuti_clock_passed(context->deadline)) return ABUT_LIMIT;
        if (*pivots >= most) return ABUT_FAILED;
        drive = (abuti_lloyd_drive){w_next ? LLOYD_W : LLOYD_Z, out};

        /* step 1 */
        if (!arrive(l, rules.rebuild_every)) return ABUT_FAILED;
        if (ends_here(l, rules.slack)) return ABUT_SOLVED;
        if (l->reduced) expand_before(l, drive);
        abuti_lloyd_edge(l, drive, &l->edge);
#ifdef ABUT_DEBUG_HOOKS
        by_lexicographic |= abuti_lloyd_hook(l, drive);
#endif
        if (*pivots - begun == WATCH_FROM) memset(l->seen, 0, ABUTI_LLOYD_SEEN * sizeof *l->seen);
        if (!by_lexicographic && *pivots - begun >= WATCH_FROM) by_lexicographic = repeated(l, drive);
        out = leaving(l, drive, by_lexicographic, rules.slack);
        if (out == LEAVES_NONE && !confirmed) { /* a ray should not be an artefact of an old inverse */
            confirmed = true;
            if (!abuti_lloyd_rebuild(l)) return ABUT_FAILED;
            abuti_lloyd_vertex(l);
            abuti_lloyd_edge(l, drive, &l->edge);
            out = leaving(l, drive, by_lexicographic, rules.slack);
        }
        if (out == LEAVES_NONE) return ABUT_RAY;
    }
}
