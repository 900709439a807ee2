/*
 * What the OpenMP engine prepares for a matrix: graphs with 32-bit ids for its kernels, and
 * scratch. It is kept in the engine's slot of the matrix (sl_matrix_prepared) until the matrix is
 * written.
 */
#ifndef SEMLA_OPENMP_PREPARED_H
#define SEMLA_OPENMP_PREPARED_H

#include <semla/engine.h>

#include "openmp/length_rows.h"

/*
 * Pruned trees: vertices outside the 2-core, which searches leave out (prune.c). Arrays are by tree
 * id, in the caller's order of the vertices; all NULL if there are none.
 */
typedef struct {
    uint64_t count;
    uint32_t *tree_parent; /* the old id of the parent in the tree */
    uint32_t *root;        /* the new id of the vertex of the 2-core at which the tree is rooted */
    uint8_t *height;       /* the number of edges to the root */
} sl_openmp_trees;

/*
 * A matrix's rows with 32-bit column ids, in the caller's order or reordered. All NULL until they
 * are made.
 */
typedef struct {
    uint64_t count;    /* vertices with a new id, if reordered */
    uint64_t *start;   /* NULL: the matrix's own, if not reordered */
    uint32_t *index;   /* column ids */
    uint32_t *ell;     /* degree order: the first entry of each row, `count` if it is empty */
    uint64_t ell_only; /* degree order: rows from this one on have at most one entry */
    uint32_t *old_id;  /* by new id; NULL if not reordered */
    uint32_t *new_id;  /* by old id; `count` for vertices left out, more for vertices in trees */
    bool pruned;       /* degree order: pruning was requested */
    sl_openmp_trees trees;
} sl_openmp_graph;
void sl_openmp_graph_free(sl_openmp_graph *graph);

/* Everything prepared for one matrix; all arrays are from sl_malloc. */
typedef struct {
    sl_openmp_graph graph;        /* in the caller's order or in cluster order: for every search */
    sl_openmp_graph degree_graph; /* in degree order: for searches for any parent */
    uint32_t *plain_index;        /* column ids in the caller's order, if `graph` is reordered:
                                     for products; NULL until it is made */
    sl_openmp_lengths lengths;    /* for shortest paths */
    uint64_t few_products;        /* that would have read `graph` if it had been made */
    unsigned pulls;               /* of products over `any` in the caller's order */
    unsigned column_sums; /* that would have read rows of the transpose if it had been made */
    uint32_t *scratch;    /* kept between searches: new pages cost as much as levels */
    uint64_t scratch_count;
} sl_openmp_prepared;

/* The prepared data of a matrix, empty at first; owned by A. SL_NO_MEMORY. */
sl_status sl_openmp_prepared_of(sl_openmp_prepared **prepared, sl_matrix *A);

/* Frees the prepared data of a matrix if it is empty, as after a failed preparation. */
void sl_openmp_prepared_drop_empty(sl_matrix *A);

/* forget_prepared and describe_prepared of the engine. */
void sl_openmp_forget_prepared(void *prepared);
void sl_openmp_describe_prepared(sl_placement *placement, const void *prepared);

/* Accesses each page of new memory for writing, a part by each thread, and changes nothing. Without it
 * threads that write to the same huge page first would each clear one. */
void sl_openmp_touch(void *memory, uint64_t bytes, int threads);

/*
 * Scratch of `count` words, kept in `prepared`; all threads have touched its pages. NULL: out of
 * memory.
 */
uint32_t *sl_openmp_scratch(sl_openmp_prepared *prepared, uint64_t count, int threads);

/*
 * The rows of a matrix with 32-bit ids, made at first use. They are reordered like `order`, the
 * graph of A or of A's transpose. The entries of a row keep the caller's order. SL_NO_MEMORY.
 */
sl_status sl_openmp_rows(const uint64_t **start, const uint32_t **index, sl_matrix *A,
                         const sl_openmp_graph *order);

/* The same in the caller's order. SL_NO_MEMORY. */
sl_status sl_openmp_plain_rows(const uint64_t **start, const uint32_t **index, sl_matrix *A);

/* The number of threads for work that takes as long as visiting so many edges. */
int sl_openmp_threads_for(const sl_context *ctx, uint64_t edges);

/* The words of a bitmap of n vertices, with room for a bit n that is never set. */
static inline uint64_t search_words(uint64_t n)
{
    return n / 64 + 1;
}

/* The first id of vertices in pruned trees: after that bit, at a word. */
static inline uint64_t tree_ids_begin(uint64_t n)
{
    return search_words(n) * 64;
}

/* The number of ids of a graph in degree order, including the ids of vertices left out and of
 * trees. */
static inline uint64_t all_ids(const sl_openmp_graph *graph)
{
    return graph->trees.count ? tree_ids_begin(graph->count) + graph->trees.count
                              : graph->count + 1;
}

#endif
