/* Launch functions of predecessors.cu. Included by C and CUDA sources. */
#ifndef SEMLA_CUDA_PREDECESSORS_KERNELS_H
#define SEMLA_CUDA_PREDECESSORS_KERNELS_H

#include "relax_kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

#define NO_PREDECESSOR UINT32_MAX

/*
 * The predecessors of shortest paths. pi is a fixpoint: for every edge, pi(v) <= pi(u) + length.
 * Pointers are to device memory.
 */
typedef struct {
    relax_params x; /* p.bits and p.t_values: pi; p.start, p.index, p.values: rows sorted by
                       length; frontier, next_bits and state: scratch */
    bool narrow;    /* lengths of 32 bits: see lengths.h */
    uint64_t source;
    const uint32_t *early_list;       /* the early vertices, or NULL: */
    const cuda_early_vertices *early; /* there are none */
    uint32_t *best;                   /* n: the predecessor, or NO_PREDECESSOR */
    uint32_t *candidate;              /* n: scratch of sl_cuda_predecessors_begin_flat and _flat */
    uint64_t *missing;                /* entries of pi without a predecessor */
} cuda_predecessors;

/* best: the least vertex with a smaller value from which an edge is tight. mirrored: every edge has
 * a mirror edge of the same length. Counts *missing, which is 0 before. */
cudaError_t sl_cuda_predecessors_better(const cuda_predecessors *p, bool mirrored,
                                        cudaStream_t stream);

/* The first frontier of sl_cuda_predecessors_flat, and candidates. mirrored: the vertices of the first level, which have got their
 * predecessors; otherwise all that have one. */
cudaError_t sl_cuda_predecessors_begin_flat(const cuda_predecessors *p, bool mirrored,
                                            uint32_t *bits, cudaStream_t stream);

/* Gives the others one, level by level along tight edges between equal values, from the vertices of
 * x.frontier[0]. A vertex without a predecessor has no candidate before. */
cudaError_t sl_cuda_predecessors_flat(const cuda_predecessors *p, cudaStream_t stream);

/* *missing, which is 0 before. */
cudaError_t sl_cuda_predecessors_count(const cuda_predecessors *p, cudaStream_t stream);

/* Writes them to a vector of n values. */
cudaError_t sl_cuda_predecessors_write(const cuda_predecessors *p, cuda_integers parent,
                                       cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
