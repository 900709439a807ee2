/* Private to algorithms/: matrices of frontiers for sl_closures. */
#ifndef SEMLA_ALGORITHMS_FRONTIERS_H
#define SEMLA_ALGORITHMS_FRONTIERS_H

#include <semla/la.h>

/*
 * *frontiers becomes a bool matrix, count x vertices of A, with one entry in each row s, at column
 * sources[s]. New, owned by the caller, NULL on error. `name` is the algorithm's name for messages.
 *
 * sources  `count` vertices, the same on every process of a grid; NULL: vertices first, first + 1, ...
 */
sl_status sl_frontiers_of(sl_matrix **frontiers, const char *name, const sl_matrix *A,
                          const uint64_t *sources, uint64_t first, uint64_t count);

#endif
