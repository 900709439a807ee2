/*
 * What every public function says to arguments that are wrong: the status, a
 * message that names the thing, and outputs as they were.
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { M = 3, N = 4 };

static sl_context *ctx, *elsewhere;
static sl_matrix *A, *B, *C, *D, *square, *foreign; /* M x N, M x N, M x N, N x M, N x N, M x N */
static sl_vector *u, *v, *w, *strange;              /* M, N, N, N of the other context */

/* ---- nothing was written --------------------------------------------------- */

typedef struct {
    uint64_t rows[16], cols[16], count;
    double values[16];
} contents;

static contents before[4];

static contents read_matrix(const sl_matrix *X)
{
    contents c = {.count = 16};
    OK(ctx, sl_matrix_extract_tuples(c.rows, c.cols, c.values, &c.count, X));
    return c;
}

static contents read_vector(const sl_vector *x)
{
    contents c = {.count = 16};
    OK(ctx, sl_vector_extract_tuples(c.rows, c.values, &c.count, x));
    return c;
}

static void read_all(contents all[4])
{
    all[0] = read_matrix(A);
    all[1] = read_matrix(C);
    all[2] = read_vector(w);
    all[3] = read_vector(u);
}

static void check_refusal(const char *call, sl_status got, sl_status wanted, const char *words)
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

