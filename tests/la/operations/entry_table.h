/* A naive model of a small matrix or vector, one element per index, and the conversion between it
 * and arrays in every format (sl_arrays). */
#ifndef SEMLA_TESTS_ENTRY_TABLE_H
#define SEMLA_TESTS_ENTRY_TABLE_H

#include "objects.h"

enum { MAX_ELEMENTS = 48 };

typedef struct {
    uint64_t nrows, ncols, nvals;
    bool present[MAX_ELEMENTS];
    int value[MAX_ELEMENTS]; /* 0 to 3 */
} entry_table;

typedef enum { SOME, NONE, ALL, ONES, SAME, CONTENTS } contents;

static inline entry_table make_entry_table(uint64_t nrows, uint64_t ncols, contents kind,
                                           uint64_t *seed)
{
    entry_table p = {.nrows = nrows, .ncols = ncols};
    for (uint64_t k = 0; k < nrows * ncols; k++) {
        p.present[k] = kind == ALL || (kind != NONE && test_random(seed) % 3 == 0);
        p.nvals += p.present[k];
        p.value[k] = kind == ONES ? 1 : kind == SAME ? 3 : (int)(test_random(seed) % 4);
    }
    return p;
}

static inline void put(void *values, sl_type type, uint64_t k, int value)
{
    sl_scalar s = sl_scalar_cast(sl_scalar_int32(value), type);
    memcpy((char *)values + k * sl_type_size(type), &s.as, sl_type_size(type));
}

static inline bool is(const void *values, sl_type type, uint64_t k, int value)
{
    sl_scalar s = sl_scalar_load(type, (const char *)values + k * sl_type_size(type));
    return sl_scalar_equal(s, sl_scalar_cast(sl_scalar_int32(value), type));
}

static inline void *new_indices(uint64_t count)
{
    return sl_malloc(count * sizeof(uint64_t));
}

static inline bool has_slot_for_each_index(sl_format format)
{
    return format == SL_FORMAT_BITMAP || format == SL_FORMAT_FULL;
}

/* The index in the model of the k-th element in the order of a format: by rows, or by columns for
 * CSC. */
static inline uint64_t model_index(const entry_table *p, sl_format format, uint64_t k)
{
    return format == SL_FORMAT_CSC ? k % p->nrows * p->ncols + k / p->nrows : k;
}

/* The model as arrays in a format. With `iso`, values are NULL if all are 1, or else one value. */
static inline sl_arrays arrays_of(const entry_table *p, sl_format format, sl_type type, bool iso)
{
    uint64_t elements = p->nrows * p->ncols, at = 0;
    uint64_t lines = format == SL_FORMAT_CSC ? p->ncols : p->nrows;
    sl_arrays a = {
        .format = format, .type = type, .nrows = p->nrows, .ncols = p->ncols, .nvals = p->nvals};
    if (format == SL_FORMAT_CSR || format == SL_FORMAT_CSC)
        a.start = sl_calloc(lines + 1, sizeof *a.start);
    if (format == SL_FORMAT_COO || format == SL_FORMAT_CSC || format == SL_FORMAT_LIST)
        a.rows = new_indices(p->nvals);
    if (format == SL_FORMAT_COO || format == SL_FORMAT_CSR)
        a.cols = new_indices(p->nvals);
    if (format == SL_FORMAT_BITMAP)
        a.present = sl_calloc(elements, 1);
    a.values = sl_calloc(has_slot_for_each_index(format) ? elements : p->nvals, sl_type_size(type));
    for (uint64_t k = 0; k < elements; k++) {
        uint64_t from = model_index(p, format, k);
        if (!p->present[from])
            continue;
        uint64_t i = from / p->ncols, j = from % p->ncols;
        if (a.start)
            a.start[(format == SL_FORMAT_CSC ? j : i) + 1]++;
        if (a.rows)
            a.rows[at] = i;
        if (a.cols)
            a.cols[at] = j;
        if (a.present)
            a.present[k] = 1;
        put(a.values, type, has_slot_for_each_index(format) ? k : at, p->value[from]);
        at++;
    }
    for (uint64_t line = 0; a.start && line < lines; line++)
        a.start[line + 1] += a.start[line];
    if (iso && p->nvals) {
        a.iso = p->value[0] != 1;
        if (a.iso) {
            put(a.values, type, 0, p->value[0]);
        } else {
            sl_free(a.values);
            a.values = NULL;
        }
    }
    return a;
}

static inline void check_arrays(const sl_arrays *a, const entry_table *p, sl_format format,
                                sl_type type)
{
    uint64_t elements = p->nrows * p->ncols, at = 0;
    assert_int_equal(a->format, format);
    assert_int_equal(a->type, type);
    assert_int_equal(a->nrows, p->nrows);
    assert_int_equal(a->ncols, p->ncols);
    assert_int_equal(a->nvals, p->nvals);
    sl_arrays whole = *a;
    OK(ctx, sl_arrays_check(ctx, a));
    for (uint64_t k = 0; k < elements; k++) {
        uint64_t from = model_index(p, format, k);
        if (whole.present)
            assert_int_equal(whole.present[k], p->present[from]);
        if (!p->present[from])
            continue;
        uint64_t i = from / p->ncols, j = from % p->ncols;
        if (whole.start) {
            uint64_t line = format == SL_FORMAT_CSC ? j : i;
            assert_true(whole.start[line] <= at && at < whole.start[line + 1]);
        }
        if (whole.rows)
            assert_int_equal(whole.rows[at], i);
        if (whole.cols)
            assert_int_equal(whole.cols[at], j);
        assert_true(!whole.values ? p->value[from] == 1 || (type == SL_BOOL && p->value[from])
                                  : is(whole.values, type,
                                       whole.iso                         ? 0
                                       : has_slot_for_each_index(format) ? k
                                                                         : at,
                                       p->value[from]));
        at++;
    }
    assert_int_equal(at, p->nvals);
}

static inline void assert_same_arrays(const sl_arrays *a, const sl_arrays *b)
{
    assert_ptr_equal(a->start, b->start);
    assert_ptr_equal(a->rows, b->rows);
    assert_ptr_equal(a->cols, b->cols);
    assert_ptr_equal(a->present, b->present);
    assert_ptr_equal(a->values, b->values);
}

#endif
