/* The default grid of so many ranks. Arithmetic; no MPI. */
#ifndef SEMLA_DIST_SHAPE_H
#define SEMLA_DIST_SHAPE_H

#include <stdint.h>

/* As near to a square as they can be, with no more rows than columns. */
void sl_shape_default(uint32_t ranks, uint32_t *rows, uint32_t *cols);

#endif
