/* When the processes of a grid share an order, and what they share. */
#include "shared_order.h"

#include "operations.h"
#include "reordered_products.h"
#include "shared_order_kernels.h"

void sl_cuda_free_shared_order(cuda_shared_order *shared)
{
    if (!shared)
        return;
    sl_free(shared->column_begin);
    sl_free(shared->row_begin);
    sl_cuda_free(shared->bits);
    sl_cuda_free(shared->ends);
    sl_cuda_free(shared->any);
    sl_free(shared);
}

/* ---- the state ------------------------------------------------------------------------------------- */

static const sl_object *matrix_of(const sl_call *product)
{
    return product->op == SL_OP_VXM ? product->b : product->a;
}

/* Whether a product sums over the rows of the matrix as the caller has it, which are the columns of the one that is read. */
static bool sums_rows(const sl_call *product)
{
    const bool vxm = product->op == SL_OP_VXM;
    return vxm != ((product->flags & (vxm ? SL_TRANSPOSE_B : SL_TRANSPOSE_A)) != 0);
}

/* The rows, or the columns, of the matrix that is read. */
static uint64_t size_of(const sl_call *product, bool columns)
{
    return sums_rows(product) == columns ? matrix_of(product)->nrows : matrix_of(product)->ncols;
}

sl_order_state sl_cuda_order_state(const sl_call *product)
{
    bool yes = false;
    const cuda_matrix *M = sl_cuda_summed_matrix((sl_call *)product);
    if (!M || M->reordered || M->pinned)
        return SL_ORDER_NONE;
    if (M->sum_order && M->sum_order->shared)
        return sl_cuda_has_room_for_sums(&yes, product->ctx, M->sum_order,
                                         product->semiring->result) == SL_OK &&
                       yes
                   ? SL_ORDER_SHARED
                   : SL_ORDER_NONE;
    return sl_cuda_wants_sum_order(product->ctx, &yes, M, size_of(product, false),
                                   size_of(product, true)) == SL_OK &&
                   yes
               ? SL_ORDER_WANTED
               : SL_ORDER_NONE;
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

/* The order of M, and what is shared of it. *made: on all processes. */
static sl_status make(bool *made, cuda_shared_order *shared, const sl_vector_exchange *values,
                      const sl_vector_exchange *sums, cuda_scratch *s, cuda_matrix *M,
                      sl_status status)
{
    uint32_t *column_id = NULL;
    const uint64_t columns = size_of(s->call, true);
    *made = false;
    if (has_line(values))
        status = sl_cuda_share_columns(&column_id, shared, values, s, M, columns, status);
    if (status == SL_OK)
        status = sl_cuda_make_sum_order(
            s->call, M, size_of(s->call, false), columns, column_id,
            column_id ? shared->column_begin[sl_device_grid_members(values->grid, values->line)]
                      : 0);
    if (!on_all(values->grid, status == SL_OK && M->sum_order))
        return status;
    if (has_line(sums))
        status = sl_cuda_share_rows(shared, sums, s, M, status);
    *made = on_all(values->grid, status == SL_OK);
    return status;
}

sl_status sl_cuda_share_order(bool *done, const sl_vector_exchange *values,
                              const sl_vector_exchange *sums, sl_call *product, sl_status status)
{
    cuda_scratch s = {.call = product};
    cuda_matrix *M = sl_cuda_summed_matrix(product);
    cuda_shared_order *shared = sl_calloc(1, sizeof *shared);
    if (status == SL_OK && !shared)
        status = cuda_no_host_memory(product->ctx);
    *done = false;
    if (sl_device_grid_members(sums->grid, sums->line) <= CUDA_MOST_SUMMANDS)
        status = make(done, shared, values, sums, &s, M, status);
    sl_cuda_scratch_release(&s);
    if (*done) {
        M->sum_order->shared = shared;
        M->sum_order->bytes += bytes_of(shared, M->sum_order->rows.rows);
    } else {
        sl_cuda_free_shared_order(shared);
    }
    return status;
}
