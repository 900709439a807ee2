/*
 * Memory runs out on one rank during an operation, at one allocation after another: all ranks
 * return the same error, nothing leaks, no rank waits for ever, and the objects remain usable.
 * SEMLA_TEST_EVERY=1 tests every allocation instead of a sample.
 */
#include "ranks.h"
#include "support.h"
#include "try.h"

#include <inttypes.h>

enum { SIDE = 7, ALL_UP_TO = 8, STRIDE = 13 };

static sl_context *ctx;
static int rank, ranks;

typedef struct {
    sl_matrix *A, *B, *mask, *C;
    sl_vector *u, *v, *vmask, *w;
} operands;

typedef sl_status (*operation)(operands *o);

static sl_descriptor flags(unsigned set)
{
    return sl_descriptor_get(set);
}

/* ---- operations ---------------------------------------------------------------------- */

static sl_status vector_products(operands *o)
{
    TRY(sl_vxm(o->w, o->vmask, NULL, SL_PLUS_TIMES_FP64, o->u, o->A, flags(SL_REPLACE)));
    return sl_mxv(o->w, NULL, SL_PLUS_FP64, SL_MIN_SECONDI_INT64, o->A, o->v, flags(SL_COMPLEMENT));
}

static sl_status matrix_products(operands *o)
{
    TRY(sl_mxm(o->C, o->mask, NULL, SL_PLUS_TIMES_FP64, o->A, o->B, flags(SL_TRANSPOSE_B)));
    return sl_mxm(o->C, NULL, SL_PLUS_FP64, SL_MIN_SECONDI_INT64, o->A, o->B, NULL);
}

/* A row of one entry times a full matrix, which a grid of one row leaves where it is. */
static sl_status short_product(operands *o)
{
    sl_matrix *full, *row = NULL, *product = NULL;
    TRY(sl_matrix_new(&full, ctx, SL_FP64, SIDE, SIDE));
    sl_status status =
        sl_matrix_assign_scalar(full, NULL, NULL, sl_scalar_fp64(3), SL_ALL, 0, SL_ALL, 0, NULL);
    if (status == SL_OK)
        status = sl_matrix_new(&row, ctx, SL_FP64, 1, SIDE);
    if (status == SL_OK)
        status = sl_matrix_set(row, 0, SIDE / 2, sl_scalar_fp64(2));
    if (status == SL_OK)
        status = sl_matrix_new(&product, ctx, SL_FP64, 1, SIDE);
    if (status == SL_OK)
        status = sl_mxm(product, NULL, NULL, SL_PLUS_TIMES_FP64, row, full, NULL);
    if (status == SL_OK)
        status = sl_mxm(product, NULL, SL_PLUS_FP64, SL_PLUS_TIMES_FP64, row, full, NULL);
    sl_matrix_free(product);
    sl_matrix_free(row);
    sl_matrix_free(full);
    return status;
}

static sl_status kronecker(operands *o)
{
    sl_matrix *one;
    TRY(sl_matrix_new(&one, ctx, SL_FP64, 1, 1));
    sl_status status = sl_matrix_set(one, 0, 0, sl_scalar_fp64(2));
    if (status == SL_OK)
        status = sl_kronecker(o->C, o->mask, NULL, SL_TIMES_FP64, o->A, one, NULL);
    sl_matrix_free(one);
    return status;
}

static sl_status elementwise(operands *o)
{
    TRY(sl_vector_ewise_add(o->w, o->vmask, NULL, SL_PLUS_FP64, o->u, o->v, NULL));
    TRY(sl_matrix_ewise_mult(o->C, o->mask, NULL, SL_TIMES_FP64, o->A, o->B,
                             flags(SL_TRANSPOSE_A)));
    return sl_matrix_ewise_add(o->C, NULL, NULL, SL_FIRSTJ_INT64, o->A, o->B, NULL);
}

static sl_status maps(operands *o)
{
    sl_scalar k = sl_scalar_int64(1);
    TRY(sl_vector_apply(o->w, NULL, NULL, SL_AINV_FP64, o->u, NULL));
    TRY(sl_matrix_apply_index(o->C, o->mask, NULL, SL_COLINDEX_INT64, o->A, k, NULL));
    TRY(sl_matrix_select(o->C, NULL, NULL, SL_TRIL_BOOL, o->A, k, flags(SL_TRANSPOSE_A)));
    return sl_transpose(o->C, o->mask, NULL, o->A, NULL);
}

