/* Private to the CUDA engine: sorts and prefix sums; scratch is the arena's reusable block. */
#ifndef SEMLA_CUDA_SORTING_H
#define SEMLA_CUDA_SORTING_H

#include "cuda/runtime/arena.h"
#include "cuda/runtime/sort_kernels.h"

/* Sorts vertex[0 ... n) by descending degree; stable. */
sl_status sl_cuda_sort_vertices(sl_context *ctx, cuda_arena *arena, uint32_t *sorted_degree,
                                uint32_t *sorted, const uint32_t *degree, const uint32_t *vertex,
                                uint32_t n);
/* start[k] = degree[0] + ... + degree[k - 1], for k = 0 ... n. */
sl_status sl_cuda_sum_rows(sl_context *ctx, cuda_arena *arena, uint64_t *start,
                           const uint32_t *degree, uint32_t n);
/* sums[w] = counts[0] + ... + counts[w - 1], for w < words. */
sl_status sl_cuda_sum_words(sl_context *ctx, cuda_arena *arena, uint32_t *sums,
                            const uint32_t *counts, uint32_t words);
/* ends[k] becomes ends[0] + ... + ends[k]. */
sl_status sl_cuda_sum_ends(sl_context *ctx, cuda_arena *arena, uint64_t *ends, uint64_t count);
/* Stable; *sorted becomes sort->keys or sort->other, which has the result. */
sl_status sl_cuda_sort_entries(sl_context *ctx, cuda_arena *arena, const cuda_sort *sort,
                               uint64_t **sorted);

#endif
