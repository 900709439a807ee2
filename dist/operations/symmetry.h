/* Whether the pattern of a matrix of a grid is symmetric, for operations that gain by it. For dist/. */
#ifndef SEMLA_DIST_SYMMETRY_H
#define SEMLA_DIST_SYMMETRY_H

#include <semla/engine.h>

/* Sets A->symmetry unless it is known. Collective; the ranks agree. O(entries of the rank). */
sl_status sl_grid_find_symmetry(sl_matrix *A);

#endif
