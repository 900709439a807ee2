/*
 * The operations of GraphBLAS, with the semantics of the GraphBLAS C API 2.1:
 *
 *     out<mask, replace> = out accum operation(inputs)
 *
 * Parameters have the order of GraphBLAS: output, mask, accumulator, operator, inputs, descriptor.
 *
 * out    in/out: a vector w or matrix C; the result is cast to its type; may also be an input
 * mask   selects the entries that are written, and has the output's shape; NULL: all entries
 * accum  combines the old and the new value of an entry; NULL: the new values replace the output's
 *        entries
 * op     the operator, monoid or semiring; inputs are cast to its types
 * desc   flags (sl_descriptor_get); NULL: none
 *
 * Every function is collective on a grid. Errors of all functions: SL_INVALID (a NULL that is not
 * allowed), SL_MISMATCH (shapes; objects of different contexts), SL_OUT_OF_RANGE (an index of a
 * list), SL_NO_MEMORY, SL_UNSUPPORTED (no engine of the context supports the call). After
 * SL_NO_MEMORY, SL_CANCELLED or SL_ENGINE_FAULT the output is a valid object with unspecified contents; after any
 * other error it is unchanged. On a grid it is unspecified, too, if an argument was wrong on some ranks only or
 * differed between ranks.
 */
#ifndef SEMLA_OPERATIONS_H
#define SEMLA_OPERATIONS_H

#include <semla/matrix.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- products ----------------------------------------------------------- */

/* w<mask> = w accum (u' A). u has nrows(A) elements, w has ncols(A); SL_TRANSPOSE_B transposes A.
 * Cost: the entries of A in the rows of u's pattern, or less under a mask. */
sl_status sl_vxm(sl_vector *w, const sl_vector *mask, sl_binary_op accum, sl_semiring semiring,
                 const sl_vector *u, const sl_matrix *A, sl_descriptor desc);
/* w<mask> = w accum (A u). u has ncols(A) elements, w has nrows(A); SL_TRANSPOSE_A transposes A. */
sl_status sl_mxv(sl_vector *w, const sl_vector *mask, sl_binary_op accum, sl_semiring semiring,
                 const sl_matrix *A, const sl_vector *u, sl_descriptor desc);
/* C<mask> = C accum (A B). A is m x k, B is k x n, C is m x n, after SL_TRANSPOSE_A and
 * SL_TRANSPOSE_B. Under a mask without SL_COMPLEMENT only the sums at the mask's entries are
 * computed. */
sl_status sl_mxm(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum, sl_semiring semiring,
                 const sl_matrix *A, const sl_matrix *B, sl_descriptor desc);

/* ---- elementwise -------------------------------------------------------- */

/* Union of patterns: op(u(i), v(i)) where both entries exist, otherwise the value of the one that
 * exists, which is cast to the type of op's result and not to the type of its operand. */
sl_status sl_vector_ewise_add(sl_vector *w, const sl_vector *mask, sl_binary_op accum,
                              sl_binary_op op, const sl_vector *u, const sl_vector *v,
                              sl_descriptor desc);
sl_status sl_matrix_ewise_add(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum,
                              sl_binary_op op, const sl_matrix *A, const sl_matrix *B,
                              sl_descriptor desc);

/* Intersection of patterns: op(u(i), v(i)) where both entries exist. */
sl_status sl_vector_ewise_mult(sl_vector *w, const sl_vector *mask, sl_binary_op accum,
                               sl_binary_op op, const sl_vector *u, const sl_vector *v,
                               sl_descriptor desc);
sl_status sl_matrix_ewise_mult(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum,
                               sl_binary_op op, const sl_matrix *A, const sl_matrix *B,
                               sl_descriptor desc);

/* Union of patterns with op at every entry: alpha replaces a missing entry of the first input, beta
 * a missing entry of the second (SuiteSparse's GxB_eWiseUnion). */
sl_status sl_vector_ewise_union(sl_vector *w, const sl_vector *mask, sl_binary_op accum,
                                sl_binary_op op, const sl_vector *u, sl_scalar alpha,
                                const sl_vector *v, sl_scalar beta, sl_descriptor desc);
sl_status sl_matrix_ewise_union(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum,
                                sl_binary_op op, const sl_matrix *A, sl_scalar alpha,
                                const sl_matrix *B, sl_scalar beta, sl_descriptor desc);

