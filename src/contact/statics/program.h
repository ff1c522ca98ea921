/* Forces that hold everything at rest, as a small cone program:
 *
 *     sum over contacts of  f_n N + f_x X + f_y Y   +   sum over joint rows of  f_j J   =   load
 *     f_n >= 0,   |(f_x, f_y)| <= share mu f_n,   f_j of any sign
 *
 * N, X, Y and J are what a unit force does to each equation: one equation a degree of freedom (through the
 * W + q door, a row of W). The cone is round. It is never cut into a polygon: the simplex method needs, of a
 * contact's many columns N + share mu (c X + s Y), c^2 + s^2 = 1, only the one that gains most at the present
 * prices y, and that is the one with (c, s) along (y.X, y.Y). So the basis holds columns with directions of
 * their own, and every point on the way satisfies the round cones exactly. */
#ifndef ABUTI_CONTACT_STATICS_PROGRAM_H
#define ABUTI_CONTACT_STATICS_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

/* A column of the basis, in doubles, so that one array holds all scratch. */
typedef struct abuti_statics_column {
    double owner; /* contact; contacts + joint row; -1: none, the unit column of an equation */
    double along; /* 1; of joint rows and units the sign */
    double c, s;  /* contacts: the direction of friction, zero without */
} abuti_statics_column;

typedef struct abuti_statics_program {
    int rows, contacts, joints;
    double *columns; /* (3 contacts + joints) x rows: N, X, Y of each contact, then J */
    double *load;    /* rows */
    double *mu;      /* contacts */
    double share;    /* of mu that may be used */
    double unit;     /* N: forces are values times this */

    abuti_statics_column *basis, *copy; /* rows; the unit column of an equation stands at its place */
    double *inverse;                    /* rows x rows */
    double *x;                          /* rows: values of the basis */
    double *cost, *prices, *column, *rate;
    int fresh; /* pivots since the inverse was made anew */
} abuti_statics_program;

/* Doubles of scratch. */
size_t abuti_statics_program_size(int rows, int contacts, int joints);
/* Lays the program out in `scratch`: columns and load are zero, to be filled. */
abuti_statics_program abuti_statics_program_make(int rows, int contacts, int joints, double *scratch);
/* Scales columns and load, once they and mu are filled, to numbers of order one. */
void abuti_statics_program_scale(abuti_statics_program *p);

typedef enum abuti_statics_end {
    ABUTI_STATICS_FOUND,
    ABUTI_STATICS_NONE,      /* no forces; the prices prove it */
    ABUTI_STATICS_UNBOUNDED, /* as large as one likes */
    ABUTI_STATICS_OPEN,      /* too many pivots, or too little room to tell from rounding */
} abuti_statics_end;

/* Looks for a point, with the present share of friction. */
abuti_statics_end abuti_statics_feasible(abuti_statics_program *p);
/* After NONE: the least share of friction at which the prices no longer prove that there are no forces; infinity: no
 * friction helps. */
double abuti_statics_next_share(const abuti_statics_program *p);
/* Finds, from a point, the largest (sign 1) or least (sign -1) normal force of a contact, N. */
abuti_statics_end abuti_statics_extreme(abuti_statics_program *p, int contact, double sign, double *force);

#endif
