/* The frontier of a product: the bitmaps of all ranks' own ids, whose lines alternate (part.h). */
#include "cuda/runtime/common.cuh"
#include "cuda/search/row/group_bfs_kernels.h"

enum { LINE_WORDS = GROUP_LINE / 32 };

__global__ static void join_frontiers(uint32_t *sources, group_frontiers from, uint32_t *zero,
                                      uint64_t zeros)
{
    const uint64_t words = (uint64_t)from.ranks * from.words;
    for (uint64_t w = first_thread(); w < words; w += all_threads()) {
        const uint64_t line = w / LINE_WORDS;
        sources[w] = from.of[line % from.ranks][line / from.ranks * LINE_WORDS + w % LINE_WORDS];
    }
    for (uint64_t w = first_thread(); w < zeros; w += all_threads())
        zero[w] = 0;
}

cudaError_t sl_cuda_group_join_frontiers(uint32_t *sources, const group_frontiers *from,
                                         uint32_t *zero, uint64_t zeros)
{
    const uint64_t words = (uint64_t)from->ranks * from->words;
    return launch(words > zeros ? words : zeros, join_frontiers, sources, *from, zero, zeros);
}
