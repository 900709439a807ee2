/* The vectors of a call, and the order in which it runs. Private to the CUDA engine. */
#ifndef SEMLA_CUDA_CALL_VECTORS_H
#define SEMLA_CUDA_CALL_VECTORS_H

#include <semla/engine.h>

#include "cuda/data/order.h"

/* The vectors of a call: the mask, then the others that it reads, then its outputs. NULL: there is none. */
enum { CUDA_CALL_READS = 9, CUDA_CALL_VECTORS = 11 };
typedef struct {
    const sl_object *of[CUDA_CALL_VECTORS];
} cuda_call_vectors;

cuda_call_vectors sl_cuda_vectors_of(const sl_call *call);

static inline bool cuda_is_matrix_vector(const sl_call *call)
{
    return call->op == SL_OP_VXM || call->op == SL_OP_MXV;
}

/* True if the call only replaces the values of its output by the indices of its entries plus a number: nothing is read,
 * and nothing is written until an operation reads values. */
bool sl_cuda_keeps_entries(const sl_call *call);

/* The order in which the vectors of a call are brought: the one that a product wants; the one that one of them has,
 * if the operation runs in any; else NULL, the caller's, in which the arrays of a vector are lent. */
cuda_degree_order *sl_cuda_order_of_call(const sl_call *call, const cuda_call_vectors *all);

#endif
