/* Shortest paths of one device by the kernels of a grid. Private to the CUDA engine. */
#ifndef SEMLA_CUDA_GRID_ALONE_H
#define SEMLA_CUDA_GRID_ALONE_H

#include <semla/call.h>

/* Runs the closure, which is shortest paths over lengths (lengths.h), with options->parent if it is
 * asked for. *done: the matrix is undirected and of high degree, and there is room for its rows in
 * an order; otherwise nothing has been done. */
sl_status sl_cuda_paths_alone(bool *done, sl_call *call);
/* Makes what the first such closure keeps with the matrix. */
sl_status sl_cuda_prepare_paths_alone(bool *done, sl_call *call);

#endif
