/* Shortest paths over sorted lengths (grid_paths.cu), on the host's side: sorting, arrays, the pull. */
#include "grid_relax_run.h"
#include "lengths.h"

#include <math.h>

sl_status sl_cuda_grid_paths_suit(bool *suit, const cuda_grid_relax *r)
{
    const sl_call *call = r->s.call;
    *suit = sl_cuda_uses_lengths(call) && !cuda_matrix_of(call->a)->pinned;
    return *suit ? sl_cuda_has_room_for_block_lengths(suit, call) : SL_OK;
}

sl_status sl_cuda_grid_paths_sort(const cuda_grid_relax *r)
{
    const cuda_lengths *rows, *columns;
    return sl_cuda_block_lengths(&rows, &columns, r->s.call);
}

static sl_status take_arrays(cuda_grid_relax *r)
{
    const uint64_t rows = r->p.block.p.rows, bits = cuda_words(rows) * sizeof *r->p.open_bits;
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &r->p.pieces.begin, rows * sizeof *r->p.pieces.begin));
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &r->p.rows, rows * GRID_PATHS_ROW));
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &r->p.open_bits, bits));
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &r->p.least, sizeof(uint64_t)));
    CUDA_TRY(sl_cuda_zero(r->s.call->ctx, r->p.open_bits, bits));
    return cuda_launched(&r->s, "kernel begin", sl_cuda_grid_paths_begin(&r->p, cuda_stream()));
}

sl_status sl_cuda_grid_paths_prepare(cuda_grid_relax *r, double *typical)
{
    const sl_call *call = r->s.call;
    const cuda_lengths *rows, *columns;
    CUDA_TRY(sl_cuda_block_lengths(&rows, &columns, call));
    r->p = (grid_paths){.block = r->g.block,
                        .own = r->g.own,
                        .own_begin = r->g.own_begin,
                        .narrow = rows->narrow,
                        .col_start = columns->start,
                        .col_index = columns->index,
                        .col_length = columns->length,
                        .pieces = {.ends = r->g.block.frontier[0].ends},
                        .counts = r->g.counts};
    r->p.block.p.index = rows->index;
    r->p.block.p.values = rows->length;
    *typical = r->g.block.p.nnz > 0 ? rows->typical : 0;
    return take_arrays(r);
}

void sl_cuda_grid_paths_set_width(cuda_grid_relax *r, double typical)
{
    const uint64_t processes = (uint64_t)r->x->grid->rows * r->x->grid->cols;
    r->width =
        sl_cuda_bucket_width(r->g.block.p.type, typical, r->x->edges / processes, r->x->delta);
}

/* Each process of the row gets the values of the own vertices of all others. */
static void share_values(cuda_grid_relax *r)
{
    sl_context *ctx = r->s.call->ctx;
    const sl_device_grid *grid = r->x->grid;
    const uint64_t bytes = r->g.own.n * sl_type_size(r->g.own.p.type);
    char *slot = sl_cuda_grid_relax_near(r) - r->middle;
    if (grid->cols == 1)
        return;
    RELAX_DO(r, sl_cuda_copy(ctx, slot, r->pi->values, bytes));
    for (uint32_t m = 0; m < grid->cols; m++)
        r->links->sent[m] =
            (cuda_parcel){.bytes = bytes, .offset = (uint64_t)(slot - r->links->outbox)};
    sl_cuda_grid_relax_swap(r, SL_ALONG_ROW, SL_RELAX_FOLD);
    for (uint32_t m = 0; m < grid->cols; m++) {
        const cuda_parcel *p = &r->links->received[m];
        const uint64_t first = sl_local_blocks_begin(&r->x->cols, m),
                       count = sl_local_blocks_begin(&r->x->cols, m + 1) - first;
        if (p->bytes)
            RELAX_LAUNCH(r, "adopt",
                         sl_cuda_grid_paths_adopt(&r->p, p->data, first, count, cuda_stream()));
    }
}

void sl_cuda_grid_paths_pull_round(cuda_grid_relax *r)
{
    share_values(r);
    RELAX_LAUNCH(r, "pull", sl_cuda_grid_paths_pull(&r->p, cuda_stream()));
    sl_cuda_grid_relax_fold(r);
    r->values = r->g.own.p.t_values;
    r->pulled = true;
    r->limit = INFINITY; /* no more buckets, as few edges are left */
}
