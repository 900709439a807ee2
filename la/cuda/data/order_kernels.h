/* Orders of vertices, and the kernels that bring vectors into them. Included by C and CUDA sources. */
#ifndef SEMLA_CUDA_ORDER_KERNELS_H
#define SEMLA_CUDA_ORDER_KERNELS_H

#include "cuda/runtime/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CUDA_NO_VERTEX UINT32_MAX

/* First neighbours of each vertex that are stored in ELL slots (reorder/graph_view.h). */
enum { ELL_SLOTS = 4 };

/* An order as kernels read it. Vertices with edges come first; the others follow in the caller's order. Pointers
 * are borrowed, to device memory. */
typedef struct {
    uint32_t n;             /* vertices with edges */
    uint32_t all;           /* vertices */
    const uint32_t *old_id; /* [n] the caller's id of each place */
    const uint32_t
        *new_id; /* [all] the place of each of the caller's ids; CUDA_NO_VERTEX: no edges */
    /* [words of a bitmap of all vertices] x: the vertices with edges among the 32 of a word; y: how many there are
     * before these */
    const uint2 *numbered;
} cuda_order_view;

/* A vector's arrays. bits NULL: every entry is present. */
typedef struct {
    uint32_t *bits;
    void *values;
} cuda_order_arrays;

/* Copies a vector with values of `size` bytes from the caller's order into `order`. to.bits is all 0 before. */
cudaError_t sl_cuda_into_order(cuda_order_arrays to, cuda_order_arrays from,
                               const cuda_order_view *order, size_t size);
/* The other way; all words of to.bits are written. */
cudaError_t sl_cuda_out_of_order(cuda_order_arrays to, cuda_order_arrays from,
                                 const cuda_order_view *order, size_t size);
/* to[place of v] = first + v, which wraps, for each of n vertices; order->new_id NULL: the place is v. */
cudaError_t sl_cuda_fill_indices(cuda_integers to, uint64_t n, int64_t first,
                                 const cuda_order_view *order);
/* to[k] = from[old[k]], for values of `size` bytes. */
cudaError_t sl_cuda_order_values(void *to, const void *from, const uint32_t *old, size_t size,
                                 uint64_t count);
/* to[k] = the place of the caller's id from[k]; from NULL: of id k. */
cudaError_t sl_cuda_places_of(uint32_t *to, const uint32_t *from, const cuda_order_view *order,
                              uint64_t count);

#ifdef __cplusplus
}
#endif
#endif
