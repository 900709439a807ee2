/*
 * Breadth-first search, its validation and the Graph500 benchmark, on the public interface of la/
 * and io/ alone.
 *
 * A graph is a square matrix; its entry (i, j) is the edge from vertex i to vertex j. The matrix
 * of an undirected graph has a symmetric pattern. Only checks of shortest paths and kernel 3 of
 * Graph500 read values.
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

/* Options of sl_bfs. Initialise with {0}: the zero of every member is its default. */
typedef struct {
    sl_direction direction;  /* of every level */
    bool deterministic;      /* each parent is the least vertex possible (min_secondi), so that
                                every engine finds the same tree */
    bool bounded;            /* search only to max_depth */
    uint64_t max_depth;      /* the last level; read if `bounded` */
    const uint64_t *targets; /* NULL, or ntargets vertices: the search ends at the level that
                                reaches one of them or all of them; the caller's */
    size_t ntargets;         /* number of targets */
    sl_until until;          /* read if ntargets > 0: end at the first target or at the last */
    sl_iteration_log *log;   /* NULL, or a log to which every level is appended */
    bool int32;              /* parents and levels are int32 instead of int64: half the memory and
                                less time to write them; for graphs of at most 2^31 vertices */
} sl_bfs_options;

/*
 * Searches a graph breadth first from one vertex. Direction-optimising (Beamer, Asanovic,
 * Patterson, "Direction-Optimizing Breadth-First Search", SC 2012): the closure of the source over
 * a semiring that selects parents.
 *
 * parent   out, may be NULL if level is not: new int64 vector (int32 with options->int32) with an
 *          element per vertex, owned by the caller: the vertex from which each was reached. The
 *          source is its own parent. Vertices that are not reached have no entry.
 * level    out, may be NULL if parent is not: likewise, the number of edges from the source
 * A        square matrix
 * source   a vertex
 * options  may be NULL
 *
 * Errors: SL_INVALID (NULL), SL_MISMATCH (A is not square), SL_OUT_OF_RANGE (the source or a target
 * is not a vertex; more than 2^31 vertices with options->int32), SL_NO_MEMORY. On error both
 * outputs are NULL. Cost: O(edges). Pull levels use the transpose of A, which is made at the first
 * search and kept on A; call sl_matrix_optimize(A, SL_FOR_TRAVERSAL) to make it beforehand.
 * Collective on a grid.
 */
sl_status sl_bfs(sl_vector **parent, sl_vector **level, const sl_matrix *A, uint64_t source,
                 const sl_bfs_options *options);

/*
 * The same search as a loop of masked products and assignments, as GraphBLAS users write it (Kepner
 * and Gilbert, "Graph Algorithms in the Language of Linear Algebra", SIAM 2011). The reference for
 * sl_bfs. Every level is a push. Arguments and errors as for sl_bfs; `deterministic` as in
 * sl_bfs_options. Collective on a grid.
 */
sl_status sl_bfs_plain(sl_vector **parent, sl_vector **level, const sl_matrix *A, uint64_t source,
                       bool deterministic);

/* ---- validation on plain arrays ----------------------------------------- */

/* A directed graph as compressed sparse rows. The arrays are the caller's. */
typedef struct {
    uint64_t vertices;     /* the number of vertices */
    const uint64_t *start; /* vertices + 1 elements: row v is index[start[v]] to
                              index[start[v + 1] - 1] */
    const uint64_t *index; /* start[vertices] elements, less than `vertices` each */
    const uint64_t *ids;   /* `vertices` elements: how checks name the vertices; NULL: by index */
    sl_context *ctx;       /* long checks show their progress by it, and end with SL_CANCELLED if it
                              is cancelled; NULL: none */
} sl_graph_view;

/* The view of a graph's rows without values, with the ids of the matrix. */
static inline sl_graph_view sl_view_of(const sl_csr *rows)
{
    const sl_graph_view view = {rows->nrows, rows->start, rows->index, rows->ids, NULL};
    return view;
}

/* The parent and the level of a vertex that is not reached, in arrays with an element per vertex.
 */
#define SL_UNREACHED (-1)

/*
 * Searches breadth first with a queue: the reference for all other searches. One thread.
 *
 * level   out: `vertices` elements, the level of each vertex or SL_UNREACHED
 * parent  out, may be NULL: likewise, the least vertex of the previous level with an edge to each
 * graph   trusted: its indices are not checked
 *
 * Errors: SL_INVALID (NULL), SL_OUT_OF_RANGE (source), SL_NO_MEMORY; then the arrays are unchanged.
 * Cost: O(vertices + edges) time, 8 bytes per vertex.
 */
sl_status sl_queue_search(int64_t *level, int64_t *parent, const sl_graph_view *graph,
                          uint64_t source);

/* The result of a check. */
typedef struct {
    bool valid;       /* no fault was found */
    char reason[160]; /* the first fault that was found and where; "" if valid */
    uint64_t reached; /* of a search that is valid: vertices with a parent */
    int64_t depth;    /* of a search that is valid: the greatest level */
} sl_check_result;

