/*
 * Traversals: one iteration (advance), all iterations (closure), closures of several frontiers, the
 * choice between push and pull, and dependencies on shortest paths.
 *
 * In a traversal pi has the visited entries and their values, and q is the frontier: the entries
 * that were new or improved in the last iteration. An iteration can be written in three equivalent
 * ways:
 *
 *     plain      q<!pi, replace> = q' A  ;  pi<q> = q
 *     advance    delta = advance(pi, q, A, semiring)
 *     closure    advance until delta is empty
 *
 * The semiring determines how new values are combined with pi:
 *
 *  - It *settles* if its monoid is ANY or its multiplicative operator does not read q's values
 * (any_secondi, min_secondi, any_pair, min_second). A later iteration cannot improve an entry, so
 * the first iteration that reaches an entry sets it, and the product is masked by !pi. This is
 * breadth-first search.
 *  - Otherwise it *relaxes*, and its monoid must be idempotent (min_plus, max_min, min_first,
 * lor_land): pi = pi (+) q' A, and delta has the entries that are new or changed. This is shortest
 * paths or connected components.
 *  - A semiring that does neither (plus_times) has no closure: SL_UNSUPPORTED.
 *
 * A user-defined operator is assumed to read both values; a user-defined monoid is idempotent after
 * sl_monoid_promise_idempotent.
 *
 * The result of a closure is defined by the semiring, not by the order of iterations. If only pi is
 * asked for (no level, log, targets or bound), an engine may use an algorithm that reaches the same
 * values in another order, such as delta-stepping for min_plus without negative lengths. Over
 * min_first of integers, if A is known to be symmetric (sl_matrix_is_symmetric) and q is pi itself,
 * it joins trees of vertices: O(edges), however long the paths are.
 */
#ifndef SEMLA_TRAVERSAL_H
#define SEMLA_TRAVERSAL_H

#include <semla/operations.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The direction of an iteration. */
typedef enum {
    SL_AUTO, /* the direction that examines fewer edges: see sl_plan_iteration */
    SL_PUSH, /* top-down: scan the rows of the frontier */
    SL_PULL  /* bottom-up: scan the columns of the unvisited vertices */
} sl_direction;

/* "auto", "push", "pull". */
const char *sl_direction_name(sl_direction direction);

/* Faults of a tree of parents. A check reports the smallest vertex that has the fault. */
typedef enum {
    SL_TREE_VALID,
    SL_TREE_NO_ROOT,   /* the root (`vertex`) is not its own parent */
    SL_TREE_NO_PARENT, /* the parent of `vertex` is `other`, which is no vertex or has no parent */
    SL_TREE_CYCLE,     /* the parents of `vertex` do not lead to the root */
    SL_TREE_LEAVES,    /* an edge leads from `vertex`, in the tree, to `other`, outside of it */
    SL_TREE_SKIPS,     /* an edge joins `vertex` and `other`; their levels differ by more than 1 */
    SL_TREE_NO_EDGE    /* there is no edge between `vertex` and its parent, `other` */
} sl_tree_fault;

/* The result of a check of such a tree: its first fault, in the order above, or its size. */
typedef struct {
    sl_tree_fault fault;    /* SL_TREE_VALID: none */
    uint64_t vertex, other; /* see the fault; else unspecified */
    uint64_t reached;       /* vertices in the tree */
    int64_t depth;          /* maximum level */
} sl_tree_check;

/* What one iteration did. */
typedef struct {
    sl_direction direction; /* SL_PUSH or SL_PULL */
    bool edges_exact;  /* false: `edges` is an upper bound, because the engine does not count */
    uint64_t frontier; /* entries of q */
    uint64_t edges;    /* entries of A that were examined */
    double seconds;    /* wall clock */
} sl_iteration;

/* A growing list of iterations. Initialise with {0}; free with sl_iteration_log_clear. */
typedef struct {
    sl_iteration *iterations; /* from sl_malloc */
    size_t count;             /* elements in use */
    size_t room;              /* elements allocated */
} sl_iteration_log;
/* Appends a copy of *iteration. SL_NO_MEMORY: the log is unchanged. */
sl_status sl_iteration_log_append(sl_iteration_log *log, const sl_iteration *iteration);
/* Frees the elements; the log is empty afterwards. */
void sl_iteration_log_clear(sl_iteration_log *log);

/* ---- plan --------------------------------------------------------------- */

