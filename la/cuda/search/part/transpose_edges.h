/* Edges sorted by their columns, with a bounded scratch. Private to the CUDA engine. */
#ifndef SEMLA_CUDA_TRANSPOSE_EDGES_H
#define SEMLA_CUDA_TRANSPOSE_EDGES_H

#include "cuda/reorder/renumber_rows.h"
#include "cuda/reorder/reordered_graph.h"
#include "cuda/runtime/device.h"
#include "cuda/search/part/part_kernels.h"

/* The entries of a matrix, to be transposed. */
typedef struct {
    sl_context *ctx;
    /* Out: the (new) row of each entry, ordered by column, then row. To device memory, or to the
     * columns of a graph, which may be in several segments. */
    uint32_t *index;
    const cuda_reordered_graph *columns; /* NULL: to index */
    cuda_transpose_source source;
    unsigned bits;                /* of a row's id */
    unsigned long long *counters; /* scratch */
} cuda_transposition;

/* Entries of a segment of a transposition: its scratch takes about a quarter of the bytes of the entries
 * in both orders, but holds the longest row, and leaves GENERATE_FREE_BYTES free if possible. */
uint64_t sl_cuda_transpose_segment(uint64_t edges, uint64_t longest);

/* Transposes: the result has `columns` rows, of which start (device, columns + 1) has the offsets,
 * and the longest has `longest` entries or fewer. SL_NO_MEMORY, SL_ENGINE_FAULT. */
sl_status sl_cuda_transpose_edges(cuda_transposition *o, uint32_t columns, const uint64_t *start,
                                  uint64_t longest);

/* Keys whose scratch takes as much memory as `copies` copies of the columns of so many entries. */
uint64_t sl_cuda_part_keys(uint64_t entries, double copies);

/* The `put` of a cuda_renumbering (renumber_rows.h) for a cuda_transposition. */
sl_status sl_cuda_put_edges(void *transposition, uint64_t at, cuda_keys_of_rows sorted,
                            uint64_t count, unsigned bits);

#endif
