/*
 * Where the columns of a reordered graph are stored: on the device, or partly in pinned memory of
 * the host where the device has not enough memory (Kolganov 2018, section 4, keeps the whole
 * adjacency on the host).
 *
 *   column e:    0 ....... host_begin ............. host_end ....... edges
 *   stored in:   index     pinned                   index + host_begin
 *   rows of:     hubs      medium degrees           low degrees
 *
 * Rows of hubs are read whole when they are pushed from; rows of low degree are many, and pulls
 * read the rows that their slots do not settle. Rows of medium degree are read least: they are
 * visited early, and as a frontier they are pulled from.
 */
#ifndef SEMLA_CUDA_COLUMN_STORAGE_H
#define SEMLA_CUDA_COLUMN_STORAGE_H

#include "cuda/reorder/reordered_graph.h"

/* Allocates room for `edges` columns: on the device as far as `keep` bytes stay free there, the
 * others in pinned memory. Sets index, pinned, view.host_begin and view.host_end. SL_NO_MEMORY.
 */
sl_status sl_cuda_alloc_columns(sl_context *ctx, cuda_reordered_graph *graph, uint64_t edges,
                                uint64_t keep);

/* A view that has only the members for columns. */
cuda_graph sl_cuda_column_view(const cuda_reordered_graph *graph);

/* *column: the address of column e. Returns the end of the contiguous segment that e is in. */
uint64_t sl_cuda_column_segment(const cuda_reordered_graph *graph, uint64_t e, uint32_t **column);

/* Unpacks the sorted keys of the columns at ... at + count - 1 (renumber_rows.h) to their segments. */
sl_status sl_cuda_put_columns(sl_context *ctx, const cuda_reordered_graph *graph, uint64_t at,
                              const uint64_t *keys, uint64_t count, unsigned bits);

#endif
