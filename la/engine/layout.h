/*
 * Layouts: where the entries of an object are, and how its indices are numbered there. Every
 * context has them; where it is one process's the grid is 1 x 1 and all is on rank 0.
 *
 * Bisson et al. (2014), section 2.2: a grid has R rows and C columns of ranks, rank i C + j stands
 * at (i, j). The indices of a dimension are cut into R C blocks of neighbours. Of a vector that
 * rank has block j R + i. Of a matrix it has the entries whose row lies in blocks j R to j R + R -
 * 1, those of its grid column, and whose column lies in blocks i, R + i, ..., those of its grid
 * row. What a rank has is numbered locally from 0, in the same order.
 *
 * Searches number a square matrix's vertices anew, inside of the blocks: nobody else sees that, but
 * a layout says what sl_matrix_optimize, or a search, has prepared.
 */
#ifndef SEMLA_LAYOUT_H
#define SEMLA_LAYOUT_H

#include <semla/matrix.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* How searches number vertices. */
typedef enum {
    SL_NUMBERED_AS_IS,     /* in the caller's order */
    SL_NUMBERED_BY_DEGREE, /* by falling degree, in each block of a grid; without those that have
                              no edge */
    SL_NUMBERED_NEAR       /* so that neighbours are near */
} sl_numbering;

/* Where an object's entries are, and how searches number it. */
typedef struct {
    uint64_t nrows, ncols;    /* the shape; of a vector ncols is 1 */
    bool is_matrix;           /* or a vector */
    int grid_rows, grid_cols; /* R and C */
    sl_numbering numbering;   /* what was prepared last; of a vector as it is */
    uint64_t searched;        /* vertices that searches so prepared have before them, those of
                                 all ranks; nrows where nothing was prepared */
    uint64_t pruned;          /* of the others, those in trees that hang from these (SL_PRUNED) */
} sl_layout;

/* The layout of an object as it is now. SL_INVALID: NULL. Not collective. */
sl_status sl_matrix_layout(sl_layout *layout, const sl_matrix *A);
sl_status sl_vector_layout(sl_layout *layout, const sl_vector *v);

/* The rank that has the entry at (row, col); of a vector col is 0. -1 outside. */
int sl_layout_owner(const sl_layout *layout, uint64_t row, uint64_t col);

/* The indices of a vector that a rank has: begin and those after it, `count`. (0 and 0
 * for a rank that does not exist, or the layout of a matrix.) */
void sl_layout_range(const sl_layout *layout, int rank, uint64_t *begin, uint64_t *count);

/* The shape of what a rank has; 0 and 0 for a rank that does not exist. */
void sl_layout_shape(const sl_layout *layout, int rank, uint64_t *nrows, uint64_t *ncols);

/* Where an entry is: its owner and its local indices there. SL_OUT_OF_RANGE: outside of the
 * object. SL_INVALID: NULL. */
sl_status sl_layout_to_local(const sl_layout *layout, uint64_t row, uint64_t col, int *rank,
                             uint64_t *local_row, uint64_t *local_col);
/* And back. SL_OUT_OF_RANGE: no such rank, or indices outside of what it has. */
sl_status sl_layout_to_global(const sl_layout *layout, int rank, uint64_t local_row,
                              uint64_t local_col, uint64_t *row, uint64_t *col);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
