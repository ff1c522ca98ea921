/* The disjunctive search: which sides of which unions push?
 *
 * Lemke's method cannot solve the published LCP of the max formulation: at every nondegenerate solution of
 * one group the basic part of the matrix has a negative determinant, and Lemke's path ends only where it is
 * positive. So the disjunction is decided from outside. A choice of sides makes them ordinary contacts and
 * forgets the others; that reduced problem goes through the usual stages; what comes out is an answer if the
 * verifier accepts it as one of the union.
 *
 * Order, documented in abut/union.h and the same on every machine:
 *
 *     0  with a warm start, the sides that carried a force in the last step
 *     1  no sides at all; then, while some union is violated, its sides one by one: those of the last step
 *        first, then by the largest gap a at the motion without them, then by index. Unions that the motion
 *        satisfies are never looked at.
 *     2  one, two, three, ... sides of every union that was violated on the way, or none where that holds
 *     3  likewise with the chosen sides touched (union_sum.c)
 *     4  as 2, of all unions
 *
 * Depth first in each. 1 answers almost everything; the others make the search complete, where sides of
 * several unions interact or an answer needs two sides of one. The bound: where the reduced problem has no
 * answer, adding sides is not tried.
 *
 * A force on a side while another side of its union is open (a phantom contact) is no answer; the verifier
 * says so. */
#include "contact/unions.h"
#include "contact/verify.h"
#include <math.h>
#include <string.h>

static int sides_of(const abuti_unions *u, int group)
{
    return u->first[group + 1] - u->first[group];
}

static void undecide_all(abuti_unions *u)
{
    u->depth = 0;
    for (int g = 0; g < u->groups; ++g) u->chosen[g] = -1;
}

/* ------------------------------------------------------------------------------------------------
 * One choice */

/* The reduced answer in the problem's indices; sides that were not chosen carry nothing. */
static void spread_answer(const abuti_union_search *s)
{
    const abuti_unions *u = s->unions;
    for (int i = 0; i < s->island->contacts; ++i)
        memset(s->out->impulses + 3 * (size_t)s->island->contact[i], 0, 3 * sizeof(double));
    for (int i = 0; i < u->reduced.contact_count; ++i)
        memcpy(s->out->impulses + 3 * (size_t)u->index[i], u->outputs.impulses + 3 * (size_t)i,
               3 * sizeof(double));
    for (int i = 0; i < s->island->joints; ++i)
        s->out->joints[s->island->joint[i]] = u->outputs.joints[s->island->joint[i]];
    if (s->problem->generalised)
        memcpy(s->out->velocity, u->outputs.velocity, (size_t)s->problem->generalised->nv * sizeof(double));
    for (int b = 0; b < s->island->bodies && s->problem->body_count > 0; ++b) {
        size_t at = 6 * (size_t)s->island->body[b];
        memcpy(s->out->velocity + at, u->outputs.velocity + at, 6 * sizeof(double));
    }
}

/* Solves the reduced problem of the present choice, and looks at all gaps. */
static abut_status try_choice(abuti_union_search *s, bool *solved)
{
    abuti_unions *u = s->unions;
    abut_outcome outcome = ABUT_FAILED;
    *solved = false;
    if (s->trials++ == (u->touch ? ABUTI_TOUCH_TRIALS : ABUTI_UNION_TRIALS)) {
        s->outcome = ABUT_LIMIT;
        s->ended = true;
        return ABUT_OK;
    }
    abuti_unions_reduce(u, s->problem, s->island);
    abut_status status = s->solve(s->context, u, &outcome, u->outputs.faces);
    if (status != ABUT_OK) return status;
    bool spent = outcome == ABUT_LIMIT, contradiction = outcome == ABUT_INFEASIBLE;
    if (spent || contradiction) { /* the budget is the call's, and joint rows are in every choice */
        if (s->answers == 0) s->outcome = outcome;
        s->ended = true;
    }
    *solved = outcome == ABUT_SOLVED;
    if (!*solved) return ABUT_OK;
    spread_answer(s);
    for (int i = 0; i < u->sides; ++i) u->gap[i] = abuti_side_gap(s->problem, u->side[i], s->out->velocity);
    return ABUT_OK;
}

static void keep_answer(abuti_union_search *s)
{
    abuti_unions *u = s->unions;
    for (int i = 0; i < s->island->contacts; ++i) {
        size_t c = (size_t)s->island->contact[i];
        memcpy(u->best.impulses + 3 * c, s->out->impulses + 3 * c, 3 * sizeof(double));
        u->best.faces[c] = (abut_contact_face){0};
    }
    for (int i = 0; i < u->reduced.contact_count; ++i) u->best.faces[u->index[i]] = u->outputs.faces[i];
    for (int i = 0; i < s->island->joints; ++i)
        u->best.joints[s->island->joint[i]] = s->out->joints[s->island->joint[i]];
}

