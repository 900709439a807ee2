/* Private to bfs/ and algorithms/: argument checks and small vectors that algorithms share. */
#ifndef SEMLA_BFS_GRAPH_TOOLS_H
#define SEMLA_BFS_GRAPH_TOOLS_H

#include <semla/bfs.h>

/* In a function with `sl_status status` and a label `out`. */
#define TRY(call)                                                                                  \
    do {                                                                                           \
        status = (call);                                                                           \
        if (status != SL_OK)                                                                       \
            goto out;                                                                              \
    } while (0)

/* Checks of arguments; `name` is the algorithm's, for the message. */
sl_status sl_require_square(const char *name, const sl_matrix *A);
sl_status sl_require_vertices(const char *name, const char *what, const sl_matrix *A,
                              const uint64_t *vertices, uint64_t count);
/* SL_INVALID, with an edge that has no mirror image, unless the graph is undirected. */
sl_status sl_require_symmetric(const char *name, const sl_matrix *A);

/* The first entry by row, then column; SL_NO_VALUE where there is none. */
sl_status sl_first_entry(uint64_t edge[2], const sl_matrix *A);

/* A full vector of A's size, every value the same. */
sl_status sl_vector_filled(sl_vector **v, const sl_matrix *A, sl_scalar value);

/* The vector 0, 1, 2, ... of A's size. */
sl_status sl_vector_indices(sl_vector **v, const sl_matrix *A);

/* The out-degrees: int64, vertices of degree > 0. */
sl_status sl_degrees(sl_vector **degrees, const sl_matrix *A);

/* The least index of an entry of v; SL_NO_VALUE where there is none. */
sl_status sl_first_index(uint64_t *index, const sl_vector *v);
/* ... of an entry of the least or greatest value; v is int64 and not empty. */
sl_status sl_first_of_extreme(uint64_t *index, const sl_vector *v, sl_monoid min_or_max);

/* A itself where its pattern is symmetric, else its transpose, in *owned too,
 * which is the caller's. */
sl_status sl_transpose_of(const sl_matrix **At, sl_matrix **owned, const sl_matrix *A);

/* A new vector of `type` with one element per vertex of A and one entry, `value` at `vertex`. */
sl_status sl_vector_with_entry(sl_vector **v, const sl_matrix *A, sl_type type, uint64_t vertex,
                               int64_t value);

/* Stores `result` in *output if status is SL_OK and output is not NULL; otherwise frees it. */
void sl_return_vector(sl_vector **output, sl_vector *result, sl_status status);

#endif
