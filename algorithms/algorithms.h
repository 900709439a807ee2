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
    X(scc)                                                                                         \
    X(sssp)                                                                                        \
    X(spanning_forest)                                                                             \
    X(pagerank)                                                                                    \
    X(betweenness)                                                                                 \
    X(closeness)                                                                                   \
    X(triangles)                                                                                   \
    X(local_clustering)                                                                            \
    X(core_numbers)                                                                                \
    X(ktruss)                                                                                      \
    X(multi_source_bfs)                                                                            \
    X(khop)                                                                                        \
    X(st_connected)                                                                                \
    X(pseudo_diameter)                                                                             \
    X(bipartite)                                                                                   \
    X(independent_set)                                                                             \
    X(label_propagation)

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
 * Finds the strongly connected components of a directed graph: two vertices are in the same one if
 * each can be reached from the other. Searches from one vertex find the giant component, vertices
 * without incoming or outgoing edges are trimmed, and the rest is divided by colours (MultiStep:
 * Slota, Rajamanickam, Madduri, "BFS and Coloring-based Parallel Algorithms for Strongly Connected
 * Components and Related Problems", IPDPS 2014), which differ from round to round (Coppersmith,
 * Fleischer, Hendrickson, Pinar, "A Divide-and-Conquer Algorithm for Identifying Strongly Connected
 * Components", IBM RC23744, 2005). For a symmetric pattern sl_components is called.
 *
 * component  out: int64 vector with an element per vertex: the least vertex of its component
 * count      out, may be NULL: the number of components; unchanged on error
 *
 * Cost: two searches; then for the vertices outside of the component found by them O(edges) per
 * iteration of a closure and O(vertices log(vertices)) per round, in an expected number of
 * O(log(vertices)) rounds. Paths and cycles need few iterations, however long they are. The
 * transpose and copies of the pattern take O(edges) memory.
 */
sl_status sl_scc(sl_vector **component, uint64_t *count, const sl_matrix *A);

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

/* A minimum spanning forest in numbers. */
typedef struct {
    uint64_t edges; /* of the forest, each counted once */
    uint64_t trees; /* vertices - edges: the number of weakly connected components */
    double weight;  /* the sum of the weights, rounded to fp64 */
} sl_forest_summary;

/*
 * Finds a minimum spanning forest: edges of the least possible sum of weights that join all vertices
 * of each connected component without a cycle, by Boruvka's algorithm (Boruvka 1926; Nesetril,
 * Milkova, Nesetrilova, "Otakar Boruvka on minimum spanning tree problem", Discrete Mathematics 233,
 * 2001). The direction of an edge does not matter: the weight of the edge between u and v is the
 * lesser of A(u, v) and A(v, u). The edges of a bool matrix have weight 1. Self-loops are ignored.
 *
 * forest   out: symmetric matrix of A's type and shape, with both directions of each edge of the
 *          forest and its weight
 * summary  out, may be NULL: see above; unchanged on error
 *
 * Weights may be negative or infinite. Edges of equal weight are ordered by their lesser vertex, then
 * by their greater vertex, so that the forest does not depend on the engine; the sum of
 * floating-point weights may in its last bits.
 *
 * Further errors: SL_INVALID (a weight is NaN; the message names the edge). Cost: O(edges) per round
 * and at most log2(vertices) rounds, in which edges become fewer; the memory of a symmetric copy of A
 * and of three matrices of its pattern.
 */
sl_status sl_spanning_forest(sl_matrix **forest, sl_forest_summary *summary, const sl_matrix *A);

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
 * without outgoing edges the walk always jumps. Large graphs are iterated in fp32 first, and in fp64
 * from where the ranks change by no more than 2e-6 in sum.
 *
 * rank     out: fp64 vector with an element per vertex; their sum is 1
 * options  may be NULL
 * result   out, may be NULL: iterations, of both kinds, and convergence. That the ranks have not
 *          converged after max_iterations is no error; they may then have the accuracy of fp32.
 *
 * Further errors: SL_INVALID (damping or tolerance; a weight is negative, NaN or infinite, or all
 * are 0), SL_MISMATCH (size or context of the personalisation). Cost: O(edges) per iteration. A
 * directed graph also needs its transpose, O(edges) memory.
 */
sl_status sl_pagerank(sl_vector **rank, const sl_matrix *A, const sl_pagerank_options *options,
                      sl_pagerank_result *result);

/* Whether edges have a direction. */
typedef enum {
    SL_EDGES_AS_DECLARED, /* undirected if the matrix is declared symmetric
                             (sl_matrix_is_declared_symmetric), otherwise directed */
    SL_EDGES_DIRECTED,    /* each entry is an edge of its own, also if the pattern is symmetric */
    SL_EDGES_UNDIRECTED   /* an entry and its mirror entry are one edge; the pattern is symmetric */
} sl_edges_kind;

/* Options of sl_betweenness. */
typedef struct {
    uint64_t batch;  /* the most sources that are searched from together; 0: chosen by the library.
                            Results differ only by rounding. */
    bool normalised; /* the mean over the pairs (s, t) instead of the sum: from 0 to 1 */
    bool sampled;    /* the sources are a random sample: multiply sums by vertices / sources */
    sl_edges_kind edges; /* sums over undirected edges are halved */
} sl_betweenness_options;

/*
 * Computes betweenness centrality: for each vertex v, the sum over all pairs (s, t) of other
 * vertices with s among the sources, of the fraction of shortest paths from s to t that contain v.
 * Every edge has length 1. Of an undirected graph (options->edges) the sum is halved, because both
 * directions of a pair are the same paths. The sum is that of the sources' dependencies (Brandes, "A
 * Faster Algorithm for Betweenness Centrality", 2001): see sl_dependencies for algorithms, cost and
 * numbers of paths, which are not limited.
 *
 * Normalised, it is divided by the number of pairs, that is of sources other than v times n - 2, for n
 * vertices, and not halved; 0 if there are no pairs.
 *
 * centrality  out: fp64 vector with an element per vertex
 * sources     `count` vertices, which may repeat and then count several times; or SL_ALL for all
 *             vertices, and `count` is ignored. A sample gives an estimate (options->sampled).
 * options     may be NULL
 *
 * SL_INVALID: options->edges is no such value, or SL_EDGES_UNDIRECTED and an edge has no mirror edge.
 * Cost: O(sources x edges) time, O(batch x vertices) memory at most. A directed graph also needs its
 * transposed pattern, which is kept with A.
 */
sl_status sl_betweenness(sl_vector **centrality, const sl_matrix *A, const uint64_t *sources,
                         uint64_t count, const sl_betweenness_options *options);

/* Options of sl_closeness. */
typedef struct {
    bool estimate; /* estimate the closeness of all vertices from their distances from the sources;
                      otherwise the exact closeness of the sources alone */
} sl_closeness_options;

/*
 * Computes closeness centrality with the correction for graphs that are not connected (Wasserman and
 * Faust, "Social Network Analysis", 1994, as networkx does by default): if r of the other n - 1
 * vertices reach v, and the sum of their distances to v is d, the closeness of v is
 * r / d * r / (n - 1); 0 if r is 0. Every edge has length 1. In a directed graph distances lead to v;
 * for distances from v pass the transpose. By breadth-first searches from 64 sources at a time.
 *
 * An estimate replaces the other vertices by the sources: if r of the s sources other than v reach v,
 * and the sum of their distances is d, it is r / d * r / s. For random sources of a connected graph
 * the mean d / r has the expected value of the mean over all vertices; with O(log(n) / e^2) sources
 * its error is at most e times the diameter with high probability (Eppstein and Wang, "Fast
 * Approximation of Centrality", Journal of Graph Algorithms and Applications 8, 2004). If every vertex
 * is a source once, the estimate is the closeness.
 *
 * closeness  out: fp64 vector; by an estimate, or if sources is SL_ALL, it has an element per vertex,
 *            otherwise an entry for each source
 * sources    `count` vertices, which may repeat and then count several times in an estimate; or SL_ALL
 *            for all vertices, and `count` is ignored
 * options    may be NULL
 *
 * The result does not depend on the engine. Cost: O(sources x edges) time, O(64 x vertices) memory; the
 * exact closeness of sources of a directed graph also needs its transpose.
 */
sl_status sl_closeness(sl_vector **closeness, const sl_matrix *A, const uint64_t *sources,
                       uint64_t count, const sl_closeness_options *options);

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

/* Clustering of a whole graph. */
typedef struct {
    uint64_t triangles; /* in the graph */
    double mean;        /* of the local coefficients of all vertices; 0 if there are none */
    double global;      /* the part of all pairs of neighbours that an edge joins, also called
                           transitivity: 3 triangles / pairs; 0 if there are no pairs */
} sl_clustering;

/*
 * Computes the local clustering coefficient of each vertex of an undirected graph: the part of the
 * pairs of its neighbours that an edge joins (Watts and Strogatz, "Collective dynamics of
 * 'small-world' networks", Nature 393, 1998). That is 2 triangles(v) / (d (d - 1)), with d neighbours
 * and the triangles of sl_triangles. Self-loops are ignored.
 *
 * coefficient  out: fp64 vector with an element per vertex, from 0 to 1; 0 for vertices with fewer
 *              than two neighbours
 * clustering   out, may be NULL: figures of the whole graph; unchanged on error
 *
 * Further errors: SL_INVALID (the pattern is not symmetric; the message names an edge without a
 * mirror edge). Cost: that of sl_triangles with the triangles of each vertex.
 */
sl_status sl_local_clustering(sl_vector **coefficient, const sl_matrix *A,
                              sl_clustering *clustering);

/*
 * Computes the core number of each vertex of an undirected graph: the greatest k such that the vertex
 * belongs to the k-core, the largest subgraph in which every vertex has at least k neighbours.
 * Self-loops are ignored. Peeling (Seidman, "Network structure and minimum degree", Social Networks 5,
 * 1983; Matula and Beck, "Smallest-last ordering and clustering and graph coloring algorithms", Journal
 * of the ACM 30, 1983): in each round all vertices of degree k or less are removed by one product.
 *
 * core      out: int64 vector with an element per vertex; 0 for vertices without neighbours
 * greatest  out, may be NULL: the greatest core number, which is the degeneracy of the graph; 0 if it
 *           has no vertices. Unchanged on error.
 *
 * Further errors: SL_INVALID (the pattern is not symmetric; the message names an edge without a
 * mirror edge). Cost: O(edges) work and a few operations per round; a path of n vertices takes n / 2
 * rounds, graphs of small diameter a few per core number. O(vertices) memory.
 */
sl_status sl_core_numbers(sl_vector **core, uint64_t *greatest, const sl_matrix *A);

/*
 * Finds the k-truss of an undirected graph: the largest subgraph in which every edge belongs to at
 * least k - 2 triangles of the subgraph (Cohen, "Trusses: Cohesive Subgraphs for Social Network
 * Analysis", 2008). Self-loops are ignored. In each round a masked product over plus_pair counts the
 * triangles of every edge, and edges of too few are removed (Davis, "Graph algorithms via
 * SuiteSparse:GraphBLAS: triangle counting and k-truss", HPEC 2018); rounds that remove few edges
 * count only the triangles of those (Wang and Cheng, "Truss Decomposition in Massive Networks", PVLDB
 * 5, 2012).
 *
 * truss  out: symmetric int64 matrix of A's shape: an entry (i, j) for each edge of the truss, in both
 *        directions; its value is the number of triangles of the truss that contain the edge
 * k      at least 3
 *
 * Further errors: SL_INVALID (k is less than 3; the pattern is not symmetric, the message names an edge
 * without a mirror edge). Cost: a product as that of sl_triangles, 6 times as large, in the first rounds,
 * and O(edges) operations in each of the others. O(edges) memory. A product is not interrupted.
 */
sl_status sl_ktruss(sl_matrix **truss, const sl_matrix *A, uint64_t k);

/* ---- searches ----------------------------------------------------------- */

/* Options of sl_multi_source_bfs. */
typedef struct {
    bool deterministic; /* each parent is the least vertex possible */
    bool bounded;       /* search only to max_depth */
    uint64_t max_depth; /* the last level; read if `bounded` */
} sl_multi_source_options;

/*
 * Searches breadth first from several vertices at once: the closure of a matrix of frontiers, its rows
 * (sl_closures; Then et al., "The More the Merrier: Efficient Multi-Source Graph Traversal", VLDB
 * 2014).
 *
 * parent   out, may be NULL if level is not: int64 matrix, count x vertices; row s holds the
 *          parents that sl_bfs finds from sources[s]
 * level    out, may be NULL if parent is not: likewise the levels
 * sources  `count` vertices in any order, which may repeat
 * options  may be NULL
 *
 * Cost: that of sl_closures: O(count x edges) time at most, O(count x vertices) memory.
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

/*
 * Finds a maximal independent set of an undirected graph: no edge joins two of its vertices, and
 * every other vertex has a neighbour in it. Rounds in which vertices that come before all their
 * neighbours join (Luby, "A Simple Parallel Algorithm for the Maximal Independent Set Problem", SIAM
 * Journal on Computing 15, 1986), in a random order that prefers small degrees (Burtscher, Devale,
 * Azimi, Jaiganesh, Powers, "A High-Quality and Fast Maximal Independent Set Implementation for
 * GPUs", ACM TOPC 5, 2018). Self-loops are ignored.
 *
 * set   out: bool vector with the entry true at each vertex of the set and no other entries
 * seed  any number; the same seed gives the same set on every engine and number of processes
 *
 * Further errors: SL_INVALID (the pattern is not symmetric, as for sl_pseudo_diameter). Cost:
 * O(edges of the vertices that are not decided) per round, in practice O(log(vertices)) rounds. A
 * graph with self-loops is copied without them.
 */
sl_status sl_independent_set(sl_vector **set, const sl_matrix *A, uint64_t seed);

/* How a call of sl_label_propagation ended. */
typedef struct {
    uint64_t communities; /* number of different labels */
    uint64_t iterations;  /* that were made */
    bool converged;       /* the last iteration changed no label */
} sl_communities;

/*
 * Finds communities by label propagation (Raghavan, Albert, Kumara, "Near linear time algorithm to
 * detect community structures in large-scale networks", Physical Review E 76, 2007), as LDBC
 * Graphalytics defines it (Iosup et al., "LDBC Graphalytics: A Benchmark for Large-Scale Graph Analysis
 * on Parallel and Distributed Platforms", VLDB 2016). At first each vertex has its own number as
 * label. In an iteration all vertices at once take the most frequent label of their neighbours, of
 * several the least. Neighbours are counted at both ends of edges, those that two edges join twice; a
 * vertex with a self-loop is a neighbour of itself. A vertex without neighbours keeps its label.
 *
 * label           out: int64 vector with an element per vertex: a vertex number
 * max_iterations  0 means 10
 * result          out, may be NULL: see above; unchanged on error. That labels still change after
 *                 max_iterations is no error: in bipartite graphs they may alternate for ever.
 *
 * Results do not depend on the engine. Cost: a product of matrices with O(edges) multiplications per
 * iteration, and 40 bytes of memory for each edge at most. A directed graph also needs its transpose.
 */
sl_status sl_label_propagation(sl_vector **label, const sl_matrix *A, uint64_t max_iterations,
                               sl_communities *result);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
