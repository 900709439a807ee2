/* Private to the CUDA engine: masked products over plus_pair, C<M> = A B' and C<M> = A B. */
#ifndef SEMLA_CUDA_PAIR_PRODUCTS_H
#define SEMLA_CUDA_PAIR_PRODUCTS_H

#include "cuda/products/mxm_common.h"

/* Whether a call is such a product: plus_pair with a mask that is not complemented. */
bool sl_cuda_counts_pairs(const sl_call *call);

/* T, the product at the entries that the mask allows. Reads no values. If the call does not transpose B, the transpose
 * is made and kept. */
sl_status sl_cuda_pair_counts(cuda_mxm *m, cuda_rows *T);

#endif
