/* Values to try operators on, and short forms of evaluating them. */
#ifndef SEMLA_TEST_SAMPLES_H
#define SEMLA_TEST_SAMPLES_H

#include "support.h"

enum { SAMPLES_MAX = 32 };

/*
 * Fills `values` with distinct-looking values of `type` and returns how many.
 * samples: 0, 1, -1, small ones, both ends of the type, random ones; for
 * floating types also -0, fractions, infinities and NaN. samples_ordered is the same
 * without NaN and -0. samples_small: 0 to 5, on which no sum or product of a
 * few overflows or rounds.
 */
int samples(sl_type type, sl_scalar values[SAMPLES_MAX]);
int samples_ordered(sl_type type, sl_scalar values[SAMPLES_MAX]);
int samples_small(sl_type type, sl_scalar values[SAMPLES_MAX]);

/* op(x, y); NULL stands for an operand that must not be read. */
sl_scalar evaluate(sl_binary_op op, const sl_scalar *x, const sl_scalar *y);

/* The value in words, in one of a few static buffers. */
const char *show(sl_scalar value);

/* sl_scalar_equal, save that 0 equals -0. */
bool same_value(sl_scalar a, sl_scalar b);

#endif
