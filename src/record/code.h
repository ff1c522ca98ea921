/* Words to bytes and back. Each word is guessed from the steps before, and what is written is the difference:
 *
 *     time, poses      go on as they went: 2 w[-1] - w[-2]
 *     other words      stay: w[-1]
 *     a contact        begins with the place of the contact it continues in the step before (or -1), guessed as the
 *                      place after the last one; its words are guessed as those of that contact, or as zero
 *
 * A difference d is written as the varint of its zigzag code (2 d, or -2 d - 1), and a run of n zeros as a zero byte
 * and the varint n. So what rests costs next to nothing. */
#ifndef ABUTI_RECORD_CODE_H
#define ABUTI_RECORD_CODE_H

#include "record/bytes.h"
#include "record/words.h"

/* The steps that guesses are made from: all zero before the first step. */
typedef struct abuti_history {
    abuti_words previous;
    int64_t *before; /* the fixed words of the step before the previous one */
    int steps;
} abuti_history;

/* Appends the differences of `now`; `now` and the previous step then change places. */
void abuti_encode_step(abuti_bytes *out, abuti_history *history, abuti_words *now);

/* Reads the words of a step back from differences; now->contacts is given. The history does not change. */
bool abuti_decode_step(abuti_cursor *in, const abuti_history *history, abuti_words *now);
/* `now` becomes the previous step. */
void abuti_history_advance(abuti_history *history, abuti_words *now);

#endif
