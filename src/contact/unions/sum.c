/* The summation formulation: Lemke's method on the published LCP (34), (35 corrected), with further covering
 * vectors after a ray, then with the paper's small slack (section VII: constants that grow step by step
 * are added to the LCP, so that roundoff does not make it unsolvable). The verifier, who knows no slack, decides. */
#include "contact/unions/sum.h"
#include <limits.h>
#include <math.h>
#include <string.h>

/* Covering vectors after the first: of 660 random problems 5 needed one, none more than 40. */
enum { COVERS = 40 };

/* Slack over the largest entry of b: nothing, then rounding, then what a tolerance of 1e-9 still hides. */
static const double slacks[ABUTI_SUM_SLACKS] = {0.0, 1e-13, 1e-12, 1e-11, 1e-10};

abuti_sum *abuti_sum_layout(abuti_arena *arena, const abut_contact_limits *limits)
{
    int directions = limits->directions ? limits->directions : ABUT_DIRECTIONS_DEFAULT;
    long long rows = limits->sides + (long long)limits->contacts * (2 + directions) + limits->joints;
    abuti_sum *taken = abuti_take(arena, 1, abuti_sum);
    abuti_sum counting, *sum = taken ? taken : &counting;
    sum->capacity = (int)(rows < ABUT_DENSE_MAX ? rows : ABUT_DENSE_MAX);
    size_t n = (size_t)sum->capacity;
    sum->B = abuti_take(arena, n * n, double);
    sum->b = abuti_take(arena, n, double);
    sum->slacked = abuti_take(arena, n, double);
    sum->free = abuti_take(arena, limits->joints, int);
    sum->work = NULL;
    abut_lcp_limits lcp = {.n = sum->capacity, .methods = 1u << ABUT_LCP_LEMKE};
    abut_allocator in_arena = abuti_arena_allocator(arena);
    (void)abut_lcp_workspace_create(&lcp, &in_arena, &sum->work);
    return taken;
}

bool abuti_sum_form(abuti_sum *sum, const abuti_system *s, const abut_contact_problem *problem,
                    const abut_contact_options *options, abuti_union_place *place)
{
    sum->shape = abuti_union_shape_of(problem, ABUTI_LCP_SUM);
    sum->shape.joints = s->joints;
    sum->shape.rows = sum->shape.free + s->joints;
    if (sum->shape.rows > sum->capacity || sum->shape.rows == 0) return false;
    abuti_union_places(problem, &sum->shape, place);
    abuti_union_form(s, problem, &sum->shape, place, abuti_union_cap(s, problem, options), sum->B, sum->b);
    for (int j = 0; j < s->joints; ++j) sum->free[j] = sum->shape.free + j;
    return true;
}

/* Slack that differs from row to row, so that ties break: between a half and the whole. */
static void add_slack(abuti_sum *sum, double slack)
{
    double largest = 0.0;
    for (int i = 0; i < sum->shape.rows; ++i) largest = fmax(largest, fabs(sum->b[i]));
    for (int i = 0; i < sum->shape.rows; ++i) {
        double part = (double)((unsigned)(i + 1) * 2654435761u) * 0x1p-32; /* scattered over 0 .. 1 */
        bool free = i >= sum->shape.free;
        sum->slacked[i] = sum->b[i] + (free ? 0.0 : slack * largest * (0.5 + 0.5 * part));
    }
}

abut_outcome abuti_sum_run(abuti_sum *sum, const abuti_system *s, const abut_contact_problem *problem,
                           const abuti_union_place *place, int level, int pivots_left, abuti_answer *answer)
{
    int n = sum->shape.rows;
    add_slack(sum, slacks[level]);
    abut_lcp_problem lcp = {
        .n = n, .M = sum->B, .ld = n, .q = sum->slacked, .free_count = s->joints, .free = sum->free};
    abut_lcp_options options = abut_lcp_default_options();
    options.method = ABUT_LCP_LEMKE;
    options.max_covers = COVERS;
    if (pivots_left < INT_MAX) options.max_pivots = pivots_left;
    abut_lcp_result result;
    if (abut_lcp_solve(sum->work, &lcp, &options, &result) != ABUT_OK) return ABUT_FAILED;
    answer->pivots += result.pivots;
    if (result.z) abuti_union_answer(&sum->shape, s, problem, place, result.z, result.w, answer);
    return result.outcome;
}
