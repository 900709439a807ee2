/* Launch functions, as kernels.h, of the kernels that encode and decode sets of vertices (set_messages.h). */
#ifndef SEMLA_CUDA_SET_MESSAGE_KERNELS_H
#define SEMLA_CUDA_SET_MESSAGE_KERNELS_H

#include "cuda/runtime/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { IDS_TILE = 32 /* words of a bitmap that a warp lists together: a tile */ };

/* Replaces each of `count` numbers by the sum of those before it. With scratch NULL: only sets
 * *bytes to the size of the scratch that it needs (CUB). */
cudaError_t sl_cuda_exclusive_sum(void *scratch, size_t *bytes, unsigned long long *numbers,
                                  uint64_t count);

/* counts[t]: the set bits of tile t of a bitmap of `limit` bits; the element after the last one is
 * 0. Bits beyond the limit are ignored; if `failed` is not NULL, such bits in the last byte set it.
 */
cudaError_t sl_cuda_count_ids(unsigned long long *counts, const uint32_t *bits, uint64_t limit,
                              unsigned *failed);
/* Writes the ids of the set bits, ascending: the ids of tile t to list[before[t]] and following, none
 * to list[room] or beyond. */
cudaError_t sl_cuda_write_ids(uint32_t *list, const uint32_t *bits, uint64_t limit,
                              const unsigned long long *before, uint64_t room);
/* Sets *failed if *counted is not `count`. */
cudaError_t sl_cuda_check_count(const unsigned long long *counted, uint64_t count,
                                unsigned *failed);
/* bits |= from, for `limit` bits. */
cudaError_t sl_cuda_merge_bits(uint32_t *bits, const uint32_t *from, uint64_t limit);
/* Sets the bits of `count` ids; an id that is not below `limit` sets *failed instead. */
cudaError_t sl_cuda_set_listed_bits(uint32_t *bits, const uint32_t *list, uint64_t count,
                                    uint64_t limit, unsigned *failed);

#ifdef __cplusplus
}
#endif
#endif
