/* Checks that messages name vertices by id: sl_matrix_set_ids, sl_graph_view.ids. */
#ifndef SEMLA_TESTS_VERTEX_NAMES_H
#define SEMLA_TESTS_VERTEX_NAMES_H

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum { ID_BASE = 100000, NAMED_VERTICES = 16 }; /* vertex v has the id ID_BASE + v */

static const uint64_t vertex_ids[NAMED_VERTICES] = {
    ID_BASE,      ID_BASE + 1,  ID_BASE + 2,  ID_BASE + 3, ID_BASE + 4,  ID_BASE + 5,
    ID_BASE + 6,  ID_BASE + 7,  ID_BASE + 8,  ID_BASE + 9, ID_BASE + 10, ID_BASE + 11,
    ID_BASE + 12, ID_BASE + 13, ID_BASE + 14, ID_BASE + 15};

/* True if the text before `at` ends in a word that a vertex follows, but not in "0 to": a range. */
static inline bool follows_vertex_word(const char *text, const char *at)
{
    static const char *const words[] = {" vertex ", " source ", " parent ", " from ",  " to ",
                                        " path ",   " joins ",  " ends ",   " cycle: "};
    if (at - text >= 6 && memcmp(at - 6, " 0 to ", 6) == 0)
        return false;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        const size_t length = strlen(words[k]);
        const bool is_first =
            at == text + length - 1 && memcmp(text, words[k] + 1, length - 1) == 0;
        if (is_first ||
            ((size_t)(at - text) >= length && memcmp(at - length, words[k], length) == 0))
            return true;
    }
    return false;
}

/*
 * `named` is the message of a graph of n vertices with the ids, `plain` the message of the same
 * graph without ids. They differ by ID_BASE in some numbers, among them each vertex behind a word
 * such as "vertex".
 */
static inline void expect_ids(const char *named, const char *plain, uint64_t n)
{
    const char *a = named, *b = plain;
    while (*a && *b) {
        if (!isdigit((unsigned char)*a)) {
            if (*a++ != *b++)
                break;
            continue;
        }
        char *a_end, *b_end;
        const uint64_t x = strtoull(a, &a_end, 10), y = strtoull(b, &b_end, 10);
        const bool is_vertex = follows_vertex_word(named, a) && y < n;
        if (x != y + (x >= ID_BASE ? ID_BASE : 0) || (is_vertex && x < ID_BASE))
            fail_msg("'%s' does not name the vertices of '%s'", named, plain);
        a = a_end;
        b = b_end;
    }
    if (*a || *b)
        fail_msg("'%s' is not '%s' with ids", named, plain);
}

#endif
