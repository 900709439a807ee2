/* Private to the CUDA engine: select by operators that keep the first or the last columns of a row. */
#ifndef SEMLA_CUDA_COLUMN_RANGES_H
#define SEMLA_CUDA_COLUMN_RANGES_H

#include "cuda/operations/matrix_rows.h"

/* Whether the call selects by TRIL, TRIU, COLLE or COLGT. */
bool sl_cuda_selects_columns(const sl_call *call);
/* T: the entries of A that the call selects. */
sl_status sl_cuda_select_columns(cuda_scratch *s, cuda_rows *T, const cuda_rows *A);

#endif