static sl_status reductions(operands *o)
{
    sl_scalar sum;
    TRY(sl_vector_reduce(&sum, NULL, SL_PLUS_MONOID_FP64, o->u));
    return sl_matrix_reduce_rows(o->w, NULL, NULL, SL_PLUS_MONOID_FP64, o->A,
                                 flags(SL_TRANSPOSE_A));
}

static sl_status assignments(operands *o)
{
    static const uint64_t some[] = {5, 0, 2}, range[] = {SIDE - 1, UINT64_MAX, UINT64_MAX};
    sl_scalar x = sl_scalar_fp64(3);
    TRY(sl_vector_assign(o->w, o->vmask, NULL, o->u, range, SL_RANGE, NULL));
    TRY(sl_matrix_assign(o->C, o->mask, NULL, o->A, range, SL_RANGE, SL_ALL, 0, NULL));
    TRY(sl_matrix_assign_scalar(o->C, NULL, NULL, x, some, 3, some, 3, NULL));
    return sl_matrix_assign_row(o->C, o->vmask, NULL, o->u, 2, range, SL_RANGE, NULL);
}

static sl_status extractions(operands *o)
{
    static const uint64_t some[] = {1, 1, 2, 3, 5, 0, 6};
    TRY(sl_vector_extract(o->w, o->vmask, NULL, o->u, some, SIDE, NULL));
    TRY(sl_matrix_extract(o->C, NULL, NULL, o->A, some, SIDE, SL_ALL, 0, NULL));
    return sl_matrix_extract_column(o->w, NULL, NULL, o->A, some, SIDE, 3, flags(SL_TRANSPOSE_A));
}

static sl_status gather_and_scatter(operands *o, sl_vector *indices)
{
    TRY(sl_vector_apply(indices, NULL, NULL, SL_IDENTITY_FP64, o->v, NULL));
    TRY(sl_vector_gather(o->w, o->vmask, NULL, o->u, indices, NULL));
    TRY(sl_vector_scatter(o->w, NULL, SL_MIN_FP64, SL_MIN_MONOID_FP64, o->vmask, indices, NULL));
    return sl_vector_scatter(o->w, NULL, NULL, NULL, o->u, indices, NULL);
}

static sl_status index_vectors(operands *o)
{
    sl_vector *indices;
    TRY(sl_vector_new(&indices, ctx, SL_INT32, SIDE));
    sl_status status = gather_and_scatter(o, indices);
    sl_vector_free(indices);
    return status;
}

static sl_status entries(operands *o)
{
    sl_scalar x = sl_scalar_fp64(3);
    uint64_t rows[SIDE * SIDE], cols[SIDE * SIDE], count = SIDE * SIDE;
    double values[SIDE * SIDE];
    TRY(sl_matrix_set(o->C, 1, SIDE - 1, x));
    TRY(sl_matrix_get(&x, o->C, 1, SIDE - 1));
    TRY(sl_matrix_remove(o->C, 1, SIDE - 1));
    return sl_matrix_extract_tuples(rows, cols, values, &count, o->A);
}

static sl_status building(operands *o)
{
    const uint64_t index[] = {3, 1, 3, (uint64_t)rank % SIDE};
    TRY(sl_matrix_clear(o->C));
    TRY(sl_matrix_build(o->C, index, index, NULL, 4, SL_PLUS_FP64));
    TRY(sl_matrix_resize(o->C, SIDE + 2, SIDE - 1));
    return sl_matrix_resize(o->C, SIDE, SIDE);
}

static sl_status making(operands *o)
{
    sl_matrix *copy, *A = NULL;
    sl_vector *v = NULL;
    sl_unary_op op = NULL;
    TRY(sl_matrix_dup(&copy, o->A));
    sl_status status = sl_vector_diag(&v, copy, 1);
    if (status == SL_OK)
        status = sl_matrix_diag(&A, v, -2);
    if (status == SL_OK)
        status = sl_unary_op_new(&op, ctx, "own", SL_FP64, SL_FP64, SL_ABS_FP64->eval, NULL);
    sl_unary_op_free(op);
    sl_matrix_free(A);
    sl_vector_free(v);
    sl_matrix_free(copy);
    return status;
}

static sl_status knowledge(operands *o)
{
    bool is;
    TRY(sl_matrix_equal(&is, o->A, o->B));
    TRY(sl_matrix_is_symmetric(&is, o->A));
    sl_value_range range;
    TRY(sl_matrix_value_range(&range, o->A));
    return sl_matrix_optimize(o->B, SL_FOR_TRAVERSAL);
}

