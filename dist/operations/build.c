/* build and resize: entries are sent to the ranks that own them. */
#include "dist/grid_operations.h"

#include "dist/grid/user_operators.h"
#include "dist/operations/rank_tuples.h"

#include <string.h>

/* *some: some rank passes values. A rank without tuples need not pass an array of values. */
static sl_status some_have_values(bool *some, sl_grid *grid, const sl_call *call)
{
    *some = call->count > 0 && call->tuples.values;
    return sl_grid_check(grid, "MPI_Allreduce",
                         MPI_Allreduce(MPI_IN_PLACE, some, 1, MPI_C_BOOL, MPI_LOR, grid->all));
}

static void *ones(sl_grid *grid, sl_type type, uint64_t count)
{
    size_t size = sl_type_size(type);
    sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), type);
    char *values = sl_malloc(count > 0 ? count * size : 1);
    if (!values)
        sl_fail(grid->ctx, SL_NO_MEMORY, "out of memory for %zu values", (size_t)count);
    for (uint64_t k = 0; values && k < count; k++)
        memcpy(values + k * size, &one.as, size);
    return values;
}

/* `given` are the caller's arrays. */
static sl_status send_and_build(sl_grid *grid, const sl_call *call, const sl_tuples *given,
                                sl_status status)
{
    const sl_tuple_memory *memory = sl_grid_tuple_memory(grid, call);
    const sl_object *out = call->out;
    sl_tuples copied = {.type = given->type, .memory = memory}, received;
    const bool copies = memory != &sl_host_tuple_memory;
    if (copies && status == SL_OK)
        status = sl_tuples_copy_in(&copied, grid, memory, given);
    status = sl_tuples_to_owners(&received, grid, copies ? &copied : given, out->nrows, out->ncols,
                                 status);
    sl_tuples_free(&copied);
    SL_TRY(status);
    status = sl_tuples_build(grid, sl_grid_block(call->out), &received,
                             sl_local_binary(call->operators.binary));
    sl_tuples_free(&received);
    return status;
}

sl_status sl_grid_build(sl_call *call)
{
    static uint64_t none; /* the address of an empty list */
    sl_grid *grid = sl_grid_of(call->ctx);
    bool valued;
    SL_TRY(some_have_values(&valued, grid, call));
    sl_tuples sent = {.type = call->out->type,
                      .count = call->count,
                      .rows = call->count ? call->tuples.rows : &none,
                      .values = call->tuples.values};
    if (call->out->is_matrix)
        sent.cols = call->count ? call->tuples.cols : &none;
    void *filled = NULL;
    if (!valued)
        sent.values = NULL;
    else if (!sent.values)
        sent.values = filled = ones(grid, sent.type, sent.count);
    sl_status status = !valued || sent.values ? SL_OK : SL_NO_MEMORY;
    if (!sent.values && valued)
        sent.values = &none;
    status = send_and_build(grid, call, &sent, status);
    sl_free(filled);
    return status;
}

/* ---- resize ----------------------------------------------------------------------- */

/* A new shape has another distribution, in which every entry may have another owner. */
static sl_status resize(sl_grid *grid, const sl_call *call, sl_object *made, sl_tuples *moved)
{
    const sl_tuple_memory *memory = sl_grid_tuple_memory(grid, call);
    const sl_tuple_filter inside = {.nrows = call->rows.count, .ncols = call->cols.count};
    sl_tuples received;
    sl_status status = sl_tuples_to_move(moved, grid, memory, sl_grid_block(call->out));
    if (status == SL_OK)
        status = sl_tuples_to_global(moved, grid, call->out);
    if (status == SL_OK)
        status = sl_tuples_filter(moved, grid, &inside);
    SL_TRY(sl_tuples_to_owners(&received, grid, moved, call->rows.count, call->cols.count, status));
    status = sl_tuples_build(grid, made, &received, NULL);
    sl_tuples_free(&received);
    return status;
}

sl_status sl_grid_resize(sl_call *call)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    sl_object shape = *call->out, *made;
    shape.nrows = call->rows.count;
    shape.ncols = call->cols.count;
    sl_tuples moved = {.type = shape.type};
    sl_status status = sl_grid_agree(grid, sl_grid_block_new(&made, grid, &shape));
    if (status == SL_OK)
        status = resize(grid, call, made, &moved);
    sl_tuples_free(&moved);
    if (status == SL_OK)
        sl_grid_block_replace(call->out, made);
    else
        sl_grid_block_free(made);
    return status;
}
