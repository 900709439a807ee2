/* Sample values for the tests of operators, and helpers for evaluating operators. */
#ifndef SEMLA_TEST_SAMPLES_H
#define SEMLA_TEST_SAMPLES_H

#include "support.h"

enum { SAMPLES_MAX = 32 };

/*
 * Fills `values` with different values of `type` and returns their number.
 *   samples          0, 1, -1, small values, both ends of the type, random values; for floating
 * point also -0, fractions, infinities and NaN samples_ordered  the same without NaN and -0
 *   samples_small    0 to 5, so that sums and products of a few values are exact
 */
int samples(sl_type type, sl_scalar values[SAMPLES_MAX]);
int samples_ordered(sl_type type, sl_scalar values[SAMPLES_MAX]);
int samples_small(sl_type type, sl_scalar values[SAMPLES_MAX]);

/* op(x, y); pass NULL for an operand that must not be read. */
sl_scalar evaluate(sl_binary_op op, const sl_scalar *x, const sl_scalar *y);

/* The value as text, in one of several static buffers. */
const char *show(sl_scalar value);

/* Like sl_scalar_equal, but 0 equals -0. */
bool same_value(sl_scalar a, sl_scalar b);

#endif
