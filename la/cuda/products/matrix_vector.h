/* A product of a matrix and a vector while it runs: products.c, push_pull.c. Private to the CUDA engine. */
#ifndef SEMLA_CUDA_MATRIX_VECTOR_H
#define SEMLA_CUDA_MATRIX_VECTOR_H

#include <semla/direction.h>

#include "cuda/operations/vector_result.h"
#include "cuda/products/pattern_product.h"
#include "cuda/products/product_kernels.h"

typedef struct {
    cuda_scratch s;
    sl_object *matrix, *vector; /* vector NULL: full and not read (row sums) */
    cuda_matrix *A;
    bool transposed; /* the descriptor transposes the matrix */
    bool vector_first;
    sl_binary_op multiply;
    sl_monoid add;
    uint64_t inner, outer; /* sizes of the vector and of the result */
    cuda_entries t;
    cuda_product p;
    /* the vector's entries, once listed */
    cuda_frontier frontier;
    sl_plan plan;
    bool written; /* the product has been added to the output */
} cuda_matrix_vector;

static inline bool cuda_reads_matrix(const cuda_matrix_vector *r)
{
    if (r->multiply->positional || !r->A->values)
        return false;
    return r->vector_first ? r->multiply->reads_y : r->multiply->reads_x;
}

static inline bool cuda_reads_vector(const cuda_matrix_vector *r)
{
    if (r->multiply->positional || !r->vector)
        return false;
    return r->vector_first ? r->multiply->reads_x : r->multiply->reads_y;
}

/* The type in which the operator reads the matrix. */
static inline sl_type cuda_matrix_type(const cuda_matrix_vector *r)
{
    return r->vector_first ? r->multiply->type_y : r->multiply->type;
}

static inline sl_type cuda_vector_type(const cuda_matrix_vector *r)
{
    return r->vector_first ? r->multiply->type : r->multiply->type_y;
}

static inline bool cuda_has_symmetric_pattern(const cuda_matrix_vector *r)
{
    return ((const sl_matrix *)r->matrix)->symmetry == SL_SYMMETRIC;
}

/* Traverse rows of M, the matrix or its transpose: the rows of the vector's entries, which are
 * listed, or all rows of the result. */
sl_status sl_cuda_push(cuda_matrix_vector *r, const cuda_matrix *M);
sl_status sl_cuda_pull(cuda_matrix_vector *r, cuda_matrix *M);

#endif
