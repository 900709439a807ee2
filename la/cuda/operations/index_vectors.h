/* Private to the CUDA engine: the check of an index vector. */
#ifndef SEMLA_CUDA_INDEX_VECTORS_H
#define SEMLA_CUDA_INDEX_VECTORS_H

#include "cuda/operations/vector_result.h"

/* SL_OUT_OF_RANGE if an index of the call's index vector is out of range; waits unless the vector was
 * checked before. */
sl_status sl_cuda_check_indices(cuda_scratch *s);

#endif
