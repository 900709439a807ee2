/*
 * Matrices and vectors as plain arrays: moved in and moved out, without a copy where
 * SuiteSparse allows it, or copied out.
 */
#ifndef SEMLA_ARRAYS_H
#define SEMLA_ARRAYS_H

#include <semla/matrix.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* How arrays say what entries there are. */
typedef enum {
    SL_FORMAT_COO,    /* a matrix: a list of its entries */
    SL_FORMAT_CSR,    /* a matrix: compressed sparse rows */
    SL_FORMAT_CSC,    /* a matrix: compressed sparse columns */
    SL_FORMAT_LIST,   /* a vector: a list of its entries */
    SL_FORMAT_BITMAP, /* a flag and a value at every place */
    SL_FORMAT_FULL    /* a value at every place: every entry is there */
} sl_format;

/*
 * The arrays of one matrix or vector. Of a vector nrows is the size and ncols 1.
 * All arrays are from sl_malloc, indices 0-based. Each format has the arrays that
 * are marked, of the number of elements that is given; others are NULL.
 *
 *            start       rows    cols    present         values
 *     COO                nvals   nvals                   nvals
 *     CSR    nrows + 1           nvals                   nvals
 *     CSC    ncols + 1   nvals                           nvals
 *     LIST               nvals                           nvals
 *     BITMAP                             nrows * ncols   nrows * ncols
 *     FULL                                               nrows * ncols
 *
 * CSR: the entries of row i are start[i] to start[i + 1], the last not included, by
 * rising column; start[0] is 0 and start[nrows] is nvals. CSC: the same by columns.
 * COO, moved in: in any order, no two at one place; given: by row, then column.
 * LIST: by rising index. BITMAP and FULL: by rows, entry (i, j) at i * ncols + j, as
 * a numpy array has it; present is 1 where there is an entry and 0 elsewhere, where
 * the value means nothing.
 *
 * Values are of `type`; bool is one byte, 0 or 1. Where `iso` is true, all entries have
 * one value and `values` has that one element. Where `values` is NULL, the object is a
 * pattern: all entries are 1. In a format without entries arrays of none may be NULL.
 */
typedef struct {
    sl_format format;      /* which arrays there are */
    sl_type type;          /* of the values */
    uint64_t nrows, ncols; /* the shape */
    uint64_t nvals;        /* entries; not read of BITMAP and FULL that are moved in */
    uint64_t *start;       /* CSR, CSC: where rows or columns begin */
    uint64_t *rows;        /* row indices; of a vector its indices */
    uint64_t *cols;        /* column indices */
    int8_t *present;       /* BITMAP: where entries are */
    void *values;          /* NULL: all are 1 */
    bool iso;              /* all entries have the one value in `values` */
    bool trusted;          /* moved in: the contents are right and need not be looked at */
} sl_arrays;

/* Frees the arrays and zeroes the struct. NULL is allowed. */
void sl_arrays_free(sl_arrays *arrays);

/*
 * Looks at the contents, one pass over the arrays: indices out of range or not in
 * order, a start that is not 0, falls, or does not end at nvals, entries of COO at one
 * place (which takes memory), flags and bools that are neither 0 nor 1. Errors:
 * SL_OUT_OF_RANGE or SL_INVALID, the message names the first that is wrong and where;
 * SL_INVALID for arrays that are missing; SL_NO_MEMORY. ctx is for the message.
 */
sl_status sl_arrays_check(sl_context *ctx, const sl_arrays *arrays);

/*
 * Makes `values` an array of as many elements as the format has places, where `iso` or
 * a pattern had fewer. Errors: SL_NO_MEMORY (as it was).
 */
sl_status sl_arrays_expand(sl_context *ctx, sl_arrays *arrays);

/*
 * Makes a matrix or a vector of arrays. CSR, CSC, LIST, BITMAP and FULL are moved in:
 * the object has these arrays, and nothing is copied. COO is put in order, which copies,
 * and freed. On success the arrays are the object's and *arrays is zeroed; on failure
 * they stay the caller's.
 *
 * Contents are checked as by sl_arrays_check, unless arrays->trusted: of trusted
 * arrays only start[0] == 0 and the agreement of start's end with nvals are looked at,
 * and if they are wrong otherwise, anything may happen. Errors: those of
 * sl_arrays_check; SL_INVALID (a format that is not for a matrix, or for a vector; a
 * vector with ncols other than 1), SL_OUT_OF_RANGE (a size above 2^60).
 */
sl_status sl_matrix_take(sl_matrix **A, sl_context *ctx, sl_arrays *arrays);
sl_status sl_vector_take(sl_vector **v, sl_context *ctx, sl_arrays *arrays);

/*
 * Moves the contents of *A out in a format, frees A, and makes *A NULL. Without a copy if
 * the format is that which the object is kept in: that which it was moved in with, as
 * long as it was only read, or else SuiteSparse's choice. Otherwise it is converted.
 * Arrays may be longer than the format needs. A matrix in a GPU's memory comes to the
 * host first. On failure *A still has its contents and *arrays is zeroed. Errors:
 * SL_INVALID (a format that is not for it), SL_MISMATCH (FULL, and an entry is
 * missing), SL_NO_MEMORY.
 */
sl_status sl_matrix_give(sl_arrays *arrays, sl_matrix **A, sl_format format);
sl_status sl_vector_give(sl_arrays *arrays, sl_vector **v, sl_format format);

/* A copy of the contents; the object stays as it is. Errors as of `give`. */
sl_status sl_matrix_copy_out(sl_arrays *arrays, const sl_matrix *A, sl_format format);
sl_status sl_vector_copy_out(sl_arrays *arrays, const sl_vector *v, sl_format format);

/*
 * A slice: the entries in the rows of A, or at the indices of v, that sl_context_local_range(ctx,
 * nrows) gives to this process, with the indices of the whole; COO and LIST, sorted. In a
 * context of one process that is a copy of all. values is NULL of a pattern, on every
 * process. Collective. Errors: SL_NO_MEMORY.
 */
sl_status sl_matrix_copy_slice(sl_arrays *arrays, const sl_matrix *A);
sl_status sl_vector_copy_slice(sl_arrays *arrays, const sl_vector *v);

/*
 * A copy of all entries, on every process of the context: what no process should do with a large
 * object of a grid. COO and LIST, sorted on a grid, with all values; values is NULL of a matrix
 * that is a pattern. Collective. Errors: SL_NO_MEMORY.
 */
sl_status sl_matrix_copy_whole(sl_arrays *arrays, const sl_matrix *A);
sl_status sl_vector_copy_whole(sl_arrays *arrays, const sl_vector *v);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
