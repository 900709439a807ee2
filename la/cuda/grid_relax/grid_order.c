/*
 * The order of the vertices of a grid of one row by degree, so that those with many edges, which most edges lead to, are
 * neighbours in memory: each process numbers its own vertices, and tells all others. Made once, for rows that are sorted
 * by length.
 */
#include "grid_order_kernels.h"
#include "grid_relax_run.h"
#include "lengths.h"
#include "reorder_kernels.h"
#include "sorting.h"

/* The own vertices by descending degree, in the slot of this round; where their rows begin then. */
static sl_status sort_vertices(cuda_grid_relax *r, uint64_t *new_start)
{
    sl_context *ctx = r->s.call->ctx;
    const uint32_t n = (uint32_t)r->s.call->a->nrows;
    uint32_t *degree, *vertex, *sorted, *slot = (uint32_t *)sl_cuda_grid_relax_slot(r);
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &degree, n * sizeof *degree));
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &vertex, n * sizeof *vertex));
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &sorted, n * sizeof *sorted));
    CUDA_TRY(cuda_launched(&r->s, "kernel row_degrees",
                           sl_cuda_row_degrees(degree, vertex, cuda_matrix_of(r->s.call->a)->start,
                                               n, cuda_processors(), cuda_stream())));
    CUDA_TRY(sl_cuda_sort_vertices(ctx, &r->s.arena, sorted, slot, degree, vertex, n));
    return sl_cuda_sum_rows(ctx, &r->s.arena, new_start, sorted, n);
}

/* new_id: of all vertices. */
static sl_status order_rows(cuda_grid_relax *r, cuda_lengths *ordered, const uint32_t *new_id)
{
    const sl_object *object = r->s.call->a;
    const cuda_matrix *A = cuda_matrix_of(object);
    const size_t size = A->lengths->narrow ? 4 : 8;
    if (A->nnz == 0)
        return SL_OK;
    CUDA_TRY(sl_cuda_alloc(object->ctx, (void **)&ordered->index, A->nnz * sizeof *A->index));
    CUDA_TRY(sl_cuda_alloc(object->ctx, &ordered->length, A->nnz * size));
    const grid_rows_to_order x = {.first = sl_local_blocks_begin(&r->x->cols, r->x->grid->j),
                                  .rows = object->nrows,
                                  .nnz = A->nnz,
                                  .old_id = ordered->order.old_id,
                                  .new_id = new_id,
                                  .start = A->start,
                                  .new_start = ordered->start,
                                  .index = A->lengths->index,
                                  .new_index = ordered->index,
                                  .length = A->lengths->length,
                                  .new_length = ordered->length,
                                  .size = size};
    return cuda_launched(&r->s, "kernel order_rows",
                         sl_cuda_grid_order_rows(&x, cuda_processors(), cuda_stream()));
}

/* The new numbers of all vertices, and those of the own ones, which are kept; the rows. */
static sl_status apply_order(cuda_grid_relax *r, cuda_lengths *ordered)
{
    const sl_object *object = r->s.call->a;
    const uint64_t first = sl_local_blocks_begin(&r->x->cols, r->x->grid->j);
    uint32_t *new_id;
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &new_id, object->ncols * sizeof *new_id));
    CUDA_TRY(cuda_launched(&r->s, "kernel invert",
                           sl_cuda_grid_invert_order(new_id, ordered->order.old_id, object->ncols,
                                                     cuda_processors(), cuda_stream())));
    CUDA_TRY(sl_cuda_copy(object->ctx, ordered->order.new_id, new_id + first,
                          object->nrows * sizeof *new_id));
    return order_rows(r, ordered, new_id);
}

/* The bitmap of this process's short rows, in the slot of this round, and the counts of its rows. */
static sl_status find_short_rows(cuda_grid_relax *r, cuda_lengths *ordered)
{
    sl_context *ctx = r->s.call->ctx;
    uint32_t *const slot = (uint32_t *)sl_cuda_grid_relax_slot(r);
    grid_row_counts *on_device, read;
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &on_device, sizeof *on_device));
    CUDA_TRY(sl_cuda_zero(ctx, on_device, sizeof *on_device));
    CUDA_TRY(
        cuda_launched(&r->s, "kernel short_rows",
                      sl_cuda_grid_short_rows(ordered->start, r->s.call->a->nrows, GRID_PATHS_SHORT,
                                              slot, on_device, cuda_processors(), cuda_stream())));
    CUDA_TRY(sl_cuda_fetch(ctx, "kernel short_rows", &read, on_device, sizeof read));
    ordered->order.used = read.used;
    ordered->order.short_edges = read.short_edges;
    return SL_OK;
}

static sl_status new_arrays(sl_context *ctx, cuda_lengths *ordered, uint64_t own, uint64_t all)
{
    cuda_vertex_order *order = &ordered->order;
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&ordered->start, (own + 1) * sizeof *ordered->start));
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&order->old_id, all * sizeof *order->old_id));
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&order->new_id, own * sizeof *order->new_id));
    return sl_cuda_alloc(ctx, (void **)&order->short_bits,
                         cuda_words(all) * sizeof *order->short_bits);
}

sl_status sl_cuda_grid_order_vertices(cuda_grid_relax *r)
{
    const sl_object *object = r->s.call->a;
    cuda_lengths ordered = {.start = NULL};
    r->status = new_arrays(object->ctx, &ordered, object->nrows, object->ncols);
    RELAX_DO(r, sort_vertices(r, ordered.start));
    sl_cuda_grid_share_ids(r, ordered.order.old_id);
    RELAX_DO(r, apply_order(r, &ordered));
    RELAX_DO(r, find_short_rows(r, &ordered));
    sl_cuda_grid_share_bits(r, ordered.order.short_bits);
    RELAX_DO(r, sl_cuda_wait(object->ctx, "kernel place_bits"));
    const sl_status status = cuda_grid_agree(r->x->grid, r->status);
    if (status == SL_OK) {
        sl_cuda_keep_ordered_rows(r->s.call, &ordered);
    } else {
        sl_cuda_free(ordered.start);
        sl_cuda_free(ordered.index);
        sl_cuda_free(ordered.length);
        sl_cuda_free_vertex_order(&ordered.order);
    }
    return status;
}
