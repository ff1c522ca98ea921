/* The table of families. */
#include "contact_families.h"

#include <string.h>

const contact_family contact_families[] = {
    {"pegs", "peg in a hole, n contacts in two rings", false, {8, 12, 16, 24, 32}, contact_make_peg},
    {"jittered",
     "pegs with points and normals a little off",
     false,
     {8, 16, 24, 32},
     contact_make_peg_jittered},
    {"single",
     "ten situations of one body, 1 to 16 contacts",
     false,
     {1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
     contact_make_single},
    {"stacks",
     "Lloyd's ten stacks, 1 to 5 blocks",
     false,
     {1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
     contact_make_stack_lloyd},
    {"towers", "stacks of m blocks", false, {6, 8, 10}, contact_make_stack},
    {"walls", "brick walls of m bricks", false, {4, 8, 12}, contact_make_wall},
    {"symmetric-pegs",
     "everything alike, wrench on an axis of symmetry",
     false,
     {4, 8, 16, 32},
     contact_make_peg_symmetric},
    {"symmetric-stacks",
     "gravity alone, or at the edge of slipping or tipping",
     false,
     {1, 2, 3, 4, 5, 8},
     contact_make_stack_symmetric},
    {"duplicates",
     "up to 200 contacts at a few places of one body",
     false,
     {20, 50, 100, 200},
     contact_make_duplicates},
    {"masses", "stacks with masses up to 1e6 apart", false, {1, 2, 3, 4, 5}, contact_make_masses},
    {"directions", "polygons with 2 to 64 directions", false, {1, 4, 5, 6, 9, 16}, contact_make_directions},
    {"friction", "friction from 0 to 5", false, {1, 3, 4, 7, 8, 9, 10, 16}, contact_make_friction},
    {"rough", "friction up to 1e9", false, {1, 3, 4, 7, 8, 9, 10, 16}, contact_make_rough},
    {"inertias",
     "inertias up to 1e10 apart, in a body or between bodies",
     false,
     {1, 3, 4, 7, 8, 9, 10, 11, 12, 14},
     contact_make_inertias},
    {"gaps", "moving bodies, gaps >= 0", false, {4, 6, 8, 9, 16}, contact_make_gaps},
    {"rebound",
     "overlap and restitution; may have no solution",
     true,
     {4, 6, 8, 9, 16},
     contact_make_rebound},
    {"units",
     "masses, lengths and forces over twelve decades",
     false,
     {1, 4, 7, 9, 12, 16},
     contact_make_units},
    {"chains", "links pinned end to end, rows there once or twice", false, {2, 3, 5, 8}, contact_make_chain},
    {"driven", "chains with motors; may have no solution", true, {2, 3, 5, 8}, contact_make_driven},
    {"loops", "closed rings of hinged links: dependent joint rows", false, {3, 4, 6}, contact_make_loop},
    {"belts", "blocks on belts and turntables, pushed by moving walls", false, {1, 2, 4}, contact_make_belts},
    {"clutter",
     "several islands, mixed contacts, joints, loose bodies",
     false,
     {2, 4, 8},
     contact_make_clutter},
};

const int contact_family_count = sizeof contact_families / sizeof contact_families[0];

const contact_family *contact_family_find(const char *name)
{
    for (int i = 0; i < contact_family_count; ++i)
        if (strcmp(contact_families[i].name, name) == 0) return &contact_families[i];
    return NULL;
}

bool contact_family_make(const contact_family *family, int size, bench_random *random, contact_case *c)
{
    contact_case_clear(c);
    family->make(c, size, random);
    return !c->failed;
}
