/* Redistributes matrices that a call reads transposed, so that all operands have aligned blocks. */
#include "dist/operations/aligned.h"

static sl_status send_transposed(sl_tuples *received, sl_grid *grid, const sl_tuple_memory *memory,
                                 const sl_object *matrix)
{
    sl_tuples sent;
    sl_status status = sl_tuples_to_move(&sent, grid, memory, sl_grid_block(matrix));
    if (status == SL_OK)
        status = sl_tuples_to_global(&sent, grid, matrix);
    if (status == SL_OK)
        sl_tuples_transpose(&sent);
    status = sl_tuples_to_owners(received, grid, &sent, matrix->ncols, matrix->nrows, status);
    sl_tuples_free(&sent);
    return status;
}

sl_status sl_grid_block_transposed(sl_matrix **transposed, const sl_call *call,
                                   const sl_object *matrix)
{
    sl_grid *grid = sl_grid_of(matrix->ctx);
    sl_tuples received;
    *transposed = NULL;
    sl_status status = send_transposed(&received, grid, sl_grid_tuple_memory(grid, call), matrix);
    if (status == SL_OK)
        status =
            sl_grid_block_new_matrix(transposed, grid, matrix->type, matrix->ncols, matrix->nrows);
    if (status == SL_OK)
        status = sl_tuples_build(grid, sl_object_of_matrix(*transposed), &received, NULL);
    sl_tuples_free(&received);
    status = sl_grid_agree(grid, status);
    if (status != SL_OK) {
        sl_matrix_free(*transposed);
        *transposed = NULL;
    }
    return status;
}

/* True if a flag transposes the operand; the bound value of apply_first makes it the second one. */
static bool transposes(const sl_call *call, const sl_object *object, bool second)
{
    if (!object || !object->is_matrix)
        return false;
    bool b = second || call->op == SL_OP_APPLY_FIRST;
    return call->flags & (b ? SL_TRANSPOSE_B : SL_TRANSPOSE_A);
}

bool sl_is_aligned_by_exchange(const sl_call *call)
{
    return transposes(call, call->a, false) || transposes(call, call->b, true);
}

sl_status sl_aligned_open(sl_aligned *aligned, const sl_call *call)
{
    *aligned = (sl_aligned){.local = sl_local_call(call)};
    sl_status status = SL_OK;
    aligned->local.flags &= ~(unsigned)(SL_TRANSPOSE_A | SL_TRANSPOSE_B);
    if (transposes(call, call->a, false))
        status = sl_grid_block_transposed(&aligned->made[0], call, call->a);
    if (status == SL_OK && transposes(call, call->b, true))
        status = sl_grid_block_transposed(&aligned->made[1], call, call->b);
    if (aligned->made[0])
        aligned->local.a = sl_object_of_matrix(aligned->made[0]);
    if (aligned->made[1])
        aligned->local.b = sl_object_of_matrix(aligned->made[1]);
    if (status != SL_OK)
        sl_aligned_close(aligned);
    return status;
}

void sl_aligned_close(sl_aligned *aligned)
{
    sl_matrix_free(aligned->made[0]);
    sl_matrix_free(aligned->made[1]);
}
