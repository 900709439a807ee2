/*
 * Shortest paths without negative lengths over rows sorted by length (lengths.c): delta-stepping
 * (delta_stepping.cu), for large dense graphs as a grid of one process (grid_alone.c), for smaller
 * ones after a push of the short edges (dense_paths.cu), for graphs of short rows by a kernel of
 * its own (sparse_paths.cu); then the predecessors, if they are asked for, from the distances
 * (predecessors.cu). The distances are computed in the type of the result, whatever the type of the
 * matrix.
 */
#include "cuda/operations/cuda_operations.h"
#include "cuda/paths/delta_stepping.h"
#include "cuda/paths/dense_paths_kernels.h"
#include "cuda/paths/grid_alone.h"
#include "cuda/paths/lengths.h"
#include "cuda/paths/sparse_paths_kernels.h"
#include "cuda/runtime/traversal_switches.h"

/* Dense graphs: pushes short edges by buckets, pulls the rest, and continues from the vertices that
 * the last pull changed. */
static sl_status find_distances_dense(cuda_relaxation *r, const cuda_lengths *lengths,
                                      double factor)
{
    sl_context *ctx = r->s.call->ctx;
    const uint64_t n = r->params.n, bytes = cuda_words(n) * sizeof(uint32_t);
    dense_paths_params b = {
        .x = r->params,
        .narrow = lengths->narrow,
        .source = r->s.call->traversal->options->source,
        .delta = sl_cuda_bucket_width(lengths->type, lengths->typical, r->params.p.nnz, factor)};
    uint32_t *changed;
    for (int k = 0; k < 2; k++) {
        CUDA_TRY(sl_cuda_scratch_take(&r->s, &b.vertex[k], n * sizeof *b.vertex[k]));
        CUDA_TRY(sl_cuda_scratch_take(&r->s, &b.pieces[k].begin, n * sizeof *b.cursor));
        CUDA_TRY(sl_cuda_scratch_take(&r->s, &b.pieces[k].ends, n * sizeof *b.cursor));
    }
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &b.improved, n * sizeof *b.improved));
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &b.settled, n * sizeof *b.settled));
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &b.cursor, n * sizeof *b.cursor));
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &b.settled_bits, bytes));
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &changed, bytes));
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &b.state, sizeof *b.state));
    CUDA_TRY(sl_cuda_zero(ctx, b.settled_bits, bytes));
    CUDA_TRY(sl_cuda_zero(ctx, b.state, sizeof *b.state));
    CUDA_TRY(cuda_launched(&r->s, "kernel dense_paths push", sl_cuda_dense_paths_push(&b)));
    CUDA_TRY(
        cuda_launched(&r->s, "kernel dense_paths push_early", sl_cuda_dense_paths_push_early(&b)));
    for (int k = 0; k < DENSE_PULLS; k++)
        CUDA_TRY(
            cuda_launched(&r->s, "kernel dense_paths pull", sl_cuda_dense_paths_pull(&b, changed)));
    r->early_list = b.settled;
    r->early = &b.state->early;
    r->pi->nvals = CUDA_UNKNOWN;
    CUDA_TRY(cuda_launched(
        &r->s, "kernel begin",
        sl_cuda_relax_begin(&r->params, changed, r->pi->values, sl_type_size(lengths->type))));
    return sl_cuda_delta_stepping(r, factor * DENSE_REST_WIDTH * lengths->typical, lengths);
}

