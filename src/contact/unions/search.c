/* The disjunctive search: which sides of which unions push?
 *
 * Lemke's method cannot solve the published LCP of the max formulation: at every nondegenerate solution of
 * one group the basic part of the matrix has a negative determinant, and Lemke's path ends only where it is
 * positive. So the disjunction is decided from outside. A choice of sides makes them ordinary contacts and
 * forgets the others; that reduced problem goes through the usual stages; what comes out is an answer if the
 * verifier accepts it as one of the union.
 *
 * Order, documented in abut/union.h and the same on every machine. One answer is wanted:
 *
 *     0  with a warm start, the sides that carried a force in the last step
 *     1  no sides at all; then, while some union is violated, its sides one by one: those of the last step
 *        first, then by the energy that they leave, then by the largest gap a at the motion without them, then
 *        by index. Depth first. Unions that the motion satisfies are never looked at. An answer that gains
 *        energy is taken only if a few more choices, with as many sides at most, have none without gain.
 *     2  branch and bound on the conditions themselves (unions/branch.c), which is complete
 *     3  where that is not at hand (too many rows) or could not decide, every choice
 *
 * All answers are wanted, or the one with the least energy: every choice, those with at most one side of each
 * union first, then at most two, and so on; the last union changes fastest. With friction branch and bound
 * lists the further answers of each choice, by the states of the contacts.
 *
 * What this finds. Without friction a reduced problem has one motion, the one with the least distance (in the
 * norm of the mass matrix) from the free motion, so "every choice" lists all motions; and the nearest point
 * of the union, which is a choice of one side a union, is among them: there is always an answer if the unions
 * and ordinary contacts can be satisfied at all. With friction branch and bound decides.
 *
 * A motion on the way is one stage's word, which nobody has judged. What is wrong with it shows when the verifier
 * judges the last motion of a branch. If the verifier refuses that one and no union explains why, the choice is
 * solved again by all stages, each judged. A force on a side while another side of its union is open (a phantom
 * contact) is no answer; the verifier says so. */
#include "contact/system/models.h"
#include "contact/unions/unions.h"
#include "contact/verify/verify.h"
#include <math.h>
#include <string.h>

/* An answer gains energy if it has more than that of the motion without sides, by more than this share of it. */
static const double gains = 1e-9;
/* Of two answers whose energies differ by less than this share, the earlier one stays. */
static const double less = 1e-12;
/* Where the energies that two sides would take differ by less than this share, their gaps decide. */
static const double alike = 1e-9;

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

/* Writes the reduced answer in the problem's indices; sides that were not chosen carry nothing. */
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

static void look_at_gaps(abuti_union_search *s)
{
    abuti_unions *u = s->unions;
    double threshold = s->options->restitution_threshold;
    for (int i = 0; i < u->sides; ++i)
        u->gap[i] = abuti_side_gap(s->problem, threshold, u->side[i], s->out->velocity);
}

/* Solves the choice by judged stages, or by branch and bound. */
static abut_status solve_choice(abuti_union_search *s, abuti_union_way way, bool *solved, bool *proved)
{
    abut_outcome outcome = ABUT_FAILED;
    if (way == ABUTI_BY_STAGES)
        abuti_unions_reduce(s->unions, s->problem, s->island);
    else if (s->options->unions.rule == ABUT_UNION_SUM)
        abuti_unions_reduce_duplicates(s->unions, s->problem, s->island);
    else
        abuti_unions_reduce_nothing(s->unions, s->problem, s->island);
    abut_status status = s->solve(s->context, way, &outcome, proved);
    *solved = status == ABUT_OK && outcome == ABUT_SOLVED;
    s->guessing = false;
    if (status == ABUT_OK && outcome == ABUT_LIMIT) s->limited = s->ended = true; /* the call's budget */
    if (!*solved) return status;
    spread_answer(s);
    look_at_gaps(s);
    return ABUT_OK;
}

/* Finds the motion of the present choice, and all gaps. False: it has no motion, as far as the stages know. */
static bool try_choice(abuti_union_search *s)
{
    abuti_unions_gather(s->unions);
    abut_outcome outcome = s->guess(s->context);
    s->guessing = outcome == ABUT_SOLVED;
    if (outcome == ABUT_LIMIT) s->limited = s->ended = true;
    if (s->guessing) look_at_gaps(s);
    return s->guessing;
}

