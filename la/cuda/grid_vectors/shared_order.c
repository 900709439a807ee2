/* When the processes of a grid share an order, and what they share. */
#include "cuda/grid_vectors/shared_order.h"

#include "cuda/grid_vectors/shared_order_kernels.h"

static void release(void *data)
{
    cuda_shared_order *shared = data;
    sl_free(shared->column_begin);
    sl_free(shared->row_begin);
    sl_cuda_free(shared->bits);
    sl_cuda_free(shared->ends);
    sl_cuda_free(shared->any);
    sl_free(shared);
}

static void place(sl_placement *placement, const void *data)
{
    placement->device_bytes += ((const cuda_shared_order *)data)->bytes;
}

const cuda_derived_kind sl_cuda_shared_kind = {
    .name = "shared order", .release = release, .place = place};

/* ---- the state ------------------------------------------------------------------------------------- */

sl_order_state sl_cuda_order_state(const sl_call *product)
{
    cuda_summed of;
    bool yes = false;
    if (!sl_cuda_find_summed(&of, product) || cuda_reordered_of(of.M) || of.M->pinned)
        return SL_ORDER_NONE;
    const cuda_sum_order *order = sl_cuda_kept_sum_order(of.M);
    const bool shared = cuda_order_serves(order, &of.what) && cuda_shared_of(order);
    const sl_status status = shared ? sl_cuda_has_room_for_sums(&yes, product->ctx, order,
                                                                product->operators.semiring->result)
                                    : sl_cuda_wants_sum_order(product->ctx, &yes, of.M, &of.what);
    if (status != SL_OK || !yes)
        return SL_ORDER_NONE;
    return shared ? SL_ORDER_SHARED : SL_ORDER_WANTED;
}

/* Device bytes. */
static uint64_t bytes_of(const cuda_shared_order *shared, uint64_t rows)
{
    const uint64_t words = shared->sum_processes * shared->words;
    return words * (sizeof *shared->bits + sizeof *shared->ends) +
           shared->words * sizeof *shared->any + (shared->bits ? rows * sizeof(uint32_t) : 0);
}

/* ---- sharing --------------------------------------------------------------------------------------- */

/* Whether something is true on all processes. Collective. */
static bool on_all(const sl_device_grid *grid, bool yes)
{
    uint64_t no = !yes;
    return grid->reduce(grid, &no, 1, true) == SL_OK && no == 0;
}

static bool has_line(const sl_vector_exchange *x)
{
    return sl_device_grid_members(x->grid, x->line) > 1;
}

/* What an order is made for. */
typedef struct {
    const sl_vector_exchange *values, *sums;
    bool symmetric; /* the pattern of the whole matrix is */
    cuda_summed of;
} shared_sums;

/* *order: the order of the matrix, with the own order if the pattern is symmetric; NULL: it does not pay.
 * Collective. */
static sl_status make_order(cuda_sum_order **order, cuda_shared_order *shared,
                            const shared_sums *sums, cuda_scratch *s, sl_status status)
{
    const sl_vector_exchange *x = sums->values;
    const cuda_summed *of = &sums->of;
    cuda_shared_columns columns = {NULL, NULL};
    uint64_t count = 0;
    *order = NULL;
    if (has_line(x))
        status = sl_cuda_share_columns(&columns, shared, x, s, of->M, of->what.columns, status);
    if (columns.column_id)
        count = shared->column_begin[sl_device_grid_members(x->grid, x->line)];
    if (status == SL_OK)
        status = sl_cuda_make_sum_order(s->call, of->M, &of->what, columns.column_id, count);
    if (status == SL_OK)
        *order = sl_cuda_kept_sum_order(of->M);
    if (*order && sums->symmetric)
        status =
            sl_cuda_find_own_order(*order, &columns.own, !has_line(sums->sums), of, s->call->ctx);
    sl_cuda_drop_order(columns.own);
    return status;
}

/* The order of a matrix, and what is shared of it; *made: whether all processes have both. Collective. */
static sl_status make(bool *made, cuda_shared_order *shared, const shared_sums *sums,
                      cuda_scratch *s, sl_status status)
{
    const sl_device_grid *grid = sums->values->grid;
    cuda_sum_order *order;
    *made = false;
    status = make_order(&order, shared, sums, s, status);
    if (!on_all(grid, status == SL_OK && order))
        return status;
    if (has_line(sums->sums))
        status = sl_cuda_share_rows(shared, sums->sums, s, order, status);
    *made = on_all(grid, status == SL_OK);
    return status;
}

sl_status sl_cuda_share_order(bool *done, const sl_vector_exchange *values,
                              const sl_vector_exchange *sums, bool symmetric, sl_call *product,
                              sl_status status)
{
    cuda_scratch s = {.call = product};
    cuda_shared_order *shared = sl_calloc(1, sizeof *shared);
    shared_sums all = {.values = values, .sums = sums, .symmetric = symmetric};
    *done = false;
    if (status == SL_OK && !shared)
        status = cuda_no_host_memory(product->ctx);
    if (status == SL_OK)
        sl_cuda_find_summed(&all.of, product);
    if (sl_device_grid_members(sums->grid, sums->line) <= CUDA_MOST_SUMMANDS)
        status = make(done, shared, &all, &s, status);
    sl_cuda_scratch_release(&s);
    if (!*done) {
        if (shared)
            release(shared);
        return status;
    }
    cuda_sum_order *order = sl_cuda_kept_sum_order(all.of.M);
    shared->bytes = bytes_of(shared, order->rows.rows);
    /* The processes have agreed that they share the order, so a failure from here on must be told to all of them. */
    status = sl_cuda_keep_derived(product->ctx, &order->derived, &sl_cuda_shared_kind, shared);
    *done = on_all(values->grid, status == SL_OK);
    return status;
}
