/*
 * Vectors along a row or a column of the grid: expanded, so that every rank has all the
 * entries that its matrix block may meet, and folded, so that partial sums come to the
 * rank that owns them. Yoo et al. (2005), Bisson et al. (2014) section 2.2. In the local
 * context; collective.
 */
#ifndef SEMLA_DIST_VECTORS_H
#define SEMLA_DIST_VECTORS_H

#include "tuples.h"

/* What an expanded vector has for values. */
typedef enum {
    SL_SPREAD_VALUES,  /* its own */
    SL_SPREAD_PATTERN, /* ones: they are not read */
    SL_SPREAD_INDICES, /* the entry's index, as int64 */
    SL_SPREAD_ZEROS    /* 0, as int64 */
} sl_spread;

/*
 * A new vector of the blocks's length, in the blocks's numbers: `block`, and those of the
 * other members of `comm`, of which member k has block k of the blocks. `status` is what
 * went wrong before; on failure *whole is NULL.
 */
sl_status sl_vector_expand(sl_vector **whole, sl_grid *grid, MPI_Comm comm,
                           const sl_local_blocks *blocks, const sl_object *block, sl_spread spread,
                           sl_status status);

/*
 * The other way: `partial` is of the blocks's length on every member, and member k gets a
 * new vector, its own part, of block k of all, entries at one place summed by `sum`, an
 * operator of the local context within the vectors' type, in the order of the members.
 */
sl_status sl_vector_fold(sl_vector **own, sl_grid *grid, MPI_Comm comm,
                         const sl_local_blocks *blocks, const sl_vector *partial, sl_binary_op sum,
                         sl_status status);

/* The communicator along which a vector goes to or from the blocks of a matrix's rows, or
 * of its columns. */
static inline MPI_Comm sl_grid_along(const sl_grid *grid, bool rows)
{
    return rows ? grid->column : grid->row;
}
static inline sl_local_blocks sl_grid_side(const sl_grid *grid, bool rows, uint64_t size)
{
    return rows ? sl_grid_rows(grid, size) : sl_grid_columns(grid, size);
}

#endif
