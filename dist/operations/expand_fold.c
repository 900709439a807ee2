/* Expand and fold of vectors, by exchanges of messages along a row or a column of the grid. */
#include "expand_fold.h"

#include "vector_messages.h"

/* Encodes the vector, exchanges the messages and decodes them. Three steps for all ranks: lengths,
 * agreement, messages. In a communicator of one member nothing is exchanged. */
static sl_status exchange(sl_vector **v, sl_grid *grid, MPI_Comm comm, const sl_object *vector,
                          sl_send what, const sl_decoding *decoding, sl_status status)
{
    const bool sums = decoding->join == SL_JOIN_SUMS;
    sl_messages x;
    sl_messages_open(&x, grid, comm);
    if (status == SL_OK)
        status = sl_vector_encode(&x, vector, sums ? decoding->blocks : NULL, what);
    status = sl_messages_exchange_lengths(&x, status);
    if (x.members > 1)
        status = sl_grid_agree(grid, status);
    if (status == SL_OK) {
        const double began = sl_seconds();
        status = sl_messages_exchange(&x);
        grid->traffic.seconds[decoding->phase] += sl_seconds() - began;
    }
    if (status == SL_OK)
        status = sl_vector_decode(v, &x, decoding);
    sl_messages_close(&x);
    return status;
}

static int members_of(MPI_Comm comm)
{
    int members;
    MPI_Comm_size(comm, &members);
    return members;
}

/* ---- expand ----------------------------------------------------------------------- */

void sl_expanded_free(sl_expanded *expanded)
{
    sl_vector_free(expanded->made);
    *expanded = (sl_expanded){0};
}

sl_status sl_vector_expand(sl_expanded *whole, sl_grid *grid, MPI_Comm comm,
                           const sl_local_blocks *blocks, const sl_object *block, sl_spread spread,
                           sl_status status)
{
    *whole = (sl_expanded){0};
    const bool values = spread == SL_SPREAD_VALUES, pattern = spread == SL_SPREAD_PATTERN;
    const sl_decoding decoding = {.join = SL_JOIN_BLOCKS,
                                  .blocks = blocks,
                                  .type = values || pattern ? block->type : SL_INT64,
                                  .fill = spread == SL_SPREAD_INDICES ? SL_FILL_INDICES
                                          : spread == SL_SPREAD_ZEROS ? SL_FILL_ZEROS
                                                                      : SL_FILL_RECEIVED,
                                  .phase = SL_PHASE_OPERAND};
    if (members_of(comm) > 1 || !(values || pattern))
        status = exchange(&whole->made, grid, comm, block,
                          values ? SL_SEND_ENTRIES : SL_SEND_PATTERN, &decoding, status);
    whole->vector = whole->made ? whole->made : (const sl_vector *)block;
    return status;
}

sl_status sl_mask_expand(sl_expanded *whole, sl_grid *grid, MPI_Comm comm,
                         const sl_local_blocks *blocks, const sl_object *block, bool structural,
                         sl_status status)
{
    *whole = (sl_expanded){0};
    const sl_decoding decoding = {
        .join = SL_JOIN_BLOCKS, .blocks = blocks, .type = SL_BOOL, .phase = SL_PHASE_MASK};
    if (members_of(comm) > 1 || !structural)
        status = exchange(&whole->made, grid, comm, block,
                          structural ? SL_SEND_PATTERN : SL_SEND_TRUE, &decoding, status);
    whole->vector = whole->made ? whole->made : (const sl_vector *)block;
    return status;
}

/* ---- fold -------------------------------------------------------------------------- */

sl_status sl_vector_fold(sl_vector **own, sl_grid *grid, MPI_Comm comm,
                         const sl_local_blocks *blocks, sl_vector **partial, sl_monoid sum,
                         bool ones, sl_status status)
{
    *own = NULL;
    if (members_of(comm) == 1) {
        *own = status == SL_OK ? *partial : NULL;
        *partial = status == SL_OK ? NULL : *partial;
        return status;
    }
    const sl_decoding decoding = {.join = SL_JOIN_SUMS,
                                  .blocks = blocks,
                                  .type = sum->type,
                                  .sum = sum->op,
                                  .any = ones || sum->any,
                                  .phase = SL_PHASE_RESULT};
    status = exchange(own, grid, comm, *partial ? sl_object_of_vector(*partial) : NULL,
                      ones ? SL_SEND_PATTERN : SL_SEND_ENTRIES, &decoding, status);
    sl_vector_free(*partial);
    *partial = NULL;
    return status;
}
