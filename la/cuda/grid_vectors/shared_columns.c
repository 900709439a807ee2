/*
 * The order of columns on which the processes of a line agree: each counts the entries of the
 * columns in its block; the process that owns the columns adds the counts up, sorts its columns by
 * falling number, and sends the list to all.
 */
#include "cuda/grid_vectors/shared_order.h"
#include "cuda/grid_vectors/shared_order_kernels.h"
#include "cuda/grid_vectors/vector_parcel_kernels.h"
#include "cuda/reorder/degree_order.h"

/* Sends each process the counts of its columns. */
static sl_status send_counts(cuda_line_exchange *e, const uint32_t *count)
{
    for (uint32_t m = 0; m < e->members; m++) {
        const uint64_t from = sl_local_blocks_begin(e->x->blocks, m);
        const uint64_t bytes = (sl_local_blocks_begin(e->x->blocks, m + 1) - from) * sizeof *count;
        if (m != e->place)
            CUDA_TRY(sl_cuda_copy(e->x->ctx, cuda_line_message(e, e->members - 1, m, bytes),
                                  count + from, bytes));
    }
    return SL_OK;
}

/* *own: the entries of this process's columns in all blocks of the line. */
static sl_status count_columns(uint32_t **own, cuda_line_exchange *e, cuda_scratch *s,
                               const cuda_matrix *M, uint64_t columns, sl_status status)
{
    uint32_t *count;
    CUDA_TRY(cuda_line_begin(e, e->members - 1, e->longest * sizeof *count, status));
    if (status == SL_OK)
        status = sl_cuda_scratch_take(s, &count, columns * sizeof *count);
    if (status == SL_OK)
        status = sl_cuda_find_degrees(e->x->ctx, count, M, columns, true);
    if (status == SL_OK)
        status = send_counts(e, count);
    status = cuda_line_announce(e, status);
    CUDA_TRY(cuda_line_deliver(e, status));
    *own = count + e->first;
    for (uint32_t m = 0; m < e->members; m++)
        if (m != e->place)
            CUDA_TRY(cuda_launched(
                s, "kernel add_counts",
                sl_cuda_add_counts(*own, (const uint32_t *)e->links->received[m].data, e->length)));
    return SL_OK;
}

/* Sends all processes the list of this process's columns with entries, the first ones of *own. */
static sl_status send_list(cuda_degree_order **own, uint32_t **list, cuda_line_exchange *e,
                           cuda_scratch *s, const uint32_t *count)
{
    CUDA_TRY(sl_cuda_order_by_degree(own, s->call->ctx, count, (uint32_t)e->length, NULL));
    for (uint32_t m = 0; m < e->members; m++)
        *list = cuda_line_message(e, 1, m, (*own)->n * sizeof **list);
    return cuda_launched(
        s, "kernel shift_indices",
        sl_cuda_shift_indices(*list, (*own)->old_id, (uint32_t)e->first, (*own)->n));
}

/* Makes room for the announced lists, one after the other, and puts this process's own there. */
static sl_status place_lists(uint32_t **column_id, cuda_shared_order *shared,
                             const cuda_line_exchange *e, const uint32_t *list, uint64_t used)
{
    const size_t size = sizeof **column_id;
    uint64_t *begin = shared->column_begin = sl_calloc(e->members + 1, sizeof *begin);
    if (!begin)
        return cuda_no_host_memory(e->x->ctx);
    for (uint32_t m = 0; m < e->members; m++)
        begin[m + 1] = begin[m] + (m == e->place ? used : e->links->received[m].bytes / size);
    CUDA_TRY(sl_cuda_alloc(e->x->ctx, (void **)column_id, begin[e->members] * size));
    cuda_line_place(e, *column_id, begin, size);
    return sl_cuda_copy(e->x->ctx, *column_id + begin[e->place], list, used * size);
}

sl_status sl_cuda_share_columns(cuda_shared_columns *made, cuda_shared_order *shared,
                                const sl_vector_exchange *x, cuda_scratch *s, const cuda_matrix *M,
                                uint64_t columns, sl_status status)
{
    cuda_line_exchange e = cuda_line_exchange_of(x);
    uint32_t *count = NULL, *list = NULL;
    *made = (cuda_shared_columns){NULL, NULL};
    status = count_columns(&count, &e, s, M, columns, status);
    CUDA_TRY(cuda_line_begin(&e, 1, e.longest * sizeof *list, status));
    if (status == SL_OK)
        status = send_list(&made->own, &list, &e, s, count);
    status = cuda_line_announce(&e, status);
    if (cuda_line_goes_on(&e, status))
        status = place_lists(&made->column_id, shared, &e, list, made->own->n);
    status = cuda_line_deliver(&e, status);
    if (status != SL_OK) {
        sl_cuda_free(made->column_id);
        sl_cuda_drop_order(made->own);
        *made = (cuda_shared_columns){NULL, NULL};
    }
    return status;
}