/* The numbers of edges that an iteration would examine in each direction. */
typedef struct {
    sl_direction direction;   /* the cheaper direction */
    uint64_t frontier;        /* entries of q */
    uint64_t push_edges;      /* entries of A in the rows of q: examined by a push */
    uint64_t unvisited;       /* vertices without an entry in pi */
    uint64_t unvisited_edges; /* entries of A in their columns: at most examined by a pull */
    double pull_edges;        /* expected number of edges examined by a pull */
} sl_plan;

/*
 * Chooses the direction of the next iteration.
 *
 * plan  out: the counts and the choice
 * pi    the visited entries; vector of size n
 * q     the frontier; vector of size n
 * A     square matrix, n x n
 *
 * A push examines every edge of the frontier. A pull examines the in-edges of each unvisited vertex
 * until one comes from the frontier: if edges are independent, 1 / p edges, where p is the fraction
 * of all edges that leave the frontier, and at most all of them. (Beamer, Asanovic, Patterson,
 * "Direction-Optimizing Breadth-First Search", SC 2012, use thresholds on the same counts.) Cost:
 * O(n); no edge is examined, but the first call may transpose A. For a semiring that relaxes, a
 * pull cannot stop early, and sl_advance always pushes.
 *
 * Errors: SL_INVALID, SL_MISMATCH, SL_NO_MEMORY. Collective on a grid.
 */
sl_status sl_plan_iteration(sl_plan *plan, const sl_vector *pi, const sl_vector *q,
                            const sl_matrix *A);

/* ---- advance ------------------------------------------------------------ */

/*
 * Runs one iteration.
 *
 * delta      out: the output frontier: the entries of pi that are new or improved, with their
 *            values; vector of size n, of the semiring's result type; may be q
 * pi         in/out: the visited entries; vector of size n, of the semiring's result type
 * q          in: the frontier; vector of size n
 * A          in: square matrix, n x n
 * semiring   one that settles or relaxes
 * direction  SL_AUTO: as sl_plan_iteration chooses
 * iteration  out, may be NULL: a record of the iteration
 *
 * Errors: SL_MISMATCH (shapes, types, contexts), SL_UNSUPPORTED (the semiring neither settles nor
 * relaxes; SL_PULL with a semiring that relaxes or multiplies by firsti or secondj),
 * SL_OUT_OF_RANGE (n above 2^31 and an int32 result), SL_NO_MEMORY. Errors of the arguments leave
 * pi and delta unchanged; after others they are valid and may hold part of the result. Collective
 * on a grid.
 */
sl_status sl_advance(sl_vector *delta, sl_vector *pi, const sl_vector *q, const sl_matrix *A,
                     sl_semiring semiring, sl_direction direction, sl_iteration *iteration);

/* ---- closure ------------------------------------------------------------ */