/* Whether this phase has no more choices. */
static bool spent(abuti_union_search *s)
{
    if (s->trials++ < ABUTI_UNION_TRIALS) return false;
    s->limited = true;
    return true;
}

static void keep_answer(abuti_union_search *s)
{
    abuti_unions *u = s->unions;
    for (int i = 0; i < s->island->contacts; ++i) {
        size_t c = (size_t)s->island->contact[i];
        memcpy(u->best.impulses + 3 * c, s->out->impulses + 3 * c, 3 * sizeof(double));
        u->best.faces[c] = s->guessing ? s->guessed->face[i] : (abut_contact_face){0};
    }
    for (int i = 0; i < u->reduced.contact_count && !s->guessing; ++i)
        u->best.faces[u->index[i]] = u->outputs.faces[i];
    for (int i = 0; i < s->island->joints; ++i)
        u->best.joints[s->island->joint[i]] = s->out->joints[s->island->joint[i]];
}

/* Whether an earlier answer had these impulses, up to what the tolerance cannot tell apart. */
static bool seen_before(abuti_union_search *s, const double *impulses)
{
    const abuti_unions *u = s->unions;
    size_t numbers = 3 * (size_t)s->problem->contact_count;
    double largest = 0.0;
    for (size_t i = 0; i < numbers; ++i) largest = fmax(largest, fabs(impulses[i]));
    for (int k = 0; k < s->answers; ++k) {
        double apart = 0.0;
        for (size_t i = 0; i < numbers; ++i)
            apart = fmax(apart, fabs(u->seen[(size_t)k * numbers + i] - impulses[i]));
        if (apart <= 1e2 * s->options->tolerance * largest) return true;
    }
    if (s->answers < ABUTI_UNION_ANSWERS)
        memcpy(u->seen + (size_t)s->answers * numbers, impulses, numbers * sizeof(double));
    else
        s->limited = s->ended = true;
    return s->ended;
}

void abuti_union_search_begin(abuti_union_search *s, const double *velocity)
{
    s->energy = abuti_kinetic_energy(s->problem, s->island, velocity);
    if (!seen_before(s, s->unions->best.impulses)) s->answers++;
    if (s->visit && !s->visit(s->context)) s->ended = true;
}

/* Shows or keeps the present answer, if the verifier takes it. */
static bool offer(abuti_union_search *s)
{
    abut_contact_check check;
    abuti_verify_island(s->problem, s->options, s->island, s->out->impulses, s->out->joints, s->out->velocity,
                        s->verify_scratch, &check);
    if (!(check.residual <= s->options->tolerance)) return false;
    if (s->visit) {
        if (seen_before(s, s->out->impulses)) return true;
        keep_answer(s);
        s->answers++;
        if (!s->visit(s->context)) s->ended = true;
        return true;
    }
    bool first = s->answers++ == 0, one = s->options->unions.prefer == ABUT_PREFER_FIRST;
    double energy = abuti_kinetic_energy(s->problem, s->island, s->out->velocity);
    /* The first answer is the one, unless it has more energy than the motion without sides. */
    s->ended = s->ended || (one && energy <= s->free_energy * (1.0 + gains));
    /* Equal energies but for rounding: the earlier one stays. */
    if (first || energy < s->energy - less * fabs(s->energy)) {
        s->energy = energy;
        s->check = check;
        s->standing = s->ended && s->guessing;
        if (!s->standing) keep_answer(s);
    }
    return true;
}

/* Whether some union explains why a motion that is right for the reduced problem is no answer: the union is
 * violated, or is open while a side of it was chosen and pushes. */
static bool explained(const abuti_union_search *s)
{
    static const double clearly = 1e-6; /* of the union's largest gap: no rounding */
    const abuti_unions *u = s->unions;
    for (int g = 0; g < u->groups && s->options->unions.rule == ABUT_UNION_MAX; ++g) {
        double most = -INFINITY, size = 0.0;
        bool pushes = false;
        for (int i = u->first[g]; i < u->first[g + 1]; ++i) {
            most = fmax(most, u->gap[i]);
            size = fmax(size, fabs(u->gap[i]));
            pushes |= s->out->impulses[3 * (size_t)u->side[i]] > 0.0;
        }
        if (most < -clearly * size || (pushes && most > clearly * size)) return true;
    }
    return false;
}

