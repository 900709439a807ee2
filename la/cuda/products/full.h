/* Private to the CUDA engine: products with a matrix all of whose entries are there. */
#ifndef SEMLA_CUDA_FULL_H
#define SEMLA_CUDA_FULL_H

#include "mxm_common.h"

typedef enum { CUDA_NONE_FULL, CUDA_FIRST_FULL, CUDA_SECOND_FULL } cuda_which_full;

/* Which factor of m's call has all entries; the second if both. */
cuda_which_full sl_cuda_which_full(const cuda_mxm *m);

/* T = A B by cuSPARSE if that is there, and takes it: *done. Instead of T it may be the
 * output that was written: m->written. Looks at the call alone, not at m->A and m->B. */
sl_status sl_cuda_full_by_library(cuda_mxm *m, cuda_which_full which, cuda_rows *T, bool *done);

/* Dense values of rows x columns, row by row, as those of the transpose. */
sl_status sl_cuda_turn_values(cuda_scratch *s, void *to, const void *from, uint64_t rows,
                              uint64_t columns, sl_type type);

/* T = A B of a full B by the engine's own kernels. */
sl_status sl_cuda_full_by_kernels(cuda_mxm *m, cuda_rows *T);

#endif
