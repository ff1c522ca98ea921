/* Goes through all choices of held contacts that can be consistent.
 *
 * In a consistent answer every contact either touches without slip, and then its three rows hold as equations,
 * or it separates and no impulse acts there. So the motion is the one nearest to the free motion (both in
 * mass-scaled coordinates) that satisfies the rows of the contacts that touch, and what must be gone through
 * are not impulses but sets of rows. A contact whose rows follow from those that are held already is decided:
 * it touches, or separates, or there is no such answer. Contacts branch only while they add something, which
 * they do at most as many times as there are degrees of freedom: for one body with n contacts that is a number
 * of choices of the order of n^3, not of 2^n.
 *
 *     descend:  decide what follows from the held rows; a contradiction ends this branch
 *               let go of all others: if they all separate, attempt this choice (do the normal impulses
 *               only push?)
 *               branch on the contact that approaches fastest: held, then free
 *
 * A row with two bounds pushes what its upper or its lower bound says, or it holds like a joint row. All that is gone
 * through for each choice of these three for every such row, all of them held first.
 *
 * The first descent of a resting body already ends at the usual answer. Nodes are counted: beyond `most_nodes`
 * the search ends without having gone through all. */
#include "contact/normal/normal.h"
#include <math.h>
#include <string.h>

/* What the held rows leave of a row counts as nothing below this part of it. */
static const double dependent = 1e-8;
/* The square of what is left of a row is known roughly without forming it. Below this part of the row it tells only
 * that what is left must be formed. */
static const double doubtful = 1e-6;
/* Every choice of eleven contacts, however they are connected; some ten milliseconds. */
enum { most_nodes = 1 << 12 };
/* So many nodes between two looks at the clock. */
enum { clock_period = 64 };

typedef enum fate { OPEN_QUESTION, HELD, FREE } fate;

typedef struct abuti_hold_search {
    abuti_normal *s;
    const abuti_system *system;
    abuti_hold_try *attempt;
    void *context;
    double *rows;   /* (3 n + joints) x ld */
    double *basis;  /* room x ld: orthonormal directions of the held rows */
    double *amount; /* [rank]: what each adds to the free motion */
    double *v;      /* ld: the motion nearest to the free motion that satisfies the held rows */
    double *part;   /* ld */
    double *size;   /* [row] */
    double *left;   /* [row]: square of what the held rows leave of it, up to rounding of the row's square */
    fate *decided;  /* n */
    int *bound;     /* n: of a row with two bounds, the one it is at: -1, 1; 0: it is held */
    int room, rank;
    int nodes;
    bool cut; /* the search did not go through all */
} abuti_hold_search;

struct abuti_hold_search *abuti_hold_search_layout(abuti_arena *arena, const abut_contact_limits *limits,
                                                   int dof)
{
    abuti_hold_search plan = {0};
    abuti_hold_search *x = abuti_take(arena, 1, abuti_hold_search);
    const int n = limits->contacts < ABUTI_SEARCH_CONTACTS ? limits->contacts : ABUTI_SEARCH_CONTACTS;
    const int joints = limits->joints < ABUTI_SEARCH_JOINTS ? limits->joints : ABUTI_SEARCH_JOINTS;
    const size_t rows = 3 * (size_t)n + (size_t)joints, ld = (size_t)abuti_padded(dof);
    plan.room = dof < (int)rows ? dof : (int)rows;
    plan.rows = abuti_take(arena, rows * ld, double);
    plan.basis = abuti_take(arena, (size_t)plan.room * ld, double);
    plan.amount = abuti_take(arena, plan.room, double);
    plan.v = abuti_take(arena, ld, double);
    plan.part = abuti_take(arena, ld, double);
    plan.size = abuti_take(arena, rows, double);
    plan.left = abuti_take(arena, rows, double);
    plan.decided = abuti_take(arena, n, fate);
    plan.bound = abuti_take(arena, n, int);
    if (x) *x = plan;
    return x;
}

static double *row_at(const abuti_hold_search *x, int row)
{
    return x->rows + (size_t)row * (size_t)x->s->ld;
}

static double *direction(const abuti_hold_search *x, int k)
{
    return x->basis + (size_t)k * (size_t)x->s->ld;
}

/* Row 3 i + axis is that of a contact, 3 n + j that of a joint. */
static double offset_of(const abuti_hold_search *x, int row)
{
    const int n = x->s->n;
    if (row >= 3 * n) return x->system->joint_offset[row - 3 * n];
    bool boxed = abuti_is_boxed(x->system, row / 3);
    return x->system->offset[boxed ? ABUTI_TANGENT_X : row % 3][row / 3];
}

static double velocity(const abuti_hold_search *x, int row)
{
    return abuti_normal_dot(x->s, row_at(x, row), x->v) + offset_of(x, row);
}