/* Graphs of short rows. */
static sl_status find_distances_sparse(cuda_relaxation *r, const cuda_lengths *lengths,
                                       double delta)
{
    sl_context *ctx = r->s.call->ctx;
    const uint64_t n = r->params.n, bytes = cuda_words(n) * sizeof(uint32_t);
    sparse_paths_params b = {.x = r->params,
                             .narrow = lengths->narrow,
                             .source = r->s.call->traversal->options->source,
                             .delta = delta};
    for (int k = 0; k < 2; k++) {
        CUDA_TRY(sl_cuda_scratch_take(&r->s, &b.near[k], n * sizeof *b.near[k]));
        CUDA_TRY(sl_cuda_scratch_take(&r->s, &b.far[k], n * sizeof *b.far[k]));
        CUDA_TRY(sl_cuda_scratch_take(&r->s, &b.near_bits[k], bytes));
        CUDA_TRY(sl_cuda_zero(ctx, b.near_bits[k], bytes));
    }
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &b.far_bits, bytes));
    CUDA_TRY(sl_cuda_zero(ctx, b.far_bits, bytes));
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &b.state, sizeof *b.state));
    CUDA_TRY(sl_cuda_zero(ctx, b.state, sizeof *b.state));
    r->pi->nvals = CUDA_UNKNOWN;
    CUDA_TRY(cuda_launched(&r->s, "kernel sparse_paths", sl_cuda_sparse_paths_begin(&b)));
    for (unsigned done = 0; !done;) {
        CUDA_TRY(cuda_launched(&r->s, "kernel sparse_paths", sl_cuda_sparse_paths(&b)));
        if (n <= SPARSE_MOST) /* the cluster keeps every frontier */
            break;
        CUDA_TRY(sl_cuda_fetch(ctx, "kernel sparse_paths", &done, &b.state->done, sizeof done));
    }
    return cuda_launched(&r->s, "kernel sparse_paths", sl_cuda_sparse_paths_end(&b));
}

static sl_status find_distances(cuda_relaxation *r, const cuda_lengths **lengths)
{
    const sl_call *call = r->s.call;
    cuda_switches on;
    CUDA_TRY(sl_cuda_switches(&on, call->ctx));
    CUDA_TRY(sl_cuda_lengths(lengths, call));
    const cuda_lengths *rows = *lengths;
    r->params.p.index = rows->index;
    r->params.p.values = rows->length;
    r->params.init_all_values = true;
    const double degree = (double)r->params.p.nnz / (double)r->params.n;
    if (rows->mirrored && degree >= DENSE_DEGREE)
        return find_distances_dense(r, rows, on.delta);
    if (rows->longest <= SPARSE_ROW)
        return find_distances_sparse(r, rows, on.delta * SPARSE_WIDTH * rows->typical);
    CUDA_TRY(sl_cuda_relaxation_begin(r, false));
    const double width = TYPICAL_SCALE / (degree * degree);
    return sl_cuda_delta_stepping(r, on.delta * width * rows->typical, rows);
}

/* Over rows in the order of the matrix. */
static sl_status find_paths(sl_call *call)
{
    cuda_relaxation r;
    const cuda_lengths *lengths;
    sl_status status = sl_cuda_relaxation_open(&r, call, false);
    if (status == SL_OK)
        status = find_distances(&r, &lengths);
    /* After a failure the entries computed so far stay; their number is unknown. */
    sl_cuda_relaxation_gained(&r, r.state.added);
    if (status != SL_OK)
        r.pi->nvals = CUDA_UNKNOWN;
    if (status == SL_OK && call->traversal->options->parent)
        status = sl_cuda_find_predecessors(&r, lengths);
    sl_cuda_scratch_release(&r.s);
    return status;
}

/* Runs the closure, or prepares it if !runs, as a grid of one process does, if the graph is large enough. */
static sl_status as_grid(bool *done, sl_call *call, bool runs)
{
    cuda_switches on;
    *done = false;
    CUDA_TRY(sl_cuda_switches(&on, call->ctx));
    if (cuda_matrix_of(call->a)->nnz < ALONE_MIN_EDGES && !on.degree_order)
        return SL_OK;
    return runs ? sl_cuda_paths_alone(done, call) : sl_cuda_prepare_paths_alone(done, call);
}

sl_status sl_cuda_shortest_paths(sl_call *call)
{
    bool done;
    sl_status status = as_grid(&done, call, true);
    if (status == SL_OK && !done)
        status = find_paths(call);
    if (status != SL_OK && call->traversal->options->parent) {
        cuda_vector *parent = cuda_vector_of(sl_object_of_vector(call->traversal->options->parent));
        sl_cuda_drop_frontier_list(parent);
        parent->nvals = CUDA_UNKNOWN;
    }
    return status;
}

sl_status sl_cuda_prepare_paths(sl_call *call)
{
    const cuda_lengths *lengths;
    bool done = false;
    if (sl_cuda_uses_lengths(call))
        CUDA_TRY(as_grid(&done, call, false));
    if (sl_cuda_uses_lengths(call) && !done)
        CUDA_TRY(sl_cuda_lengths(&lengths, call));
    /* The first search must not wait for the sort. */
    return sl_cuda_wait(call->ctx, "preparation for shortest paths");
}
