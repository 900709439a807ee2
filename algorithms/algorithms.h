/*
 * Algorithms on graphs, on the public interface alone: searches from several vertices, components,
 * shortest paths, ranks, centralities, triangles.
 *
 * A graph is a square matrix; its entry (i, j) is the edge from vertex i to vertex j. The matrix
 * of an undirected graph has a symmetric pattern. Only sl_sssp reads values. A matrix cannot hold
 * an edge twice. A self-loop is an edge from a vertex to itself.
 *
 * For all functions:
 * - Outputs are new objects of A's context, owned by the caller; on error they are NULL.
 * - Options belong to the caller, may be NULL, and are initialised with {0}: the zero of every
 * member is its default.
 * - Errors are SL_INVALID (an argument is NULL that must not be), SL_MISMATCH (A is not square; an
 *   object of another context), SL_OUT_OF_RANGE (a vertex, named in the message), SL_NO_MEMORY and
 *   SL_CANCELLED; further errors are listed at each function. Arguments are checked before any work.
 * - All are collective on a grid.
 * <semla/checks.h> has a check for each result; <semla/registry.h> runs each function by name.
 */
#ifndef SEMLA_ALGORITHMS_H
#define SEMLA_ALGORITHMS_H

#include <semla/bfs.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The algorithms of this header: X(NAME) for each function sl_NAME, in the order of the registry.
 */
#define SL_ALGORITHMS(X)                                                                           \
    X(components)                                                                                  \
    X(sssp)                                                                                        \
    X(pagerank)                                                                                    \
    X(betweenness)                                                                                 \
    X(triangles)                                                                                   \
    X(multi_source_bfs)                                                                            \
    X(khop)                                                                                        \
    X(st_connected)                                                                                \
    X(pseudo_diameter)                                                                             \
    X(bipartite)

/* ---- components and paths ----------------------------------------------- */

/*
 * Finds the connected components of a graph, of a directed graph the weakly connected ones. On one
 * GPU and on the host's cores Afforest (Sutton, Ben-Nun, Barak, "Optimizing Parallel Graph
 * Connectivity Computation via Subgraph Sampling", IPDPS 2018); on a grid and with SuiteSparse alone
 * a breadth-first search from a vertex of greatest degree, then FastSV (Zhang, Azad, Hu, "FastSV: A
 * Distributed-Memory Connected Component Algorithm with Fast Convergence", SIAM PP 2020).
 *
 * component  out: int64 vector with an element per vertex: the least vertex of its component
 *
 * Cost: Afforest O(edges), usually little more than O(vertices); FastSV O(edges) per round, usually
 * about log(vertices) rounds. For a directed graph a symmetric copy of its pattern is made first.
 */
sl_status sl_components(sl_vector **component, const sl_matrix *A);

/*
 * Finds shortest paths from one vertex, where the entries of A are the lengths of edges: the
 * closure of the source over min_plus, with its predecessors (Bellman 1958, Ford 1956; if no length
 * is negative, delta-stepping: Meyer, Sanders, "Delta-stepping: a parallelizable shortest path
 * algorithm", Journal of Algorithms 49, 2003). The edges of a bool matrix have length 1. Lengths are
 * read in A's type; A is not converted.
 *
 * distance  out: the length of a shortest path to each vertex: int64 vector if A has integer or
 *           bool values, fp64 if it has floating-point values. Vertices that the source does not
 *           reach have no entry.
 * parent    out, may be NULL: int64 vector, the previous vertex on a shortest path: the least of
 *           those at a smaller distance; see sl_closure for edges of length 0 and negative lengths.
 *           The parent of the source is the source.
 * source    a vertex
 *
 * Lengths may be negative; cycles of negative length may not be reached from the source. Sums of
 * floating-point lengths are rounded.
 *
 * Further errors: SL_INVALID (a length is NaN or infinite; the source reaches a cycle of negative
 * length, with a vertex of it in the message), SL_OUT_OF_RANGE (a distance is out of the range
 * of int64, from -2^63 + 1 to 2^63 - 2, or of fp64, with the vertex in the message; lengths differ
 * so much in size that rounding leaves vertices without a parent).
 */
sl_status sl_sssp(sl_vector **distance, sl_vector **parent, const sl_matrix *A, uint64_t source);

/* ---- ranks and counts --------------------------------------------------- */

