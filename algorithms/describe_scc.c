/* The description of scc. */
#include "algorithms/describe.h"

enum { COMPONENT, COMPONENTS, LARGEST, ALONE, TOP }; /* results */

static sl_status run_scc(sl_algorithm_call *call)
{
    sl_value *out = call->results;
    uint64_t count = 0;
    sl_status status = sl_scc(&out[COMPONENT].vector, &count, call->A);
    out[COMPONENTS] = sl_count_value(count);
    return status;
}

static sl_status verify(sl_check_result *result, const sl_algorithm_call *call, const sl_csr *graph)
{
    const sl_graph_view view = sl_view_of_call(call, graph);
    sl_status status;
    int64_t *component = sl_whole_values(&status, call->results[COMPONENT].vector);
    if (status == SL_OK)
        status = sl_check_scc(result, &view, component, call->results[COMPONENTS].count);
    sl_free(component);
    return status;
}

static sl_status summarise(sl_algorithm_call *call)
{
    sl_value *out = call->results;
    return sl_summarise_groups(&out[TOP], &out[LARGEST], &out[ALONE], out[COMPONENT].vector);
}

const sl_algorithm sl_describe_scc = {
    .name = "scc",
    .summary = "strongly connected components of a directed graph",
    .check = "Tarjan's depth-first search",
    .results = {{"component", SL_KIND_VERTEX_VECTOR, 0,
                 "the least vertex of the component of each vertex, INT64"},
                {"components", SL_KIND_COUNT, SL_RESULT_SUMMARY, "number of components"},
                {"largest", SL_KIND_COUNT, SL_RESULT_SUMMARY, "vertices of the largest component"},
                {"alone", SL_KIND_COUNT, SL_RESULT_SUMMARY, "components of one vertex"},
                {"top", SL_KIND_RANKING, SL_RESULT_SUMMARY,
                 "size of the component of which it is the least vertex"}},
    .run = run_scc,
    .verify = verify,
    .summarise = summarise,
};