/* Judges the motion at hand. If it is a guess, is refused and no union explains why, the choice is solved again by
 * judged stages. */
static abut_status judge_choice(abuti_union_search *s, bool *accepted)
{
    bool solved = false, proved = false;
    *accepted = offer(s);
    if (*accepted || !s->guessing || explained(s)) return ABUT_OK;
    abut_status status = solve_choice(s, ABUTI_BY_STAGES, &solved, &proved);
    if (solved) *accepted = offer(s);
    return status;
}

/* ------------------------------------------------------------------------------------------------
 * The order of choices */

/* Whether no side of a union is open or touched. A side that something else holds, as a floor holds what slides over a
 * corner in it, is touched up to rounding. */
static bool violated(const abuti_unions *u, int group)
{
    static const double rounding = 1e-12; /* of the union's largest gap */
    double most = -INFINITY, size = 0.0;
    for (int i = u->first[group]; i < u->first[group + 1]; ++i) {
        most = fmax(most, u->gap[i]);
        size = fmax(size, fabs(u->gap[i]));
    }
    return !(most >= -rounding * size);
}

/* The kinetic energy that a side adds to the motion at hand when it alone brings its a to 0, without friction: a
 * normal velocity n.v becomes -b, by an impulse through the inertia 1 / s^2. */
static double energy_gained(const abuti_unions *u, int side)
{
    const abuti_system *w = u->whole;
    int lane = u->side_lane[side];
    double s = w->size[0][lane] / w->row_scale[lane], b = w->offset[0][lane] * w->unit / w->row_scale[lane];
    double moving = u->gap[side] - b;
    return s > 0.0 ? (b * b - moving * moving) / (2.0 * s * s) : 0.0;
}

/* Whether side a comes before side b: the last step's sides come first, then the least energy (but for rounding)
 * decides, then the largest gap, then the index. */