/*
 * Validates the result of a search by the rules of the Graph500 specification:
 *   1. the parents form a tree rooted at the source, without cycles;
 *   2. the levels of the two ends of each tree edge differ by one;
 *   3. each edge of the graph that starts at a reached vertex ends at a reached vertex, at most one
 *      level further;
 *   4. the tree spans all vertices that can be reached from the source;
 *   5. each tree edge is an edge of the graph;
 * and further that vertices which are not reached have neither a parent nor a level, and that the
 * levels are the distances from the source. Shares no code with the searches.
 *
 * result     out: the verdict
 * graph      trusted: its indices may be in any order and repeat
 * parent     `vertices` elements, SL_UNREACHED where there is none. NULL: only levels are checked.
 * level      likewise. NULL: the levels follow from the parents. Not both may be NULL.
 * max_depth  the last level of a bounded search: vertices beyond must not be reached; -1: not
 * bounded
 *
 * Errors concern the check itself: SL_INVALID (NULL), SL_OUT_OF_RANGE (source), SL_NO_MEMORY; then
 * result->valid is false and the reason is empty.
 * Cost: O(vertices + edges) by all OpenMP threads, 9 bytes per vertex.
 */
sl_status sl_validate_search(sl_check_result *result, const sl_graph_view *graph, uint64_t source,
                             const int64_t *parent, const int64_t *level, int64_t max_depth);

/*
 * Copies a vector of parents or levels to an array.
 *
 * array  out: new array from sl_malloc with sl_vector_size(v) elements, owned by the caller;
 *        SL_UNREACHED where v has no entry
 * v      int64 or int32 vector
 *
 * Errors: SL_INVALID (NULL), SL_MISMATCH (v has another type), SL_NO_MEMORY; then *array is NULL.
 * Collective: every process of a grid gets the whole array.
 */
sl_status sl_search_array(int64_t **array, const sl_vector *v);

/* The same for an int64 matrix of several searches: nrows x ncols elements, row by row. Collective.
 */
sl_status sl_search_table(int64_t **table, const sl_matrix *M);

/*
 * Copies a vector of distances to an array.
 *
 * distance  out: new array from sl_malloc, owned by the caller: int64_t for an int64 vector, with
 *           INT64_MAX where there is no entry; double for an fp64 vector, with INFINITY
 *
 * Errors: SL_INVALID (NULL), SL_MISMATCH (another type), SL_NO_MEMORY; then *distance is NULL.
 * Collective: every process of a grid gets the whole array.
 */
sl_status sl_distance_array(void **distance, const sl_vector *v);

/*
 * Checks shortest paths (sl_sssp of <semla/algorithms.h>) by certificate: no edge leads to a vertex
 * at less than its distance, and tight edges (distance(u) + length = distance(v)) lead from the
 * source to every vertex with a distance.
 *
 * graph     the rows, sorted, with their lengths; these are 1 if the type is bool or the values are
 *           NULL
 * distance  as from sl_distance_array: double for floating-point lengths, otherwise int64_t
 * parent    the tree; its edges must be tight; NULL: any tight edges
 *
 * Sums are compared exactly; those of floating-point lengths are rounded as in the algorithm.
 *
 * Errors concern the check itself: SL_INVALID (NULL), SL_OUT_OF_RANGE (source), SL_NO_MEMORY; then
 * result->valid is false and the reason is empty. Cost: O(vertices + edges) by one thread, 9 bytes
 * per vertex.
 */
sl_status sl_check_sssp(sl_check_result *result, const sl_csr *graph, uint64_t source,
                        const void *distance, const int64_t *parent);

/* ---- validation in the memory of the engine ----------------------------- */

/*
 * Validates the result of a search by the rules of sl_validate_search with the operations of la/,
 * in the memory of the context's engine: no array as long as the edges leaves that memory, and no
 * process of a grid needs the whole graph. It finds the same faults. Unlike sl_validate_search it
 * shares the operations of la/ with the searches.
 *
 * parent, level  vectors of any type with an element per vertex, of A's context; one may be NULL
 * The other arguments as for sl_validate_search.
 *
 * Errors: SL_INVALID (NULL), SL_MISMATCH (shapes, contexts), SL_OUT_OF_RANGE (source),
 * SL_NO_MEMORY; then result->valid is false and the reason is empty.
 * Cost: O(depth) products, O(entries + depth x vertices) work at most. Collective on a grid.
 */
sl_status sl_validate_search_in_place(sl_check_result *result, const sl_matrix *A, uint64_t source,
                                      const sl_vector *parent, const sl_vector *level,
                                      int64_t max_depth);

/* ---- Graph500 ----------------------------------------------------------- */

/* Options of sl_graph500. Initialise with {0}: the zero of every member but `scale` is its default.
 */