/* When targets end a traversal. */
typedef enum {
    SL_UNTIL_ANY, /* stop after the iteration that reached the first target */
    SL_UNTIL_ALL  /* stop after the iteration that reached the last target */
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
    sl_vector *parent;        /* NULL, or an int64 or int32 vector of size n, empty on entry, which
                                 receives predecessors: see sl_closure. For semirings that relax;
                                 not with `bounded` or `targets` */
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
 * With options->parent every entry of pi receives a predecessor, so that predecessors form trees. The predecessor of
 * v is v itself if pi has v's value on entry and keeps it. Otherwise it is a vertex u such that pi(u) (x) A(u, v) is
 * pi(v): the least u whose value is better than v's (for min_plus a smaller distance). If there is none, as with
 * lengths of 0, it is a vertex of v's own value: the least vertex that leads to v by the fewest edges from vertices
 * that have a predecessor already. If entries remain, as with negative lengths, the predecessors of all entries are
 * chosen anew: the least on paths of the fewest edges from the entries that keep their value. So predecessors depend
 * on pi and A alone, not on the engine.
 *
 * Targets that pi holds on entry count as reached.
 *
 * Errors: SL_INVALID (q is not within pi; pi or level is not empty although from_source; parent is
 * not empty, or is given together with bounded or targets; q is given although from_source, or NULL
 * without it; unknown direction or `until`; level or parent is pi, q or the other; a cycle improves
 * its own vertices forever), SL_OUT_OF_RANGE (source; n above 2^31 and an int32 result; values differ
 * so much in size that rounding leaves entries without a predecessor), SL_MISMATCH (shapes, types,
 * contexts), SL_UNSUPPORTED (the semiring neither settles nor relaxes; SL_PULL or parent with a
 * semiring that does not support it), SL_NO_MEMORY. Errors of the arguments leave all vectors
 * unchanged; after others pi, level and parent are valid and may hold part of the result.
 * Collective on a grid.
 */
sl_status sl_closure(sl_vector *pi, const sl_vector *q, const sl_matrix *A, sl_semiring semiring,
                     const sl_closure_options *options);

/* ---- closures of several frontiers ------------------------------------------ */

/* Options of closures. Initialise with {0}: the zero of every member is its default. */
typedef struct {
    bool bounded;            /* stop after max_iterations */
    uint64_t max_iterations; /* read if `bounded` */
    sl_matrix *level;        /* NULL, or an int64 or int32 matrix of the shape of q, empty on entry.
                                Entries that are new in iteration k, counted from 1, receive the
                                value k; entries of q receive 0 */
} sl_closures_options;

/*
 * Closures of several frontiers over one graph: row s of pi is the closure of row s of q. This is the
 * closure of a matrix of frontiers: q<!pi, replace> = q A and pi<q> = q, until q is empty.
 *
 * pi       out: k x n matrix of the semiring's result type, empty on entry; NULL if only
 *          options->level is wanted
 * q        in: the frontiers: k x n matrix with any number of entries in a row; not changed. pi's
 *          values at these entries are the column's index if the semiring computes parents (a vertex
 *          of a frontier is its own parent), 1 if its operator is pair, otherwise the values of q,
 *          which are cast
 * A        in: square matrix, n x n
 * semiring one that settles (see above); levels are the same over all of them
 * options  in: may be NULL
 *
 * Over a semiring of searches (secondi; pair over bool), and for levels alone, the engines of one
 * process search from all rows together, 64 rows at a time: bit s of a word says whether search s
 * has visited a vertex, so that an edge is read once for the searches that follow it in the same
 * level (Then et al., "The More the Merrier: Efficient Multi-Source Graph Traversal", VLDB 2014).
 * On the host, searches of many levels, which have little in common, run on a thread each. On a
 * grid the searches run one after another, as sl_closure does. Over other semirings products of
 * matrices follow the definition.
 *
 * Errors: SL_INVALID (q, A or semiring is NULL; pi and level are both NULL; pi or level is not empty;
 * pi, level and q are not different), SL_MISMATCH (A is not square; shapes, types, contexts),
 * SL_UNSUPPORTED (the semiring does not settle: sl_closure takes one frontier over semirings that
 * relax), SL_OUT_OF_RANGE (n above 2^31 and an int32 result), SL_NO_MEMORY, SL_CANCELLED (asked
 * between levels). Errors of the arguments leave pi and level unchanged; after others they are valid
 * and may hold part of the result. Collective on a grid.
 *
 * Cost: O(k x edges) time at most; for graphs of few levels O(k / 64 x edges) for each of them. The
 * engines of one process take up to 560 bytes for each vertex beside the results.
 */
sl_status sl_closures(sl_matrix *pi, const sl_matrix *q, const sl_matrix *A, sl_semiring semiring,
                      const sl_closures_options *options);

/* ---- dependencies ------------------------------------------------------- */

/*
 * Adds the dependencies of sources on the vertices, whose sum is betweenness centrality. The
 * dependency of a source s on a vertex v is the sum over all targets t other than v of the fraction
 * of the shortest paths from s to t that contain v (Brandes, "A Faster Algorithm for Betweenness
 * Centrality", Journal of Mathematical Sociology 25, 2001). The dependency of s on itself is 0.
 *
 * sum      in/out: fp64 vector of size n. A missing entry counts as 0; afterwards every vertex has
 *          an entry
 * A        square matrix, n x n: entry (i, j) is the edge from i to j, of length 1 whatever its value
 * sources  `count` vertices; one that repeats counts as often. Not changed; may be NULL if count is 0
 * count    the number of sources
 *
 * The number of shortest paths between two vertices is not limited: engines keep it as an fp64 number
 * with an exponent of its own. Results of engines and numbers of threads differ by rounding.
 *
 * Errors: SL_INVALID (sum, A, or sources with count > 0 is NULL), SL_MISMATCH (A is not square; sum
 * is not fp64 or has another size; contexts), SL_OUT_OF_RANGE (a source is not below n),
 * SL_NO_MEMORY, SL_CANCELLED (asked between levels). sum is unchanged after all of them, except if
 * there is no memory for the addition to sum itself: sum is then valid and has unspecified contents.
 * Collective on a grid.
 *
 * Cost: O(count x edges) time. O(n) memory for each source of a batch, whose size the engine chooses;
 * products of matrices, where no engine has the operation, take O(batch x n). For a matrix whose
 * pattern is not symmetric the transposed pattern is made and kept with A.
 */
sl_status sl_dependencies(sl_vector *sum, const sl_matrix *A, const uint64_t *sources,
                          uint64_t count);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
