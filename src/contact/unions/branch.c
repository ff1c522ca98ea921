/* Branch and bound for both formulations, complete.
 *
 * The search over choices of sides (unions/search.c) asks the usual stages for one answer of each reduced
 * problem. With friction a reduced problem has several, and the one that comes back may be a phantom contact
 * while another one is an answer of the union; a side may also have to be touched where its reduced problem
 * would leave it. So what the search leaves open is decided here on the conditions themselves. By rows (13)
 * to (22) of the published LCP (32), (33) an answer is a point with, for all contacts,
 *
 *     0 <= f_j perp slip + d_j.u >= 0,        0 <= slip perp mu p - sum f >= 0,
 *
 * for an ordinary contact 0 <= p perp a >= 0, and for a union
 *
 *     max a >= 0,        0 <= p_i perp max(0, -a_i) + max a >= 0,
 *
 * that is, it is in one of two states,
 *
 *     idle       no side pushes; a_k >= 0 at one side k
 *     touched    all a <= 0; a_k = 0 at one side k; for all sides 0 <= p_i perp -a_i >= 0
 *
 * (max a > 0: no p may be positive; max a = 0: p_i may be where a_i = 0). Which side k it is, is decided only
 * where a point has none.
 *
 * Every p perp w is in turn one of two cases, p = 0 or w = 0. A node of the tree has decided some unions and
 * some pairs. Its relaxation keeps the signs of all variables and the equations that were decided, and
 * forgets the rest. It is linear, and unions/relax.c decides it. An empty relaxation ends the branch. A point
 * that happens to fulfil the undecided conditions too is an answer. Otherwise the first union that it
 * violates, or else the pair that it violates most, is decided in all ways one after the other.
 *
 * Why this is complete: at every node the cases together cover all answers of the node, since they are the
 * ways in which the condition can hold; a relaxation contains all answers of its node, so no branch that is
 * cut has one; and a path decides each union and each pair at most once, so the tree is finite. Where the
 * tree ends without an answer there is none (up to rounding: what counts as zero is a tenth of the verifier's
 * tolerance, in the system's units, which are of order one).
 *
 * For all answers with given pushing sides (`every`) contacts take the place of pairs: a contact is open,
 * sticks, slides at one direction or between two, and the tree goes on until all contacts that may push are
 * decided. Then each combination of states has one leaf, and one answer if it has any.
 *
 * No-slip has no directions: a contact is open and free, or touched and does not slip, or (an ordinary one)
 * open and held all the same.
 *
 * The summation (34), (35 corrected) is an LCP as it stands,
 *
 *     0 <= c_i perp c_i - a_i - e >= 0,        0 <= p_i perp sum c - e >= 0,
 *
 * so its unions are pairs like all others; with no-slip a side that pushes does not slip. */
#include "contact/system/models.h"
#include "contact/unions/branch_parts.h"
#include <limits.h>
#include <math.h>
#include <string.h>

abuti_branch *abuti_branch_layout(abuti_arena *arena, const abut_contact_limits *limits)
{
    abuti_branch *taken = abuti_take(arena, 1, abuti_branch);
    abuti_branch counting, *t = taken ? taken : &counting;
    int directions = limits->directions ? limits->directions : ABUT_DIRECTIONS_DEFAULT;
    long long rows = limits->sides + (long long)limits->contacts * (2 + directions) + limits->joints;
    t->capacity = (int)(rows < ABUTI_BRANCH_ROWS ? rows : ABUTI_BRANCH_ROWS);
    size_t n = (size_t)t->capacity;
    t->place = abuti_take(arena, limits->contacts, abuti_union_place);
    t->B = abuti_take(arena, n * n, double);
    t->b = abuti_take(arena, n, double);
    t->z = abuti_take(arena, n, double);
    t->w = abuti_take(arena, n, double);
    t->row_scale = abuti_take(arena, limits->contacts, double);
    t->joint_scale = abuti_take(arena, limits->joints, double);
    t->stack = abuti_take(arena, n + (size_t)limits->sides, abuti_decision);
    abuti_relax_layout(&t->relax, arena, t->capacity);
    abuti_pins_layout(&t->pins, arena, t->capacity, limits->contacts);
    return taken;
}

/* The system in units of order one. These are its own units or, where gaps of several sides are added, those of its
 * heaviest row. */
