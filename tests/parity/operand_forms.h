/* Operands in every form in which engines store them: full, bitmap, rows, columns, few rows, none; with a
 * value per entry, or with one value for all (iso). */
#ifndef SEMLA_TESTS_PARITY_OPERAND_FORMS_H
#define SEMLA_TESTS_PARITY_OPERAND_FORMS_H

#include "host_and_engine.h"

#include <string.h>

enum { N = 17, CELLS = N * N, FEW_ROW = 5 };

typedef struct {
    const char *name;
    sl_format format; /* of a matrix; a vector that is not FULL or BITMAP is a LIST */
    int pattern;      /* 0: all entries; 1: two of three; 2: those of row FEW_ROW; 3: none */
    bool iso;
} form;

static const form forms[] = {
    {"full, one value", SL_FORMAT_FULL, 0, true},     {"full", SL_FORMAT_FULL, 0, false},
    {"bitmap, one value", SL_FORMAT_BITMAP, 1, true}, {"bitmap", SL_FORMAT_BITMAP, 1, false},
    {"rows, one value", SL_FORMAT_CSR, 1, true},      {"rows", SL_FORMAT_CSR, 1, false},
    {"columns, one value", SL_FORMAT_CSC, 1, true},   {"columns", SL_FORMAT_CSC, 1, false},
    {"few rows, one value", SL_FORMAT_CSR, 2, true},  {"few rows", SL_FORMAT_CSR, 2, false},
    {"no entries", SL_FORMAT_CSR, 3, false}};
enum { FORMS = sizeof forms / sizeof *forms };

/* What an object holds, row by row; a vector is a column. */
typedef struct {
    sl_type type;
    bool is[CELLS];
    sl_scalar value[CELLS];
} cells;

static inline bool has_entry(const form *f, uint64_t row, uint64_t col)
{
    return f->pattern == 0 || (f->pattern == 1 && (row + 2 * col) % 3 != 0) ||
           (f->pattern == 2 && row == FEW_ROW);
}

/* The values of one-value objects are `mine`; else `mine` and `other` take turns. */
static inline cells contents(const form *f, uint64_t ncols, sl_scalar mine, sl_scalar other)
{
    cells c = {.type = mine.type};
    for (uint64_t i = 0; i < N; i++)
        for (uint64_t j = 0; j < ncols; j++) {
            c.is[i * ncols + j] = has_entry(f, i, j);
            c.value[i * ncols + j] = f->iso || (i + j) % 2 ? mine : other;
        }
    return c;
}

/* The arrays of these cells in the format of the form. */
static inline sl_arrays arrays_of(const form *f, const cells *c, uint64_t ncols)
{
    const size_t size = sl_type_size(c->type);
    const bool by_column = f->format == SL_FORMAT_CSC, vector = ncols == 1;
    const bool list = f->format == SL_FORMAT_CSR || by_column;
    sl_arrays a = {.format = list && vector ? SL_FORMAT_LIST : f->format,
                   .type = c->type,
                   .nrows = N,
                   .ncols = ncols,
                   .iso = f->iso};
    uint64_t *index = sl_calloc(CELLS, sizeof *index);
    char *values = sl_calloc(CELLS, size);
    assert_true(index && values);
    a.start = list && !vector ? sl_calloc(N + 1, sizeof *a.start) : NULL;
    a.present = f->format == SL_FORMAT_BITMAP ? sl_calloc(CELLS, 1) : NULL;
    for (uint64_t k = 0; k < N * ncols; k++) {
        const uint64_t line = by_column && !vector ? k / N : k / ncols;
        const uint64_t at = by_column && !vector ? k % N * ncols + line : k;
        if (a.present)
            a.present[k] = c->is[k];
        if (!c->is[at] && list)
            continue;
        memcpy(values + (f->iso ? 0 : list ? a.nvals : k) * size, &c->value[at].as, size);
        if (list)
            index[a.nvals] = vector ? k : by_column ? k % N : k % ncols;
        if (a.start)
            a.start[line + 1] = a.nvals + 1;
        a.nvals += c->is[at];
    }
    for (uint64_t line = 0; a.start && line < N; line++)
        a.start[line + 1] = a.start[line + 1] > a.start[line] ? a.start[line + 1] : a.start[line];
    *(vector || by_column ? &a.rows : &a.cols) = list ? index : NULL;
    if (!list)
        sl_free(index);
    a.values = values;
    return a;
}

static inline sl_matrix *matrix_of(const form *f, const cells *c)
{
    sl_matrix *A;
    sl_arrays a = arrays_of(f, c, N);
    OK(engine, sl_matrix_take(&A, engine, &a));
    return A;
}

static inline sl_vector *vector_of(const form *f, const cells *c)
{
    sl_vector *v;
    sl_arrays a = arrays_of(f, c, 1);
    OK(engine, sl_vector_take(&v, engine, &a));
    return v;
}

#endif
