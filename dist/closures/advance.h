/*
 * One iteration of a traversal on the grid: delta = advance(pi, q, A, semiring), see
 * <semla/traversal.h>. products.c makes the product; values are updated in the local context.
 * Vectors are objects of the grid.
 */
#ifndef SEMLA_DIST_ADVANCE_H
#define SEMLA_DIST_ADVANCE_H

#include "dist/grid/blocks.h"

/* Makes *v a vector of the grid that only this folder uses: of the size of `like`, with `block`,
 * which it owns afterwards, or an empty one for NULL. Free it with sl_grid_vector_free. Not
 * collective. */
sl_status sl_grid_vector_make(sl_object *v, const sl_object *like, sl_type type, sl_vector *block);
void sl_grid_vector_free(sl_object *v);

/* The local vector of a vector of the grid. */
static inline sl_vector *sl_block_vector(const sl_object *v)
{
    return (sl_vector *)sl_grid_block(v);
}

/* Operands that all iterations share. */
typedef struct {
    sl_grid *grid;
    sl_semiring semiring; /* in the grid's context */
    sl_object *A, *pi;
    sl_object product; /* scratch: a vector of the result's type; owned */
} sl_grid_traversal;

/* Prepares iterations; not collective. Close it even after a failure. */
sl_status sl_grid_traversal_open(sl_grid_traversal *t, sl_object *pi, const sl_call *call);
void sl_grid_traversal_close(sl_grid_traversal *t);

/* An estimate of the products of q with this rank's block: 0 only if q is empty here. Not collective. */
sl_status sl_grid_estimate_iteration(uint64_t *products, const sl_grid_traversal *t,
                                     const sl_object *q);

/*
 * Runs one iteration. delta, which has a block, may be q. `products` is the greatest of the ranks'
 * estimates. A failure may concern this rank alone: the ranks have to agree afterwards. Collective.
 */
sl_status sl_grid_iterate(sl_grid_traversal *t, sl_object *delta, sl_object *q, uint64_t products);

/* Completes the record of an iteration: the entries of q, and the entries of A in their rows.
 * Failures as above. Collective. */
sl_status sl_grid_count_frontier(sl_iteration *iteration, const sl_grid_traversal *t,
                                 const sl_object *q);

/* The operation `advance`, and why the grid does not run an advance or a closure in a direction, or
 * NULL. */
sl_status sl_grid_advance(sl_call *call);
const char *sl_grid_advance_declined(const sl_call *call, sl_direction direction);

#endif
