/* The description of pagerank. */
#include "algorithms/describe.h"

enum { DAMPING, TOLERANCE, MAX_ITERATIONS, SOURCES, PERSONALISATION }; /* arguments */
enum { RANKS, ITERATIONS, RESIDUAL, CONVERGED, TOP };                  /* results */

static sl_pagerank_options options_of(const sl_algorithm_call *call)
{
    const sl_value *in = call->arguments;
    return (sl_pagerank_options){.damping = in[DAMPING].number,
                                 .tolerance = in[TOLERANCE].number,
                                 .max_iterations = in[MAX_ITERATIONS].count,
                                 .personalisation = in[PERSONALISATION].vector};
}

/* Equal weights for the sources. */
static sl_status weigh_sources(sl_vector **weights, const sl_algorithm_call *call)
{
    const sl_value *sources = &call->arguments[SOURCES];
    sl_status status =
        sl_vector_new(weights, sl_matrix_context(call->A), SL_FP64, sl_matrix_nrows(call->A));
    for (uint64_t k = 0; status == SL_OK && k < sources->count; k++)
        status = sl_vector_set(*weights, sources->list[k], sl_scalar_fp64(1));
    return status;
}

static sl_status run_pagerank(sl_algorithm_call *call)
{
    sl_value *out = call->results;
    sl_pagerank_options options = options_of(call);
    sl_pagerank_result result = {0};
    sl_vector *weights = NULL;
    sl_status status = SL_OK;
    if (call->arguments[SOURCES].given) {
        status = weigh_sources(&weights, call);
        options.personalisation = weights;
    }
    if (status == SL_OK)
        status = sl_pagerank(&out[RANKS].vector, call->A, &options, &result);
    out[ITERATIONS] = sl_count_value(result.iterations);
    out[RESIDUAL] = sl_number_value(result.residual);
    out[CONVERGED] = sl_flag_value(result.converged);
    sl_vector_free(weights);
    return status;
}

/* The probability that a jump leads to each vertex; NULL: all the same. */
static sl_status find_jumps(double **jump, const sl_algorithm_call *call)
{
    const sl_value *in = call->arguments;
    const uint64_t n = sl_matrix_nrows(call->A);
    sl_arrays weights = {0};
    double sum = 0;
    *jump = NULL;
    if (!in[SOURCES].given && !in[PERSONALISATION].given)
        return SL_OK;
    sl_status status = SL_OK;
    if (in[PERSONALISATION].given)
        status = sl_vector_copy_whole(&weights, in[PERSONALISATION].vector);
    *jump = status == SL_OK ? sl_calloc(n + 1, sizeof **jump) : NULL;
    if (status == SL_OK && !*jump)
        status = SL_NO_MEMORY;
    for (uint64_t k = 0; status == SL_OK && k < in[SOURCES].count; k++)
        (*jump)[in[SOURCES].list[k]] = 1;
    for (uint64_t k = 0; status == SL_OK && k < weights.nvals; k++) {
        const char *value = weights.values;
        const size_t size = sl_type_size(weights.type);
        const sl_scalar weight = sl_scalar_load(weights.type, value + (weights.iso ? 0 : k * size));
        (*jump)[weights.rows[k]] = sl_scalar_cast(weight, SL_FP64).as.fp64_;
    }
    for (uint64_t v = 0; status == SL_OK && v < n; v++)
        sum += (*jump)[v];
    for (uint64_t v = 0; status == SL_OK && v < n; v++)
        (*jump)[v] /= sum;
    sl_arrays_free(&weights);
    return status;
}

static sl_status verify(sl_check_result *result, const sl_algorithm_call *call, const sl_csr *graph)
{
    const sl_graph_view view = sl_view_of_call(call, graph);
    const sl_pagerank_options options = options_of(call);
    double *jump, *rank = NULL;
    sl_status status = find_jumps(&jump, call);
    status = sl_agree(sl_matrix_context(call->A), status);
    if (status == SL_OK)
        rank = sl_whole_values(&status, call->results[RANKS].vector);
    if (status == SL_OK)
        status = sl_check_pagerank(result, &view, rank, jump, &options,
                                   call->results[RESIDUAL].number + 1e-12);
    sl_free(jump);
    sl_free(rank);
    return status;
}

static sl_status summarise(sl_algorithm_call *call)
{
    sl_status status;
    double *rank = sl_whole_values(&status, call->results[RANKS].vector);
    call->results[TOP] =
        (sl_value){.given = status == SL_OK, .numbers = rank, .count = sl_matrix_nrows(call->A)};
    return status;
}

const sl_algorithm sl_describe_pagerank = {
    .name = "pagerank",
    .summary = "PageRank, personalised or not",
    .check = "one iteration in plain loops, which changes no more than the residual",
    .arguments = {{.name = "damping",
                   .kind = SL_KIND_NUMBER,
                   .initial = "0.85",
                   .below = 1,
                   .help = "probability to follow an edge rather than to jump"},
                  {.name = "tolerance",
                   .kind = SL_KIND_NUMBER,
                   .initial = "1e-6",
                   .help = "converged if an iteration changes the ranks by no more in sum"},
                  {.name = "max_iterations",
                   .kind = SL_KIND_COUNT,
                   .initial = "100",
                   .minimum = 1,
                   .help = "end after this number of iterations"},
                  {.name = "sources",
                   .kind = SL_KIND_VERTICES,
                   .excludes = "personalisation",
                   .help = "jumps lead to these vertices only, with equal probability"},
                  {.name = "personalisation",
                   .kind = SL_KIND_VECTOR,
                   .excludes = "sources",
                   .help = "jumps lead to each vertex in proportion to its weight in this vector"}},
    .results = {{"ranks", SL_KIND_VECTOR, 0, "the rank of each vertex, FP64; their sum is 1"},
                {"iterations", SL_KIND_COUNT, SL_RESULT_SUMMARY, "iterations that were made"},
                {"residual", SL_KIND_NUMBER, SL_RESULT_SUMMARY,
                 "change of the ranks by the last iteration, in sum"},
                {"converged", SL_KIND_FLAG, SL_RESULT_SUMMARY,
                 "whether the residual is within the tolerance"},
                {"top", SL_KIND_RANKING, SL_RESULT_SUMMARY, "rank"}},
    .run = run_pagerank,
    .verify = verify,
    .summarise = summarise,
};
