/*
 * The reordered copy of a matrix's pattern, which searches read in place of the matrix: see
 * graph_view.h for the encoding. Private to the CUDA engine.
 */
#ifndef SEMLA_CUDA_REORDERED_GRAPH_H
#define SEMLA_CUDA_REORDERED_GRAPH_H

#include "cuda/data/device_matrix.h"
#include "cuda/data/order.h"
#include "cuda/operations/generator.h"
#include "cuda/reorder/reorder_kernels.h"
#include "cuda/runtime/arena.h"

/*
 * Owns the arrays that its `view` refers to. An array is NULL where the graph has none, or
 * where the view refers to an array of the matrix. It is derived data of a matrix. Copies of a matrix
 * that exists only in this form share one, which is never modified.
 */
typedef struct cuda_reordered_graph {
    unsigned extra_owners; /* matrices that share it, less one */
    cuda_graph view;
    unsigned purpose; /* the sl_optimize_flags with which it was made */
    /* Without pruned trees, the order of the matrix's rows (degree_order.h). NULL: the caller's ids are kept. */
    cuda_degree_order *order;
    uint32_t *tree_parent, *index, *word_degree;
    uint32_t *pinned; /* columns in pinned memory of the host (column_storage.h), or NULL */
    void *start;
    uint32_t *slot[ELL_SLOTS];
    uint4 *ell4;
    uint32_t *numbered_new_id, *numbered_first;
    cuda_derived *derived; /* from this graph, by other folders */
    cuda_arena workspace;  /* of the last search, kept for the next one */
} cuda_reordered_graph;

extern const cuda_derived_kind sl_cuda_reordered_kind;

/* The reordered graph of a matrix, or NULL. */
static inline cuda_reordered_graph *cuda_reordered_of(const cuda_matrix *A)
{
    return cuda_find_derived(A->derived, &sl_cuda_reordered_kind);
}

/*
 * Makes the reordered graph of a matrix of symmetric pattern. Does nothing if A has one for this
 * purpose, has no entries, or exists only in reordered form.
 *
 * purpose  sl_optimize_flags; SL_PRUNED removes trees
 * Errors: SL_NO_MEMORY, SL_ENGINE_FAULT; A keeps the reordered graph that it had.
 * Waits for the device. Cost: O(edges) plus radix sorts of all edges, REORDER_SEGMENT at a time.
 */
sl_status sl_cuda_reorder(const sl_object *object, cuda_matrix *A, unsigned purpose);

/*
 * The same for a matrix of n rows that has no entries in memory, only A->start and A->nnz: the
 * collector generates the entries again, with their new ids. Afterwards A exists only in reordered
 * form, also after an error.
 */
sl_status sl_cuda_reorder_generated(cuda_generator *c, cuda_matrix *A, uint32_t n);

/* Drops one owner, and frees the graph with its last one. NULL is allowed. */
void sl_cuda_free_reordered_graph(cuda_reordered_graph *graph);

/* Whether vertices of trees were removed. */
static inline bool sl_cuda_is_pruned(const cuda_reordered_graph *reordered)
{
    return reordered->view.tree_parent != NULL;
}

/* Fills `numbered`, `new_ids` and `first`. O(n). */
sl_status sl_cuda_number_vertices(sl_context *ctx, const cuda_numbered_vertices *v);

/* Makes numbered, numbered_new_id and numbered_first from new_id, slot[0], old_id and tree_parent.
 * old_n: the caller's vertices; numbered_n: how many of them have a new id. */
sl_status sl_cuda_index_numbered(sl_context *ctx, cuda_reordered_graph *graph, uint32_t old_n,
                                 uint64_t numbered_n);

/* About how many device bytes a reordered graph of n vertices takes without its columns. */
uint64_t sl_cuda_reordered_bytes(uint64_t n);

/* Of a matrix that exists only in reordered form. */
extern const cuda_matrix_form sl_cuda_reordered_form; /* export_reordered.c */

#endif
