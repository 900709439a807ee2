/*
 * GraphBLAS's own objects, handed over and taken back, so that a program written for
 * SuiteSparse:GraphBLAS, or with LAGraph, calls semla in its middle. For programs that
 * link the same SuiteSparse:GraphBLAS as semla does.
 *
 * Who initialises GraphBLAS: either the program, by GrB_init or, with malloc, calloc,
 * realloc and free of the C library, by GxB_init, before the first sl_context_create;
 * or that call, before the program's first use of GraphBLAS, and then the program does
 * not. In the first case sl_set_allocator may not be used (sl_context_create is
 * SL_UNSUPPORTED then), and memory limits are SL_UNSUPPORTED. Arrays that the program
 * takes out of GraphBLAS itself are freed with free in the first case, and in the second
 * with sl_free. GrB_finalize is the program's, if it wants it, when all of semla's
 * objects and contexts are freed; no context can be made afterwards.
 *
 * A context with a number of threads (sl_context_set_threads) engages, from
 * SuiteSparse 8 on, a GxB_Context of its own during each operation, and the calling thread
 * has none engaged afterwards.
 */
#ifndef SEMLA_GRB_H
#define SEMLA_GRB_H

#include <GraphBLAS.h>
#include <semla/matrix.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/*
 * Makes a matrix or a vector of a GraphBLAS object without copying it. Its pending work
 * is finished. On success *handle is NULL and the object is semla's: it is freed with
 * sl_matrix_free, or taken back below. On failure *handle is still the caller's. Its
 * storage may be of any kind; what needs compressed rows converts it at first need.
 * Errors: SL_INVALID (NULL); SL_UNSUPPORTED (a type that is not one of the eleven of
 * semla: complex, user-defined), SL_NO_MEMORY.
 */
sl_status sl_matrix_from_grb(sl_matrix **A, sl_context *ctx, GrB_Matrix *handle);
sl_status sl_vector_from_grb(sl_vector **v, sl_context *ctx, GrB_Vector *handle);

/*
 * The GraphBLAS object behind *A, all its work finished, without a copy, if the contents
 * are on the host; else they are brought there. *A is freed and NULL; the handle is the
 * caller's, for GrB_free. On failure *A stays and *handle is NULL. Errors: SL_INVALID
 * (NULL), SL_NO_MEMORY.
 */
sl_status sl_matrix_to_grb(GrB_Matrix *handle, sl_matrix **A);
sl_status sl_vector_to_grb(GrB_Vector *handle, sl_vector **v);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
