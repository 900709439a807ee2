/*
 * Products over `any`, the levels of searches: w<mask> = u A and w<mask> = A u, where each product is
 * 1 (pair), the vector's value (first or second) or its index (firstj, secondi), so that the matrix's
 * values are not read. An entry of the result is any of its products.
 *
 * Push reads the rows of the vector's entries and marks the columns that the mask allows. Pull reads,
 * for each index that the mask allows, its row of the transpose, up to the first entry of the
 * vector. The mask limits the work of both.
 */
#ifndef SEMLA_OPENMP_ANY_PRODUCT_H
#define SEMLA_OPENMP_ANY_PRODUCT_H

#include "openmp/products.h"

#pragma GCC visibility push(hidden)

enum {
    LEAST_SHARE = 32
}; /* SuiteSparse multiplies if products are fewer than 1 / 32 of the sizes */

/* States of an index of the result in `present`; another number: the mask does not allow an entry. */
enum { OPEN = 0, ENTRY = 1 };

typedef enum { VALUE_ONE, VALUE_OF_VECTOR, VALUE_INDEX, VALUE_OTHER } product_value;

/* One product. */
typedef struct {
    const sl_call *call;
    sl_object *A, *u;
    bool by_vector;                          /* row k of A belongs to entry k of the vector */
    product_value value;                     /* never VALUE_OTHER */
    size_t size;                             /* bytes of a value */
    sl_bitmap vector;                        /* moved out of u while `present` is not NULL */
    const uint64_t *push_start, *pull_start; /* NULL: the matrix is not kept in this order */
    const uint32_t *push_index, *pull_index;
    sl_bitmap result;
    uint64_t *frontier; /* pull: the vector's pattern as bits */
    sl_openmp_pieces pieces;
} any_product;

/* The operands that are a matrix and a vector. */
static inline sl_object *any_matrix(const sl_call *call)
{
    return call->op == SL_OP_VXM ? call->b : call->a;
}

static inline sl_object *any_vector(const sl_call *call)
{
    return call->op == SL_OP_VXM ? call->a : call->b;
}

/* Whether row k of the matrix belongs to entry k of the vector. */
static inline bool any_by_vector(const sl_call *call)
{
    return call->op == SL_OP_VXM ? !(call->flags & SL_TRANSPOSE_B) : call->flags & SL_TRANSPOSE_A;
}

/* ---- any_choice.c ---- */

/* *reason: why SuiteSparse multiplies, or NULL. *entries of the matrix; *products: their number, exactly if
 * the matrix is stored by the vector's indices, else an estimate. */
sl_status sl_openmp_any_examine(const char **reason, uint64_t *entries, uint64_t *products,
                                const sl_call *call);

/* Chooses the direction and finds the rows that it reads, after the vector and the result were opened and
 * the mask was applied. *work: the edges and indices that are expected to be read. */
sl_status sl_openmp_any_choose(bool *pull, double *work, any_product *p, uint64_t entries,
                               uint64_t products);

/* ---- any_kernels.c ---- */

/* Writes the entries of the result, on as many threads as the work deserves. */
sl_status sl_openmp_any_run(any_product *p, bool pull, double work);

#pragma GCC visibility pop
#endif
