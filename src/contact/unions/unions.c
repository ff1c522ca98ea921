/* Groups of an island, and the reduced problem in which chosen sides are ordinary contacts and the sides that
 * were not chosen do not exist. */
#include "contact/unions/unions.h"
#include "linalg/kernels.h"
#include <string.h>

bool abut_union_is_side(const abut_contact_problem *problem, int contact)
{
    if (!problem || !problem->contacts || contact < 0 || contact >= problem->contact_count) return false;
    int group = problem->contacts[contact].group;
    for (int i = 0; i < problem->contact_count && group > 0; ++i)
        if (i != contact && problem->contacts[i].group == group) return true;
    return false;
}

static void layout_point(abuti_union_point *point, abuti_arena *arena, const abut_contact_limits *limits)
{
    point->impulses = abuti_take(arena, 3 * (size_t)limits->contacts, double);
    point->joints = abuti_take(arena, limits->joints, double);
    point->faces = abuti_take(arena, limits->contacts, abut_contact_face);
}

static void layout_reduced(abuti_unions *u, abuti_arena *arena, const abut_contact_limits *limits)
{
    size_t contacts = (size_t)limits->contacts, nv = (size_t)limits->nv;
    u->contacts = abuti_take(arena, contacts, abut_contact);
    u->index = abuti_take(arena, contacts, int);
    u->identity = abuti_take(arena, contacts, int);
    u->normal_rows = abuti_take(arena, contacts * nv, double);
    u->tangent_rows = abuti_take(arena, 2 * contacts * nv, double);
    u->remembered = abuti_take(arena, contacts, abut_contact_face);
    u->start = abuti_take(arena, abuti_padded(limits->contacts), abut_contact_face);
    abuti_outputs_layout(&u->outputs, arena, limits);
}

void abuti_unions_layout(abuti_unions *u, abuti_arena *arena, const abut_contact_limits *limits)
{
    *u = (abuti_unions){.capacity = limits->sides};
    if (limits->sides == 0) return;
    size_t sides = (size_t)limits->sides, contacts = (size_t)limits->contacts;
    u->first = abuti_take(arena, sides + 2, int);
    u->side = abuti_take(arena, sides, int);
    u->ordinary = abuti_take(arena, contacts, int);
    u->side_lane = abuti_take(arena, sides, int);
    u->ordinary_lane = abuti_take(arena, contacts, int);
    u->gap = abuti_take(arena, sides, double);
    u->chosen = abuti_take(arena, sides, int);
    u->order = abuti_take(arena, sides, int);
    u->combination = abuti_take(arena, sides, int);
    u->stack = abuti_take(arena, sides, int);
    u->last = abuti_take(arena, sides, bool);
    u->slots = 8;
    while (u->slots < 2 * limits->sides) u->slots *= 2;
    u->table = abuti_take(arena, u->slots, int);
    u->key = abuti_take(arena, u->slots, int);
    u->place = abuti_take(arena, contacts, abuti_union_place);
    u->seen = abuti_take(arena, ABUTI_UNION_ANSWERS * 3 * contacts, double);
    layout_reduced(u, arena, limits);
    layout_point(&u->best, arena, limits);
    abuti_unions_layout_lanes(u, arena, limits);
    if (limits->summation) u->sum = abuti_sum_layout(arena, limits);
    u->branch = abuti_branch_layout(arena, limits);
}

/* ------------------------------------------------------------------------------------------------
 * Groups */

/* The slot of a group number, free (table < 0) when the number is new. */
static int slot_of(const abuti_unions *u, int number)
{
    unsigned mask = (unsigned)u->slots - 1u, slot = ((unsigned)number * 2654435761u) & mask;
    while (u->table[slot] >= 0 && u->key[slot] != number) slot = (slot + 1) & mask;
    return (int)slot;
}

/* Numbers the groups by their first side and counts their sides into chosen[group]; lane[i] is the group of
 * the island's contact i, or -1. Sides of a group mostly follow each other, so the last one is remembered. */
