/* A step as whole numbers, its *words*, in a fixed order:
 *
 *     STEP_WORDS    of the step      (enum below)
 *     7 a body      position / resolution, orientation * 2^20
 *     2 a joint     position, impulse
 *     CONTACT_WORDS a contact        (enum below)
 *
 * The word of a float is made of its bits, in an order in which neighbours differ by one, for some with fewer bits of
 * mantissa. The words of a unit vector are its place on an unfolded octahedron. */
#ifndef ABUTI_RECORD_WORDS_H
#define ABUTI_RECORD_WORDS_H

#include "base/arena.h"

#include "abut/record.h"

enum {
    WORD_TIME, /* ns */
    WORD_KINETIC,
    WORD_POTENTIAL,
    WORD_RESIDUAL,
    WORD_PIVOTS,
    WORD_STAGE, /* 0: none, else one more than its place among the names */
    WORD_MICROSECONDS,
    WORD_OUTCOME,
    WORD_ISLANDS,
    STEP_WORDS
};
enum {
    WORD_A,
    WORD_B,
    WORD_POINT,                     /* 3 words, in resolutions */
    WORD_NORMAL = WORD_POINT + 3,   /* 2 words */
    WORD_TANGENT = WORD_NORMAL + 2, /* the angle of t from the first axis across n, in 65536ths of a turn */
    WORD_IMPULSE,                   /* 3 words */
    WORD_FRICTION = WORD_IMPULSE + 3,
    WORD_DIRECTIONS,
    WORD_STATE,
    WORD_GAP, /* in 1/256 resolutions */
    CONTACT_WORDS
};
enum { POSE_WORDS = 7, JOINT_WORDS = 2 };

/* No word is larger. So three times the sum of two words is still a whole number that a double holds exactly. */
#define ABUTI_WORD_MAX ((int64_t)1 << 46)

/* How many low bits of a float's mantissa are rounded away. */
enum { ABUTI_DROP_NONE = 0, ABUTI_DROP_IMPULSE = 7, ABUTI_DROP_SHORT = 12 };

int64_t abuti_word_of_float(double value, int drop);
double abuti_float_of_word(int64_t word, int drop);

/* Two axes across a unit vector, the same for writer and readers. */
void abuti_across(const double n[3], double x[3], double y[3]);

typedef struct abuti_words {
    int bodies, joints, contacts;
    int64_t *fixed;   /* STEP_WORDS + POSE_WORDS * bodies + JOINT_WORDS * joints */
    int64_t *contact; /* CONTACT_WORDS * contacts */
} abuti_words;

int abuti_fixed_count(int bodies, int joints);
abuti_words abuti_words_take(abuti_arena *arena, int bodies, int joints, int contact_limit);

/* From a step, checked: false with the reason in `error`. `previous` holds the words of the step before, for the signs
 * of quaternions. WORD_STAGE is left to the caller. */
bool abuti_words_from_step(const abut_record_step *step, double resolution, const abuti_words *previous,
                           abuti_words *words, abut_error *error);

/* Back, into arrays of the caller's; false: words that no writer makes. `stage` is left to the caller. */
bool abuti_words_to_step(const abuti_words *words, double resolution, abut_record_pose *poses,
                         abut_record_joint_state *joints, abut_record_contact *contacts,
                         abut_record_step *step);

#endif
