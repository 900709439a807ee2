/*
 * Kernels that compact the caller's vertices that have a new id, in the caller's order
 * (numbered_vertices.c). A warp takes one bitmap word, that is 32 vertices, one per lane.
 */
#include "cuda/reorder/reorder_kernels.h"
#include "cuda/runtime/common.cuh"

/* The lanes vote on which of the 32 vertices have a new id; lane 0 writes the word and its number
 * of bits. */
__global__ static void mark_numbered(uint2 *numbered, uint32_t *counts, const uint32_t *new_id,
                                     uint32_t old_n)
{
    FOR_EACH_WORD(old_n)
    {
        uint32_t bits = __ballot_sync(full_warp, v < old_n && new_id[v] != CUDA_NO_VERTEX);
        if (lane == 0) {
            numbered[w].x = bits;
            counts[w] = __popc(bits);
        }
    }
}

cudaError_t sl_cuda_mark_numbered(uint2 *numbered, uint32_t *counts, const uint32_t *new_id,
                                  uint32_t old_n)
{
    return launch(old_n, mark_numbered, numbered, counts, new_id, old_n);
}

/* A numbered vertex's index in the compacted arrays is the count before its word plus the number of
 * set bits below its own. */
__global__ static void fill_numbered(cuda_numbered_vertices to, const uint32_t *sums)
{
    FOR_EACH_WORD(to.n)
    {
        uint32_t bits = to.numbered[w].x, at = sums[w] + __popc(bits & ((1u << lane) - 1));
        if (lane == 0)
            to.numbered[w].y = sums[w];
        if (!(bits >> lane & 1))
            continue;
        uint32_t p = to.new_id[v];
        to.new_ids[at] = p;
        if (to.slot)
            to.first[at] =
                to.tree_parent && p & CUDA_IN_TREE ? to.tree_parent[v] : to.old_id[to.slot[p]];
    }
}

cudaError_t sl_cuda_fill_numbered(const cuda_numbered_vertices *v, const uint32_t *sums)
{
    return launch(v->n, fill_numbered, *v, sums);
}
