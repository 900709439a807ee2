/*
 * Chooses how a closure is executed: a semiring that settles by a breadth-first search (search/device/device_bfs.c),
 * unless the graph has more vertices or edges than its lists can count; shortest paths without
 * negative lengths by delta-stepping (shortest_paths.c); all others by relaxation
 * (relax_closure.c).
 */
#include "cuda/operations/cuda_operations.h"
#include "cuda/paths/lengths.h"
#include "cuda/reorder/renumber_rows.h"
#include "cuda/reorder/reordered_graph.h"
#include "cuda/runtime/tuning.h"
#include "cuda/search/device/device_bfs.h"

/* Whether the device can hold a reordered graph beside the matrix, and what it takes to make it. */
static bool has_room(const sl_object *object)
{
    const cuda_matrix *A = cuda_matrix_of(object);
    const uint64_t graph = 2 * A->nnz * sizeof *A->index,
                   segment = sl_cuda_least_segment(A->nnz, object->ncols);
    const uint64_t bytes = graph + 3 * segment * sizeof(uint64_t) +
                           8 * object->nrows * sizeof(uint64_t) + RESERVE_MIN_BYTES;
    return !A->pinned && cuda_has_rows(A) && sl_cuda_free_bytes() / 2 > bytes;
}

/* A reordered graph that gave way to other data is made again as soon as there is room. */
static sl_status reorder_again(const sl_object *object)
{
    cuda_matrix *A = cuda_matrix_of(object);
    if (!A->reordered_for || cuda_reordered_of(A) || !has_room(object))
        return SL_OK;
    const sl_status status = sl_cuda_reorder(object, A, A->reordered_for);
    return status == SL_NO_MEMORY ? SL_OK : status;
}

sl_status sl_cuda_closure(sl_call *call)
{
    bool done = false;
    if (!sl_semiring_is_search(call->operators.semiring))
        return sl_cuda_uses_lengths(call) ? sl_cuda_shortest_paths(call) : sl_cuda_relax(call);
    CUDA_TRY(reorder_again(call->a));
    CUDA_TRY(sl_cuda_bfs(call, &done));
    if (done)
        return SL_OK;
    if (!cuda_has_rows(cuda_matrix_of(call->a)))
        return sl_fail(call->ctx, SL_UNSUPPORTED,
                       "closure: the GPU holds only the reordered copy of the matrix, which "
                       "searches of less than 2^%d vertices and 2^%d entries can read",
                       64 - CUDA_LIST_EDGE_BITS, CUDA_LIST_EDGE_BITS);
    CUDA_TRY(sl_cuda_make_bitmaps_of(call->traversal));
    return sl_cuda_relax(call);
}

/* Prepares a matrix for traversals: its transpose if it is not symmetric, otherwise its reordered
 * graph, and the kernels of a search. */
sl_status sl_cuda_optimize(sl_call *call)
{
    sl_matrix *A = (sl_matrix *)call->a, *At;
    cuda_switches on;
    CUDA_TRY(sl_cuda_switches(&on, call->ctx));
    const unsigned off = on.pruning ? 0 : SL_PRUNED;
    if (call->settings.unasked && (!on.reorder || !has_room(call->a)))
        return SL_OK;
    CUDA_TRY(sl_matrix_transpose_pattern(&At, A, true));
    CUDA_TRY(sl_object_migrate(&At->object, &sl_store_cuda));
    if (At == A)
        CUDA_TRY(sl_cuda_reorder(call->a, cuda_matrix_of(call->a),
                                 call->settings.optimize_flags & ~off));
    return sl_cuda_bfs_warm_up(call);
}
