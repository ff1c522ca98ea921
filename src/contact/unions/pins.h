/* All motions that contacts which do not slip can bring about: which points are held still? (unions/pins.c) */
#ifndef ABUTI_CONTACT_UNIONS_PINS_H
#define ABUTI_CONTACT_UNIONS_PINS_H

#include "base/arena.h"
#include <stdbool.h>

/* The largest number of freedoms, those of four bodies. With more there are too many sets, and branch and bound is all
 * there is. */
enum { ABUTI_PINS_RANK = 24 };

/* The largest number of sets of one problem, which take about half a second. Problems of `abut stress union` mostly
 * have some hundreds. */
enum { ABUTI_PINS_SETS = 400000 };

/* What may be held: rows that become 0 together. */
typedef struct abuti_pin {
    int contact;
    int first, rows; /* in abuti_pins.row */
} abuti_pin;

typedef struct abuti_pins {
    int n, joints, dof; /* rows; how many of the last rows are joints, which always hold; freedoms */
    double *A;          /* n x dof: the rows, which the caller fills in */
    const double *b;    /* [row]: its velocity at the free motion */
    double *size2;      /* [row]: the square of its length */
    double zero;        /* what counts as zero in w */
    int count;          /* pins */
    abuti_pin *pin;
    int *row;
    double *Q; /* [rank][dof]: an orthonormal basis of the set's rows */
    /* [depth][row]: the motion of the set (w), and the square of what is left of a row across the set (left). */
    double *w, *left;
    int *chosen; /* [depth]: the pin that was added last, */
    int *next;   /* and the one to try next */
    int *rank;   /* [depth] */
    int depth, sets;
    bool started, exhausted; /* exhausted: no set was left out, none is in doubt */
} abuti_pins;

void abuti_pins_layout(abuti_pins *pins, abuti_arena *arena, int rows, int contacts);
/* Begins with no pins at all; the caller adds them, and the rows. */
void abuti_pins_begin(abuti_pins *pins, int n, int joints, int dof, const double *b, double zero);
/* Adds a pin with one row; the second function adds one more row to the last pin. */
void abuti_pins_add(abuti_pins *pins, int contact, int row);
void abuti_pins_extend(abuti_pins *pins, int row);
/* Tries one pin. SET: it makes a further set, whose motion is then abuti_pins_motion. NONE: it makes none. END:
 * there are no more sets, or there would be too many. */
typedef enum abuti_pins_step { ABUTI_PINS_SET, ABUTI_PINS_NONE, ABUTI_PINS_END } abuti_pins_step;
abuti_pins_step abuti_pins_next(abuti_pins *pins);

static inline const double *abuti_pins_motion(const abuti_pins *pins)
{
    return pins->w + (size_t)pins->depth * (size_t)pins->n;
}

#endif
