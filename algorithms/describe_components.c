/* The description of components. */
#include "algorithms/describe.h"

enum { COMPONENT, COMPONENTS, LARGEST, ALONE, TOP }; /* results */

static sl_status run_components(sl_algorithm_call *call)
{
    return sl_components(&call->results[COMPONENT].vector, call->A);
}

static sl_status verify(sl_check_result *result, const sl_algorithm_call *call, const sl_csr *graph)
{
    const sl_graph_view view = sl_view_of_call(call, graph);
    sl_status status;
    int64_t *component = sl_whole_values(&status, call->results[COMPONENT].vector);
    if (status == SL_OK)
        status = sl_check_components(result, &view, component);
    sl_free(component);
    return status;
}

static sl_status summarise(sl_algorithm_call *call)
{
    sl_value *out = call->results;
    sl_status status =
        sl_summarise_groups(&out[TOP], &out[LARGEST], &out[ALONE], out[COMPONENT].vector);
    uint64_t components = 0;
    for (uint64_t v = 0; status == SL_OK && v < out[TOP].count; v++)
        components += out[TOP].numbers[v] > 0;
    out[COMPONENTS] = sl_count_value(components);
    return status;
}

const sl_algorithm sl_describe_components = {
    .name = "components",
    .summary = "connected components; weakly connected ones of a directed graph",
    .check = "union-find",
    .results = {{"component", SL_KIND_VERTEX_VECTOR, 0,
                 "the least vertex of the component of each vertex, INT64"},
                {"components", SL_KIND_COUNT, SL_RESULT_SUMMARY, "number of components"},
                {"largest", SL_KIND_COUNT, SL_RESULT_SUMMARY, "vertices of the largest component"},
                {"alone", SL_KIND_COUNT, SL_RESULT_SUMMARY, "components of one vertex"},
                {"top", SL_KIND_RANKING, SL_RESULT_SUMMARY,
                 "size of the component of which it is the least vertex"}},
    .run = run_components,
    .verify = verify,
    .summarise = summarise,
};
