/* Frontiers, on the terms of kernels.h. */
#ifndef SEMLA_CUDA_FRONTIER_KERNELS_H
#define SEMLA_CUDA_FRONTIER_KERNELS_H

#include "kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Vertices whose rows are walked, in no order, and where each one's edges end on a line
 * of all of them. */
typedef struct {
    uint32_t *list;
    uint64_t *ends;
} cuda_frontier;

/* What kernels count of a frontier; the device's, 0 between kernels. */
typedef struct {
    unsigned long long next;   /* vertices, above their edges */
    unsigned long long wanted; /* bits of a mask */
    unsigned long long seen;   /* edges looked at, where they are counted */
    unsigned tall;             /* there is a row of more than RELAX_ALONE edges */
    unsigned ticket;           /* blocks that have ended */
} cuda_frontier_counter;

/* And what they leave with the host, in memory that it reads directly. */
typedef struct {
    unsigned long long vertices, edges, wanted, seen, tall;
    volatile unsigned long long stamp; /* written last: the caller's, of the launch */
} cuda_frontier_counts;

/* Where a kernel counts and reports. */
typedef struct {
    cuda_frontier_counter *counter;
    cuda_frontier_counts *counts;
    unsigned long long stamp;
    unsigned edge_bits; /* how far in `next` vertices stand above edges */
} cuda_report;

#ifdef __cplusplus
}
#endif
#endif
