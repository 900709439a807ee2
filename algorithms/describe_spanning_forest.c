/* The description of spanning_forest. */
#include "algorithms/describe.h"

enum { FOREST, EDGES, TREES, WEIGHT }; /* results */

static sl_status run_spanning_forest(sl_algorithm_call *call)
{
    sl_value *out = call->results;
    sl_forest_summary summary = {0};
    sl_status status = sl_spanning_forest(&out[FOREST].matrix, &summary, call->A);
    out[EDGES] = sl_count_value(summary.edges);
    out[TREES] = sl_count_value(summary.trees);
    out[WEIGHT] = sl_number_value(summary.weight);
    return status;
}

static sl_status verify(sl_check_result *result, const sl_algorithm_call *call, const sl_csr *graph)
{
    const sl_value *out = call->results;
    const sl_forest_summary summary = {
        .edges = out[EDGES].count, .trees = out[TREES].count, .weight = out[WEIGHT].number};
    sl_arrays forest = {0};
    sl_status status = sl_matrix_copy_whole(&forest, out[FOREST].matrix);
    if (status == SL_OK)
        status = sl_arrays_expand(sl_matrix_context(call->A), &forest);
    if (status == SL_OK)
        status = sl_check_spanning_forest(result, graph, &forest, &summary);
    sl_arrays_free(&forest);
    return status;
}

const sl_algorithm sl_describe_spanning_forest = {
    .name = "spanning_forest",
    .reads_values = true,
    .summary = "minimum spanning forest by the weights of edges",
    .details = "Edges count in both directions, with the lesser of both weights. The edges of a "
               "matrix without values have weight 1.",
    .check = "Kruskal's algorithm",
    .results = {{"forest", SL_KIND_GRAPH, 0,
                 "the edges of the forest in both directions, with their weights; of the type of "
                 "the graph"},
                {"forest_edges", SL_KIND_COUNT, SL_RESULT_SUMMARY, "edges of the forest"},
                {"trees", SL_KIND_COUNT, SL_RESULT_SUMMARY, "trees of the forest"},
                {"weight", SL_KIND_NUMBER, SL_RESULT_SUMMARY, "sum of the weights of the edges"}},
    .run = run_spanning_forest,
    .verify = verify,
};
