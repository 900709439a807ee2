/* Launch functions of grid_flat.cu. Included by C and CUDA sources. */
#ifndef SEMLA_CUDA_GRID_FLAT_KERNELS_H
#define SEMLA_CUDA_GRID_FLAT_KERNELS_H

#include <semla/semirings.h>

#include "kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The rows of the own vertices, of which the first is number `first` of all, sorted by length; in device memory. */
typedef struct {
    uint64_t first, source;
    uint64_t own, count; /* how many there are; the first `count` of them have edges */
    const uint64_t *start;
    const uint32_t *index;
    const void *length;
    bool narrow;            /* the lengths have 32 bits */
    sl_type type;           /* of the values */
    const uint32_t *old_id; /* the names of all vertices: of the source, and in `best` */
    const void *values;     /* of all vertices; greater than all distances: there is none */
    uint32_t *best;         /* predecessors of the own vertices, or UINT32_MAX */
    const uint32_t
        *missing; /* bitmap of all vertices: those that have a value but no predecessor */
} grid_flat_rows;

/* bits: the bitmap of the own vertices that have a value but no predecessor, other than the source; *number, 0 before: how
 * many they are. */
cudaError_t sl_cuda_grid_find_missing(const grid_flat_rows *x, uint32_t *bits,
                                      unsigned long long *number, unsigned multiprocessors,
                                      cudaStream_t stream);

/* Own vertices that are missing take the least predecessor of the same value that is not. */
cudaError_t sl_cuda_grid_pull_flat(const grid_flat_rows *x, unsigned multiprocessors,
                                   cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