/* Kronecker product: for A of m x n and B of p x q, C has m p rows and n q columns, and C(i p + k,
 * j q + l) is op(A(i, j), B(k, l)). SL_OUT_OF_RANGE: the result is too large for
 * SuiteSparse:GraphBLAS; version 10.5 computes up to 2^60 - 1 rows and columns, 7.4 up to 2^60. */
sl_status sl_kronecker(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum, sl_binary_op op,
                       const sl_matrix *A, const sl_matrix *B, sl_descriptor desc);

/* ---- apply and select --------------------------------------------------- */

/* w<mask> = w accum op(u), entry by entry. */
sl_status sl_vector_apply(sl_vector *w, const sl_vector *mask, sl_binary_op accum, sl_unary_op op,
                          const sl_vector *u, sl_descriptor desc);
sl_status sl_matrix_apply(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum, sl_unary_op op,
                          const sl_matrix *A, sl_descriptor desc);

/*
 * Applies a binary operator with one operand bound to a scalar: op(x, u(i)) or op(u(i), y). A
 * positional operator gives the index of the entry in either form. In apply_first the matrix is the
 * operator's second input, so SL_TRANSPOSE_B transposes it.
 */
sl_status sl_vector_apply_first(sl_vector *w, const sl_vector *mask, sl_binary_op accum,
                                sl_binary_op op, sl_scalar x, const sl_vector *u,
                                sl_descriptor desc);
sl_status sl_matrix_apply_first(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum,
                                sl_binary_op op, sl_scalar x, const sl_matrix *A,
                                sl_descriptor desc);
sl_status sl_vector_apply_second(sl_vector *w, const sl_vector *mask, sl_binary_op accum,
                                 sl_binary_op op, const sl_vector *u, sl_scalar y,
                                 sl_descriptor desc);
sl_status sl_matrix_apply_second(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum,
                                 sl_binary_op op, const sl_matrix *A, sl_scalar y,
                                 sl_descriptor desc);

/* w<mask> = w accum op(u(i), i, 0, thunk), or C<mask> = C accum op(A(i,j), i, j, thunk). The thunk
 * is cast to the operator's type. */
sl_status sl_vector_apply_index(sl_vector *w, const sl_vector *mask, sl_binary_op accum,
                                sl_index_op op, const sl_vector *u, sl_scalar thunk,
                                sl_descriptor desc);
sl_status sl_matrix_apply_index(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum,
                                sl_index_op op, const sl_matrix *A, sl_scalar thunk,
                                sl_descriptor desc);

/* Keeps the entries for which op is true; its result is cast to bool. */
sl_status sl_vector_select(sl_vector *w, const sl_vector *mask, sl_binary_op accum, sl_index_op op,
                           const sl_vector *u, sl_scalar thunk, sl_descriptor desc);
sl_status sl_matrix_select(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum, sl_index_op op,
                           const sl_matrix *A, sl_scalar thunk, sl_descriptor desc);

/* ---- reduce ------------------------------------------------------------- */

/* *value = *value accum (sum of all entries). With an accumulator, *value keeps its type; without,
 * it gets the monoid's type. The sum of no entries is the monoid's identity. */
sl_status sl_vector_reduce(sl_scalar *value, sl_binary_op accum, sl_monoid monoid,
                           const sl_vector *u);
sl_status sl_matrix_reduce(sl_scalar *value, sl_binary_op accum, sl_monoid monoid,
                           const sl_matrix *A);
/*
 * *value = *value accum (sum of unary(op(u(i), v(i))) over the indices i at which u and v both have an
 * entry), without a vector of the terms: the inner product u' v with a plus monoid and times, the
 * distance of u and v in the 1-norm with plus, abs and minus, in the maximum norm with max.
 *
 * unary  NULL: the terms are op(u(i), v(i))
 * u, v   of the same size
 *
 * Types and the sum of no terms are as for sl_vector_reduce. Cost: one pass over u and v on the GPU; elsewhere an
 * elementwise product, apply and reduce. Errors, besides the errors of all functions: SL_MISMATCH (u and v differ in
 * size).
 */
sl_status sl_vector_reduce_pair(sl_scalar *value, sl_binary_op accum, sl_monoid monoid,
                                sl_unary_op unary, sl_binary_op op, const sl_vector *u,
                                const sl_vector *v);