/* Writes into `part` what the held rows leave of a row. Returns its size, or 0 when that is nothing. */
static double remainder_of(abuti_hold_search *x, int row)
{
    const abuti_normal *s = x->s;
    memcpy(x->part, row_at(x, row), (size_t)s->ld * sizeof *x->part);
    for (int pass = 0; pass < 2; ++pass)
        for (int k = 0; k < x->rank; ++k)
            s->kernels->axpy(s->ld, -abuti_normal_dot(s, direction(x, k), x->part), direction(x, k), x->part);
    const double left = sqrt(abuti_normal_dot(s, x->part, x->part));
    return left > dependent * x->size[row] ? left : 0.0;
}

static bool is_zero(const abuti_hold_search *x, int row)
{
    return fabs(velocity(x, row)) <= 100.0 * x->s->tolerance;
}

/* Takes a direction out of what is left of the rows (sign 1), or puts it back (-1). */
static void count_out(abuti_hold_search *x, const double *along, double sign)
{
    for (int row = 0; row < 3 * x->s->n; ++row) {
        const double part = abuti_normal_dot(x->s, along, row_at(x, row));
        x->left[row] -= sign * part * part;
    }
}

/* Takes hold of a row; false when it contradicts the others. */
static bool hold_row(abuti_hold_search *x, int row)
{
    const abuti_normal *s = x->s;
    const double left = remainder_of(x, row);
    if (left == 0.0 || x->rank == x->room) return is_zero(x, row);
    double *to = direction(x, x->rank);
    for (int c = 0; c < s->ld; ++c) to[c] = x->part[c] / left;
    x->amount[x->rank] = -velocity(x, row) / left;
    s->kernels->axpy(s->ld, x->amount[x->rank], to, x->v);
    count_out(x, to, 1.0);
    x->rank++;
    return true;
}

/* Goes back to so many held rows. */
static void let_go_to(abuti_hold_search *x, int rank)
{
    while (x->rank > rank) {
        x->rank--;
        count_out(x, direction(x, x->rank), -1.0);
        x->s->kernels->axpy(x->s->ld, -x->amount[x->rank], direction(x, x->rank), x->v);
    }
}

static int axes_of(const abuti_hold_search *x, int contact)
{
    return x->system->directions[contact] == ABUT_DIRECTIONS_MIN ? 2 : 3;
}

static bool hold_contact(abuti_hold_search *x, int contact)
{
    for (int axis = 0; axis < axes_of(x, contact); ++axis)
        if (!hold_row(x, 3 * contact + axis)) return false;
    return true;
}

static bool follows(abuti_hold_search *x, int contact)
{
    for (int axis = 0; axis < axes_of(x, contact); ++axis) {
        const int row = 3 * contact + axis;
        if (x->left[row] > doubtful * x->size[row] * x->size[row]) return false;
    }
    for (int axis = 0; axis < axes_of(x, contact); ++axis)
        if (remainder_of(x, 3 * contact + axis) != 0.0) return false;
    return true;
}

static bool stays_away(const abuti_hold_search *x, int contact)
{
    return velocity(x, 3 * contact) > 100.0 * x->s->tolerance;
}

static bool rests(const abuti_hold_search *x, int contact)
{
    for (int axis = 0; axis < axes_of(x, contact); ++axis)
        if (!is_zero(x, 3 * contact + axis)) return false;
    return true;
}

/* Decides the contacts whose velocity the held rows determine; false: there is no answer below. The decided
 * ones are listed in `list`, their number in *count. */
static bool decide(abuti_hold_search *x, int *list, int *count)
{
    for (int i = 0; i < x->s->n; ++i) {
        if (x->decided[i] == HELD || !follows(x, i)) continue;
        const bool away = stays_away(x, i);
        if (x->decided[i] == FREE) {
            if (!away) return false;
            continue;
        }
        if (!away && !rests(x, i)) return false;
        x->decided[i] = away ? FREE : HELD;
        list[(*count)++] = i;
    }
    return true;
}

/* Tries the choice in which all undecided contacts are free, if all free ones separate. */
static abut_outcome try_this(abuti_hold_search *x)
{
    for (int i = 0; i < x->s->n; ++i)
        if (x->decided[i] != HELD && !stays_away(x, i)) return ABUT_FAILED;
    for (int i = 0; i < x->s->n; ++i) x->s->held[i] = x->decided[i] == HELD;
    return x->attempt(x->context);
}

/* The undecided contact that approaches fastest, or -1. */
static int next_question(const abuti_hold_search *x)
{
    int best = -1;
    double least = INFINITY;
    for (int i = 0; i < x->s->n; ++i) {
        if (x->decided[i] != OPEN_QUESTION) continue;
        const double w = velocity(x, 3 * i) / x->size[3 * i];
        if (best >= 0 && !(w < least)) continue;
        least = w;
        best = i;
    }
    return best;
}

