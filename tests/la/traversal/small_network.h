/* A small directed graph with weights, macros to write down vectors over it, and a comparison of
 * entries. */
#ifndef SEMLA_TESTS_SMALL_NETWORK_H
#define SEMLA_TESTS_SMALL_NETWORK_H

#include <stdio.h>
#include <string.h>

#include "library_context.h"

/* Edges, with weights: 0 -1-> 1 -1-> 2 -1-> 3, 0 -5-> 2, 3 -1-> 1, 5 -2-> 4. */
enum { N = 6, M = 6 };
static const uint64_t tail[M] = {0, 1, 2, 0, 3, 5}, head[M] = {1, 2, 3, 2, 1, 4};
static const double weight[M] = {1, 1, 1, 5, 1, 2};

static inline sl_matrix *weighted(void)
{
    sl_matrix *A;
    OK(ctx, sl_matrix_new(&A, ctx, SL_FP64, N, N));
    OK(ctx, sl_matrix_build(A, tail, head, weight, M, NULL));
    return A;
}

static inline sl_vector *vector(sl_type type, uint64_t n, size_t count, const uint64_t *index,
                                const int64_t *values)
{
    sl_vector *v;
    OK(ctx, sl_vector_new(&v, ctx, type, n));
    for (size_t k = 0; k < count; k++)
        OK(ctx, sl_vector_set(v, index[k], sl_scalar_int64(values[k])));
    return v;
}
#define VECTOR(type, n, count, indices, values)                                                    \
    vector(type, n, count, (const uint64_t[])indices, (const int64_t[])values)
#define LIST(...)                                                                                  \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* Checks all entries of v, written as "index:value ..." in ascending order of index. */
static inline void assert_entries(const sl_vector *v, const char *expected)
{
    char text[512] = "";
    sl_scalar x;
    for (uint64_t i = 0; i < sl_vector_size(v); i++)
        if (sl_vector_get(&x, v, i) == SL_OK) {
            size_t used = strlen(text);
            snprintf(text + used, sizeof text - used, "%s%d:%g", used ? " " : "", (int)i,
                     sl_scalar_cast(x, SL_FP64).as.fp64_);
        }
    assert_string_equal(text, expected);
}

#endif
