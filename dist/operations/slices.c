/* Slices for writing files: consecutive rows are sent to one rank, and sorted there unless they arrive so. */
#include "dist/grid_operations.h"

#include "dist/operations/rank_tuples.h"

/* The first row of a rank's slice, as sl_context_local_range returns it. */
static uint64_t first_row(uint64_t rank, uint64_t nrows, uint64_t ranks)
{
    const uint64_t extra = nrows % ranks;
    return nrows / ranks * rank + (rank < extra ? rank : extra);
}

/* to[k] = the rank with rows[k] in its slice; the rows ascend. */
static void find_ranks(uint32_t *to, const uint64_t *rows, uint64_t count, uint64_t nrows,
                       uint64_t ranks)
{
    uint64_t rank = 0, end = first_row(1, nrows, ranks);
    for (uint64_t k = 0; k < count; k++) {
        while (rows[k] >= end)
            end = first_row(++rank + 1, nrows, ranks);
        to[k] = (uint32_t)rank;
    }
}

static sl_status send_to_slices(sl_tuples *received, sl_grid *grid, const sl_object *object)
{
    sl_tuples sent;
    sl_status status = sl_tuples_to_move(&sent, grid, &sl_host_tuple_memory, sl_grid_block(object));
    if (status == SL_OK)
        status = sl_tuples_to_global(&sent, grid, object);
    uint32_t *to = sl_malloc((sent.count + 1) * sizeof *to);
    if (status == SL_OK && !to)
        status = sl_fail(grid->ctx, SL_NO_MEMORY, "slice: out of memory");
    if (status == SL_OK)
        find_ranks(to, sent.rows, sent.count, object->nrows, (uint64_t)grid->size);
    status = sl_tuples_route(received, grid, grid->all, &sent, to, status);
    sl_tuples_free(&sent);
    sl_free(to);
    return status;
}

sl_status sl_grid_slice(sl_call *call)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    sl_tuples received;
    SL_TRY(send_to_slices(&received, grid, call->a));
    const bool valued = received.values;
    sl_status status = sl_tuples_sort(call->arrays, grid, call->a, &received);
    sl_tuples_free(&received);
    if (status == SL_OK && !valued) {
        sl_free(call->arrays->values);
        call->arrays->values = NULL;
    } else if (status == SL_OK && sl_arrays_expand(grid->local, call->arrays) != SL_OK) {
        status = sl_grid_local_failed(grid, SL_NO_MEMORY);
    }
    if (status != SL_OK)
        sl_arrays_free(call->arrays);
    return status;
}