static abuti_system unscaled(const abuti_branch *t, const abuti_system *system)
{
    abuti_system s = *system;
    s.unit = 1.0;
    s.row_scale = t->row_scale;
    s.joint_scale = t->joint_scale;
    return s;
}

/* Sets those units, and returns epsilon / step in them. */
static double set_units(abuti_branch *t, const abuti_system *s, const abut_contact_problem *problem,
                        const abut_contact_options *options)
{
    double heaviest = 0.0;
    for (int i = 0; i < s->n; ++i) heaviest = fmax(heaviest, s->row_scale[i]);
    for (int i = 0; i < s->n; ++i) t->row_scale[i] = t->shape.sum ? s->row_scale[i] / heaviest : 1.0;
    for (int j = 0; j < s->joints; ++j) t->joint_scale[j] = 1.0;
    return t->shape.sum ? abuti_union_cap(s, problem, options) * heaviest / s->unit : 0.0;
}

static abuti_union_kind kind_of(const abut_contact_problem *problem, const abut_contact_options *options)
{
    bool held = abuti_model_of(problem->model)->friction == ABUT_LAW_HELD;
    if (options->unions.rule == ABUT_UNION_SUM) return held ? ABUTI_LCP_SUM_HELD : ABUTI_LCP_SUM;
    return held ? ABUTI_LCP_HELD : ABUTI_LCP_PLAIN;
}

bool abuti_branch_begin(abuti_branch *t, const abuti_unions *u, const abuti_system *system,
                        const abut_contact_options *options, bool every)
{
    t->every = every;
    t->shape = abuti_union_shape_of(&u->reduced, kind_of(&u->reduced, options));
    t->shape.joints = system->joints;
    t->shape.rows = t->shape.free + system->joints;
    if (t->shape.rows > t->capacity || t->shape.rows == 0) return false;
    double cap = set_units(t, system, &u->reduced, options);
    abuti_system s = unscaled(t, system);
    abuti_union_places(&u->reduced, &t->shape, t->place);
    abuti_union_form(&s, &u->reduced, &t->shape, t->place, cap, t->B, t->b);
    t->relax.tolerance = 0.1 * options->tolerance;
    abuti_relax_start(&t->relax, t->shape.rows, t->B, t->b);
    t->depth = t->nodes = t->relax.total = 0;
    t->started = t->paused = false;
    t->exhausted = true;
    t->by_pins = t->shape.held && !t->shape.sum && !every && abuti_held_begin(t, u, &s);
    return true;
}

/* ------------------------------------------------------------------------------------------------
 * What a point violates */

static bool decided(const abuti_branch *t, abuti_decided what, int index)
{
    for (int k = 0; k < t->depth; ++k)
        if (t->stack[k].what == what && t->stack[k].index == index) return true;
    return false;
}

/* The largest tangential impulse of a contact of no-slip, where no cone ties it to the normal one; with `velocity`, its
 * largest slip velocity. */
static double largest_tangential(const abuti_branch *t, const abuti_unions *u, int contact, bool velocity)
{
    int tangents = abuti_branch_tangents(&u->reduced, contact);
    double most = 0.0;
    for (int j = 0; j < tangents && t->shape.held; ++j) {
        int variable = t->place[contact].direction + j + (velocity ? t->shape.rows : 0);
        most = fmax(most, fabs(abuti_relax_value(&t->relax, variable)));
    }
    return most;
}

static bool violates_union(const abuti_branch *t, const abuti_unions *u, int group)
{
    int begin = t->shape.normal + abuti_first_side(u, group);
    double most = -INFINITY, zero = t->relax.tolerance;
    for (int k = 0; k < abuti_sides_of(u, group); ++k)
        most = fmax(most, abuti_relax_value(&t->relax, t->shape.rows + begin + k));
    if (most < -zero) return true;
    for (int k = 0; k < abuti_sides_of(u, group); ++k) {
        double p = fmax(abuti_relax_value(&t->relax, begin + k),
                        largest_tangential(t, u, abuti_first_side(u, group) + k, false));
        double a = abuti_relax_value(&t->relax, t->shape.rows + begin + k);
        if (p > zero && (most > zero || a < -zero)) return true;
    }
    return false;
}

