/*
 * Suggestions for misspelt words, by the Damerau-Levenshtein distance in the form of optimal string
 * alignment (Damerau, "A technique for computer detection and correction of spelling errors", CACM
 * 7(3), 1964; Levenshtein 1966): a table of the distances of all prefixes, of which three rows are
 * kept.
 */
#include "cli/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LIMIT = 40 }; /* characters; longer words are never near */

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* The distance of two words of fewer than LIMIT characters. */
static int distance(const char *a, const char *b)
{
    const int m = (int)strlen(a), n = (int)strlen(b);
    int rows[3][LIMIT + 1], *before = rows[0], *last = rows[1], *row = rows[2];
    for (int j = 0; j <= n; j++)
        last[j] = j;
    for (int i = 1; i <= m; i++) {
        row[0] = i;
        for (int j = 1; j <= n; j++) {
            row[j] =
                smaller(smaller(last[j], row[j - 1]) + 1, last[j - 1] + !same(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                row[j] = smaller(row[j], before[j - 2] + 1);
        }
        int *oldest = before;
        before = last;
        last = row;
        row = oldest;
    }
    return last[n];
}

/* The only word that begins with `text`; NULL if there is none or more than one. */
static const char *only_beginning(const char *text, const char *const *words, size_t count)
{
    const char *found = NULL;
    for (size_t k = 0; k < count; k++)
        if (strncmp(words[k], text, strlen(text)) == 0) {
            if (found && strcmp(found, words[k]) != 0)
                return NULL;
            found = words[k];
        }
    return found;
}

const char *nearest_word(const char *text, const char *const *words, size_t count)
{
    const size_t length = strlen(text);
    const char *nearest = length >= 2 ? only_beginning(text, words, count) : NULL;
    int least = LIMIT;
    if (nearest || length == 0 || length >= LIMIT)
        return nearest;
    for (size_t k = 0; k < count; k++) {
        const size_t size = strlen(words[k]), longer = size > length ? size : length;
        if (size == 0 || size >= LIMIT)
            continue;
        const int changes = distance(text, words[k]);
        if (changes < least && changes <= ((int)longer + 2) / 3 && changes < (int)length) {
            least = changes;
            nearest = words[k];
        }
    }
    return nearest;
}

suggestion suggest(const char *text, const char *prefix, const char *const *words, size_t count)
{
    suggestion s = {""};
    const char *word = nearest_word(text, words, count);
    if (word)
        snprintf(s.text, sizeof s.text, "; did you mean '%s%s'?", prefix, word);
    return s;
}
