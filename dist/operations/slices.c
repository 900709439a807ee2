/* Slices for writing files: consecutive rows are sent to one rank and sorted there. */
#include "operations.h"

#include "tuples.h"

/* The rank for which sl_context_local_range returns a range that contains a row. */
static uint32_t rank_of_row(uint64_t row, uint64_t nrows, uint64_t ranks)
{
    const uint64_t whole = nrows / ranks, extra = nrows % ranks;
    if (row < extra * (whole + 1))
        return (uint32_t)(row / (whole + 1));
    return (uint32_t)(extra + (row - extra * (whole + 1)) / whole);
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
    for (uint64_t k = 0; to && k < sent.count; k++)
        to[k] = rank_of_row(sent.rows[k], object->nrows, (uint64_t)grid->size);
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
