/* Private to bfs/ and algorithms/: argument checks and vectors that several algorithms need. */
#ifndef SEMLA_BFS_GRAPH_TOOLS_H
#define SEMLA_BFS_GRAPH_TOOLS_H

#include <semla/la.h>

/* For functions with a local `sl_status status` and a label `out`. */
#define TRY(call)                                                                                  \
    do {                                                                                           \
        status = (call);                                                                           \
        if (status != SL_OK)                                                                       \
            goto out;                                                                              \
    } while (0)

/* ---- agreement ----------------------------------------------------------- */

/*
 * Agrees with the other processes of A's context on the arguments of an algorithm, and on the
 * status of this process's checks of them: sl_agree_arguments. A may be NULL.
 */
#define AGREE(A, status, name, format, ...)                                                        \
    sl_agree_arguments(sl_matrix_context(A), status, name, "A %llu x %llu\n" format,               \
                       (unsigned long long)sl_matrix_nrows(A),                                     \
                       (unsigned long long)sl_matrix_ncols(A), __VA_ARGS__)

/* ---- argument checks; `name` is the algorithm's name for the message ----- */

/* SL_INVALID if A is NULL, SL_MISMATCH if it is not square. */
sl_status sl_require_square(const char *name, const sl_matrix *A);

/* As sl_require_square; and SL_INVALID if `output`, an argument called output_name, is NULL. */
sl_status sl_require_output(const char *name, const sl_matrix *A, const void *output,
                            const char *output_name);

/* SL_OUT_OF_RANGE if one of the vertices is not in the graph; `what` is its role ("source").
 * SL_INVALID if the list is NULL and count > 0. */
sl_status sl_require_vertices(const char *name, const char *what, const sl_matrix *A,
                              const uint64_t *vertices, uint64_t count);

/* SL_INVALID, with an edge that has no mirror edge in the message, unless the pattern of A is
 * symmetric. */
sl_status sl_require_symmetric(const char *name, const sl_matrix *A);

/* ---- vectors with an element per vertex of A; new, owned by the caller --- */

/* All elements have the same value. */
sl_status sl_vector_filled(sl_vector **v, const sl_matrix *A, sl_scalar value);

/* The int64 vector 0, 1, 2, ... */
sl_status sl_vector_indices(sl_vector **v, const sl_matrix *A);

/* One entry, `value` at `vertex`. On error *v is NULL. */
sl_status sl_vector_with_entry(sl_vector **v, const sl_matrix *A, sl_type type, uint64_t vertex,
                               int64_t value);

/* The out-degrees, int64; vertices without edges have no entry. */
sl_status sl_degrees(sl_vector **degrees, const sl_matrix *A);

/* The number of out-neighbours of each vertex other than itself: int64, an element per vertex. On
 * error *counts is NULL. */
sl_status sl_neighbour_counts(sl_vector **counts, const sl_matrix *A);

/* ---- entries ------------------------------------------------------------ */

/* The first entry of A by row, then column; SL_NO_VALUE if A is empty. */
sl_status sl_first_entry(uint64_t edge[2], const sl_matrix *A);

/* The least index of an entry of v; SL_NO_VALUE if v is empty. */
sl_status sl_first_index(uint64_t *index, const sl_vector *v);

/* The least index of an entry with the least (SL_MIN_MONOID_INT64) or the greatest
 * (SL_MAX_MONOID_INT64) value; v is int64 and not empty. */
sl_status sl_first_of_extreme(uint64_t *index, const sl_vector *v, sl_monoid min_or_max);

/* ---- others ------------------------------------------------------------- */

/* *At is the transpose of A's pattern: A itself if the pattern is symmetric; otherwise a new
 * matrix, which is also stored in *owned for the caller to free. */
sl_status sl_transpose_of(const sl_matrix **At, sl_matrix **owned, const sl_matrix *A);

/* Stores the result in *output if status is SL_OK and output is not NULL; otherwise frees it. */
void sl_return_vector(sl_vector **output, sl_vector *result, sl_status status);
void sl_return_matrix(sl_matrix **output, sl_matrix *result, sl_status status);

#endif
