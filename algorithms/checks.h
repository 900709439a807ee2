/*
 * Is the result of a workflow right? Answers on plain arrays, from code that has
 * nothing in common with what made the result.
 *
 * Yardsticks (sl_plain_...) compute a result by other means. Checks (sl_check_...)
 * decide about one, and name the first thing that is wrong: where there is a
 * certificate they verify it, else they compare with a yardstick. All use one
 * thread.
 *
 * A graph view's rows have to be ascending, as sl_matrix_copy_csr gives them; its
 * indices are trusted. Arrays have an element per vertex and stay the caller's.
 * Of a verdict `valid` and `reason` are set. The status is about the check itself:
 * SL_INVALID (NULL), SL_OUT_OF_RANGE (a source), SL_NO_MEMORY; the verdict is then
 * not valid and has no reason. sl_validate_search and sl_queue_search of
 * <semla/algorithms.h> are the same for one search.
 */
#ifndef SEMLA_CHECKS_H
#define SEMLA_CHECKS_H

#include <semla/algorithms.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- yardsticks --------------------------------------------------------- */

/* Weak components by union-find: the least vertex of each one's. */
sl_status sl_plain_components(int64_t *component, const sl_graph_view *graph);

/* Power iteration. `jump` is where jumps lead, of sum 1; NULL: anywhere. Zeros of
 * `options` mean what they mean to sl_pagerank; its personalisation is not read. */
sl_status sl_plain_pagerank(double *rank, const sl_graph_view *graph, const double *jump,
                            const sl_pagerank_options *options, sl_pagerank_result *result);

/* Brandes's algorithm with a queue: dependencies of all sources, in sum, not scaled.
 * SL_ALL is every vertex. */
sl_status sl_plain_betweenness(double *centrality, const sl_graph_view *graph,
                               const uint64_t *sources, uint64_t count);

/* Triangles by intersecting rows; the graph is undirected. per_vertex may be NULL. */
sl_status sl_plain_triangles(uint64_t *count, int64_t *per_vertex, const sl_graph_view *graph);

/* ---- checks of searches ------------------------------------------------- */

/* Row s of `parent` and `level`, graph->vertices elements each, by
 * sl_validate_search from sources[s]; either may be NULL, not both. */
sl_status sl_check_multi_source(sl_check_result *verdict, const sl_graph_view *graph,
                                const uint64_t *sources, uint64_t count, const int64_t *parent,
                                const int64_t *level, int64_t max_depth);

/* Against a search by queue from all sources. */
sl_status sl_check_khop(sl_check_result *verdict, const sl_graph_view *graph, const uint64_t *sources,
                        uint64_t count, uint64_t hops, const int64_t *level);

/* The path's edges are there, and a search by queue finds none shorter. `path` has
 * distance + 1 elements; NULL: only the distance is checked. */
sl_status sl_check_st_connected(sl_check_result *verdict, const sl_graph_view *graph, uint64_t s,
                                uint64_t t, bool connected, uint64_t distance, const int64_t *path);

/* The distance of the ends, and the upper bound as it follows from searches by queue
 * from the same diameter->searches vertices, `searched`. */
sl_status sl_check_diameter(sl_check_result *verdict, const sl_graph_view *graph,
                            const sl_diameter *diameter, const uint64_t *searched);

/* Every edge joins two sides; or the cycle is odd and its edges are there. `side` is
 * read if bipartite, else the `length` elements of `cycle`. */
sl_status sl_check_bipartite(sl_check_result *verdict, const sl_graph_view *graph, bool bipartite,
                             const bool *side, const int64_t *cycle, uint64_t length);

/* ---- checks of the others ----------------------------------------------- */

/* Against sl_plain_components. */
sl_status sl_check_components(sl_check_result *verdict, const sl_graph_view *graph,
                              const int64_t *component);

/* A matrix's distances as an array of int64, INT64_MAX where there is none, or of
 * double, INFINITY where there is none, from sl_malloc, the caller's. On a grid every process
 * gets all of it; collective. */
sl_status sl_distance_array(void **distance, const sl_vector *v);

/*
 * A certificate: no edge leads anywhere sooner, and tight edges lead from the
 * source to all that is reached: those of the tree, or any if `parent` is NULL.
 * `graph` is the matrix with its lengths (1 where it is of type bool or has no
 * values); `distance` as from sl_distance_array: double for floats, else int64.
 * Sums have to be exact; those of floats are rounded as they were in the search.
 */
sl_status sl_check_sssp(sl_check_result *verdict, const sl_csr *graph, uint64_t source,
                        const void *distance, const int64_t *parent);

/*
 * A certificate: one step of the walk, in plain loops, changes the ranks by at
 * most `tolerance` in sum, so that they are within tolerance / (1 - damping) of
 * the true ones. The other arguments as for sl_plain_pagerank.
 */
sl_status sl_check_pagerank(sl_check_result *verdict, const sl_graph_view *graph, const double *rank,
                            const double *jump, const sl_pagerank_options *options,
                            double tolerance);

/* Against sl_plain_betweenness times `scale`, but for rounding (1e-9 of each). */
sl_status sl_check_betweenness(sl_check_result *verdict, const sl_graph_view *graph,
                               const uint64_t *sources, uint64_t count, double scale,
                               const double *centrality);

/* Against sl_plain_triangles; per_vertex may be NULL. */
sl_status sl_check_triangles(sl_check_result *verdict, const sl_graph_view *graph, uint64_t count,
                             const int64_t *per_vertex);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
