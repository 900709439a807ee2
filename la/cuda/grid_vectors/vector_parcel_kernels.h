/* Kernels that pack slices of vectors as messages, and unpack them (as kernels.h). A value's `size` is
 * 1, 2, 4 or 8 bytes. Offsets of bits need not be multiples of 32. */
#ifndef SEMLA_CUDA_VECTOR_PARCEL_KERNELS_H
#define SEMLA_CUDA_VECTOR_PARCEL_KERNELS_H

#include "cuda/data/frontier_kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A slice of a bitmap: to = bits begin to begin + length - 1. */
cudaError_t sl_cuda_slice_bits(uint32_t *to, const uint32_t *bits, uint64_t begin, uint64_t length);
/* The same for the slices of a short bitmap, in one launch: to[k] (NULL: not written) = slice k, which has the bits
 * begin[k] to begin[k + 1] - 1, and counts[k] = the number of its bits set. */
enum { CUDA_SLICES_AT_ONCE = 8, CUDA_SLICE_AT_ONCE_BITS = 1 << 24 }; /* the most of both */
typedef struct {
    uint32_t count;
    uint64_t begin[CUDA_SLICES_AT_ONCE + 1];
    uint32_t *to[CUDA_SLICES_AT_ONCE];
} cuda_slices_at_once;
cudaError_t sl_cuda_slice_and_count(cuda_stamped_count *counts, unsigned long long stamp,
                                    const cuda_slices_at_once *slices, const uint32_t *bits);
/* The bitmap of `length` bits that such slices make, which may overlap: slice k sets bits in begin[k] to end[k] - 1,
 * the bits of from[k], or all if from[k] is NULL. Every word is written. report: where the
 * vertices, which are the bits set, are counted; counter NULL: nowhere. */
typedef struct {
    uint32_t count;
    uint64_t begin[CUDA_SLICES_AT_ONCE], end[CUDA_SLICES_AT_ONCE];
    const uint32_t *from[CUDA_SLICES_AT_ONCE];
    const uint32_t *
        mask; /* a bitmap of the result: bits that it, or its complement, does not have are left out; or NULL */
    bool complement;
} cuda_joins_at_once;
cudaError_t sl_cuda_join_at_once(uint32_t *to, uint64_t length, const cuda_joins_at_once *slices,
                                 cuda_report report);
/* *count += the number of bits set in a slice. */
cudaError_t sl_cuda_count_slice(unsigned long long *count, const uint32_t *bits, uint64_t begin,
                                uint64_t length);
/* Sets the bits of `from`, of `length` bits, in the slice of `to` that begins at `at`; from NULL: all of
 * them. */
cudaError_t sl_cuda_join_bits(uint32_t *to, uint64_t at, const uint32_t *from, uint64_t length);

/* to[k] = from[k] for each k < length of which bit `begin` + k is set. */
cudaError_t sl_cuda_copy_present(void *to, const void *from, const uint32_t *bits, uint64_t begin,
                                 size_t size, uint64_t length);

/* first[k] = the number of elements of the ascending list that are less than begin[k], k < count. */
cudaError_t sl_cuda_find_slices(unsigned long long *first, const uint64_t *begin, uint32_t count,
                                const uint32_t *list, uint64_t length);
/* The indices of the set bits, ascending, and their values, unless `to` is NULL. ends: inclusive sums
 * of the lengths of the words. */
cudaError_t sl_cuda_list_slice(uint32_t *index, void *to, const uint64_t *ends,
                               const uint32_t *bits, const void *values, size_t size,
                               uint64_t words);
/* to[k] = from[k] + offset, modulo 2^32. */
cudaError_t sl_cuda_shift_indices(uint32_t *to, const uint32_t *from, uint32_t offset,
                                  uint64_t count);
/* Sets the bits `at` + index[k] of a bitmap, and their values, unless `from` is NULL. */
cudaError_t sl_cuda_join_list(uint32_t *bits, void *values, uint64_t at, const uint32_t *index,
                              const void *from, size_t size, uint64_t count);
/* values[k] = base + index[k]; index NULL: base + k. */
cudaError_t sl_cuda_number_entries(int64_t *values, const uint32_t *index, uint64_t base,
                                   uint64_t count);
/* start[0] = 0, start[1] = count: the rows of a matrix of one row. */
cudaError_t sl_cuda_write_row(uint64_t *start, uint64_t count);

#ifdef __cplusplus
}
#endif
#endif
