/* Islands by union-find (path halving, the lower index stays root, so that the order never depends on
 * the order of unions), then one counting sort each for bodies, contacts and joints. */
#include "contact/system/islands.h"
#include "base/groups.h"
#include <stdint.h>
#include <string.h>

enum { BODIES = 0, CONTACTS = 1, JOINTS = 2 };

static int power_of_two_above(int n)
{
    int power = 8;
    while (power < n) power *= 2;
    return power;
}

void abuti_islands_layout(abuti_islands *islands, abuti_arena *arena, const abut_contact_limits *limits)
{
    int bodies = limits->bodies > limits->blocks ? limits->bodies : limits->blocks;
    int counts[3] = {bodies, limits->contacts, limits->joints};
    int nodes = limits->local ? limits->contacts + limits->joints : 0;
    if (bodies > nodes) nodes = bodies;
    islands->capacity = nodes + 1;
    islands->island = abuti_take(arena, nodes + 1, abuti_island);
    islands->block = abuti_take(arena, bodies, int);
    islands->parent = abuti_take(arena, nodes, int);
    islands->number = abuti_take(arena, nodes + 1, int);
    islands->body = abuti_take(arena, bodies, int);
    islands->contact = abuti_take(arena, limits->contacts, int);
    islands->joint = abuti_take(arena, limits->joints, int);
    for (int kind = 0; kind < 3; ++kind) {
        islands->first[kind] = abuti_take(arena, nodes + 3, int);
        islands->island_of[kind] = abuti_take(arena, counts[kind], int);
    }
    islands->group_slots = power_of_two_above(2 * limits->contacts);
    islands->group_key = abuti_take(arena, islands->group_slots, int);
    islands->group_body = abuti_take(arena, islands->group_slots, int);
}

/* How many things there are to connect: bodies, or blocks of the second door, which all move. */
static int movers(const abut_contact_problem *problem)
{
    return problem->generalised ? problem->generalised->block_count : problem->body_count;
}

static bool dynamic(const abut_contact_problem *problem, int body)
{
    return body >= 0 && (problem->generalised || problem->bodies[body].kind == ABUT_DYNAMIC);
}

/* A dynamic body of the pair (its first, if both are), or -1. */
static int anchor(const abut_contact_problem *problem, const int pair[2])
{
    return dynamic(problem, pair[0]) ? pair[0] : dynamic(problem, pair[1]) ? pair[1] : -1;
}

static void unite_pair(abuti_islands *islands, const abut_contact_problem *problem, const int pair[2])
{
    if (dynamic(problem, pair[0]) && dynamic(problem, pair[1])) {
        abuti_group_join(islands->parent, pair[0], pair[1]);
    }
}

/* Contacts of one group share an island: each is united with the body first seen under its number. */
static void unite_groups(abuti_islands *islands, const abut_contact_problem *problem)
{
    bool cleared = false;
    unsigned mask = (unsigned)islands->group_slots - 1u;
    for (int i = 0; i < problem->contact_count; ++i) {
        int group = problem->contacts[i].group;
        int body = problem->local ? i : anchor(problem, problem->contacts[i].bodies);
        if (group <= 0 || body < 0) continue;
        if (!cleared) {
            memset(islands->group_key, 0, (size_t)islands->group_slots * sizeof *islands->group_key);
            cleared = true;
        }
        unsigned slot = ((unsigned)group * 2654435761u) & mask;
        while (islands->group_key[slot] != 0 && islands->group_key[slot] != group) slot = (slot + 1) & mask;
        if (islands->group_key[slot] == 0) {
            islands->group_key[slot] = group;
            islands->group_body[slot] = body;
        } else {
            abuti_group_join(islands->parent, islands->group_body[slot], body);
        }
    }
}

