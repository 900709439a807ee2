/* The description of components. */
#include "describe.h"

#include <math.h>

enum { COMPONENT, COMPONENTS, LARGEST, ALONE, TOP }; /* results */

static sl_status run(sl_algorithm_call *call)
{
    return sl_components(&call->results[COMPONENT].vector, call->A);
}

static sl_status verify(sl_check_result *result, const sl_algorithm_call *call, const sl_csr *graph)
{
    const sl_graph_view view = sl_view_of(graph);
    sl_status status;
    int64_t *component = sl_whole_values(&status, call->results[COMPONENT].vector);
    if (status == SL_OK)
        status = sl_check_components(result, &view, component);
    sl_free(component);
    return status;
}

/* Counts the vertices of each component at its least vertex. */
static sl_status summarise(sl_algorithm_call *call)
{
    const uint64_t n = sl_matrix_nrows(call->A);
    sl_value *out = call->results;
    uint64_t components = 0, largest = 0, alone = 0;
    sl_status status;
    int64_t *component = sl_whole_values(&status, out[COMPONENT].vector);
    if (status == SL_OK)
        status = sl_make_ranking(&out[TOP], n);
    for (uint64_t v = 0; status == SL_OK && v < n; v++)
        out[TOP].numbers[component[v]]++;
    for (uint64_t v = 0; status == SL_OK && v < n; v++) {
        const uint64_t size = (uint64_t)out[TOP].numbers[v];
        components += size > 0;
        alone += size == 1;
        largest = size > largest ? size : largest;
        if (size == 0)
            out[TOP].numbers[v] = NAN;
    }
    out[COMPONENTS] = sl_count_value(components);
    out[LARGEST] = sl_count_value(largest);
    out[ALONE] = sl_count_value(alone);
    sl_free(component);
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
    .run = run,
    .verify = verify,
    .summarise = summarise,
};
