/* Checks of arrays that a program passes in; for la/operations/ alone. */
#ifndef SEMLA_LA_ARRAYS_CHECK_H
#define SEMLA_LA_ARRAYS_CHECK_H

#include <semla/object.h>

/*
 * Checks what needs no pass over the contents: format, type, sizes, which arrays are NULL, the
 * first and last element of start. Computes nvals of BITMAP and FULL, and clears iso of a pattern.
 * SL_INVALID, SL_OUT_OF_RANGE.
 */
sl_status sl_arrays_examine(sl_context *ctx, sl_arrays *arrays);

/* Checks the contents of examined arrays, except for duplicates in COO. */
sl_status sl_arrays_check_contents(sl_context *ctx, const sl_arrays *arrays);

/* SL_INVALID if a matrix (or a vector, if !matrix) cannot have the format. */
sl_status sl_arrays_for(sl_context *ctx, const char *what, sl_format format, bool matrix);

/* The number of values of arrays that are not iso. */
uint64_t sl_arrays_places(const sl_arrays *arrays);

#endif
