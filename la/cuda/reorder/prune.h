/* Removal of the trees outside the 2-core before a graph is reordered. Private to the CUDA engine.
 */
#ifndef SEMLA_CUDA_PRUNE_H
#define SEMLA_CUDA_PRUNE_H

#include "cuda/data/device_matrix.h"

/*
 * Finds the vertices outside the 2-core of a symmetric matrix of n rows.
 *
 * degree       device, n: in: entries of each row; out: neighbours that remain, 0 for removed
 *              vertices
 * tree_parent  device, n, out: the neighbour towards the core, CUDA_NO_VERTEX for vertices that
 *              remain
 *
 * Waits for the device. SL_NO_MEMORY, SL_ENGINE_FAULT: the contents of both arrays are undefined.
 */
sl_status sl_cuda_prune(sl_context *ctx, const cuda_matrix *A, uint32_t n, uint32_t *degree,
                        uint32_t *tree_parent);

#endif
