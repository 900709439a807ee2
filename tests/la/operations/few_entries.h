/*
 * Each operation of the table of operations on objects of up to 2^60 rows or columns with at most two entries,
 * under a limit of processor time and of memory, of which a step for each row would need many times more. For
 * programs that make `ctx`: of one process, or of a grid.
 */
#ifndef SEMLA_TEST_FEW_ENTRIES_H
#define SEMLA_TEST_FEW_ENTRIES_H

#include "objects.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

#include <semla/call.h>

enum { CPU_SECONDS = 20, MEGABYTES = 64 };

static bool all_pairs =
    true; /* of index lists, and all masks; false: some, for grids, where a call is slow */

/* A shape, and how the results are written. */
typedef struct {
    uint64_t nrows, ncols;
    bool masked;
    sl_binary_op accum;
    unsigned flags; /* of the descriptor, without transpositions */
} variant;

static const sl_scalar three = {.type = SL_FP64, .as.fp64_ = 3};

/* ---- objects with two entries, which are freed after each operation ---------------- */

enum { MOST = 32 };
static sl_matrix *matrices[MOST];
static sl_vector *vectors[MOST];
static size_t matrix_count, vector_count;

static sl_matrix *empty_matrix(sl_type type, uint64_t nrows, uint64_t ncols)
{
    assert_true(matrix_count < MOST);
    return matrices[matrix_count++] = new_matrix(type, nrows, ncols);
}

static sl_vector *empty_vector(sl_type type, uint64_t size)
{
    assert_true(vector_count < MOST);
    return vectors[vector_count++] = new_vector(type, size);
}

static sl_matrix *matrix(uint64_t nrows, uint64_t ncols)
{
    sl_matrix *A = empty_matrix(SL_FP64, nrows, ncols);
    if (nrows > 0 && ncols > 0) {
        OK(ctx, sl_matrix_set(A, 0, ncols - 1, three));
        OK(ctx, sl_matrix_set(A, nrows - 1, 0, three));
    }
    return A;
}

static sl_vector *vector(uint64_t size)
{
    sl_vector *v = empty_vector(SL_FP64, size);
    if (size > 0) {
        OK(ctx, sl_vector_set(v, 0, three));
        OK(ctx, sl_vector_set(v, size - 1, three));
    }
    return v;
}

/* A vector of the indices 0 and last. */
static sl_vector *indices(uint64_t size, uint64_t last)
{
    sl_vector *v = empty_vector(SL_INT64, size);
    if (size > 0) {
        OK(ctx, sl_vector_set(v, 0, sl_scalar_int64(0)));
        OK(ctx, sl_vector_set(v, size - 1, sl_scalar_int64((int64_t)last)));
    }
    return v;
}

/* Plain arrays and some operations are for one process. */
static bool on_several_ranks(void)
{
    return sl_context_processes(ctx) > 1;
}

static bool is_first_rank(void)
{
    uint64_t begin, end;
    sl_context_local_range(ctx, sl_context_processes(ctx), &begin, &end);
    return begin == 0;
}

static void free_all(void)
{
    while (matrix_count > 0)
        sl_matrix_free(matrices[--matrix_count]);
    while (vector_count > 0)
        sl_vector_free(vectors[--vector_count]);
}

static sl_matrix *mask_of(const variant *x, uint64_t nrows, uint64_t ncols)
{
    return x->masked ? matrix(nrows, ncols) : NULL;
}

static sl_vector *vector_mask_of(const variant *x, uint64_t size)
{
    return x->masked ? vector(size) : NULL;
}

static sl_descriptor with(const variant *x, unsigned flags)
{
    return sl_descriptor_get(x->flags | flags);
}

/* The arguments C, mask and accumulator, or w, mask and accumulator. */
#define OUT(nrows, ncols) matrix(nrows, ncols), mask_of(x, nrows, ncols), x->accum
#define OUT_V(size)       vector(size), vector_mask_of(x, size), x->accum

