/*
 * Conversion between objects of GraphBLAS and of semla without a copy, so that a program that uses
 * SuiteSparse:GraphBLAS or LAGraph can call semla. The program must link the same
 * SuiteSparse:GraphBLAS as semla.
 *
 * GraphBLAS must be initialised exactly once:
 *  - by the program, before the first sl_context_create: by GrB_init, or by GxB_init with malloc,
 *    calloc, realloc and free of the C library. sl_set_allocator and memory limits are then
 *    SL_UNSUPPORTED. Arrays that the program unpacks from GraphBLAS are freed with free.
 *  - otherwise by the first sl_context_create, before the program uses GraphBLAS. Arrays that the
 *    program unpacks from GraphBLAS are then freed with sl_free.
 * semla never calls GrB_finalize. The program may call it after all objects and contexts of semla
 * are freed; no context can be created afterwards.
 *
 * From SuiteSparse 8 on, an operation of a context with a number of threads
 * (sl_context_set_threads) engages a GxB_Context of its own, and disengages it at its end; a
 * GxB_Context that the calling thread had engaged is then no longer engaged.
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
 * Converts an object of GraphBLAS to a matrix or vector without a copy; finishes its pending work.
 *
 * A, v    out: the new object, owned by the caller
 * ctx     its context
 * handle  in/out: the GraphBLAS object, stored in any format; NULL on success, since the new object
 *         owns it
 *
 * Errors: SL_INVALID (an argument is NULL), SL_UNSUPPORTED (the type is complex or user-defined;
 * the context is a grid of MPI ranks), SL_NO_MEMORY. Not collective. On error *A or *v is NULL and
 * the caller still owns *handle. Cost: the pending work; the first operation that needs compressed
 * rows converts other formats.
 */
sl_status sl_matrix_from_grb(sl_matrix **A, sl_context *ctx, GrB_Matrix *handle);
sl_status sl_vector_from_grb(sl_vector **v, sl_context *ctx, GrB_Vector *handle);

/*
 * Converts a matrix or vector to an object of GraphBLAS; finishes its pending work. Contents on the
 * host are not copied; contents in other memory are migrated to the host.
 *
 * handle  out: the GraphBLAS object, owned by the caller; free it with GrB_free
 * A, v    in/out: the object; freed, and NULL, on success
 *
 * Errors: SL_INVALID (an argument is NULL), SL_UNSUPPORTED (on a grid of MPI ranks), SL_NO_MEMORY.
 * On error *handle is NULL and the object is unchanged. Not collective.
 */
sl_status sl_matrix_to_grb(GrB_Matrix *handle, sl_matrix **A);
sl_status sl_vector_to_grb(GrB_Vector *handle, sl_vector **v);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