/* w<mask> = w accum (the sum of each row of A, or of each column with SL_TRANSPOSE_A). A row
 * without entries gives no entry. */
sl_status sl_matrix_reduce_rows(sl_vector *w, const sl_vector *mask, sl_binary_op accum,
                                sl_monoid monoid, const sl_matrix *A, sl_descriptor desc);

/* ---- assign and extract ------------------------------------------------- */

/*
 * Index lists are arrays of the caller. SL_ALL means all indices 0, 1, 2, ...; its length is not
 * read. With the length SL_RANGE the array is {begin, end, step} and means begin, begin + step, ...
 * while end is not reached or passed, as range() in Python. The three numbers are signed (two's
 * complement): a negative step counts down, and the end -1 includes index 0. An empty range may lie
 * anywhere. A step of 0 is SL_INVALID. If an index repeats in the list of an assign, its last
 * position counts, on every engine.
 */
#define SL_ALL   ((const uint64_t *)0)
#define SL_RANGE UINT64_MAX

/* The mask of an assign has the shape of the whole output (GrB_assign). */

/* w(indices) = u, or C(rows, cols) = A, or the scalar at all these indices. SL_REPLACE acts on the
 * whole output. */
sl_status sl_vector_assign(sl_vector *w, const sl_vector *mask, sl_binary_op accum,
                           const sl_vector *u, const uint64_t *indices, uint64_t count,
                           sl_descriptor desc);
sl_status sl_vector_assign_scalar(sl_vector *w, const sl_vector *mask, sl_binary_op accum,
                                  sl_scalar value, const uint64_t *indices, uint64_t count,
                                  sl_descriptor desc);
sl_status sl_matrix_assign(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum,
                           const sl_matrix *A, const uint64_t *rows, uint64_t nrows,
                           const uint64_t *cols, uint64_t ncols, sl_descriptor desc);
sl_status sl_matrix_assign_scalar(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum,
                                  sl_scalar value, const uint64_t *rows, uint64_t nrows,
                                  const uint64_t *cols, uint64_t ncols, sl_descriptor desc);

/* C(row, cols) = u, or C(rows, col) = u. The mask is a vector with the length of that row or
 * column; the mask and SL_REPLACE act on this row or column only (GrB_Row_assign, GrB_Col_assign).
 */
sl_status sl_matrix_assign_row(sl_matrix *C, const sl_vector *mask, sl_binary_op accum,
                               const sl_vector *u, uint64_t row, const uint64_t *cols,
                               uint64_t ncols, sl_descriptor desc);
sl_status sl_matrix_assign_column(sl_matrix *C, const sl_vector *mask, sl_binary_op accum,
                                  const sl_vector *u, const uint64_t *rows, uint64_t nrows,
                                  uint64_t col, sl_descriptor desc);

/* w = u(indices), or C = A(rows, cols). */
sl_status sl_vector_extract(sl_vector *w, const sl_vector *mask, sl_binary_op accum,
                            const sl_vector *u, const uint64_t *indices, uint64_t count,
                            sl_descriptor desc);
sl_status sl_matrix_extract(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum,
                            const sl_matrix *A, const uint64_t *rows, uint64_t nrows,
                            const uint64_t *cols, uint64_t ncols, sl_descriptor desc);
/* w = A(rows, col), or a part of row `col` with SL_TRANSPOSE_A. */
sl_status sl_matrix_extract_column(sl_vector *w, const sl_vector *mask, sl_binary_op accum,
                                   const sl_matrix *A, const uint64_t *rows, uint64_t nrows,
                                   uint64_t col, sl_descriptor desc);

/* ---- gather and scatter: extract and assign with an index vector -------------- */

/*
 * The indices are the values of the vector `indices`, which stays in the memory that it is in. It has an integer
 * type. A missing entry is an index that is not given. All indices are checked before anything is written.
 */

/*
 * w<mask> = w accum z, where z(i) = u(indices(i)) for each entry indices(i) that is the index of an
 * entry of u.
 *
 * w        in/out: of the size of `indices`; may be u or `indices`
 * mask     of that size, or NULL
 * u        of any size
 * indices  values from 0 to size(u) - 1; equal ones are allowed
 *
 * This is GxB_Vector_extract_Vector of GraphBLAS 10 if `indices` has all its entries. If it lacks
 * some, GraphBLAS renumbers the others, while here z(i) keeps the index i.
 *
 * Cost: O(entries of `indices`) accesses to u; on a grid a round of requests to the owners of u's
 * entries and a round of answers. Errors, besides the errors of all functions: SL_MISMATCH (w and
 * `indices` differ in size; `indices` does not have an integer type), SL_OUT_OF_RANGE (a value of
 * `indices`).
 */
