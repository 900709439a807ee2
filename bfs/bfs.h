/*
 * bfs/ - algorithms on the public API alone: searches, their validation, the
 * Graph500 benchmark. The door of the room.
 */
#ifndef SEMLA_BFS_H
#define SEMLA_BFS_H

#include <semla/io.h>
#include <semla/la.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- search ------------------------------------------------------------- */

/* Start with {0}: every member's zero is its default. */
typedef struct {
    sl_direction direction;   /* of every step */
    bool deterministic;       /* the parent is the least of those possible (min_secondi),
                                 so that every engine finds the same tree */
    bool bounded;             /* search only to max_depth */
    uint64_t max_depth;       /* read if `bounded` */
    const uint64_t *targets;  /* end the search early: at the level that reaches */
    size_t ntargets;          /* one of these vertices, or all of them */
    sl_until until;           /* which */
    sl_iteration_log *log;         /* or NULL: a step is appended for every level */
    bool int32;              /* vectors of int32, half as long as those of int64 and faster to
                                 write: for graphs of up to 2^31 vertices */
} sl_bfs_options;

/*
 * Breadth-first search from `source` along A's entries (i, j) as edges i -> j.
 * For an undirected graph A's pattern is symmetric.
 *
 * *parent: int64 vector (int32 if `int32`), the vertex from which each vertex was
 * reached; the source is its own parent. *level: likewise, the number of edges from the
 * source, which has 0. Vertices that were not reached have no entry. Both are
 * new, of A's context and the caller's; either pointer may be NULL, not both.
 * `options` may be NULL.
 *
 * Direction-optimising (Beamer, Asanovic, Patterson, SC 2012). Pull steps use
 * A's transpose; call sl_matrix_optimize(A, SL_FOR_TRAVERSAL) beforehand to
 * keep its making out of the first search.
 *
 * Errors: SL_INVALID, SL_MISMATCH (A is not square), SL_OUT_OF_RANGE (source or
 * a target, named in the message; more than 2^31 vertices if `narrow`), SL_NO_MEMORY; then
 * both pointers are NULL.
 */
sl_status sl_bfs(sl_vector **parent, sl_vector **level, const sl_matrix *A, uint64_t source,
                 const sl_bfs_options *options);

/* The same search as a plain loop of vxm and assign, as a GraphBLAS user writes
 * it: the reference for sl_bfs. Push only; parents as any_secondi gives them,
 * or the least if `deterministic`. */
sl_status sl_bfs_plain(sl_vector **parent, sl_vector **level, const sl_matrix *A, uint64_t source,
                       bool deterministic);

/* ---- validation: independent of la/, on plain arrays -------------------- */

/* A directed graph as compressed sparse rows; arrays stay the caller's. */
typedef struct {
    uint64_t vertices;     /* their number */
    const uint64_t *start; /* vertices + 1 */
    const uint64_t *index; /* start[vertices] */
} sl_graph_view;

/* In arrays of one element per vertex, what was not reached has this. */
#define SL_UNREACHED (-1)

/*
 * A queue-based search, the yardstick of all others. level and parent have an
 * element per vertex; parent may be NULL, else it is the least possible parent.
 * Errors: SL_OUT_OF_RANGE (source), SL_NO_MEMORY.
 */
sl_status sl_queue_search(int64_t *level, int64_t *parent, const sl_graph_view *graph,
                          uint64_t source);

/* The first rule that a result breaks, and where. */
typedef struct {
    bool valid;       /* none is broken */
    char reason[160]; /* "" if valid */
    uint64_t reached; /* vertices with a parent */
    int64_t depth;    /* the greatest level */
} sl_check_result;

/*
 * Checks a search's result by the rules of the Graph500 specification:
 *   1. the parents form a tree rooted at the source, without cycles;
 *   2. each tree edge joins vertices whose levels differ by one;
 *   3. each edge of the graph leads from a reached vertex to one reached, at
 *      most one level further (in an undirected graph that is: differ by at most one);
 *   4. the tree spans all that can be reached from the source;
 *   5. each tree edge is an edge of the graph;
 * and that nothing unreached has a parent or a level, and that the levels are
 * those of a queue-based search (to `max_depth`, if that is not negative: then
 * what lies deeper has to be unreached).
 * `parent` and `level` have an element per vertex (SL_UNREACHED where there is
 * none); either may be NULL, then the levels follow from the parents, or only
 * the levels are checked. The verdict is in *verdict; the status is about the
 * check itself: SL_INVALID, SL_OUT_OF_RANGE (source), SL_NO_MEMORY.
 */
sl_status sl_validate_search(sl_check_result *verdict, const sl_graph_view *graph, uint64_t source,
                             const int64_t *parent, const int64_t *level, int64_t max_depth);

/* A vector of a search, int64 or int32, as an array of vector-size elements from sl_malloc, the
 * caller's, with SL_UNREACHED where there is no entry. On a grid every process gets all of it;
 * collective. */
