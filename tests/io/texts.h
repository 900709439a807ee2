/* Texts of every form, each so long that several threads share its reading. */
#ifndef SEMLA_TEST_TEXTS_H
#define SEMLA_TEST_TEXTS_H

#include <stddef.h>

enum { LINES = 90000, ROOM = LINES * 48 };

typedef enum {
    PAIRS,
    WEIGHTS,
    DISORDER, /* comments, blank lines, blanks, a last line without an end */
    SPARSE,   /* ids too sparse for a table */
    MARKET,
    MARKET_INTEGER,
    MARKET_SYMMETRIC,
    ARRAY,
    ARRAY_SYMMETRIC,
    ARRAY_SKEW,
    ARCS,   /* DIMACS */
    TUPLES, /* Graph500, packed */
    FORMS
} form;

/* To be freed with test_free; of ROOM bytes, and so many of them used. */
char *text_of(form f, size_t *length);

#endif