/* Stable counting sort of `count` items by their island. Those of island -1 are loose and go to the end. */
static void sort_by_island(const int *island_of, int count, int islands, int *first, int *sorted)
{
    memset(first, 0, (size_t)(islands + 2) * sizeof *first);
    for (int i = 0; i < count; ++i) first[(island_of[i] < 0 ? islands : island_of[i]) + 1]++;
    for (int k = 0; k <= islands; ++k) first[k + 1] += first[k];
    for (int i = 0; i < count; ++i) sorted[first[island_of[i] < 0 ? islands : island_of[i]]++] = i;
    for (int k = islands + 1; k > 0; --k) first[k] = first[k - 1];
    first[0] = 0;
}

/* Makes one island that holds everything, for the other doors and for the common case of a single body. */
static void all_in_one(abuti_islands *islands, const abut_contact_problem *problem)
{
    for (int i = 0; i < movers(problem); ++i) islands->body[i] = islands->block[i] = i;
    for (int i = 0; i < problem->contact_count; ++i) islands->contact[i] = i;
    for (int i = 0; i < problem->joint_count; ++i) islands->joint[i] = i;
    islands->count = 1;
    islands->island[0] = (abuti_island){.bodies = movers(problem),
                                        .contacts = problem->contact_count,
                                        .joints = problem->joint_count,
                                        .body = islands->body,
                                        .contact = islands->contact,
                                        .joint = islands->joint};
    islands->loose = (abuti_island){0};
}

void abuti_islands_whole(abuti_islands *islands, const abut_contact_problem *problem)
{
    all_in_one(islands, problem);
    int kept = 0;
    for (int i = 0; i < movers(problem); ++i) {
        bool moves = dynamic(problem, i);
        islands->block[i] = moves ? kept : -1;
        if (moves) islands->body[kept++] = i;
    }
    islands->island[0].bodies = kept;
}

/* Numbers the islands by their first body, and leaves out bodies that nothing touches. */
static void number_islands(abuti_islands *islands, const abut_contact_problem *problem)
{
    int bodies = movers(problem);
    for (int i = 0; i < bodies; ++i) islands->number[i] = -1;
    for (int kind = CONTACTS; kind <= JOINTS; ++kind) {
        int count = kind == CONTACTS ? problem->contact_count : problem->joint_count;
        for (int i = 0; i < count; ++i) {
            const int *pair = kind == CONTACTS ? problem->contacts[i].bodies : problem->joints[i].bodies;
            int body = anchor(problem, pair);
            int root = body < 0 ? -1 : abuti_group_root(islands->parent, body);
            islands->island_of[kind][i] = root;
            if (root >= 0) islands->number[root] = 0;
        }
    }
    int count = 0;
    for (int i = 0; i < bodies; ++i) {
        if (islands->number[i] == 0 && islands->parent[i] == i) islands->number[i] = count++;
    }
    islands->count = count;
    for (int i = 0; i < bodies; ++i) {
        bool moves = dynamic(problem, i);
        islands->island_of[BODIES][i] = moves ? islands->number[abuti_group_root(islands->parent, i)] : -1;
    }
    for (int kind = CONTACTS; kind <= JOINTS; ++kind) {
        int items = kind == CONTACTS ? problem->contact_count : problem->joint_count;
        int *island_of = islands->island_of[kind];
        for (int i = 0; i < items; ++i) island_of[i] = island_of[i] < 0 ? -1 : islands->number[island_of[i]];
    }
}

/* Takes bodies that are not dynamic out of the loose ones, to which they were sorted: they belong nowhere. */
static void drop_unmoved(abuti_islands *islands, const abut_contact_problem *problem)
{
    int *body = islands->body + islands->first[BODIES][islands->count], kept = 0;
    for (int b = 0; b < islands->loose.bodies; ++b) {
        int index = body[b];
        bool moves = dynamic(problem, index);
        islands->block[index] = moves ? kept : -1;
        if (moves) body[kept++] = index;
    }
    islands->loose.bodies = kept;
}

