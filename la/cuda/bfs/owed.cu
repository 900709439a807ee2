/* From the order in which a matrix is searched into the caller's vectors. */
#include "common.cuh"
#include "owed_kernels.h"

__device__ static void store(const cuda_owed_entries &to, uint64_t v, count_t value)
{
    switch (to.size) {
    case 1:
        ((uint8_t *)to.values)[v] = (uint8_t)value;
        break;
    case 2:
        ((uint16_t *)to.values)[v] = (uint16_t)value;
        break;
    case 4:
        ((uint32_t *)to.values)[v] = (uint32_t)value;
        break;
    default:
        __stcs((count_t *)to.values + v, value);
    }
}

/* In the search's order. */
__device__ static uint32_t parent_of(const cuda_owed_to_all &owed, uint32_t v)
{
    bool first = owed.by_first && bit_of(owed.by_first, v);
    return __ldg((first ? owed.graph.slot[0] : owed.from) + v);
}

/*
 * RESULT_WORDS words of the bitmaps to a warp, as at the end of a search. Values are written
 * wherever a vector has no entry, whole sectors at a time: there nobody reads them.
 */
__global__ static void __launch_bounds__(CUDA_THREADS)
    enter_owed(const __grid_constant__ cuda_owed_to_all owed)
{
    const cuda_graph &g = owed.graph;
    const uint32_t words = (g.callers + 31) / 32, lane = threadIdx.x % 32;
    const uint64_t all = all_threads() / 32 * RESULT_WORDS;
    for (uint64_t first = first_thread() / 32 * RESULT_WORDS; first < words; first += all) {
        uint32_t new_id[RESULT_WORDS], step[RESULT_WORDS], parent[RESULT_WORDS];
#pragma unroll
        for (int j = 0; j < RESULT_WORDS; j++) {
            uint64_t v = 32 * (first + j) + lane;
            new_id[j] = v >= g.callers ? CUDA_NO_VERTEX : g.new_id ? __ldcs(g.new_id + v) : (uint32_t)v;
            parent[j] = 0;
        }
#pragma unroll
        for (int j = 0; j < RESULT_WORDS; j++) {
            bool found = new_id[j] != CUDA_NO_VERTEX && bit_of(owed.visited, new_id[j]);
            step[j] = found ? __ldg(owed.depth + new_id[j]) : 0;
        }
        if (owed.parents)
#pragma unroll
            for (int j = 0; j < RESULT_WORDS; j++)
                parent[j] = step[j] ? parent_of(owed, new_id[j]) : 0;
        if (owed.parents && g.old_id)
#pragma unroll
            for (int j = 0; j < RESULT_WORDS; j++)
                parent[j] = step[j] ? __ldg(g.old_id + parent[j]) : 0;
        for (unsigned k = 0; k < owed.count; k++) {
            const cuda_owed_entries &to = owed.vector[k];
            const bool mine = lane < RESULT_WORDS && first + lane < words;
            const uint32_t held = mine && !to.replaces ? to.bits[first + lane] : 0;
            uint32_t added = 0;
#pragma unroll
            for (int j = 0; j < RESULT_WORDS; j++) {
                uint64_t v = 32 * (first + j) + lane;
                bool is = step[j] > to.after && step[j] <= to.upto;
                bool has = __shfl_sync(full_warp, held, j) >> lane & 1;
                uint32_t found = __ballot_sync(full_warp, is);
                added = lane == j ? found : added;
                if (found && (is || !has) && v < g.callers)
                    store(to, v, to.parents ? parent[j] : to.value + step[j] * to.rise);
            }
            if (mine && (to.replaces || added))
                to.bits[first + lane] = held | added;
        }
    }
}

cudaError_t sl_cuda_enter_owed(const cuda_owed_to_all *owed, unsigned multiprocessors,
                               cudaStream_t stream)
{
    uint64_t warps = ((uint64_t)owed->graph.callers / 32 + RESULT_WORDS) / RESULT_WORDS;
    enter_owed<<<grid_of(32 * warps, multiprocessors * CUDA_BLOCKS_PER_SM), CUDA_THREADS, 0,
                 stream>>>(*owed);
    return cudaGetLastError();
}
