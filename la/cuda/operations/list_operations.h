/* Private to the CUDA engine: operations on vectors that are lists. */
#ifndef SEMLA_CUDA_LIST_OPERATIONS_H
#define SEMLA_CUDA_LIST_OPERATIONS_H

#include "cuda/operations/matrix_rows.h"

/* Executes the call on lists, *done = true, if everything that it reads is a list and passes
 * over bitmaps would take longer. */
sl_status sl_cuda_on_lists(sl_call *call, bool *done);

/* Replaces the output, a vector, by Z, a matrix of one row of the output's type. */
sl_status sl_cuda_replace_by_list(cuda_scratch *s, const cuda_rows *Z);

#endif
