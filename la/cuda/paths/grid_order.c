/*
 * The order of the vertices of a grid of one row by degree, so that those with many edges, which
 * most edges lead to, are neighbours in memory: each process numbers its own vertices, and tells
 * all others. Made once, with the rows sorted by length, some rows at a time.
 */
#include "cuda/operations/cuda_operations.h"
#include "cuda/paths/grid_block_kernels.h"
#include "cuda/paths/grid_relax_run.h"
#include "cuda/paths/lengths.h"
#include "cuda/reorder/degree_order.h"
#include "cuda/reorder/renumber_rows.h"
#include "cuda/reorder/reorder_kernels.h"
#include "cuda/runtime/sorting.h"

static bool has_all_vertices(const cuda_grid_relax *r)
{
    return r->x->grid->cols == 1;
}

/* The own vertices by descending degree, which all other processes receive from the slot of this round; where their
 * rows begin then. A process that has all vertices keeps the order of the matrix's rows instead. */
static sl_status sort_vertices(cuda_grid_relax *r, cuda_lengths *ordered)
{
    const sl_object *object = r->s.call->a;
    cuda_matrix *A = cuda_matrix_of(object);
    cuda_vertex_order *to = &ordered->order;
    cuda_degree_order *own;
    CUDA_TRY(sl_cuda_find_order(&own, object->ctx, A, object->nrows, false));
    to->used = own->n;
    sl_status status =
        sl_cuda_start_rows(object->ctx, ordered->start, own, A->start, (uint32_t)object->nrows);
    if (has_all_vertices(r)) {
        to->shared = own;
        if (status == SL_OK)
            status = sl_cuda_add_new_ids(object->ctx, own);
        to->old_id = own->old_id;
        to->new_id = own->new_id;
        return status;
    }
    if (status == SL_OK)
        status = sl_cuda_copy(object->ctx, sl_cuda_grid_relax_slot(r), own->old_id,
                              object->nrows * sizeof *own->old_id);
    sl_cuda_drop_order(own);
    sl_cuda_drop_unused_orders(A);
    return status;
}

/* What is needed to put rows in the order, at most `most` entries at once. */
typedef struct {
    cuda_grid_relax *r;
    cuda_lengths *ordered;
    grid_rows_to_order x;
    uint64_t most;
    uint32_t *last; /* on the device */
    void *keys;
    void *lengths; /* in the type of the sums: x.new_values, or a cast of them */
} ordering;

static sl_status take_segment(ordering *o)
{
    cuda_scratch *s = &o->r->s;
    const sl_object *object = s->call->a;
    const sl_type type = s->call->operators.semiring->result;
    const uint64_t rows = o->ordered->order.used < o->most ? o->ordered->order.used : o->most;
    CUDA_TRY(sl_cuda_scratch_take(s, &o->last, sizeof *o->last));
    CUDA_TRY(sl_cuda_scratch_take(s, &o->x.segment_start, (rows + 1) * sizeof *o->x.segment_start));
    CUDA_TRY(sl_cuda_scratch_take(s, &o->x.new_index, o->most * sizeof *o->x.new_index));
    CUDA_TRY(sl_cuda_scratch_take(s, &o->keys, o->most * (o->ordered->narrow ? 4 : 8)));
    if (!o->x.values)
        return SL_OK;
    CUDA_TRY(sl_cuda_scratch_take(s, &o->x.new_values, o->most * o->x.size));
    o->lengths = o->x.new_values;
    return object->type == type
               ? SL_OK
               : sl_cuda_scratch_take(s, &o->lengths, o->most * sl_type_size(type));
}

/* The next rows: x.new_rows and x.count. */
static sl_status choose_segment(ordering *o)
{
    sl_context *ctx = o->r->s.call->ctx;
    uint32_t last;
    uint64_t end;
    CUDA_TRY(sl_cuda_find_segment(ctx, &last, o->x.new_start, (uint32_t)o->x.begin,
                                  (uint32_t)o->ordered->order.used, o->most, o->last));
    CUDA_TRY(sl_cuda_fetch(ctx, "kernel rows_within", &end, o->x.new_start + last, sizeof end));
    o->x.new_rows = last - o->x.begin;
    o->x.count = end - o->x.from;
    return SL_OK;
}

static sl_status sort_segment(const ordering *o)
{
    cuda_scratch *s = &o->r->s;
    const sl_object *object = s->call->a;
    const sl_type type = s->call->operators.semiring->result;
    const size_t size = o->ordered->narrow ? 4 : 8;
    const cuda_length_rows rows = {.rows = o->x.new_rows,
                                   .nnz = o->x.count,
                                   .start = o->x.segment_start,
                                   .index = o->x.new_index,
                                   .values = o->lengths,
                                   .type = type};
    CUDA_TRY(cuda_launched(s, "kernel order_rows", sl_cuda_grid_order_rows(&o->x)));
    if (o->lengths != o->x.new_values)
        CUDA_TRY(cuda_launched(
            s, "kernel cast",
            sl_cuda_cast(o->lengths, type, o->x.new_values, object->type, NULL, o->x.count)));
    return sl_cuda_sort_lengths(s, &rows, o->ordered->narrow, o->keys,
                                o->ordered->index + o->x.from,
                                (char *)o->ordered->length + o->x.from * size);
}

