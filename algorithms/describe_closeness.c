/* The description of closeness. */
#include "algorithms/describe.h"

enum { SOURCES, SAMPLES, SEED }; /* arguments */
enum { CLOSENESS, TOP };         /* results */

static sl_status prepare(sl_algorithm_call *call)
{
    return sl_draw_sources(call, SOURCES, SAMPLES, SEED);
}

static sl_closeness_options options_of(const sl_algorithm_call *call)
{
    return (sl_closeness_options){.estimate = call->arguments[SAMPLES].given};
}

static const uint64_t *sources_of(const sl_algorithm_call *call)
{
    return call->arguments[SOURCES].given ? call->arguments[SOURCES].list : SL_ALL;
}

static sl_status run_closeness(sl_algorithm_call *call)
{
    const sl_closeness_options options = options_of(call);
    return sl_closeness(&call->results[CLOSENESS].vector, call->A, sources_of(call),
                        call->arguments[SOURCES].count, &options);
}

static sl_status verify(sl_check_result *result, const sl_algorithm_call *call, const sl_csr *graph)
{
    const sl_graph_view view = sl_view_of_call(call, graph);
    const sl_closeness_options options = options_of(call);
    void *closeness;
    sl_status status = sl_distance_array(&closeness, call->results[CLOSENESS].vector);
    if (status == SL_OK)
        status = sl_check_closeness(result, &view, sources_of(call), call->arguments[SOURCES].count,
                                    &options, closeness);
    sl_free(closeness);
    return status;
}

/* Vertices without an entry are infinite, which the ranking leaves out. */
static sl_status summarise(sl_algorithm_call *call)
{
    void *closeness;
    const sl_status status = sl_distance_array(&closeness, call->results[CLOSENESS].vector);
    call->results[TOP] = (sl_value){
        .given = status == SL_OK, .numbers = closeness, .count = sl_matrix_nrows(call->A)};
    return status;
}

const sl_algorithm sl_describe_closeness = {
    .name = "closeness",
    .summary = "closeness centrality, exact or estimated from a sample",
    .details =
        "With sources the exact closeness of these vertices; with samples an estimate for all "
        "vertices; otherwise the exact closeness of all. In a directed graph distances lead to "
        "the vertex.",
    .check = "searches with a queue",
    .arguments = {{.name = "sources",
                   .kind = SL_KIND_VERTICES,
                   .flags = SL_ARGUMENT_POSITIONAL,
                   .help = "compute the exact closeness of these vertices; default: of all"},
                  {.name = "samples",
                   .kind = SL_KIND_COUNT,
                   .minimum = 1,
                   .excludes = "sources",
                   .help = "estimate the closeness of all vertices from the distances from this "
                           "number of random ones"},
                  {.name = "seed",
                   .kind = SL_KIND_COUNT,
                   .initial = "0",
                   .needs = "samples",
                   .help = "seed of the random vertices"}},
    .results = {{"closeness", SL_KIND_VECTOR, 0,
                 "the closeness of each vertex, FP64; of the sources alone if they are given"},
                {"top", SL_KIND_RANKING, SL_RESULT_SUMMARY, "closeness"}},
    .prepare = prepare,
    .run = run_closeness,
    .verify = verify,
    .summarise = summarise,
};
