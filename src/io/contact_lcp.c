#include "io/contact_lcp.h"
#include "io/delassus.h"

#include <math.h>
#include <stdlib.h>

/* A row of [N D J]': a combination of at most three rows of the local form. */
typedef struct combination {
    int first; /* row of the normal, of the first tangent, or of the joint */
    int count;
    double factor[2];
} combination;

static int directions_of(const abut_contact_problem *problem, int contact)
{
    int d = problem->contacts[contact].directions;
    return d == 0 ? ABUT_DIRECTIONS_DEFAULT : d;
}

/* Lists the rows in the order of the variables, without lambda. */
static int list_rows(const abut_contact_problem *problem, int dimension, combination *rows)
{
    const double turn = 6.283185307179586476925;
    int count = 0, n = problem->contact_count;
    for (int i = 0; i < n; ++i) rows[count++] = (combination){dimension * i, 1, {1, 0}};
    for (int i = 0; i < n; ++i) {
        int d = directions_of(problem, i);
        for (int j = 0; j < d; ++j)
            rows[count++] = dimension == 2
                                ? (combination){2 * i + 1, 1, {j == 0 ? 1 : -1, 0}}
                                : (combination){3 * i + 1, 2, {cos(turn * j / d), sin(turn * j / d)}};
    }
    return count;
}

static double product(const abuti_delassus *local, const combination *a, const combination *b)
{
    double sum = 0;
    for (int i = 0; i < a->count; ++i)
        for (int j = 0; j < b->count; ++j)
            sum += a->factor[i] * b->factor[j] *
                   local->W[(size_t)(a->first + i) * (size_t)local->n + (size_t)(b->first + j)];
    return sum;
}

/* M = [N'N N'D 0; D'N D'D E; mu -E' 0], q = (N'k, D'k, 0): eq. (8); joint rows and columns stand last. */
static void fill(const abut_contact_problem *problem, const abuti_delassus *local, const combination *rows,
                 int moving, abuti_lcp_data *lcp)
{
    int n = problem->contact_count, joints = problem->joint_count;
    size_t size = (size_t)lcp->n;
    for (int i = 0; i < moving + joints; ++i) {
        const combination *a = &rows[i];
        size_t row = (size_t)(i < moving ? i : i + n);
        for (int j = 0; j < moving + joints; ++j)
            lcp->M[row * size + (size_t)(j < moving ? j : j + n)] = product(local, a, &rows[j]);
        for (int k = 0; k < a->count; ++k) lcp->q[row] += a->factor[k] * local->q[a->first + k];
    }
    int phi = n;
    for (int i = 0; i < n; ++i) {
        size_t lambda = (size_t)(moving + i);
        lcp->M[lambda * size + (size_t)i] = problem->contacts[i].friction;
        for (int j = 0; j < directions_of(problem, i); ++j, ++phi) {
            lcp->M[(size_t)phi * size + lambda] = 1;
            lcp->M[lambda * size + (size_t)phi] = -1;
        }
    }
    for (int i = 0; i < joints; ++i) lcp->free_indices[i] = moving + n + i;
}

static bool fail(abuti_lcp_data *lcp, abut_error *error, const char *text)
{
    snprintf(error->text, sizeof error->text, "%s", text);
    abuti_lcp_data_release(lcp);
    return false;
}

bool abuti_contact_lcp(const abut_contact_problem *problem, const abut_contact_options *options,
                       abuti_lcp_data *lcp, abut_error *error)
{
    abuti_delassus local;
    *lcp = (abuti_lcp_data){0};
    if (!abuti_delassus_form(problem, options, &local, error)) return false;
    int joints = problem->joint_count;
    long long moving = problem->contact_count, size;
    for (int i = 0; i < problem->contact_count; ++i) moving += directions_of(problem, i);
    size = moving + problem->contact_count + joints;
    combination *rows = size <= ABUTI_DENSE_MAX_N ? malloc((size_t)(moving + joints) * sizeof *rows) : NULL;
    lcp->n = (int)size;
    if (rows) {
        lcp->M = calloc((size_t)size * (size_t)size, sizeof(double));
        lcp->q = calloc((size_t)size, sizeof(double));
        lcp->free_indices = joints > 0 ? malloc((size_t)joints * sizeof(int)) : NULL;
        lcp->free_count = joints;
    }
    bool fine = lcp->M && lcp->q && (joints == 0 || lcp->free_indices);
    if (fine) {
        int count = list_rows(problem, local.dimension, rows);
        for (int i = 0; i < joints; ++i)
            rows[count + i] = (combination){local.dimension * problem->contact_count + i, 1, {1, 0}};
        fill(problem, &local, rows, count, lcp);
    }
    free(rows);
    abuti_delassus_release(&local);
    return fine ||
           fail(lcp, error, size > ABUTI_DENSE_MAX_N ? "the LCP has more than 10000 rows" : "out of memory");
}
