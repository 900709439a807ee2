/*
 * The operations of GraphBLAS, with the semantics of the GraphBLAS C API 2.1:
 *
 *     out<mask, replace> = out (+) operation(inputs)
 *
 * Arguments stand in GraphBLAS's order: output, mask, accumulator, operator,
 * inputs, descriptor. A NULL mask is a mask of all; a NULL accumulator
 * overwrites; a NULL descriptor is no flag. Values are cast between types as
 * GraphBLAS casts them. Outputs may also be inputs.
 *
 * Errors of all: SL_INVALID (NULL where it is not allowed), SL_MISMATCH
 * (shapes; contexts), SL_OUT_OF_RANGE (an index of a list), SL_NO_MEMORY,
 * SL_UNSUPPORTED (no engine of the chain). After SL_NO_MEMORY or
 * SL_ENGINE_FAULT the output is a valid object with unspecified contents; after
 * any other failure it holds what it held before.
 */
#ifndef SEMLA_OPERATIONS_H
#define SEMLA_OPERATIONS_H

#include <semla/matrix.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- products ----------------------------------------------------------- */

/* w<mask> = w accum (u' A). u: nrows(A), w: ncols(A); SL_TRANSPOSE_B: of A. */
sl_status sl_vxm(sl_vector *w, const sl_vector *mask, sl_binary_op accum, sl_semiring semiring,
                 const sl_vector *u, const sl_matrix *A, sl_descriptor desc);
/* w<mask> = w accum (A u). u: ncols(A), w: nrows(A); SL_TRANSPOSE_A: of A. */
sl_status sl_mxv(sl_vector *w, const sl_vector *mask, sl_binary_op accum, sl_semiring semiring,
                 const sl_matrix *A, const sl_vector *u, sl_descriptor desc);
/* C<mask> = C accum (A B). A: m x k, B: k x n, C: m x n, as read with SL_TRANSPOSE_A
 * and SL_TRANSPOSE_B. Under a mask that is not complemented only the sums that it
 * lets through need be computed. */
sl_status sl_mxm(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum, sl_semiring semiring,
                 const sl_matrix *A, const sl_matrix *B, sl_descriptor desc);

/* ---- elementwise -------------------------------------------------------- */

/* The union of patterns: op where both have an entry, else the one there is. */
sl_status sl_vector_ewise_add(sl_vector *w, const sl_vector *mask, sl_binary_op accum,
                              sl_binary_op op, const sl_vector *u, const sl_vector *v,
                              sl_descriptor desc);
sl_status sl_matrix_ewise_add(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum,
                              sl_binary_op op, const sl_matrix *A, const sl_matrix *B,
                              sl_descriptor desc);

/* The intersection of patterns. */
sl_status sl_vector_ewise_mult(sl_vector *w, const sl_vector *mask, sl_binary_op accum,
                               sl_binary_op op, const sl_vector *u, const sl_vector *v,
                               sl_descriptor desc);
sl_status sl_matrix_ewise_mult(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum,
                               sl_binary_op op, const sl_matrix *A, const sl_matrix *B,
                               sl_descriptor desc);

/*
 * The union of patterns, with op everywhere: alpha stands for a missing entry of
 * the first input, beta for one of the second. As GxB_eWiseUnion of SuiteSparse.
 */
sl_status sl_vector_ewise_union(sl_vector *w, const sl_vector *mask, sl_binary_op accum,
                                sl_binary_op op, const sl_vector *u, sl_scalar alpha,
                                const sl_vector *v, sl_scalar beta, sl_descriptor desc);
sl_status sl_matrix_ewise_union(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum,
                                sl_binary_op op, const sl_matrix *A, sl_scalar alpha,
                                const sl_matrix *B, sl_scalar beta, sl_descriptor desc);

/*
 * The Kronecker product: with A of m x n and B of p x q, C has m p rows and n q
 * columns, and C(i p + k, j q + l) is op(A(i, j), B(k, l)).
 */
sl_status sl_kronecker(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum, sl_binary_op op,
                       const sl_matrix *A, const sl_matrix *B, sl_descriptor desc);

/* ---- apply and select --------------------------------------------------- */

/* w<mask> = w accum op(u). */
sl_status sl_vector_apply(sl_vector *w, const sl_vector *mask, sl_binary_op accum, sl_unary_op op,
                          const sl_vector *u, sl_descriptor desc);
sl_status sl_matrix_apply(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum, sl_unary_op op,
                          const sl_matrix *A, sl_descriptor desc);