/* new_id: of all vertices. */
static sl_status order_rows(cuda_grid_relax *r, cuda_lengths *ordered, const uint32_t *new_id)
{
    const sl_object *object = r->s.call->a;
    const cuda_matrix *A = cuda_matrix_of(object);
    const cuda_lengths *kept = cuda_lengths_of(A);
    ordering o = {.r = r,
                  .ordered = ordered,
                  .x = {.first = sl_local_blocks_begin(&r->x->cols, r->x->grid->j),
                        .old_id = ordered->order.old_id,
                        .new_id = new_id,
                        .start = A->start,
                        .new_start = ordered->start,
                        .index = A->index,
                        .values = A->values,
                        .size = sl_type_size(object->type)}};
    if (A->nnz == 0)
        return SL_OK;
    ordered->narrow = kept->narrow;
    CUDA_TRY(sl_cuda_alloc(object->ctx, (void **)&ordered->index, A->nnz * sizeof *A->index));
    CUDA_TRY(sl_cuda_alloc(object->ctx, &ordered->length, A->nnz * (ordered->narrow ? 4 : 8)));
    o.most = sl_cuda_segment(A->nnz, kept->longest, sl_cuda_sort_bytes(ordered->narrow ? 4 : 8));
    CUDA_TRY(take_segment(&o));
    for (; o.x.begin < ordered->order.used; o.x.begin += o.x.new_rows, o.x.from += o.x.count) {
        CUDA_TRY(choose_segment(&o));
        CUDA_TRY(sort_segment(&o));
    }
    return SL_OK;
}

/* The new numbers of all vertices, of which those of the own ones are kept; the rows. */
static sl_status apply_order(cuda_grid_relax *r, cuda_lengths *ordered)
{
    const sl_object *object = r->s.call->a;
    const uint64_t first = sl_local_blocks_begin(&r->x->cols, r->x->grid->j);
    uint32_t *new_id;
    if (has_all_vertices(r))
        return order_rows(r, ordered, ordered->order.new_id);
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &new_id, object->ncols * sizeof *new_id));
    CUDA_TRY(cuda_launched(&r->s, "kernel invert",
                           sl_cuda_invert_order(new_id, ordered->order.old_id, object->ncols)));
    CUDA_TRY(sl_cuda_copy(object->ctx, ordered->order.new_id, new_id + first,
                          object->nrows * sizeof *new_id));
    return order_rows(r, ordered, new_id);
}

/* The bitmap of this process's short rows, in the slot of this round, and the edges of these rows. */
static sl_status find_short_rows(cuda_grid_relax *r, cuda_lengths *ordered)
{
    sl_context *ctx = r->s.call->ctx;
    uint32_t *const slot = (uint32_t *)sl_cuda_grid_relax_slot(r);
    unsigned long long *count, edges;
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &count, sizeof *count));
    CUDA_TRY(sl_cuda_zero(ctx, count, sizeof *count));
    CUDA_TRY(cuda_launched(&r->s, "kernel short_rows",
                           sl_cuda_grid_short_rows(ordered->start, r->s.call->a->nrows,
                                                   GRID_PATHS_SHORT, slot, count)));
    CUDA_TRY(sl_cuda_fetch(ctx, "kernel short_rows", &edges, count, sizeof edges));
    ordered->order.short_edges = edges;
    return SL_OK;
}

static sl_status new_arrays(const cuda_grid_relax *r, cuda_lengths *ordered)
{
    cuda_vertex_order *order = &ordered->order;
    sl_context *ctx = r->s.call->ctx;
    const uint64_t own = r->s.call->a->nrows, all = r->s.call->a->ncols;
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&ordered->start, (own + 1) * sizeof *ordered->start));
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&order->short_bits,
                           cuda_words(all) * sizeof *order->short_bits));
    if (has_all_vertices(r))
        return SL_OK;
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&order->old_id, all * sizeof *order->old_id));
    return sl_cuda_alloc(ctx, (void **)&order->new_id, own * sizeof *order->new_id);
}

/* The processes agree before they read each other's numbers, which a process that has failed does not have. */
static sl_status make_rows(cuda_grid_relax *r, cuda_lengths *ordered)
{
    r->status = new_arrays(r, ordered);
    RELAX_DO(r, sort_vertices(r, ordered));
    r->status = cuda_grid_agree(r->x->grid, r->status);
    if (r->status != SL_OK)
        return r->status;
    if (!has_all_vertices(r))
        sl_cuda_grid_share_ids(r, ordered->order.old_id);
    RELAX_DO(r, find_short_rows(r, ordered));
    sl_cuda_grid_share_bits(r, ordered->order.short_bits);
    RELAX_DO(r, apply_order(r, ordered));
    RELAX_DO(r, sl_cuda_wait(r->s.call->ctx, "sorted lengths"));
    return cuda_grid_agree(r->x->grid, r->status);
}

sl_status sl_cuda_grid_order_vertices(cuda_grid_relax *r)
{
    cuda_lengths ordered = {.start = NULL};
    const sl_status status = make_rows(r, &ordered);
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
