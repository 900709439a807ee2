/* What a search has found, as entries of the caller's vectors: see owed.c. As kernels.h. */
#ifndef SEMLA_CUDA_OWED_KERNELS_H
#define SEMLA_CUDA_OWED_KERNELS_H

#include "layout_kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CUDA_AHEAD_VECTORS = 6 };

/* A vector that is to have what the steps after `after` up to `upto` found. */
typedef struct {
    uint32_t *bits;
    void *values;
    size_t size;   /* of a value: 1, 2, 4 or 8 */
    bool replaces; /* it loses all other entries */
    bool parents;  /* values are parents, else those of step k are value + k rise, */
    unsigned long long value, rise; /* of which the lowest bytes count */
    uint32_t after, upto;
} cuda_owed_entries;

typedef struct {
    cuda_graph graph;
    /* As the search left them: bits, the steps that found, and what they found it from. */
    const uint32_t *visited, *depth, *from;
    const uint32_t *by_first; /* bits: whose parent is the first neighbour; or NULL */
    cuda_owed_entries vector[CUDA_AHEAD_VECTORS];
    unsigned count;
    bool parents; /* some vector wants them */
} cuda_owed_to_all;

cudaError_t sl_cuda_enter_owed(const cuda_owed_to_all *owed, unsigned multiprocessors,
                               cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
