/*
 * Traversal: one step, all steps, and the choice of a step's direction.
 *
 * Three ways to say a step have one meaning:
 *
 *     plain      q<!pi, replace> = q' A  ;  pi<q> = q
 *     advance    delta = advance(pi, q, A, semiring)
 *     closure    advance until delta is empty
 *
 * Which rule joins what a step finds to pi follows from the semiring:
 *
 *  - It *settles* if its monoid is ANY or its multiplicative operator does not
 *    read q's values (any_secondi, min_secondi, any_pair, min_second): a later
 *    step cannot better an entry, so the first step that reaches it settles it,
 *    and the product is masked by !pi. Breadth-first search.
 *  - It *relaxes* otherwise, and the monoid must be idempotent (min_plus,
 *    max_min, min_first, lor_land): pi = pi (+) q' A, and delta is what is new
 *    or changed. Shortest paths, connected components.
 *  - Of a user's own semiring only the monoid's part is asked: ANY, or idempotent by
 *    sl_monoid_promise_idempotent. A user's operator reads both values.
 *  - Of a closure that relaxes, of which only pi is asked for (no level, log, targets or
 *    bound), steps may be taken in another order where all orders end alike: over sums
 *    of lengths none of which betters what it is added to.
 *  - With neither (plus_times) there is no closure: SL_UNSUPPORTED.
 */
#ifndef SEMLA_TRAVERSAL_H
#define SEMLA_TRAVERSAL_H

#include <semla/operations.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The way of a step. */
typedef enum {
    SL_AUTO, /* by the edges that each way would look at */
    SL_PUSH, /* along the rows of the frontier */
    SL_PULL  /* along the columns of what is still missing */
} sl_direction;

/* "auto", "push", "pull". */
const char *sl_direction_name(sl_direction direction);

/* What may be wrong with a tree of parents, told of the least vertex of which it holds. */
typedef enum {
    SL_TREE_VALID,
    SL_TREE_NO_ROOT,   /* the root (`vertex`) is not its own parent */
    SL_TREE_NO_PARENT, /* `vertex` has a parent, `other`, that is no vertex or has none itself */
    SL_TREE_CYCLE,     /* the parents of `vertex` do not lead to the root */
    SL_TREE_LEAVES,    /* an edge leads from `vertex`, in the tree, to `other`, which is not */
    SL_TREE_SKIPS,     /* an edge joins `vertex` and `other`, more than a level apart */
    SL_TREE_NO_EDGE    /* no edge joins `vertex` and its parent, `other` */
} sl_tree_fault;

/* A check of such a tree: the first fault in that order, and what the tree has if there is
 * none. */
typedef struct {
    sl_tree_fault fault;    /* SL_TREE_VALID: none */
    uint64_t vertex, other; /* as the fault says */
    uint64_t reached;       /* vertices */
    int64_t depth;          /* the greatest level */
} sl_tree_check;

/* One step as it was done. */
typedef struct {
    sl_direction direction; /* SL_PUSH or SL_PULL */
    bool edges_exact;       /* false: `edges` is an upper bound, as the engine cannot count */
    uint64_t frontier;      /* vertices in q */
    uint64_t edges;         /* entries of A looked at */
    double seconds;         /* wall clock */
} sl_iteration;

/* A growing list of steps; start with {0}, end with sl_iteration_log_clear. */
typedef struct {
    sl_iteration *steps; /* from sl_malloc */
    size_t count;   /* steps in it */
    size_t room;    /* steps that there is room for */
} sl_iteration_log;
/* Appends a copy of `step`. SL_NO_MEMORY: the log is as it was. */
sl_status sl_iteration_log_append(sl_iteration_log *log, const sl_iteration *step);
/* Frees the steps; the log is empty. */
void sl_iteration_log_clear(sl_iteration_log *log);

/* ---- plan --------------------------------------------------------------- */

/* What a step would look at in either direction. */
typedef struct {
    sl_direction direction; /* the cheaper one */
    uint64_t frontier;      /* entries of q */
    uint64_t push_edges;    /* entries of A in q's rows: what push looks at */
    uint64_t missing;       /* vertices without an entry in pi */
    uint64_t missing_edges; /* entries of A in their columns: the most that pull looks at */
    double pull_edges;      /* what pull is expected to look at */
} sl_plan;