/* Impulses that an earlier answer had, up to what the tolerance cannot tell apart. */
static bool seen_before(abuti_union_search *s)
{
    const abuti_unions *u = s->unions;
    size_t numbers = 3 * (size_t)s->problem->contact_count;
    double largest = 0.0;
    for (size_t i = 0; i < numbers; ++i) largest = fmax(largest, fabs(s->out->impulses[i]));
    for (int k = 0; k < s->answers; ++k) {
        double apart = 0.0;
        for (size_t i = 0; i < numbers; ++i)
            apart = fmax(apart, fabs(u->seen[(size_t)k * numbers + i] - s->out->impulses[i]));
        if (apart <= 1e2 * s->options->tolerance * largest) return true;
    }
    if (s->answers < ABUTI_UNION_ANSWERS)
        memcpy(u->seen + (size_t)s->answers * numbers, s->out->impulses, numbers * sizeof(double));
    return s->answers == ABUTI_UNION_ANSWERS;
}

/* The present answer, if the verifier takes it. */
static void offer(abuti_union_search *s)
{
    abut_contact_check check;
    abuti_verify_island(s->problem, s->options, s->island, s->out->impulses, s->out->joints, s->out->velocity,
                        s->verify_scratch, &check);
    if (!(check.residual <= s->options->tolerance)) return;
    if (s->visit) {
        if (seen_before(s)) return;
        keep_answer(s);
        s->answers++;
        s->outcome = ABUT_SOLVED;
        if (!s->visit(s->context)) s->ended = true;
        return;
    }
    double energy = abuti_kinetic_energy(s->problem, s->island, s->out->velocity);
    bool first = s->answers++ == 0;
    s->outcome = ABUT_SOLVED;
    /* Equal energies but for rounding: the earlier one stays. */
    if (first || energy < s->energy - 1e-12 * fabs(s->energy)) {
        s->energy = energy;
        keep_answer(s);
    }
    if (s->options->union_prefer == ABUT_PREFER_FIRST) s->ended = true;
}

/* ------------------------------------------------------------------------------------------------
 * The order of choices */

static bool violated(const abuti_unions *u, int group)
{
    for (int i = u->first[group]; i < u->first[group + 1]; ++i)
        if (u->gap[i] >= 0.0) return false;
    return true;
}

/* Last step's sides, then the largest gap, then the index. */
static bool before(const abuti_unions *u, int a, int b)
{
    if (u->last[a] != u->last[b]) return u->last[a];
    if (u->gap[a] != u->gap[b]) return u->gap[a] > u->gap[b];
    return a < b;
}

static void order_sides(abuti_unions *u, int group)
{
    int begin = u->first[group], count = sides_of(u, group);
    for (int i = 0; i < count; ++i) {
        int at = begin + i, side = begin + i;
        for (; at > begin && before(u, side, u->order[at - 1]); --at) u->order[at] = u->order[at - 1];
        u->order[at] = side;
    }
}

/* The first combination of `size` sides. */
static void first_combination(abuti_unions *u, int group, int size)
{
    u->chosen[group] = size;
    for (int k = 0; k < size; ++k) u->combination[u->first[group] + k] = k;
}

static bool next_combination(abuti_unions *u, int group)
{
    int *at = u->combination + u->first[group], size = u->chosen[group], count = sides_of(u, group);
    int k = size - 1;
    while (k >= 0 && at[k] == count - size + k) --k;
    if (k < 0) return false;
    ++at[k];
    for (int j = k + 1; j < size; ++j) at[j] = at[j - 1] + 1;
    return true;
}

/* The group to decide next: one that the motion violates, else (`thorough`) one that any motion violated; -1:
 * none. */
static int next_group(abuti_unions *u, bool thorough)
{
    int waiting = -1;
    for (int g = 0; g < u->groups; ++g) {
        if (u->chosen[g] >= 0) continue;
        if (violated(u, g)) {
            u->active[g] = true;
            return g;
        }
        if (thorough && waiting < 0 && u->active[g]) waiting = g;
    }
    return waiting;
}

/* The next choice of the last decided group that has one. */
static bool advance(abuti_unions *u, int most)
{
    while (u->depth > 0) {
        int group = u->stack[u->depth - 1], count = sides_of(u, group);
        if (next_combination(u, group)) return true;
        if (u->chosen[group] < most && u->chosen[group] < count) {
            first_combination(u, group, u->chosen[group] + 1);
            return true;
        }
        u->chosen[group] = -1;
        u->depth--;
    }
    return false;
}

