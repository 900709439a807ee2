/* Single entries and rows of objects on a grid or a GPU: reads from a copy, on a grid on every rank; and writes, which
 * a grid collects. */
#ifndef SEMLA_GRB_BUFFER_H
#define SEMLA_GRB_BUFFER_H

#include "graphblas/api_object.h"

/*
 * The object has single entries that are not in semla's object yet, or a copy of its entries; its kind is then
 * GRB_VECTOR_BUFFERED or GRB_MATRIX_BUFFERED. Only the functions below and those that use grb_check_kept take such an
 * object. All others call grb_check, which writes the entries to semla's object and frees the buffer.
 *
 * The indices of an entry are i and j; j is 0 in a vector. All functions are collective on a grid, but most calls of
 * these exchange nothing.
 */

/* Sets an entry to a value, or removes it if `value` is NULL. */
GrB_Info grb_buffer_set(GrB_Matrix object, GrB_Index i, GrB_Index j, const sl_scalar *value);
/* Reads an entry. GrB_NO_VALUE: there is none. */
GrB_Info grb_buffer_get(sl_scalar *value, GrB_Matrix object, GrB_Index i, GrB_Index j);
/* w = row i of A, without mask and accumulator. If the rank has a copy of A, semla's object gets the row later.
 * *done is false if the caller must call semla, which also reports errors. */
GrB_Info grb_buffer_row(bool *done, GrB_Vector w, GrB_Matrix A, GrB_Index i);
/* All entries of a buffered object, if the rank has them; otherwise NULL. The calling thread then has the lock, since
 * another thread may use the object; it calls grb_unlock. */
const sl_arrays *grb_lock_entries(const void *object);
/* Writes the entries of the buffer to semla's object and frees the buffer. The lock is held. */
sl_status grb_buffer_flush(GrB_Matrix object);
/* Frees a buffer without writing it; NULL is allowed. */
void grb_buffer_free(struct grb_buffer *buffer);

#endif
