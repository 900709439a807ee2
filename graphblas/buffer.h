/* Single entries and rows of the objects of a grid: reads from a copy on every rank, writes that are collected. */
#ifndef SEMLA_GRB_BUFFER_H
#define SEMLA_GRB_BUFFER_H

#include "graphblas/api_object.h"

/*
 * The object has single entries that are not in semla's object yet, or a copy of its entries; its kind is then
 * GRB_VECTOR_BUFFERED or GRB_MATRIX_BUFFERED. Only the functions below and those that use grb_check_kept take such an
 * object. All others call grb_check, which writes the entries to semla's object and frees the buffer.
 *
 * The indices of an entry are i and j; j is 0 in a vector. All functions of a grid are collective, but most calls of
 * these exchange nothing.
 */

/* Sets an entry to a value, or removes it if `value` is NULL. */
GrB_Info grb_buffer_set(GrB_Matrix object, GrB_Index i, GrB_Index j, const sl_scalar *value);
/* Reads an entry. GrB_NO_VALUE: there is none. */
GrB_Info grb_buffer_get(sl_scalar *value, GrB_Matrix object, GrB_Index i, GrB_Index j);
/* w = row i of A, without mask and accumulator. If the rank has a copy of A, semla's object gets the row later.
 * *done is false if the caller must call semla, which also reports errors. */
GrB_Info grb_buffer_row(bool *done, GrB_Vector w, GrB_Matrix A, GrB_Index i);
/* All entries of a buffered object, if the rank has them; otherwise NULL. Valid until the next use of the object. */
const sl_arrays *grb_buffer_entries(const void *object);
/* Writes the entries of the buffer to semla's object and frees the buffer. The lock is held. */
sl_status grb_buffer_flush(GrB_Matrix object);
/* Frees a buffer without writing it; NULL is allowed. */
void grb_buffer_free(struct grb_buffer *buffer);

#endif
