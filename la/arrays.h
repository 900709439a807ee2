/*
 * Matrices and vectors as plain arrays. `take` moves arrays into a new object and `give` moves them
 * out of an object, without copying where the formats allow it; `copy` functions copy. On a grid of
 * MPI ranks every function is collective unless it says otherwise.
 */
#ifndef SEMLA_ARRAYS_H
#define SEMLA_ARRAYS_H

#include <semla/matrix.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Formats: which arrays describe the entries. */
typedef enum {
    SL_FORMAT_COO,    /* a matrix: a list of its entries */
    SL_FORMAT_CSR,    /* a matrix: compressed sparse rows */
    SL_FORMAT_CSC,    /* a matrix: compressed sparse columns */
    SL_FORMAT_LIST,   /* a vector: a list of its entries */
    SL_FORMAT_BITMAP, /* a flag and a value for every index */
    SL_FORMAT_FULL    /* a value for every index; every entry exists */
} sl_format;

/*
 * The arrays of one matrix or vector; a vector of size n has nrows n and ncols 1. All arrays are
 * allocated by sl_malloc; indices are 0-based. The table gives the number of elements of each array
 * of a format; the format's other arrays are NULL.
 *
 *            start       rows    cols    present         values
 *     COO                nvals   nvals                   nvals
 *     CSR    nrows + 1           nvals                   nvals
 *     CSC    ncols + 1   nvals                           nvals
 *     LIST               nvals                           nvals
 *     BITMAP                             nrows * ncols   nrows * ncols
 *     FULL                                               nrows * ncols
 *
 * CSR: the entries of row i are number start[i] to start[i + 1] - 1, with ascending columns;
 * start[0] is 0 and start[nrows] is nvals. CSC: the same by columns. COO: as input in any order
 * without duplicates, as output sorted by row and column. LIST: ascending indices. BITMAP and FULL:
 * row by row, entry (i, j) at i * ncols + j, like a numpy array; present is 1 where there is an
 * entry and 0 elsewhere, where the value is unspecified.
 *
 * Values are of `type`; bool is one byte, 0 or 1. If `iso` is true, all entries have the same
 * value, which is the only element of `values`. If `values` is NULL, the object is a pattern: every
 * value is 1. Arrays of 0 elements may be NULL.
 */
typedef struct {
    sl_format format;      /* which arrays are used */
    sl_type type;          /* of the values */
    uint64_t nrows, ncols; /* the shape */
    uint64_t nvals;        /* number of entries; as input not read for BITMAP and FULL */
    uint64_t *start;       /* CSR, CSC: first entry of each row or column */
    uint64_t *rows;        /* row indices; the indices of a vector */
    uint64_t *cols;        /* column indices */
    int8_t *present;       /* BITMAP: 1 where there is an entry */
    void *values;          /* NULL: every value is 1 */
    bool iso;              /* `values` has one element, the value of all entries */
    bool trusted;          /* input: the contents are valid and are not checked */
} sl_arrays;

/* Frees the arrays and zeroes the struct. NULL is allowed. */
void sl_arrays_free(sl_arrays *arrays);

/*
 * Checks arrays completely: indices in range and ascending; start from 0 to nvals without
 * decreasing; no duplicates in COO (which sorts a copy); flags and bools 0 or 1. One pass over the
 * arrays.
 *
 * ctx  receives the message, which names the first wrong element and its position
 *
 * Errors: SL_INVALID (also for a missing array), SL_OUT_OF_RANGE, SL_NO_MEMORY. Not collective.
 */
sl_status sl_arrays_check(sl_context *ctx, const sl_arrays *arrays);

/* Writes out the values of a pattern or of iso arrays: `values` gets one element for each place of
 * the format. SL_NO_MEMORY: *arrays is unchanged. Not collective. */
sl_status sl_arrays_expand(sl_context *ctx, sl_arrays *arrays);

/*
 * Creates a matrix or vector from arrays. CSR, CSC, LIST, BITMAP and FULL become the object's own
 * arrays without a copy; COO is sorted into new arrays and freed.
 *
 * A, v    out: the new object, owned by the caller
 * arrays  in/out: on success the object owns the arrays and *arrays is zeroed; on failure the
 *         caller keeps them. Checked as by sl_arrays_check, unless arrays->trusted: then only the
 *         first and last element of start are checked, and other errors lead to undefined
 *         behaviour
 *
 * Errors: as sl_arrays_check; SL_INVALID (a format that is not for this kind of object; a vector
 * with ncols other than 1), SL_OUT_OF_RANGE (a size above 2^60), SL_UNSUPPORTED (on a grid of
 * several ranks).
 */
sl_status sl_matrix_take(sl_matrix **A, sl_context *ctx, sl_arrays *arrays);
sl_status sl_vector_take(sl_vector **v, sl_context *ctx, sl_arrays *arrays);

/*
 * Moves the contents of an object to arrays in the given format, owned by the caller, and frees the
 * object; *A is NULL afterwards. Nothing is copied if the object is stored in that format: the
 * format given to sl_matrix_take as long as the object was only read, otherwise SuiteSparse's
 * choice. An object in a GPU's memory is copied to the host first. Arrays may be longer than the
 * format needs.
 *
 * Errors, with *A unchanged and *arrays zeroed: SL_INVALID (a format that is not for this kind of
 * object), SL_MISMATCH (FULL, but an entry is missing), SL_NO_MEMORY.
 */
sl_status sl_matrix_give(sl_arrays *arrays, sl_matrix **A, sl_format format);
sl_status sl_vector_give(sl_arrays *arrays, sl_vector **v, sl_format format);

/* Copies the contents to new arrays, owned by the caller; the object is unchanged. Errors as
 * `give`. */
sl_status sl_matrix_copy_out(sl_arrays *arrays, const sl_matrix *A, sl_format format);
sl_status sl_vector_copy_out(sl_arrays *arrays, const sl_vector *v, sl_format format);

/*
 * Copies a slice of an object: the entries in the rows, or at the indices, that
 * sl_context_local_range(ctx, nrows) assigns to this process. Indices refer to the whole object;
 * the format is COO or LIST, sorted; `values` is NULL, on every process, if the object is a
 * pattern. In a context of one process the slice is the whole object. Collective. SL_NO_MEMORY.
 */
sl_status sl_matrix_copy_slice(sl_arrays *arrays, const sl_matrix *A);
sl_status sl_vector_copy_slice(sl_arrays *arrays, const sl_vector *v);

/*
 * Copies all entries of an object to every process of the context; not for large objects of a grid.
 * The format is COO or LIST, sorted on a grid; `values` is NULL if the object is a matrix that is a
 * pattern. Collective. SL_NO_MEMORY.
 */
sl_status sl_matrix_copy_whole(sl_arrays *arrays, const sl_matrix *A);
sl_status sl_vector_copy_whole(sl_arrays *arrays, const sl_vector *v);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
