/* A product over a pattern while it runs: pattern_product.c, pattern_frontier.c. Private to the CUDA engine. */
#ifndef SEMLA_CUDA_PATTERN_PRODUCT_H
#define SEMLA_CUDA_PATTERN_PRODUCT_H

#include "cuda/operations/vector_result.h"
#include "cuda/products/pattern_product_kernels.h"
#include "cuda/reorder/reordered_graph.h"

typedef struct {
    cuda_scratch s;
    const sl_object *matrix;
    cuda_vector *u;
    cuda_matrix *A;
    uint64_t inner;          /* the size of u */
    bool by_rows;            /* u's entries select rows of A, else columns */
    cuda_vector *pi;         /* advance: also receives the result; else NULL */
    sl_direction direction;  /* SL_AUTO: the cost model decides */
    bool pushes;             /* the direction taken */
    const cuda_graph *graph; /* the reordered graph of A, in whose order the vectors are; or NULL */
    const cuda_matrix
        *along; /* a push examines the rows of this matrix; NULL: only pull is possible */
    cuda_pattern_params k;
    cuda_frontier_counts counts; /* of u; of a pull the edges may be an estimate */
    bool mask_counted;           /* counts.wanted has the bits of the mask */
    bool in_place;               /* the output is u: its arrays are reused */
    cuda_frontier_list *made;    /* list of the result, unless in_place */
    uint32_t *found;             /* as of the result: device_vector.h; or NULL */
} cuda_pattern_product;

static inline const sl_object *cuda_pattern_matrix(const sl_call *call)
{
    return call->op == SL_OP_VXM ? call->b : call->a;
}
/* How the monoid of a semiring chooses between ids. */
cuda_choice sl_cuda_pattern_choice(sl_semiring semiring);
/* Counts a pull over the rows of A that would have been faster over its reordered graph: sl_cuda_wants_order. Pulls for
 * the least or greatest id are as fast over A's own rows. */
sl_status sl_cuda_count_pattern_pull(sl_context *ctx, cuda_matrix *A);

/* Where the rows of M begin that a push examines. */
static inline cuda_row_starts cuda_pattern_starts(const cuda_pattern_product *r,
                                                  const cuda_matrix *M)
{
    return r->graph ? (cuda_row_starts){r->graph->start, r->graph->wide, r->graph->n}
                    : (cuda_row_starts){M->start, true, UINT64_MAX};
}
/* Bits for the edges in the packed counts of the product's lists. */
static inline unsigned cuda_pattern_edge_bits(const cuda_pattern_product *r)
{
    return sl_cuda_edge_bits(r->k.n > r->inner ? r->k.n : r->inner, r->A->nnz);
}

/* Sets r->counts and r->pushes; u is listed for a push. */
sl_status sl_cuda_choose_pattern_direction(cuda_pattern_product *r);

#endif