/* Options of sl_pagerank. */
typedef struct {
    double damping;   /* probability to follow an edge, from 0 to below 1; 0 means 0.85 */
    double tolerance; /* converged if an iteration changes the ranks by no more in sum; 0 means
                         1e-6 */
    uint64_t max_iterations;          /* 0 means 100 */
    const sl_vector *personalisation; /* NULL, or weights, not negative, of A's size: jumps lead to
                                         each vertex in proportion to its weight */
} sl_pagerank_options;

/* How a call of sl_pagerank ended. */
typedef struct {
    uint64_t iterations; /* that were made */
    double residual;     /* change of the ranks by the last iteration, in sum */
    bool converged;      /* residual <= tolerance */
} sl_pagerank_result;

/*
 * Computes PageRank by power iteration (Brin and Page, "The Anatomy of a Large-Scale Hypertextual
 * Web Search Engine", 1998): the probability to be at each vertex of a random walk that follows a
 * random edge with probability `damping` and otherwise jumps to a random vertex. At a vertex
 * without outgoing edges the walk always jumps.
 *
 * rank     out: fp64 vector with an element per vertex; their sum is 1
 * options  may be NULL
 * result   out, may be NULL: iterations and convergence. That the ranks have not converged after
 *          max_iterations is no error.
 *
 * Further errors: SL_INVALID (damping or tolerance; a weight is negative, NaN or infinite, or all
 * are 0), SL_MISMATCH (size or context of the personalisation). Cost: O(edges) per iteration. A
 * directed graph also needs its transpose, O(edges) memory.
 */
sl_status sl_pagerank(sl_vector **rank, const sl_matrix *A, const sl_pagerank_options *options,
                      sl_pagerank_result *result);

/* Options of sl_betweenness. */
typedef struct {
    uint64_t batch;  /* the most sources that are searched from together; 0: chosen by the library.
                        Results differ only by rounding. */
    bool normalised; /* divide by the number of pairs of other vertices, and scale as if all
                        vertices were sources */
} sl_betweenness_options;

/*
 * Computes betweenness centrality: for each vertex v, the sum over all pairs (s, t) of other
 * vertices with s among the sources, of the fraction of shortest paths from s to t that contain v.
 * Every edge has length 1. If A is symmetric, the sum is halved, because both directions of a pair
 * are the same paths. The sum is that of the sources' dependencies (Brandes, "A Faster Algorithm for
 * Betweenness Centrality", 2001): see sl_dependencies for algorithms, cost and numbers of paths, which
 * are not limited.
 *
 * centrality  out: fp64 vector with an element per vertex
 * sources     `count` vertices, which may repeat and then count several times; or SL_ALL for all
 *             vertices, and `count` is ignored. A sample gives an estimate.
 * options     may be NULL
 *
 * Cost: O(sources x edges) time, O(batch x vertices) memory at most. A directed graph also needs its
 * transposed pattern, which is kept with A.
 */
sl_status sl_betweenness(sl_vector **centrality, const sl_matrix *A, const uint64_t *sources,
                         uint64_t count, const sl_betweenness_options *options);

/*
 * Counts the triangles of an undirected graph; self-loops are ignored. Products over plus_pair,
 * masked by the edges (Azad, Buluc, Gilbert, "Parallel Triangle Counting and Enumeration using
 * Matrix Algebra", IPDPSW 2015), with vertices in the order of their degrees if degrees are skewed
 * (Schank and Wagner, "Finding, Counting and Listing All Triangles in Large Graphs", WEA 2005).
 *
 * count       out: the number of triangles
 * per_vertex  out, may be NULL: int64 vector with an element per vertex: the number of triangles
 *             that contain it. NULL is faster.
 *
 * Further errors: SL_INVALID (the pattern is not symmetric; the message names an edge without a
 * mirror edge).
 */
sl_status sl_triangles(uint64_t *count, sl_vector **per_vertex, const sl_matrix *A);

/* ---- searches ----------------------------------------------------------- */

/* Options of sl_multi_source_bfs. */
typedef struct {
    bool deterministic; /* each parent is the least vertex possible */
    bool bounded;       /* search only to max_depth */
    uint64_t max_depth; /* the last level; read if `bounded` */
} sl_multi_source_options;

