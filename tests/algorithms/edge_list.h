/* Lists of edges, from which tests make matrices. */
#ifndef SEMLA_TESTS_EDGE_LIST_H
#define SEMLA_TESTS_EDGE_LIST_H

#include "support.h"

#include <stdlib.h>

/* Edges (from, to), which may repeat. */
typedef struct {
    const char *name;
    uint64_t n, count;
    uint64_t *from, *to;
} edge_list;

enum { MOST_EDGES = 1 << 18 };

/* No edges, and room for MOST_EDGES. */
static inline edge_list new_graph(const char *name, uint64_t n)
{
    edge_list g = {.name = name,
                   .n = n,
                   .from = malloc(MOST_EDGES * sizeof *g.from),
                   .to = malloc(MOST_EDGES * sizeof *g.to)};
    assert_true(g.from && g.to);
    return g;
}

static inline void free_graph(edge_list *g)
{
    free(g->from);
    free(g->to);
}

static inline void add_edge(edge_list *g, uint64_t from, uint64_t to)
{
    assert_true(g->count < MOST_EDGES && from < g->n && to < g->n);
    g->from[g->count] = from;
    g->to[g->count++] = to;
}

static inline void add_random(edge_list *g, uint64_t count, uint64_t *random)
{
    for (uint64_t k = 0; k < count; k++)
        add_edge(g, test_random(random) % g->n, test_random(random) % g->n);
}

/* The matrix of the edges, with their mirror edges if `symmetric`. On a grid each rank passes a part
 * of them. */
static inline sl_matrix *matrix_of(sl_context *ctx, const edge_list *g, bool symmetric)
{
    sl_matrix *A, *S;
    uint64_t first, last;
    sl_context_local_range(ctx, g->count, &first, &last);
    OK(ctx, sl_matrix_new(&A, ctx, SL_BOOL, g->n, g->n));
    OK(ctx, sl_matrix_build(A, g->from + first, g->to + first, NULL, last - first, SL_FIRST_BOOL));
    if (!symmetric)
        return A;
    OK(ctx, sl_matrix_new(&S, ctx, SL_BOOL, g->n, g->n));
    OK(ctx,
       sl_matrix_ewise_add(S, NULL, NULL, SL_PAIR_BOOL, A, A, sl_descriptor_get(SL_TRANSPOSE_B)));
    sl_matrix_free(A);
    return S;
}

#endif
