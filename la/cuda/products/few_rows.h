/* Private to the CUDA engine: products of a matrix of few long rows. */
#ifndef SEMLA_CUDA_FEW_ROWS_H
#define SEMLA_CUDA_FEW_ROWS_H

#include <semla/engine.h>

/* Whether the call is a product of matrices that takes less time as products of the first factor's rows. */
bool sl_cuda_multiplies_by_rows(const sl_call *call);
/* Executes such a call. run: executes a product of a row, a vector. Waits for the number of entries of each
 * row of the result. */
sl_status sl_cuda_mxm_by_rows(sl_call *call, sl_status (*run)(sl_call *call));

#endif