static bool before(const abuti_unions *u, int a, int b)
{
    if (u->last[a] != u->last[b]) return u->last[a];
    double mine = energy_gained(u, a), other = energy_gained(u, b), size = fmax(fabs(mine), fabs(other));
    if (fabs(mine - other) > alike * size) return mine < other;
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

/* Goes on to the next choice of the last decided group that has one. */
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

/* Gives the first union that the motion violates its first side; false: there is none. */
static bool decide(abuti_unions *u)
{
    for (int g = 0; g < u->groups; ++g) {
        if (u->chosen[g] >= 0 || !violated(u, g)) continue;
        order_sides(u, g);
        first_combination(u, g, 1);
        u->stack[u->depth++] = g;
        return true;
    }
    return false;
}

/* ------------------------------------------------------------------------------------------------
 * The phases */

/* 0: the sides of the last step, all at once. */
static abut_status repeat_last(abuti_union_search *s)
{
    abuti_unions *u = s->unions;
    bool any = false, accepted = false;
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
    return any && try_choice(s) ? judge_choice(s, &accepted) : ABUT_OK;
}

/* 1: depth first over the sides of violated unions. After an answer that gains energy so many further choices
 * with as many sides at most are looked at. */
static abut_status descend(abuti_union_search *s)
{
    enum { FURTHER = 64 };
    abuti_unions *u = s->unions;
    int deepest = u->groups, end = ABUTI_UNION_TRIALS + 1;
    undecide_all(u);
    s->trials = 0;
    for (bool more = true; more && !s->ended && s->trials < end && !spent(s);) {
        bool solved = try_choice(s), accepted = false;
        if (solved && s->trials == 1)
            s->free_energy = abuti_kinetic_energy(s->problem, s->island, s->out->velocity);
        if (solved && u->depth < deepest && decide(u)) continue;
        abut_status status = solved ? judge_choice(s, &accepted) : ABUT_OK;
        if (status != ABUT_OK) return status;
        if (accepted && s->answers == 1) {
            deepest = u->depth;
            end = s->trials + FURTHER;
        }
        more = advance(u, 1);
    }
    s->free_energy = INFINITY;
    return ABUT_OK;
}

/* 2: branch and bound looks for a point that fulfils all conditions. */
static abut_status solve_exactly(abuti_union_search *s, bool *proved)
{
    bool solved = false;
    *proved = false;
    if (s->ended) return ABUT_OK;
    undecide_all(s->unions);
    abut_status status = solve_choice(s, ABUTI_EXACTLY, &solved, proved);
    if (solved) (void)offer(s);
    return status;
}

static bool one_is_wanted(const abuti_union_search *s)
{
    return !s->visit && s->options->unions.prefer == ABUT_PREFER_FIRST;
}

/* Looks into one choice among all by the stages. With friction there may be more answers with the same sides. */
static abut_status look_into(abuti_union_search *s)
{
    bool accepted = false, proved = false, solved = true;
    abut_status status = try_choice(s) ? judge_choice(s, &accepted) : ABUT_OK;
    if (one_is_wanted(s)) return status;
    if (s->options->unions.rule != ABUT_UNION_MAX ||
        abuti_model_of(s->problem->model)->friction == ABUT_LAW_NONE)
        return status;
    for (abuti_union_way way = ABUTI_FIRST; status == ABUT_OK && solved && !s->ended; way = ABUTI_NEXT) {
        status = solve_choice(s, way, &solved, &proved);
        if (solved) (void)offer(s);
    }
    if (!proved) s->limited = true;
    return status;
}

static bool has_level(const abuti_unions *u, int level)
{
    for (int g = 0; g < u->groups; ++g)
        if (u->chosen[g] == level) return true;
    return false;
}

/* Goes on to the next choice, or stays at the present one, in which some union has `level` sides chosen: the last union
 * that has so many sides takes them, and those after it begin anew. */
static void reach_level(abuti_unions *u, int level)
{
    if (has_level(u, level)) return;
    int g = u->groups - 1;
    for (; sides_of(u, g) < level; --g) first_combination(u, g, 0);
    first_combination(u, g, level);
}

/* All choices whose largest number of sides of one union is `level`. */
static abut_status each_choice_of(abuti_union_search *s, int level)
{
    abuti_unions *u = s->unions;
    undecide_all(u);
    do {
        for (int g = 0; g < u->groups; ++g) {
            if (u->chosen[g] >= 0) continue;
            u->stack[u->depth++] = g;
            first_combination(u, g, 0);
        }
        reach_level(u, level);
        if (spent(s)) return ABUT_OK;
        abut_status status = look_into(s);
        if (status != ABUT_OK) return status;
    } while (!s->ended && advance(u, level));
    return ABUT_OK;
}

/* 3: every choice, from no sides on. */
static abut_status each_choice(abuti_union_search *s)
{
    abuti_unions *u = s->unions;
    int most = 0;
    s->trials = 0;
    for (int g = 0; g < u->groups; ++g) {
        most = sides_of(u, g) > most ? sides_of(u, g) : most;
        u->chosen[g] = 0;
    }
    memset(u->gap, 0, (size_t)u->sides * sizeof(double));
    abut_status status = look_into(s);
    for (int g = 0; g < u->groups; ++g) order_sides(u, g);
    for (int level = 1; level <= most && status == ABUT_OK && !s->ended; ++level)
        status = each_choice_of(s, level);
    return status;
}

abut_status abuti_union_search_run(abuti_union_search *s)
{
    bool one = one_is_wanted(s), proved = false;
    abut_status status = ABUT_OK;
    s->free_energy = INFINITY;
    if (one && s->unions->warm) status = repeat_last(s);
    if (status == ABUT_OK && !s->ended) status = one ? descend(s) : each_choice(s);
    if (status == ABUT_OK && s->answers == 0) status = solve_exactly(s, &proved);
    if (status == ABUT_OK && !s->ended && s->answers == 0 && one && !proved) status = each_choice(s);
    s->outcome = s->answers > 0 ? ABUT_SOLVED
                 : proved       ? ABUT_INFEASIBLE
                 : s->limited   ? ABUT_LIMIT
                                : ABUT_FAILED;
    return status;
}