sl_status sl_search_array(int64_t **array, const sl_vector *v);
/* The same of searches from many vertices, row by row: nrows x ncols elements. */
sl_status sl_search_table(int64_t **table, const sl_matrix *M);

/* ---- validation where the graph is ------------------------------------------ */

/*
 * The rules of sl_validate_search, checked by the operations of la/ on the context's
 * engines: nothing as long as the edges leaves the engine's memory. It finds the same
 * faults, but shares these operations with what it judges; sl_validate_search shares
 * nothing. `parent` and `level` are vectors of any type with an element per vertex, of
 * A's context; either may be NULL, not both. max_depth < 0: no limit.
 * O(depth) products, O(entries + depth x vertices) work at most.
 * Errors: SL_INVALID, SL_MISMATCH (shapes, contexts), SL_OUT_OF_RANGE (source),
 * SL_NO_MEMORY; then *verdict is not valid and has no reason.
 */
sl_status sl_validate_search_in_place(sl_check_result *verdict, const sl_matrix *A, uint64_t source,
                           const sl_vector *parent, const sl_vector *level, int64_t max_depth);

/* ---- Graph500 ----------------------------------------------------------- */

/* Start with {0}: every member's zero is its default, but the scale's. */
typedef struct {
    unsigned scale;         /* 2^scale vertices */
    double edge_factor;     /* 0 means 16 */
    uint64_t seed;          /* of the graph and of the roots */
    unsigned roots;         /* searches; 0 means 64 */
    bool prune;             /* kernel 1 prepares with SL_PRUNED (matrix.h) */
    bool skip_validation;   /* do not check the trees */
    bool validate_in_place; /* check them by sl_validate_search_in_place, not on arrays on the host; nor by
                               the tuples, where an engine makes these (sl_generator_supported) */
    double energy_seconds;  /* 0: energy is not measured; else for how long at least */
    bool deterministic;     /* as in sl_bfs_options */
    bool int64;              /* parents are int64 even where int32 have room for all vertices */
    sl_direction direction; /* as in sl_bfs_options */
    /* Called after each search, if not NULL; for progress. */
    void (*progress)(void *data, unsigned done, unsigned of);
    void *progress_data; /* its first argument */
} sl_graph500_options;

/* Order statistics of one quantity over the searches. */
typedef struct {
    double min, first_quartile, median, third_quartile, max; /* in order */
    double mean, stddev; /* for TEPS: harmonic mean and its standard deviation */
} sl_statistics;

/* What the benchmark found; times are in seconds. */
typedef struct {
    unsigned scale;         /* as asked for */
    double edge_factor;     /* as asked for */
    unsigned roots;         /* searches done: fewer than asked where the graph has fewer vertices of degree > 0 */
    unsigned valid;         /* of which the tree was checked and found valid */
    uint64_t vertices;      /* 2^scale */
    uint64_t input_edges;   /* tuples generated */
    double generation_seconds;   /* of the tuples; 0 where an engine makes them in kernel 1 */
    double construction_seconds; /* kernel 1, */
    double preparation_seconds;  /* of it, sl_matrix_optimize */
    sl_placement placement;      /* of the matrix then */
    unsigned parent_bits;        /* of each parent that is written: 32 or 64 */
    sl_statistics seconds;       /* kernel 2, per search */
    sl_statistics edges;         /* input tuples within the searched component, per search */
    sl_statistics teps;          /* edges per second */
    double validation_seconds;   /* all searches together */
    uint64_t failed_root;        /* first root whose tree is not valid, if valid < roots */
    sl_check_result failure;          /* what is wrong with it */
    double energy_seconds;       /* for which energy was measured, or 0 */
    double joules, watts;        /* of the engine's device, as sl_context_energy has it */
    double mteps_per_watt;       /* harmonic mean of TEPS / 10^6 / watts */
} sl_graph500_report;

/*
 * The Graph500 benchmark: generates a Kronecker graph, builds the matrix
 * (kernel 1), searches from `roots` distinct random vertices of degree > 0
 * (kernel 2) and validates every tree: on arrays on the host, or, where an engine makes
 * the tuples by itself (sl_generator_supported), against these. A tree that is not valid ends the run
 * with SL_OK and valid < roots. Energy is measured afterwards, over the same searches
 * one after another; SL_UNSUPPORTED where no engine has a meter. Errors as of the parts.
 */
sl_status sl_graph500(sl_graph500_report *report, sl_context *ctx,
                      const sl_graph500_options *options);

/* Order statistics of `count` > 0 values, which are sorted in place; the mean is
 * harmonic if `harmonic` (with the Graph500 specification's standard deviation).
 * Quartiles interpolate as the specification's Octave code does. */
void sl_statistics_of(sl_statistics *s, double *values, size_t count, bool harmonic);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
