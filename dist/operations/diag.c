/* diag: a matrix with a vector on a diagonal, and a diagonal as a vector. */
#include "operations.h"

#include "tuples.h"

#include <string.h>

/* Converts the entries of a vector to entries of a matrix's diagonal. */
static sl_status onto_diagonal(sl_tuples *t, sl_grid *grid, const sl_call *call)
{
    SL_TRY(sl_tuples_of(t, grid, sl_grid_block(call->a)));
    t->cols = sl_malloc((t->count + 1) * sizeof *t->cols);
    if (!t->cols)
        return sl_fail(grid->ctx, SL_NO_MEMORY, "diag: out of memory");
    sl_local_blocks own = sl_grid_own(grid, call->a->nrows);
    sl_indices_to_global(t->rows, t->count, &own);
    uint64_t down = call->offset < 0 ? 0 - (uint64_t)call->offset : 0;
    uint64_t right = call->offset > 0 ? (uint64_t)call->offset : 0;
    for (uint64_t k = 0; k < t->count; k++) {
        t->cols[k] = t->rows[k] + right;
        t->rows[k] += down;
    }
    return SL_OK;
}

/* Converts the entries of a matrix's diagonal to entries of a vector. */
static sl_status of_diagonal(sl_tuples *t, sl_grid *grid, const sl_call *call)
{
    SL_TRY(sl_tuples_of(t, grid, sl_grid_block(call->a)));
    sl_tuples_to_global(t, grid, call->a);
    size_t size = sl_type_size(t->type);
    uint64_t kept = 0;
    for (uint64_t k = 0; k < t->count; k++) {
        if (t->cols[k] - t->rows[k] != (uint64_t)call->offset)
            continue;
        t->rows[kept] = call->offset < 0 ? t->cols[k] : t->rows[k];
        memmove((char *)t->values + kept * size, (char *)t->values + k * size, size);
        kept++;
    }
    t->count = kept;
    sl_free(t->cols);
    t->cols = NULL;
    return SL_OK;
}

sl_status sl_grid_diag(sl_call *call)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    sl_tuples sent = {.type = call->a->type}, received;
    sl_status status =
        call->out->is_matrix ? onto_diagonal(&sent, grid, call) : of_diagonal(&sent, grid, call);
    status =
        sl_tuples_to_owners(&received, grid, &sent, call->out->nrows, call->out->ncols, status);
    sl_tuples_free(&sent);
    if (status == SL_OK)
        status = sl_tuples_build(grid, sl_grid_block(call->out), &received, NULL);
    sl_tuples_free(&received);
    return status;
}
