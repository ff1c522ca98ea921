/* The summation formulation: Lemke's method on the published LCP (34), (35 corrected), with further covering
 * vectors after a ray, then with the paper's small slack (section VII: constants added to the LCP, larger
 * step by step, so that roundoff makes it no unsolvable one). The verifier, who knows no slack, decides. */
#include "contact/union_sum.h"
#include "contact/classify.h"
#include <limits.h>
#include <math.h>
#include <string.h>

/* Covering vectors after the first: of 660 random problems 5 needed one, none more than 40. */
enum { COVERS = 40 };

/* Rows of the LCP with touched sides at most, where the summation does not ask for more: beyond that, what
 * only it can answer is not answered. */
enum { TOUCH_ROWS = 400 };

/* Slack over the largest entry of b: nothing, then rounding, then what a tolerance of 1e-9 still hides. */
static const double slacks[ABUTI_SUM_SLACKS] = {0.0, 1e-13, 1e-12, 1e-11, 1e-10};

abuti_sum *abuti_sum_layout(abuti_arena *arena, const abut_contact_limits *limits)
{
    int directions = limits->directions ? limits->directions : ABUT_DIRECTIONS_DEFAULT;
    long long rows = limits->sides + (long long)limits->contacts * (2 + directions) + limits->joints;
    abuti_sum *taken = abuti_take(arena, 1, abuti_sum);
    abuti_sum counting, *sum = taken ? taken : &counting;
    int most = limits->summation ? ABUT_DENSE_MAX : TOUCH_ROWS;
    sum->capacity = (int)(rows < most ? rows : most);
    size_t n = (size_t)sum->capacity;
    sum->B = abuti_take(arena, n * n, double);
    sum->b = abuti_take(arena, n, double);
    sum->slacked = abuti_take(arena, n, double);
    sum->free = abuti_take(arena, limits->joints + 3 * (size_t)limits->sides, int);
    sum->work = NULL;
    abut_lcp_limits lcp = {.n = sum->capacity, .methods = 1u << ABUT_LCP_LEMKE};
    abut_allocator in_arena = abuti_arena_allocator(arena);
    (void)abut_lcp_workspace_create(&lcp, &in_arena, &sum->work);
    return taken;
}

static bool form(abuti_sum *sum, const abuti_system *s, const abut_contact_problem *problem,
                 abuti_union_kind kind, double constant, abuti_union_place *place)
{
    sum->shape = abuti_union_shape_of(problem, kind);
    sum->shape.joints = s->joints;
    sum->shape.rows = sum->shape.free + s->joints;
    if (sum->shape.rows > sum->capacity || sum->shape.rows == 0) return false;
    abuti_union_places(problem, &sum->shape, place);
    abuti_union_form(s, problem, &sum->shape, place, constant, sum->B, sum->b);
    return true;
}

bool abuti_sum_form(abuti_sum *sum, const abuti_system *s, const abut_contact_problem *problem,
                    const abut_contact_options *options, abuti_union_place *place)
{
    if (!form(sum, s, problem, ABUTI_LCP_SUM, abuti_union_cap(s, problem, options), place)) return false;
    sum->free_count = 0;
    for (int j = 0; j < s->joints; ++j) sum->free[sum->free_count++] = sum->shape.free + j;
    return true;
}

bool abuti_touch_form(abuti_sum *sum, const abuti_system *s, const abut_contact_problem *problem, int touched,
                      const int *state, abuti_union_place *place)
{
    if (!form(sum, s, problem, ABUTI_LCP_PLAIN, 0.0, place)) return false;
    const abuti_union_shape *shape = &sum->shape;
    sum->free_count = 0;
    for (int k = 0; k < touched; ++k) {
        const abuti_union_place *at = &place[s->n - touched + k];
        sum->free[sum->free_count++] = shape->normal + at->number;
        if (state[k] == 0 || !shape->friction) continue;
        sum->free[sum->free_count++] = at->direction + state[k] - 1;
        sum->free[sum->free_count++] = shape->slip + at->number;
    }
    for (int j = 0; j < s->joints; ++j) sum->free[sum->free_count++] = shape->free + j;
    return true;
}

/* The tangential velocity of a contact as w of its directions shows it: w_j = slip + d_j.u. */
static void tangential_velocity(const double *w, double slip, int d, double u[2])
{
    u[0] = u[1] = 0.0;
    for (int j = 0; j < d; ++j) {
        const double *at = abuti_direction(d, j);
        u[0] += (w[j] - slip) * at[0] * (d == 2 ? 1.0 : 2.0) / (double)d;
        u[1] += (w[j] - slip) * at[1] * 2.0 / (double)d;
    }
}

static void take_answer(const abuti_sum *sum, const abuti_system *s, const abut_contact_problem *problem,
                        const abuti_union_place *place, const abut_lcp_result *result, abuti_answer *answer)
{
    const abuti_union_shape *shape = &sum->shape;
    for (int i = 0; i < s->n; ++i) {
        double impulse[3], u[2] = {0.0, 0.0}, slip = 0.0, by = 1.0 / (s->unit * s->row_scale[i]);
        abuti_union_gather(problem, shape, i, place[i], result->z, impulse);
        if (shape->friction) {
            slip = result->z[shape->slip + place[i].number];
            tangential_velocity(result->w + place[i].direction, slip, s->directions[i], u);
        }
        double f[2] = {impulse[1] * by, impulse[2] * by};
        answer->theta[i] = impulse[0] * by;
        answer->f[0][i] = f[0];
        answer->f[1][i] = f[1];
        answer->face[i] = abuti_classify(s->directions[i], s->mu[i], answer->theta[i], f, u, slip > 0.0);
    }
    for (int j = 0; j < s->joints; ++j)
        answer->joint[j] = result->z[shape->free + j] / (s->unit * s->joint_scale[j]);
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
        .n = n, .M = sum->B, .ld = n, .q = sum->slacked, .free_count = sum->free_count, .free = sum->free};
    abut_lcp_options options = abut_lcp_default_options();
    options.method = ABUT_LCP_LEMKE;
    options.max_covers = COVERS;
    if (pivots_left < INT_MAX) options.max_pivots = pivots_left;
    abut_lcp_result result;
    if (abut_lcp_solve(sum->work, &lcp, &options, &result) != ABUT_OK) return ABUT_FAILED;
    answer->pivots += result.pivots;
    if (result.z) take_answer(sum, s, problem, place, &result, answer);
    return result.outcome;
}
