/* The description of betweenness. */
#include "algorithms/describe.h"

enum { SOURCES, SAMPLES, SEED, BATCH, NORMALISED, DIRECTED }; /* arguments */
enum { CENTRALITY, TOP };                                     /* results */

static sl_status prepare(sl_algorithm_call *call)
{
    return sl_draw_sources(call, SOURCES, SAMPLES, SEED);
}

static sl_edges_kind edges_of(const sl_value *directed)
{
    return !directed->given ? SL_EDGES_AS_DECLARED
           : directed->flag ? SL_EDGES_DIRECTED
                            : SL_EDGES_UNDIRECTED;
}

static sl_status run_betweenness(sl_algorithm_call *call)
{
    const sl_value *in = call->arguments;
    const sl_betweenness_options options = {.batch = in[BATCH].count,
                                            .normalised = in[NORMALISED].flag,
                                            .sampled = in[SAMPLES].given,
                                            .edges = edges_of(&in[DIRECTED])};
    return sl_betweenness(&call->results[CENTRALITY].vector, call->A,
                          in[SOURCES].given ? in[SOURCES].list : SL_ALL, in[SOURCES].count,
                          &options);
}

static sl_status verify(sl_check_result *result, const sl_algorithm_call *call, const sl_csr *graph)
{
    const sl_value *in = call->arguments;
    const sl_graph_view view = sl_view_of_call(call, graph);
    const bool undirected =
        in[DIRECTED].given ? !in[DIRECTED].flag : sl_matrix_is_declared_symmetric(call->A);
    double scale = undirected ? 0.5 : 1;
    if (in[NORMALISED].flag)
        scale = 0; /* by the number of pairs */
    else if (in[SAMPLES].given)
        scale *= (double)view.vertices / (double)in[SOURCES].count;
    sl_status status;
    double *centrality = sl_whole_values(&status, call->results[CENTRALITY].vector);
    if (status == SL_OK)
        status = sl_check_betweenness(result, &view, in[SOURCES].given ? in[SOURCES].list : SL_ALL,
                                      in[SOURCES].count, scale, centrality);
    sl_free(centrality);
    return status;
}

static sl_status summarise(sl_algorithm_call *call)
{
    sl_status status;
    double *centrality = sl_whole_values(&status, call->results[CENTRALITY].vector);
    call->results[TOP] = (sl_value){
        .given = status == SL_OK, .numbers = centrality, .count = sl_matrix_nrows(call->A)};
    return status;
}

const sl_algorithm sl_describe_betweenness = {
    .name = "betweenness",
    .summary = "betweenness centrality, exact or estimated from some sources",
    .details =
        "The sum over all pairs of other vertices s and t, of which s is a source, of the fraction "
        "of shortest paths from s to t that contain the vertex. It is halved if the graph is "
        "undirected, and multiplied by vertices / samples if the sources are drawn.",
    .check = "Brandes's algorithm with a queue",
    .arguments =
        {{.name = "sources",
          .kind = SL_KIND_VERTICES,
          .flags = SL_ARGUMENT_POSITIONAL,
          .help = "count only shortest paths from these vertices; default: from all"},
         {.name = "samples",
          .kind = SL_KIND_COUNT,
          .minimum = 1,
          .excludes = "sources",
          .help = "draw this number of sources at random"},
         {.name = "seed",
          .kind = SL_KIND_COUNT,
          .initial = "0",
          .needs = "samples",
          .help = "seed of the random sources"},
         {.name = "batch",
          .kind = SL_KIND_COUNT,
          .initial = "0",
          .help = "sources of one batch; 0 lets the library choose"},
         {.name = "normalised",
          .kind = SL_KIND_FLAG,
          .help = "divide by the number of pairs, so that values are from 0 to 1"},
         {.name = "directed",
          .kind = SL_KIND_FLAG,
          .flags = SL_ARGUMENT_GRAPH,
          .help = "whether each entry of the matrix is an edge of its own; default: unless the "
                  "matrix is declared symmetric, as by reading or generating it with mirror "
                  "entries"}},
    .results = {{"centrality", SL_KIND_VECTOR, 0,
                 "the betweenness centrality of each vertex, FP64"},
                {"top", SL_KIND_RANKING, SL_RESULT_SUMMARY, "betweenness"}},
    .prepare = prepare,
    .run = run_betweenness,
    .verify = verify,
    .summarise = summarise,
};
