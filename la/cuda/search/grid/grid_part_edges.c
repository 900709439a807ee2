/* The edges of a part: sorted by target for pulls, then transposed for pushes. */
#include "cuda/operations/generator.h"
#include "cuda/reorder/reorder_kernels.h"
#include "cuda/search/grid/grid_part_build.h"
#include "cuda/search/row/transpose_edges.h"

/* The offsets of the lengths, by source or by target. */
static sl_status sum_lengths(cuda_grid_build *m, uint64_t **start, uint32_t rows,
                             const uint32_t *length, const uint32_t *id, uint64_t n)
{
    GRID_ALLOCATE(m, m->degree, rows);
    GRID_ALLOCATE(m, *start, (uint64_t)rows + 1);
    CUDA_TRY(sl_cuda_zero(m->ctx, m->degree, rows * sizeof *m->degree));
    CUDA_TRY(
        sl_cuda_status(m->ctx, "kernel scatter", sl_cuda_grid_scatter(m->degree, length, id, n)));
    CUDA_TRY(sl_cuda_sum_rows(m->ctx, &m->arena, *start, m->degree, rows));
    sl_cuda_free(m->degree);
    m->degree = NULL;
    return SL_OK;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static sl_status by_target(cuda_grid_build *m)
{
    cuda_grid_part *part = m->part;
    CUDA_TRY(sum_lengths(m, &part->in.start, part->targets, m->col_length, m->col_id, m->cols));
    GRID_ALLOCATE(m, part->in.index, part->edges);
    cuda_transposition o = {.ctx = m->ctx,
                            .index = part->in.index,
                            .source = {.start = m->entries->start,
                                       .index = m->entries->index,
                                       .rows = m->rows,
                                       .entries = part->edges,
                                       .row_id = m->row_id,
                                       .column_id = m->col_id},
                            .bits = sl_cuda_bits_for(part->sources)};
    return sl_cuda_transpose_edges(&o, part->targets, part->in.start,
                                   least(part->edges, part->sources));
}

static sl_status by_source(cuda_grid_build *m)
{
    cuda_grid_part *part = m->part;
    CUDA_TRY(sum_lengths(m, &part->out.start, part->sources, m->row_length, m->row_id, m->rows));
    GRID_ALLOCATE(m, part->out.index, part->edges);
    cuda_transposition o = {.ctx = m->ctx,
                            .index = part->out.index,
                            .source = {.start = part->in.start,
                                       .index = part->in.index,
                                       .rows = part->targets,
                                       .entries = part->edges},
                            .bits = sl_cuda_bits_for(part->targets)};
    return sl_cuda_transpose_edges(&o, part->sources, part->out.start,
                                   least(part->edges, part->targets));
}

/* Copies the first sources of each target to arrays of their own. */
static sl_status fill_slots(cuda_grid_build *m)
{
    cuda_grid_part *part = m->part;
    for (int k = 0; k < ELL_SLOTS; k++)
        GRID_ALLOCATE(m, part->slot[k], part->targets);
    GRID_ALLOCATE(m, part->word_degree, part->targets / 32);
    return sl_cuda_status(m->ctx, "kernel fill_slots",
                          sl_cuda_grid_fill_slots(part->slot, part->word_degree, part->in.start,
                                                  part->in.index, part->targets));
}

sl_status sl_cuda_grid_edges(cuda_grid_build *m)
{
    cuda_grid_part *part = m->part;
    CUDA_TRY(by_target(m));
    CUDA_TRY(fill_slots(m));
    CUDA_TRY(by_source(m));
    GRID_ALLOCATE(m, part->first_vertex, m->grid->cols);
    CUDA_TRY(sl_cuda_upload(m->ctx, part->first_vertex, m->blocks->first_vertex,
                            m->grid->cols * sizeof *part->first_vertex));
    GRID_ALLOCATE(m, part->no_in_edges, part->targets / 32);
    GRID_ALLOCATE(m, part->row_of_source, part->sources);
    CUDA_TRY(
        sl_cuda_status(m->ctx, "kernel empty_rows",
                       sl_cuda_grid_empty_rows(part->no_in_edges, part->in.start, part->targets)));
    CUDA_TRY(sl_cuda_status(m->ctx, "kernel set_old_ids",
                            sl_cuda_group_old_ids(part->row_of_source, m->row_id, m->rows)));
    return sl_cuda_wait(m->ctx, "construction of a part");
}
