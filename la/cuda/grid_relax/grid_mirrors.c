/* Whether every edge of the matrix of a grid with one row, whose processes have all edges of their vertices, has a mirror edge of
 * the same length. */
#include "grid_mirrors_kernels.h"
#include "grid_relax_run.h"

static grid_whole_rows rows_of(const cuda_grid_relax *r)
{
    const sl_object *object = r->s.call->a;
    const cuda_matrix *A = cuda_matrix_of(object);
    return (grid_whole_rows){.first = sl_local_blocks_begin(&r->x->cols, r->x->grid->j),
                             .rows = object->nrows,
                             .nnz = A->nnz,
                             .start = A->start,
                             .index = A->index,
                             .values = A->values,
                             .size = sl_type_size(object->type)};
}

static sl_status sum_of_block(cuda_grid_relax *r, uint64_t *sum)
{
    const grid_whole_rows rows = rows_of(r);
    unsigned long long *on_device, read;
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &on_device, sizeof *on_device));
    CUDA_TRY(sl_cuda_zero(r->s.call->ctx, on_device, sizeof *on_device));
    CUDA_TRY(
        cuda_launched(&r->s, "kernel mirror_sum",
                      sl_cuda_grid_mirror_sum(&rows, on_device, cuda_processors(), cuda_stream())));
    CUDA_TRY(sl_cuda_fetch(r->s.call->ctx, "kernel mirror_sum", &read, on_device, sizeof read));
    *sum = read;
    return SL_OK;
}

sl_status sl_cuda_grid_find_mirrors(cuda_grid_relax *r)
{
    const sl_device_grid *grid = r->x->grid;
    uint64_t sum = 0;
    CUDA_TRY(cuda_grid_agree(grid, sum_of_block(r, &sum)));
    CUDA_TRY(cuda_grid_agree(grid, grid->reduce(grid, &sum, 1, false)));
    r->mirrored = sum == 0;
    return SL_OK;
}
