/* The description of bipartite. */
#include "algorithms/describe.h"

enum { BIPARTITE, SIDES, SIDE_SIZES, CYCLE_LENGTH, CYCLE }; /* results */

static sl_status run_bipartite(sl_algorithm_call *call)
{
    sl_value *out = call->results;
    sl_vector *cycle = NULL;
    sl_status status = sl_bipartite(&out[BIPARTITE].flag, &out[SIDES].vector, &cycle, call->A);
    out[BIPARTITE].given = true;
    return status == SL_OK ? sl_take_list(&out[CYCLE], cycle) : status;
}

static sl_status verify(sl_check_result *result, const sl_algorithm_call *call, const sl_csr *graph)
{
    const sl_value *out = call->results;
    const sl_graph_view view = sl_view_of_call(call, graph);
    sl_status status = SL_OK;
    bool *side = out[SIDES].vector ? sl_whole_values(&status, out[SIDES].vector) : NULL;
    if (status == SL_OK)
        status = sl_check_bipartite(result, &view, out[BIPARTITE].flag, side,
                                    (const int64_t *)out[CYCLE].list, out[CYCLE].count);
    sl_free(side);
    return status;
}

static sl_status summarise(sl_algorithm_call *call)
{
    sl_value *out = call->results;
    sl_status status;
    if (!out[BIPARTITE].flag) {
        out[CYCLE_LENGTH] = sl_count_value(out[CYCLE].count);
        return SL_OK;
    }
    bool *side = sl_whole_values(&status, out[SIDES].vector);
    if (status == SL_OK)
        status = sl_make_list(&out[SIDE_SIZES], 2);
    for (uint64_t v = 0; status == SL_OK && v < sl_matrix_nrows(call->A); v++)
        out[SIDE_SIZES].list[side[v]]++;
    sl_free(side);
    return status;
}

const sl_algorithm sl_describe_bipartite = {
    .name = "bipartite",
    .summary = "two sides of an undirected graph, or an odd cycle",
    .check = "the sides of the ends of each edge, or the edges of the cycle",
    .results = {{"bipartite", SL_KIND_FLAG, SL_RESULT_SUMMARY, "whether the graph is bipartite"},
                {"sides", SL_KIND_VECTOR, 0,
                 "the side of each vertex, BOOL; none if the graph is not bipartite"},
                {"side_sizes", SL_KIND_COUNTS, SL_RESULT_SUMMARY, "vertices of each side"},
                {"cycle_length", SL_KIND_COUNT, SL_RESULT_SUMMARY, "vertices of the cycle"},
                {"cycle", SL_KIND_VERTICES, 0,
                 "the vertices of an odd cycle in their order; none if the graph is bipartite"}},
    .run = run_bipartite,
    .verify = verify,
    .summarise = summarise,
};
