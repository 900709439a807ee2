/* Orders by falling degree: a stable radix sort of the numbers of rows or columns by their degrees. */
#include "cuda/reorder/degree_order.h"

#include "cuda/reorder/reorder_kernels.h"
#include "cuda/runtime/sorting.h"

/* ---- the sort ------------------------------------------------------------------------------- */

static sl_status sort(sl_context *ctx, cuda_arena *arena, cuda_degree_order *order,
                      const uint32_t *degree, uint32_t *sorted)
{
    const uint32_t n = order->all;
    const cuda_order_view callers = {.all = n};
    uint32_t *number, *counts;
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&order->old_id, n * sizeof *order->old_id));
    CUDA_TRY(sl_cuda_arena_take(ctx, arena, &number, n * sizeof *number));
    CUDA_TRY(sl_cuda_arena_take(ctx, arena, &counts, sizeof order->count_above));
    if (!sorted)
        CUDA_TRY(sl_cuda_arena_take(ctx, arena, &sorted, n * sizeof *sorted));
    CUDA_TRY(sl_cuda_status(ctx, "kernel fill_indices",
                            sl_cuda_fill_indices((cuda_integers){number, true}, n, 0, &callers)));
    CUDA_TRY(sl_cuda_sort_vertices(ctx, arena, sorted, order->old_id, degree, number, n));
    CUDA_TRY(sl_cuda_status(ctx, "kernel count_degrees", sl_cuda_count_degrees(counts, sorted, n)));
    CUDA_TRY(sl_cuda_fetch(ctx, "kernel count_degrees", order->count_above, counts,
                           sizeof order->count_above));
    order->n = order->count_above[0];
    return SL_OK;
}

sl_status sl_cuda_order_by_degree(cuda_degree_order **made, sl_context *ctx, const uint32_t *degree,
                                  uint32_t n, uint32_t *sorted)
{
    cuda_arena arena = {0};
    CUDA_TRY(sl_cuda_new_order(ctx, made));
    (*made)->all = n;
    const sl_status status = sort(ctx, &arena, *made, degree, sorted);
    sl_cuda_arena_release(&arena);
    if (status != SL_OK) {
        sl_cuda_drop_order(*made);
        *made = NULL;
    }
    return status;
}

sl_status sl_cuda_find_degrees(sl_context *ctx, uint32_t *degree, const cuda_matrix *A, uint64_t n,
                               bool of_columns)
{
    if (!of_columns)
        return sl_cuda_status(ctx, "kernel row_degrees",
                              sl_cuda_row_degrees(degree, A->start, (uint32_t)n));
    CUDA_TRY(sl_cuda_zero(ctx, degree, n * sizeof *degree));
    return sl_cuda_status(ctx, "kernel count_columns",
                          sl_cuda_count_columns(degree, A->index, A->nnz));
}

sl_status sl_cuda_add_new_ids(sl_context *ctx, cuda_degree_order *order)
{
    const uint64_t bytes = order->all * sizeof *order->new_id;
    uint32_t *new_id;
    if (order->new_id)
        return SL_OK;
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&new_id, bytes));
    sl_status status =
        sl_cuda_status(ctx, "cudaMemsetAsync", cudaMemsetAsync(new_id, 0xff, bytes, cuda_stream()));
    if (status == SL_OK)
        status = sl_cuda_status(ctx, "kernel invert_order",
                                sl_cuda_invert_order(new_id, order->old_id, order->n));
    if (status == SL_OK)
        order->new_id = new_id;
    else
        sl_cuda_free(new_id);
    return status;
}

sl_status sl_cuda_start_rows(sl_context *ctx, uint64_t *start, const cuda_degree_order *order,
                             const uint64_t *from_start, uint32_t rows)
{
    cuda_arena arena = {0};
    uint32_t *degree;
    sl_status status = sl_cuda_arena_take(ctx, &arena, &degree, rows * sizeof *degree);
    if (status == SL_OK)
        status = sl_cuda_status(ctx, "kernel degrees_of",
                                sl_cuda_degrees_of(degree, order->old_id, from_start, rows));
    if (status == SL_OK)
        status = sl_cuda_sum_rows(ctx, &arena, start, degree, rows);
    sl_cuda_arena_release(&arena);
    return status;
}

/* ---- kept with a matrix --------------------------------------------------------------------- */

static void release(void *order)
{
    sl_cuda_drop_order(order);
}

static void place(sl_placement *placement, const void *order)
{
    placement->device_bytes += sl_cuda_order_bytes(order);
}

static const cuda_derived_kind row_kind = {
    .name = "order of the rows", .release = release, .place = place};
static const cuda_derived_kind column_kind = {
    .name = "order of the columns", .release = release, .place = place};
static const cuda_derived_kind own_kind = {
    .name = "order of the process's vertices", .release = release, .place = place};

static sl_status make(cuda_degree_order **made, sl_context *ctx, const cuda_matrix *A, uint32_t n,
                      bool of_columns)
{
    uint32_t *degree;
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&degree, n * sizeof *degree));
    sl_status status = sl_cuda_find_degrees(ctx, degree, A, n, of_columns);
    if (status == SL_OK)
        status = sl_cuda_order_by_degree(made, ctx, degree, n, NULL);
    sl_cuda_free(degree);
    return status;
}

sl_status sl_cuda_find_order(cuda_degree_order **order, sl_context *ctx, cuda_matrix *A, uint64_t n,
                             bool of_columns)
{
    const cuda_derived_kind *kind = of_columns ? &column_kind : &row_kind;
    *order = sl_cuda_own_order(cuda_find_derived(A->derived, kind));
    if (*order)
        return SL_OK;
    CUDA_TRY(make(order, ctx, A, (uint32_t)n, of_columns));
    sl_cuda_own_order(*order);
    const sl_status status = sl_cuda_keep_derived(ctx, &A->derived, kind, *order);
    if (status != SL_OK) {
        sl_cuda_drop_order(*order);
        *order = NULL;
    }
    return status;
}

sl_status sl_cuda_keep_row_order(sl_context *ctx, cuda_matrix *A, cuda_degree_order *order)
{
    return sl_cuda_keep_derived(ctx, &A->derived, &row_kind, sl_cuda_own_order(order));
}

sl_status sl_cuda_share_own_order(sl_context *ctx, cuda_matrix *block, cuda_degree_order **order)
{
    cuda_degree_order *kept = cuda_find_derived(block->derived, &own_kind);
    if (!kept)
        return sl_cuda_keep_derived(ctx, &block->derived, &own_kind, sl_cuda_own_order(*order));
    if (*order != kept) {
        sl_cuda_drop_order(*order);
        *order = sl_cuda_own_order(kept);
    }
    return SL_OK;
}

static void drop_unused(cuda_matrix *A, const cuda_derived_kind *kind)
{
    const cuda_degree_order *order = cuda_find_derived(A->derived, kind);
    if (order && atomic_load(&order->owners) == 1)
        sl_cuda_drop_derived(&A->derived, kind);
}

void sl_cuda_drop_unused_orders(cuda_matrix *A)
{
    drop_unused(A, &row_kind);
    drop_unused(A, &column_kind);
    drop_unused(A, &own_kind);
}
