/* Groups of numbers 0 .. n-1 by union-find: group[i] = i at first. The lowest number of a group is its root, so that
 * nothing depends on the order in which groups were joined. */
#ifndef ABUTI_BASE_GROUPS_H
#define ABUTI_BASE_GROUPS_H

/* The root of i's group; paths are halved on the way. */
static inline int abuti_group_root(int *group, int i)
{
    while (group[i] != i) i = group[i] = group[group[i]];
    return i;
}

static inline void abuti_group_join(int *group, int a, int b)
{
    a = abuti_group_root(group, a);
    b = abuti_group_root(group, b);
    if (a < b) group[b] = a;
    if (b < a) group[a] = b;
}

#endif
