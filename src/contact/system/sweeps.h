/* Sweeps over contacts and joint rows: each in turn takes back its own velocity, as far as its cone allows.
 *
 *     theta := max(0, theta - u_n / W_nn),    f := the point of mu theta P next to f - u_t / W_tt
 *
 * P is the polygon or circle of radius 1. A point that does not change is an answer: f is nearest to f - u_t exactly
 * when it opposes the slip as the law says. Far from an answer sweeps gain little. Near one, where states are matters
 * of rounding, they come nearer without knowing any states. */
#ifndef ABUTI_CONTACT_SYSTEM_SWEEPS_H
#define ABUTI_CONTACT_SYSTEM_SWEEPS_H

#include "contact/system/system.h"

/* offset + row . v along an axis of a contact, and of a joint row. */
double abuti_along(const abuti_system *system, int contact, int axis, const double *v);
double abuti_joint_along(const abuti_system *system, int joint, const double *v);
/* Brings an impulse into the cone: a negative theta becomes 0, and friction that is too large is shortened. */
void abuti_into_cone(const abuti_system *system, int contact, double p[3]);
/* |f| in the norm of the contact's cone: f lies in theta's cone exactly when this is at most mu theta. */
double abuti_cone_norm(const abuti_system *system, int contact, const double f[2]);
/* v = k + rows * impulses */
void abuti_velocity_after(const abuti_system *system, const abuti_answer *x, double *v);
/* Brings all impulses into their cones, and finds the velocity after them. */
void abuti_sweeps_begin(const abuti_system *system, abuti_answer *x, double *v);
/* One sweep. Returns the largest change of an impulse times the size of its row. */
double abuti_sweep(const abuti_system *system, abuti_answer *x, double *v);
/* The states that belong to impulses: open, slide or stick. */
void abuti_sweeps_name_states(const abuti_system *system, abuti_answer *x);

#endif
