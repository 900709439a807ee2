/*
 * Kernels of products over a pattern (pattern_product.c), also used by advance.
 */
#ifndef SEMLA_CUDA_PATTERN_PRODUCT_KERNELS_H
#define SEMLA_CUDA_PATTERN_PRODUCT_KERNELS_H

#include "cuda/data/frontier_kernels.h"
#include "cuda/data/object_kernels.h"
#include "cuda/search/device/bfs_kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* t<mask> = u' A. The entries of t are counted and reported, and the lengths of their rows if A is square. */
typedef struct {
    uint64_t n;            /* the size of t */
    cuda_row_starts start; /* push: the rows of u's entries; pull: the columns of A */
    const uint32_t *index; /* ascending in each row */
    cuda_row_starts
        rows; /* the rows whose lengths are counted, as a push with t as its vector examines
                             them; start NULL if A is not square */
    const uint32_t *
        old_id; /* push: the caller's ids of the vertices, which are then in another order; or NULL */
    const uint32_t *mask; /* bitmap; NULL: all */
    bool complement;
    uint32_t *bits;    /* of t; all 0 before a push; a pull writes all words */
    void *values;      /* written if they are ids */
    uint32_t *clear;   /* push: a bitmap cleared at u's entries, or NULL */
    bool reads_counts; /* push: the counts of u's list are in device memory alone */
    /* Push: writes of u's entries, for few vertices only; u's bitmap, which then belongs to the mask, too. */
    cuda_entry_writes writes;
    const uint32_t *written;
    bool resets;       /* sets all bits of the values at u's entries after the writes */
    uint32_t *pi_bits; /* pi<t> = t is done too, by a push only if choice is CUDA_ANY; the mask is
                          then the complement of pi's pattern; or NULL */
    void *pi_values;
    /* Values are ids of `size` bytes (int64 or int32), chosen by `choice`; else `one`, which is written to pi alone. */
    bool parents;
    cuda_choice choice;
    unsigned long long one; /* the value 1 of `size` bytes, in the first bytes */
    size_t size;
    cuda_report report;
} cuda_pattern_params;

/* Push from the list `from` of so many vertices and edges; tall: some row is longer than FRONTIER_SHORT_ROW. With
 * s->reads_counts from.counts has these three. t's entries become the list `to` if s->rows is given. For the least and
 * the greatest id all bits of the values are set before. */
cudaError_t sl_cuda_pattern_push(const cuda_pattern_params *s, cuda_frontier from,
                                 uint64_t vertices, uint64_t edges, bool tall, cuda_frontier to);

/* Pull from the bitmap of u. */
cudaError_t sl_cuda_pattern_pull(const cuda_pattern_params *s, const uint32_t *frontier);

/* Scratch of a pull over a reordered graph. Bitmaps have sl_cuda_bfs_words(graph.n) words. */
typedef struct {
    uint32_t *visited, *previous; /* bitmaps */
    uint32_t
        *parent; /* [graph.n] the parents of found vertices, in the graph's ids; NULL: not wanted */
    bfs_counts *counts;
} cuda_pull_scratch;

/* A pull over a reordered graph, as searches do it (search/device/pull.cuh): the bits of t, and the counts. Of s->bits,
 * which has `words` words or as many as the scratch's bitmaps, all are written. hub_words: as bfs_options. */
cudaError_t sl_cuda_pattern_pull_reordered(const cuda_pattern_params *s, const cuda_graph *graph,
                                           const cuda_pull_scratch *scratch,
                                           const uint32_t *frontier, uint64_t words,
                                           uint32_t hub_words);

/* Reports the entries of a part of u, a bitmap of n bits, and the edges of their rows; and the bits of the whole mask.
 */
cudaError_t sl_cuda_sample_frontier(const cuda_pattern_params *s, const uint32_t *u, uint64_t n,
                                    const cuda_row_starts *rows, cuda_report report);

/* n bits; bits NULL: none are read. */
typedef struct {
    const uint32_t *bits;
    uint64_t n;
} cuda_bit_array;

/* Lists the entries of u with the prefix sum of the lengths of their rows; reports the counts, and the bits of the
 * mask. sparse: few bits are set. */
cudaError_t sl_cuda_list_frontier(cuda_frontier to, const cuda_bit_array *u,
                                  const cuda_row_starts *rows, bool sparse,
                                  const cuda_bit_array *mask, cuda_report report);

#ifdef __cplusplus
}
#endif
#endif
