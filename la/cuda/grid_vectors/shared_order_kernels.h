/* Kernels of shared orders (as kernels.h). */
#ifndef SEMLA_CUDA_SHARED_ORDER_KERNELS_H
#define SEMLA_CUDA_SHARED_ORDER_KERNELS_H

#include <semla/semirings.h>

#include "cuda/runtime/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* to[k] += from[k]. */
cudaError_t sl_cuda_add_counts(uint32_t *to, const uint32_t *from, uint64_t count);
/* place[k] = the bits set before bit index[k] of a bitmap of `length` bits, or all if index[k] is
 * `length`. ends: the inclusive sums of the bits in its words. */
cudaError_t sl_cuda_find_places(uint32_t *place, const uint32_t *index, uint64_t count,
                                const uint32_t *bits, const uint64_t *ends, uint64_t length);
/* any = the union of bitmaps of `words` words each, one after the other. */
cudaError_t sl_cuda_unite_bits(uint32_t *any, const uint32_t *bits, uint32_t bitmaps,
                               uint64_t words);

/* Vectors that are added: part[m] has the values at the bits of bitmap m. */
enum { CUDA_MOST_SUMMANDS = 256 };
typedef struct {
    uint32_t count;
    uint64_t words;       /* of a bitmap */
    const uint32_t *bits; /* the bitmaps, one after the other */
    const uint64_t *ends; /* the inclusive sums of the bits in the words of each bitmap */
    const void *part[CUDA_MOST_SUMMANDS];
} cuda_summands;
/* to[v] = the sum of the parts, in their order, for v below `length`; 0 where no bitmap has a bit.
 * type, add: see cuda_neighbour_sums. */
cudaError_t sl_cuda_add_summands(void *to, sl_type type, int add, const cuda_summands *summands,
                                 uint64_t length);

#ifdef __cplusplus
}
#endif
#endif
