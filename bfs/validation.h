/* Private to the room: a search's result that is being held against its rules. */
#ifndef SEMLA_BFS_VALIDATION_H
#define SEMLA_BFS_VALIDATION_H

#include "graph_tools.h"
#include "check_tools.h"

typedef struct {
    sl_context *ctx;
    sl_check_result *verdict;
    const sl_matrix *A;
    uint64_t n, source;
    int64_t max_depth;
    sl_vector *parent, *level; /* int64: what is claimed; NULL where nothing is */
    sl_vector *depth;          /* int64: by the tree, or `level` again */
    sl_matrix *tree;           /* an entry (parent, child) for all but the source */
} sl_validation;

/* An empty vector with an element per vertex. */
sl_status sl_validation_vector(const sl_validation *c, sl_vector **v, sl_type type);

/* The first entry of v (int64) for which `op` with `thunk` is true. */
sl_status sl_validation_find(const sl_validation *c, bool *found, uint64_t *index, int64_t *value,
                         const sl_vector *v, sl_index_op op, int64_t thunk);

/* The first entry of v that has none beside it in `mask`. */
sl_status sl_validation_find_outside(const sl_validation *c, bool *found, uint64_t *index, const sl_vector *v,
                           const sl_vector *mask);

/* v's value there (int64), SL_UNREACHED where there is none. */
sl_status sl_validation_value(int64_t *value, const sl_vector *v, uint64_t index);

/* True once the verdict has a reason. */
bool sl_validation_failed(const sl_validation *c);

/* The parents form a tree of the graph's edges below the source, and the levels, where
 * they are given, are its depths. Makes c->tree and c->depth. */
sl_status sl_validation_check_tree(sl_validation *c);

#endif
