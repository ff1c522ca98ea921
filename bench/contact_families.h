/* Families of random contact problems, shared by tests, benchmarks and campaigns.
 *
 * Every problem is made from a family, a size and a random stream alone, so that number 4711 of a campaign
 * can be made again. SI units, step 0.01 s. A case owns its arrays and is used again and again:
 *
 *     contact_case *c = contact_case_create();
 *     contact_family_make(contact_family_find("pegs"), 16, &random, c);
 *     ... c->problem ...
 *     contact_case_destroy(c);
 */
#ifndef ABUT_BENCH_CONTACT_FAMILIES_H
#define ABUT_BENCH_CONTACT_FAMILIES_H

#include "abut/contact.h"
#include "random.h"

#include <stdbool.h>

#define CONTACT_STEP 0.01
#define CONTACT_GRAVITY 9.81

/* A problem with its arrays. The functions below add to it; the problem always points at what is there. */
typedef struct contact_case {
    abut_contact_problem problem;
    abut_body *bodies;
    abut_contact *contacts;
    abut_joint *joints;
    int body_capacity, contact_capacity, joint_capacity;
    bool failed; /* memory has run out: what was added last is missing */
} contact_case;

contact_case *contact_case_create(void);
void contact_case_destroy(contact_case *c);
void contact_case_clear(contact_case *c);

/* Each returns the index of what was added. Inertia is diagonal; a rotation of it is the caller's affair. */
int contact_case_body(contact_case *c, double mass, const double inertia[3], const double com[3]);
/* Normal towards body a; tangent chosen by abut; d = 8. */
int contact_case_add(contact_case *c, int a, int b, double mu, const double point[3], const double normal[3]);
int contact_case_joint(contact_case *c, int a, int b, const double row_a[6], const double row_b[6],
                       double target);

/* The diagonal inertia of a block of these sides. */
void contact_block_inertia(double mass, double x, double y, double z, double inertia[3]);
/* cos and sin of 2 pi j / n, exactly mirrored: points that should be symmetric are so to the last bit. */
void contact_circle(int j, int n, double *cosine, double *sine);
/* Each of the six numbers uniform in -size .. size, added to the body's force; torques times `arm`. */
void contact_random_wrench(contact_case *c, int body, double size, double arm, bench_random *random);
/* Friction between 0.2 and 0.3, as in all of Lloyd's experiments. */
double contact_usual_friction(bench_random *random);

#define CONTACT_SIZES_MAX 12

typedef struct contact_family {
    const char *name;
    const char *summary;
    bool ray_allowed;             /* overlap, restitution, driven joints: a problem may have no solution */
    int sizes[CONTACT_SIZES_MAX]; /* what campaigns choose from; ends with 0 */
    void (*make)(contact_case *c, int size, bench_random *random);
} contact_family;

extern const contact_family contact_families[];
extern const int contact_family_count;

/* Noise of geometry (family_jittered.c), for Drumwright's models. */
extern const contact_family contact_noisy_family;

/* The family of that name, or NULL. */
const contact_family *contact_family_find(const char *name);
/* Problem of a size; false when memory has run out. */
bool contact_family_make(const contact_family *family, int size, bench_random *random, contact_case *c);

/* The same problem a moment later: a scene whose geometry, wrench and set of contacts change slowly from step
 * to step, with keys that name the contacts. */
typedef struct contact_sequence {
    const char *name;
    void (*make)(contact_case *c, int size, int step, uint64_t seed);
    int sizes[CONTACT_SIZES_MAX];
} contact_sequence;

extern const contact_sequence contact_sequences[];
extern const int contact_sequence_count;

/* family_*.c */
void contact_make_peg(contact_case *c, int n, bench_random *random);
void contact_make_peg_jittered(contact_case *c, int n, bench_random *random);
void contact_make_peg_symmetric(contact_case *c, int n, bench_random *random);
void contact_make_single(contact_case *c, int situation, bench_random *random);
void contact_make_stack(contact_case *c, int m, bench_random *random);
void contact_make_stack_lloyd(contact_case *c, int configuration, bench_random *random);
void contact_make_stack_symmetric(contact_case *c, int m, bench_random *random);
void contact_make_wall(contact_case *c, int m, bench_random *random);
void contact_make_duplicates(contact_case *c, int n, bench_random *random);
void contact_make_masses(contact_case *c, int m, bench_random *random);
void contact_make_directions(contact_case *c, int n, bench_random *random);
void contact_make_friction(contact_case *c, int n, bench_random *random);
void contact_make_rough(contact_case *c, int n, bench_random *random);
void contact_make_inertias(contact_case *c, int n, bench_random *random);
void contact_make_gaps(contact_case *c, int n, bench_random *random);
void contact_make_rebound(contact_case *c, int n, bench_random *random);
void contact_make_units(contact_case *c, int n, bench_random *random);
void contact_make_chain(contact_case *c, int m, bench_random *random);
void contact_make_driven(contact_case *c, int m, bench_random *random);
void contact_make_loop(contact_case *c, int m, bench_random *random);
void contact_make_belts(contact_case *c, int m, bench_random *random);
void contact_make_clutter(contact_case *c, int m, bench_random *random);
void contact_make_noisy(contact_case *c, int size, bench_random *random);

/* Names of the ten single-body situations (1 .. 10) and their contacts; of the ten stacks (1 .. 10) bodies
 * and contacts. */
#define CONTACT_SITUATIONS 10
#define CONTACT_STACKS 10
const char *contact_situation_name(int situation);
int contact_situation_contacts(int situation);
int contact_stack_bodies(int configuration);
int contact_stack_contacts(int configuration);

#endif
