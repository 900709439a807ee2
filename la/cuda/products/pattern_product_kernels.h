/*
 * Products of which the terms are 1 or the number of the vertex that they come from, on
 * the terms of kernels.h: the steps of searches, by vxm and mxv and by advance.
 */
#ifndef SEMLA_CUDA_STEP_KERNELS_H
#define SEMLA_CUDA_STEP_KERNELS_H

#include "frontier_kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* t<mask> = u' A with A n x n; what t gains is counted with its rows' edges and reported. */
typedef struct {
    uint64_t n;
    const uint64_t *start; /* what is walked: the frontier's rows in a push, columns in a pull */
    const uint32_t *index; /* ascending in a row */
    const uint64_t *rows;  /* starts of the rows that a next push would walk */
    const uint32_t *mask;  /* bits, or those of what is left out; NULL: all */
    bool complement;
    uint32_t *bits; /* t's; all 0 before a push, wholly written by a pull */
    void *values;
    uint32_t *clear;   /* of a push: bits, which become 0 at the frontier's vertices. Or NULL */
    uint32_t *pi_bits; /* of a pull: becomes pi<t> = t too. Or NULL */
    void *pi_values;
    bool parents; /* numbers of `size` bytes, int64 or int32, of which `choice`; else `one` */
    cuda_choice choice;
    unsigned long long one; /* 8 bytes that begin with the value, of `size` bytes */
    size_t size;
    cuda_report report;
    unsigned multiprocessors;
} cuda_step;

/* From a frontier of so many vertices and edges, which has a tall row or not; t's entries
 * become the list `to`. With min and max the values are all ones before, bit for bit. */
cudaError_t sl_cuda_step_push(const cuda_step *s, cuda_frontier from, uint64_t vertices,
                              uint64_t edges, bool tall, cuda_frontier to, cudaStream_t stream);

/* From the frontier's bits. */
cudaError_t sl_cuda_step_pull(const cuda_step *s, const uint32_t *frontier, cudaStream_t stream);

/*
 * The entries of `bits` as a frontier along the rows that start there; counts are reported,
 * and how many bits the mask (NULL: none) has.
 */
cudaError_t sl_cuda_list_frontier(cuda_frontier to, const uint32_t *bits, uint64_t n,
                                  const uint64_t *start, const uint32_t *mask, cuda_report report,
                                  unsigned multiprocessors, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