/* The call is refused with a status and a message of these words. */
#define REFUSED(wanted, words, call)                                                               \
    do {                                                                                           \
        sl_fail(ctx, SL_OK, "no message");                                                         \
        check_refusal(#call, call, wanted, words);                                                 \
    } while (0)

/* No object tells the context: only the status says that a NULL is wrong. */
#define NULL_REFUSED(call) assert_int_equal(call, SL_INVALID)

static sl_descriptor flag(unsigned flags)
{
    return sl_descriptor_get(flags);
}

/* ---- contexts, descriptors, memory ------------------------------------------ */

static void test_context(void **state)
{
    sl_context *made = (sl_context *)1;
    NULL_REFUSED(sl_context_create(NULL, SL_ENGINE_AUTO));
    assert_int_equal(sl_context_create(&made, SL_ENGINE_COUNT), SL_INVALID);
    assert_null(made);
    made = (sl_context *)1;
    assert_int_equal(sl_context_create(&made, (sl_engine_choice)-1), SL_INVALID);
    assert_null(made);
    sl_context_free(NULL);
    assert_string_equal(sl_context_message(NULL), "");
    assert_null(sl_context_engine(NULL, 0));
    assert_null(sl_context_engine(ctx, 100));
    assert_non_null(sl_context_engine(ctx, 0));
    sl_context_get_counts(ctx, NULL);
    sl_context_counts counts = {1, 1, 1, 1}, none = {0};
    sl_context_get_counts(NULL, &counts);
    assert_memory_equal(&counts, &none, sizeof counts);
}

static void test_engine_describe(void **state)
{
    NULL_REFUSED(sl_engine_describe(0, NULL));
    sl_engine_info info = {.name = "kept"};
    assert_int_equal(sl_engine_describe(1000, &info), SL_NO_VALUE);
    assert_string_equal(info.name, "kept");
    bool complete = false;
    for (size_t k = 0; sl_engine_describe(k, &info) == SL_OK; k++) {
        assert_true(info.name[0] && info.description[0]);
        assert_non_null(info.version);
        assert_true(info.present == (info.absence[0] == '\0'));
        complete = strcmp(info.name, "suitesparse") == 0; /* the last */
    }
    assert_true(complete);
}

static void test_fail(void **state)
{
    char long_text[2000];
    memset(long_text, 'x', sizeof long_text);
    long_text[sizeof long_text - 1] = '\0';
    assert_int_equal(sl_fail(NULL, SL_IO, "%d", 1), SL_IO);
    assert_int_equal(sl_fail(ctx, SL_SYNTAX, "line %d", 7), SL_SYNTAX);
    assert_string_equal(sl_context_message(ctx), "line 7");
    sl_fail(ctx, SL_IO, "%s", long_text);
    assert_true(strlen(sl_context_message(ctx)) >= 100);
    assert_true(strlen(sl_context_message(ctx)) < sizeof long_text - 1);
    for (int status = SL_ENGINE_FAULT; status <= SL_NO_VALUE; status++) {
        assert_true(strlen(sl_status_string((sl_status)status)) > 0);
        assert_string_not_equal(sl_status_string((sl_status)status), "unknown status");
    }
    assert_string_equal(sl_status_string((sl_status)99), "unknown status");
    assert_true(strlen(sl_version()) >= 5);
}

static void test_descriptors(void **state)
{
    for (unsigned flags = 0; flags < 32; flags++) {
        assert_non_null(sl_descriptor_get(flags));
        assert_int_equal(sl_descriptor_flags(sl_descriptor_get(flags)), flags);
    }
    assert_ptr_equal(sl_descriptor_get(5), sl_descriptor_get(5));
    assert_null(sl_descriptor_get(32));
    assert_null(sl_descriptor_get(0x80000001u));
    assert_int_equal(sl_descriptor_flags(NULL), 0);
}

static void test_allocator(void **state)
{
    sl_allocator allocator = {malloc, calloc, realloc, free};
    NULL_REFUSED(sl_set_allocator(NULL));
    NULL_REFUSED(sl_set_allocator(&allocator)); /* there are contexts already */
    sl_free(NULL);
    void *memory = sl_malloc(0);
    assert_non_null(memory);
    sl_free(memory);
    memory = sl_calloc(0, 8);
    assert_non_null(memory);
    memory = sl_realloc(memory, 0);
    assert_non_null(memory);
    sl_free(memory);
}

/* ---- objects ---------------------------------------------------------------- */

static void test_objects(void **state)
{
    sl_matrix *X = (sl_matrix *)1;
    sl_vector *x = (sl_vector *)1;
    REFUSED(SL_INVALID, "matrix_new", sl_matrix_new(NULL, ctx, SL_BOOL, 1, 1));
    NULL_REFUSED(sl_matrix_new(&X, NULL, SL_BOOL, 1, 1));
    assert_null(X);
    REFUSED(SL_INVALID, "type number 11", sl_matrix_new(&X, ctx, SL_TYPE_COUNT, 1, 1));
    REFUSED(SL_INVALID, "type number -1", sl_matrix_new(&X, ctx, (sl_type)-1, 1, 1));
    REFUSED(SL_INVALID, "vector_new", sl_vector_new(NULL, ctx, SL_BOOL, 1));
    NULL_REFUSED(sl_vector_new(&x, NULL, SL_BOOL, 1));
    assert_null(x);
    REFUSED(SL_INVALID, "type number 11", sl_vector_new(&x, ctx, SL_TYPE_COUNT, 1));
    X = (sl_matrix *)1;
    x = (sl_vector *)1;
    REFUSED(SL_INVALID, "matrix_dup", sl_matrix_dup(NULL, A));
    NULL_REFUSED(sl_matrix_dup(&X, NULL));
    assert_null(X);
    REFUSED(SL_INVALID, "vector_dup", sl_vector_dup(NULL, u));
    NULL_REFUSED(sl_vector_dup(&x, NULL));
    assert_null(x);
    NULL_REFUSED(sl_matrix_clear(NULL));
    NULL_REFUSED(sl_vector_clear(NULL));
    assert_null(sl_matrix_context(NULL));
    assert_null(sl_vector_context(NULL));
    assert_int_equal(sl_matrix_type(NULL), SL_TYPE_COUNT);
    assert_int_equal(sl_vector_type(NULL), SL_TYPE_COUNT);
    assert_int_equal(sl_matrix_nrows(NULL), 0);
    assert_int_equal(sl_matrix_ncols(NULL), 0);
    assert_int_equal(sl_vector_size(NULL), 0);
}

static void test_reading(void **state)
{
    uint64_t count = 16;
    bool flag_ = true;
    REFUSED(SL_INVALID, "count is NULL", sl_matrix_nvals(NULL, A));
    NULL_REFUSED(sl_matrix_nvals(&count, NULL));
    REFUSED(SL_INVALID, "count is NULL", sl_vector_nvals(NULL, u));
    NULL_REFUSED(sl_vector_nvals(&count, NULL));
    REFUSED(SL_INVALID, "pattern is NULL", sl_matrix_is_pattern(NULL, A));
    NULL_REFUSED(sl_matrix_is_pattern(&flag_, NULL));
    REFUSED(SL_INVALID, "count is NULL", sl_matrix_extract_tuples(NULL, NULL, NULL, NULL, A));
    NULL_REFUSED(sl_matrix_extract_tuples(NULL, NULL, NULL, &count, NULL));
    REFUSED(SL_INVALID, "count is NULL", sl_vector_extract_tuples(NULL, NULL, NULL, u));
    NULL_REFUSED(sl_vector_extract_tuples(NULL, NULL, &count, NULL));
    REFUSED(SL_INVALID, "is_symmetric", sl_matrix_is_symmetric(NULL, A));
    NULL_REFUSED(sl_matrix_is_symmetric(&flag_, NULL));
    NULL_REFUSED(sl_matrix_promise_symmetric(NULL));
    REFUSED(SL_MISMATCH, "not square", sl_matrix_promise_symmetric(A));
    NULL_REFUSED(sl_matrix_optimize(NULL, SL_FOR_TRAVERSAL));
    REFUSED(SL_INVALID, "purpose number 0", sl_matrix_optimize(A, (sl_purpose)0));
}

static void test_entries(void **state)
{
    const uint64_t index[] = {0};
    const double value[] = {1};
    sl_scalar x = sl_scalar_fp64(1), typeless = {.type = SL_TYPE_COUNT};
    NULL_REFUSED(sl_matrix_build(NULL, index, index, value, 1, NULL));
    REFUSED(SL_INVALID, "rows is NULL", sl_matrix_build(C, NULL, index, value, 1, NULL));
    REFUSED(SL_INVALID, "cols is NULL", sl_matrix_build(C, index, NULL, value, 1, NULL));
    NULL_REFUSED(sl_vector_build(NULL, index, value, 1, NULL));
    REFUSED(SL_INVALID, "indices is NULL", sl_vector_build(w, NULL, value, 1, NULL));

    NULL_REFUSED(sl_matrix_set(NULL, 0, 0, x));
    REFUSED(SL_OUT_OF_RANGE, "row 3", sl_matrix_set(C, M, 0, x));
    REFUSED(SL_OUT_OF_RANGE, "column 4", sl_matrix_set(C, 0, N, x));
    REFUSED(SL_OUT_OF_RANGE, "there are 3", sl_matrix_set(C, UINT64_MAX, 0, x));
    REFUSED(SL_INVALID, "no type", sl_matrix_set(C, 0, 0, typeless));
    NULL_REFUSED(sl_vector_set(NULL, 0, x));
    REFUSED(SL_OUT_OF_RANGE, "index 4", sl_vector_set(w, N, x));
    REFUSED(SL_INVALID, "no type", sl_vector_set(w, 0, typeless));

    NULL_REFUSED(sl_matrix_get(&x, NULL, 0, 0));
    REFUSED(SL_INVALID, "value is NULL", sl_matrix_get(NULL, A, 0, 0));
    REFUSED(SL_OUT_OF_RANGE, "row 3", sl_matrix_get(&x, A, M, 0));
    REFUSED(SL_OUT_OF_RANGE, "column 4", sl_matrix_get(&x, A, 0, N));
    NULL_REFUSED(sl_vector_get(&x, NULL, 0));
    REFUSED(SL_INVALID, "value is NULL", sl_vector_get(NULL, u, 0));
    REFUSED(SL_OUT_OF_RANGE, "index 3", sl_vector_get(&x, u, M));
    assert_true(sl_scalar_equal(x, sl_scalar_fp64(1)));

    NULL_REFUSED(sl_matrix_remove(NULL, 0, 0));
    REFUSED(SL_OUT_OF_RANGE, "row 3", sl_matrix_remove(C, M, 0));
    REFUSED(SL_OUT_OF_RANGE, "column 4", sl_matrix_remove(C, 0, N));
    NULL_REFUSED(sl_vector_remove(NULL, 0));
    REFUSED(SL_OUT_OF_RANGE, "index 4", sl_vector_remove(w, N));
}

static void test_rows(void **state)
{
    uint64_t start[] = {0, 0}, index[] = {0};
    sl_csr csr = {.nrows = 1, .ncols = 1, .type = SL_BOOL, .start = start, .index = index};
    sl_matrix *X = (sl_matrix *)1;
    REFUSED(SL_INVALID, "take_csr", sl_matrix_take_csr(NULL, ctx, &csr));
    NULL_REFUSED(sl_matrix_take_csr(&X, NULL, &csr));
    assert_null(X);
    REFUSED(SL_INVALID, "take_csr", sl_matrix_take_csr(&X, ctx, NULL));
    csr.start = NULL;
    REFUSED(SL_INVALID, "take_csr", sl_matrix_take_csr(&X, ctx, &csr));
    csr.start = start;
    csr.index = NULL;
    REFUSED(SL_INVALID, "take_csr", sl_matrix_take_csr(&X, ctx, &csr));
    REFUSED(SL_INVALID, "csr is NULL", sl_matrix_copy_csr(NULL, A));
    NULL_REFUSED(sl_matrix_copy_csr(&csr, NULL));
    assert_null(csr.start);
}

/* ---- operations -------------------------------------------------------------- */

static void test_vxm(void **state)
{
    sl_semiring s = SL_PLUS_TIMES_FP64;
    NULL_REFUSED(sl_vxm(NULL, NULL, NULL, NULL, NULL, NULL, NULL));
    REFUSED(SL_INVALID, "vxm: w is NULL", sl_vxm(NULL, NULL, NULL, s, u, A, NULL));
    REFUSED(SL_INVALID, "semiring is NULL", sl_vxm(w, NULL, NULL, NULL, u, A, NULL));
    REFUSED(SL_INVALID, "u is NULL", sl_vxm(w, NULL, NULL, s, NULL, A, NULL));
    REFUSED(SL_INVALID, "A is NULL", sl_vxm(w, NULL, NULL, s, u, NULL, NULL));
    REFUSED(SL_MISMATCH, "contexts", sl_vxm(w, NULL, NULL, s, u, foreign, NULL));
    REFUSED(SL_MISMATCH, "contexts", sl_vxm(w, strange, NULL, s, u, A, NULL));
    REFUSED(SL_MISMATCH, "the mask is 3 x 1, the output 4 x 1", sl_vxm(w, u, NULL, s, u, A, NULL));
    REFUSED(SL_INVALID, "secondi_int64 cannot accumulate",
            sl_vxm(w, NULL, SL_SECONDI_INT64, s, u, A, NULL));
    REFUSED(SL_MISMATCH, "vxm: the vector's size is 4, not 3",
            sl_vxm(w, NULL, NULL, s, v, A, NULL));
    REFUSED(SL_MISMATCH, "the output's size is 3, not 4", sl_vxm(u, NULL, NULL, s, u, A, NULL));
    REFUSED(SL_MISMATCH, "the vector's size is 3, not 4",
            sl_vxm(w, NULL, NULL, s, u, A, flag(SL_TRANSPOSE_B)));
}

static void test_mxv(void **state)
{
    sl_semiring s = SL_PLUS_TIMES_FP64;
    NULL_REFUSED(sl_mxv(NULL, NULL, NULL, NULL, NULL, NULL, NULL));
    REFUSED(SL_INVALID, "mxv: w is NULL", sl_mxv(NULL, NULL, NULL, s, D, u, NULL));
    REFUSED(SL_INVALID, "semiring is NULL", sl_mxv(w, NULL, NULL, NULL, D, u, NULL));
    REFUSED(SL_INVALID, "u is NULL", sl_mxv(w, NULL, NULL, s, D, NULL, NULL));
    REFUSED(SL_INVALID, "A is NULL", sl_mxv(w, NULL, NULL, s, NULL, u, NULL));
    REFUSED(SL_MISMATCH, "contexts", sl_mxv(u, NULL, NULL, s, A, strange, NULL));
    REFUSED(SL_MISMATCH, "the mask is 3 x 1", sl_mxv(w, u, NULL, s, D, u, NULL));
    REFUSED(SL_INVALID, "cannot accumulate", sl_mxv(w, NULL, SL_FIRSTI_INT64, s, D, u, NULL));
    REFUSED(SL_MISMATCH, "the vector's size is 4, not 3", sl_mxv(w, NULL, NULL, s, D, v, NULL));
    REFUSED(SL_MISMATCH, "the output's size is 3, not 4", sl_mxv(u, NULL, NULL, s, D, u, NULL));
    REFUSED(SL_MISMATCH, "the vector's size is 3, not 4",
            sl_mxv(w, NULL, NULL, s, D, u, flag(SL_TRANSPOSE_A)));
}

static void test_mxm(void **state)
{
    sl_semiring s = SL_PLUS_TIMES_FP64;
    NULL_REFUSED(sl_mxm(NULL, NULL, NULL, NULL, NULL, NULL, NULL));
    REFUSED(SL_INVALID, "mxm: C is NULL", sl_mxm(NULL, NULL, NULL, s, A, square, NULL));
    REFUSED(SL_INVALID, "semiring is NULL", sl_mxm(C, NULL, NULL, NULL, A, square, NULL));
    REFUSED(SL_INVALID, "A is NULL", sl_mxm(C, NULL, NULL, s, NULL, square, NULL));
    REFUSED(SL_INVALID, "B is NULL", sl_mxm(C, NULL, NULL, s, A, NULL, NULL));
    REFUSED(SL_MISMATCH, "contexts", sl_mxm(C, NULL, NULL, s, foreign, square, NULL));
    REFUSED(SL_MISMATCH, "contexts", sl_mxm(C, foreign, NULL, s, A, square, NULL));
    REFUSED(SL_MISMATCH, "the mask is 4 x 3", sl_mxm(C, D, NULL, s, A, square, NULL));
    REFUSED(SL_INVALID, "cannot accumulate", sl_mxm(C, NULL, SL_FIRSTI_INT64, s, A, square, NULL));
    REFUSED(SL_MISMATCH, "mxm: the second matrix's number of rows is 3, not 4",
            sl_mxm(C, NULL, NULL, s, A, B, NULL));
    REFUSED(SL_MISMATCH, "number of rows is 4, not 3",
            sl_mxm(C, NULL, NULL, s, A, D, flag(SL_TRANSPOSE_A)));
    REFUSED(SL_MISMATCH, "the output's number of rows is 3, not 4",
            sl_mxm(C, NULL, NULL, s, square, D, flag(SL_TRANSPOSE_A)));
    REFUSED(SL_MISMATCH, "the output's number of columns is 4, not 3",
            sl_mxm(C, NULL, NULL, s, A, D, NULL));
    REFUSED(SL_MISMATCH, "the output's number of columns is 4, not 3",
            sl_mxm(C, NULL, NULL, s, A, B, flag(SL_TRANSPOSE_B)));
}

static void test_ewise(void **state)
{
    sl_binary_op op = SL_PLUS_FP64;
#define VECTORS(call, name)                                                                        \
    NULL_REFUSED(call(NULL, NULL, NULL, NULL, NULL, NULL, NULL));                                  \
    REFUSED(SL_INVALID, name ": out is NULL", call(NULL, NULL, NULL, op, v, v, NULL));             \
    REFUSED(SL_INVALID, name ": binary is NULL", call(w, NULL, NULL, NULL, v, v, NULL));           \
    REFUSED(SL_INVALID, name ": a is NULL", call(w, NULL, NULL, op, NULL, v, NULL));               \
    REFUSED(SL_INVALID, name ": b is NULL", call(w, NULL, NULL, op, v, NULL, NULL));               \
    REFUSED(SL_MISMATCH, "contexts", call(w, NULL, NULL, op, strange, v, NULL));                   \
    REFUSED(SL_MISMATCH, "contexts", call(w, NULL, NULL, op, v, strange, NULL));                   \
    REFUSED(SL_MISMATCH, "the mask is 3 x 1", call(w, u, NULL, op, v, v, NULL));                   \
    REFUSED(SL_INVALID, "cannot accumulate", call(w, NULL, SL_FIRSTJ_INT64, op, v, v, NULL));      \
    REFUSED(SL_MISMATCH, "rows is 3, not 4", call(w, NULL, NULL, op, u, v, NULL));                 \
    REFUSED(SL_MISMATCH, "rows is 3, not 4", call(w, NULL, NULL, op, v, u, NULL));
    VECTORS(sl_vector_ewise_add, "ewise_add")
    VECTORS(sl_vector_ewise_mult, "ewise_mult")
#undef VECTORS
#define MATRICES(call, name)                                                                       \
    NULL_REFUSED(call(NULL, NULL, NULL, NULL, NULL, NULL, NULL));                                  \
    REFUSED(SL_INVALID, name ": out is NULL", call(NULL, NULL, NULL, op, A, B, NULL));             \
    REFUSED(SL_INVALID, name ": binary is NULL", call(C, NULL, NULL, NULL, A, B, NULL));           \
    REFUSED(SL_INVALID, name ": a is NULL", call(C, NULL, NULL, op, NULL, B, NULL));               \
    REFUSED(SL_INVALID, name ": b is NULL", call(C, NULL, NULL, op, A, NULL, NULL));               \
    REFUSED(SL_MISMATCH, "contexts", call(C, foreign, NULL, op, A, B, NULL));                      \
    REFUSED(SL_MISMATCH, "the mask is 4 x 3", call(C, D, NULL, op, A, B, NULL));                   \
    REFUSED(SL_MISMATCH, "rows is 4, not 3", call(C, NULL, NULL, op, A, D, NULL));                 \
    REFUSED(SL_MISMATCH, "rows is 4, not 3", call(C, NULL, NULL, op, A, B, flag(SL_TRANSPOSE_A))); \
    REFUSED(SL_MISMATCH, "rows is 4, not 3", call(C, NULL, NULL, op, A, B, flag(SL_TRANSPOSE_B)));
    MATRICES(sl_matrix_ewise_add, "ewise_add")
    MATRICES(sl_matrix_ewise_mult, "ewise_mult")
#undef MATRICES
}

/* apply, apply_index and select: the same refusals, with their own last arguments. */
static void test_maps(void **state)
{
    sl_scalar k = sl_scalar_int64(0), typeless = {.type = SL_TYPE_COUNT};
#define MAP(vector_call, matrix_call, name, op, ...)                                               \
    NULL_REFUSED(vector_call(NULL, NULL, NULL, NULL, NULL, __VA_ARGS__));                          \
    NULL_REFUSED(matrix_call(NULL, NULL, NULL, NULL, NULL, __VA_ARGS__));                          \
    REFUSED(SL_INVALID, name ": operator is NULL",                                                 \
            vector_call(w, NULL, NULL, NULL, v, __VA_ARGS__));                                     \
    REFUSED(SL_INVALID, name ": a is NULL", vector_call(w, NULL, NULL, op, NULL, __VA_ARGS__));    \
    REFUSED(SL_INVALID, name ": out is NULL", vector_call(NULL, NULL, NULL, op, v, __VA_ARGS__));  \
    REFUSED(SL_MISMATCH, "contexts", vector_call(w, NULL, NULL, op, strange, __VA_ARGS__));        \
    REFUSED(SL_MISMATCH, "rows is 3, not 4", vector_call(w, NULL, NULL, op, u, __VA_ARGS__));      \
    REFUSED(SL_MISMATCH, "mask is 3 x 1", vector_call(w, u, NULL, op, v, __VA_ARGS__));            \
    REFUSED(SL_INVALID, name ": operator is NULL",                                                 \
            matrix_call(C, NULL, NULL, NULL, A, __VA_ARGS__));                                     \
    REFUSED(SL_INVALID, name ": a is NULL", matrix_call(C, NULL, NULL, op, NULL, __VA_ARGS__));    \
    REFUSED(SL_INVALID, name ": out is NULL", matrix_call(NULL, NULL, NULL, op, A, __VA_ARGS__));  \
    REFUSED(SL_MISMATCH, "contexts", matrix_call(C, NULL, NULL, op, foreign, __VA_ARGS__));        \
    REFUSED(SL_MISMATCH, "rows is 4, not 3", matrix_call(C, NULL, NULL, op, D, __VA_ARGS__));      \
    REFUSED(SL_MISMATCH, "mask is 4 x 4", matrix_call(C, square, NULL, op, A, __VA_ARGS__));       \
    REFUSED(SL_INVALID, "cannot accumulate",                                                       \
            matrix_call(C, NULL, SL_SECONDJ_INT64, op, A, __VA_ARGS__));
    MAP(sl_vector_apply, sl_matrix_apply, "apply", SL_AINV_FP64, NULL)
    MAP(sl_vector_apply_index, sl_matrix_apply_index, "apply_index", SL_ROWINDEX_INT64, k, NULL)
    MAP(sl_vector_select, sl_matrix_select, "select", SL_TRIL_BOOL, k, NULL)
#undef MAP
    REFUSED(SL_MISMATCH, "rows is 4, not 3",
            sl_matrix_apply(C, NULL, NULL, SL_AINV_FP64, A, flag(SL_TRANSPOSE_A)));
    REFUSED(SL_INVALID, "rowindex_int64 is not a condition",
            sl_matrix_select(C, NULL, NULL, SL_ROWINDEX_INT64, A, k, NULL));
    REFUSED(SL_INVALID, "colindex_int64 is not a condition",
            sl_vector_select(w, NULL, NULL, SL_COLINDEX_INT64, v, k, NULL));
    REFUSED(SL_INVALID, "the thunk has no type",
            sl_vector_select(w, NULL, NULL, SL_VALUEGT_FP64, v, typeless, NULL));
    REFUSED(SL_INVALID, "the thunk has no type",
            sl_matrix_apply_index(C, NULL, NULL, SL_VALUEGT_FP64, A, typeless, NULL));
}

static void test_transpose(void **state)
{
    NULL_REFUSED(sl_transpose(NULL, NULL, NULL, NULL, NULL));
    REFUSED(SL_INVALID, "transpose: out is NULL", sl_transpose(NULL, NULL, NULL, D, NULL));
    REFUSED(SL_INVALID, "transpose: ", sl_transpose(C, NULL, NULL, NULL, NULL));
    REFUSED(SL_MISMATCH, "contexts", sl_transpose(C, NULL, NULL, foreign, NULL));
    REFUSED(SL_MISMATCH, "rows is 4, not 3", sl_transpose(C, NULL, NULL, A, NULL));
    REFUSED(SL_MISMATCH, "rows is 4, not 3", sl_transpose(C, NULL, NULL, D, flag(SL_TRANSPOSE_A)));
    REFUSED(SL_MISMATCH, "mask is 4 x 3", sl_transpose(C, D, NULL, D, NULL));
}

static void test_reduce(void **state)
{
    sl_scalar x = sl_scalar_fp64(2), typeless = {.type = SL_TYPE_COUNT};
    sl_monoid m = SL_PLUS_MONOID_FP64;
    NULL_REFUSED(sl_vector_reduce(&x, NULL, m, NULL));
    REFUSED(SL_INVALID, "value is NULL", sl_vector_reduce(NULL, NULL, m, u));
    REFUSED(SL_INVALID, "monoid is NULL", sl_vector_reduce(&x, NULL, NULL, u));
    REFUSED(SL_INVALID, "cannot accumulate", sl_vector_reduce(&x, SL_FIRSTI_INT64, m, u));
    REFUSED(SL_INVALID, "no type", sl_vector_reduce(&typeless, SL_PLUS_FP64, m, u));
    NULL_REFUSED(sl_matrix_reduce(&x, NULL, m, NULL));
    REFUSED(SL_INVALID, "value is NULL", sl_matrix_reduce(NULL, NULL, m, A));
    REFUSED(SL_INVALID, "monoid is NULL", sl_matrix_reduce(&x, NULL, NULL, A));
    assert_true(sl_scalar_equal(x, sl_scalar_fp64(2)));

    NULL_REFUSED(sl_matrix_reduce_rows(NULL, NULL, NULL, NULL, NULL, NULL));
    REFUSED(SL_INVALID, "w is NULL", sl_matrix_reduce_rows(NULL, NULL, NULL, m, D, NULL));
    REFUSED(SL_INVALID, "monoid is NULL", sl_matrix_reduce_rows(w, NULL, NULL, NULL, D, NULL));
    REFUSED(SL_INVALID, "A is NULL", sl_matrix_reduce_rows(w, NULL, NULL, m, NULL, NULL));
    REFUSED(SL_MISMATCH, "contexts", sl_matrix_reduce_rows(w, strange, NULL, m, D, NULL));
    REFUSED(SL_MISMATCH, "size is 4, not 3", sl_matrix_reduce_rows(w, NULL, NULL, m, A, NULL));
    REFUSED(SL_MISMATCH, "size is 4, not 3",
            sl_matrix_reduce_rows(w, NULL, NULL, m, D, flag(SL_TRANSPOSE_A)));
}

static void test_vector_assign(void **state)
{
    static const uint64_t three[] = {0, 1, 3}, beyond[] = {0, 4, 1};
    sl_scalar x = sl_scalar_fp64(2), typeless = {.type = SL_TYPE_COUNT};
    NULL_REFUSED(sl_vector_assign(NULL, NULL, NULL, NULL, SL_ALL, 0, NULL));
    REFUSED(SL_INVALID, "w is NULL", sl_vector_assign(NULL, NULL, NULL, v, SL_ALL, 0, NULL));
    REFUSED(SL_INVALID, "u is NULL", sl_vector_assign(w, NULL, NULL, NULL, SL_ALL, 0, NULL));
    REFUSED(SL_MISMATCH, "contexts", sl_vector_assign(w, NULL, NULL, strange, SL_ALL, 0, NULL));
    REFUSED(SL_MISMATCH, "mask is 3 x 1", sl_vector_assign(w, u, NULL, u, three, 3, NULL));
    REFUSED(SL_INVALID, "cannot accumulate",
            sl_vector_assign(w, NULL, SL_FIRSTI_INT64, v, SL_ALL, 0, NULL));
    REFUSED(SL_MISMATCH, "rows is 3, not 4", sl_vector_assign(w, NULL, NULL, u, SL_ALL, 0, NULL));
    REFUSED(SL_MISMATCH, "rows is 4, not 3", sl_vector_assign(w, NULL, NULL, v, three, 3, NULL));
    REFUSED(SL_OUT_OF_RANGE, "4 at position 1 of the list",
            sl_vector_assign(w, NULL, NULL, u, beyond, 3, NULL));
    NULL_REFUSED(sl_vector_assign_scalar(NULL, NULL, NULL, x, SL_ALL, 0, NULL));
    REFUSED(SL_INVALID, "no type",
            sl_vector_assign_scalar(w, NULL, NULL, typeless, SL_ALL, 0, NULL));
    REFUSED(SL_OUT_OF_RANGE, "there are 4",
            sl_vector_assign_scalar(w, NULL, NULL, x, beyond, 3, NULL));
    REFUSED(SL_MISMATCH, "mask is 3 x 1", sl_vector_assign_scalar(w, u, NULL, x, SL_ALL, 0, NULL));
    REFUSED(SL_MISMATCH, "contexts", sl_vector_assign_scalar(w, strange, NULL, x, SL_ALL, 0, NULL));
}

static void test_matrix_assign(void **state)
{
    static const uint64_t two[] = {0, 2}, beyond[] = {1, 5};
    sl_scalar x = sl_scalar_fp64(2), typeless = {.type = SL_TYPE_COUNT};
    NULL_REFUSED(sl_matrix_assign(NULL, NULL, NULL, NULL, SL_ALL, 0, SL_ALL, 0, NULL));
    REFUSED(SL_INVALID, "C is NULL",
            sl_matrix_assign(NULL, NULL, NULL, A, SL_ALL, 0, SL_ALL, 0, NULL));
    REFUSED(SL_INVALID, "A is NULL",
            sl_matrix_assign(C, NULL, NULL, NULL, SL_ALL, 0, SL_ALL, 0, NULL));
    REFUSED(SL_MISMATCH, "contexts",
            sl_matrix_assign(C, NULL, NULL, foreign, SL_ALL, 0, SL_ALL, 0, NULL));
    REFUSED(SL_MISMATCH, "rows is 4, not 3",
            sl_matrix_assign(C, NULL, NULL, D, SL_ALL, 0, SL_ALL, 0, NULL));
    REFUSED(SL_MISMATCH, "rows is 4, not 3",
            sl_matrix_assign(C, NULL, NULL, A, SL_ALL, 0, SL_ALL, 0, flag(SL_TRANSPOSE_A)));
    REFUSED(SL_MISMATCH, "columns is 4, not 2",
            sl_matrix_assign(C, NULL, NULL, A, SL_ALL, 0, two, 2, NULL));
    REFUSED(SL_OUT_OF_RANGE, "row 5 at position 1",
            sl_matrix_assign(C, NULL, NULL, A, beyond, 2, SL_ALL, 0, NULL));
    REFUSED(SL_OUT_OF_RANGE, "column 5 at position 1",
            sl_matrix_assign(C, NULL, NULL, A, SL_ALL, 0, beyond, 2, NULL));
    REFUSED(SL_MISMATCH, "mask is 4 x 3",
            sl_matrix_assign(C, D, NULL, A, SL_ALL, 0, SL_ALL, 0, NULL));
    NULL_REFUSED(sl_matrix_assign_scalar(NULL, NULL, NULL, x, SL_ALL, 0, SL_ALL, 0, NULL));
    REFUSED(SL_INVALID, "no type",
            sl_matrix_assign_scalar(C, NULL, NULL, typeless, SL_ALL, 0, SL_ALL, 0, NULL));
    REFUSED(SL_OUT_OF_RANGE, "column 5",
            sl_matrix_assign_scalar(C, NULL, NULL, x, two, 2, beyond, 2, NULL));
    REFUSED(SL_INVALID, "cannot accumulate",
            sl_matrix_assign_scalar(C, NULL, SL_FIRSTI_INT64, x, two, 2, two, 2, NULL));
}

static void test_extract(void **state)
{
    static const uint64_t two[] = {0, 2}, beyond[] = {1, 2, 0, 7};
    NULL_REFUSED(sl_vector_extract(NULL, NULL, NULL, NULL, SL_ALL, 0, NULL));
    REFUSED(SL_INVALID, "out is NULL", sl_vector_extract(NULL, NULL, NULL, u, SL_ALL, 0, NULL));
    REFUSED(SL_INVALID, "a is NULL", sl_vector_extract(w, NULL, NULL, NULL, SL_ALL, 0, NULL));
    REFUSED(SL_MISMATCH, "contexts", sl_vector_extract(w, NULL, NULL, strange, SL_ALL, 0, NULL));
    REFUSED(SL_MISMATCH, "rows is 4, not 3", sl_vector_extract(w, NULL, NULL, u, SL_ALL, 0, NULL));
    REFUSED(SL_MISMATCH, "rows is 4, not 2", sl_vector_extract(w, NULL, NULL, u, two, 2, NULL));
    REFUSED(SL_OUT_OF_RANGE, "7 at position 3",
            sl_vector_extract(w, NULL, NULL, u, beyond, 4, NULL));
    REFUSED(SL_MISMATCH, "mask is 3 x 1", sl_vector_extract(w, u, NULL, v, SL_ALL, 0, NULL));

    NULL_REFUSED(sl_matrix_extract(NULL, NULL, NULL, NULL, SL_ALL, 0, SL_ALL, 0, NULL));
    REFUSED(SL_INVALID, "a is NULL",
            sl_matrix_extract(C, NULL, NULL, NULL, SL_ALL, 0, SL_ALL, 0, NULL));
    REFUSED(SL_MISMATCH, "rows is 3, not 4",
            sl_matrix_extract(C, NULL, NULL, D, SL_ALL, 0, SL_ALL, 0, NULL));
    REFUSED(SL_MISMATCH, "columns is 4, not 2",
            sl_matrix_extract(C, NULL, NULL, A, SL_ALL, 0, two, 2, NULL));
    REFUSED(SL_OUT_OF_RANGE, "row 7 at position 3 of the list is out of range: there are 3",
            sl_matrix_extract(C, NULL, NULL, A, beyond, 4, SL_ALL, 0, NULL));
    REFUSED(SL_OUT_OF_RANGE, "column 7",
            sl_matrix_extract(C, NULL, NULL, A, SL_ALL, 0, beyond, 4, NULL));

    NULL_REFUSED(sl_matrix_extract_column(NULL, NULL, NULL, NULL, SL_ALL, 0, 0, NULL));
    REFUSED(SL_INVALID, "a is NULL",
            sl_matrix_extract_column(w, NULL, NULL, NULL, SL_ALL, 0, 0, NULL));
    REFUSED(SL_OUT_OF_RANGE, "column 3",
            sl_matrix_extract_column(w, NULL, NULL, D, SL_ALL, 0, M, NULL));
    REFUSED(SL_OUT_OF_RANGE, "column 3",
            sl_matrix_extract_column(w, NULL, NULL, A, SL_ALL, 0, M, flag(SL_TRANSPOSE_A)));
    REFUSED(SL_MISMATCH, "rows is 4, not 3",
            sl_matrix_extract_column(w, NULL, NULL, A, SL_ALL, 0, 0, NULL));
    REFUSED(SL_OUT_OF_RANGE, "row 7",
            sl_matrix_extract_column(w, NULL, NULL, D, beyond, 4, 0, NULL));
}

/* ---- fixture ----------------------------------------------------------------- */

static void fill_matrix(sl_matrix **X, sl_context *owner, uint64_t nrows, uint64_t ncols)
{
    OK(owner, sl_matrix_new(X, owner, SL_FP64, nrows, ncols));
    for (uint64_t i = 0; i < nrows; i++)
        OK(owner, sl_matrix_set(*X, i, (i + 1) % ncols, sl_scalar_fp64((double)i + 2)));
}

static void fill_vector(sl_vector **x, sl_context *owner, uint64_t size)
{
    OK(owner, sl_vector_new(x, owner, SL_FP64, size));
    OK(owner, sl_vector_set(*x, size - 1, sl_scalar_fp64(5)));
    OK(owner, sl_vector_set(*x, 0, sl_scalar_fp64(6)));
}

static int make_all(void **state)
{
    if (sl_context_create(&ctx, SL_ENGINE_AUTO) || sl_context_create(&elsewhere, SL_ENGINE_AUTO))
        return -1;
    fill_matrix(&A, ctx, M, N);
    fill_matrix(&B, ctx, M, N);
    fill_matrix(&C, ctx, M, N);
    fill_matrix(&D, ctx, N, M);
    fill_matrix(&square, ctx, N, N);
    fill_matrix(&foreign, elsewhere, M, N);
    fill_vector(&u, ctx, M);
    fill_vector(&v, ctx, N);
    fill_vector(&w, ctx, N);
    fill_vector(&strange, elsewhere, N);
    read_all(before);
    return 0;
}

static int free_all(void **state)
{
    sl_matrix *const matrices[] = {A, B, C, D, square, foreign};
    sl_vector *const vectors[] = {u, v, w, strange};
    for (int k = 0; k < 6; k++)
        sl_matrix_free(matrices[k]);
    for (int k = 0; k < 4; k++)
        sl_vector_free(vectors[k]);
    sl_context_free(ctx);
    sl_context_free(elsewhere);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_context),       cmocka_unit_test(test_engine_describe),
        cmocka_unit_test(test_fail),          cmocka_unit_test(test_descriptors),
        cmocka_unit_test(test_allocator),     cmocka_unit_test(test_objects),
        cmocka_unit_test(test_reading),       cmocka_unit_test(test_entries),
        cmocka_unit_test(test_rows),          cmocka_unit_test(test_vxm),
        cmocka_unit_test(test_mxv),           cmocka_unit_test(test_mxm),
        cmocka_unit_test(test_ewise),         cmocka_unit_test(test_maps),
        cmocka_unit_test(test_transpose),     cmocka_unit_test(test_reduce),
        cmocka_unit_test(test_vector_assign), cmocka_unit_test(test_matrix_assign),
        cmocka_unit_test(test_extract),
    };
    return cmocka_run_group_tests(tests, make_all, free_all);
}
