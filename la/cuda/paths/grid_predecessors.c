/*
 * The operation `predecessors` on a grid of one row whose rows are mirrored (lengths.h): each
 * process gets the values of all vertices, and looks at the rows of its own vertices as at their
 * columns (predecessors.cu). The columns of early rows belong to any process: what is found for
 * them goes to the owners as candidates of a closure do.
 */
#include "cuda/operations/cuda_operations.h"
#include "cuda/paths/grid_block_kernels.h"
#include "cuda/paths/grid_relax_run.h"
#include "cuda/paths/lengths.h"
#include "cuda/paths/predecessors_kernels.h"
#include "cuda/search/part/search_vectors.h"

#include <inttypes.h>

bool sl_cuda_grid_has_mirrored_rows(const sl_call *call)
{
    const cuda_lengths *kept =
        sl_cuda_has_predecessors(call) ? sl_cuda_kept_block_lengths(call) : NULL;
    return kept && kept->mirrored;
}

static const cuda_lengths *rows_of(const cuda_grid_relax *r)
{
    return cuda_lengths_of(cuda_matrix_of(r->s.call->a));
}

/* `p` sees the rows of this process as rows, and all vertices as columns. */
static cuda_predecessors by_rows(const cuda_grid_relax *r)
{
    const cuda_lengths *rows = rows_of(r);
    return (cuda_predecessors){.type = r->s.call->operators.semiring->result,
                               .nrows = rows->order.used,
                               .ncols = r->s.call->a->ncols,
                               .nnz = cuda_matrix_of(r->s.call->a)->nnz,
                               .start = rows->start,
                               .index = rows->index,
                               .lengths = rows->length,
                               .equal_too = r->s.call->settings.equal_too,
                               .col_start = rows->start,
                               .col_index = rows->index,
                               .col_lengths = rows->length,
                               .narrow = rows->narrow,
                               .first_row = (uint32_t)r->g.own_begin,
                               .old_id = rows->order.old_id,
                               .source = r->s.call->rows.count == 1 ? r->s.call->rows.items[0]
                                                                    : UINT64_MAX};
}

/* What the kernels and the fold of candidates read and write. */
static sl_status take_arrays(cuda_grid_relax *r, cuda_predecessors *p, void **least)
{
    const sl_call *call = r->s.call;
    const uint64_t columns = call->a->ncols, own = call->a->nrows, bytes = cuda_words(columns) * 4;
    const uint64_t none = UINT32_MAX;
    relax_params *const sides[] = {&r->g.block, &r->g.own};
    CUDA_TRY(sl_cuda_grid_relax_set_members(r));
    *p = by_rows(r);
    CUDA_TRY(sl_cuda_scratch_take(&r->s, least, sizeof(uint64_t)));
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &p->best, columns * sizeof *p->best));
    CUDA_TRY(cuda_launched(&r->s, "kernel begin",
                           sl_cuda_predecessors_begin(p->best, columns, UINT64_MAX)));
    p->least = *least;
    for (int k = 0; k < 2; k++) {
        relax_params *x = sides[k];
        *x = (relax_params){.n = k ? own : columns,
                            .p = {.t_values = p->best + (k ? r->g.own_begin : 0),
                                  .type = SL_UINT32,
                                  .add = SL_BINARY_MIN}};
        memcpy(&x->p.neutral, &none, sizeof none);
        CUDA_TRY(sl_cuda_scratch_take(&r->s, &x->p.bits, bytes));
        CUDA_TRY(sl_cuda_scratch_take(&r->s, &x->next_bits, bytes));
        CUDA_TRY(sl_cuda_zero(call->ctx, x->p.bits, bytes));
        CUDA_TRY(sl_cuda_zero(call->ctx, x->next_bits, bytes));
    }
    p->marks = r->g.block.next_bits;
    return SL_OK;
}

static sl_status migrate(const sl_call *call)
{
    sl_object *const vectors[] = {call->b, call->mask, call->out};
    CUDA_TRY(sl_object_migrate(call->a, &sl_store_cuda));
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        CUDA_TRY(sl_cuda_migrate_bitmap(vectors[k], NULL, true));
    return SL_OK;
}

/* *values: of all vertices with edges; this process has the values of `vector`. *least, unless it is NULL,
 * becomes the least of all values that is not early. */
static void gather(cuda_grid_relax *r, const void **values, const sl_object *vector,
                   cuda_predecessors *p, void *least)
{
    const sl_type type = r->s.call->operators.semiring->result;
    const cuda_vector *own = cuda_vector_of(vector);
    const cuda_vertex_order *order = &rows_of(r)->order;
    const uint64_t size = sl_type_size(type);
    const grid_ordered_values x = {
        .first = r->g.own_begin, .used = order->used, .bits = own->bits, .values = own->values};
    char *const slot = sl_cuda_grid_relax_slot(r);
    void *all = NULL;
    RELAX_DO(r, sl_cuda_scratch_take(&r->s, &all, r->s.call->a->ncols * size));
    RELAX_LAUNCH(r, "list_distances", sl_cuda_grid_list_distances(slot, &x, order->old_id, type));
    if (least) {
        p->from = slot;
        RELAX_LAUNCH(r, "find_least_row", sl_cuda_predecessors_find_least(p, least));
        RELAX_DO(r, sl_cuda_copy(r->s.call->ctx, slot + order->used * size, least, size));
    }
    sl_cuda_grid_share_values(r, order->used, all, least);
    *values = all;
}

