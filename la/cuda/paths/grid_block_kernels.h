/* Kernels of grid_order.cu and grid_share.cu: what shortest paths on a grid make of a block before and
 * after the rounds. Included by C and CUDA sources. */
#ifndef SEMLA_CUDA_GRID_BLOCK_KERNELS_H
#define SEMLA_CUDA_GRID_BLOCK_KERNELS_H

#include <semla/distribution.h>
#include <semla/semirings.h>

#include "cuda/runtime/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- rows and values in the order of a grid (grid_order.cu) ---- */

/* to[first + k] = first + ids[k], for k < count. */
cudaError_t sl_cuda_grid_place_ids(uint32_t *to, uint64_t first, const uint32_t *ids,
                                   uint64_t count);

/* Rows of the vertices from number `first` on, with values of `size` bytes or none; and `new_rows`
 * consecutive rows by new numbers, in which columns have new numbers, too: those from number
 * `begin` on, of `count` entries, of which the first is number `from`. */
typedef struct {
    uint64_t first;
    const uint32_t *old_id, *new_id; /* of all vertices */
    const uint64_t *start, *new_start;
    const uint32_t *index;
    const void *values;
    size_t size;
    uint64_t begin, new_rows, from, count;
    uint64_t *segment_start; /* new_rows + 1: where the rows begin among these entries */
    uint32_t *new_index;
    void *new_values;
} grid_rows_to_order;

cudaError_t sl_cuda_grid_order_rows(const grid_rows_to_order *x);

/* bits: the bitmap of the rows with at most `longest` edges. *short_edges, 0 before: the edges of these rows. */
cudaError_t sl_cuda_grid_short_rows(const uint64_t *start, uint64_t rows, unsigned longest,
                                    uint32_t *bits, unsigned long long *short_edges);

/* The own vertices of a process, from number `first` on: values by their old numbers, of which
 * `bits` tells those that there are, and by their new ones less `first`: of the `used` vertices with edges. */
typedef struct {
    uint64_t first, count, used;
    const uint32_t *new_id; /* of the own vertices */
    uint32_t *bits, *new_bits;
    void *values, *new_values;
    size_t size;
} grid_ordered_values;

/* new_values and new_bits receive the values that there are, and the bitmap `waiting`, too. Both bitmaps
 * are 0 before. */
cudaError_t sl_cuda_grid_order_values(const grid_ordered_values *x, uint32_t *waiting);
/* The reverse. The values of other vertices stay. */
cudaError_t sl_cuda_grid_restore_values(const grid_ordered_values *x);

/* to[k]: the value of the vertex of new number first + k, of the type of sums, or a number greater
 * than all distances if `bits` has none; for k < used. */
cudaError_t sl_cuda_grid_list_distances(void *to, const grid_ordered_values *x,
                                        const uint32_t *old_id, sl_type type);

/* ---- contents of several blocks (grid_share.cu) ---- */

/* Sets the bits of a bitmap of `count` bits in another one, from place `first` on. */
cudaError_t sl_cuda_grid_place_bits(uint32_t *to, uint64_t first, const uint32_t *bits,
                                    uint64_t count);

/* *least becomes at most *value, both of the type of sums. */
cudaError_t sl_cuda_grid_lower(void *least, const void *value, sl_type type);

#ifdef __cplusplus
}
#endif
#endif
