/* The description of sssp. */
#include "algorithms/describe.h"

#include <math.h>

enum { SOURCE };                                              /* arguments */
enum { DISTANCES, PARENTS, LENGTHS, REACHED, FARTHEST, TOP }; /* results */

static sl_status run_sssp(sl_algorithm_call *call)
{
    sl_value *out = call->results;
    return sl_sssp(&out[DISTANCES].vector, call->wanted[PARENTS] ? &out[PARENTS].vector : NULL,
                   call->A, call->arguments[SOURCE].count);
}

static sl_status verify(sl_check_result *result, const sl_algorithm_call *call, const sl_csr *graph)
{
    void *distance = NULL;
    int64_t *parent = NULL;
    sl_status status = sl_distance_array(&distance, call->results[DISTANCES].vector);
    if (status == SL_OK)
        status = sl_search_array(&parent, call->results[PARENTS].vector);
    if (status == SL_OK)
        status = sl_check_sssp(result, graph, call->arguments[SOURCE].count, distance, parent);
    sl_free(parent);
    sl_free(distance);
    return status;
}

static sl_status summarise(sl_algorithm_call *call)
{
    sl_value *out = call->results;
    const uint64_t n = sl_matrix_nrows(call->A);
    const bool is_real = sl_vector_type(out[DISTANCES].vector) == SL_FP64;
    double farthest = -INFINITY;
    void *distance = NULL;
    sl_status status = sl_distance_array(&distance, out[DISTANCES].vector);
    if (status == SL_OK)
        status = sl_vector_nvals(&out[REACHED].count, out[DISTANCES].vector);
    if (status == SL_OK)
        status = sl_make_ranking(&out[TOP], n);
    for (uint64_t v = 0; status == SL_OK && v < n; v++) {
        const int64_t whole = is_real ? 0 : ((const int64_t *)distance)[v];
        double *number = &out[TOP].numbers[v];
        *number = is_real ? ((const double *)distance)[v] : (double)whole;
        if (whole == INT64_MAX)
            *number = INFINITY;
        farthest = isfinite(*number) ? fmax(farthest, *number) : farthest;
    }
    out[REACHED].given = true;
    out[FARTHEST] = sl_number_value(farthest);
    out[LENGTHS] = (sl_value){.given = true, .text = sl_type_name(sl_matrix_type(call->A))};
    sl_free(distance);
    return status;
}

const sl_algorithm sl_describe_sssp = {
    .name = "sssp",
    .reads_values = true,
    .summary = "shortest paths from one vertex by the lengths of edges",
    .details = "The entries of the matrix are the lengths of edges; edges of a BOOL matrix have "
               "length 1. Lengths may be negative. A cycle of negative length that the source "
               "reaches is an error.",
    .check = "the lengths of all edges and of the tree",
    .arguments = {{.name = "source",
                   .kind = SL_KIND_VERTEX,
                   .flags = SL_ARGUMENT_POSITIONAL | SL_ARGUMENT_HUB,
                   .help = "vertex where all paths start"}},
    .results = {{"distances", SL_KIND_VECTOR, 0,
                 "the length of a shortest path to each vertex, INT64 or FP64; no entry if there "
                 "is none"},
                {"parents", SL_KIND_VERTEX_VECTOR, SL_RESULT_FILE,
                 "the vertex before each on a shortest path, INT64"},
                {"lengths", SL_KIND_TEXT, SL_RESULT_SUMMARY, "type of the lengths"},
                {"reached", SL_KIND_COUNT, SL_RESULT_SUMMARY, "vertices with a distance"},
                {"farthest", SL_KIND_NUMBER, SL_RESULT_SUMMARY, "the greatest distance"},
                {"top", SL_KIND_RANKING, SL_RESULT_SUMMARY, "distance"}},
    .run = run_sssp,
    .verify = verify,
    .summarise = summarise,
};
