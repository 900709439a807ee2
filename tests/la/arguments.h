/*
 * Shared by the tests of invalid arguments: a set of small objects, and macros that check that a
 * call returns a given status, that its message contains given words, and that no object has
 * changed.
 */
#ifndef SEMLA_TESTS_ARGUMENTS_H
#define SEMLA_TESTS_ARGUMENTS_H

#include "support.h"

#include <stdio.h>
#include <string.h>

enum { M = 3, N = 4 };

static sl_context *ctx, *other_ctx;
static sl_matrix *A, *B, *C, *D, *square, *foreign; /* M x N, M x N, M x N, N x M, N x N, M x N */
static sl_vector *u, *v, *w, *foreign_vector;       /* M, N, N, N of the other context */

/* ---- contents of the objects before the call ------------------------------------- */

typedef struct {
    uint64_t rows[16], cols[16], count;
    double values[16];
} contents;

static contents before[4];

static inline contents read_matrix(const sl_matrix *X)
{
    contents c = {.count = 16};
    OK(ctx, sl_matrix_extract_tuples(c.rows, c.cols, c.values, &c.count, X));
    return c;
}

static inline contents read_vector(const sl_vector *x)
{
    contents c = {.count = 16};
    OK(ctx, sl_vector_extract_tuples(c.rows, c.values, &c.count, x));
    return c;
}

static inline void read_all(contents all[4])
{
    all[0] = read_matrix(A);
    all[1] = read_matrix(C);
    all[2] = read_vector(w);
    all[3] = read_vector(u);
}

static inline void check_error(const char *call, sl_status got, sl_status wanted, const char *words)
{
    char message[512];
    snprintf(message, sizeof message, "%s", sl_context_message(ctx));
    if (got != wanted)
        fail_msg("%s: %s, not %s", call, sl_status_string(got), sl_status_string(wanted));
    if (!strstr(message, words))
        fail_msg("%s: the message \"%s\" does not say \"%s\"", call, message, words);
    contents after[4];
    read_all(after);
    if (memcmp(before, after, sizeof before) != 0)
        fail_msg("%s: an object was changed", call);
}

/* Checks that the call returns the status `wanted`, with a message that contains `words`, and that
 * no object has changed. */
#define REFUSED(wanted, words, call)                                                               \
    do {                                                                                           \
        sl_fail(ctx, SL_OK, "no message");                                                         \
        check_error(#call, call, wanted, words);                                                   \
    } while (0)

/* For a call without a valid object, which has no context to store a message in: only the status is
 * checked. */
#define NULL_REFUSED(call) assert_int_equal(call, SL_INVALID)

static inline sl_descriptor flag(unsigned flags)
{
    return sl_descriptor_get(flags);
}

/* ---- fixture ----------------------------------------------------------------- */

static inline void fill_matrix(sl_matrix **X, sl_context *owner, uint64_t nrows, uint64_t ncols)
{
    OK(owner, sl_matrix_new(X, owner, SL_FP64, nrows, ncols));
    for (uint64_t i = 0; i < nrows; i++)
        OK(owner, sl_matrix_set(*X, i, (i + 1) % ncols, sl_scalar_fp64((double)i + 2)));
}

static inline void fill_vector(sl_vector **x, sl_context *owner, uint64_t size)
{
    OK(owner, sl_vector_new(x, owner, SL_FP64, size));
    OK(owner, sl_vector_set(*x, size - 1, sl_scalar_fp64(5)));
    OK(owner, sl_vector_set(*x, 0, sl_scalar_fp64(6)));
}

static inline int make_all(void **state)
{
    if (sl_context_create(&ctx, SL_ENGINE_AUTO) || sl_context_create(&other_ctx, SL_ENGINE_AUTO))
        return -1;
    fill_matrix(&A, ctx, M, N);
    fill_matrix(&B, ctx, M, N);
    fill_matrix(&C, ctx, M, N);
    fill_matrix(&D, ctx, N, M);
    fill_matrix(&square, ctx, N, N);
    fill_matrix(&foreign, other_ctx, M, N);
    fill_vector(&u, ctx, M);
    fill_vector(&v, ctx, N);
    fill_vector(&w, ctx, N);
    fill_vector(&foreign_vector, other_ctx, N);
    read_all(before);
    return 0;
}

static inline int free_all(void **state)
{
    sl_matrix *const matrices[] = {A, B, C, D, square, foreign};
    sl_vector *const vectors[] = {u, v, w, foreign_vector};
    for (int k = 0; k < 6; k++)
        sl_matrix_free(matrices[k]);
    for (int k = 0; k < 4; k++)
        sl_vector_free(vectors[k]);
    sl_context_free(ctx);
    sl_context_free(other_ctx);
    return 0;
}

#endif
