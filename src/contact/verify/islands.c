/* Which bodies hang together. The verifier finds this on its own, so that a wrong split cannot hide an error. */
#include "contact/verify/parts.h"
#include <string.h>

enum { BODIES, CONTACTS, JOINTS };

/* How many things can move: bodies, or blocks of the second door. */
static int movers(const abut_contact_problem *problem)
{
    return problem->generalised ? problem->generalised->block_count : problem->body_count;
}

size_t abuti_partition_size(const abut_contact_problem *problem)
{
    size_t bodies = (size_t)movers(problem);
    return 3 * bodies + (size_t)problem->contact_count + (size_t)problem->joint_count + 3 * (bodies + 2);
}

static int root_of(const int *parent, int body)
{
    while (parent[body] != body) body = parent[body];
    return body;
}

static int is_dynamic(const abut_contact_problem *problem, int body)
{
    return body >= 0 && (problem->generalised || problem->bodies[body].kind == ABUT_DYNAMIC);
}

/* Hangs the larger root under the smaller, and both bodies directly under it. */
static void join(const abut_contact_problem *problem, int *parent, int a, int b)
{
    if (!is_dynamic(problem, a) || !is_dynamic(problem, b)) return;
    int root_a = root_of(parent, a), root_b = root_of(parent, b), low = root_a < root_b ? root_a : root_b;
    parent[root_a] = parent[root_b] = low;
    parent[a] = parent[b] = low;
}

/* Contacts of one union stand or fall together: their islands are one. */
static void join_groups(const abut_contact_problem *problem, int *parent)
{
    for (int i = 0; i < problem->contact_count; ++i) {
        const abut_contact *c = &problem->contacts[i];
        if (c->group <= 0) continue;
        int j = i + 1;
        while (j < problem->contact_count && problem->contacts[j].group != c->group) ++j;
        if (j == problem->contact_count) continue;
        const int *other = problem->contacts[j].bodies;
        for (int pair = 0; pair < 4; ++pair) join(problem, parent, c->bodies[pair & 1], other[pair >> 1]);
    }
}

static int island_of(const abuti_partition *p, const abut_contact_problem *problem, int kind, int i)
{
    if (kind == BODIES) return is_dynamic(problem, i) ? p->number[i] : -1;
    const int *pair = kind == CONTACTS ? problem->contacts[i].bodies : problem->joints[i].bodies;
    if (is_dynamic(problem, pair[0])) return p->number[pair[0]];
    return is_dynamic(problem, pair[1]) ? p->number[pair[1]] : p->islands;
}

/* Counting sort by island: first[k] is at first the count of island k, then its end and, when all items are in place,
 * its beginning. */
static void sort_items(abuti_partition *p, const abut_contact_problem *problem, int kind, int count)
{
    int *first = p->first[kind];
    memset(first, 0, (size_t)(p->islands + 2) * sizeof *first);
    for (int i = 0; i < count; ++i) {
        int k = island_of(p, problem, kind, i);
        if (k >= 0) first[k]++;
    }
    for (int k = 0; k <= p->islands; ++k) first[k + 1] += first[k];
    for (int i = count - 1; i >= 0; --i) {
        int k = island_of(p, problem, kind, i);
        if (k >= 0) p->item[kind][--first[k]] = i;
    }
}

void abuti_partition_find(abuti_partition *p, const abut_contact_problem *problem, int *memory)
{
    int counts[3] = {movers(problem), problem->contact_count, problem->joint_count};
    p->parent = memory;
    p->number = p->parent + counts[BODIES];
    memory = p->number + counts[BODIES];
    for (int kind = 0; kind < 3; ++kind) {
        p->item[kind] = memory;
        p->first[kind] = memory + counts[kind];
        memory = p->first[kind] + counts[BODIES] + 2;
    }

    for (int i = 0; i < counts[BODIES]; ++i) p->parent[i] = i;
    for (int i = 0; i < counts[CONTACTS]; ++i)
        join(problem, p->parent, problem->contacts[i].bodies[0], problem->contacts[i].bodies[1]);
    for (int i = 0; i < counts[JOINTS]; ++i)
        join(problem, p->parent, problem->joints[i].bodies[0], problem->joints[i].bodies[1]);
    join_groups(problem, p->parent);

    /* A root comes before all others of its island. */
    p->islands = 0;
    for (int i = 0; i < counts[BODIES]; ++i) {
        if (!is_dynamic(problem, i)) continue;
        int root = root_of(p->parent, i);
        p->number[i] = root == i ? p->islands++ : p->number[root];
    }
    for (int kind = 0; kind < 3; ++kind) sort_items(p, problem, kind, counts[kind]);
}

abuti_island abuti_partition_island(const abuti_partition *p, int k)
{
    const int *const *first = (const int *const *)p->first;
    return (abuti_island){.bodies = first[BODIES][k + 1] - first[BODIES][k],
                          .contacts = first[CONTACTS][k + 1] - first[CONTACTS][k],
                          .joints = first[JOINTS][k + 1] - first[JOINTS][k],
                          .body = p->item[BODIES] + first[BODIES][k],
                          .contact = p->item[CONTACTS] + first[CONTACTS][k],
                          .joint = p->item[JOINTS] + first[JOINTS][k]};
}
