/* Private to the CUDA engine: sums of a full vector's values over the rows of a pattern in another order:
 * the order of a reordered graph, or the order of sum_order.h. */
#ifndef SEMLA_CUDA_REORDERED_PRODUCTS_H
#define SEMLA_CUDA_REORDERED_PRODUCTS_H

#include "cuda/operations/vector_result.h"
#include "cuda/products/neighbour_sums.h"
#include "cuda/products/product_kernels.h"
#include "cuda/products/sum_order.h"
#include "cuda/reorder/reordered_graph.h"

/*
 * *found: whether the pull p over all rows of M runs in another order: plus, min or max of numbers of 4 or 8 bytes,
 * the vector is full, or lacks entries that are read as the sum of nothing (then the caller finds which rows have
 * entries), there is no mask or one that allows most rows, and memory for the sums in that order. If no value
 * of M is read, it is the order of M's reordered graph, which has all vertices and is on the device; else an order that
 * is made here if it pays, with the values of M if they are read. Then `sums` has the rows, their classes and
 * tiles. vector: the operand, or NULL: it is not read. matrix: M is its matrix, or the transpose. A vector that has an
 * order already (cuda_vector.in_order), which is M's, is used so without a look at the memory.
 */
sl_status sl_cuda_find_sums(cuda_scratch *s, cuda_neighbour_sums *sums, const cuda_product *p,
                            cuda_matrix *M, const sl_object *vector, const sl_object *matrix,
                            bool *found);

/* True if a result is the sum of the vector's values, unchanged, or the least or the greatest of them; p->u_values is
 * not NULL if they are read. */
bool sl_cuda_sums_values(const cuda_product *p);
/* The same of products with the values of the entries, in whatever type they are stored: by times for sums, by plus,
 * times, min or max for the others. */
bool sl_cuda_sums_products(const cuda_product *p);

/* A product as one of the two tells, of a full vector. */
typedef struct {
    cuda_matrix *A; /* the matrix of the call */
    cuda_matrix *M; /* each result is one of its rows: A, or its transpose */
    cuda_summed_rows what;
    const cuda_vector *u; /* the vector */
} cuda_summed;
/* Whether vxm or mxv is such a product, and M and the vector are there: nothing is computed. what.matrix is NULL. */
bool sl_cuda_find_summed(cuda_summed *found, const sl_call *call);

/* Whether there is memory for a product with values of a type in that order. */
sl_status sl_cuda_has_room_for_sums(bool *room, sl_context *ctx, const cuda_sum_order *order,
                                    sl_type type);

/* Runs it: fills p->t_values and, unless NULL, bits with the rows that have entries; or, unless
 * `onto` is NULL, adds to the values of that vector, which is full and of the call's output. If it
 * is in order, fills the values of the rows with entries. */
sl_status sl_cuda_neighbour_sums(cuda_scratch *s, cuda_neighbour_sums *sums, const cuda_product *p,
                                 cuda_vector *onto, uint32_t *bits);

#endif
