/*
 * Shared by tests of objects: a context, and short functions that return a property of an object.
 */
#ifndef SEMLA_TESTS_OBJECTS_H
#define SEMLA_TESTS_OBJECTS_H

#include "library_context.h"

#include <string.h>

#define LARGEST ((uint64_t)1 << 60)

/* Checks that the message of the last error contains `words`. */
#define SAYS(words)                                                                                \
    do {                                                                                           \
        if (!strstr(sl_context_message(ctx), words))                                               \
            fail_msg("the message \"%s\" does not say \"%s\"", sl_context_message(ctx), words);    \
    } while (0)

static inline sl_matrix *new_matrix(sl_type type, uint64_t nrows, uint64_t ncols)
{
    sl_matrix *A;
    OK(ctx, sl_matrix_new(&A, ctx, type, nrows, ncols));
    return A;
}

static inline sl_vector *new_vector(sl_type type, uint64_t size)
{
    sl_vector *v;
    OK(ctx, sl_vector_new(&v, ctx, type, size));
    return v;
}

static inline uint64_t entries(const sl_matrix *A)
{
    uint64_t count = 99;
    OK(ctx, sl_matrix_nvals(&count, A));
    return count;
}

static inline uint64_t vector_entries(const sl_vector *v)
{
    uint64_t count = 99;
    OK(ctx, sl_vector_nvals(&count, v));
    return count;
}

static inline bool is_pattern(const sl_matrix *A)
{
    bool pattern;
    OK(ctx, sl_matrix_is_pattern(&pattern, A));
    return pattern;
}

static inline bool is_symmetric(const sl_matrix *A)
{
    bool symmetric;
    OK(ctx, sl_matrix_is_symmetric(&symmetric, A));
    return symmetric;
}

static inline double value_at(const sl_matrix *A, uint64_t row, uint64_t col)
{
    sl_scalar value;
    OK(ctx, sl_matrix_get(&value, A, row, col));
    return sl_scalar_cast(value, SL_FP64).as.fp64_;
}

static inline double vector_value_at(const sl_vector *v, uint64_t index)
{
    sl_scalar value;
    OK(ctx, sl_vector_get(&value, v, index));
    return sl_scalar_cast(value, SL_FP64).as.fp64_;
}

/* The symmetric matrix of the path 0 - 1 - 2 ...; edge k - 1, k has the fp64 value k in both
 * directions. */
static inline sl_matrix *path(uint64_t n)
{
    sl_matrix *A = new_matrix(SL_FP64, n, n);
    for (uint64_t i = 0; i + 1 < n; i++) {
        OK(ctx, sl_matrix_set(A, i, i + 1, sl_scalar_fp64((double)i + 1)));
        OK(ctx, sl_matrix_set(A, i + 1, i, sl_scalar_fp64((double)i + 1)));
    }
    return A;
}

#endif