static sl_status gathering(operands *o)
{
    sl_arrays arrays;
    TRY(sl_grid_gather_matrix(&arrays, o->A, ranks - 1));
    sl_arrays_free(&arrays);
    TRY(sl_grid_gather_vector(&arrays, o->u, 0));
    sl_arrays_free(&arrays);
    return SL_OK;
}

static sl_status search(operands *o)
{
    sl_vector *parent;
    TRY(sl_bfs(&parent, NULL, o->A, 0, NULL));
    sl_vector_free(parent);
    return SL_OK;
}

/* ---- operands -------------------------------------------------------------------------- */

static sl_status new_matrix(sl_matrix **A, uint64_t step)
{
    uint64_t rows[SIDE * SIDE], cols[SIDE * SIDE], count = 0;
    double values[SIDE * SIDE];
    for (uint64_t k = 0; k < SIDE * SIDE && rank == 0; k += step) {
        rows[count] = k / SIDE;
        cols[count] = k % SIDE;
        values[count++] = (double)(k % 5);
    }
    TRY(sl_matrix_new(A, ctx, SL_FP64, SIDE, SIDE));
    return sl_matrix_build(*A, rows, cols, values, count, NULL);
}

static sl_status new_vector(sl_vector **v, uint64_t step)
{
    uint64_t indices[SIDE], count = 0;
    double values[SIDE];
    for (uint64_t k = 0; k < SIDE && rank == 0; k += step) {
        indices[count] = k;
        values[count++] = (double)k;
    }
    TRY(sl_vector_new(v, ctx, SL_FP64, SIDE));
    return sl_vector_build(*v, indices, values, count, NULL);
}

static void make(operands *o)
{
    OK(ctx, new_matrix(&o->A, 2));
    OK(ctx, new_matrix(&o->B, 3));
    OK(ctx, new_matrix(&o->mask, 4));
    OK(ctx, new_matrix(&o->C, 5));
    OK(ctx, new_vector(&o->u, 2));
    OK(ctx, new_vector(&o->v, 3));
    OK(ctx, new_vector(&o->vmask, 1));
    OK(ctx, new_vector(&o->w, 4));
}

static void free_all(operands *o)
{
    sl_matrix *const matrices[] = {o->A, o->B, o->mask, o->C};
    sl_vector *const vectors[] = {o->u, o->v, o->vmask, o->w};
    for (size_t k = 0; k < 4; k++) {
        sl_matrix_free(matrices[k]);
        sl_vector_free(vectors[k]);
    }
}

/* Inputs are unchanged, and outputs can be assigned again. */
static void check(operands *o)
{
    uint64_t count;
    OK(ctx, sl_matrix_nvals(&count, o->A));
    assert_int_equal(count, (SIDE * SIDE + 1) / 2);
    OK(ctx, sl_matrix_clear(o->C));
    OK(ctx, sl_vector_clear(o->w));
    OK(ctx, sl_matrix_nvals(&count, o->C));
    assert_int_equal(count, 0);
}

/* ---- attempts ---------------------------------------------------------------------------- */

/* One run in which allocation n of one rank fails; returns the status that all ranks agree on. */
static sl_status attempt(operation run, int failing, long n)
{
    operands o = {0};
    long before = allocator_alive();
    make(&o);
    if (rank == failing)
        allocator_fail_after(n);
    sl_status status = run(&o);
    allocator_fail_after(-1);
    int most = status, least = status;
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    assert_int_equal(most, least);
    if (status != SL_OK) {
        char name[32];
        snprintf(name, sizeof name, "rank %d: ", failing);
        assert_int_equal(status, SL_NO_MEMORY);
        if (ranks > 1)
            assert_non_null(strstr(sl_context_message(ctx), name));
    }
    if (sl_matrix_nrows(o.C) == SIDE)
        check(&o);
    free_all(&o);
    if (failing >= 0 && allocator_alive() != before) /* SuiteSparse keeps scalars at first */
        fail_msg("rank %d, allocation %ld of rank %d failing: %ld allocations leaked", rank, n,
                 failing, allocator_alive() - before);
    return status;
}

static void fail_each(operation run, int failing)
{
    long stride = getenv("SEMLA_TEST_EVERY") ? 1 : STRIDE;
    for (long n = 0; attempt(run, failing, n) != SL_OK; n += n < ALL_UP_TO ? 1 : stride)
        ;
}

