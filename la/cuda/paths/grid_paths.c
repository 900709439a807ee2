/* Shortest paths over sorted lengths (grid_paths.cu), on the host's side: the choice, sorting, arrays, the pull. */
#include "cuda/paths/grid_block_kernels.h"
#include "cuda/paths/grid_relax_run.h"
#include "cuda/paths/lengths.h"

#include <math.h>

/* ---- the choice --------------------------------------------------------------------------------- */

/* Bytes of a closure's arrays for each row and column, at most; some of them may have been taken. */
enum { ROW_BYTES = GRID_PATHS_ROW + 36, COLUMN_BYTES = 8 };

static sl_status find_room(cuda_grid_relax *r, bool mirrored)
{
    const sl_object *A = r->s.call->a;
    const uint64_t arrays = A->nrows * ROW_BYTES + A->ncols * COLUMN_BYTES;
    bool room = false;
    CUDA_TRY(cuda_grid_agree(
        r->x->grid, sl_cuda_has_room_for_block_lengths(&room, mirrored, arrays, r->s.call)));
    r->sorted = cuda_grid_all_true(r->links, room);
    return SL_OK;
}

/* Whether all processes have room for what the closure reads. Mirrored rows need less. */
static sl_status choose_rows(cuda_grid_relax *r)
{
    const bool may_be_mirrored = r->x->grid->rows == 1;
    CUDA_TRY(find_room(r, may_be_mirrored));
    if (!r->sorted || !may_be_mirrored)
        return SL_OK;
    CUDA_TRY(sl_cuda_grid_find_mirrors(r));
    return r->mirrored ? SL_OK : find_room(r, false);
}

sl_status sl_cuda_grid_paths_choose(cuda_grid_relax *r)
{
    const sl_device_grid *grid = r->x->grid;
    const sl_call *call = r->s.call;
    if (!r->buckets || r->x->edges / r->x->vertices < GRID_PATHS_DEGREE)
        return SL_OK;
    const cuda_lengths *kept = sl_cuda_kept_block_lengths(call);
    const bool suits = sl_cuda_uses_lengths(call) && !cuda_matrix_of(call->a)->pinned;
    uint64_t lacks[] = {!suits, !kept};
    CUDA_TRY(cuda_grid_agree(grid, grid->reduce(grid, lacks, 2, true)));
    if (lacks[0])
        return SL_OK;
    if (lacks[1])
        return choose_rows(r);
    r->mirrored = kept->mirrored;
    r->sorted = r->kept = true;
    return SL_OK;
}

sl_status sl_cuda_grid_paths_sort(cuda_grid_relax *r)
{
    const cuda_lengths *rows, *columns;
    if (r->kept)
        return SL_OK;
    CUDA_TRY(cuda_grid_agree(r->x->grid,
                             sl_cuda_block_lengths(&rows, &columns, r->mirrored, r->s.call)));
    return r->mirrored ? sl_cuda_grid_order_vertices(r) : SL_OK;
}

/* ---- arrays ------------------------------------------------------------------------------------- */

static sl_status take_arrays(cuda_grid_relax *r)
{
    const uint64_t rows = r->p.block.p.rows, bits = cuda_words(rows) * sizeof *r->p.open_bits;
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &r->p.pieces.begin, rows * sizeof *r->p.pieces.begin));
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &r->p.rows, rows * GRID_PATHS_ROW));
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &r->p.open_bits, bits));
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &r->p.least, sizeof(uint64_t)));
    CUDA_TRY(sl_cuda_zero(r->s.call->ctx, r->p.open_bits, bits));
    return cuda_launched(&r->s, "kernel begin", sl_cuda_grid_paths_begin(&r->p));
}

static grid_ordered_values values_of_pi(const cuda_grid_relax *r)
{
    const relax_params *own = &r->g.own;
    return (grid_ordered_values){.first = r->g.own_begin,
                                 .count = own->n,
                                 .used = r->order.used,
                                 .new_id = r->order.new_id,
                                 .bits = r->pi->bits,
                                 .new_bits = own->p.bits,
                                 .values = r->pi->values,
                                 .new_values = own->p.t_values,
                                 .size = sl_type_size(own->p.type)};
}

/* The own vertices and the rows in the order. Vertices without edges need not wait. */
static sl_status use_order(cuda_grid_relax *r, const cuda_lengths *rows)
{
    sl_context *ctx = r->s.call->ctx;
    relax_params *own = &r->g.own;
    const uint64_t bits = cuda_words(own->n) * sizeof *own->p.bits;
    r->order = rows->order;
    r->g.block.p.start = rows->start;
    r->g.block.p.rows = rows->order.used;
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &own->p.t_values, own->n * sl_type_size(own->p.type)));
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &own->p.bits, bits));
    CUDA_TRY(sl_cuda_zero(ctx, own->p.bits, bits));
    CUDA_TRY(sl_cuda_zero(ctx, own->next_bits, bits));
    const grid_ordered_values x = values_of_pi(r);
    r->values = own->p.t_values;
    return cuda_launched(&r->s, "kernel order_values",
                         sl_cuda_grid_order_values(&x, own->next_bits));
}

