/* From a problem, through one of the three doors, to the contact system of one island (system.h), and back. */
#ifndef ABUTI_CONTACT_BUILD_BUILD_H
#define ABUTI_CONTACT_BUILD_BUILD_H

#include "contact/build/blocks.h"
#include "contact/build/lanes.h"
#include "contact/build/lift.h"
#include "contact/build/parts.h"
#include "contact/system/islands.h"
#include "contact/system/models.h"
#include "contact/system/system.h"

/* The system's arrays, as their owner may write them. */
typedef struct abuti_system_store {
    int *body[2];
    double *rows, *offset[3], *mu, *size[2], *k, *row_scale, *W;
    int *directions, *index, *joint_body[2], *joint_index;
    double *joint_rows, *joint_offset, *joint_scale;
    int zero_lanes; /* so many offsets of each axis, from the first on, are zero */
} abuti_system_store;

typedef struct abuti_build {
    abuti_system system;
    abuti_system_store store;
    abuti_system_store door; /* of systems that are to be lifted */
    abuti_lift lift;
    abuti_blocks blocks;
    abuti_part_store partition;
    int dense; /* numbers that fit into one dense block */
    const abuti_lane_kernel *kernel;
    double restitution_threshold; /* m/s, of the options; the caller sets it before it builds */
    abuti_frame_chunk *frames;    /* [lanes / 8]: bodies' door only */
    abuti_factor *factor;         /* [block] */
    bool has_offsets;             /* false: the offsets of all contacts, bias and before are zero */
    double *bias;                 /* [lane]: b of the normal condition, caller's units */
    int zero_biases;              /* so many of them, from the first on, are zero */
    double *before[3]; /* [lane]: u before the step, caller's units; filled when something asks for it */
    bool implicit;   /* viscous impulses follow the velocity after the step (damping.c); the caller sets it */
    bool damps;      /* some contact has such an impulse */
    bool merged;     /* and one of them joins two bodies: the island is one block */
    double *damping; /* [lane]: d of damping.c, when damps */
    double *damper;  /* [block]: dim x dim, L of damping.c */
    double *apart;   /* rows of the blocks before they are merged; a column of W */
    bool has_viscous;
    /* [lane]: viscous impulses along the tangents, in the caller's units. Where has_viscous is set they are known;
     * where damps is set they belong to the answer at hand. */
    double *viscous[2];
    bool *round;    /* [lane]: what the system's `round` points to, where some lane is */
    bool flattened; /* some contact has an ellipse */
    /* [lane]: the coefficients of an ellipse along the tangents over the larger of both; 1 for other cones. */
    double *ratio[2];
    double *cholesky; /* generalised: nv x nv lower factor */
    double *column;   /* generalised: nv */
} abuti_build;

/* The limits of what doors build within the caller's limits: blocks count as bodies, and rows are dense only where a
 * block is larger than a body. */
abut_contact_limits abuti_limits_of_doors(const abut_contact_limits *limits);
/* The limits of what stages see: bounded rows are lanes, and lifted systems have private numbers after all others. */
abut_contact_limits abuti_limits_of_stages(const abut_contact_limits *limits);

void abuti_build_layout(abuti_build *build, abuti_arena *arena, const abut_contact_limits *limits);

/* Each builds build->system for an island. ABUT_INVALID_ARGUMENT: a number is not what it should be
 * (validate.c says which). */
abut_status abuti_build_bodies(abuti_build *build, const abut_contact_problem *problem,
                               const abuti_islands *islands, const abuti_island *island);
abut_status abuti_build_generalised(abuti_build *build, const abut_contact_problem *problem);
abut_status abuti_build_blocks(abuti_build *build, const abut_contact_problem *problem,
                               const abuti_island *island);
/* Whether abuti_build_blocks would take the island. Its mass matrices are factored on the way. */
bool abuti_valid_blocks(abuti_build *build, const abut_contact_problem *problem, const abuti_island *island);
/* The numbers have been checked (abuti_valid_local). */
abut_status abuti_build_local(abuti_build *build, const abut_contact_problem *problem,
                              const abuti_island *island);

/* Makes the lifted system, in the build's own store, from the one that a door has built in the store `door`.
 * ABUT_TOO_LARGE: the lifted system has more numbers than there is room for. */
abut_status abuti_lift_system(abuti_build *build, const abut_contact_problem *problem);
/* The same of a system of the W + q door (lift_local.c); bounded rows are made as expanded systems have them. */
void abuti_lift_local(abuti_build *build, const abut_contact_problem *problem);
/* Given impulses may be larger than all other numbers, or the only ones: then the unit is chosen once more. */
void abuti_lift_scale(abuti_build *build, const abut_contact_problem *problem,
                      const abuti_system_store *from);