typedef struct {
    unsigned scale;         /* the graph has 2^scale vertices */
    double edge_factor;     /* edges per vertex; 0 means 16 */
    uint64_t seed;          /* of the graph and of the roots */
    unsigned roots;         /* number of searches; 0 means 64 */
    bool sssp;              /* kernel 3 too: shortest paths from the same roots; edges then have
                               random weights (sl_generator.weighted) */
    bool prune;             /* kernel 1 prepares the matrix with SL_PRUNED (matrix.h) */
    bool skip_validation;   /* do not validate the results */
    bool validate_in_place; /* validate by operations of the engine (sl_validate_search_in_place),
                               neither on arrays of the host nor against the generator's edges */
    double energy_seconds;  /* measure the energy of searches for at least this time; 0: do not */
    bool deterministic;     /* as in sl_bfs_options */
    bool int64;             /* parents are int64 even if int32 can number all vertices */
    sl_direction direction; /* as in sl_bfs_options */
    /* NULL, or called after each search and, with `sssp`, after the shortest paths from each root,
     * for progress: `done` of `of` are done. */
    void (*progress)(void *data, unsigned done, unsigned of);
    void *progress_data; /* the first argument of `progress` */
} sl_graph500_options;

/* Order statistics of one quantity over the searches. */
typedef struct {
    double min, first_quartile, median, third_quartile, max; /* in rising order */
    double mean, stddev; /* TEPS: the harmonic mean and its standard deviation */
} sl_statistics;

/* Kernel 3. */
typedef struct {
    unsigned roots;        /* shortest paths that were computed; 0 without options->sssp */
    unsigned valid;        /* those that were validated and are valid */
    sl_statistics seconds; /* per root */
    sl_statistics teps;    /* sl_graph500_report.edges of the same root per second of kernel 3 */
    double validation_seconds; /* of all shortest paths together */
} sl_graph500_sssp;

/* The report of the benchmark. Times are in seconds. */
typedef struct {
    unsigned scale;            /* of the options */
    double edge_factor;        /* of the options */
    unsigned roots;            /* searches that were made: at most the number of vertices with an
                                  edge to another vertex */
    unsigned valid;            /* searches with a tree that was validated and is valid */
    uint64_t vertices;         /* 2^scale */
    uint64_t input_edges;      /* edges that were generated, duplicates and self-loops included */
    double generation_seconds; /* generating the edges; 0 if an engine generates them in kernel 1 */
    double construction_seconds; /* kernel 1 */
    double preparation_seconds;  /* the part of kernel 1 in sl_matrix_optimize */
    sl_placement placement;      /* of the matrix after kernel 1 */
    unsigned parent_bits;        /* size of a parent: 32 or 64 */
    sl_statistics seconds;       /* kernel 2, per search */
    double first_seconds;        /* of the first search, which is also in `seconds` */
    sl_statistics edges;       /* input edges within the component that was searched, per search */
    sl_statistics teps;        /* traversed edges per second */
    double validation_seconds; /* of all searches together */
    sl_graph500_sssp sssp;     /* kernel 3 */
    uint64_t failed_root;      /* if valid < roots or sssp.valid < sssp.roots: the first root of an
                                invalid result */
    sl_check_result failure;   /* the fault of that result */
    double energy_seconds;     /* time during which energy was measured, or 0 */
    double joules, watts;      /* of the engine's device (sl_context_energy) */
    double mteps_per_watt;     /* harmonic mean of TEPS / 10^6 / watts */
} sl_graph500_report;

/*
 * Runs the Graph500 benchmark (specification 3.0): generates a Kronecker graph, builds its matrix
 * (kernel 1), searches it from distinct random vertices of degree > 0 (kernel 2), with
 * options->sssp computes the shortest paths from the same vertices (kernel 3), and validates every
 * result. Trees are validated on arrays of the host, or against the generated edges if an engine
 * generates these itself (sl_generator_supported). A tree that is not valid ends the run with SL_OK
 * and report->valid < report->roots. Energy is measured afterwards, over the same searches one
 * after another.
 *
 * Kernel 3 computes distances and parents, the closure of each root over min_plus. The weights of
 * the generated edges are uniform in [0, 1); of several edges between two vertices the least weight
 * counts. Sums are exact (see sl_generate). Results are validated by the rules of the specification
 * on arrays of the host (sl_check_sssp); on a grid and with validate_in_place by operations of the
 * engine. A result that is not valid ends the run with report->sssp.valid < report->sssp.roots.
 * After an invalid tree of kernel 2 kernel 3 is not run. What an engine derives from the weights
 * once is part of the time of the first root.
 *
 * Kernel 2 finds parents, as the specification asks. If no vertex has an edge to another, there are
 * no roots and the statistics are 0.
 *
 * Errors: SL_INVALID (NULL; a scale or an edge factor that the generator does not have),
 * SL_UNSUPPORTED (energy, but no engine has a meter), SL_NO_MEMORY, and those of sl_bfs. On error
 * *report is zeroed. Collective on a grid.
 */
sl_status sl_graph500(sl_graph500_report *report, sl_context *ctx,
                      const sl_graph500_options *options);

/*
 * Computes order statistics of `count` values, which are sorted in place. Quartiles interpolate as
 * the Octave code of the Graph500 specification does.
 *
 * harmonic  the mean is the harmonic one, with the standard deviation of the specification
 */
void sl_statistics_of(sl_statistics *s, double *values, size_t count, bool harmonic);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
