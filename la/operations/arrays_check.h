/* Checks of arrays that come from outside; for la/ alone. */
#ifndef SEMLA_LA_ARRAYS_CHECK_H
#define SEMLA_LA_ARRAYS_CHECK_H

#include <semla/object.h>

/*
 * What can be seen without a look at the contents: the format, the type, sizes, which
 * arrays there are, start's ends. Fills in nvals of BITMAP and FULL, and settles that a
 * pattern is not iso. SL_INVALID, SL_OUT_OF_RANGE.
 */
sl_status sl_arrays_examine(sl_context *ctx, sl_arrays *arrays);

/* The contents of arrays that were examined, but for tuples at one place. */
sl_status sl_arrays_check_contents(sl_context *ctx, const sl_arrays *arrays);

/* SL_INVALID if the format is not one of a matrix, or of a vector. */
sl_status sl_arrays_for(sl_context *ctx, const char *what, sl_format format, bool matrix);

/* The number of values, where each place of the format has one. */
uint64_t sl_arrays_places(const sl_arrays *arrays);

#endif
