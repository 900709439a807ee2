/* Private to the CUDA engine: select and apply on a matrix by an index operator that only the host can call. */
#ifndef SEMLA_CUDA_HOST_INDEX_H
#define SEMLA_CUDA_HOST_INDEX_H

#include "cuda/operations/matrix_rows.h"

/* Whether the call is such a select or apply, of a matrix that is on the device. */
bool sl_cuda_calls_on_host(const sl_call *call);
/* Sets to[e], on the device, to what the operator returns for entry e of A. The call counts as one that fell back. */
sl_status sl_cuda_index_values_by_host(cuda_scratch *s, void *to, const cuda_rows *A);

#endif
