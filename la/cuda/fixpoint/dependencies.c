/*
 * The operation `dependencies`: Brandes, "A Faster Algorithm for Betweenness Centrality", 2001, from
 * up to 32 sources at once. Numbers of paths and flows are arrays with the numbers of all searches of
 * a vertex side by side, so that one read of a neighbour serves all of them (McLaughlin and Bader,
 * "Scalable and High Performance Betweenness Centrality on the GPU", SC 2014, gives each search a
 * multiprocessor of its own instead). Levels with few edges are lists of (vertex, search) pairs
 * (dependency_lists.cu), others are passes over all rows (dependency_passes.cu).
 *
 * A number of paths is an fp64 number, and from the level on where one exceeds 2^512 also has an
 * exponent of 32 bits: none overflows, and the small ones beside it keep their precision.
 *
 * No number is added to by atomics: the order of each sum depends only on the matrix, its
 * preparation, the sources and the size of a batch, so that equal calls return equal bits. Memory:
 * 28 bytes for each vertex and source of a batch; a batch has fewer sources where the device has
 * less memory.
 */
#include <math.h>

#include <semla/switches.h>

#include "cuda/fixpoint/dependencies.h"
#include "cuda/fixpoint/fixpoint_tuning.h"
#include "cuda/operations/cuda_operations.h"
#include "cuda/reorder/reordered_graph.h"

/* The rows that the kernels read: those of the reordered graph, if it has all of them and is on the
 * device, else the matrix's own. */
static void choose_rows(cuda_dependencies *d, bool reorder)
{
    const sl_call *call = d->s.call;
    const cuda_matrix *A = cuda_matrix_of(call->a), *At = cuda_matrix_of(call->b);
    const cuda_reordered_graph *reordered = cuda_reordered_of(A);
    dependency_params *p = &d->p;
    p->mirrored = A == At;
    p->n = call->a->nrows;
    p->out = (dependency_rows){A->start, A->index};
    p->in = (dependency_rows){At->start, At->index};
    if (reorder && p->mirrored && reordered && reordered->order && !reordered->pinned &&
        !sl_cuda_is_pruned(reordered)) {
        const cuda_graph *g = &reordered->view;
        p->n = g->n;
        p->narrow = !g->wide;
        p->out = p->in = (dependency_rows){g->start, g->index};
        p->old_id = g->old_id;
        p->new_id = g->new_id;
    }
}

/* Sources of a batch: a power of two, at most 32, such that the arrays fit in the free memory and
 * the numbers of pairs in 32 bits. */
static void choose_batch(cuda_dependencies *d)
{
    const dependency_params *p = &d->p;
    const uint64_t pair_bytes = 2 * sizeof *p->level + sizeof *p->paths + sizeof *p->flow +
                                sizeof *p->exponent,
                   vertex_bytes = 3 * sizeof *d->mask[0] + sizeof *p->begin,
                   left = sl_cuda_free_bytes();
    unsigned shift = 0;
    while (shift < 5 && UINT64_C(1) << shift < d->s.call->rows.count)
        shift++;
    while (shift > 0 &&
           (p->n << shift >= UINT32_MAX || p->n * (vertex_bytes + (pair_bytes << shift)) > left))
        shift--;
    d->p.shift = shift;
}

static sl_status allocate(cuda_dependencies *d)
{
    dependency_params *p = &d->p;
    const uint64_t pairs = p->n << p->shift;
    for (int k = 0; k < 3; k++)
        CUDA_TRY(sl_cuda_scratch_take(&d->s, &d->mask[k], p->n * sizeof *d->mask[k]));
    CUDA_TRY(sl_cuda_scratch_take(&d->s, &p->level, pairs * sizeof *p->level));
    CUDA_TRY(sl_cuda_scratch_take(&d->s, &p->paths, pairs * sizeof *p->paths));
    CUDA_TRY(sl_cuda_scratch_take(&d->s, &p->flow, pairs * sizeof *p->flow));
    CUDA_TRY(sl_cuda_scratch_take(&d->s, &p->order, pairs * sizeof *p->order));
    CUDA_TRY(sl_cuda_scratch_take(&d->s, &p->begin, (p->n + 2) * sizeof *p->begin));
    return sl_cuda_scratch_take(&d->s, &p->state, sizeof *p->state);
}