/* Gathers the values; the edges of early rows, whose values are those of own vertices. */
static void find_early(cuda_grid_relax *r, cuda_predecessors *p, void *least, const void **all_from)
{
    const sl_call *call = r->s.call;
    gather(r, all_from, call->b, p, least);
    p->to = *all_from;
    if (call->mask != call->b)
        gather(r, &p->to, call->mask, p, NULL);
    p->from = (const char *)*all_from + r->g.own_begin * sl_type_size(p->type);
    RELAX_LAUNCH(r, "push_early", sl_cuda_predecessors_push_early(p));
    sl_cuda_grid_relax_fold(r);
}

/* `p` sees the rows of own vertices as their columns, and the values of all vertices as those of its rows. */
static void see_columns(const cuda_grid_relax *r, cuda_predecessors *p, const void *all_from)
{
    const uint64_t first = r->g.own_begin;
    p->ncols = p->nrows;
    p->from = all_from;
    p->to = (const char *)p->to + first * sl_type_size(p->type);
    p->best += first;
}

static sl_status write_output(cuda_grid_relax *r, uint32_t *best)
{
    cuda_entries t;
    const uint64_t n = r->g.own.n;
    const cuda_predecessors all = {.best = best, .source = UINT64_MAX};
    CUDA_TRY(sl_cuda_new_entries(&r->s, &t, n, SL_INT64));
    CUDA_TRY(cuda_launched(&r->s, "kernel take",
                           sl_cuda_predecessors_take(&all, (cuda_integers){t.values, false}, t.bits,
                                                     rows_of(r)->order.new_id, n)));
    sl_cuda_move_entries(&r->s, cuda_vector_of(r->s.call->out), &t, n);
    return SL_OK;
}

static void find(cuda_grid_relax *r, cuda_predecessors *p, void *least)
{
    const void *all_from = NULL;
    uint32_t *const best = p->best;
    find_early(r, p, least, &all_from);
    see_columns(r, p, all_from);
    RELAX_LAUNCH(r, "pull", sl_cuda_predecessors_pull(p));
    if (r->s.call->rows.count == 1)
        sl_cuda_grid_take_flat(r, p);
    RELAX_DO(r, write_output(r, best));
}

sl_status sl_cuda_grid_predecessors(sl_call *call, sl_device_relaxation *x)
{
    cuda_grid_relax r = {.s = {.call = call}, .x = x, .number = 1};
    cuda_predecessors p;
    void *least = NULL;
    uint64_t outbox, inbox;
    sl_cuda_grid_relax_size(&r, &outbox, &inbox);
    CUDA_TRY(sl_cuda_grid_links_open(&r.links, x->grid, call->ctx, outbox, inbox));
    r.status = migrate(call);
    RELAX_DO(&r, take_arrays(&r, &p, &least));
    r.status = cuda_grid_agree(x->grid, r.status);
    if (r.status == SL_OK) {
        find(&r, &p, least);
        r.status = cuda_grid_agree(x->grid, r.status);
    }
    sl_cuda_scratch_release(&r.s);
    return r.status;
}

/* ---- of one process ------------------------------------------------------------------------------ */

static sl_status find_alone(cuda_grid_relax *r, cuda_predecessors *p)
{
    void *least;
    p->source = r->options->source;
    p->from = p->to = r->g.own.p.t_values;
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &least, sizeof(uint64_t)));
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &p->best, p->ncols * sizeof *p->best));
    p->least = least;
    CUDA_TRY(cuda_launched(&r->s, "kernel begin",
                           sl_cuda_predecessors_begin(p->best, p->ncols, UINT64_MAX)));
    CUDA_TRY(
        cuda_launched(&r->s, "kernel find_least_row", sl_cuda_predecessors_find_least(p, least)));
    CUDA_TRY(cuda_launched(&r->s, "kernel push_early", sl_cuda_predecessors_push_early(p)));
    p->ncols = p->nrows;
    return cuda_launched(&r->s, "kernel pull", sl_cuda_predecessors_pull(p));
}

sl_status sl_cuda_grid_write_parents(cuda_grid_relax *r)
{
    const sl_object *parent = sl_object_of_vector(r->options->parent);
    cuda_vector *to = cuda_vector_of(parent);
    cuda_predecessors p = by_rows(r);
    CUDA_TRY(find_alone(r, &p));
    const uint64_t missing = sl_cuda_grid_take_flat(r, &p);
    CUDA_TRY(r->status);
    if (missing > 0)
        return sl_fail(r->s.call->ctx, SL_ENGINE_FAULT,
                       "closure: %" PRIu64 " entries have no predecessor", missing);
    sl_cuda_drop_frontier_list(to);
    to->nvals = CUDA_UNKNOWN;
    return cuda_launched(
        &r->s, "kernel take",
        sl_cuda_predecessors_take(&p, (cuda_integers){to->values, parent->type == SL_INT32},
                                  to->bits, rows_of(r)->order.new_id, r->g.own.n));
}
