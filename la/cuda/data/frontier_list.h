/* Private to the CUDA engine: the entries of a vector as a list, for products. */
#ifndef SEMLA_CUDA_FRONTIER_LIST_H
#define SEMLA_CUDA_FRONTIER_LIST_H

#include "cuda/data/device_matrix.h"
#include "cuda/data/frontier_kernels.h"

/*
 * The entries of a bitmap vector as a list, with the numbers of vertices and of edges (the lengths
 * of their rows in one matrix). A product writes it together with its result, so the next product
 * reads the counts without another pass or a wait, and costs O(entries) instead of O(n).
 */
typedef struct cuda_frontier_list {
    cuda_frontier frontier;       /* in `memory`; list NULL: counted but not listed */
    void *memory, *spare;         /* memory of two lists, or NULL */
    uint32_t *zero;               /* a bitmap of the vector's size without a bit, or NULL */
    cuda_frontier_counts *counts; /* pinned; valid once counts->stamp equals `stamp` */
    uint64_t stamp;               /* stamp of the launch that reports */
    bool there;                   /* the report has been seen */
    uint64_t serial;              /* serial of the matrix with the counted rows */
    bool
        rest_ones; /* all bits of the vector's values are 1 where it has no entry: see pattern_product.c */
} cuda_frontier_list;

/* A new list for the rows of M, with nothing listed; M NULL: its entries are only counted. */
sl_status sl_cuda_new_frontier_list(sl_context *ctx, cuda_frontier_list **list,
                                    const cuda_matrix *M);
void sl_cuda_free_frontier_list(cuda_frontier_list *list);
/* Memory for a list of n entries, which becomes list->frontier; and for a second list and the
 * empty bitmap. */
sl_status sl_cuda_frontier_list_room(sl_context *ctx, cuda_frontier_list *list, uint64_t n);
sl_status sl_cuda_frontier_list_spare(sl_context *ctx, cuda_frontier_list *list, uint64_t n);
/* The bytes of a list of n entries, and the list in such memory. */
uint64_t sl_cuda_frontier_bytes(uint64_t n);
cuda_frontier sl_cuda_frontier_in(void *memory, uint64_t n);
/* Removes the list; the memory stays. */
void sl_cuda_frontier_list_reset(cuda_frontier_list *list);
/* Where the kernel that fills the list reports. */
sl_status sl_cuda_report_to(sl_context *ctx, cuda_report *report, cuda_frontier_list *list,
                            unsigned edge_bits);
/* Waits until the counts have arrived. */
sl_status sl_cuda_frontier_list_wait(sl_context *ctx, cuda_frontier_list *list);

/* Counts the bits of a bitmap; waits. *counted stays on failure. */
sl_status sl_cuda_count_bitmap(sl_context *ctx, uint64_t *counted, const uint32_t *bits,
                               uint64_t words);

/* Bits for the edges in a number that holds vertices above edges; 0: the two do not fit in 64. */
unsigned sl_cuda_edge_bits(uint64_t vertices, uint64_t edges);

#endif
