/* Suggestions for misspelt words: the end of a message, "; did you mean 'WORD'?" */
#ifndef SEMLA_CLI_SUGGEST_H
#define SEMLA_CLI_SUGGEST_H

#include <stddef.h>

typedef struct {
    char text[96];
} suggestion;

/*
 * The word nearest to `text`, or NULL if no word is near enough. If `text` has two characters or
 * more and only one word begins with it, that word; else the first word of least distance, counted
 * in insertions, deletions, substitutions and transpositions of neighbours, with upper case as
 * lower case. One change is allowed for every three characters of the longer word, begun ones
 * included, and at least one character of `text` must remain. Words of 40 characters and more are
 * never near. O(count x length of text x length of a word).
 */
const char *nearest_word(const char *text, const char *const *words, size_t count);

/* "; did you mean 'PREFIXword'?", or "" if no word is near. `prefix` is "--" for options. */
suggestion suggest(const char *text, const char *prefix, const char *const *words, size_t count);

#endif
