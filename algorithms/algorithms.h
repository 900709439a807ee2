/*
 * Workflows on graphs, each on the public interface alone: searches from many
 * vertices, components, shortest paths, ranks, centralities, triangles.
 *
 * A graph is a square matrix whose entry (i, j) is the edge from i to j; an
 * undirected graph has a symmetric pattern. Values are not read, but for the
 * weights of sl_sssp. Matrices cannot hold an edge twice. Self-loops are edges
 * from a vertex to itself; each algorithm says what they do.
 *
 * Outputs are new objects of A's context, owned by the caller, NULL on failure.
 * Options and their pointers stay the caller's and may be NULL. Errors of all:
 * SL_INVALID (NULL where it is not allowed), SL_MISMATCH (A is not square; an
 * option of another context), SL_OUT_OF_RANGE (a vertex, named in the message),
 * SL_NO_MEMORY. <semla/checks.h> has a check for every result.
 */
#ifndef SEMLA_ALGORITHMS_H
#define SEMLA_ALGORITHMS_H

#include <semla/bfs.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The algorithms of this header: X(NAME) for each function sl_NAME, in the order of the registry
 * (<semla/registry.h>). */
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

/* ---- searches ----------------------------------------------------------- */

/* Start with {0}: every member's zero is its default. */
typedef struct {
    bool deterministic; /* the parent is the least of those possible (min_secondi) */
    bool bounded;       /* search only to max_depth */
    uint64_t max_depth; /* read if `bounded` */
} sl_multi_source_options;

/*
 * Breadth-first searches from `count` sources at once: the frontiers are the
 * rows of one matrix, and a step of all searches is one product with A. Row s of
 * the results is the search from sources[s], as sl_bfs gives it: *parent and
 * *level are int64 matrices, count x vertices. Either pointer may be NULL, not
 * both. Sources may repeat and stand in any order; there may be none.
 *
 * O(count x edges) time at most, O(count x vertices) memory. (Then et al., "The
 * More the Merrier: Efficient Multi-Source Graph Traversal", VLDB 2014; as
 * matrices in Buluc and Gilbert, "The Combinatorial BLAS", IJHPCA 2011.)
 */
sl_status sl_multi_source_bfs(sl_matrix **parent, sl_matrix **level, const sl_matrix *A,
                              const uint64_t *sources, uint64_t count,
                              const sl_multi_source_options *options);

/*
 * The vertices within `hops` edges of any of the sources: *level is an int64
 * vector of each one's distance from the nearest source; the others have no
 * entry. Sources may repeat; without any the result is empty. One search for all
 * of them: O(edges). For each source's own neighbourhood use
 * sl_multi_source_bfs, bounded.
 */
sl_status sl_khop(sl_vector **level, const sl_matrix *A, const uint64_t *sources, uint64_t count,
                  uint64_t hops);

/*
 * Is there a path from s to t, and which is a shortest one? Two searches, from s
 * along the edges and from t against them, in turns of the one with fewer
 * edges before it, until they meet.
 *
 * *distance: the number of edges, UINT64_MAX without a path; may be NULL. *path:
 * int64 vector of distance + 1 elements, the vertices from s to t; NULL without a
 * path; `path` may be NULL. The same path on every engine and for any number of
 * threads. O(edges); of a directed graph the transpose is made, O(edges) memory.
 * (Pohl, "Bi-directional Search", Machine Intelligence 6, 1971.)
 */
sl_status sl_st_connected(bool *connected, uint64_t *distance, sl_vector **path, const sl_matrix *A,
                          uint64_t s, uint64_t t);

/* Start with {0}: every member's zero is its default. */
typedef struct {
    bool has_start;        /* `start` is given */
    uint64_t start;        /* a vertex of the component to measure; else one of
                              greatest degree, the first of them */
    uint64_t max_searches; /* 0 means 16 */
    uint64_t *searched;    /* or NULL: room for max_searches vertices, becomes the
                              list of those searched from */
} sl_diameter_options;

/* Bounds of a diameter. */
typedef struct {
    uint64_t lower;    /* the distance of the two ends */
    uint64_t upper;    /* no two vertices are further apart; == lower: it is the diameter */
    uint64_t ends[2];  /* two vertices as far apart as `lower` says */
    uint64_t searches; /* that were made */
} sl_diameter;

/*
 * The pseudo-diameter of a connected component of an undirected graph by
 * repeated searches. A search from s bounds the eccentricity of every v that it
 * reaches: it is at most ecc(s) + d(s, v), and at least ecc(s) - d(s, v) and
 * d(s, v). The next search starts where the bounds are furthest out, in turns
 * at the greatest upper and at the least lower one, until they meet or
 * max_searches are made. (Takes and Kosters, "Determining the Diameter of Small
 * World Networks", CIKM 2011.)
 * Other errors: SL_INVALID (the pattern is not symmetric, with an edge that has
 * no mirror image), SL_OUT_OF_RANGE (no vertices).
 */
sl_status sl_pseudo_diameter(sl_diameter *diameter, const sl_matrix *A,
                             const sl_diameter_options *options);

/*
 * Can the vertices be given two sides so that every edge joins different ones?
 * If so, *side is a bool vector, an element per vertex, and the least vertex of
 * each component is on the side `false`; *cycle is NULL. If not, *side is NULL and
 * *cycle is an int64 vector of the vertices of an odd cycle in their order, the
 * last joined to the first: all different, one alone for a self-loop. `side` and
 * `cycle` may be NULL. By searches from all components at once; undirected
 * graphs, else SL_INVALID as for sl_pseudo_diameter.
 */