/* Decides groups until one of them gets a side: then there is something new to try. False: all that matter
 * are decided, and the answer at hand is a leaf. */
static bool decide(abuti_unions *u, bool thorough)
{
    for (int group; (group = next_group(u, thorough)) >= 0;) {
        bool needed = violated(u, group);
        order_sides(u, group);
        first_combination(u, group, needed ? 1 : 0);
        u->stack[u->depth++] = group;
        if (needed) return true;
    }
    return false;
}

/* Depth first over choices of at most `most` sides a group. */
static abut_status descend(abuti_union_search *s, bool thorough, int most)
{
    abuti_unions *u = s->unions;
    undecide_all(u);
    for (bool more = true; more && !s->ended;) {
        bool solved = false;
        abut_status status = try_choice(s, &solved);
        if (status != ABUT_OK) return status;
        if (solved && decide(u, thorough)) continue;
        if (solved) offer(s);
        more = advance(u, most);
    }
    return ABUT_OK;
}

/* The sides of the last step, all at once. */
static abut_status repeat_last(abuti_union_search *s)
{
    abuti_unions *u = s->unions;
    bool any = false, solved = false;
    undecide_all(u);
    for (int g = 0; g < u->groups; ++g) {
        int begin = u->first[g], count = 0;
        for (int i = begin; i < u->first[g + 1]; ++i) {
            u->order[i] = i;
            if (u->last[i]) u->combination[begin + count++] = i - begin;
        }
        u->chosen[g] = count;
        any |= count > 0;
    }
    if (!any) return ABUT_OK;
    abut_status status = try_choice(s, &solved);
    if (solved) offer(s);
    return status;
}

/* The next combination of states of the touched sides: one of d vertices, or 0. */
static bool next_states(abuti_unions *u)
{
    for (int k = 0; k < u->touched; ++k) {
        const abut_contact *side = &u->contacts[u->reduced.contact_count - u->touched + k];
        int d = side->directions ? side->directions : ABUT_DIRECTIONS_DEFAULT;
        bool slides = u->reduced.model == ABUT_COULOMB && side->friction > 0.0;
        if (u->state[k] < (slides ? d : 0)) {
            ++u->state[k];
            return true;
        }
        u->state[k] = 0;
    }
    return false;
}

/* Every choice of at most `most` sides of the active groups, all of which must be touched, in every state. */
static abut_status touch_sides(abuti_union_search *s, int most)
{
    abuti_unions *u = s->unions;
    u->touch = true;
    undecide_all(u);
    s->trials = 0;
    do {
        for (int g = 0; g < u->groups; ++g) {
            if (u->chosen[g] >= 0 || !u->active[g]) continue;
            u->stack[u->depth++] = g;
            order_sides(u, g);
            first_combination(u, g, 0);
        }
        memset(u->state, 0, (size_t)u->sides * sizeof *u->state);
        do {
            bool solved = false;
            abut_status status = try_choice(s, &solved);
            if (status != ABUT_OK) return status;
            if (solved) offer(s);
        } while (!s->ended && next_states(u));
    } while (!s->ended && advance(u, most));
    return ABUT_OK;
}

static int most_sides(const abuti_unions *u)
{
    int most = 1;
    for (int g = 0; g < u->groups; ++g)
        if (u->active[g] && sides_of(u, g) > most) most = sides_of(u, g);
    return most;
}

abut_status abuti_union_search_run(abuti_union_search *s)
{
    abuti_unions *u = s->unions;
    bool first = !s->visit && s->options->union_prefer == ABUT_PREFER_FIRST;
    s->outcome = ABUT_FAILED;
    u->touch = false;
    memset(u->active, 0, (size_t)u->groups * sizeof *u->active);
    abut_status status = ABUT_OK;
    if (first && u->warm) status = repeat_last(s);
    if (status == ABUT_OK && !s->ended) status = descend(s, false, 1);
    for (int k = 1; first && status == ABUT_OK && !s->ended && k <= most_sides(u); ++k)
        status = descend(s, true, k);
    bool touch = first && s->problem->model != ABUT_NO_SLIP;
    for (int k = 1; touch && status == ABUT_OK && !s->ended && k <= most_sides(u); ++k)
        status = touch_sides(s, k);
    u->touch = false;
    bool everything = s->visit || s->answers == 0;
    for (int g = 0; g < u->groups && everything; ++g) u->active[g] = true;
    if (status == ABUT_OK && !s->ended) status = descend(s, true, most_sides(u));
    return status;
}