sl_status sl_cuda_grid_paths_finish(cuda_grid_relax *r)
{
    if (!r->mirrored)
        return SL_OK;
    const grid_ordered_values x = values_of_pi(r);
    return cuda_launched(&r->s, "kernel restore_values", sl_cuda_grid_restore_values(&x));
}

/* What the pull reads. */
static grid_pulled_columns columns_of(const cuda_grid_relax *r, const cuda_lengths *rows,
                                      const cuda_lengths *columns)
{
    const relax_params *block = &r->g.block;
    return r->mirrored ? (grid_pulled_columns){.first = r->g.own_begin,
                                               .count = r->order.used,
                                               .start = rows->start,
                                               .index = rows->index,
                                               .length = rows->length,
                                               .from = block->p.t_values}
                       : (grid_pulled_columns){.count = block->n,
                                               .start = columns->start,
                                               .index = columns->index,
                                               .length = columns->length,
                                               .from = block->frontier_values};
}

sl_status sl_cuda_grid_paths_prepare(cuda_grid_relax *r, double *typical)
{
    const cuda_lengths *rows, *columns;
    CUDA_TRY(sl_cuda_block_lengths(&rows, &columns, r->mirrored, r->s.call));
    if (r->mirrored)
        CUDA_TRY(use_order(r, rows));
    if (r->mirrored && r->x->grid->cols == 1) /* all columns are own vertices */
        r->g.block.p.t_values = r->g.own.p.t_values;
    r->p = (grid_paths){.block = r->g.block,
                        .own = r->g.own,
                        .own_begin = r->g.own_begin,
                        .narrow = rows->narrow,
                        .mirrored = r->mirrored,
                        .columns = columns_of(r, rows, columns),
                        .short_bits = r->order.short_bits,
                        .pieces = {.ends = r->g.block.frontier[0].ends},
                        .counts = r->g.counts};
    r->p.block.p.index = rows->index;
    r->p.block.p.values = rows->length;
    *typical = r->g.block.p.nnz > 0 ? rows->typical : 0;
    return take_arrays(r);
}

void sl_cuda_grid_paths_set_width(cuda_grid_relax *r, double typical)
{
    const uint64_t processes = (uint64_t)r->x->grid->rows * r->x->grid->cols,
                   edges = r->x->edges / processes;
    const double factor = r->mirrored ? r->x->delta / GRID_PATHS_NARROW : r->x->delta;
    r->width = sl_cuda_bucket_width(r->g.block.p.type, typical, edges, factor);
}

/* ---- vertices with few edges --------------------------------------------------------------------- */

bool sl_cuda_grid_paths_are_ready(const cuda_grid_relax *r, const grid_relax_counts *counts)
{
    const uint64_t edges = r->g.block.p.nnz,
                   settled = counts->settled_edges + (r->p.defers ? r->order.short_edges : 0);
    return settled >= edges || (edges - settled) * GRID_PATHS_SHARE <= edges;
}

void sl_cuda_grid_paths_defer(cuda_grid_relax *r, const grid_relax_counts *counts)
{
    if (r->mirrored && !r->pulled && counts->settled_edges * GRID_PATHS_DEFER > r->g.block.p.nnz)
        r->p.defers = true;
}

/* ---- the pull ----------------------------------------------------------------------------------- */

/* Gives all columns the values of their vertices; if rows are mirrored, of the vertices with
 * edges. One process has them already. */
static void share_values(cuda_grid_relax *r)
{
    sl_context *ctx = r->s.call->ctx;
    const uint64_t size = sl_type_size(r->g.own.p.type),
                   count = r->mirrored ? r->order.used : r->g.own.n;
    char *const slot = sl_cuda_grid_relax_slot(r);
    RELAX_LAUNCH(r, "list_values", sl_cuda_grid_paths_list_values(&r->p));
    if (r->mirrored && r->x->grid->cols == 1)
        return;
    RELAX_DO(r, sl_cuda_copy(ctx, slot, r->g.own.p.t_values, count * size));
    RELAX_DO(r, sl_cuda_copy(ctx, slot + count * size, r->p.least, size));
    sl_cuda_grid_share_values(r, count, r->g.block.p.t_values, r->mirrored ? r->p.least : NULL);
}

void sl_cuda_grid_paths_pull_round(cuda_grid_relax *r)
{
    share_values(r);
    r->p.defers = false;
    RELAX_LAUNCH(r, "pull", sl_cuda_grid_paths_pull(&r->p));
    sl_cuda_grid_relax_fold(r);
    r->values = r->g.own.p.t_values;
    r->pulled = true;
    r->limit = INFINITY; /* no more buckets, as few edges are left */
}
