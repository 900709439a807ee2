/* Expand and fold of vectors, by exchanges of tuples along a row or a column of the grid. */
#include "expand_fold.h"

#include <string.h>

/* ---- expand ----------------------------------------------------------------------- */

/* Extracts this rank's entries for sending; values only if they are read. */
static sl_status to_send(sl_tuples *t, sl_grid *grid, const sl_object *block, sl_spread spread)
{
    return spread == SL_SPREAD_VALUES ? sl_tuples_of(t, grid, block)
                                      : sl_tuples_of_pattern(t, grid, block);
}

/* Converts indices in one block to indices in the sequence of blocks. */
static void to_local_blocks(sl_tuples *t, const uint64_t *begin, const sl_local_blocks *blocks)
{
    for (uint32_t m = 0; m < blocks->count; m++) {
        uint64_t shift = sl_local_blocks_begin(blocks, m);
        for (uint64_t k = begin[m]; k < begin[m + 1]; k++)
            t->rows[k] += shift;
    }
}

/* Replaces the values: by global indices, or by zeros. */
static sl_status fill(sl_tuples *t, sl_grid *grid, const sl_local_blocks *blocks, sl_spread spread)
{
    if (spread == SL_SPREAD_VALUES || spread == SL_SPREAD_PATTERN)
        return SL_OK;
    uint64_t *values = sl_calloc(t->count + 1, sizeof *values);
    if (!values)
        return sl_fail(grid->ctx, SL_NO_MEMORY, "out of memory for %zu entries", (size_t)t->count);
    if (spread == SL_SPREAD_INDICES) {
        memcpy(values, t->rows, t->count * sizeof *values);
        sl_indices_to_global(values, t->count, blocks);
    }
    t->type = SL_INT64;
    t->values = values;
    return SL_OK;
}

/* Moves sorted tuples into a new vector. */
static sl_status take(sl_vector **v, sl_grid *grid, sl_tuples *t, uint64_t size)
{
    sl_arrays arrays = {.format = SL_FORMAT_LIST,
                        .type = t->type,
                        .nrows = size,
                        .ncols = 1,
                        .nvals = t->count,
                        .rows = t->rows,
                        .values = t->values,
                        .trusted = true};
    SL_TRY_LOCAL(grid, sl_vector_take(v, grid->local, &arrays));
    t->rows = NULL;
    t->values = NULL;
    return SL_OK;
}

sl_status sl_vector_expand(sl_vector **whole, sl_grid *grid, MPI_Comm comm,
                           const sl_local_blocks *blocks, const sl_object *block, sl_spread spread,
                           sl_status status)
{
    *whole = NULL;
    sl_tuples sent = {.type = block->type}, all;
    uint64_t *begin = sl_malloc((blocks->count + 1) * sizeof *begin);
    if (status == SL_OK)
        status = begin ? to_send(&sent, grid, block, spread)
                       : sl_fail(grid->ctx, SL_NO_MEMORY, "out of memory");
    status = sl_tuples_share(&all, begin, grid, comm, &sent, status);
    sl_tuples_free(&sent);
    if (status == SL_OK) {
        to_local_blocks(&all, begin, blocks);
        status = fill(&all, grid, blocks, spread);
    }
    if (status == SL_OK)
        status = take(whole, grid, &all, sl_local_blocks_length(blocks));
    sl_tuples_free(&all);
    sl_free(begin);
    return status;
}

/* ---- fold -------------------------------------------------------------------------- */

/* Finds the member that owns each entry, and makes the index local to its block. */
static void find_members(uint32_t *to, sl_tuples *t, const sl_local_blocks *blocks)
{
    uint32_t m = 0;
    uint64_t begin = 0, end = sl_local_blocks_begin(blocks, 1);
    for (uint64_t k = 0; k < t->count; k++) {
        while (t->rows[k] >= end) {
            begin = end;
            end = sl_local_blocks_begin(blocks, ++m + 1);
        }
        to[k] = m;
        t->rows[k] -= begin;
    }
}

static sl_status send_parts(sl_tuples *received, sl_grid *grid, MPI_Comm comm,
                            const sl_local_blocks *blocks, const sl_vector *partial,
                            sl_status status)
{
    sl_tuples sent = {.type = sl_vector_type(partial)};
    uint32_t *to = NULL;
    if (status == SL_OK)
        status = sl_tuples_of(&sent, grid, sl_object_of_vector(partial));
    if (status == SL_OK) {
        to = sl_malloc((sent.count + 1) * sizeof *to);
        if (to)
            find_members(to, &sent, blocks);
        else
            status = sl_fail(grid->ctx, SL_NO_MEMORY, "out of memory");
    }
    status = sl_tuples_route(received, grid, comm, &sent, to, status);
    sl_tuples_free(&sent);
    sl_free(to);
    return status;
}

sl_status sl_vector_fold(sl_vector **own, sl_grid *grid, MPI_Comm comm,
                         const sl_local_blocks *blocks, const sl_vector *partial, sl_binary_op sum,
                         sl_status status)
{
    int me;
    sl_tuples received;
    *own = NULL;
    MPI_Comm_rank(comm, &me);
    SL_TRY(send_parts(&received, grid, comm, blocks, partial, status));
    uint64_t length = sl_local_blocks_begin(blocks, (uint32_t)me + 1) -
                      sl_local_blocks_begin(blocks, (uint32_t)me);
    status = sl_vector_new(own, grid->local, received.type, length);
    if (status < 0)
        sl_grid_local_failed(grid, status);
    if (status == SL_OK)
        status = sl_tuples_build(grid, sl_object_of_vector(*own), &received, sum);
    sl_tuples_free(&received);
    if (status != SL_OK) {
        sl_vector_free(*own);
        *own = NULL;
    }
    return status;
}
