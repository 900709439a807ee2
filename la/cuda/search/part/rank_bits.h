/* Bitmaps of all processes joined. Private to the CUDA engine. */
#ifndef SEMLA_CUDA_RANK_BITS_H
#define SEMLA_CUDA_RANK_BITS_H

#include "cuda/links/links.h"

/* bits = the bitwise or of the bits of all processes, `words` words in device memory. Collective; all processes return
 * one status. */
sl_status sl_cuda_join_rank_bits(const sl_device_grid *row, sl_context *ctx, uint32_t *bits,
                                 uint64_t words);

#endif
