/* Texts in every format, long enough to be read by several threads. */
#ifndef SEMLA_TEST_TEXTS_H
#define SEMLA_TEST_TEXTS_H

#include <stddef.h>

enum { LINES = 90000, CAPACITY = LINES * 48 };

typedef enum {
    PAIRS,
    WEIGHTS,
    DISORDER, /* comments, blank lines, blanks, no newline at the end */
    SPARSE,   /* ids too sparse for a bitmap */
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

/* A text in a buffer of CAPACITY bytes, to be freed with test_free; *length is the used length. */
char *text_of(form f, size_t *length);

#endif
