/* Shortest paths of one device by the kernels of a grid. Private to the CUDA engine. */
#ifndef SEMLA_CUDA_GRID_ALONE_H
#define SEMLA_CUDA_GRID_ALONE_H

#include <semla/call.h>

/* The operations `closure` and `prepare_paths`. Shortest paths over lengths (lengths.h) run by the
 * kernels of a grid, with options->parent if it is asked for, if SEMLA_PATHS asks for it, the matrix
 * is undirected and of high degree, and there is room for its rows in an order. All other closures
 * run by closure.c. */
sl_status sl_cuda_choose_closure(sl_call *call);
sl_status sl_cuda_choose_preparation(sl_call *call);

#endif
