/* The matrices of a call of which the device has no rows: only the reordered graph, or only the description of a
 * generated graph. Private to the CUDA engine. */
#ifndef SEMLA_CUDA_CALL_MATRICES_H
#define SEMLA_CUDA_CALL_MATRICES_H

#include <semla/engine.h>

/* NULL: the operation needs no entries of such a matrix, or there is room for them. */
const char *sl_cuda_declines_matrices(const sl_call *call);

/* Runs the call. Matrices of which only the description exists have their entries meanwhile, unless the operation needs
 * none. What it derives from them goes with them. */
sl_status sl_cuda_run_with_entries(sl_call *call, sl_status (*run)(sl_call *call));

#endif
