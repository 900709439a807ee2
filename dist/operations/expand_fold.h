/*
 * Expand and fold of vectors along a row or a column of the grid (Yoo et al., SC 2005; Bisson et
 * al. 2014, section 2.2). Expand collects the entries that a rank's block of a matrix may need;
 * fold sums partial results at their owners. Vectors are in the local context. Data goes from device to
 * device if the running operation does so (devices.h), or else from host to host. All functions are
 * collective; a member is a rank of the line, in its order.
 */
#ifndef SEMLA_DIST_EXPAND_FOLD_H
#define SEMLA_DIST_EXPAND_FOLD_H

#include "dist/grid/blocks.h"

/* An expanded vector. */
typedef struct {
    const sl_vector *vector; /* in the local context */
    sl_vector *made;         /* the same if it is new, else NULL: the vector is a block */
} sl_expanded;
void sl_expanded_free(sl_expanded *expanded);

/*
 * Expand: *whole is a vector over `blocks`, with the entries of `block` and of the blocks of the
 * other members of the line; member k owns block k. `status` is the status of this rank so far. In a
 * line of one member nothing is exchanged and the ranks do not agree. On failure *whole is
 * empty.
 */
sl_status sl_vector_expand(sl_expanded *whole, sl_grid *grid, sl_grid_line line,
                           const sl_local_blocks *blocks, const sl_object *block, sl_spread spread,
                           sl_status status);

/* The same for a mask: *whole has the entries of the mask, of type bool: with `structural` all of
 * the pattern, else the entries whose value is true. */
sl_status sl_mask_expand(sl_expanded *whole, sl_grid *grid, sl_grid_line line,
                         const sl_local_blocks *blocks, const sl_object *block, bool structural,
                         sl_status status);

/* A mask of a fold: this rank's block of it. */
typedef struct {
    const sl_object *mask;
    bool complement;
    bool applied; /* out; may differ between ranks */
} sl_fold_mask;

/* What a fold sums, and where. */
typedef struct {
    sl_grid_line line;
    const sl_local_blocks *blocks;
    sl_monoid sum;       /* of the local context, in the type of the vectors */
    bool ones;           /* every value is 1, and so are the sums */
    sl_fold_mask *under; /* with `ones`, or NULL */
} sl_fold;

/*
 * Fold: *partial is a vector over `blocks` on every member; it is freed. *own is a new vector on
 * member k with block k of all: entries of equal index are combined by `sum` in the order of the
 * members. The pattern of the mask `under`, or its complement, decides which sums are left out, if
 * under->applied becomes true. In a line of one member *own is *partial, and the ranks do not agree.
 * On failure *own is NULL.
 */
sl_status sl_vector_fold(sl_vector **own, sl_grid *grid, const sl_fold *fold, sl_vector **partial,
                         sl_status status);

/* ---- exchanges between devices, for other operations too ---- */

static inline uint32_t sl_line_members(const sl_grid *grid, sl_grid_line line)
{
    return (uint32_t)(line == SL_ALONG_ROW ? grid->cols : grid->rows);
}
/* Whether the vectors of a line go from device to device; the same on every rank. Devices have indices
 * of 32 bits. */
bool sl_exchanges_by_devices(const sl_grid *grid, const sl_local_blocks *blocks);
/* An exchange of a vector in the local context; type: of the vector that is sent. */
sl_vector_exchange sl_describe_exchange(const sl_grid *grid, sl_grid_line line,
                                        const sl_local_blocks *blocks, sl_type type,
                                        sl_spread spread);
/* Notes what was received; a failure of the devices has its message in the local context. Returns the status. */
sl_status sl_note_exchange(sl_grid *grid, sl_phase phase, sl_status status);

/* ---- lines ---- */

/* The line that expands and folds vectors over a matrix's rows or columns, and the blocks of the rows or
 * columns. */
static inline sl_grid_line sl_grid_along(bool rows)
{
    return rows ? SL_ALONG_COLUMN : SL_ALONG_ROW;
}
static inline sl_local_blocks sl_grid_side(const sl_grid *grid, bool rows, uint64_t size)
{
    return rows ? sl_grid_rows(grid, size) : sl_grid_columns(grid, size);
}

#endif
