/*
 * Checks of the results of algorithms, on plain arrays, by code that shares nothing with the
 * algorithms.
 *
 * The reference functions (sl_plain_...) compute a result by other means. The checks (sl_check_...)
 * decide whether a result is right, and name the first fault: by a certificate if there is one,
 * otherwise by comparison with a reference function. All use one thread.
 *
 * For all functions:
 * - The rows of a graph view must be sorted, as those of sl_matrix_copy_csr are; indices are
 * trusted.
 * - Arrays have an element per vertex unless said otherwise, and belong to the caller.
 * - Checks set `valid` and `reason` of *result. The status concerns the check itself: SL_INVALID
 *   (NULL), SL_OUT_OF_RANGE (a source), SL_NO_MEMORY, SL_CANCELLED (by the context of the view); then result->valid is
 *   false and the reason is empty.
 * sl_queue_search and sl_validate_search of <semla/bfs.h> are the reference and the check of
 * sl_bfs; sl_check_sssp there is the check of sl_sssp.
 */
#ifndef SEMLA_CHECKS_H
#define SEMLA_CHECKS_H

#include <semla/algorithms.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- references --------------------------------------------------------- */

/* Weakly connected components by union-find. component: out, the least vertex of each component. */
sl_status sl_plain_components(int64_t *component, const sl_graph_view *graph);

/* Strongly connected components by depth-first search (Tarjan 1972), without recursion. component:
 * out, the least vertex of each component. */
sl_status sl_plain_scc(int64_t *component, const sl_graph_view *graph);

/* Label propagation by sorting the labels of neighbours: at most max_iterations (0: none), fewer if
 * labels no longer change. label: out. */
sl_status sl_plain_label_propagation(int64_t *label, const sl_graph_view *graph,
                                     uint64_t max_iterations);

/*
 * PageRank by power iteration.
 *
 * rank     out
 * jump     the probability that a jump leads to each vertex, of sum 1; NULL: all the same
 * options  as for sl_pagerank, but the personalisation is ignored; may be NULL
 * result   out, may be NULL
 */
sl_status sl_plain_pagerank(double *rank, const sl_graph_view *graph, const double *jump,
                            const sl_pagerank_options *options, sl_pagerank_result *result);

/* Betweenness centrality by Brandes's algorithm with a queue: the sum over the sources (SL_ALL: all
 * vertices), neither halved nor normalised. centrality: out. O(sources x edges). */
sl_status sl_plain_betweenness(double *centrality, const sl_graph_view *graph,
                               const uint64_t *sources, uint64_t count);

/*
 * Closeness by a search with a queue per source.
 *
 * closeness  out; INFINITY for vertices whose closeness is not asked for: if sources are given and
 *            options->estimate is not set, all but these
 *
 * The other arguments as for sl_closeness. Also SL_OUT_OF_RANGE (a source). O(sources x edges).
 */
sl_status sl_plain_closeness(double *closeness, const sl_graph_view *graph, const uint64_t *sources,
                             uint64_t count, const sl_closeness_options *options);

/* Triangles of an undirected graph by intersecting rows. count: out; per_vertex: out, may be NULL.
 */
sl_status sl_plain_triangles(uint64_t *count, int64_t *per_vertex, const sl_graph_view *graph);

/* Local clustering coefficients of an undirected graph by looking up every pair of neighbours.
 * coefficient: out; clustering: out, may be NULL. O(sum of the squares of the degrees) look-ups. */
sl_status sl_plain_local_clustering(double *coefficient, sl_clustering *clustering,
                                    const sl_graph_view *graph);

/* Core numbers of an undirected graph by removing vertices one by one in the order of their degrees.
 * core: out. O(edges). */
sl_status sl_plain_core_numbers(int64_t *core, const sl_graph_view *graph);

/* The k-truss of an undirected graph by removing edges one by one. support: out, for each element of
 * graph->index the number of triangles of the truss that contain the edge; -1: the edge is not in the
 * truss. O(sum over the edges of the degrees of their ends). Also SL_INVALID if k is less than 3. */
sl_status sl_plain_ktruss(int64_t *support, const sl_graph_view *graph, uint64_t k);

/* ---- checks of searches ------------------------------------------------- */

/*
 * Checks sl_multi_source_bfs: each row by sl_validate_search.
 *
 * parent, level  count x vertices elements, row by row (sl_search_table); one may be NULL
 * max_depth      of a bounded search, otherwise -1
 */
sl_status sl_check_multi_source(sl_check_result *result, const sl_graph_view *graph,
                                const uint64_t *sources, uint64_t count, const int64_t *parent,
                                const int64_t *level, int64_t max_depth);

/* Checks sl_khop by a search with a queue from all sources. */
sl_status sl_check_khop(sl_check_result *result, const sl_graph_view *graph,
                        const uint64_t *sources, uint64_t count, uint64_t hops,
                        const int64_t *level);

