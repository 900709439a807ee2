/* When columns are put in order, and the making of the order. */
#include "cuda/products/column_order.h"

#include "cuda/products/column_order_kernels.h"
#include "cuda/reorder/degree_order.h"

/* Products with a full vector before the order is made. */
enum { PRODUCTS_BEFORE = 1 };

/* Kept with a matrix from the first product on that could use the order of its columns. NULL until that is made. */
typedef struct {
    unsigned products; /* that could use it */
    cuda_degree_order *order;
    uint32_t *index; /* device: the place of each entry's column, instead of cuda_matrix.index */
    uint64_t bytes;  /* of `index` */
} ordered_columns;

static void clear_order(ordered_columns *columns)
{
    sl_cuda_drop_order(columns->order);
    sl_cuda_free(columns->index);
    columns->order = NULL;
    columns->index = NULL;
    columns->bytes = 0;
}

static void release(void *data)
{
    clear_order(data);
    sl_free(data);
}

static void place(sl_placement *placement, const void *data)
{
    placement->device_bytes += ((const ordered_columns *)data)->bytes;
}

static const cuda_derived_kind order_kind = {
    .name = "entries in the order of the columns", .release = release, .place = place};

/* Whether the values are read from more memory than the cache holds, several times each on average, by
 * a matrix in device memory. */
static bool pays(const cuda_product *p, const cuda_matrix *M, uint64_t columns, size_t size)
{
    return p->kind == CUDA_VALUES && p->u_values && !p->u_bits && !p->allowed && !M->pinned &&
           columns * size >= COLUMN_ORDER_MIN_BYTES && M->nnz / COLUMN_ORDER_MIN_READS >= columns;
}

static sl_status make_order(cuda_scratch *s, ordered_columns *made, cuda_matrix *M,
                            uint64_t columns, bool symmetric)
{
    sl_context *ctx = s->call->ctx;
    CUDA_TRY(sl_cuda_find_order(&made->order, ctx, M, columns, !symmetric));
    CUDA_TRY(sl_cuda_add_new_ids(ctx, made->order));
    made->bytes = M->nnz * sizeof *made->index;
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&made->index, made->bytes));
    return cuda_launched(s, "kernel place_columns",
                         sl_cuda_place_columns(made->index, M->index, made->order->new_id, M->nnz));
}

/* The order of the columns is made for the second product, and left out if it takes more than half of the
 * free memory. */
static sl_status find_order(const ordered_columns **found, cuda_scratch *s, cuda_matrix *M,
                            uint64_t columns, bool symmetric)
{
    ordered_columns *ordered = cuda_find_derived(M->derived, &order_kind);
    if (!ordered) {
        ordered = sl_calloc(1, sizeof *ordered);
        if (!ordered)
            return cuda_no_host_memory(s->call->ctx);
        CUDA_TRY(sl_cuda_keep_derived(s->call->ctx, &M->derived, &order_kind, ordered));
    }
    *found = ordered;
    if (ordered->index || ordered->products++ != PRODUCTS_BEFORE ||
        (M->nnz + 8 * columns) * sizeof(uint32_t) > sl_cuda_free_bytes() / 2)
        return SL_OK;
    const sl_status status = make_order(s, ordered, M, columns, symmetric);
    if (status != SL_OK) {
        clear_order(ordered);
        sl_cuda_drop_unused_orders(M);
    }
    return status;
}

sl_status sl_cuda_order_columns(cuda_scratch *s, cuda_product *p, cuda_matrix *M, uint64_t columns,
                                size_t size, bool symmetric)
{
    void *values;
    if (!pays(p, M, columns, size))
        return SL_OK;
    const ordered_columns *ordered = NULL;
    CUDA_TRY(find_order(&ordered, s, M, columns, symmetric));
    if (!ordered->index)
        return SL_OK;
    const cuda_degree_order *order = ordered->order;
    CUDA_TRY(sl_cuda_scratch_take(s, &values, order->n * size));
    CUDA_TRY(
        cuda_launched(s, "kernel order_values",
                      sl_cuda_order_values(values, p->u_values, order->old_id, size, order->n)));
    p->index = ordered->index;
    p->u_values = values;
    return SL_OK;
}
