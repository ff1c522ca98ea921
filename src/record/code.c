#include "record/code.h"

#include <string.h>

/* ---- guesses, the same for both ways ---- */

static int64_t guess_fixed(const abuti_history *h, int i)
{
    int64_t last = h->previous.fixed[i];
    bool moves = i == WORD_TIME || (i >= STEP_WORDS && i < STEP_WORDS + POSE_WORDS * h->previous.bodies);
    return moves ? 2 * last - h->before[i] : last;
}

/* The guess for the place of the next contact's predecessor: the one after the last predecessor. */
static int64_t guess_place(const abuti_history *h, int64_t last)
{
    return last + 1 < h->previous.contacts ? last + 1 : -1;
}

static int64_t guess_contact(const abuti_history *h, int64_t place, int k)
{
    return place < 0 ? 0 : h->previous.contact[CONTACT_WORDS * place + k];
}

void abuti_history_advance(abuti_history *h, abuti_words *now)
{
    /* After the first step there is no motion yet to go on with. */
    const int64_t *motion = h->steps == 0 ? now->fixed : h->previous.fixed;
    size_t count = (size_t)abuti_fixed_count(now->bodies, now->joints);
    memcpy(h->before, motion, count * sizeof *motion);
    abuti_words last = h->previous;
    h->previous = *now;
    *now = last;
    h->steps++;
}

/* ---- encoding ---- */

typedef struct run_writer {
    abuti_bytes *out;
    uint64_t zeros;
} run_writer;

static void flush_zeros(run_writer *w)
{
    if (w->zeros == 0) return;
    abuti_put_byte(w->out, 0);
    abuti_put_varint(w->out, w->zeros);
    w->zeros = 0;
}

static void put_difference(run_writer *w, int64_t d)
{
    if (d == 0) {
        w->zeros++;
        return;
    }
    flush_zeros(w);
    abuti_put_varint(w->out, d > 0 ? (uint64_t)d << 1 : ((uint64_t)-d << 1) - 1);
}

/* The contact of the step before with the same two bodies, from `from` on; or -1. */
static int64_t find_place(const abuti_history *h, const int64_t *contact, int64_t from)
{
    for (int64_t i = from; i < h->previous.contacts; ++i) {
        const int64_t *other = h->previous.contact + CONTACT_WORDS * i;
        if (other[WORD_A] == contact[WORD_A] && other[WORD_B] == contact[WORD_B]) return i;
    }
    return -1;
}

void abuti_encode_step(abuti_bytes *out, abuti_history *h, abuti_words *now)
{
    run_writer w = {.out = out};
    int fixed = abuti_fixed_count(now->bodies, now->joints);
    for (int i = 0; i < fixed; ++i) put_difference(&w, now->fixed[i] - guess_fixed(h, i));
    int64_t last = -1, misses = 0;
    for (int c = 0; c < now->contacts; ++c) {
        const int64_t *contact = now->contact + (ptrdiff_t)CONTACT_WORDS * c;
        /* After 16 contacts without a predecessor the step before is not searched again; the guess is taken. */
        int64_t place = misses < 16 || last + 1 >= h->previous.contacts ? find_place(h, contact, last + 1)
                                                                        : guess_place(h, last);
        if (place < 0) misses++;
        put_difference(&w, place - guess_place(h, last));
        for (int k = 0; k < CONTACT_WORDS; ++k) put_difference(&w, contact[k] - guess_contact(h, place, k));
        if (place >= 0) last = place;
    }
    flush_zeros(&w);
    abuti_history_advance(h, now);
}

/* ---- decoding ---- */

typedef struct run_reader {
    abuti_cursor *in;
    uint64_t zeros;
} run_reader;

static int64_t get_difference(run_reader *r)
{
    if (r->zeros > 0) {
        r->zeros--;
        return 0;
    }
    uint64_t code = abuti_get_varint(r->in);
    if (code == 0) {
        r->zeros = abuti_get_varint(r->in);
        if (r->zeros == 0)
            r->in->bad = true;
        else
            r->zeros--;
        return 0;
    }
    if (code > (uint64_t)ABUTI_WORD_MAX << 4) {
        r->in->bad = true;
        return 0;
    }
    return code & 1 ? -(int64_t)((code + 1) >> 1) : (int64_t)(code >> 1);
}

static bool get_word(run_reader *r, int64_t guess, int64_t *word)
{
    *word = guess + get_difference(r);
    return !r->in->bad && *word >= -ABUTI_WORD_MAX && *word <= ABUTI_WORD_MAX;
}

bool abuti_decode_step(abuti_cursor *in, const abuti_history *h, abuti_words *now)
{
    run_reader r = {.in = in};
    int fixed = abuti_fixed_count(now->bodies, now->joints);
    for (int i = 0; i < fixed; ++i)
        if (!get_word(&r, guess_fixed(h, i), &now->fixed[i])) return false;
    int64_t last = -1;
    for (int c = 0; c < now->contacts; ++c) {
        int64_t *contact = now->contact + (ptrdiff_t)CONTACT_WORDS * c, place;
        if (!get_word(&r, guess_place(h, last), &place) || place < -1 || place >= h->previous.contacts)
            return false;
        for (int k = 0; k < CONTACT_WORDS; ++k)
            if (!get_word(&r, guess_contact(h, place, k), &contact[k])) return false;
        if (place >= 0) last = place;
    }
    return r.zeros == 0 && in->at == in->end;
}
