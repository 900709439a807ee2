/*
 * Sorts and prefix sums (as kernels.h). A function with `scratch` and `bytes` only sets *bytes, the
 * size of the scratch, if scratch is NULL.
 */
#ifndef SEMLA_CUDA_SORT_KERNELS_H
#define SEMLA_CUDA_SORT_KERNELS_H

#include "cuda/runtime/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Inclusive sums in place: ends[k] becomes ends[0] + ... + ends[k]. */
cudaError_t sl_cuda_scan_scratch(size_t *bytes, uint64_t count);
cudaError_t sl_cuda_scan(uint64_t *ends, uint64_t count, void *scratch, size_t scratch_bytes);

/* The same for at most SCAN_FEW sums, by one block, which writes the last sum for the host, with the stamp. */
enum { SCAN_FEW = 1 << 14 };
cudaError_t sl_cuda_scan_few(uint64_t *ends, uint32_t count, cuda_stamped_count *last,
                             unsigned long long stamp);

/* Sorts vertices by descending degree; stable. */
cudaError_t sl_cuda_sort_by_degree(void *scratch, size_t *bytes, uint32_t *sorted_degree,
                                   uint32_t *old_id, const uint32_t *degree, const uint32_t *vertex,
                                   uint32_t n);

/* start[k] = degree[0] + ... + degree[k - 1], for k = 0 ... n. */
cudaError_t sl_cuda_sum_degrees(void *scratch, size_t *bytes, uint64_t *start,
                                const uint32_t *degree, uint32_t n);

/* sums[w] = counts[0] + ... + counts[w - 1], for w < words. */
cudaError_t sl_cuda_sum_counts(void *scratch, size_t *bytes, uint32_t *sums, const uint32_t *counts,
                               uint32_t words);

/* Keys that are sorted by their bits from `from` to `bits` - 1; `other` has as much room. */
typedef struct {
    uint64_t *keys, *other;
    uint64_t count;
    unsigned from, bits;
    uint32_t *items, *other_items; /* an item of each key, which moves with it; or both NULL */
} cuda_sort;
/* Stable. The result is in `other` and `other_items` if *in_other, else in `keys` and `items`. */
cudaError_t sl_cuda_sort_edges(void *scratch, size_t *bytes, const cuda_sort *sort, bool *in_other);

/* index[k] = the lowest `bits` of keys[k]. */
cudaError_t sl_cuda_unpack_edges(uint32_t *index, const uint64_t *keys, uint64_t count,
                                 unsigned bits);

#ifdef __cplusplus
}
#endif
#endif
