/* build and resize: entries are sent to the ranks that own them. */
#include "operations.h"

#include "tuples.h"
#include "user_operators.h"

#include <string.h>

/* *some: some rank passes values. A rank without tuples need not pass an array of values. */
static sl_status some_have_values(bool *some, sl_grid *grid, const sl_call *call)
{
    *some = call->count > 0 && call->values;
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

static sl_status send_and_build(sl_grid *grid, const sl_call *call, const sl_tuples *sent,
                                sl_status status)
{
    sl_tuples received;
    SL_TRY(sl_tuples_to_owners(&received, grid, sent, call->out->nrows, call->out->ncols, status));
    status =
        sl_tuples_build(grid, sl_grid_block(call->out), &received, sl_local_binary(call->binary));
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
                      .rows = call->count ? (uint64_t *)call->rows : &none,
                      .values = (void *)call->values};
    if (call->out->is_matrix)
        sent.cols = call->count ? (uint64_t *)call->cols : &none;
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

/* Removes the tuples that are outside a shape. */
static void cut(sl_tuples *t, uint64_t nrows, uint64_t ncols)
{
    size_t size = sl_type_size(t->type);
    uint64_t kept = 0;
    for (uint64_t k = 0; k < t->count; k++) {
        if (t->rows[k] >= nrows || (t->cols && t->cols[k] >= ncols))
            continue;
        t->rows[kept] = t->rows[k];
        if (t->cols)
            t->cols[kept] = t->cols[k];
        if (t->values)
            memmove((char *)t->values + kept * size, (char *)t->values + k * size, size);
        kept++;
    }
    t->count = kept;
}

/* A new shape has another distribution, in which every entry may have another owner. */
static sl_status resize(sl_grid *grid, const sl_call *call, sl_object *made, sl_tuples *moved)
{
    sl_tuples received;
    sl_status status = sl_tuples_to_move(moved, grid, sl_grid_block(call->out));
    if (status == SL_OK) {
        sl_tuples_to_global(moved, grid, call->out);
        cut(moved, call->nrows, call->ncols);
    }
    SL_TRY(sl_tuples_to_owners(&received, grid, moved, call->nrows, call->ncols, status));
    status = sl_tuples_build(grid, made, &received, NULL);
    sl_tuples_free(&received);
    return status;
}

sl_status sl_grid_resize(sl_call *call)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    sl_object shape = *call->out, *made;
    shape.nrows = call->nrows;
    shape.ncols = call->ncols;
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