sl_status sl_bipartite(bool *bipartite, sl_vector **side, sl_vector **cycle, const sl_matrix *A);

/* ---- components and paths ----------------------------------------------- */

/*
 * Connected components: *component is an int64 vector, an element per vertex,
 * the least vertex of its component. Of a directed graph the weak components:
 * edges count in both directions. (Zhang, Azad, Hu, "FastSV: A
 * Distributed-Memory Connected Component Algorithm with Fast Convergence", SIAM
 * PP 2020.)
 */
sl_status sl_components(sl_vector **component, const sl_matrix *A);

/*
 * Shortest paths from `source`, entries of A being the lengths of edges: the
 * closure over min_plus (Bellman, Ford). Where that takes many steps and no
 * length is negative, vertices take them in the order of their distances, as in
 * the near and far lists of Davidson et al. (IPDPS 2014). *distance: int64 vector
 * for a matrix of integers, fp64 for floats; edges of a bool matrix or a pattern of
 * bool have length 1. What the source does not lead to has no entry. *parent: int64
 * vector, the vertex before each on a shortest path with the fewest edges, the
 * least of these; the source is its own. `parent` may be NULL.
 *
 * Lengths may be negative, cycles of negative length may not. For floats all
 * sums are rounded, and so is what makes a cycle negative.
 * Other errors: SL_INVALID: a length that is NaN or infinite, named in the
 * message; the source leads to a cycle of negative length, of which a vertex is
 * named. SL_OUT_OF_RANGE: lengths so large that a sum of them might pass what
 * int64 or fp64 can hold, or so different in size that rounding leaves vertices
 * without a parent.
 */
sl_status sl_sssp(sl_vector **distance, sl_vector **parent, const sl_matrix *A, uint64_t source);

/* ---- ranks and counts --------------------------------------------------- */

/* Start with {0}: every member's zero is its default. */
typedef struct {
    double damping;                   /* 0 means 0.85; below 1 */
    double tolerance;                 /* of the change of all ranks in sum; 0 means 1e-6 */
    uint64_t max_iterations;          /* 0 means 100 */
    const sl_vector *personalisation; /* weights of the vertices that a jump leads to, not
                                         negative; NULL: all the same */
} sl_pagerank_options;

/* How a PageRank ended. */
typedef struct {
    uint64_t iterations; /* that were made */
    double residual;     /* the last change of all ranks in sum */
    bool converged;      /* residual <= tolerance */
} sl_pagerank_result;

/*
 * PageRank: *rank is an fp64 vector, an element per vertex, of sum 1. A walker
 * follows one of the edges out of his vertex with probability `damping`, else he
 * jumps: to any vertex, or by the personalisation's weights. From a vertex
 * without edges out he always jumps. By power iteration from where jumps lead;
 * that it has not converged is no error. `result` may be NULL. (Brin and Page,
 * "The Anatomy of a Large-Scale Hypertextual Web Search Engine", 1998.)
 * Of a directed graph the transpose is made, O(edges) memory.
 * Other errors: SL_INVALID (damping, tolerance; a weight that is negative, NaN or
 * infinite, or none above 0), SL_MISMATCH (the personalisation's size or context).
 */
sl_status sl_pagerank(sl_vector **rank, const sl_matrix *A, const sl_pagerank_options *options,
                      sl_pagerank_result *result);

/* Start with {0}: every member's zero is its default. */
typedef struct {
    uint64_t batch;  /* sources searched from at a time; 0: as many as seem to pay.
                        The results differ by rounding alone */
    bool normalised; /* as a share of all pairs of other vertices, what was found from
                        `count` sources standing for all */
} sl_betweenness_options;

/*
 * Betweenness centrality: *centrality is an fp64 vector, an element per vertex:
 * for every pair (s, t) of other vertices, s among the sources, the share of the
 * shortest paths from s to t that lead through it, in sum. SL_ALL for `sources`
 * (`count` is not read) is every vertex; a sample gives an estimate. A source that
 * is listed twice counts twice. Where A's pattern is symmetric the sum is halved,
 * as both directions of a pair are the same paths. Edges count 1 each.
 *
 * A batch of searches is a matrix of frontiers that counts paths; dependencies
 * are summed up on the way back. O(sources x edges) time, O(batch x vertices)
 * memory. (Brandes, "A Faster Algorithm for Betweenness Centrality", 2001;
 * Buluc and Gilbert, "The Combinatorial BLAS", IJHPCA 2011.)
 * Of a directed graph the transpose is made. Other errors: SL_OUT_OF_RANGE (more
 * shortest paths between two vertices than fp64 has numbers for, as on large grids).
 */
sl_status sl_betweenness(sl_vector **centrality, const sl_matrix *A, const uint64_t *sources,
                         uint64_t count, const sl_betweenness_options *options);

/*
 * The number of triangles of an undirected graph, each counted once; self-loops
 * are no edges of one. *per_vertex: int64 vector, an element per vertex, the
 * triangles that it is a corner of; may be NULL, which is faster.
 * Products over plus_pair, masked by the edges themselves (Azad, Buluc, Gilbert,
 * "Parallel Triangle Counting and Enumeration using Matrix Algebra", IPDPSW 2015;
 * the order of vertices by degree as in Schank and Wagner, WEA 2005).
 * Other errors: SL_INVALID as for sl_pseudo_diameter.
 */
sl_status sl_triangles(uint64_t *count, sl_vector **per_vertex, const sl_matrix *A);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
