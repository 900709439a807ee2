/* Redistributes matrices that a call reads transposed, so that all operands have aligned blocks. */
#include "dist/operations/aligned.h"

#include "dist/operations/symmetry.h"
#include "dist/search/prepared.h"

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

/* Whether the call reads values of its first or second operand: a product may read the pattern alone. */
static bool reads_values(const sl_call *call, bool second)
{
    const sl_semiring semiring = call->operators.semiring;
    return call->op != SL_OP_MXM ||
           (second ? semiring->multiply->reads_y : semiring->multiply->reads_x);
}

/* *block: of the transpose. Products keep it with the matrix; a symmetric pattern is its own transpose. */
static sl_status find_transposed(sl_object **block, sl_aligned *aligned, const sl_call *call,
                                 sl_object *matrix, bool second)
{
    sl_matrix *A = (sl_matrix *)matrix, **kept = &aligned->made[second];
    const bool by_pattern = !reads_values(call, second);
    if (by_pattern)
        SL_TRY(sl_grid_find_symmetry(A));
    if (by_pattern && A->symmetry == SL_SYMMETRIC)
        return SL_OK;
    if (call->op == SL_OP_MXM)
        SL_TRY(sl_prepared_transposed(&kept, A, sl_grid_of(call->ctx)));
    if (!*kept)
        SL_TRY(sl_grid_block_transposed(kept, call, matrix));
    *block = sl_object_of_matrix(*kept);
    return SL_OK;
}

sl_status sl_aligned_open(sl_aligned *aligned, const sl_call *call)
{
    *aligned = (sl_aligned){.local = sl_local_call(call)};
    sl_status status = SL_OK;
    aligned->local.flags &= ~(unsigned)(SL_TRANSPOSE_A | SL_TRANSPOSE_B);
    if (transposes(call, call->a, false))
        status = find_transposed(&aligned->local.a, aligned, call, call->a, false);
    if (status == SL_OK && transposes(call, call->b, true))
        status = find_transposed(&aligned->local.b, aligned, call, call->b, true);
    if (status != SL_OK)
        sl_aligned_close(aligned);
    return status;
}

void sl_aligned_close(sl_aligned *aligned)
{
    sl_matrix_free(aligned->made[0]);
    sl_matrix_free(aligned->made[1]);
}
