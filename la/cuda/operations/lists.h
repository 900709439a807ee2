/* Private to the CUDA engine: operations on vectors that are lists. */
#ifndef SEMLA_CUDA_LISTS_H
#define SEMLA_CUDA_LISTS_H

#include "rows.h"

/* If all that the call reads are lists, and passes over bitmaps would take longer, it is done
 * on them: *done. */
sl_status sl_cuda_on_lists(sl_call *call, bool *done);

/* The output, a vector, becomes Z, a matrix of one row, of its type. */
sl_status sl_cuda_install_list(cuda_scratch *s, const cuda_rows *Z);

#endif
