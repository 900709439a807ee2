/* The description of khop. */
#include "algorithms/describe.h"

enum { SOURCES, HOPS };               /* arguments */
enum { LEVELS, WITHIN, BY_DISTANCE }; /* results */

static sl_status run_khop(sl_algorithm_call *call)
{
    const sl_value *in = call->arguments;
    return sl_khop(&call->results[LEVELS].vector, call->A, in[SOURCES].list, in[SOURCES].count,
                   in[HOPS].count);
}

static sl_status verify(sl_check_result *result, const sl_algorithm_call *call, const sl_csr *graph)
{
    const sl_value *in = call->arguments;
    const sl_graph_view view = sl_view_of_call(call, graph);
    int64_t *level = NULL;
    sl_status status = sl_search_array(&level, call->results[LEVELS].vector);
    if (status == SL_OK)
        status = sl_check_khop(result, &view, in[SOURCES].list, in[SOURCES].count, in[HOPS].count,
                               level);
    sl_free(level);
    return status;
}

static sl_status summarise(sl_algorithm_call *call)
{
    const uint64_t n = sl_matrix_nrows(call->A);
    sl_value *by_distance = &call->results[BY_DISTANCE];
    int64_t *level = NULL, depth = 0;
    uint64_t within = 0;
    sl_status status = sl_search_array(&level, call->results[LEVELS].vector);
    for (uint64_t v = 0; status == SL_OK && v < n; v++)
        depth = level[v] > depth ? level[v] : depth;
    if (status == SL_OK)
        status = sl_make_list(by_distance, (uint64_t)depth + 1);
    for (uint64_t v = 0; status == SL_OK && v < n; v++)
        if (level[v] != SL_UNREACHED) {
            by_distance->list[level[v]]++;
            within++;
        }
    call->results[WITHIN] = sl_count_value(within);
    sl_free(level);
    return status;
}

const sl_algorithm sl_describe_khop = {
    .name = "khop",
    .summary = "the vertices within a number of edges of the sources",
    .check = "a search with a queue",
    .arguments = {{.name = "sources",
                   .kind = SL_KIND_VERTICES,
                   .flags = SL_ARGUMENT_POSITIONAL | SL_ARGUMENT_HUB,
                   .help = "vertices that the search starts from, all together"},
                  {.name = "hops",
                   .kind = SL_KIND_COUNT,
                   .flags = SL_ARGUMENT_POSITIONAL,
                   .initial = "2",
                   .help = "the number of edges"}},
    .results = {{"levels", SL_KIND_VECTOR, 0,
                 "the distance of each vertex from the nearest source in edges, INT64; no entry "
                 "beyond `hops`"},
                {"within", SL_KIND_COUNT, SL_RESULT_SUMMARY, "vertices with a level"},
                {"by_distance", SL_KIND_COUNTS, SL_RESULT_SUMMARY, "vertices of each level"}},
    .run = run_khop,
    .verify = verify,
    .summarise = summarise,
};
