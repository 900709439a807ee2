/* Private to the room: what the algorithms share. */
#ifndef SEMLA_BFS_ALGORITHM_H
#define SEMLA_BFS_ALGORITHM_H

#include "search.h"

/* Checks of arguments; `name` is the algorithm's, for the message. */
sl_status sl_require_square(const char *name, const sl_matrix *A);
sl_status sl_require_vertices(const char *name, const char *what, const sl_matrix *A,
                              const uint64_t *vertices, uint64_t count);
/* SL_INVALID, with an edge that has no mirror image, unless the graph is undirected. */
sl_status sl_require_symmetric(const char *name, const sl_matrix *A);

/* The first entry by row, then column; SL_NO_VALUE where there is none. */
sl_status sl_first_entry(uint64_t edge[2], const sl_matrix *A);

/* A full vector of A's size, every value the same. */
sl_status sl_vector_of(sl_vector **v, const sl_matrix *A, sl_scalar value);

/* The vector 0, 1, 2, ... of A's size. */
sl_status sl_vector_of_numbers(sl_vector **v, const sl_matrix *A);

/* The out-degrees: int64, vertices of degree > 0. */
sl_status sl_degrees(sl_vector **degrees, const sl_matrix *A);

/* The least index of an entry of v; SL_NO_VALUE where there is none. */
sl_status sl_first_index(uint64_t *index, const sl_vector *v);
/* ... of an entry of the least or greatest value; v is int64 and not empty. */
sl_status sl_first_of_extreme(uint64_t *index, const sl_vector *v, sl_monoid min_or_max);

/* A itself where its pattern is symmetric, else its transpose, in *owned too,
 * which is the caller's. */
sl_status sl_other_way(const sl_matrix **At, sl_matrix **owned, const sl_matrix *A);

#endif
