/*
 * Predecessors by the kernels of predecessors.cu: the operation `predecessors` for min_plus, over
 * the sorted columns if a closure on a grid has made them; and the predecessors of shortest paths
 * on one device, over its sorted rows.
 */
#include "cuda/paths/predecessors_kernels.h"

#include <inttypes.h>

#include "cuda/operations/cuda_operations.h"
#include "cuda/operations/vector_result.h"
#include "cuda/paths/lengths.h"
#include "cuda/paths/relaxation.h"

bool sl_cuda_has_predecessors(const sl_call *call)
{
    const sl_semiring semiring = call->operators.semiring;
    return !sl_semiring_is_user_defined(semiring) && semiring->code == SL_SEMIRING_MIN_PLUS &&
           call->a->type == semiring->result && call->a->nrows <= UINT32_MAX;
}

static sl_status begin(cuda_scratch *s, cuda_predecessors *p)
{
    CUDA_TRY(sl_cuda_scratch_take(s, &p->best, p->ncols * sizeof *p->best));
    return cuda_launched(s, "kernel begin",
                         sl_cuda_predecessors_begin(p->best, p->ncols, p->source));
}

static sl_status find_by_rows(cuda_scratch *s, const cuda_predecessors *p)
{
    return cuda_launched(s, "kernel find_by_rows", sl_cuda_predecessors_by_rows(p));
}

static sl_status push_early(cuda_scratch *s, const cuda_predecessors *p)
{
    return cuda_launched(s, "kernel push_early", sl_cuda_predecessors_push_early(p));
}

static sl_status pull(cuda_scratch *s, const cuda_predecessors *p)
{
    return cuda_launched(s, "kernel pull", sl_cuda_predecessors_pull(p));
}

/* ---- the operation ------------------------------------------------------------------------------- */

static sl_status find_by_columns(cuda_scratch *s, cuda_predecessors *p, const cuda_lengths *columns)
{
    const cuda_lengths *rows = cuda_lengths_of(cuda_matrix_of(s->call->a));
    void *least;
    p->index = rows->index;
    p->lengths = rows->length;
    p->col_start = columns->start;
    p->col_index = columns->index;
    p->col_lengths = columns->length;
    p->narrow = columns->narrow;
    CUDA_TRY(sl_cuda_scratch_take(s, &least, sizeof(uint64_t)));
    p->least = least;
    CUDA_TRY(cuda_launched(s, "kernel find_least_row", sl_cuda_predecessors_find_least(p, least)));
    CUDA_TRY(push_early(s, p));
    return pull(s, p);
}

static sl_status find(cuda_scratch *s, cuda_predecessors *p)
{
    const cuda_matrix *A = cuda_matrix_of(s->call->a);
    const cuda_lengths *rows = cuda_lengths_of(A), *columns = cuda_column_lengths_of(A);
    if (p->nnz == 0)
        return SL_OK;
    return rows && rows->type == p->type && columns && columns->type == p->type
               ? find_by_columns(s, p, columns)
               : find_by_rows(s, p);
}

static sl_status predecessors(cuda_scratch *s)
{
    const sl_call *call = s->call;
    const cuda_matrix *A = cuda_matrix_of(call->a);
    const cuda_vector *from = cuda_vector_of(call->b), *to = cuda_vector_of(call->mask);
    const uint64_t n = call->a->ncols;
    cuda_entries t;
    if (n == 0 || call->a->nrows == 0)
        return SL_OK;
    CUDA_TRY(sl_cuda_new_entries(s, &t, n, SL_INT64));
    cuda_predecessors p = {.type = call->operators.semiring->result,
                           .equal_too = call->settings.equal_too,
                           .nrows = call->a->nrows,
                           .ncols = n,
                           .nnz = A->nnz,
                           .start = A->start,
                           .index = A->index,
                           .lengths = A->values,
                           .from_bits = from->bits,
                           .to_bits = to->bits,
                           .from = from->values,
                           .to = to->values,
                           .source = UINT64_MAX};
    CUDA_TRY(begin(s, &p));
    CUDA_TRY(find(s, &p));
    CUDA_TRY(cuda_launched(
        s, "kernel take",
        sl_cuda_predecessors_take(&p, (cuda_integers){t.values, false}, t.bits, NULL, n)));
    sl_cuda_move_entries(s, cuda_vector_of(call->out), &t, n);
    return SL_OK;
}

sl_status sl_cuda_predecessors(sl_call *call)
{
    cuda_scratch s = {.call = call};
    sl_status status = predecessors(&s);
    sl_cuda_scratch_release(&s);
    return status;
}

/* ---- of shortest paths on one device ---------------------------------------------------------------- */

/* Bitmaps of vertices, and a number, on the device. */
typedef struct {
    uint32_t *missing, *found;
    unsigned long long *number;
} flat_search;