static sl_status prepare(cuda_dependencies *d)
{
    const sl_call *call = d->s.call;
    const uint64_t entries = cuda_matrix_of(call->a)->nnz;
    sl_switches on;
    CUDA_TRY(sl_switches_read(&on, call->ctx));
    choose_rows(d, !sl_switched(on.off, SL_SWITCH_NOREORDER));
    if (d->p.n == 0)
        return SL_OK;
    choose_batch(d);
    const uint64_t share = entries / LISTED_SHARE;
    d->limit =
        (uint64_t)fmin(on.weight * (double)(share > LISTED_EDGES ? share : LISTED_EDGES), 0x1p62);
    for (d->p.group = 4; d->p.group < 32 && d->p.group * d->p.n < entries;)
        d->p.group *= 2;
    return allocate(d);
}

/* The searches from `count` sources, whose dependencies are added to sums. */
static sl_status run_batch(cuda_dependencies *d, const uint64_t *sources, unsigned count,
                           double *sums)
{
    dependency_params *p = &d->p;
    sl_context *ctx = d->s.call->ctx;
    p->searches = count == 32 ? UINT32_MAX : (UINT32_C(1) << count) - 1;
    d->run_count = d->levels = 0;
    CUDA_TRY(cuda_launched(
        &d->s, "fill of levels",
        cudaMemsetAsync(p->level, 0xff, (p->n << p->shift) * sizeof *p->level, cuda_stream())));
    CUDA_TRY(sl_cuda_zero(ctx, p->state, sizeof *p->state));
    if (p->exponent)
        CUDA_TRY(sl_cuda_zero(ctx, p->exponent, (p->n << p->shift) * sizeof *p->exponent));
    CUDA_TRY(cuda_launched(&d->s, "kernel begin_searches",
                           sl_cuda_dependencies_begin(p, sources, count)));
    CUDA_TRY(sl_cuda_dependencies_fetch(d, "kernel begin_searches"));
    if (d->state.pairs[0] == 0)
        return SL_OK;
    CUDA_TRY(sl_cuda_dependencies_search(d));
    CUDA_TRY(sl_cuda_dependencies_sum(d));
    return cuda_launched(&d->s, "kernel add_dependencies", sl_cuda_dependencies_add(p, sums));
}

static sl_status dependencies(cuda_dependencies *d)
{
    const sl_call *call = d->s.call;
    const uint64_t n = call->a->nrows;
    uint64_t *sources;
    cuda_entries t;
    CUDA_TRY(sl_cuda_new_full(&d->s, &t, n, SL_FP64));
    CUDA_TRY(sl_cuda_zero(call->ctx, t.values, n * sizeof(double)));
    CUDA_TRY(sl_cuda_scratch_take(&d->s, &sources, call->rows.count * sizeof *sources));
    CUDA_TRY(
        sl_cuda_upload(call->ctx, sources, call->rows.items, call->rows.count * sizeof *sources));
    CUDA_TRY(prepare(d));
    for (uint64_t first = 0, next; d->p.n > 0 && first < call->rows.count; first = next) {
        const uint64_t left = call->rows.count - first, most = UINT64_C(1) << d->p.shift;
        next = first + (left < most ? left : most);
        CUDA_TRY(sl_interrupted(call->ctx, "dependencies"));
        CUDA_TRY(run_batch(d, sources + first, (unsigned)(next - first), t.values));
    }
    sl_cuda_move_entries(&d->s, cuda_vector_of(call->out), &t, n);
    return SL_OK;
}

sl_status sl_cuda_dependencies(sl_call *call)
{
    cuda_dependencies d = {.s = {.call = call}};
    sl_status status = dependencies(&d);
    sl_free(d.runs);
    sl_cuda_scratch_release(&d.s);
    return status;
}
