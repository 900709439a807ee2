/* Private to the CUDA engine: the order in which a matrix is searched. */
#ifndef SEMLA_CUDA_LAYOUT_H
#define SEMLA_CUDA_LAYOUT_H

#include "generator.h"
#include "matrix.h"
#include "layout_kernels.h"

/* The arrays behind an adjacency that was made; of what is the matrix's own it has none. */
typedef struct cuda_reordered_graph {
    unsigned others; /* matrices that have it, but for one */
    cuda_graph graph;
    uint32_t *old_id, *new_id, *tree_parent, *index, *word_degree;
    unsigned purpose; /* made for: an sl_purpose, also where that changes nothing */
    uint32_t *pinned; /* some of the columns, in the host's memory; or NULL */
    void *start;
    uint32_t *slot[SLOTS];
    uint4 *ell4;
    uint2 *kept;
    uint32_t *kept_new_id, *kept_first;
    void *scratch; /* of the last search, for the next, of so many bytes */
    uint64_t scratch_bytes;
} cuda_reordered_graph;

/* A's layout, for a matrix whose pattern is symmetric, for an sl_purpose; made by the first who
 * asks and kept with A, until it is asked for another. */
sl_status sl_cuda_reorder(const sl_object *object, cuda_matrix *A, unsigned purpose);
/*
 * The same of a matrix of n rows that is not there but for A->start and A->nnz: the
 * collector makes its entries again, by their new places. A is the layout alone then.
 */
sl_status sl_cuda_reorder_generated(cuda_generator *c, cuda_matrix *A, uint32_t n);
/* True of a layout that has not all of its matrix. */
static inline bool sl_cuda_is_pruned(const cuda_reordered_graph *layout)
{
    return layout->graph.tree_parent != NULL;
}
/* kept, kept_new_id and kept_first, of so many vertices of the caller's, of which so many have a
 * new_id or hang (kept.c). */
sl_status sl_cuda_make_kept(sl_context *ctx, cuda_reordered_graph *layout, uint32_t callers, uint64_t kept);
/* NULL is allowed. */
void sl_cuda_free_reordered_graph(cuda_reordered_graph *layout);

/* ---- where the columns lie (columns.c) ---- */

/*
 * Room for the columns: on the device as far as that leaves it `keep` bytes, and the others
 * in pinned memory of the host. These are of vertices of high degree, but not the highest:
 * hubs are pushed from, their rows read whole, and vertices of low degree are many, of which some
 * are not settled by their slots; those between are reached early and, as a frontier, pulled
 * from.
 */
sl_status sl_cuda_place_columns(sl_context *ctx, cuda_reordered_graph *layout, uint64_t edges,
                                uint64_t keep);
/* An adjacency with the columns alone. */
cuda_graph sl_cuda_columns(const cuda_reordered_graph *layout);

/* Bytes of a layout of n vertices but for its columns, about; and of what is left free for
 * a search's scratch and for vectors, when columns are put elsewhere, with so many vertices
 * of the caller's. */
uint64_t sl_cuda_reordered_bytes(uint64_t n);
uint64_t sl_cuda_reserve(uint64_t callers, uint64_t n);

/* Where column e lies; returns the number of the first that does not lie behind it. */
uint64_t sl_cuda_columns_at(const cuda_reordered_graph *layout, uint64_t e, uint32_t **column);

/* Adds what a layout takes. */
void sl_cuda_add_placement(sl_placement *placement, const cuda_reordered_graph *layout);

/* A matrix's arrays on the host, of one that is the layout alone (ordered.c). */
sl_status sl_cuda_export_ordered(sl_csr *csr, const sl_object *object, const cuda_matrix *A);

#endif