/*
 * Chooses the direction of the step that would follow. Push looks at every
 * edge of the frontier. Pull looks, for each missing vertex, at its in-edges
 * until one leads into the frontier; if these lie as if by chance, that is
 * after 1 / p edges, where p is the frontier's share of all edges, or at all of
 * them. (Beamer, Asanovic, Patterson, "Direction-Optimizing Breadth-First
 * Search", SC 2012, choose by thresholds on the same counts.) O(n) and no edge
 * is looked at. For a semiring that relaxes, pull has no early exit and push is
 * always the answer of sl_advance.
 */
sl_status sl_plan_iteration(sl_plan *plan, const sl_vector *pi, const sl_vector *q, const sl_matrix *A);

/* ---- advance ------------------------------------------------------------ */

/*
 * One step from the frontier q over A: pi gains what is new or better, and
 * delta becomes exactly those entries, with their values. delta may be q. pi
 * and delta have the semiring's result type; A is square, n x n, and pi, q,
 * delta are of size n. If `step` is not NULL it receives what was done.
 * Errors: SL_MISMATCH, SL_UNSUPPORTED (the semiring has no closure; SL_PULL
 * with a semiring that relaxes, or that multiplies by firsti or secondj), SL_OUT_OF_RANGE (n is
 * above 2^31 and the semiring's numbers are int32). After a
 * failure pi and delta are valid objects, but may hold part of the step.
 */
sl_status sl_advance(sl_vector *delta, sl_vector *pi, const sl_vector *q, const sl_matrix *A,
                     sl_semiring semiring, sl_direction direction, sl_iteration *step);

/* ---- closure ------------------------------------------------------------ */

/* When targets end a traversal. */
typedef enum {
    SL_UNTIL_ANY, /* stop after the step that reached the first target */
    SL_UNTIL_ALL  /* stop after the step that reached the last */
} sl_until;

/* Options of a closure. Initialise with {0}: the zero of every member is its default. */
typedef struct {
    bool from_source;         /* start at one vertex, `source`, instead of at a frontier */
    uint64_t source;          /* read if from_source: the vertex, less than n */
    sl_scalar source_value;   /* read if from_source: the value of pi at the source, for semirings
                                 whose values depend on it (min_plus: 0) */
    sl_direction direction;   /* of every iteration */
    bool bounded;             /* stop after max_iterations */
    uint64_t max_iterations;  /* read if `bounded` */
    const sl_vector *targets; /* stop when targets are reached: the pattern of this vector of size
                                 n; NULL: no targets */
    sl_until until;           /* read if `targets`: at the first target or at the last */
    sl_vector *level;         /* NULL, or an int64 or int32 vector of size n. Entries that are new
                                 or improved in iteration k, counted from 1, receive the value k */
    sl_iteration_log *log;    /* NULL, or a log to which every iteration is appended */
} sl_closure_options;

/*
 * Iterates `advance` from a frontier until nothing changes, or until the options stop it.
 *
 * pi       in/out: the visited entries; vector of size n, of the semiring's result type
 * q        in: the frontier, a vector of size n whose pattern lies within pi's; not changed.
 *          NULL if options->from_source
 * A        in: square matrix, n x n
 * semiring one that settles or relaxes (see above)
 * options  in: may be NULL
 *
 * With options->from_source pi and level are empty on entry. The source's entry of pi becomes the
 * source itself if the semiring computes parents (the source is its own parent), 1 if its
 * operator is pair, otherwise options->source_value; its entry of level becomes 0. Searches from a
 * source are faster than from a general frontier, because results are written in one pass.
 *
 * Targets that pi holds on entry count as reached.
 *
 * Errors: SL_INVALID (q is not within pi; pi or level is not empty although from_source; q is given
 * although from_source, or NULL without it; unknown direction or `until`; level is pi or q; a cycle
 * improves its own vertices forever), SL_OUT_OF_RANGE (source; n above 2^31 and an int32 result),
 * SL_MISMATCH (shapes, types, contexts), SL_UNSUPPORTED (the semiring neither settles nor relaxes;
 * SL_PULL with a semiring that relaxes), SL_NO_MEMORY. Errors of the arguments leave all vectors
 * unchanged; after others pi and level are valid and may hold part of the result. Collective on a
 * grid.
 */
sl_status sl_closure(sl_vector *pi, const sl_vector *q, const sl_matrix *A, sl_semiring semiring,
                     const sl_closure_options *options);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
