/* Frontier lists of pushes, and the counts that kernels report. Included by C and CUDA sources. */
#ifndef SEMLA_CUDA_FRONTIER_KERNELS_H
#define SEMLA_CUDA_FRONTIER_KERNELS_H

#include "cuda/data/frontier_tuning.h"
#include "cuda/runtime/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The vertices and edges of a list; tall: whether there is a row of more than FRONTIER_SHORT_ROW edges. */
typedef struct {
    unsigned long long vertices, edges, tall;
} cuda_listed_counts;

/* A frontier list: vertices in any order, and the inclusive prefix sums of their degrees, in device
 * memory. Its counts are written by the kernels that list a bitmap. */
typedef struct {
    uint32_t *list;
    uint64_t *ends;
    cuda_listed_counts *counts;
} cuda_frontier;

/* Where the rows of vertices begin: offsets of 64 bits if `wide`, otherwise of 32, one more than there are rows.
 * Vertices from `rows` on have no edges. */
typedef struct {
    const void *start;
    bool wide;
    uint64_t rows;
} cuda_row_starts;

/* Counters of a kernel that fills a frontier list, in device memory; 0 between kernels. */
typedef struct {
    unsigned long long next;   /* vertices << edge_bits | edges */
    unsigned long long wanted; /* set bits of a mask */
    unsigned long long seen;   /* edges examined, where they are counted */
    unsigned tall;             /* 1 if there is a row of more than FRONTIER_SHORT_ROW edges */
    unsigned ticket;           /* blocks that have finished */
} cuda_frontier_counter;

/* The counts that the kernel's last block writes to pinned memory of the host. */
typedef struct {
    unsigned long long vertices, edges, wanted, seen, tall;
    volatile unsigned long long stamp; /* of the launch; written last */
} cuda_frontier_counts;

/* Where a kernel counts, in device memory, and reports, in pinned host memory. */
typedef struct {
    cuda_frontier_counter *counter;
    cuda_frontier_counts *counts;
    unsigned long long stamp;
    unsigned edge_bits; /* bits of the edges in `next` */
} cuda_report;

/* Reports the number of set bits of a bitmap as vertices; edge_bits is 0. */
cudaError_t sl_cuda_report_bits(const uint32_t *bits, uint64_t words, cuda_report to);

#ifdef __cplusplus
}
#endif
#endif
