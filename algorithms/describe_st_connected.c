/* The description of st_connected. */
#include "algorithms/describe.h"

enum { SOURCE, TARGET };            /* arguments */
enum { CONNECTED, DISTANCE, PATH }; /* results */

static sl_status run_st_connected(sl_algorithm_call *call)
{
    const sl_value *in = call->arguments;
    sl_value *out = call->results;
    sl_vector *path = NULL;
    sl_status status = sl_st_connected(&out[CONNECTED].flag, &out[DISTANCE].count, &path, call->A,
                                       in[SOURCE].count, in[TARGET].count);
    out[CONNECTED].given = true;
    out[DISTANCE].given = status == SL_OK && out[CONNECTED].flag;
    return status == SL_OK ? sl_take_list(&out[PATH], path) : status;
}

static sl_status verify(sl_check_result *result, const sl_algorithm_call *call, const sl_csr *graph)
{
    const sl_value *in = call->arguments, *out = call->results;
    const sl_graph_view view = sl_view_of_call(call, graph);
    return sl_check_st_connected(result, &view, in[SOURCE].count, in[TARGET].count,
                                 out[CONNECTED].flag, out[DISTANCE].count,
                                 (const int64_t *)out[PATH].list);
}

const sl_algorithm sl_describe_st_connected = {
    .name = "st_connected",
    .summary = "a shortest path by edges between two vertices",
    .check = "a search with a queue, and the edges of the path",
    .arguments = {{.name = "source",
                   .kind = SL_KIND_VERTEX,
                   .flags = SL_ARGUMENT_REQUIRED | SL_ARGUMENT_POSITIONAL,
                   .help = "first vertex of the path"},
                  {.name = "target",
                   .kind = SL_KIND_VERTEX,
                   .flags = SL_ARGUMENT_REQUIRED | SL_ARGUMENT_POSITIONAL,
                   .help = "last vertex of the path"}},
    .results = {{"connected", SL_KIND_FLAG, SL_RESULT_SUMMARY, "whether there is a path"},
                {"distance", SL_KIND_COUNT, SL_RESULT_SUMMARY, "the number of edges of the path"},
                {"path", SL_KIND_VERTICES, 0,
                 "the vertices of the path in their order; none if there is no path"}},
    .run = run_st_connected,
    .verify = verify,
};
