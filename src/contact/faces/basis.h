/* The two tables that the stages of `faces` work through: how rows lie in the space of v, and what a
 * representation of the basis can do. With them greedy flips, the path and the check are written once and ask
 * no flags. The words are those of faces.h. */
#ifndef ABUTI_CONTACT_FACES_BASIS_H
#define ABUTI_CONTACT_FACES_BASIS_H

#include <stdbool.h>

typedef struct faces faces;

/* Where a slot's row acts in v: the bodies that it touches, `bodies` for none. At the W + q door body[0] is 0
 * and body[1] is the first number. */
typedef struct slot_place {
    int body[2];
} slot_place;

/* How rows and columns lie in the space of v (faces/rows.inl): over the bodies that they touch, or, at the
 * W + q door, in u itself. A code names a contact (its lane) or a joint (-2 - joint). */
typedef struct faces_door {
    slot_place (*place)(const faces *f, int code);
    /* The contact's column on an axis; with bodies it is also its row. */
    void (*gather)(const faces *f, int contact, int axis, double *out);
    /* The row c[0] n + c[1] t_x + c[2] t_y of a seated contact. */
    void (*row)(const faces *f, int seat, const double c[3], double *out);
    void (*joint)(const faces *f, int joint, double *row, double *column);
    /* row.v */
    double (*dot)(const faces *f, const double *row, slot_place at, const double *v);
    /* v += factor column */
    void (*add)(const faces *f, double factor, const double *column, slot_place at, double *v);
    /* row.column */
    double (*product)(const faces *f, const double *row, slot_place at, const double *column,
                      slot_place other);
    /* Products of work.row and work.column with all slots that they meet; see meet in faces/rows.inl. */
    int (*meet)(faces *f, slot_place at);
    /* out = R'v, 0 for free slots */
    void (*dots)(const faces *f, const double *v, double *out);
    /* v += sign C by */
    void (*push)(const faces *f, double sign, const double *by, double *v);
    /* un and ut of all contacts, by lane. */
    void (*velocities)(faces *f, int part);
    /* u of one contact along an axis, straight from v: of any contact, or of a seated one. */
    double (*velocity)(const faces *f, int contact, int axis, int part);
    double (*seated_velocity)(const faces *f, int contact, int axis, int part);
} faces_door;

/* What ADD takes beside a row and a column: o and c of the row, and |row| |column|. */
typedef struct faces_terms {
    double offset, cover, scale;
} faces_terms;

/* A representation of the basis: what the stages ask it to do. There are four,
 *
 *     eight      one body: the inverse of R'C in vectors of eight      (faces/eight.inl)
 *     inverse    the inverse of R'C for any system                     (faces/inverse.inl)
 *     tableau    few bodies: the velocities of all contacts at hand    (faces/tableau.inl)
 *     band       many bodies: R'C in factors, for given states         (faces/band.inl)
 *
 * and a fifth, one body in the space of v (faces/one.inl), that has everything of its own. A member is NULL
 * where no stage asks. */
typedef struct faces_basis {
    int accurate; /* events after which x and v may still be judged without a refresh */

    /* `open` makes room for a basis with everything open; `clear` clears away what the last basis left. */
    void (*open)(faces *f);
    void (*clear)(faces *f);

    /* In order: a contact takes a seat, with what is needed of its rows (FACES_NONE: all seats are taken); it leaves
     * its seat; path.shift has changed. */
    int (*sit)(faces *f, int contact);
    void (*rise)(faces *f, int seat);
    void (*shift)(faces *f);

    /* ADD: row and column are given along n, t_x, t_y. `add` returns false, and changes nothing, when the row
     * depends on those present; `take` then takes it all the same if it can, and clears f->regular. */
    bool (*add)(faces *f, int contact, int kind, const double row[3], const double column[3]);
    bool (*take)(faces *f, int contact, int kind, const double row[3], const double column[3]);
    /* DEL; clears f->regular when the rest depends on each other. */
    void (*drop)(faces *f, int slot);
    /* COL: slot th brings tau of slot b along. ROT: (e, a) := (cos e - sin a, sin e + cos a). */
    void (*shear)(faces *f, int th, int b, double tau);
    void (*rotate)(faces *f, int e, int a, double cosine, double sine);

    /* un, ut and value, which slacks are made of, in parts 0 .. parts-1. */
    void (*spread)(faces *f, int parts);
    /* u_t of a seated contact at t. */
    void (*slip)(const faces *f, int contact, double t, double u[2]);
    /* Whether nothing moves the contacts sideways. */
    bool (*at_rest)(const faces *f);
    /* Whether a slot's row is among those that hold. */
    bool (*holds)(const faces *f, int slot);

    /* x and v to full accuracy; at the end of a stage, to the last digits. False: they cannot be had. */
    bool (*refresh)(faces *f, int parts);
    bool (*polish)(faces *f);

    /* For representations with an inverse: ADD of work.row and work.column, for joints. False: the row is dependent,
     * and nothing has changed. */
    bool (*join)(faces *f, int code, int kind, const faces_terms *terms);
    /* v = k + C x;  g = R'v + base, and its largest entry;  x -= B g */
    void (*move)(faces *f, int part);
    double (*errors)(faces *f, int part);
    void (*correct)(faces *f, int part);
    /* A new inverse. False: some pivot is below `least`, and work.b is a null vector, R'C b = 0. */
    bool (*invert)(faces *f, double least);
} faces_basis;

#endif