/* *number: the vertices with a distance that have no predecessor. found: whether the others are wanted. */
static sl_status count_missing(cuda_relaxation *r, const cuda_predecessors *p, const flat_search *f,
                               bool found, uint64_t *number)
{
    sl_context *ctx = r->s.call->ctx;
    unsigned long long read;
    CUDA_TRY(sl_cuda_zero(ctx, f->number, sizeof *f->number));
    CUDA_TRY(cuda_launched(
        &r->s, "kernel find_missing",
        sl_cuda_predecessors_missing(p, p->ncols, f->missing, found ? f->found : NULL, f->number)));
    CUDA_TRY(sl_cuda_fetch(ctx, "kernel find_missing", &read, f->number, sizeof read));
    *number = read;
    return SL_OK;
}

/* Over flat edges, level by level. If every edge has a mirror edge, the first level is a pull by
 * the missing vertices, which are few: a push would look at the rows of all others. */
static sl_status find_flat(cuda_relaxation *r, const cuda_predecessors *p, const flat_search *f,
                           bool mirrored)
{
    sl_context *ctx = r->s.call->ctx;
    const relax_params *x = &r->params;
    const uint64_t n = x->n;
    uint32_t *candidate;
    uint64_t missing;
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &candidate, n * sizeof *candidate));
    CUDA_TRY(sl_cuda_zero(ctx, x->state, sizeof *x->state));
    CUDA_TRY(sl_cuda_zero(ctx, x->next_bits, cuda_words(n) * sizeof *x->next_bits));
    CUDA_TRY(
        cuda_launched(&r->s, "kernel begin", sl_cuda_predecessors_begin(candidate, n, UINT64_MAX)));
    if (mirrored)
        CUDA_TRY(cuda_launched(&r->s, "kernel pull_flat",
                               sl_cuda_predecessors_pull_flat(p, f->missing, f->found)));
    CUDA_TRY(cuda_launched(&r->s, "kernel begin",
                           sl_cuda_relax_begin(x, f->found, x->p.t_values, sl_type_size(p->type))));
    CUDA_TRY(
        cuda_launched(&r->s, "kernel push_flat", sl_cuda_predecessors_push_flat(p, x, candidate)));
    CUDA_TRY(count_missing(r, p, f, false, &missing));
    return missing == 0 ? SL_OK
                        : sl_fail(ctx, SL_ENGINE_FAULT,
                                  "closure: %" PRIu64 " entries have no predecessor", missing);
}

static sl_status find_better(cuda_relaxation *r, cuda_predecessors *p, bool mirrored)
{
    CUDA_TRY(begin(&r->s, p));
    if (!mirrored)
        return find_by_rows(&r->s, p);
    if (p->early_list)
        CUDA_TRY(push_early(&r->s, p));
    return pull(&r->s, p);
}

static sl_status write_parents(cuda_relaxation *r, const cuda_predecessors *p)
{
    const sl_object *parent = sl_object_of_vector(r->s.call->traversal->options->parent);
    cuda_vector *to = cuda_vector_of(parent);
    sl_cuda_drop_frontier_list(to);
    to->nvals = r->pi->nvals;
    return cuda_launched(
        &r->s, "kernel take",
        sl_cuda_predecessors_take(p, (cuda_integers){to->values, parent->type == SL_INT32},
                                  to->bits, NULL, p->ncols));
}

sl_status sl_cuda_find_predecessors(cuda_relaxation *r, const cuda_lengths *lengths)
{
    const relax_params *x = &r->params;
    const uint64_t source = r->s.call->traversal->options->source;
    const void *const from_source =
        (const char *)x->p.t_values + source * sl_type_size(lengths->type);
    cuda_predecessors p = {.type = lengths->type,
                           .narrow = lengths->narrow,
                           .nrows = x->n,
                           .ncols = x->n,
                           .nnz = x->p.nnz,
                           .start = x->p.start,
                           .index = x->p.index,
                           .lengths = x->p.values,
                           .from = x->p.t_values,
                           .to = x->p.t_values,
                           .col_start = x->p.start,
                           .col_index = x->p.index,
                           .col_lengths = x->p.values,
                           .least = r->early ? (const void *)&r->early->least : from_source,
                           .early_list = r->early_list,
                           .early_count = r->early ? &r->early->count : NULL,
                           .source = source};
    const uint64_t bytes = cuda_words(x->n) * sizeof(uint32_t);
    flat_search f;
    uint64_t missing;
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &f.missing, bytes));
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &f.found, bytes));
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &f.number, sizeof *f.number));
    CUDA_TRY(find_better(r, &p, lengths->mirrored));
    CUDA_TRY(count_missing(r, &p, &f, !lengths->mirrored, &missing));
    if (missing > 0)
        CUDA_TRY(find_flat(r, &p, &f, lengths->mirrored));
    return write_parents(r, &p);
}
