/* What advance and closure share, for la/ alone. */
#ifndef SEMLA_LA_TRAVERSE_H
#define SEMLA_LA_TRAVERSE_H

#include "check.h"

/* Fills frontier and push_edges of a plan. */
sl_status sl_frontier_counts(sl_plan *plan, const sl_vector *q, const sl_matrix *A);

/* Checks the operands of a traversal call: semiring, direction, shapes, types. */
sl_status sl_check_traversal(sl_call *call, sl_direction direction);

/* True if steps with this semiring can pull from a pattern-only transpose. */
bool sl_semiring_pulls(sl_semiring semiring);

/* One step whose operands were checked: by the engine that has it, or in the
 * plain form, in which SL_AUTO is not allowed. *step is as sl_advance fills it
 * by an engine; the plain form leaves it alone. */
sl_status sl_advance_checked(sl_call *call);

/*
 * For closures of which only the end is asked for: *width is how far apart values may be that are
 * taken together, or below 0 where the order of steps has to be kept. Orders end alike where a
 * longer way is never better: over min_plus without negative lengths, whose sums stay within the
 * type.
 */
sl_status sl_may_order(double *width, const sl_vector *pi, const sl_matrix *A,
                       sl_semiring semiring);

/* The rest of such a closure, from what waits, which is written. */
sl_status sl_close_in_order(sl_vector *pi, sl_vector *waiting, sl_matrix *A, sl_semiring semiring,
                            double width);

#endif