static int number_groups(abuti_unions *u, const abut_contact_problem *problem, const abuti_island *island)
{
    int count = 0, last = 0, group = -1;
    for (int i = 0; i < island->contacts; ++i) {
        int number = problem->contacts[island->contact[i]].group;
        u->lane[i] = -1;
        if (number == 0) continue;
        if (count == 0) memset(u->table, -1, (size_t)u->slots * sizeof *u->table);
        if (number != last) {
            int slot = slot_of(u, number);
            if (u->table[slot] < 0) {
                u->key[slot] = number;
                u->table[slot] = count;
                u->chosen[count++] = 0;
            }
            last = number;
            group = u->table[slot];
        }
        u->lane[i] = group;
        u->chosen[group]++;
    }
    return count;
}

/* Drops groups of one side, which are ordinary contacts, and renumbers the others: order[old] is the new number, or
 * -1. */
static int drop_single(abuti_unions *u, int count)
{
    int kept = 0;
    u->first[0] = 0;
    for (int g = 0; g < count; ++g) {
        u->order[g] = -1;
        if (u->chosen[g] < 2) continue;
        u->order[g] = kept;
        u->stack[kept] = u->first[kept];
        u->first[kept + 1] = u->first[kept] + u->chosen[g];
        ++kept;
    }
    return kept;
}

int abuti_unions_find(abuti_unions *u, const abut_contact_problem *problem, const abuti_island *island)
{
    u->groups = u->sides = u->ordinary_count = 0;
    if (u->capacity == 0) return 0;
    int count = number_groups(u, problem, island);
    u->groups = drop_single(u, count);
    if (u->groups == 0) return 0;
    for (int i = 0; i < island->contacts; ++i) {
        int group = u->lane[i] < 0 ? -1 : u->order[u->lane[i]];
        if (group >= 0) {
            int at = u->stack[group]++;
            u->side_lane[at] = i;
            u->side[at] = island->contact[i];
        } else {
            int at = u->ordinary_count++;
            u->ordinary_lane[at] = i;
            u->ordinary[at] = island->contact[i];
        }
    }
    u->sides = u->first[u->groups];
    return u->groups;
}

void abuti_unions_remember(abuti_unions *u, const abut_contact_problem *problem, abuti_warm *warm,
                           const abut_contact_options *options)
{
    u->warm = options->start || abuti_warm_remembers(warm, problem, options);
    for (int i = 0; i < problem->contact_count && u->warm; ++i)
        u->remembered[i] = abuti_warm_face(warm, options, &problem->contacts[i], i);
    for (int s = 0; s < u->sides; ++s) u->last[s] = u->warm && u->remembered[u->side[s]].state != ABUT_OPEN;
}

/* ------------------------------------------------------------------------------------------------
 * The reduced problem */

static void take_contact(abuti_unions *u, const abut_contact_problem *problem, int contact)
{
    int at = u->reduced.contact_count++;
    u->contacts[at] = problem->contacts[contact];
    u->contacts[at].group = 0;
    u->index[at] = contact;
    u->start[at] = u->warm ? u->remembered[contact] : (abut_contact_face){0};
    u->identity[at] = at;
}

static void reduce_generalised(abuti_unions *u, const abut_contact_problem *problem)
{
    const abut_generalised *g = problem->generalised;
    size_t nv = (size_t)g->nv;
    u->generalised = *g;
    u->generalised.normal_rows = u->normal_rows;
    if (g->tangent_rows) u->generalised.tangent_rows = u->tangent_rows;
    u->reduced.generalised = &u->generalised;
    for (size_t i = 0; i < (size_t)u->reduced.contact_count; ++i) {
        size_t from = (size_t)u->index[i];
        memcpy(u->normal_rows + i * nv, g->normal_rows + from * nv, nv * sizeof(double));
        if (!g->tangent_rows) continue;
        memcpy(u->tangent_rows + 2 * i * nv, g->tangent_rows + 2 * from * nv, 2 * nv * sizeof(double));
    }
}

static void begin_reduced(abuti_unions *u, const abut_contact_problem *problem)
{
    u->reduced = *problem;
    u->reduced.contacts = u->contacts;
    u->reduced.contact_count = 0;
}

/* Makes the sides of the reduced problem sides of their groups again. */
static void restore_groups(abuti_unions *u, const abut_contact_problem *problem)
{
    for (int i = 0; i < u->reduced.contact_count; ++i)
        u->contacts[i].group = problem->contacts[u->index[i]].group;
}

