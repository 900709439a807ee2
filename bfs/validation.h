/* Private to bfs/: the state of a validation that runs by operations of the engine. */
#ifndef SEMLA_BFS_VALIDATION_H
#define SEMLA_BFS_VALIDATION_H

#include "bfs/check_tools.h"
#include "bfs/graph_tools.h"

/* One validation of a search. */
typedef struct {
    sl_context *ctx;
    sl_check_result *result; /* the caller's */
    const sl_matrix *A;      /* the graph; the caller's */
    uint64_t n, source;      /* vertices; the source */
    int64_t max_depth;       /* -1: not bounded */
    sl_vector *parent,
        *level;       /* int64 copies of the results to validate; NULL if not given; owned */
    sl_vector *depth; /* int64: the depth of each vertex in the tree, or a copy of
                         `level` if there are no parents; owned */
    sl_matrix *tree;  /* entry (parent, child) for every vertex but the source; owned */
} sl_validation;

/* A new empty vector with an element per vertex. */
sl_status sl_validation_vector(const sl_validation *c, sl_vector **v, sl_type type);

/* The first entry of v (int64) for which `op` with `thunk` is true, or *found is false. */
sl_status sl_validation_find(const sl_validation *c, bool *found, uint64_t *index, int64_t *value,
                             const sl_vector *v, sl_index_op op, int64_t thunk);

/* The first entry of v at an index at which `mask` has no entry, or *found is false. */
sl_status sl_validation_find_outside(const sl_validation *c, bool *found, uint64_t *index,
                                     const sl_vector *v, const sl_vector *mask);

/* The value of v (int64) at `index`, SL_UNREACHED if there is no entry. */
sl_status sl_validation_value(int64_t *value, const sl_vector *v, uint64_t index);

/* The id by which messages name a vertex. */
static inline uint64_t sl_validation_id(const sl_validation *c, uint64_t vertex)
{
    return sl_matrix_id(c->A, vertex);
}

/* True once a fault was found. */
bool sl_validation_failed(const sl_validation *c);

/* Checks the values of parents and levels without the edges: range, source, the same entries. */
sl_status sl_validation_check_entries(sl_validation *c);

/* Checks that the parents form a tree of edges of the graph rooted at the source, and that the
 * levels, if given, are the depths in the tree. Makes c->tree and c->depth. */
sl_status sl_validation_check_tree(sl_validation *c);

/*
 * Validates the distances (fp64) and the parents (int64) of shortest paths in a graph with real
 * lengths that are not negative, by operations of the engine. The rules are those of sl_check_sssp.
 * On error *result is zeroed. Collective on a grid.
 */
sl_status sl_validate_paths_in_place(sl_check_result *result, const sl_matrix *A, uint64_t source,
                                     const sl_vector *distance, const sl_vector *parent);

#endif
