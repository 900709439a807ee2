/* The description of multi_source_bfs. */
#include "algorithms/describe.h"

enum { SOURCES, MAX_DEPTH, DETERMINISTIC }; /* arguments */
enum { PARENTS, LEVELS, REACHED, DEPTHS };  /* results */

static sl_status run_multi_source_bfs(sl_algorithm_call *call)
{
    const sl_value *in = call->arguments;
    const sl_multi_source_options options = {.deterministic = in[DETERMINISTIC].flag,
                                             .bounded = in[MAX_DEPTH].given,
                                             .max_depth = in[MAX_DEPTH].count};
    return sl_multi_source_bfs(call->wanted[PARENTS] ? &call->results[PARENTS].matrix : NULL,
                               &call->results[LEVELS].matrix, call->A, in[SOURCES].list,
                               in[SOURCES].count, &options);
}

static sl_status verify(sl_check_result *result, const sl_algorithm_call *call, const sl_csr *graph)
{
    const sl_value *in = call->arguments;
    const sl_graph_view view = sl_view_of_call(call, graph);
    const int64_t max_depth = in[MAX_DEPTH].given ? (int64_t)in[MAX_DEPTH].count : -1;
    int64_t *parent = NULL, *level = NULL;
    sl_status status = sl_search_table(&parent, call->results[PARENTS].matrix);
    if (status == SL_OK)
        status = sl_search_table(&level, call->results[LEVELS].matrix);
    if (status == SL_OK)
        status = sl_check_multi_source(result, &view, in[SOURCES].list, in[SOURCES].count, parent,
                                       level, max_depth);
    sl_free(parent);
    sl_free(level);
    return status;
}

static sl_status summarise(sl_algorithm_call *call)
{
    const uint64_t n = sl_matrix_nrows(call->A), count = call->arguments[SOURCES].count;
    sl_value *reached = &call->results[REACHED], *depths = &call->results[DEPTHS];
    int64_t *level = NULL;
    sl_status status = sl_search_table(&level, call->results[LEVELS].matrix);
    if (status == SL_OK)
        status = sl_make_list(reached, count);
    if (status == SL_OK)
        status = sl_make_list(depths, count);
    for (uint64_t k = 0; status == SL_OK && k < count * n; k++) {
        const uint64_t row = k / n;
        reached->list[row] += level[k] != SL_UNREACHED;
        if (level[k] > (int64_t)depths->list[row])
            depths->list[row] = (uint64_t)level[k];
    }
    sl_free(level);
    return status;
}

const sl_algorithm sl_describe_multi_source_bfs = {
    .name = "multi_source_bfs",
    .summary = "breadth-first searches from several vertices at once",
    .check = "the rules of Graph500, row by row",
    .arguments = {{.name = "sources",
                   .kind = SL_KIND_VERTICES,
                   .flags = SL_ARGUMENT_POSITIONAL | SL_ARGUMENT_HUB,
                   .help = "vertices that searches start from, one search for each"},
                  {.name = "max_depth",
                   .kind = SL_KIND_COUNT,
                   .help = "search only to this level; default: all levels"},
                  {.name = "deterministic",
                   .kind = SL_KIND_FLAG,
                   .help = "each parent is the least vertex possible"}},
    .results = {{"parents", SL_KIND_VERTEX_MATRIX, SL_RESULT_FILE,
                 "row s holds the parents of the search from sources[s], INT64"},
                {"levels", SL_KIND_MATRIX, 0,
                 "row s holds the levels of the search from sources[s], INT64"},
                {"reached", SL_KIND_COUNTS, SL_RESULT_SUMMARY, "vertices that each search reached"},
                {"depths", SL_KIND_COUNTS, SL_RESULT_SUMMARY, "the greatest level of each search"}},
    .run = run_multi_source_bfs,
    .verify = verify,
    .summarise = summarise,
};
