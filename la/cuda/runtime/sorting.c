#include "sorting.h"

sl_status sl_cuda_take_cub(sl_context *ctx, cuda_cub *cub, size_t bytes)
{
    if (cub->memory && cub->bytes >= bytes)
        return SL_OK;
    sl_cuda_free(cub->memory);
    cub->bytes = bytes;
    return sl_cuda_alloc(ctx, &cub->memory, bytes);
}

void sl_cuda_free_cub(cuda_cub *cub)
{
    sl_cuda_free(cub->memory);
    *cub = (cuda_cub){0};
}

sl_status sl_cuda_sort_vertices(sl_context *ctx, cuda_cub *cub, uint32_t *sorted_degree,
                                uint32_t *sorted, const uint32_t *degree, const uint32_t *vertex,
                                uint32_t n)
{
    size_t bytes = 0;
    CUDA_TRY(sl_cuda_status(ctx, "scratch of a sort",
                            sl_cuda_sort_by_degree(NULL, &bytes, sorted_degree, sorted, degree,
                                                   vertex, n, cuda_stream())));
    CUDA_TRY(sl_cuda_take_cub(ctx, cub, bytes));
    return sl_cuda_status(ctx, "sort by degree",
                          sl_cuda_sort_by_degree(cub->memory, &bytes, sorted_degree, sorted, degree,
                                                 vertex, n, cuda_stream()));
}

sl_status sl_cuda_sum_rows(sl_context *ctx, cuda_cub *cub, uint64_t *start, const uint32_t *degree,
                           uint32_t n)
{
    size_t bytes = 0;
    CUDA_TRY(sl_cuda_status(ctx, "scratch of a scan",
                            sl_cuda_sum_degrees(NULL, &bytes, start, degree, n, cuda_stream())));
    CUDA_TRY(sl_cuda_take_cub(ctx, cub, bytes));
    return sl_cuda_status(
        ctx, "scan", sl_cuda_sum_degrees(cub->memory, &bytes, start, degree, n, cuda_stream()));
}

sl_status sl_cuda_sort_entries(sl_context *ctx, cuda_cub *cub, uint64_t *keys, uint64_t *other,
                               uint64_t count, unsigned bits, uint64_t **sorted)
{
    size_t bytes = 0;
    bool in_other;
    CUDA_TRY(sl_cuda_status(
        ctx, "scratch of a sort",
        sl_cuda_sort_edges(NULL, &bytes, keys, other, count, bits, &in_other, cuda_stream())));
    CUDA_TRY(sl_cuda_take_cub(ctx, cub, bytes));
    CUDA_TRY(sl_cuda_status(ctx, "sort of entries",
                            sl_cuda_sort_edges(cub->memory, &bytes, keys, other, count, bits,
                                               &in_other, cuda_stream())));
    *sorted = in_other ? other : keys;
    return SL_OK;
}
