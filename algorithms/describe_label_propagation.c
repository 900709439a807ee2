/* The description of label_propagation. */
#include "algorithms/describe.h"

enum { MAX_ITERATIONS };                                                  /* arguments */
enum { LABELS, COMMUNITIES, ITERATIONS, CONVERGED, LARGEST, ALONE, TOP }; /* results */

static sl_status run_label_propagation(sl_algorithm_call *call)
{
    sl_value *out = call->results;
    sl_communities result = {0};
    sl_status status = sl_label_propagation(&out[LABELS].vector, call->A,
                                            call->arguments[MAX_ITERATIONS].count, &result);
    out[COMMUNITIES] = sl_count_value(result.communities);
    out[ITERATIONS] = sl_count_value(result.iterations);
    out[CONVERGED] = sl_flag_value(result.converged);
    return status;
}

static sl_status verify(sl_check_result *result, const sl_algorithm_call *call, const sl_csr *graph)
{
    const sl_graph_view view = sl_view_of_call(call, graph);
    sl_status status;
    int64_t *label = sl_whole_values(&status, call->results[LABELS].vector);
    if (status == SL_OK)
        status = sl_check_label_propagation(result, &view, label, call->results[ITERATIONS].count);
    sl_free(label);
    return status;
}

static sl_status summarise(sl_algorithm_call *call)
{
    sl_value *out = call->results;
    return sl_summarise_groups(&out[TOP], &out[LARGEST], &out[ALONE], out[LABELS].vector);
}

const sl_algorithm sl_describe_label_propagation = {
    .name = "label_propagation",
    .summary = "communities by label propagation, as in LDBC Graphalytics",
    .details =
        "In an iteration all vertices take the most frequent label of their neighbours at both "
        "ends of edges, of several the least.",
    .check = "the same iterations with sorted labels",
    .arguments = {{.name = "max_iterations",
                   .kind = SL_KIND_COUNT,
                   .initial = "10",
                   .minimum = 1,
                   .help = "end after this number of iterations"}},
    .results = {{"labels", SL_KIND_VERTEX_VECTOR, 0,
                 "the label of each vertex, a vertex number, INT64"},
                {"communities", SL_KIND_COUNT, SL_RESULT_SUMMARY, "number of different labels"},
                {"iterations", SL_KIND_COUNT, SL_RESULT_SUMMARY, "iterations that were made"},
                {"converged", SL_KIND_FLAG, SL_RESULT_SUMMARY,
                 "whether the last iteration changed no label"},
                {"largest", SL_KIND_COUNT, SL_RESULT_SUMMARY, "vertices of the largest community"},
                {"alone", SL_KIND_COUNT, SL_RESULT_SUMMARY, "communities of one vertex"},
                {"top", SL_KIND_RANKING, SL_RESULT_SUMMARY,
                 "size of the community with this label"}},
    .run = run_label_propagation,
    .verify = verify,
    .summarise = summarise,
};