/*
 * Searches breadth first from several vertices at once: the frontiers are the rows of a matrix, and
 * one level of all searches is one product with A (Then et al., "The More the Merrier: Efficient
 * Multi-Source Graph Traversal", VLDB 2014; Buluc and Gilbert, "The Combinatorial BLAS", IJHPCA
 * 2011).
 *
 * parent   out, may be NULL if level is not: int64 matrix, count x vertices; row s holds the
 *          parents that sl_bfs finds from sources[s]
 * level    out, may be NULL if parent is not: likewise the levels
 * sources  `count` vertices in any order, which may repeat
 * options  may be NULL
 *
 * Cost: O(count x edges) time at most, O(count x vertices) memory.
 */
sl_status sl_multi_source_bfs(sl_matrix **parent, sl_matrix **level, const sl_matrix *A,
                              const uint64_t *sources, uint64_t count,
                              const sl_multi_source_options *options);

/*
 * Finds the vertices within a number of edges of any of several sources, by one bounded search from
 * all of them. sl_multi_source_bfs finds the neighbourhood of each source separately.
 *
 * level    out: int64 vector, the distance of each vertex from the nearest source; vertices more
 *          than `hops` edges away have no entry
 * sources  `count` vertices, which may repeat; if count is 0, the result is empty
 *
 * Cost: O(edges).
 */
sl_status sl_khop(sl_vector **level, const sl_matrix *A, const uint64_t *sources, uint64_t count,
                  uint64_t hops);

/*
 * Finds a shortest path between two vertices by bidirectional breadth-first search (Pohl,
 * "Bi-directional Search", Machine Intelligence 6, 1971).
 *
 * connected  out: whether t can be reached from s
 * distance   out, may be NULL: number of edges of a shortest path; UINT64_MAX if there is none
 * path       out, may be NULL: int64 vector of the distance + 1 vertices from s to t; NULL if there
 *            is none. The path does not depend on the engine or the number of threads.
 * s, t       vertices
 *
 * Cost: O(edges). A directed graph also needs its transpose, O(edges) memory.
 */
sl_status sl_st_connected(bool *connected, uint64_t *distance, sl_vector **path, const sl_matrix *A,
                          uint64_t s, uint64_t t);

/* Options of sl_pseudo_diameter. */
typedef struct {
    bool has_start;        /* `start` is given */
    uint64_t start;        /* a vertex of the component to measure; default: the first vertex of
                              greatest degree */
    uint64_t max_searches; /* 0 means 16 */
    uint64_t *searched;    /* NULL, or an array of max_searches elements that receives the vertices
                              from which searches were made */
} sl_diameter_options;

/* Bounds of a diameter. */
typedef struct {
    uint64_t lower;   /* the distance of the two ends */
    uint64_t upper;   /* no two vertices have a greater distance; if equal to lower, the diameter */
    uint64_t ends[2]; /* two vertices at the distance `lower` */
    uint64_t searches; /* number of searches that were made */
} sl_diameter;

/*
 * Bounds the diameter of a connected component of an undirected graph by repeated searches (Takes
 * and Kosters, "Determining the Diameter of Small World Networks", CIKM 2011). A search from s
 * bounds the eccentricity of every vertex v that it reaches: it is at most ecc(s) + d(s, v), and at
 * least d(s, v) and ecc(s) - d(s, v). The next search starts alternately at the vertex of greatest
 * upper bound and at that of least lower bound, until the bounds meet or max_searches were made.
 *
 * diameter  out: the bounds, unchanged on error
 * options   may be NULL
 *
 * Further errors: SL_INVALID (the pattern is not symmetric; the message names an edge without a
 * mirror edge), SL_OUT_OF_RANGE (the graph has no vertices). Cost: O(edges) per search.
 */
sl_status sl_pseudo_diameter(sl_diameter *diameter, const sl_matrix *A,
                             const sl_diameter_options *options);

/*
 * Divides the vertices of an undirected graph into two sides so that every edge joins both, or
 * finds an odd cycle that shows that this is not possible. One search from all components at once.
 *
 * bipartite  out: whether the graph is bipartite
 * side       out, may be NULL: bool vector with an element per vertex; the least vertex of each
 *            component has `false`. NULL if the graph is not bipartite.
 * cycle      out, may be NULL: int64 vector of the distinct vertices of an odd cycle in their
 *            order, the last joined to the first; one vertex for a self-loop. NULL if the graph is
 *            bipartite.
 *
 * Further errors: SL_INVALID (the pattern is not symmetric, as for sl_pseudo_diameter).
 * Cost: that of sl_components and one search.
 */
sl_status sl_bipartite(bool *bipartite, sl_vector **side, sl_vector **cycle, const sl_matrix *A);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