/* Checks sl_st_connected: the edges of the path exist, and a search with a queue finds no shorter
 * path. path: distance + 1 elements; NULL: only `connected` and the distance are checked. */
sl_status sl_check_st_connected(sl_check_result *result, const sl_graph_view *graph, uint64_t s,
                                uint64_t t, bool connected, uint64_t distance, const int64_t *path);

/* Checks sl_pseudo_diameter: the distance of the ends, and the upper bound by searches with a queue
 * from the same vertices. searched: diameter->searches elements. */
sl_status sl_check_diameter(sl_check_result *result, const sl_graph_view *graph,
                            const sl_diameter *diameter, const uint64_t *searched);

/* Checks sl_bipartite by certificate: every edge joins both sides (`side`, read if bipartite); or
 * the cycle (`length` elements, read otherwise) is odd and its edges exist. */
sl_status sl_check_bipartite(sl_check_result *result, const sl_graph_view *graph, bool bipartite,
                             const bool *side, const int64_t *cycle, uint64_t length);

/* Checks sl_label_propagation by comparison with sl_plain_label_propagation; `iterations` were made.
 */
sl_status sl_check_label_propagation(sl_check_result *result, const sl_graph_view *graph,
                                     const int64_t *label, uint64_t iterations);

/* Checks sl_independent_set by certificate: no edge joins two members, and every other vertex has a
 * member among its neighbours. Self-loops are ignored. */
sl_status sl_check_independent_set(sl_check_result *result, const sl_graph_view *graph,
                                   const bool *member);

/* ---- other checks ------------------------------------------------------- */

/* Checks sl_components by comparison with sl_plain_components. */
sl_status sl_check_components(sl_check_result *result, const sl_graph_view *graph,
                              const int64_t *component);

/* Checks sl_scc by comparison with sl_plain_scc. `count` is the number of components. */
sl_status sl_check_scc(sl_check_result *result, const sl_graph_view *graph,
                       const int64_t *component, uint64_t count);

/*
 * Checks sl_spanning_forest: all edges of the forest exist with their weights, they form no cycle and
 * join what the graph joins, and Kruskal's algorithm finds the same weights.
 *
 * rows    the graph with its values
 * forest  in the format COO with `values`, in any order, as sl_matrix_copy_whole returns it after
 *         sl_arrays_expand
 */
sl_status sl_check_spanning_forest(sl_check_result *result, const sl_csr *rows,
                                   const sl_arrays *forest, const sl_forest_summary *summary);

/*
 * Checks sl_pagerank by certificate: one iteration in plain loops changes the ranks by at most
 * `tolerance` in sum; they are then within tolerance / (1 - damping) of the exact ranks. The other
 * arguments as for sl_plain_pagerank.
 */
sl_status sl_check_pagerank(sl_check_result *result, const sl_graph_view *graph, const double *rank,
                            const double *jump, const sl_pagerank_options *options,
                            double tolerance);

/*
 * Checks sl_betweenness by comparison with sl_plain_betweenness, up to rounding (a relative error of
 * 1e-9).
 *
 * scale  factor of the sums; 0: they are normalised, that is divided by the number of sources other than
 *        the vertex times n - 2, for n vertices
 */
sl_status sl_check_betweenness(sl_check_result *result, const sl_graph_view *graph,
                               const uint64_t *sources, uint64_t count, double scale,
                               const double *centrality);

/* Checks sl_closeness by comparison with sl_plain_closeness, up to rounding (a relative error of
 * 1e-9). closeness: INFINITY where there is no entry, as from sl_distance_array. */
sl_status sl_check_closeness(sl_check_result *result, const sl_graph_view *graph,
                             const uint64_t *sources, uint64_t count,
                             const sl_closeness_options *options, const double *closeness);

/* Checks sl_triangles by comparison with sl_plain_triangles. per_vertex may be NULL. */
sl_status sl_check_triangles(sl_check_result *result, const sl_graph_view *graph, uint64_t count,
                             const int64_t *per_vertex);

/* Checks sl_local_clustering by comparison with sl_plain_local_clustering, up to rounding (a relative
 * error of 1e-9). clustering may be NULL. */
sl_status sl_check_local_clustering(sl_check_result *result, const sl_graph_view *graph,
                                    const double *coefficient, const sl_clustering *clustering);

/* Checks sl_core_numbers by comparison with sl_plain_core_numbers. */
sl_status sl_check_core_numbers(sl_check_result *result, const sl_graph_view *graph,
                                const int64_t *core);

/* Checks sl_ktruss by comparison with sl_plain_ktruss. rows, cols, triangles: the `count` entries of the
 * truss in any order. Also SL_INVALID if k is less than 3. */
sl_status sl_check_ktruss(sl_check_result *result, const sl_graph_view *graph, uint64_t k,
                          const uint64_t *rows, const uint64_t *cols, const int64_t *triangles,
                          uint64_t count);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
