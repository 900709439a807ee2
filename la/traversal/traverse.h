/* Declarations that the files of la/traversal/ share. */
#ifndef SEMLA_LA_TRAVERSE_H
#define SEMLA_LA_TRAVERSE_H

#include "la/core/check.h"

/* Computes frontier and push_edges of a plan. */
sl_status sl_frontier_counts(sl_plan *plan, const sl_vector *q, const sl_matrix *A);

/* Checks the operands of a traversal call: semiring, direction, shapes, types. */
sl_status sl_check_traversal(sl_call *call, sl_direction direction);

/*
 * Called before every search of A: prepares A, as sl_matrix_optimize does for SL_FOR_TRAVERSAL, if A
 * was not prepared since it was written and is not small. The first search does not if it may be
 * short: it has a bound or targets, and may end after a few vertices. Without enough memory the search does
 * without. Errors: others than SL_NO_MEMORY, such as SL_CANCELLED.
 */
sl_status sl_prepare_search(sl_matrix *A, bool may_be_short);

/*
 * sl_closure with a function that runs the call once it is checked; sl_plain_closure neither joins trees nor finds
 * predecessors by operations, for closures that are steps of others.
 */
typedef sl_status sl_closure_run(sl_call *call);
sl_status sl_closure_with(sl_closure_run *run_closure, sl_vector *pi, const sl_vector *q,
                          const sl_matrix *A, sl_semiring semiring,
                          const sl_closure_options *options);
sl_status sl_plain_closure(sl_vector *pi, const sl_vector *q, const sl_matrix *A,
                           sl_semiring semiring, const sl_closure_options *options);
/* Steps of running a closure. Prepares the matrix, and sets sl_traversal.shortest_paths. */
sl_status sl_prepare_closure(sl_call *call);
/* The loop over iterations, if no engine of the chain runs the closure. */
sl_status sl_closure_by_iterations(sl_call *call);

/* A closure that gives each vertex of an undirected graph the least value of its component: over
 * min_first, of a symmetric matrix, where q is pi and only pi is asked for. */
sl_status sl_closure_by_hooking(sl_call *call);

/* Runs one iteration whose operands were checked: by an engine that supports advance, which fills
 * in *traversal->iteration, or by plain operations, which need a direction other than SL_AUTO and
 * leave it unchanged. */
sl_status sl_advance_checked(sl_call *call);

/* Whether the caller of a closure asks for nothing that depends on iterations. */
bool sl_wants_final_pi_only(const sl_closure_options *options);

/* Sets *is to whether the call has the property sl_traversal.shortest_paths. The range of the
 * matrix's values is computed if it is not known. */
sl_status sl_is_shortest_paths(bool *is, const sl_call *call);

/* Prepares A for shortest paths over its type, as sl_matrix_optimize does for SL_FOR_PATHS. Does
 * nothing if there is too little memory, or if closures of A are no shortest paths. */
sl_status sl_prepare_paths(sl_matrix *A);

/*
 * Writes predecessors (see sl_closure) of the entries of pi to `parent`, whose entries are ignored.
 * pi is a fixpoint, `initial` is what it was on entry. If `source` is not NULL, pi had one entry on entry, whose value
 * is final and less than all others or equal, and `initial` is not read. O(entries) operations on matrices.
 * SL_OUT_OF_RANGE if there are entries without a predecessor.
 */
sl_status sl_find_predecessors(sl_vector *parent, const sl_vector *pi, const sl_vector *initial,
                               const uint64_t *source, const sl_matrix *A, sl_semiring semiring);

/*
 * Whether a closure may use delta-stepping: *delta is the delta of its buckets, or negative if not.
 * It may if the semiring is min_plus, no length is negative, and no path length exceeds the range
 * of the type.
 */
sl_status sl_delta_stepping_width(double *delta, const sl_vector *pi, const sl_matrix *A,
                                  sl_semiring semiring);

/* Completes such a closure from the frontier `waiting`, which is overwritten, and adds the vertices that
 * it relaxes to the progress. */
sl_status sl_delta_stepping(sl_vector *pi, sl_vector *waiting, sl_matrix *A, sl_semiring semiring,
                            double delta, sl_progress *progress);

/* The operation `dependencies` by products of matrices, for chains without an engine that has it. */
sl_status sl_dependencies_by_products(const sl_call *call);

#endif
