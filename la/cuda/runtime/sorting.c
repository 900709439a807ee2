/* Sorts and prefix sums: each asks CUB for the bytes of scratch, takes them, and queues the work.
 */
#include "cuda/runtime/sorting.h"

sl_status sl_cuda_sort_vertices(sl_context *ctx, cuda_arena *arena, uint32_t *sorted_degree,
                                uint32_t *sorted, const uint32_t *degree, const uint32_t *vertex,
                                uint32_t n)
{
    size_t bytes = 0;
    void *scratch;
    CUDA_TRY(sl_cuda_status(
        ctx, "scratch of a sort",
        sl_cuda_sort_by_degree(NULL, &bytes, sorted_degree, sorted, degree, vertex, n)));
    CUDA_TRY(sl_cuda_arena_scratch(ctx, arena, &scratch, bytes));
    return sl_cuda_status(
        ctx, "sort by degree",
        sl_cuda_sort_by_degree(scratch, &bytes, sorted_degree, sorted, degree, vertex, n));
}

sl_status sl_cuda_sum_rows(sl_context *ctx, cuda_arena *arena, uint64_t *start,
                           const uint32_t *degree, uint32_t n)
{
    size_t bytes = 0;
    void *scratch;
    CUDA_TRY(sl_cuda_status(ctx, "scratch of a scan",
                            sl_cuda_sum_degrees(NULL, &bytes, start, degree, n)));
    CUDA_TRY(sl_cuda_arena_scratch(ctx, arena, &scratch, bytes));
    return sl_cuda_status(ctx, "scan", sl_cuda_sum_degrees(scratch, &bytes, start, degree, n));
}

sl_status sl_cuda_sum_words(sl_context *ctx, cuda_arena *arena, uint32_t *sums,
                            const uint32_t *counts, uint32_t words)
{
    size_t bytes = 0;
    void *scratch;
    CUDA_TRY(sl_cuda_status(ctx, "scratch of a scan",
                            sl_cuda_sum_counts(NULL, &bytes, sums, counts, words)));
    CUDA_TRY(sl_cuda_arena_scratch(ctx, arena, &scratch, bytes));
    return sl_cuda_status(ctx, "scan", sl_cuda_sum_counts(scratch, &bytes, sums, counts, words));
}

sl_status sl_cuda_sum_ends(sl_context *ctx, cuda_arena *arena, uint64_t *ends, uint64_t count)
{
    size_t bytes;
    void *scratch;
    CUDA_TRY(sl_cuda_status(ctx, "scratch of a scan", sl_cuda_scan_scratch(&bytes, count)));
    CUDA_TRY(sl_cuda_arena_scratch(ctx, arena, &scratch, bytes));
    return sl_cuda_status(ctx, "scan", sl_cuda_scan(ends, count, scratch, bytes));
}

sl_status sl_cuda_sort_entries(sl_context *ctx, cuda_arena *arena, const cuda_sort *sort,
                               uint64_t **sorted)
{
    size_t bytes = 0;
    void *scratch;
    bool in_other;
    CUDA_TRY(sl_cuda_status(ctx, "scratch of a sort",
                            sl_cuda_sort_edges(NULL, &bytes, sort, &in_other)));
    CUDA_TRY(sl_cuda_arena_scratch(ctx, arena, &scratch, bytes));
    CUDA_TRY(sl_cuda_status(ctx, "sort of entries",
                            sl_cuda_sort_edges(scratch, &bytes, sort, &in_other)));
    *sorted = in_other ? sort->other : sort->keys;
    return SL_OK;
}