/* The call succeeds, or says that memory cannot hold its result. */
#define MAY_BE_LARGE(call)                                                                         \
    do {                                                                                           \
        const sl_status got = (call);                                                              \
        if (got != SL_OK && got != SL_NO_MEMORY)                                                   \
            fail_msg("%s: %s (%s)", #call, sl_status_string(got), sl_context_message(ctx));        \
    } while (0)

/* ---- the operations ---------------------------------------------------------------- */

static void call_vxm(const variant *x)
{
    OK(ctx, sl_vxm(OUT_V(x->ncols), SL_PLUS_TIMES_FP64, vector(x->nrows),
                   matrix(x->nrows, x->ncols), with(x, 0)));
    OK(ctx, sl_vxm(OUT_V(x->nrows), SL_MIN_PLUS_FP64, vector(x->ncols), matrix(x->nrows, x->ncols),
                   with(x, SL_TRANSPOSE_B)));
}

static void call_mxv(const variant *x)
{
    OK(ctx, sl_mxv(OUT_V(x->nrows), SL_PLUS_TIMES_FP64, matrix(x->nrows, x->ncols),
                   vector(x->ncols), with(x, 0)));
    OK(ctx, sl_mxv(OUT_V(x->ncols), SL_ANY_PAIR_BOOL, matrix(x->nrows, x->ncols), vector(x->nrows),
                   with(x, SL_TRANSPOSE_A)));
}

static void call_mxm(const variant *x)
{
    const uint64_t m = x->nrows, n = x->ncols;
    OK(ctx, sl_mxm(OUT(m, m), SL_PLUS_TIMES_FP64, matrix(m, n), matrix(n, m), with(x, 0)));
    OK(ctx,
       sl_mxm(OUT(m, m), SL_PLUS_TIMES_FP64, matrix(m, n), matrix(m, n), with(x, SL_TRANSPOSE_B)));
    OK(ctx,
       sl_mxm(OUT(n, n), SL_MIN_PLUS_FP64, matrix(m, n), matrix(m, n), with(x, SL_TRANSPOSE_A)));
    OK(ctx, sl_mxm(OUT(n, n), SL_MIN_PLUS_FP64, matrix(m, n), matrix(n, m),
                   with(x, SL_TRANSPOSE_A | SL_TRANSPOSE_B)));
}

/* An elementwise operation of matrices, of which one is transposed, and of vectors. */
#define ELEMENTWISE(matrix_call, vector_call)                                                      \
    do {                                                                                           \
        const uint64_t m = x->nrows, n = x->ncols;                                                 \
        OK(ctx, matrix_call(m, n, matrix(m, n), matrix(m, n), 0));                                 \
        OK(ctx, matrix_call(m, n, matrix(n, m), matrix(m, n), SL_TRANSPOSE_A));                    \
        OK(ctx, matrix_call(m, n, matrix(m, n), matrix(n, m), SL_TRANSPOSE_B));                    \
        OK(ctx, vector_call(vector(m), vector(m)));                                                \
    } while (0)

static void call_ewise_add(const variant *x)
{
#define MATRIX(m, n, A, B, t) sl_matrix_ewise_add(OUT(m, n), SL_PLUS_FP64, A, B, with(x, t))
#define VECTOR(u, v)          sl_vector_ewise_add(OUT_V(x->nrows), SL_PLUS_FP64, u, v, with(x, 0))
    ELEMENTWISE(MATRIX, VECTOR);
#undef MATRIX
#undef VECTOR
}

static void call_ewise_mult(const variant *x)
{
#define MATRIX(m, n, A, B, t) sl_matrix_ewise_mult(OUT(m, n), SL_POW_FP64, A, B, with(x, t))
#define VECTOR(u, v)          sl_vector_ewise_mult(OUT_V(x->nrows), SL_POW_FP64, u, v, with(x, 0))
    ELEMENTWISE(MATRIX, VECTOR);
#undef MATRIX
#undef VECTOR
}

static void call_ewise_union(const variant *x)
{
#define MATRIX(m, n, A, B, t)                                                                      \
    sl_matrix_ewise_union(OUT(m, n), SL_MINUS_FP64, A, three, B, three, with(x, t))
#define VECTOR(u, v)                                                                               \
    sl_vector_ewise_union(OUT_V(x->nrows), SL_MINUS_FP64, u, three, v, three, with(x, 0))
    ELEMENTWISE(MATRIX, VECTOR);
#undef MATRIX
#undef VECTOR
}

static void call_kronecker(const variant *x)
{
    const uint64_t m = x->nrows, n = x->ncols;
    OK(ctx, sl_kronecker(OUT(m, n), SL_TIMES_FP64, matrix(m, n), matrix(1, 1), with(x, 0)));
    OK(ctx,
       sl_kronecker(OUT(m, n), SL_TIMES_FP64, matrix(1, 1), matrix(n, m), with(x, SL_TRANSPOSE_B)));
}

static void call_apply(const variant *x)
{
    OK(ctx, sl_matrix_apply(OUT(x->nrows, x->ncols), SL_AINV_FP64, matrix(x->nrows, x->ncols),
                            with(x, 0)));
    OK(ctx, sl_matrix_apply(OUT(x->nrows, x->ncols), SL_AINV_FP64, matrix(x->ncols, x->nrows),
                            with(x, SL_TRANSPOSE_A)));
    OK(ctx, sl_vector_apply(OUT_V(x->nrows), SL_AINV_FP64, vector(x->nrows), with(x, 0)));
}

static void call_apply_first(const variant *x)
{
    OK(ctx, sl_matrix_apply_first(OUT(x->nrows, x->ncols), SL_MINUS_FP64, three,
                                  matrix(x->nrows, x->ncols), with(x, 0)));
    OK(ctx,
       sl_vector_apply_first(OUT_V(x->nrows), SL_MINUS_FP64, three, vector(x->nrows), with(x, 0)));
}

static void call_apply_second(const variant *x)
{
    OK(ctx, sl_matrix_apply_second(OUT(x->nrows, x->ncols), SL_MINUS_FP64,
                                   matrix(x->ncols, x->nrows), three, with(x, SL_TRANSPOSE_A)));
    OK(ctx,
       sl_vector_apply_second(OUT_V(x->nrows), SL_MINUS_FP64, vector(x->nrows), three, with(x, 0)));
}

static void call_apply_index(const variant *x)
{
    OK(ctx, sl_matrix_apply_index(OUT(x->nrows, x->ncols), SL_ROWINDEX_INT64,
                                  matrix(x->nrows, x->ncols), sl_scalar_int64(1), with(x, 0)));
    OK(ctx, sl_vector_apply_index(OUT_V(x->nrows), SL_ROWINDEX_INT64, vector(x->nrows),
                                  sl_scalar_int64(1), with(x, 0)));
}

static void call_select(const variant *x)
{
    const sl_index_op lower = sl_index_op_get(SL_INDEX_TRIL, SL_FP64);
    OK(ctx, sl_matrix_select(OUT(x->nrows, x->ncols), lower, matrix(x->nrows, x->ncols),
                             sl_scalar_int64(0), with(x, 0)));
    OK(ctx, sl_matrix_select(OUT(x->nrows, x->ncols), SL_VALUEGT_FP64, matrix(x->nrows, x->ncols),
                             three, with(x, 0)));
    OK(ctx,
       sl_vector_select(OUT_V(x->nrows), SL_VALUEGT_FP64, vector(x->nrows), three, with(x, 0)));
}

static void call_reduce(const variant *x)
{
    sl_scalar sum = three;
    OK(ctx, sl_matrix_reduce(&sum, x->accum, SL_PLUS_MONOID_FP64, matrix(x->nrows, x->ncols)));
    OK(ctx, sl_vector_reduce(&sum, x->accum, SL_PLUS_MONOID_FP64, vector(x->nrows)));
}

static void call_reduce_rows(const variant *x)
{
    OK(ctx, sl_matrix_reduce_rows(OUT_V(x->nrows), SL_PLUS_MONOID_FP64, matrix(x->nrows, x->ncols),
                                  with(x, 0)));
    OK(ctx, sl_matrix_reduce_rows(OUT_V(x->ncols), SL_PLUS_MONOID_FP64, matrix(x->nrows, x->ncols),
                                  with(x, SL_TRANSPOSE_A)));
}

static void call_reduce_pair(const variant *x)
{
    sl_scalar sum = three;
    OK(ctx, sl_vector_reduce_pair(&sum, x->accum, SL_PLUS_MONOID_FP64, NULL, SL_TIMES_FP64,
                                  vector(x->nrows), vector(x->nrows)));
}

/* Index lists of a dimension: number k selects `count` indices. */
typedef struct {
    const uint64_t *list;
    uint64_t length, count;
} index_list;

enum { LISTS = 6 };

static index_list list_of(int k, uint64_t size, uint64_t *store)
{
    const uint64_t ranges[][4] = {{0, size, 1, size},
                                  {0, size, 2, size / 2 + size % 2},
                                  {size - 1, UINT64_MAX, UINT64_MAX, size},
                                  {size / 2, size, 1, size - size / 2}};
    if (k == 0)
        return (index_list){SL_ALL, 0, size};
    if (k == 1) {
        store[0] = size > 0 ? size - 1 : 0;
        return (index_list){store, size > 0, size > 0};
    }
    memcpy(store, ranges[k - 2], 3 * sizeof *store);
    return (index_list){store, SL_RANGE, ranges[k - 2][3]};
}

static void call_assign(const variant *x)
{
    uint64_t store[2][3];
    for (int i = 0; i < LISTS; i++) {
        const index_list r = list_of(i, x->nrows, store[0]);
        for (int j = 0; j < LISTS; j++) {
            if (!all_pairs && i > 0 && j > 0 && i != j)
                continue;
            const index_list c = list_of(j, x->ncols, store[1]);
            OK(ctx, sl_matrix_assign(OUT(x->nrows, x->ncols), matrix(r.count, c.count), r.list,
                                     r.length, c.list, c.length, with(x, 0)));
            OK(ctx, sl_matrix_assign(OUT(x->nrows, x->ncols), matrix(c.count, r.count), r.list,
                                     r.length, c.list, c.length, with(x, SL_TRANSPOSE_A)));
            free_all();
        }
        OK(ctx, sl_vector_assign(OUT_V(x->nrows), vector(r.count), r.list, r.length, with(x, 0)));
    }
}

/* Memory may hold 2^31 entries, one for each index. */
static void call_assign_scalar(const variant *x)
{
    uint64_t store[2][3];
    const bool few = x->masked && !(x->flags & SL_COMPLEMENT);
    if (!few && x->nrows == (uint64_t)1 << 31)
        return;
    for (int i = 0; i < LISTS; i++) {
        const index_list r = list_of(i, x->nrows, store[0]);
        for (int j = 0; j < LISTS; j++) {
            if (!all_pairs && i > 0 && j > 0 && i != j)
                continue;
            const index_list c = list_of(j, x->ncols, store[1]);
            MAY_BE_LARGE(sl_matrix_assign_scalar(OUT(x->nrows, x->ncols), three, r.list, r.length,
                                                 c.list, c.length, with(x, 0)));
            free_all();
        }
        MAY_BE_LARGE(sl_vector_assign_scalar(OUT_V(x->nrows), three, r.list, r.length, with(x, 0)));
    }
}

static void call_assign_row(const variant *x)
{
    uint64_t store[3];
    for (int j = 0; j < LISTS && x->nrows > 0; j++) {
        const index_list c = list_of(j, x->ncols, store);
        OK(ctx,
           sl_matrix_assign_row(matrix(x->nrows, x->ncols), vector_mask_of(x, x->ncols), x->accum,
                                vector(c.count), x->nrows - 1, c.list, c.length, with(x, 0)));
    }
}

static void call_assign_column(const variant *x)
{
    uint64_t store[3];
    for (int i = 0; i < LISTS && x->ncols > 0; i++) {
        const index_list r = list_of(i, x->nrows, store);
        OK(ctx, sl_matrix_assign_column(matrix(x->nrows, x->ncols), vector_mask_of(x, x->nrows),
                                        x->accum, vector(r.count), r.list, r.length, x->ncols - 1,
                                        with(x, 0)));
    }
}

static void call_extract(const variant *x)
{
    uint64_t store[2][3];
    for (int i = 0; i < LISTS; i++) {
        const index_list r = list_of(i, x->nrows, store[0]);
        for (int j = 0; j < LISTS; j++) {
            if (!all_pairs && i > 0 && j > 0 && i != j)
                continue;
            const index_list c = list_of(j, x->ncols, store[1]);
            OK(ctx, sl_matrix_extract(OUT(r.count, c.count), matrix(x->nrows, x->ncols), r.list,
                                      r.length, c.list, c.length, with(x, 0)));
            OK(ctx, sl_matrix_extract(OUT(r.count, c.count), matrix(x->ncols, x->nrows), r.list,
                                      r.length, c.list, c.length, with(x, SL_TRANSPOSE_A)));
            free_all();
        }
        OK(ctx, sl_vector_extract(OUT_V(r.count), vector(x->nrows), r.list, r.length, with(x, 0)));
    }
}

static void call_extract_column(const variant *x)
{
    uint64_t store[3];
    for (int i = 0; i < LISTS; i++) {
        const index_list r = list_of(i, x->nrows, store);
        if (x->ncols > 0)
            OK(ctx, sl_matrix_extract_column(OUT_V(r.count), matrix(x->nrows, x->ncols), r.list,
                                             r.length, x->ncols - 1, with(x, 0)));
        if (x->ncols > 0)
            OK(ctx, sl_matrix_extract_column(OUT_V(r.count), matrix(x->ncols, x->nrows), r.list,
                                             r.length, 0, with(x, SL_TRANSPOSE_A)));
    }
}

static void call_gather(const variant *x)
{
    if (x->nrows > 0)
        OK(ctx, sl_vector_gather(OUT_V(x->ncols), vector(x->nrows), indices(x->ncols, x->nrows - 1),
                                 with(x, 0)));
}

static void call_scatter(const variant *x)
{
    if (x->nrows > 0)
        OK(ctx, sl_vector_scatter(OUT_V(x->nrows), SL_PLUS_MONOID_FP64, vector(x->ncols),
                                  indices(x->ncols, x->nrows - 1), with(x, 0)));
}

static void call_gather_matrix(const variant *x)
{
    if (on_several_ranks())
        return;
    if (x->nrows > 0)
        OK(ctx, sl_matrix_gather(OUT(2, 2), matrix(x->nrows, x->nrows), indices(2, x->nrows - 1),
                                 with(x, 0)));
}

static void call_sort(const variant *x)
{
    if (on_several_ranks())
        return;
    OK(ctx, sl_vector_sort(empty_vector(SL_FP64, x->nrows), empty_vector(SL_INT64, x->nrows),
                           SL_LT_FP64, vector(x->nrows)));
}

static void call_transpose(const variant *x)
{
    OK(ctx, sl_transpose(OUT(x->nrows, x->ncols), matrix(x->ncols, x->nrows), with(x, 0)));
    OK(ctx,
       sl_transpose(OUT(x->nrows, x->ncols), matrix(x->nrows, x->ncols), with(x, SL_TRANSPOSE_A)));
}

static void call_diag(const variant *x)
{
    OK(ctx, sl_matrix_diag(&matrices[matrix_count++], vector(x->nrows), 0));
    OK(ctx, sl_vector_diag(&vectors[vector_count++], matrix(x->nrows, x->ncols), 0));
}

static void call_build(const variant *x)
{
    const uint64_t rows[] = {0, x->nrows - 1}, cols[] = {x->ncols - 1, 0};
    const double values[] = {1, 2};
    const uint64_t count = is_first_rank() ? 2 : 0;
    if (x->nrows > 1 && x->ncols > 0)
        OK(ctx, sl_matrix_build(empty_matrix(SL_FP64, x->nrows, x->ncols), rows, cols, values,
                                count, NULL));
    if (x->nrows > 1)
        OK(ctx, sl_vector_build(empty_vector(SL_FP64, x->nrows), rows, values, count, NULL));
}

static void call_tuples(const variant *x)
{
    uint64_t rows[2], cols[2], count = 2;
    double values[2];
    OK(ctx, sl_matrix_extract_tuples(rows, cols, values, &count, matrix(x->nrows, x->ncols)));
    count = 2;
    OK(ctx, sl_vector_extract_tuples(rows, values, &count, vector(x->nrows)));
}

static void call_set(const variant *x)
{
    if (x->nrows > 0 && x->ncols > 0)
        OK(ctx, sl_matrix_set(matrix(x->nrows, x->ncols), x->nrows / 2, x->ncols / 2, three));
    if (x->nrows > 0)
        OK(ctx, sl_vector_set(vector(x->nrows), x->nrows / 2, three));
}

static void call_get(const variant *x)
{
    sl_scalar value;
    if (x->nrows > 0 && x->ncols > 0)
        OK(ctx, sl_matrix_get(&value, matrix(x->nrows, x->ncols), x->nrows - 1, 0));
    if (x->nrows > 0)
        OK(ctx, sl_vector_get(&value, vector(x->nrows), x->nrows - 1));
}

static void call_remove(const variant *x)
{
    if (x->nrows > 0 && x->ncols > 0)
        OK(ctx, sl_matrix_remove(matrix(x->nrows, x->ncols), x->nrows - 1, 0));
    if (x->nrows > 0)
        OK(ctx, sl_vector_remove(vector(x->nrows), 0));
}

static void call_resize(const variant *x)
{
    OK(ctx, sl_matrix_resize(matrix(x->nrows, x->ncols), x->nrows / 2, x->ncols / 2));
    OK(ctx, sl_vector_resize(vector(x->nrows), x->nrows / 2));
}

static void call_nvals(const variant *x)
{
    assert_true(entries(matrix(x->nrows, x->ncols)) <= 2);
    assert_true(vector_entries(vector(x->nrows)) <= 2);
}

static void call_is_pattern(const variant *x)
{
    bool equal;
    is_pattern(matrix(x->nrows, x->ncols));
    OK(ctx, sl_matrix_equal(&equal, matrix(x->nrows, x->ncols), matrix(x->nrows, x->ncols)));
    assert_true(equal);
    OK(ctx, sl_matrix_same_pattern(&equal, matrix(x->nrows, x->ncols), matrix(x->nrows, x->ncols)));
    assert_true(equal);
    if (x->nrows == x->ncols)
        assert_true(is_symmetric(matrix(x->nrows, x->ncols)));
}

static void call_take(const variant *x)
{
    if (on_several_ranks())
        return;
    sl_arrays arrays;
    sl_matrix *A = matrix(x->nrows, x->ncols);
    OK(ctx, sl_matrix_give(&arrays, &matrices[--matrix_count], SL_FORMAT_COO));
    OK(ctx, sl_matrix_take(&A, ctx, &arrays));
    sl_matrix_free(A);
    sl_vector *v = vector(x->nrows);
    OK(ctx, sl_vector_give(&arrays, &vectors[--vector_count], SL_FORMAT_LIST));
    OK(ctx, sl_vector_take(&v, ctx, &arrays));
    sl_vector_free(v);
}

static void call_give(const variant *x)
{
    call_take(x);
}

static void call_copy_out(const variant *x)
{
    if (on_several_ranks())
        return;
    sl_arrays arrays;
    OK(ctx, sl_matrix_copy_out(&arrays, matrix(x->nrows, x->ncols), SL_FORMAT_COO));
    sl_arrays_free(&arrays);
    OK(ctx, sl_vector_copy_out(&arrays, vector(x->nrows), SL_FORMAT_LIST));
    sl_arrays_free(&arrays);
}

static void call_slice(const variant *x)
{
    sl_arrays arrays;
    OK(ctx, sl_matrix_copy_slice(&arrays, matrix(x->nrows, x->ncols)));
    sl_arrays_free(&arrays);
    OK(ctx, sl_vector_copy_whole(&arrays, vector(x->nrows)));
    sl_arrays_free(&arrays);
}

static void call_local_nvals(const variant *x)
{
    (void)x; /* only grids have it */
}

static void call_row_entries(const variant *x)
{
    sl_plan plan = {0};
    if (x->nrows != x->ncols)
        return;
    OK(ctx,
       sl_plan_iteration(&plan, vector(x->nrows), vector(x->nrows), matrix(x->nrows, x->nrows)));
}

static void call_sum_mirrors(const variant *x)
{
    bool symmetric;
    if (x->nrows == x->ncols)
        MAY_BE_LARGE(sl_matrix_is_symmetric(&symmetric, matrix(x->nrows, x->nrows)));
}

static void call_optimize(const variant *x)
{
    if (x->nrows == x->ncols)
        MAY_BE_LARGE(
            sl_matrix_optimize(matrix(x->nrows, x->nrows), SL_FOR_TRAVERSAL | SL_FOR_PATHS));
}

static void call_advance(const variant *x)
{
    const sl_semiring search = sl_semiring_get(SL_SEMIRING_ANY_SECONDI, SL_INT64);
    if (x->nrows != x->ncols || x->nrows == 0)
        return;
    sl_vector *pi = empty_vector(SL_INT64, x->nrows), *q = empty_vector(SL_INT64, x->nrows);
    OK(ctx, sl_vector_set(pi, 0, sl_scalar_int64(0)));
    OK(ctx, sl_vector_set(q, 0, sl_scalar_int64(0)));
    OK(ctx, sl_advance(q, pi, q, matrix(x->nrows, x->nrows), search, SL_PUSH, NULL));
    assert_int_equal(vector_entries(pi), x->nrows > 1 ? 2 : 1);
}

static void call_closure(const variant *x)
{
    const sl_closure_options options = {.from_source = true, .source_value = sl_scalar_fp64(0)};
    const sl_semiring search = sl_semiring_get(SL_SEMIRING_ANY_SECONDI, SL_INT64);
    if (x->nrows != x->ncols || x->nrows == 0)
        return;
    OK(ctx, sl_closure(empty_vector(SL_INT64, x->nrows), NULL, matrix(x->nrows, x->nrows), search,
                       &options));
    OK(ctx, sl_closure(empty_vector(SL_FP64, x->nrows), NULL, matrix(x->nrows, x->nrows),
                       SL_MIN_PLUS_FP64, &options));
}

static void call_closures(const variant *x)
{
    if (x->nrows == x->ncols && x->nrows > 0)
        OK(ctx, sl_closures(empty_matrix(SL_BOOL, 1, x->nrows), matrix(1, x->nrows),
                            matrix(x->nrows, x->nrows), SL_ANY_PAIR_BOOL, NULL));
}

static void call_predecessors(const variant *x)
{
    if (x->nrows != x->ncols || x->nrows == 0)
        return;
    const sl_closure_options options = {.from_source = true,
                                        .source_value = sl_scalar_fp64(0),
                                        .parent = empty_vector(SL_INT64, x->nrows)};
    OK(ctx, sl_closure(empty_vector(SL_FP64, x->nrows), NULL, matrix(x->nrows, x->nrows),
                       SL_MIN_PLUS_FP64, &options));
}

/* Every vertex has an entry in the result. */
static void call_dependencies(const variant *x)
{
    const uint64_t source = 0;
    if (x->nrows == x->ncols && x->nrows > 0)
        MAY_BE_LARGE(sl_dependencies(empty_vector(SL_FP64, x->nrows), matrix(x->nrows, x->nrows),
                                     &source, 1));
}

/* These begin with a generator, or are parts of algorithms whose result has an entry for each vertex. */
#define WITHOUT_FEW_ENTRIES(name)                                                                  \
    static void call_##name(const variant *x)                                                      \
    {                                                                                              \
        (void)x;                                                                                   \
    }
WITHOUT_FEW_ENTRIES(generate)
WITHOUT_FEW_ENTRIES(edge_degrees)
WITHOUT_FEW_ENTRIES(check_tree)
WITHOUT_FEW_ENTRIES(components)
WITHOUT_FEW_ENTRIES(prepare_paths)

/* ---- the table --------------------------------------------------------------------- */

/* An operation without a function above does not compile. */
static const struct {
    const char *name;
    void (*call)(const variant *x);
} operations[] = {
#define X(NAME, name, CLASS) {#name, call_##name},
    SL_OPERATIONS(X)
#undef X
};

static char running[200];

static void out_of_time(int signal)
{
    (void)signal;
    const ssize_t written = write(STDERR_FILENO, running, strlen(running));
    _exit(written > 0 ? 1 : 2);
}

static void start_clock(void)
{
    const struct itimerval limit = {.it_value = {.tv_sec = CPU_SECONDS}};
    signal(SIGPROF, out_of_time);
    setitimer(ITIMER_PROF, &limit, NULL);
}

static void test_operations(void **state)
{
    matrix_count = vector_count = 0;
    const uint64_t huge = (uint64_t)1 << 60, middle = (uint64_t)1 << 31;
    const uint64_t shapes[][2] = {{huge, huge}, {huge, 0}, {0, huge},       {huge, 1},
                                  {1, huge},    {huge, 5}, {middle, middle}};
    const struct {
        bool masked, accumulates;
        unsigned flags;
    } writes[] = {{false, false, 0},
                  {true, false, SL_STRUCTURE},
                  {true, true, SL_REPLACE},
                  {true, false, SL_COMPLEMENT | SL_REPLACE},
                  {false, true, 0}};
    for (size_t op = 0; op < sizeof operations / sizeof *operations; op++)
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
            for (size_t w = 0; w < (all_pairs ? sizeof writes / sizeof *writes : 3); w++) {
                const variant x = {.nrows = shapes[s][0],
                                   .ncols = shapes[s][1],
                                   .masked = writes[w].masked,
                                   .accum = writes[w].accumulates ? SL_PLUS_FP64 : NULL,
                                   .flags = writes[w].flags};
                snprintf(running, sizeof running,
                         "%s of %llu x %llu, case %zu: takes longer than %d s\n",
                         operations[op].name, (unsigned long long)x.nrows,
                         (unsigned long long)x.ncols, w, CPU_SECONDS);
                if (getenv("SEMLA_TEST_VERBOSE"))
                    print_message("%s", running);
                start_clock();
                operations[op].call(&x);
                free_all();
            }
}

#endif