/*
 * The same of a binary operator with one side bound to a scalar: op(x, u(i)), and
 * op(u(i), y). A positional operator gives the index of u's entry on either side. In
 * apply_first A is the second input, which SL_TRANSPOSE_B transposes.
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

/* w<mask> = w accum op(u(i), i, 0, thunk); C likewise with (A(i,j), i, j). The
 * thunk is cast to the operator's type. */
sl_status sl_vector_apply_index(sl_vector *w, const sl_vector *mask, sl_binary_op accum,
                                sl_index_op op, const sl_vector *u, sl_scalar thunk,
                                sl_descriptor desc);
sl_status sl_matrix_apply_index(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum,
                                sl_index_op op, const sl_matrix *A, sl_scalar thunk,
                                sl_descriptor desc);

/* Keeps the entries for which op is true. */
sl_status sl_vector_select(sl_vector *w, const sl_vector *mask, sl_binary_op accum, sl_index_op op,
                           const sl_vector *u, sl_scalar thunk, sl_descriptor desc);
sl_status sl_matrix_select(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum, sl_index_op op,
                           const sl_matrix *A, sl_scalar thunk, sl_descriptor desc);

/* ---- reduce ------------------------------------------------------------- */

/* *value = *value accum (sum of all entries), in the type that *value has;
 * with no accumulator *value is only written, in the monoid's type. A sum of
 * nothing is the monoid's identity. */
sl_status sl_vector_reduce(sl_scalar *value, sl_binary_op accum, sl_monoid monoid,
                           const sl_vector *u);
sl_status sl_matrix_reduce(sl_scalar *value, sl_binary_op accum, sl_monoid monoid,
                           const sl_matrix *A);
/* w<mask> = w accum (sums of A's rows; of its columns with SL_TRANSPOSE_A). A
 * row without entries gives none. */
sl_status sl_matrix_reduce_rows(sl_vector *w, const sl_vector *mask, sl_binary_op accum,
                                sl_monoid monoid, const sl_matrix *A, sl_descriptor desc);

/* ---- assign and extract ------------------------------------------------- */

/*
 * Index lists are arrays of the caller. SL_ALL stands for 0, 1, 2, ... and its
 * length is not read. With the length SL_RANGE the array is {begin, end, step}: the
 * indices begin, begin + step, ... before end is reached or passed, as in Python.
 * The three are signed, in two's complement: a negative step counts down, and has
 * to have the end -1 to come to index 0. A range may be empty wherever it lies.
 * SL_INVALID: a step of 0. The indices of an assign have to be distinct.
 */
#define SL_ALL   ((const uint64_t *)0)
#define SL_RANGE UINT64_MAX

/* The mask of an assign has the output's shape (GrB_assign). */

/* w(indices) = u; SL_REPLACE acts on all of w. */
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

/*
 * C(row, cols) = u, and C(rows, col) = u. The mask is a vector of the length of that
 * row or column; it and SL_REPLACE act on it alone (GrB_Row_assign, GrB_Col_assign).
 */
sl_status sl_matrix_assign_row(sl_matrix *C, const sl_vector *mask, sl_binary_op accum,
                               const sl_vector *u, uint64_t row, const uint64_t *cols,
                               uint64_t ncols, sl_descriptor desc);
sl_status sl_matrix_assign_column(sl_matrix *C, const sl_vector *mask, sl_binary_op accum,
                                  const sl_vector *u, const uint64_t *rows, uint64_t nrows,
                                  uint64_t col, sl_descriptor desc);

/* w = u(indices). */
sl_status sl_vector_extract(sl_vector *w, const sl_vector *mask, sl_binary_op accum,
                            const sl_vector *u, const uint64_t *indices, uint64_t count,
                            sl_descriptor desc);
sl_status sl_matrix_extract(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum,
                            const sl_matrix *A, const uint64_t *rows, uint64_t nrows,
                            const uint64_t *cols, uint64_t ncols, sl_descriptor desc);
/* w = A(rows, col); with SL_TRANSPOSE_A a row of A. */
sl_status sl_matrix_extract_column(sl_vector *w, const sl_vector *mask, sl_binary_op accum,
                                   const sl_matrix *A, const uint64_t *rows, uint64_t nrows,
                                   uint64_t col, sl_descriptor desc);

/* C<mask> = C accum A'; with SL_TRANSPOSE_A, A itself. */
sl_status sl_transpose(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum, const sl_matrix *A,
                       sl_descriptor desc);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
