/*
 * Kernels that compact the caller's vertices that have a new id, in the caller's order
 * (numbered_vertices.c). A warp takes one bitmap word, that is 32 vertices, one per lane.
 */
#include "common.cuh"
#include "reorder_kernels.h"

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
__global__ static void fill_numbered(uint2 *numbered, uint32_t *numbered_new_id,
                                     uint32_t *numbered_first, const uint32_t *sums,
                                     const uint32_t *new_id, const uint32_t *slot,
                                     const uint32_t *old_id, const uint32_t *tree_parent,
                                     uint32_t old_n)
{
    FOR_EACH_WORD(old_n)
    {
        uint32_t bits = numbered[w].x, at = sums[w] + __popc(bits & ((1u << lane) - 1));
        if (lane == 0)
            numbered[w].y = sums[w];
        if (!(bits >> lane & 1))
            continue;
        uint32_t p = new_id[v];
        numbered_new_id[at] = p;
        if (slot)
            numbered_first[at] = tree_parent && p & CUDA_IN_TREE ? tree_parent[v] : old_id[slot[p]];
    }
}

cudaError_t sl_cuda_fill_numbered(uint2 *numbered, uint32_t *numbered_new_id,
                                  uint32_t *numbered_first, const uint32_t *sums,
                                  const uint32_t *new_id, const uint32_t *slot,
                                  const uint32_t *old_id, const uint32_t *tree_parent,
                                  uint32_t old_n)
{
    return launch(old_n, fill_numbered, numbered, numbered_new_id, numbered_first, sums, new_id,
                  slot, old_id, tree_parent, old_n);
}
