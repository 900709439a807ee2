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
    uint64_t inner;           /* the size of u */
    bool by_rows;             /* u's entries select rows of A, else columns */
    cuda_vector *pi;          /* advance: also receives the result; else NULL */
    sl_direction direction;   /* SL_AUTO: the cost model decides */
    bool pushes;              /* the direction taken */
    const cuda_graph *graph;  /* a reordered graph, in whose order the result is; or NULL */
    cuda_degree_order *order; /* with a graph: of the result */
    uint64_t sources;   /* with a graph: its rows by source; u's entries from there on have none */
    cuda_matrix *along; /* a push examines the rows of this matrix; NULL: only pull is possible */
    cuda_pattern_params k;
    cuda_frontier_counts
        counts;        /* of u; of a pull, or with k.reads_counts, the edges may be an estimate */
    uint64_t edges;    /* of u, estimated by the caller; or CUDA_UNKNOWN */
    uint32_t *zero;    /* of the caller: the bitmap of the result, without a bit; or NULL */
    bool counts_edges; /* a pull counts the edges of the result, as `along` has them */
    bool mask_counted; /* counts.wanted has the bits of the mask */
    bool in_place;     /* the output is u: its arrays are reused */
    cuda_frontier_list *made; /* list of the result, unless in_place */
    uint32_t *found;          /* as of the result: device_vector.h; or NULL */
} cuda_pattern_product;

static inline const sl_object *cuda_pattern_matrix(const sl_call *call)
{
    return call->op == SL_OP_VXM ? call->b : call->a;
}
/* How the monoid of a semiring chooses between ids. */
cuda_choice sl_cuda_pattern_choice(sl_semiring semiring);
/* Whether a product over a pattern of so many vertices takes any parent, and replaces the output. */
bool sl_cuda_finds_any(const sl_call *call, uint64_t vertices);
/* Counts a pull over the rows of A that would have been faster over its reordered graph: sl_cuda_wants_order. Pulls for
 * the least or greatest id are as fast over A's own rows. */
sl_status sl_cuda_count_pattern_pull(sl_context *ctx, cuda_matrix *A);

/* Where the rows of M begin that a push examines. */
static inline cuda_row_starts cuda_pattern_starts(const cuda_pattern_product *r,
                                                  const cuda_matrix *M)
{
    return r->graph ? (cuda_row_starts){r->graph->start, r->graph->wide, r->sources}
                    : (cuda_row_starts){M->start, true, UINT64_MAX};
}
/* Queues the kernel that lists the n entries of a bitmap u, with the edges of their rows, to the list of u, and counts
 * the bits of the mask. edge_bits: see sl_cuda_edge_bits. */
sl_status sl_cuda_list_vector(sl_context *ctx, const cuda_vector *u, uint64_t n,
                              const cuda_row_starts *rows, const cuda_bit_array *mask,
                              unsigned edge_bits);

/* Bits for the edges in the packed counts of the product's lists. */
static inline unsigned cuda_pattern_edge_bits(const cuda_pattern_product *r)
{
    return sl_cuda_edge_bits(r->k.n > r->inner ? r->k.n : r->inner, r->A->nnz);
}

/*
 * A product whose vector and result are in different orders. call: as for vxm; the output is a new vector. Any parent
 * will do.
 */
typedef struct {
    /* As many rows as u has bits, as many columns as the result has places, and the number of edges; no arrays. */
    const sl_object *matrix;
    cuda_vector *
        u; /* bit k selects row k of `graph` by source, whose old_id has one element for each of them */
    const cuda_graph *graph;
    cuda_degree_order *order; /* of the result, and of the mask if there is one */
    /* sl_cuda_graph_product_words words, all 0. They belong to the output if the product succeeds. */
    uint32_t *bits;
    /* About so many edges of u's entries, by which the direction is chosen; or CUDA_UNKNOWN. */
    uint64_t edges;
    /* Each vertex has as many edges by target as by source, so that a pull counts the edges of its result. */
    bool symmetric;
} cuda_graph_product;
sl_status sl_cuda_multiply_by_graph(sl_call *call, const cuda_graph_product *product);
/* Of a bitmap of n places in the order of `graph`: as many as a search's pull writes, or as a vector has. */
uint64_t sl_cuda_graph_product_words(const cuda_graph *graph, uint64_t n);

/* Sets r->counts and r->pushes; u is listed for a push. */
sl_status sl_cuda_choose_pattern_direction(cuda_pattern_product *r);

#endif
