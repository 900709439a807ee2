/* Products of a pattern and a full vector on the reordered graph: for each vertex, the sum of its
 * neighbours' values. Included by C and CUDA sources. */
#ifndef SEMLA_CUDA_NEIGHBOUR_SUMS_H
#define SEMLA_CUDA_NEIGHBOUR_SUMS_H

#include <semla/semirings.h>

#include "graph_view.h"
#include "sum_tiles.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Vertices of a graph in degree order by the number of neighbours, in device memory. The vertices of
 * class k and of those before it are 0 to rows[k] - 1. */
enum { ROW_CLASSES = 3 };
typedef struct {
    uint32_t rows[ROW_CLASSES];
} cuda_row_classes;

/* t(v) = the sum of u over the neighbours of v. Arrays are in device memory. */
typedef struct {
    cuda_graph graph; /* symmetric; nothing is pruned, and all columns are on the device */
    const cuda_row_classes *classes;  /* NULL: a graph of ell4 records */
    const cuda_sum_tiles_view *tiles; /* on the host; not with ell4 records */
    sl_type type;                     /* SL_FP32 or SL_FP64 */
    const void *u;                    /* graph.old_n values by caller's id */
    void *ordered; /* scratch: graph.n values by new id, then 32 per slice; not with ell4 records */
    void *t;       /* out: graph.old_n values by caller's id */
    bool adds;     /* t(v) += the sum */
    bool
        adds_to_same; /* t(v) = same_value + the sum; only with ell4 records, which are of all vertices */
    uint64_t same_value; /* 8 bytes that begin with a value of the type */
    uint32_t *bits;      /* out: bitmap of the vertices with neighbours, or NULL */
} cuda_neighbour_sums;

/* Fills `classes` for a graph in degree order. */
cudaError_t sl_cuda_classify_rows(cuda_row_classes *classes, const cuda_graph *graph,
                                  cudaStream_t stream);

cudaError_t sl_cuda_sum_neighbours(const cuda_neighbour_sums *p, unsigned multiprocessors,
                                   cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
