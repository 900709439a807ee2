/* The description of core_numbers. */
#include "algorithms/describe.h"

enum { CORE, GREATEST, SIZES, TOP }; /* results */

static sl_status run_core_numbers(sl_algorithm_call *call)
{
    sl_value *out = call->results;
    out[GREATEST].given = true;
    return sl_core_numbers(&out[CORE].vector, &out[GREATEST].count, call->A);
}

static sl_status verify(sl_check_result *result, const sl_algorithm_call *call, const sl_csr *graph)
{
    const sl_graph_view view = sl_view_of_call(call, graph);
    sl_status status;
    int64_t *core = sl_whole_values(&status, call->results[CORE].vector);
    if (status == SL_OK)
        status = sl_check_core_numbers(result, &view, core);
    sl_free(core);
    return status;
}

static sl_status summarise(sl_algorithm_call *call)
{
    const uint64_t n = sl_matrix_nrows(call->A);
    sl_value *out = call->results;
    sl_status status;
    int64_t *core = sl_whole_values(&status, out[CORE].vector);
    if (status == SL_OK)
        status = sl_make_list(&out[SIZES], out[GREATEST].count + 1);
    for (uint64_t v = 0; status == SL_OK && v < n; v++)
        if (core[v] >= 0 && (uint64_t)core[v] <= out[GREATEST].count) /* else the check fails */
            out[SIZES].list[core[v]]++;
    if (status == SL_OK)
        status = sl_rank_integers(&out[TOP], core, n);
    sl_free(core);
    return status;
}

const sl_algorithm sl_describe_core_numbers = {
    .name = "core_numbers",
    .summary = "core numbers of an undirected graph",
    .details =
        "The core number of a vertex is the greatest k such that it belongs to the k-core, the "
        "largest subgraph in which every vertex has at least k neighbours.",
    .check = "removing vertices one by one in the order of their degrees",
    .results = {{"core", SL_KIND_VECTOR, 0, "the core number of each vertex, INT64"},
                {"greatest", SL_KIND_COUNT, SL_RESULT_SUMMARY, "the greatest core number"},
                {"by_core", SL_KIND_COUNTS, SL_RESULT_SUMMARY,
                 "vertices of each core number, from 0"},
                {"top", SL_KIND_RANKING, SL_RESULT_SUMMARY, "core number"}},
    .run = run_core_numbers,
    .verify = verify,
    .summarise = summarise,
};
