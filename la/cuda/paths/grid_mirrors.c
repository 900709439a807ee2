/* Whether every edge of a grid's matrix has a mirror edge of the same length; whether a grid of
 * several rows collects whole rows. */
#include <semla/mirrors.h>

#include "cuda/operations/matrix_rows.h"
#include "cuda/paths/grid_relax_run.h"

/* The key is the sum of random numbers of all processes. */
static sl_status agree_on_key(cuda_grid_relax *r, uint64_t *key)
{
    const sl_device_grid *grid = r->x->grid;
    *key = 0;
    CUDA_TRY(cuda_grid_agree(grid, sl_draw_key(key, r->s.call->ctx, "symmetry of a matrix")));
    return cuda_grid_agree(grid, grid->reduce(grid, key, 1, false));
}

sl_status sl_cuda_grid_find_mirrors(cuda_grid_relax *r)
{
    const sl_device_grid *grid = r->x->grid;
    const sl_object *object = r->s.call->a;
    const cuda_matrix_rows block = sl_cuda_view_matrix(object, cuda_matrix_of(object));
    sl_mirrors m = {.rows = &r->x->rows, .cols = &r->x->cols};
    CUDA_TRY(agree_on_key(r, &m.key));
    CUDA_TRY(cuda_grid_agree(grid, sl_cuda_add_mirrors(&m, object->ctx, &block, object->type)));
    CUDA_TRY(cuda_grid_agree(grid, grid->reduce(grid, &m.sum, 1, false)));
    r->mirrored = m.sum == 0;
    return SL_OK;
}

/* ---- whole rows ------------------------------------------------------------------------------------- */

bool sl_cuda_grid_may_use_whole_rows(const sl_call *call, const sl_device_relaxation *x)
{
    return call->traversal->shortest_paths && x->edges / x->vertices >= GRID_PATHS_DEGREE &&
           x->grid->rows * x->grid->cols <= GRID_PATHS_PROCESSES;
}

/* Whether this process has room for the rows that it collects, for the sorted ones, and for the
 * arrays of a closure, beside its block. */
static sl_status find_room(bool *has, const sl_call *call, const sl_device_relaxation *x)
{
    enum {
        VERTEX_BYTES = 64,
        OWN_BYTES = 96
    }; /* of arrays with all vertices, and with the own ones, at most */
    const uint64_t processes = x->grid->rows * x->grid->cols;
    const uint64_t rows = x->edges / processes * (sizeof(uint32_t) + sl_type_size(call->a->type)) +
                          x->vertices / processes * OWN_BYTES + x->vertices * VERTEX_BYTES;
    const cuda_matrix *A = cuda_matrix_of(call->a);
    *has = false;
    return A->pinned || !cuda_has_rows(A) || !sl_cuda_uses_lengths(call)
               ? SL_OK
               : sl_cuda_has_room_for_block_lengths(has, true, rows, call);
}

sl_status sl_cuda_grid_wants_whole_rows(bool *wants, sl_call *call, sl_device_relaxation *x)
{
    const sl_device_grid *grid = x->grid;
    cuda_grid_relax r = {.s = {.call = call}, .x = x};
    bool has = false;
    *wants = false;
    sl_status status = sl_object_migrate(call->a, &sl_store_cuda);
    if (status == SL_OK)
        status = find_room(&has, call, x);
    CUDA_TRY(cuda_grid_agree(grid, status));
    uint64_t lacks = !has;
    CUDA_TRY(cuda_grid_agree(grid, grid->reduce(grid, &lacks, 1, true)));
    if (lacks)
        return SL_OK;
    status = sl_cuda_grid_find_mirrors(&r);
    sl_cuda_scratch_release(&r.s);
    *wants = r.mirrored;
    return status;
}
