/* Kernels over the arrays of tuples that a grid exchanges (as kernels.h). */
#ifndef SEMLA_CUDA_GRID_TUPLE_KERNELS_H
#define SEMLA_CUDA_GRID_TUPLE_KERNELS_H

#include <semla/device_tuples.h>

#include "cuda/runtime/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The functions of sl_tuple_memory of these names. */
cudaError_t sl_cuda_tuples_to_global(uint64_t *numbers, uint64_t count,
                                     const sl_local_blocks *blocks);
cudaError_t sl_cuda_tuples_to_local(uint64_t *numbers, uint64_t count,
                                    const sl_local_blocks *blocks);
cudaError_t sl_cuda_tuples_add(uint64_t *to, const uint64_t *from, uint64_t count, uint64_t addend);
cudaError_t sl_cuda_tuples_pair(uint64_t *to, const uint64_t *a, uint64_t a_count,
                                const uint64_t *b, uint64_t b_count, uint64_t factor);
cudaError_t sl_cuda_tuples_repeat(void *to, const void *from, size_t size, uint64_t count,
                                  uint64_t times, bool each);
cudaError_t sl_cuda_tuples_find(uint64_t *numbers, uint64_t count, const uint64_t *ascending,
                                uint64_t length);
cudaError_t sl_cuda_tuples_owners(uint32_t *to, const sl_tuples *t, const sl_owner_rule *rule);
cudaError_t sl_cuda_tuples_attach(const sl_tuples *list, const sl_tuples *vector);

/* numbers[k] = value k as an index. *outside becomes the least k of one that is not below the bound, if
 * it is less than *outside. */
cudaError_t sl_cuda_tuples_indices(uint64_t *numbers, unsigned long long *outside,
                                   const sl_tuples *t, uint64_t bound);

/* Bit k of bits = present[k]. */
cudaError_t sl_cuda_tuples_present(uint32_t *bits, const uint64_t *present, uint64_t count);

/* to[k] = the result of a positional index operator for tuple k, as int64, int32 or bool. */
cudaError_t sl_cuda_tuples_evaluate(void *to, sl_type type, const sl_tuples *t,
                                    const sl_local_blocks *rows, const sl_local_blocks *cols,
                                    int code, int64_t thunk);

/* kept[k]: tuple k passes. */
cudaError_t sl_cuda_tuples_pass(bool *kept, const sl_tuples *t, const sl_tuple_filter *filter);
cudaError_t sl_cuda_tuples_widen_kept(uint64_t *to, const bool *kept, uint64_t count);
/* Writes the elements that are kept one after the other. ends: inclusive sums of `kept`. */
cudaError_t sl_cuda_tuples_compact(void *to, const void *from, const uint64_t *ends, size_t size,
                                   uint64_t count);

/* A stable sort of `count` tuples by rank, in arrays on the device. */
typedef struct {
    const uint32_t *to;        /* the ranks, below 2^bits */
    const uint64_t *positions; /* 0 to count - 1 */
    uint32_t *sorted;          /* becomes the ranks, ascending */
    uint64_t *order;           /* becomes the positions of these tuples */
    uint64_t count;
    int bits;
} cuda_tuple_sort;
/* Only sets *bytes if scratch is NULL. */
cudaError_t sl_cuda_tuples_sort(void *scratch, size_t *bytes, const cuda_tuple_sort *sort);
/* begin[m] = the position of the first item of at least m, for m = 0 ... members. */
cudaError_t sl_cuda_tuples_begin(uint64_t *begin, const uint32_t *sorted, uint64_t count,
                                 uint32_t members);
/* *wide becomes 1 if a number has more than 32 bits. */
cudaError_t sl_cuda_tuples_find_wide(uint64_t *wide, const uint64_t *numbers, uint64_t count);
/* Elements that are written to messages: element order[k], for first <= k < last, goes to
 * box + at[m] + k size, modulo 2^64, where m is sorted[k]. */
typedef struct {
    char *box;
    const uint64_t *at;
    const uint32_t *sorted;
    const uint64_t *order;
    uint64_t first, last;
} cuda_tuple_packing;
/* An index in its frame, with 4 or 8 bytes. */
cudaError_t sl_cuda_tuples_pack_indices(const cuda_tuple_packing *p, const uint64_t *from,
                                        size_t size, const sl_frame *frame);
/* A value. */
cudaError_t sl_cuda_tuples_pack(const cuda_tuple_packing *p, const void *from, size_t size);

#ifdef __cplusplus
}
#endif
#endif