static void end_reduced(abuti_unions *u, const abut_contact_problem *problem, const abuti_island *island)
{
    int kept = u->reduced.contact_count;
    memset(u->start + kept, 0, (size_t)(abuti_padded(kept) - kept) * sizeof *u->start);
    if (problem->generalised) reduce_generalised(u, problem);
    u->island = *island;
    u->island.contacts = kept;
    u->island.contact = u->identity;
}

void abuti_unions_reduce(abuti_unions *u, const abut_contact_problem *problem, const abuti_island *island)
{
    begin_reduced(u, problem);
    for (int i = 0; i < u->ordinary_count; ++i) take_contact(u, problem, u->ordinary[i]);
    for (int g = 0; g < u->groups; ++g) {
        int begin = u->first[g];
        for (int k = 0; k < u->chosen[g]; ++k)
            take_contact(u, problem, u->side[u->order[begin + u->combination[begin + k]]]);
    }
    end_reduced(u, problem, island);
}

void abuti_unions_reduce_nothing(abuti_unions *u, const abut_contact_problem *problem,
                                 const abuti_island *island)
{
    begin_reduced(u, problem);
    for (int i = 0; i < u->ordinary_count; ++i) take_contact(u, problem, u->ordinary[i]);
    for (int i = 0; i < u->sides; ++i) take_contact(u, problem, u->side[i]);
    restore_groups(u, problem);
    end_reduced(u, problem, island);
}

/* Whether the normal rows have the same numbers; only the offsets may differ. */
static bool same_half_space_but_offset(const abut_contact_problem *problem, int i, int j)
{
    const abut_contact *a = &problem->contacts[i], *b = &problem->contacts[j];
    if (problem->generalised) {
        size_t nv = (size_t)problem->generalised->nv;
        const double *rows = problem->generalised->normal_rows;
        return memcmp(rows + (size_t)i * nv, rows + (size_t)j * nv, nv * sizeof *rows) == 0;
    }
    return memcmp(a->bodies, b->bodies, sizeof a->bodies) == 0 &&
           memcmp(a->point, b->point, sizeof a->point) == 0 &&
           memcmp(abuti_point_of(a, 1), abuti_point_of(b, 1), sizeof a->point) == 0 &&
           memcmp(a->normal, b->normal, sizeof a->normal) == 0;
}

void abuti_unions_reduce_duplicates(abuti_unions *u, const abut_contact_problem *problem,
                                    const abuti_island *island)
{
    begin_reduced(u, problem);
    for (int i = 0; i < u->ordinary_count; ++i) take_contact(u, problem, u->ordinary[i]);
    for (int g = 0; g < u->groups; ++g) {
        for (int i = u->first[g]; i < u->first[g + 1]; ++i) {
            bool covered = false;
            double gap = problem->contacts[u->side[i]].gap;
            for (int j = u->first[g]; j < u->first[g + 1] && !covered; ++j) {
                double other = problem->contacts[u->side[j]].gap;
                covered = j != i && (other > gap || (other == gap && j < i)) &&
                          same_half_space_but_offset(problem, u->side[i], u->side[j]);
            }
            if (covered) continue;
            take_contact(u, problem, u->side[i]);
        }
    }
    restore_groups(u, problem);
    end_reduced(u, problem, island);
}

void abuti_unions_answer(const abuti_unions *u, const abuti_build *build, const abuti_system *s,
                         abuti_answer *answer)
{
    for (int lane = 0; lane < s->n; ++lane) {
        const double *impulse = u->best.impulses + 3 * (size_t)s->index[lane];
        double by = 1.0 / (s->unit * s->row_scale[lane]); /* powers of two: exact */
        double viscous[2] = {0.0, 0.0};
        for (int t = 0; t < 2 && build->has_viscous; ++t) viscous[t] = build->viscous[t][lane];
        answer->theta[lane] = impulse[0] * by;
        answer->f[0][lane] = (impulse[1] - viscous[0]) * by;
        answer->f[1][lane] = (impulse[2] - viscous[1]) * by;
        answer->face[lane] = u->best.faces[s->index[lane]];
    }
    for (int j = 0; j < s->joints; ++j)
        answer->joint[j] = u->best.joints[s->joint_index[j]] / (s->unit * s->joint_scale[j]);
}
