/* Private to the CUDA engine: products with a full matrix. */
#ifndef SEMLA_CUDA_FULL_MATRIX_H
#define SEMLA_CUDA_FULL_MATRIX_H

#include "cuda/products/mxm_common.h"

typedef enum { CUDA_NONE_FULL, CUDA_FIRST_FULL, CUDA_SECOND_FULL } cuda_which_full;

/* Which factor of the call is full; the second if both are. */
cuda_which_full sl_cuda_which_full(const cuda_mxm *m);

/* T = A B by cuSPARSE, if it is available and supports the product: *done. It may write the
 * output directly instead of T: m->written. Reads the call, not m->A and m->B. */
sl_status sl_cuda_full_by_cusparse(cuda_mxm *m, cuda_which_full which, cuda_rows *T, bool *done);

/* Transposes dense values of rows x columns, stored row by row. */
sl_status sl_cuda_transpose_values(cuda_scratch *s, void *to, const void *from, uint64_t rows,
                                   uint64_t columns, sl_type type);

/* T = A B with a full B by the engine's own kernels. */
sl_status sl_cuda_full_by_kernels(cuda_mxm *m, cuda_rows *T);

#endif
