/* A search's result as arrays, and as a file. */
#ifndef SEMLA_CLI_TREE_H
#define SEMLA_CLI_TREE_H

#include "graph.h"

typedef struct {
    uint64_t vertices;
    int64_t *parent, *level; /* one per vertex, SL_UNREACHED where there is none; or NULL */
    uint64_t reached;        /* vertices with a level */
    int64_t depth;           /* the greatest level */
} tree;

/* The arrays of a search's two vectors, for tree_free to free. */
sl_status tree_of_vectors(tree *t, const sl_vector *parent, const sl_vector *level);
void tree_free(tree *t);

/*
 * Writes a line "vertex parent level" for every vertex that was reached, after
 * comment lines that start with '#'; whole or not at all. Returns an exit status.
 */
int tree_write(const tree *t, const uint64_t *ids, uint64_t source, const char *graph_name,
               const char *path);

/* Reads such a file for a graph of `vertices` vertices; exit status, messages
 * with file and line. */
int tree_read(tree *t, const uint64_t *ids, uint64_t vertices, const char *path);

/* Reads the parents and the levels as vectors of whole numbers, -1 or no entry where there
 * is none; either path may be NULL, and its array then is. Exit status, messages printed. */
int tree_read_vectors(tree *t, sl_context *ctx, uint64_t vertices, const char *parents,
                      const char *levels);

/* Validates by sl_validate_search over A's entries; max_depth negative: none. */
sl_status tree_validate(sl_check_result *verdict, const tree *t, const sl_matrix *A, uint64_t source,
                        int64_t max_depth);

#endif