/* The lists of every island and of the loose rest, from `island_of`. */
static void sort_into_islands(abuti_islands *islands, const abut_contact_problem *problem)
{
    int *sorted[3] = {islands->body, islands->contact, islands->joint};
    int counts[3] = {movers(problem), problem->contact_count, problem->joint_count};
    int n = islands->count;
    for (int kind = 0; kind < 3; ++kind) {
        sort_by_island(islands->island_of[kind], counts[kind], n, islands->first[kind], sorted[kind]);
    }
    for (int k = 0; k <= n; ++k) {
        int *const *first = islands->first;
        abuti_island *island = k < n ? &islands->island[k] : &islands->loose;
        *island = (abuti_island){.bodies = first[BODIES][k + 1] - first[BODIES][k],
                                 .contacts = first[CONTACTS][k + 1] - first[CONTACTS][k],
                                 .joints = first[JOINTS][k + 1] - first[JOINTS][k],
                                 .body = islands->body + first[BODIES][k],
                                 .contact = islands->contact + first[CONTACTS][k],
                                 .joint = islands->joint + first[JOINTS][k]};
        for (int b = 0; b < island->bodies; ++b) islands->block[island->body[b]] = b;
    }
}

/* Connects node a (a contact, or a joint, numbered after the contacts) with those in whose columns its row
 * has an entry. */
static void unite_row(abuti_islands *islands, const abut_contact_problem *problem, int a, const double *row)
{
    int dimension = problem->local->dimension, contacts = problem->contact_count;
    for (int b = 0; b < contacts; ++b, row += dimension) {
        bool entry = row[0] != 0.0 || row[1] != 0.0 || (dimension == 3 && row[2] != 0.0);
        if (entry && b != a) abuti_group_join(islands->parent, a, b);
    }
    for (int j = 0; j < problem->joint_count; ++j) {
        if (row[j] != 0.0 && contacts + j != a) abuti_group_join(islands->parent, a, contacts + j);
    }
}

/* The W + q door: an entry of W connects its two contacts or joints. */
static void find_local(abuti_islands *islands, const abut_contact_problem *problem)
{
    int nodes = problem->contact_count + problem->joint_count, dimension = problem->local->dimension;
    int size = dimension * problem->contact_count + problem->joint_count;
    for (int i = 0; i < nodes; ++i) islands->parent[i] = i;
    for (int i = 0; i < size; ++i) {
        int joint = i - dimension * problem->contact_count;
        int node = joint < 0 ? i / dimension : problem->contact_count + joint;
        unite_row(islands, problem, node, problem->local->W + (size_t)i * (size_t)size);
    }
    unite_groups(islands, problem);
    islands->count = 0;
    for (int i = 0; i < nodes; ++i) {
        int root = abuti_group_root(islands->parent, i);
        islands->number[i] = root == i ? islands->count++ : islands->number[root];
        int *island_of = i < problem->contact_count
                             ? islands->island_of[CONTACTS] + i
                             : islands->island_of[JOINTS] + (i - problem->contact_count);
        *island_of = islands->number[i];
    }
    sort_into_islands(islands, problem);
}

void abuti_islands_find(abuti_islands *islands, const abut_contact_problem *problem)
{
    if (problem->local) {
        find_local(islands, problem);
        return;
    }
    int bodies = movers(problem);
    bool nothing = problem->contact_count == 0 && problem->joint_count == 0;
    if (bodies == 0 || (bodies == 1 && dynamic(problem, 0) && !nothing)) {
        all_in_one(islands, problem);
        islands->count = nothing ? 0 : 1;
        return;
    }
    for (int i = 0; i < bodies; ++i) islands->parent[i] = i;
    for (int i = 0; i < problem->contact_count; ++i)
        unite_pair(islands, problem, problem->contacts[i].bodies);
    for (int i = 0; i < problem->joint_count; ++i) unite_pair(islands, problem, problem->joints[i].bodies);
    unite_groups(islands, problem);
    number_islands(islands, problem);

    sort_into_islands(islands, problem);
    drop_unmoved(islands, problem);
}
