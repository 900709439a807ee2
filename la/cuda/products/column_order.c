/* When columns are put in order, and the making of the order. */
#include "cuda/products/column_order.h"

#include "cuda/products/column_order_kernels.h"
#include "cuda/reorder/reorder_kernels.h"
#include "cuda/runtime/sorting.h"

/* Products with a full vector before the order is made. */
enum { PRODUCTS_BEFORE = 1 };

/* Kept with a matrix from the first product on that could use the order. Device arrays, NULL until it is made. */
typedef struct {
    unsigned products; /* that could use it */
    uint64_t used;     /* columns with entries, which come first */
    uint32_t *old;     /* the column at each place */
    uint32_t *index;   /* the place of each entry's column, instead of cuda_matrix.index */
    uint64_t bytes;
} column_order;

static void clear_order(column_order *order)
{
    sl_cuda_free(order->old);
    sl_cuda_free(order->index);
    order->old = order->index = NULL;
    order->bytes = 0;
}

static void release(void *data)
{
    clear_order(data);
    sl_free(data);
}

static void place(sl_placement *placement, const void *data)
{
    placement->device_bytes += ((const column_order *)data)->bytes;
}

static const cuda_derived_kind order_kind = {
    .name = "order of the columns", .release = release, .place = place};

/* Whether the values are read from more memory than the cache holds, several times each on average, by
 * a matrix in device memory. */
static bool pays(const cuda_product *p, const cuda_matrix *M, uint64_t columns, size_t size)
{
    return p->kind == CUDA_VALUES && p->u_values && !p->u_bits && !p->allowed && !M->pinned &&
           columns * size >= COLUMN_ORDER_MIN_BYTES && M->nnz / COLUMN_ORDER_MIN_READS >= columns;
}

sl_status sl_cuda_count_column_entries(cuda_scratch *s, uint32_t *degree, const cuda_matrix *M,
                                       uint64_t columns)
{
    CUDA_TRY(sl_cuda_zero(s->call->ctx, degree, columns * sizeof *degree));
    return cuda_launched(s, "kernel count_columns",
                         sl_cuda_count_columns(degree, M->index, M->nnz));
}

sl_status sl_cuda_order_by_degree(cuda_scratch *s, uint32_t *old, uint64_t *used,
                                  const uint32_t *degree, uint32_t *numbers, uint64_t columns)
{
    sl_context *ctx = s->call->ctx;
    uint32_t *sorted;
    unsigned long long *count, counted;
    CUDA_TRY(sl_cuda_scratch_take(s, &sorted, columns * sizeof *sorted));
    CUDA_TRY(sl_cuda_scratch_take(s, &count, sizeof *count));
    CUDA_TRY(sl_cuda_zero(ctx, count, sizeof *count));
    CUDA_TRY(cuda_launched(s, "kernel number_columns",
                           sl_cuda_number_columns(numbers, count, degree, columns)));
    CUDA_TRY(
        sl_cuda_sort_vertices(ctx, &s->arena, sorted, old, degree, numbers, (uint32_t)columns));
    CUDA_TRY(sl_cuda_fetch(ctx, "kernel number_columns", &counted, count, sizeof counted));
    *used = counted;
    return SL_OK;
}

sl_status sl_cuda_sort_columns(cuda_scratch *s, uint32_t *old, uint64_t *used, uint32_t **place,
                               const cuda_matrix *M, uint64_t columns, bool symmetric)
{
    uint32_t *degree, *numbers;
    CUDA_TRY(sl_cuda_scratch_take(s, &degree, columns * sizeof *degree));
    CUDA_TRY(sl_cuda_scratch_take(s, &numbers, columns * sizeof *numbers));
    if (symmetric) /* the entries of row c are as many as those of column c */
        CUDA_TRY(cuda_launched(s, "kernel row_degrees",
                               sl_cuda_row_degrees(degree, numbers, M->start, (uint32_t)columns)));
    else
        CUDA_TRY(sl_cuda_count_column_entries(s, degree, M, columns));
    CUDA_TRY(sl_cuda_order_by_degree(s, old, used, degree, numbers, columns));
    *place = numbers;
    return cuda_launched(s, "kernel invert_order", sl_cuda_invert_order(numbers, old, columns));
}

static sl_status make_order(cuda_scratch *s, column_order *order, const cuda_matrix *M,
                            uint64_t columns)
{
    sl_context *ctx = s->call->ctx;
    uint32_t *place;
    order->bytes = columns * sizeof *order->old + M->nnz * sizeof *order->index;
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&order->old, columns * sizeof *order->old));
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&order->index, M->nnz * sizeof *order->index));
    CUDA_TRY(sl_cuda_sort_columns(s, order->old, &order->used, &place, M, columns, false));
    return cuda_launched(s, "kernel place_columns",
                         sl_cuda_place_columns(order->index, M->index, place, M->nnz));
}

/* The order of the columns is made for the second product, and left out if it takes more than half of the
 * free memory. */
static sl_status find_order(const column_order **found, cuda_scratch *s, cuda_matrix *M,
                            uint64_t columns)
{
    column_order *order = cuda_find_derived(M->derived, &order_kind);
    if (!order) {
        order = sl_calloc(1, sizeof *order);
        if (!order)
            return cuda_no_host_memory(s->call->ctx);
        CUDA_TRY(sl_cuda_keep_derived(s->call->ctx, &M->derived, &order_kind, order));
    }
    *found = order;
    if (order->index || order->products++ != PRODUCTS_BEFORE ||
        (M->nnz + 8 * columns) * sizeof(uint32_t) > sl_cuda_free_bytes() / 2)
        return SL_OK;
    const sl_status status = make_order(s, order, M, columns);
    if (status != SL_OK)
        clear_order(order);
    return status;
}

sl_status sl_cuda_order_columns(cuda_scratch *s, cuda_product *p, cuda_matrix *M, uint64_t columns,
                                size_t size)
{
    void *values;
    if (!pays(p, M, columns, size))
        return SL_OK;
    const column_order *order = NULL;
    CUDA_TRY(find_order(&order, s, M, columns));
    if (!order->index)
        return SL_OK;
    CUDA_TRY(sl_cuda_scratch_take(s, &values, order->used * size));
    CUDA_TRY(
        cuda_launched(s, "kernel order_values",
                      sl_cuda_order_values(values, p->u_values, order->old, size, order->used)));
    p->index = order->index;
    p->u_values = values;
    return SL_OK;
}
