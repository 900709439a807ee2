/* Whether the pattern of a matrix is symmetric, by the sums of the ranks' blocks (mirrors.h). */
#include "dist/operations/symmetry.h"

#include <semla/mirrors.h>

#include "dist/grid/blocks.h"
#include "dist/grid_operations.h"

sl_status sl_grid_sum_mirrors(sl_call *call)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    const sl_local_blocks rows = sl_grid_rows(grid, call->a->nrows),
                          cols = sl_grid_columns(grid, call->a->ncols);
    sl_mirrors own = {.key = call->mirrors->key, .rows = &rows, .cols = &cols};
    sl_call local = {
        .op = SL_OP_SUM_MIRRORS, .ctx = grid->local, .a = sl_grid_block(call->a), .mirrors = &own};
    void *all;
    const sl_status status =
        sl_gather(call->ctx, sl_local_run(grid, &local), &all, NULL, &own.sum, sizeof own.sum);
    call->outcome.agreed = true;
    call->mirrors->sum = 0;
    for (int rank = 0; status == SL_OK && rank < grid->size; rank++)
        call->mirrors->sum += ((const uint64_t *)all)[rank];
    sl_free(all);
    return status;
}

sl_status sl_grid_find_symmetry(sl_matrix *A)
{
    return sl_find_symmetry(A, sl_grid_sum_mirrors);
}
