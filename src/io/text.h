/* Text files, read a word at a time, with places for error messages.
 *
 * Nothing here trusts the file. It is read in small pieces, so that a gigabyte of garbage is refused at its
 * first word; a word, a run of blanks and a line have limits; a list of numbers grows with what was read, and
 * is refused before the first of them when the rest of the file is too short to hold it.
 *
 * Every function that can fail returns false and has then left one line in text->error, such as
 * "peg.dat:12:7: M[3][2]: 'abc'; expected a finite number". */
#ifndef ABUTI_TEXT_H
#define ABUTI_TEXT_H

#include "abut/base.h"
#include <stdbool.h>
#include <stdio.h>

enum {
    ABUTI_WORD_MAX = 255, /* longer words are no numbers and no keywords */
    ABUTI_LABEL_MAX = 64, /* of "M[3][2]" and its like */
    ABUTI_BLANKS_MAX = 1 << 20,
    ABUTI_DENSE_MAX_N = 10000, /* rows of the largest matrix that is held densely: 800 MB */
};

typedef struct abuti_text {
    const char *name; /* for messages: the path */
    abut_error *error;
    FILE *file; /* NULL: the bytes are in memory */
    unsigned char *buffer;
    const unsigned char *bytes;
    size_t at, end;   /* next byte and end of the window `bytes` */
    long long before; /* bytes of the file before the window */
    long long length; /* of the whole file; -1: unknown (a pipe) */
    int line, column; /* of the next byte, from 1 */
    int word_line, word_column;
    char word[ABUTI_WORD_MAX + 1];
    bool too_long; /* the word was cut */
} abuti_text;

/* Opens a file ("-": standard input). Directories, missing, unreadable and empty files are refused. */
bool abuti_text_open(abuti_text *text, const char *path, abut_error *error);
/* Reads from memory; the bytes are borrowed. */
bool abuti_text_open_memory(abuti_text *text, const char *name, const void *bytes, size_t size,
                            abut_error *error);
void abuti_text_close(abuti_text *text);

/* Leave an error message at the place of the last word, or about the whole file. Both return false. */
bool abuti_text_fail(abuti_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool abuti_text_fail_whole(abuti_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool abuti_text_out_of_memory(abuti_text *text);

/* The next byte without taking it, or -1 at the end. */
int abuti_text_peek(abuti_text *text);
/* The first bytes of the file, to tell formats apart; call it before anything is taken. */
size_t abuti_text_head(abuti_text *text, const unsigned char **bytes);
/* Takes up to size bytes; 0 at the end. */
size_t abuti_text_bytes(abuti_text *text, void *into, size_t size);
/* Takes the next word into text->word; false, without a message, at the end of the file. */
bool abuti_text_word(abuti_text *text);
/* Takes the next word on this line; false, without a message, at the end of the line. */
bool abuti_text_word_in_line(abuti_text *text);
void abuti_text_skip_line(abuti_text *text);
/* The last word as a quote for messages: cut short, without control characters. */
const char *abuti_text_quote(abuti_text *text, char quote[40]);

/* Takes the next word, which must be this one. */
bool abuti_text_expect(abuti_text *text, const char *word);

/* Take one number; `label` says what it is: "M[3][2]". */
bool abuti_text_integer(abuti_text *text, const char *label, int low, int high, int *value);
bool abuti_text_number(abuti_text *text, const char *label, double *value);
/* Whether count words can stand in what is left of the file: each takes a byte and a blank. Ask before
 * allocating. */
bool abuti_text_has_room(abuti_text *text, const char *label, size_t count);
/* Takes count numbers into a new array (free it). Label "q" makes "q[7]" in messages; with rows > 0 the
 * numbers are a matrix that stands column by column, and the label makes "M[3][2]". */
bool abuti_text_numbers(abuti_text *text, const char *label, size_t count, int rows, double **values);
bool abuti_text_integers(abuti_text *text, const char *label, size_t count, int low, int high, int **values);

#endif