/* The pair that is furthest from complementary; -1: none is. Contacts that are held have states instead. */
static int worst_pair(const abuti_branch *t, const abuti_unions *u)
{
    double worst = t->relax.tolerance;
    int best = -1, pairs = t->shape.held ? t->shape.normal : t->shape.free;
    for (int k = 0; k < pairs; ++k) {
        double z = fabs(abuti_relax_value(&t->relax, k));
        double w = fabs(abuti_relax_value(&t->relax, t->shape.rows + k));
        if (!(fmin(z, w) > worst)) continue;
        /* Of a pair that is decided it is rounding. */
        if (t->relax.may_be[k] == ABUTI_ZERO || t->relax.may_be[t->shape.rows + k] == ABUTI_ZERO) continue;
        /* A side's gap of an undecided union has been judged with its union. */
        bool side = k >= t->shape.normal + u->ordinary_count && k < t->shape.direction;
        if (side && !t->shape.sum && t->relax.may_be[t->shape.rows + k] == ABUTI_FREE) continue;
        worst = fmin(z, w);
        best = k;
    }
    return best;
}

/* Whether a contact of no-slip pushes while it is open, or slips while it pushes or touches. */
static bool violates_holding(const abuti_branch *t, const abuti_unions *u, int contact)
{
    const abuti_relax *r = &t->relax;
    double zero = r->tolerance, p = abuti_relax_value(r, abuti_branch_normal(t, contact));
    double a = abuti_relax_value(r, t->shape.rows + abuti_branch_normal(t, contact));
    double f = largest_tangential(t, u, contact, false), slip = largest_tangential(t, u, contact, true);
    bool side = contact >= u->ordinary_count, pushes = p > zero || f > zero;
    if (side && !pushes) return false;
    return (p > zero && a > zero) || (side && fabs(a) > zero) || (slip > zero && (pushes || a <= zero));
}

/* Decides the state of the next contact that may push (no-slip: whose state is wrong). False: all are decided. */
static bool branch_contact(abuti_branch *t, const abuti_unions *u)
{
    for (int i = 0; i < u->reduced.contact_count; ++i) {
        bool side = i >= u->ordinary_count, pushes = t->relax.may_be[abuti_branch_normal(t, i)] != ABUTI_ZERO;
        if (!pushes || decided(t, ABUTI_OF_CONTACT, i)) continue;
        if (!t->every && !violates_holding(t, u, i)) continue;
        int d = abuti_branch_directions(&u->reduced, i), pieces = d == ABUT_DIRECTIONS_MIN ? d : 2 * d;
        int more = t->shape.held ? !side : abuti_branch_has_friction(t, u, i) ? pieces : 0;
        t->stack[t->depth++] = (abuti_decision){.what = ABUTI_OF_CONTACT,
                                                .index = i,
                                                .state = side && t->every, /* a chosen side is touched */
                                                .states = 2 + more};
        return true;
    }
    return false;
}

static bool has_side(const abuti_branch *t, const abuti_unions *u, int group)
{
    int begin = t->shape.rows + t->shape.normal + abuti_first_side(u, group);
    for (int k = 0; k < abuti_sides_of(u, group); ++k)
        if (abuti_relax_value(&t->relax, begin + k) >= -t->relax.tolerance) return true;
    return false;
}

/* Decides a pair that the point violates; false: there is none. */
static bool branch_pair(abuti_branch *t, const abuti_unions *u)
{
    int pair = worst_pair(t, u);
    if (pair < 0) return false;
    double z = abuti_relax_value(&t->relax, pair), w = abuti_relax_value(&t->relax, t->shape.rows + pair);
    t->stack[t->depth++] =
        (abuti_decision){.what = ABUTI_OF_PAIR, .index = pair, .states = 2, .w_first = fabs(w) < fabs(z)};
    return true;
}

/* Decides something that the point violates; false: it violates nothing. */
static bool branch(abuti_branch *t, const abuti_unions *u)
{
    if (t->shape.sum) return (t->shape.held && branch_contact(t, u)) || branch_pair(t, u);
    for (int g = 0; g < u->groups; ++g) {
        bool known = u->chosen[g] >= 0 || decided(t, ABUTI_OF_GROUP, g);
        if (u->chosen[g] > 0 || (known ? has_side(t, u, g) : !violates_union(t, u, g))) continue;
        if (known && decided(t, ABUTI_OF_SIDE, g)) continue;
        t->stack[t->depth++] =
            known ? (abuti_decision){.what = ABUTI_OF_SIDE, .index = g, .states = abuti_sides_of(u, g)}
                  : (abuti_decision){.what = ABUTI_OF_GROUP,
                                     .index = g,
                                     .states = t->shape.held ? 1 + abuti_sides_of(u, g) : 2};
        return true;
    }
    return t->every || t->shape.held ? branch_contact(t, u) : branch_pair(t, u);
}

