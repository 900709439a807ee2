/* A breadth-first tree as arrays on the host, and in files. */
#ifndef SEMLA_CLI_TREE_H
#define SEMLA_CLI_TREE_H

#include "cli/graph.h"

typedef struct {
    uint64_t vertices;
    int64_t *parent, *level; /* one element per vertex, SL_UNREACHED if it was not reached; NULL if
                                not known. Owned: from sl_malloc. */
    uint64_t reached;        /* vertices with a level */
    int64_t depth;           /* the greatest level */
} tree;

/* Copies the result of a search. Free with tree_free. */
sl_status tree_of_vectors(tree *t, const sl_vector *parent, const sl_vector *level);
void tree_free(tree *t);

/*
 * Functions below that take `names` translate between indices and names (names.h), which are words
 * in files. Functions that return int return an exit status, with a message printed on failure.
 */

/*
 * Writes comment lines that start with '#', and a line "vertex parent level" for each vertex that
 * was reached. On failure the file is absent or as it was before. `force`: see output_check.
 */
int tree_write(const tree *t, sl_context *ctx, const vertex_names *names, uint64_t source,
               const char *graph_name, const char *path, bool force);

/* Reads a file of the format that tree_write writes. Messages name the file and the line. */
int tree_read(tree *t, const vertex_names *names, const char *path);

/* Reads parents and levels from files of integer vectors (ids_read_vector); -1 or no entry means
 * not reached. A NULL path leaves the array NULL. */
int tree_read_vectors(tree *t, sl_context *ctx, const vertex_names *names, const char *parents,
                      const char *levels);

/* Validates the tree: with sl_validate_search on one process, with sl_validate_search_in_place on a
 * grid. A negative max_depth means that the search was not limited. */
sl_status tree_validate(sl_check_result *verdict, const tree *t, const sl_matrix *A,
                        uint64_t source, int64_t max_depth);

#endif
