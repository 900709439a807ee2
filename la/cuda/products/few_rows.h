/* Private to the CUDA engine: products of a matrix of few long rows. */
#ifndef SEMLA_CUDA_FEW_ROWS_H
#define SEMLA_CUDA_FEW_ROWS_H

#include <semla/engine.h>

/* Whether products of vectors take less time than a product of matrices. */
bool sl_cuda_multiplies_by_rows(const sl_call *call);
/* The call by products of vectors, which `run` executes. */
sl_status sl_cuda_mxm_by_rows(sl_call *call, sl_status (*run)(sl_call *call));

#endif