/* The new velocities of the island, v = G^-T v_s * unit, into velocity[6 * body_count] or velocity[nv]. */
void abuti_unbuild_bodies(const abuti_build *build, const abuti_island *island, const double *v_scaled,
                          double *velocity);
void abuti_unbuild_generalised(const abuti_build *build, int nv, const double *v_scaled, double *velocity);
void abuti_unbuild_blocks(const abuti_build *build, const abuti_island *island, const double *v_scaled,
                          double *velocity);

/* cones.c: called after a door has built a system in which some contact may have a circle or an ellipse. */
void abuti_build_cones(abuti_build *build, const abut_contact_problem *problem);

/* ---- Shared by the doors ---- */

/* The point at which body A (side 0) or B (side 1) of a contact is touched. */
static inline const double *abuti_point_of(const abut_contact *contact, int side)
{
    return side == 1 && contact->two_points ? contact->second_point : contact->point;
}
/* Factors mass and inertia; false unless the mass is positive and the inertia positive definite. */
bool abuti_factor_body(const abut_body *body, abuti_factor *factor);
/* G^-1 J' of a row J on one body; `row` may be J itself. */
void abuti_body_row(const abuti_factor *factor, const double J[6], double row[6]);
/* G^-T s unit: the velocity of one body. */
void abuti_body_velocity(const abuti_factor *factor, const double s[6], double unit, double v[6]);
/* k of one block (8 numbers) in the caller's units. */
void abuti_body_k(const abut_body *body, const abuti_factor *factor, double step, bool acceleration,
                  double *k);
/* Finds the offsets of all contacts of the island, their bias, velocities before the step and viscous impulses. */
void abuti_body_offsets(abuti_build *build, const abut_contact_problem *problem, const abuti_island *island);
/* Joint row `index` of the problem as row j of the system. */
void abuti_body_joint(abuti_build *build, const abut_contact_problem *problem, const abuti_islands *islands,
                      int j, int index);
/* M = L L'; false unless M is symmetric up to rounding and positive definite. */
bool abuti_factor_mass(const double *M, int nv, double *L);
/* Lets build->system point to the store's arrays. */
void abuti_point_system(abuti_build *build);
/* Sets what a lane takes from its contact, whatever the door. */
void abuti_lane_of_contact(abuti_build *build, const abut_contact *contact, int lane, int index);
/* Takes down the known viscous impulse -h viscous u_t of a contact (Drumwright III-C), from u before the
 * step; false when the contact has none. A contact with a gap does not touch and has none either (velocity
 * level). */
bool abuti_take_viscous(abuti_build *build, const abut_contact_problem *problem, const abut_contact *contact,
                        int lane);
/* k += rows * viscous impulses; the rows are scaled, k is not yet. */
void abuti_add_viscous(abuti_build *build, int lane);
/* Whether a contact has an implicit viscous impulse (damping.c) at the velocity level. */
bool abuti_damped(const abut_contact *contact);
/* How many numbers the block has that a problem's dampers may make of its bodies; 0: each body stays its own block. */
int abuti_damping_numbers(const abut_contact_problem *problem, const abut_contact_options *options);
/* Last steps of a door: put the dampers into the scaled system. */
void abuti_damp_rows(abuti_build *build, const abut_contact_problem *problem);
void abuti_damp_local(abuti_build *build, const abut_contact_problem *problem);
/* Turns velocities of the damped system into those of the plain one, in place, in the blocks of the door. */
const double *abuti_undamp(const abuti_build *build, double *v);
/* Writes what the dampers do in this answer into build->viscous. s may be the projected system; v is in its blocks. */
void abuti_damper_impulses(const abuti_build *build, const abuti_system *s, const abuti_answer *answer,
                           const double *v);
/* b of the normal condition (contact.h): `approach` is n.u before the step, `threshold` the speed above which
 * contacts with restitution bounce. */
double abuti_bias(const abut_contact *contact, double step, double threshold, double approach);
/* 2^-h with 2^-h sqrt(square) in [0.7, 1.42); 1 for square = 0. */
double abuti_scale_of_square(double square);
/* The largest power of two that is at most x; 1 for x = 0 and what is not finite. */
double abuti_power_below(double x);
/* Sets offsets and biases to 0 and gives the lanes from n on mu 0, 8 directions and no body. Before a door writes
 * offsets it says so by abuti_offsets_begin. */
void abuti_pad_lanes(abuti_build *build);
void abuti_offsets_begin(abuti_build *build);
/* Chooses row_scale by the sizes of the rows, and brings rows and sizes to order one. */
void abuti_scale_rows(abuti_build *build);
/* Brings rows and sizes to order one by the row_scale that is there. */
void abuti_apply_row_scales(abuti_build *build);
/* Chooses unit, and brings k and all offsets, which come in the caller's units, to order one. */
void abuti_scale_right_sides(abuti_build *build);

#endif
