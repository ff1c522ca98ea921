/* Which home an island has. The shelf is in shelf.c. */
#include "contact/system/homes.h"

/* So many contacts, spread over an island, say where it lived. */
enum { VOTERS = 8 };

void abuti_homes_layout(abuti_homes *homes, abuti_arena *arena, const abut_contact_limits *limits,
                        int islands)
{
    homes->count = islands;
    homes->used = 0;
    homes->calls = homes->tenants = 0;
    homes->first = homes->last = homes->whole = -1;
    homes->shelf_size = 0;
    homes->home = abuti_take(arena, homes->count, abuti_home);
    homes->of_island = abuti_take(arena, islands, int);
    homes->of_contact = abuti_take(arena, limits->contacts, int);
    homes->of_joint = abuti_take(arena, limits->joints, int);
    if (!homes->home) return;
    for (int h = 0; h < homes->count; ++h) homes->home[h].all = homes;
    for (int i = 0; i < limits->contacts; ++i) homes->of_contact[i] = -1;
    for (int j = 0; j < limits->joints; ++j) homes->of_joint[j] = -1;
}

void abuti_homes_furnish(abuti_homes *homes, unsigned char *shelf, size_t size)
{
    homes->shelf = shelf;
    homes->shelf_size = size;
}

/* ---- votes ---- */

/* The votes of some contacts or joint rows. */
typedef struct ballot {
    int count, home[VOTERS], votes[VOTERS];
} ballot;

static inline void cast(ballot *b, int home)
{
    int k = 0;
    if (home < 0) return;
    while (k < b->count && b->home[k] != home) ++k;
    if (k == b->count) {
        b->home[b->count] = home;
        b->votes[b->count++] = 0;
    }
    b->votes[k]++;
}

/* The home with most votes, of several the one that was named first; -1: nobody knows. */
static int elected(const ballot *b)
{
    int best = 0;
    for (int k = 1; k < b->count; ++k)
        if (b->votes[k] > b->votes[best]) best = k;
    return b->count > 0 ? b->home[best] : -1;
}

/* Where a contact lived in the last step. One that has no key is the one that was at its place. */
static inline int home_of_contact(const abuti_homes *homes, abuti_roll *roll, uint64_t key, int index)
{
    int place = index;
    if (index >= roll->count || roll->key[index] != key) place = key != 0 ? abuti_roll_seek(roll, key) : -1;
    if (place < 0 || homes->whole >= 0) return place < 0 ? -1 : homes->whole;
    return homes->of_contact[place];
}

static int home_of_row(const abuti_homes *homes, abuti_roll *roll, uint64_t key, int index)
{
    int place = index;
    if (index >= roll->rows || roll->key[roll->count + index] != key)
        place = key != 0 ? abuti_roll_seek_row(roll, key) : -1;
    if (place < 0 || homes->whole >= 0) return place < 0 ? -1 : homes->whole;
    return homes->of_joint[place];
}

/* Where most of the island lived in the last step; -1: it is new. Joint rows are asked where no contact knows. */
static int old_home(const abuti_homes *homes, const abuti_island *island, abuti_roll *roll,
                    const abut_contact_problem *problem)
{
    ballot b;
    int n = island->contacts, voters = n < VOTERS ? n : VOTERS, home[VOTERS] = {-1}, alike = 0;
    for (int k = 0; k < voters; ++k) {
        int index = island->contact[n <= VOTERS ? k : (int)((long long)k * n / VOTERS)];
        home[k] = home_of_contact(homes, roll, problem->contacts[index].key, index);
        alike += home[k] == home[0];
    }
    if (alike == voters && home[0] >= 0) return home[0];
    b.count = 0;
    for (int k = 0; k < voters; ++k) cast(&b, home[k]);
    for (int k = 0; k < island->joints && k < VOTERS && b.count == 0; ++k) {
        int index = island->joint[k];
        cast(&b, home_of_row(homes, roll, problem->joints[index].key, index));
    }
    return elected(&b);
}

/* ---- homes ---- */

/* The island claims a home. Of several that claim the same one it goes to that with most contacts. */
static void claim(abuti_homes *homes, const abuti_islands *islands, int island, int at)
{
    abuti_home *home = at >= 0 ? &homes->home[at] : NULL;
    homes->of_island[island] = -1;
    if (!home) return;
    bool taken = home->seen == homes->calls;
    if (taken && islands->island[island].contacts <= islands->island[home->claimant].contacts) return;
    if (taken) homes->of_island[home->claimant] = -1;
    homes->of_island[island] = at;
    home->claimant = island;
    home->seen = homes->calls;
}

/* A home for a new island: an empty one, else the one whose island is gone longest. There are as many homes as there
 * can be islands. */
static int new_home(abuti_homes *homes)
{
    int oldest = 0;
    if (homes->used < homes->count) return homes->used++;
    for (int h = 1; h < homes->count; ++h)
        if (homes->home[h].seen < homes->home[oldest].seen) oldest = h;
    return oldest;
}

void abuti_homes_find(abuti_homes *homes, const abuti_islands *islands, abuti_roll *roll,
                      const abut_contact_problem *problem, const int *owner, int part)
{
    homes->calls++;
    bool again = islands->count == 1 && homes->whole >= 0 && !owner;
    if (again) claim(homes, islands, 0, homes->whole);
    for (int k = 0; k < islands->count && !again; ++k) {
        bool mine = !owner || owner[k] == part;
        claim(homes, islands, k, mine ? old_home(homes, &islands->island[k], roll, problem) : -1);
    }
    for (int k = 0; k < islands->count; ++k) {
        if (homes->of_island[k] >= 0 || (owner && owner[k] != part)) continue;
        int at = new_home(homes);
        abuti_home *home = &homes->home[at];
        for (int keeper = 0; keeper < ABUTI_KEEPERS; ++keeper) abuti_home_return(home, (abuti_keeper)keeper);
        home->tenant = ++homes->tenants;
        home->seen = homes->calls;
        home->claimant = k;
        homes->of_island[k] = at;
    }
}

void abuti_homes_note(abuti_homes *homes, const abuti_islands *islands, const abut_contact_problem *problem)
{
    bool loose = islands->loose.contacts > 0 || islands->loose.joints > 0;
    homes->whole = islands->count == 1 && !loose ? homes->of_island[0] : -1;
    if (homes->whole >= 0) return;
    if (islands->loose.contacts > 0)
        for (int i = 0; i < problem->contact_count; ++i) homes->of_contact[i] = -1;
    if (islands->loose.joints > 0)
        for (int j = 0; j < problem->joint_count; ++j) homes->of_joint[j] = -1;
    for (int k = 0; k < islands->count; ++k) {
        const abuti_island *island = &islands->island[k];
        int at = homes->of_island[k];
        for (int i = 0; i < island->contacts; ++i) homes->of_contact[island->contact[i]] = at;
        for (int j = 0; j < island->joints; ++j) homes->of_joint[island->joint[j]] = at;
    }
}
