/* Private to the CUDA engine: exchanges of blocks of matrices between the devices of a grid. */
#ifndef SEMLA_CUDA_GRID_MATRICES_H
#define SEMLA_CUDA_GRID_MATRICES_H

#include <semla/device_matrices.h>

extern const sl_device_matrices sl_cuda_device_matrices;

/* sl_device_matrices.collect (grid_columns.c). */
sl_status sl_cuda_collect_columns(sl_object *result, const sl_device_grid *grid,
                                  const sl_device_columns *x, sl_status status);
/* sl_device_matrices.collect_rows (grid_rows.c). */
sl_status sl_cuda_collect_rows(sl_object *result, const sl_device_grid *grid,
                               const sl_device_rows *x, sl_status status);

#endif
