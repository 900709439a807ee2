/* The program of the operations that send entries to other ranks. */
#include "device_moves.h"

/* Entries of A with duplicates, a hub, self-loops, and rows and columns without entries. */
static void build_matrix(sl_matrix **A, sl_context *ctx, uint64_t n, bool passes)
{
    const uint64_t count = 6 * n;
    uint64_t *rows = malloc(count * sizeof *rows), *cols = malloc(count * sizeof *cols), seed = n;
    int64_t *values = malloc(count * sizeof *values);
    for (uint64_t k = 0; k < count; k++) {
        rows[k] = k < n / 2 ? n / 3 : test_random(&seed) % (n - n / 8);
        cols[k] = k % 7 ? n - 1 - test_random(&seed) % (n - n / 8) : rows[k];
        values[k] = (int64_t)(test_random(&seed) % 1000);
    }
    assert_ok(ctx, sl_matrix_new(A, ctx, SL_INT64, n, n));
    assert_ok(ctx, sl_matrix_build(*A, rows, cols, values, passes ? count : 0, SL_PLUS_INT64));
    free(rows);
    free(cols);
    free(values);
}

/* A 3 x 2 matrix for Kronecker products. */
static void open_few(sl_matrix **few, sl_context *ctx, bool passes)
{
    const uint64_t rows[] = {0, 1, 2, 2}, cols[] = {1, 0, 0, 1};
    const int32_t values[] = {2, -3, 5, 7};
    assert_ok(ctx, sl_matrix_new(few, ctx, SL_INT32, 3, 2));
    assert_ok(ctx, sl_matrix_build(*few, rows, cols, values, passes ? 4 : 0, NULL));
}

void open_program(program *p, sl_context *ctx, uint64_t n)
{
    const bool passes = ctx == local || world_rank() == 0;
    uint64_t seed = 3 * n;
    int64_t *values = malloc(n * sizeof *values);
    *p = (program){.ctx = ctx, .n = n, .list = malloc(n * sizeof *p->list)};
    for (uint64_t k = 0; k < n; k++)
        p->list[k] = k;
    for (uint64_t k = 0; k < n; k++)
        values[k] = (int64_t)(test_random(&seed) % n);
    assert_ok(ctx, sl_vector_new(&p->full, ctx, SL_INT64, n));
    assert_ok(ctx, sl_vector_new(&p->some, ctx, SL_INT64, n));
    assert_ok(ctx, sl_vector_new(&p->index, ctx, SL_INT64, n));
    assert_ok(ctx, sl_vector_build(p->index, p->list, values, passes ? n : 0, NULL));
    assert_ok(ctx, sl_vector_build(p->full, p->list, values, passes ? n : 0, NULL));
    for (uint64_t k = 0; k < n; k++) { /* a permutation */
        const uint64_t other = test_random(&seed) % n, item = p->list[k];
        p->list[k] = p->list[other];
        p->list[other] = item;
    }
    assert_ok(ctx, sl_vector_build(p->some, p->list, values, passes ? n / 3 : 0, NULL));
    build_matrix(&p->A, ctx, n, passes);
    open_few(&p->few, ctx, passes);
    free(values);
    for (int k = 0; k < VECTORS; k++)
        assert_ok(ctx, sl_vector_new(&p->v[k], ctx, SL_INT64, n));
    for (int k = 0; k < MATRICES; k++)
        assert_ok(ctx, k < SQUARES ? sl_matrix_new(&p->M[k], ctx, SL_INT64, n, n)
                                   : sl_matrix_new(&p->M[k], ctx, SL_INT64, 3 * n, 2 * n));
}

void close_program(program *p)
{
    for (int k = 0; k < VECTORS; k++)
        sl_vector_free(p->v[k]);
    for (int k = 0; k < MATRICES; k++)
        sl_matrix_free(p->M[k]);
    sl_vector_free(p->full);
    sl_vector_free(p->some);
    sl_vector_free(p->index);
    sl_matrix_free(p->A);
    sl_matrix_free(p->few);
    free(p->list);
}

void run_program(program *p)
{
    sl_context *ctx = p->ctx;
    const uint64_t n = p->n, part[] = {n - 1, (uint64_t)-1, (uint64_t)-2},
                   down[] = {n - 1, (uint64_t)-1, (uint64_t)-1}, half = n / 2;
    const sl_descriptor turned = sl_descriptor_get(SL_TRANSPOSE_A);
    sl_matrix *small;
    assert_ok(ctx, sl_vector_gather(p->v[0], NULL, NULL, p->full, p->index, NULL));
    assert_ok(ctx, sl_vector_gather(p->v[1], p->some, SL_PLUS_INT64, p->some, p->index, NULL));
    assert_ok(ctx,
              sl_vector_scatter(p->v[2], NULL, NULL, SL_MIN_MONOID_INT64, p->some, p->index, NULL));
    assert_ok(
        ctx, sl_vector_scatter(p->v[3], NULL, NULL, SL_PLUS_MONOID_INT64, p->full, p->index, NULL));
    assert_ok(ctx, sl_vector_assign(p->v[4], NULL, NULL, p->some, p->list, n, NULL));
    assert_ok(ctx, sl_vector_extract(p->v[5], NULL, NULL, p->some, p->list, n, NULL));
    assert_ok(ctx, sl_vector_extract(p->v[6], NULL, NULL, p->full, down, SL_RANGE, NULL));
    assert_ok(ctx, sl_matrix_extract_column(p->v[7], NULL, NULL, p->A, p->list, n, n / 3, turned));
    assert_ok(ctx, sl_transpose(p->M[0], NULL, NULL, p->A, NULL));
    assert_ok(ctx, sl_matrix_ewise_add(p->M[1], NULL, NULL, SL_PLUS_INT64, p->A, p->A, turned));
    assert_ok(ctx, sl_matrix_extract(p->M[2], NULL, NULL, p->A, p->list, n, SL_ALL, 0, NULL));
    assert_ok(ctx, sl_matrix_new(&small, ctx, SL_INT64, half, n));
    assert_ok(ctx, sl_matrix_extract(small, NULL, NULL, p->A, part, SL_RANGE, p->list, n, turned));
    assert_ok(ctx, sl_matrix_assign(p->M[3], NULL, NULL, small, p->list, half, SL_ALL, 0, NULL));
    sl_matrix_free(small);
    assert_ok(ctx, sl_matrix_assign(p->M[4], NULL, NULL, p->A, SL_ALL, 0, p->list, n, NULL));
    assert_ok(ctx, sl_matrix_assign_row(p->M[4], NULL, NULL, p->some, n / 2, p->list, n, NULL));
    assert_ok(ctx,
              sl_matrix_assign_column(p->M[4], p->some, NULL, p->full, SL_ALL, 0, n / 4, NULL));
    sl_matrix_free(p->M[5]);
    assert_ok(ctx, sl_matrix_diag(&p->M[5], p->full, -3));
    assert_ok(ctx, sl_transpose(p->M[6], NULL, SL_PLUS_INT64, p->M[2], NULL));
    assert_ok(ctx, sl_transpose(p->M[7], NULL, NULL, p->A, NULL));
    assert_ok(ctx, sl_matrix_resize(p->M[7], half, n));
    assert_ok(ctx, sl_kronecker(p->M[8], NULL, NULL, SL_TIMES_INT64, p->few, p->A, NULL));
    assert_ok(ctx, sl_kronecker(p->M[9], NULL, NULL, sl_binary_op_get(SL_BINARY_FIRSTJ, SL_INT64),
                                p->A, p->few, turned));
}
