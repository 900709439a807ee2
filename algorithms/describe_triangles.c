/* The description of triangles. */
#include "algorithms/describe.h"

enum { TRIANGLES, PER_VERTEX, TOP }; /* results */

static sl_status run_triangles(sl_algorithm_call *call)
{
    sl_value *out = call->results;
    out[TRIANGLES].given = true;
    return sl_triangles(&out[TRIANGLES].count,
                        call->wanted[PER_VERTEX] ? &out[PER_VERTEX].vector : NULL, call->A);
}

static sl_status verify(sl_check_result *result, const sl_algorithm_call *call, const sl_csr *graph)
{
    const sl_graph_view view = sl_view_of_call(call, graph);
    sl_status status;
    int64_t *per_vertex = sl_whole_values(&status, call->results[PER_VERTEX].vector);
    if (status == SL_OK)
        status = sl_check_triangles(result, &view, call->results[TRIANGLES].count, per_vertex);
    sl_free(per_vertex);
    return status;
}

static sl_status summarise(sl_algorithm_call *call)
{
    sl_status status = SL_OK;
    if (!call->results[PER_VERTEX].vector)
        return SL_OK;
    int64_t *per_vertex = sl_whole_values(&status, call->results[PER_VERTEX].vector);
    if (status == SL_OK)
        status = sl_rank_integers(&call->results[TOP], per_vertex, sl_matrix_nrows(call->A));
    sl_free(per_vertex);
    return status;
}

const sl_algorithm sl_describe_triangles = {
    .name = "triangles",
    .summary = "triangles of an undirected graph, in total and at each vertex",
    .check = "intersecting sorted rows",
    .results = {{"triangles", SL_KIND_COUNT, 0, "the number of triangles"},
                {"per_vertex", SL_KIND_VECTOR, SL_RESULT_KEYWORD,
                 "the number of triangles at each vertex, INT64"},
                {"top", SL_KIND_RANKING, SL_RESULT_SUMMARY, "triangles"}},
    .run = run_triangles,
    .verify = verify,
    .summarise = summarise,
};
