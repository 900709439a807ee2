/* The description of local_clustering. */
#include "algorithms/describe.h"

enum { COEFFICIENTS, MEAN, GLOBAL, TRIANGLES, TOP }; /* results */

static sl_status run_local_clustering(sl_algorithm_call *call)
{
    sl_value *out = call->results;
    sl_clustering clustering = {0};
    const sl_status status = sl_local_clustering(&out[COEFFICIENTS].vector, call->A, &clustering);
    out[MEAN] = sl_number_value(clustering.mean);
    out[GLOBAL] = sl_number_value(clustering.global);
    out[TRIANGLES] = sl_count_value(clustering.triangles);
    return status;
}

static sl_status verify(sl_check_result *result, const sl_algorithm_call *call, const sl_csr *graph)
{
    const sl_graph_view view = sl_view_of_call(call, graph);
    const sl_value *out = call->results;
    const sl_clustering clustering = {
        .triangles = out[TRIANGLES].count, .mean = out[MEAN].number, .global = out[GLOBAL].number};
    sl_status status;
    double *coefficients = sl_whole_values(&status, out[COEFFICIENTS].vector);
    if (status == SL_OK)
        status = sl_check_local_clustering(result, &view, coefficients, &clustering);
    sl_free(coefficients);
    return status;
}

static sl_status summarise(sl_algorithm_call *call)
{
    sl_status status;
    double *coefficients = sl_whole_values(&status, call->results[COEFFICIENTS].vector);
    call->results[TOP] = (sl_value){
        .given = status == SL_OK, .numbers = coefficients, .count = sl_matrix_nrows(call->A)};
    return status;
}

const sl_algorithm sl_describe_local_clustering = {
    .name = "local_clustering",
    .summary = "clustering coefficients of an undirected graph, local, mean and global",
    .details =
        "The local coefficient of a vertex is the part of the pairs of its neighbours that an "
        "edge joins; 0 if it has fewer than two.",
    .check = "looking up every pair of neighbours",
    .results = {{"coefficients", SL_KIND_VECTOR, 0,
                 "the local clustering coefficient of each vertex, FP64"},
                {"mean", SL_KIND_NUMBER, SL_RESULT_SUMMARY, "the mean of the local coefficients"},
                {"global", SL_KIND_NUMBER, SL_RESULT_SUMMARY,
                 "the part of all pairs of neighbours that an edge joins"},
                {"triangles", SL_KIND_COUNT, SL_RESULT_SUMMARY, "the number of triangles"},
                {"top", SL_KIND_RANKING, SL_RESULT_SUMMARY, "coefficient"}},
    .run = run_local_clustering,
    .verify = verify,
    .summarise = summarise,
};