static abut_outcome descend(abuti_hold_search *x);

/* Tries one contact as held, then as free. */
static abut_outcome branch(abuti_hold_search *x, int i)
{
    const int rank = x->rank;
    x->decided[i] = HELD;
    abut_outcome outcome = hold_contact(x, i) ? descend(x) : ABUT_FAILED;
    let_go_to(x, rank);
    if (outcome != ABUT_FAILED || x->cut) return outcome;
    x->decided[i] = FREE;
    return descend(x);
}

static abut_outcome descend(abuti_hold_search *x)
{
    int list[ABUTI_SEARCH_CONTACTS], count = 0;
    abut_outcome outcome = ABUT_FAILED;
    x->nodes++;
    x->cut = x->nodes > most_nodes || (x->nodes % clock_period == 0 && abuti_normal_spent(x->s));
    if (x->cut) return ABUT_FAILED;
    if (decide(x, list, &count)) {
        outcome = try_this(x);
        const int i = outcome == ABUT_FAILED ? next_question(x) : -1;
        if (i >= 0) {
            outcome = branch(x, i);
            x->decided[i] = OPEN_QUESTION;
        }
    }
    for (int k = 0; k < count; ++k) x->decided[list[k]] = OPEN_QUESTION;
    return outcome;
}

static bool begin(abuti_hold_search *x)
{
    const abuti_normal *s = x->s;
    const abuti_system *system = x->system;
    for (int row = 0; row < 3 * s->n + system->joints; ++row) {
        if (row < 3 * s->n)
            abuti_normal_contact_row(s, system, row / 3, row % 3, row_at(x, row));
        else
            abuti_normal_joint_row(s, system, row - 3 * s->n, row_at(x, row));
        x->left[row] = abuti_normal_dot(s, row_at(x, row), row_at(x, row));
        x->size[row] = sqrt(x->left[row]);
    }
    memset(x->v, 0, (size_t)s->ld * sizeof *x->v);
    for (int b = 0; b < system->bodies; ++b)
        memcpy(x->v + (size_t)b * (size_t)system->dim, system->k + (size_t)b * (size_t)system->stride,
               (size_t)system->dim * sizeof *x->v);
    x->rank = 0;
    for (int i = 0; i < s->n; ++i) {
        const bool boxed = abuti_is_boxed(system, i);
        x->decided[i] = boxed ? HELD : OPEN_QUESTION;
        if (boxed && x->bound[i] != 0)
            s->kernels->axpy(s->ld, x->bound[i] * system->mu[i] * system->given[i], row_at(x, 3 * i), x->v);
    }
    for (int j = 0; j < system->joints; ++j)
        if (!hold_row(x, 3 * s->n + j)) return false;
    for (int i = 0; i < s->n; ++i)
        if (abuti_is_boxed(system, i) && x->bound[i] == 0 && !hold_row(x, 3 * i)) return false;
    return true;
}

/* The next choice of bounds; false: there is none. */
static bool next_bounds(abuti_hold_search *x)
{
    for (int i = 0; i < x->s->n; ++i) {
        if (!abuti_is_boxed(x->system, i)) continue;
        x->bound[i] = x->bound[i] == 0 ? 1 : x->bound[i] == 1 ? -1 : 0;
        if (x->bound[i] != 0) return true;
    }
    return false;
}

abut_outcome abuti_hold_search_run(abuti_normal *s, const abuti_system *system, abuti_hold_try *attempt,
                                   void *context)
{
    abuti_hold_search *x = s->search;
    if (s->n > ABUTI_SEARCH_CONTACTS || system->joints > ABUTI_SEARCH_JOINTS) return ABUT_FAILED;
    x->s = s;
    x->system = system;
    x->attempt = attempt;
    x->context = context;
    x->nodes = 0;
    x->cut = false;
    memset(x->bound, 0, (size_t)s->n * sizeof *x->bound);
    abut_outcome outcome = ABUT_FAILED;
    bool consistent = false; /* some choice of bounds lets the rows that are held agree */
    do {
        if (!begin(x)) {
            ++x->nodes; /* it counts, so that many rows do not take for ever */
            x->cut = x->nodes > most_nodes || (x->nodes % clock_period == 0 && abuti_normal_spent(s));
            continue;
        }
        consistent = true;
        outcome = descend(x);
    } while (outcome == ABUT_FAILED && !x->cut && next_bounds(x));
    return outcome == ABUT_FAILED && !x->cut && consistent ? ABUT_INFEASIBLE : outcome;
}