static void run_on(int rows, int cols)
{
    static const operation operations[] = {
        vector_products, matrix_products, short_product, kronecker,     elementwise, maps,
        reductions,      assignments,     extractions,   index_vectors, entries,     building,
        making,          knowledge,       gathering,     search};
    OK(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_SUITESPARSE));
    for (size_t k = 0; k < sizeof operations / sizeof *operations; k++) {
        assert_int_equal(attempt(operations[k], -1, 0), SL_OK);
        fail_each(operations[k], (int)k % ranks);
    }
    sl_context_free(ctx);
}

static void memory_runs_out_on_one_rank(void **unused)
{
    if (ranks % 2)
        run_on(1, ranks);
    else
        run_on(ranks, 1);
    assert_int_equal(allocator_alive(), 0);
}

/* A vector with different values, so that it takes memory. */
static sl_status numbers(sl_vector *w, const sl_vector *v)
{
    return sl_vector_apply_index(w, NULL, NULL, SL_ROWINDEX_INT64, v, sl_scalar_int64(0), NULL);
}

/* A limit is each rank's own: if one rank would exceed it, all fail; with a higher limit all go on.
 */
static void limits(void **unused)
{
    enum { SIZE = 1 << 16 };
    sl_vector *v, *w;
    sl_context_memory memory, before;
    OK(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, 1, ranks, SL_ENGINE_SUITESPARSE));
    OK(ctx, sl_context_set_memory_limit(ctx, 1 << 30));
    OK(ctx, sl_vector_new(&v, ctx, SL_INT64, SIZE));
    OK(ctx, sl_vector_new(&w, ctx, SL_INT64, SIZE));
    OK(ctx, sl_vector_assign_scalar(v, NULL, NULL, sl_scalar_int64(7), SL_ALL, 0, NULL));
    sl_context_get_memory(ctx, &before);
    const uint64_t room = rank == ranks - 1 ? 4096 : 1 << 30;
    OK(ctx, sl_context_set_memory_limit(ctx, before.used + room));
    for (int again = 0; again < 2; again++) {
        assert_int_equal(numbers(w, v), SL_NO_MEMORY);
        assert_non_null(strstr(sl_context_message(ctx), "above the context's limit"));
        if (ranks > 1)
            assert_non_null(strstr(sl_context_message(ctx), "rank "));
        const char *first = strstr(sl_context_message(ctx), "asked for");
        assert_null(strstr(first + 1, "asked for")); /* the message is not repeated */
    }
    OK(ctx, sl_context_set_memory_limit(ctx, 1 << 30));
    OK(ctx, numbers(w, v));
    sl_context_get_memory(ctx, &memory);
    assert_true(memory.used > before.used);
    assert_true(memory.peak >= memory.used);
    assert_int_equal(memory.limit, 1 << 30);
    sl_vector_free(v);
    sl_vector_free(w);
    sl_context_get_memory(ctx, &memory);
    assert_true(memory.used < before.used + 4096);
    sl_vector_view view;
    OK(ctx, sl_vector_new(&v, ctx, SL_INT64, SIZE));
    assert_int_equal(sl_vector_lend(&view, v, SL_MEMORY_HOST), SL_UNSUPPORTED);
    assert_non_null(strstr(sl_context_message(ctx), "grid"));
    sl_vector_free(v);
    sl_context_free(ctx);
}

static void contexts(void **unused)
{
    for (long n = 0;; n++) {
        long before = allocator_alive();
        if (rank == ranks - 1)
            allocator_fail_after(n);
        sl_status status =
            sl_grid_context_create(&ctx, MPI_COMM_WORLD, some_rows(), 0, SL_ENGINE_SUITESPARSE);
        allocator_fail_after(-1);
        assert_true((status == SL_OK) == (ctx != NULL));
        sl_context_free(ctx);
        assert_int_equal(allocator_alive(), before);
        if (status == SL_OK)
            break;
        assert_int_equal(status, SL_NO_MEMORY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(contexts),
                                       cmocka_unit_test(memory_runs_out_on_one_rank),
                                       cmocka_unit_test(limits)};
    allocator_install();
    MPI_Init(NULL, NULL);
    rank = world_rank();
    ranks = world_size();
    return run_ranks("memory", tests, sizeof tests / sizeof *tests);
}
