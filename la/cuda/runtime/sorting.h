/* Private to the CUDA engine: sorts and sums where a graph is put in order, with one scratch. */
#ifndef SEMLA_CUDA_SORTING_H
#define SEMLA_CUDA_SORTING_H

#include "device.h"
#include "sort_kernels.h"

/* CUB's scratch of one step, in new_id of the step's before. */
typedef struct {
    void *memory;
    size_t bytes;
} cuda_cub;

sl_status sl_cuda_take_cub(sl_context *ctx, cuda_cub *cub, size_t bytes);
void sl_cuda_free_cub(cuda_cub *cub);

/* vertex[0 ... n) by falling degree, those of one degree in the order given. */
sl_status sl_cuda_sort_vertices(sl_context *ctx, cuda_cub *cub, uint32_t *sorted_degree,
                                uint32_t *sorted, const uint32_t *degree, const uint32_t *vertex,
                                uint32_t n);
/* start[k]: the sum of the degrees before k; start[n]: of all. */
sl_status sl_cuda_sum_rows(sl_context *ctx, cuda_cub *cub, uint64_t *start, const uint32_t *degree,
                           uint32_t n);
/* Keys by their lowest `bits`; what is sorted is in *sorted, one of the two. */
sl_status sl_cuda_sort_entries(sl_context *ctx, cuda_cub *cub, uint64_t *keys, uint64_t *other,
                               uint64_t count, unsigned bits, uint64_t **sorted);

#endif
