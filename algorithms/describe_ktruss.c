/* The description of ktruss. */
#include "algorithms/describe.h"

enum { K };                                 /* arguments */
enum { TRUSS, EDGES, VERTICES, TRIANGLES }; /* results */

static sl_status run_ktruss(sl_algorithm_call *call)
{
    return sl_ktruss(&call->results[TRUSS].matrix, call->A, call->arguments[K].count);
}

/* All entries of the truss, with their values, on every process of a grid. */
static sl_status copy_entries(sl_arrays *entries, const sl_algorithm_call *call)
{
    sl_status status = sl_matrix_copy_whole(entries, call->results[TRUSS].matrix);
    return status == SL_OK ? sl_arrays_expand(sl_matrix_context(call->A), entries) : status;
}

static sl_status verify(sl_check_result *result, const sl_algorithm_call *call, const sl_csr *graph)
{
    const sl_graph_view view = sl_view_of_call(call, graph);
    sl_arrays truss = {0};
    sl_status status = copy_entries(&truss, call);
    if (status == SL_OK)
        status = sl_check_ktruss(result, &view, call->arguments[K].count, truss.rows, truss.cols,
                                 truss.values, truss.nvals);
    sl_arrays_free(&truss);
    return status;
}

/* The figures of an undirected graph: an edge has two entries, a triangle counts at six of them. */
static sl_status summarise(sl_algorithm_call *call)
{
    const sl_matrix *truss = call->results[TRUSS].matrix;
    sl_vector *sums = NULL;
    sl_scalar triangles = {0};
    uint64_t entries = 0, vertices = 0;
    sl_status status = sl_matrix_nvals(&entries, truss);
    if (status == SL_OK)
        status = sl_vector_new(&sums, sl_matrix_context(truss), SL_INT64, sl_matrix_nrows(truss));
    if (status == SL_OK)
        status = sl_matrix_reduce_rows(sums, NULL, NULL, SL_PLUS_MONOID_INT64, truss, NULL);
    if (status == SL_OK)
        status = sl_vector_nvals(&vertices, sums);
    if (status == SL_OK)
        status = sl_vector_reduce(&triangles, NULL, SL_PLUS_MONOID_INT64, sums);
    call->results[EDGES] = sl_count_value(entries / 2);
    call->results[VERTICES] = sl_count_value(vertices);
    call->results[TRIANGLES] = sl_count_value((uint64_t)triangles.as.int64_ / 6);
    sl_vector_free(sums);
    return status;
}

const sl_algorithm sl_describe_ktruss = {
    .name = "ktruss",
    .summary = "the k-truss of an undirected graph, with the triangles of each edge",
    .details = "The k-truss is the largest subgraph in which every edge belongs to at least k - 2 "
               "triangles.",
    .check = "removing edges one by one",
    .arguments = {{.name = "k",
                   .kind = SL_KIND_COUNT,
                   .flags = SL_ARGUMENT_POSITIONAL,
                   .initial = "3",
                   .minimum = 3,
                   .help = "edges of the truss belong to at least k - 2 of its triangles"}},
    .results =
        {{"truss", SL_KIND_GRAPH, 0,
          "the edges of the truss; the value of each is the number of triangles of the truss "
          "that contain it, INT64"},
         {"truss_edges", SL_KIND_COUNT, SL_RESULT_SUMMARY, "undirected edges of the truss"},
         {"truss_vertices", SL_KIND_COUNT, SL_RESULT_SUMMARY, "vertices with such edges"},
         {"truss_triangles", SL_KIND_COUNT, SL_RESULT_SUMMARY, "triangles of the truss"}},
    .run = run_ktruss,
    .verify = verify,
    .summarise = summarise,
};