/* ------------------------------------------------------------------------------------------------
 * The tree, depth first */

static bool advance(abuti_branch *t)
{
    while (t->depth > 0) {
        abuti_decision *top = &t->stack[t->depth - 1];
        if (++top->state < top->states) return true;
        t->depth--;
    }
    return false;
}

/* Whether the relaxation of the node has a point. Where rounding has spoilt the tableau, a fresh one is asked. */
static bool has_point(abuti_branch *t, const abuti_unions *u)
{
    abuti_branch_bound(t, u);
    int most = 20 * t->shape.rows + 100;
    abuti_relax_verdict verdict = abuti_relax_run(&t->relax, most);
    if (verdict == ABUTI_UNDECIDED || t->relax.pivots > 200) {
        abuti_relax_refresh(&t->relax, t->B, t->b);
        verdict = abuti_relax_run(&t->relax, most);
    }
    if (verdict == ABUTI_UNDECIDED) t->exhausted = false;
    return verdict == ABUTI_FEASIBLE;
}

static void take_point(abuti_branch *t, const abuti_unions *u, const abuti_system *system,
                       abuti_answer *answer)
{
    abuti_system s = unscaled(t, system);
    for (int k = 0; k < t->shape.rows; ++k) {
        t->z[k] = abuti_relax_value(&t->relax, k);
        t->w[k] = abuti_relax_value(&t->relax, t->shape.rows + k);
    }
    abuti_union_answer(&t->shape, &s, &u->reduced, t->place, t->z, t->w, answer);
}

/* No-slip: looks at some sets of pins. There is a point where the motion is right and impulses can hold the pins. After
 * the last set the tree begins, unless no set was in doubt. */
static abuti_branch_step look_at_pins(abuti_branch *t, const abuti_unions *u)
{
    for (int k = 0; k < ABUTI_BRANCH_SLICE; ++k) {
        abuti_pins_step step = abuti_held_next(t, u);
        if (step == ABUTI_PINS_END) {
            t->by_pins = false;
            return t->pins.exhausted && t->exhausted ? ABUTI_BRANCH_END : ABUTI_BRANCH_PAUSE;
        }
        t->relax.total++; /* a set costs about as much as a pivot */
        if (step == ABUTI_PINS_NONE) continue;
        abuti_relax_refresh(&t->relax, t->B, t->b);
        if (has_point(t, u) && abuti_held_agrees(t)) return ABUTI_BRANCH_POINT;
    }
    return ABUTI_BRANCH_PAUSE;
}

/* Looks at some nodes of the tree. */
static abuti_branch_step look_at_nodes(abuti_branch *t, const abuti_unions *u)
{
    bool more = !t->started || t->paused || advance(t);
    t->started = true;
    t->paused = false;
    for (int k = 0; more && k < ABUTI_BRANCH_SLICE; ++k) {
        bool point = has_point(t, u), deeper = point && branch(t, u);
        if (point && !deeper) { /* is it a point still, without the rounding of the way? */
            abuti_relax_refresh(&t->relax, t->B, t->b);
            deeper = (point = has_point(t, u)) && branch(t, u);
            if (point && !deeper) return ABUTI_BRANCH_POINT;
        }
        t->nodes++;
        more = deeper || advance(t);
    }
    t->paused = more;
    return more ? ABUTI_BRANCH_PAUSE : ABUTI_BRANCH_END;
}

abuti_branch_step abuti_branch_next(abuti_branch *t, const abuti_unions *u, const abuti_system *system,
                                    int pivots_left, abuti_answer *answer)
{
    int before = t->relax.total;
    if (t->nodes >= ABUTI_BRANCH_NODES || pivots_left <= 0) {
        t->exhausted = false;
        return ABUTI_BRANCH_END;
    }
    abuti_branch_step step = t->by_pins ? look_at_pins(t, u) : look_at_nodes(t, u);
    answer->pivots += t->relax.total - before;
    if (step == ABUTI_BRANCH_POINT) take_point(t, u, system, answer);
    return step;
}
