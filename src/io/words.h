/* Which known word a mistaken one most likely meant: for options, verbs and the names in files. */
#ifndef ABUTI_WORDS_H
#define ABUTI_WORDS_H

/* The candidate that a misspelt word most likely meant, upper and lower case alike, or NULL. */
const char *abuti_closest_word(const char *word, const char *const *candidates, int count);

#endif
