/* What engines and la/traversal/ share to run advance and closure. */
#ifndef SEMLA_TRAVERSAL_SUPPORT_H
#define SEMLA_TRAVERSAL_SUPPORT_H

#include <semla/call.h>
#include <semla/direction.h>
#include <semla/for_module.h>
#include <semla/object.h>

/*
 * The transposed pattern of A, owned by A: A itself if it is symmetric, else its kept transpose. If
 * `make` is false and neither is known yet, *At is NULL.
 */
sl_status sl_matrix_transpose_pattern(sl_matrix **At, sl_matrix *A, bool make);

/* The counts of a plan for the cost model, for a graph of `vertices` and `edges`, and the default
 * costs. */
SL_FOR_MODULE sl_level_counts sl_plan_counts(const sl_plan *plan, uint64_t vertices,
                                             uint64_t edges);
SL_FOR_MODULE extern const sl_direction_policy sl_plan_policy;
/* Computes direction and pull_edges of a plan from its counts, by the default costs. */
void sl_plan_decide(sl_plan *plan, uint64_t vertices, uint64_t edges);

/* Appends an iteration to the log of a closure's options, unless it is NULL. Sets a message on
 * failure. */
SL_FOR_MODULE sl_status sl_log_iteration(sl_context *ctx, sl_iteration_log *log,
                                         const sl_iteration *iteration);

/* True if the first iteration that reaches an entry settles it: see <semla/traversal.h>. */
SL_FOR_MODULE bool sl_semiring_settles(sl_semiring semiring);

/*
 * Combines pi with t, the results of an iteration: delta becomes t without the entries that do not change pi (where
 * pi (+) t == pi); pi = pi (+) delta. `add` is idempotent. The vectors have the same size and context, and the
 * monoid's type. By operations, in O(size) at most.
 */
SL_FOR_MODULE sl_status sl_keep_improved(sl_vector *delta, sl_vector *pi, sl_vector *t,
                                         sl_monoid add);

/* The operation `predecessors`, by an engine or by operations on matrices (tight_edges.c). */
SL_FOR_MODULE sl_status sl_better_predecessors(sl_call *call);

/* True if a closure over the semiring is a search: for parents, or over bool for the vertices that
 * are reachable. It reads the matrix's pattern only. */
SL_FOR_MODULE bool sl_semiring_is_search(sl_semiring semiring);

/* True if an iteration with this semiring can pull from a transposed pattern without values. */
SL_FOR_MODULE bool sl_semiring_pulls(sl_semiring semiring);

/* True if the semiring, its monoid or its operator is user-defined. */
SL_FOR_MODULE bool sl_semiring_is_user_defined(sl_semiring semiring);

/*
 * Delta-stepping by the near-far method. The width of a bucket: a multiple of the mean length divided by
 * the mean degree; `edges` is at least 1. The greatest value of the bucket that begins at `least`,
 * which is int64 or fp64.
 */
SL_FOR_MODULE double sl_near_width(const sl_value_range *lengths, uint64_t edges,
                                   uint64_t vertices);
SL_FOR_MODULE sl_scalar sl_near_limit(sl_type type, double delta, sl_scalar least);
enum { SL_ITERATIONS_BEFORE_NEAR_FAR = 32 }; /* which it needs more operations for */

/*
 * The typical length of the edges that shortest paths use, for the width of buckets: of `count` (at
 * least 1) lengths, the quantile 1 / degree, as a path can leave a vertex by the shortest of `degree`
 * edges; if that is 0, the least length that is not, and 1 if all are 0. Unlike the mean it does not
 * depend on the few longest edges. Sorts the lengths.
 */
double sl_typical_length(double *lengths, size_t count, double degree);

#endif