sl_status sl_vector_gather(sl_vector *w, const sl_vector *mask, sl_binary_op accum,
                           const sl_vector *u, const sl_vector *indices, sl_descriptor desc);

/*
 * w<mask>(indices) = w(indices) accum u: entry u(i) is written to index indices(i) of w, as by
 * sl_vector_assign.
 *
 * w        in/out: of any size; may be u or `indices`
 * mask     of w's size, or NULL; the mask and SL_REPLACE act on all of w
 * dup      combines the values of u that have the same index, in an unspecified order, so that the
 *          sum of floating-point numbers may differ in its last bits; the values are cast to its
 *          type. NULL: one of these values is taken; it is unspecified which
 * u        of the size of `indices`
 * indices  values from 0 to size(w) - 1
 *
 * An index of w that `indices` does not contain keeps its entry. Without an accumulator, an index
 * that it contains loses its entry if u has no value for it. This is GxB_Vector_assign_Vector of
 * GraphBLAS 10 if `indices` has all its entries and they are distinct.
 *
 * Cost: O(entries of `indices` + size(w)); on a grid a round of messages to the owners of w's
 * entries, which combine the values. Errors, besides the errors of all functions: SL_MISMATCH (u
 * and `indices` differ in size; `indices` does not have an integer type), SL_OUT_OF_RANGE (a value
 * of `indices`).
 */
sl_status sl_vector_scatter(sl_vector *w, const sl_vector *mask, sl_binary_op accum, sl_monoid dup,
                            const sl_vector *u, const sl_vector *indices, sl_descriptor desc);

/*
 * C<mask> = C accum Z, where Z(i, j) = A(indices(i), indices(j)): the rows and columns of a graph in
 * another order, or the part of a graph that has these vertices. With SL_TRANSPOSE_A, A' replaces A.
 *
 * C        in/out: of as many rows and columns as `indices` has entries
 * mask     of that shape, or NULL
 * A        a square matrix
 * indices  values from 0 to nrows(A) - 1, an entry at every index; equal ones are allowed
 *
 * This is GxB_Matrix_extract_Vector of GraphBLAS 10 with one list for rows and columns. Not on
 * grids of several processes.
 *
 * Cost: O(entries of A in these rows), and a sort of the result's entries. Errors, besides the
 * errors of all functions: SL_MISMATCH (A is not square; C's shape; `indices` does not have an
 * integer type), SL_INVALID (`indices` lacks an entry), SL_OUT_OF_RANGE (a value of `indices`),
 * SL_UNSUPPORTED (a grid of several processes).
 */
sl_status sl_matrix_gather(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum,
                           const sl_matrix *A, const sl_vector *indices, sl_descriptor desc);

/* ---- sort ------------------------------------------------------------------- */

/*
 * Sorts the entries of u by value; entries of equal value keep the order of their indices. Entry k
 * of the results belongs to the k-th entry in the new order; an index from nvals(u) on has none.
 *
 * w       out: the values; of u's type and size. NULL: not wanted
 * order   out: their indices in u, an index vector for gathers; int64, of u's size. NULL: not wanted
 * before  SL_LT_... for ascending or SL_GT_... for descending values, of u's type
 * u       may be w or `order`
 *
 * 0.0 and -0.0 are equal; the place of NaN is unspecified. This is GxB_Vector_sort of GraphBLAS.
 * Not on grids of several processes.
 *
 * Cost: O(size(u)) and a sort of the entries, by radix on a GPU. Errors, besides the errors of all functions:
 * SL_INVALID (w and `order` are NULL, or the same; another operator), SL_MISMATCH (a type or a size), SL_UNSUPPORTED
 * (a grid of several processes).
 */
sl_status sl_vector_sort(sl_vector *w, sl_vector *order, sl_binary_op before, const sl_vector *u);

/* C<mask> = C accum A', or C accum A with SL_TRANSPOSE_A. */
sl_status sl_transpose(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum, const sl_matrix *A,
                       sl_descriptor desc);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
