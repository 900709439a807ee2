/* Creates the graphs of graphs.h and validates searches of them. */
#include "graphs.h"

static sl_matrix *matrix_of(sl_context *ctx, const sl_edges *edges, unsigned flags)
{
    sl_matrix *A;
    sl_read_options options = {.flags = flags};
    OK(ctx, sl_matrix_from_edges(&A, ctx, edges, &options));
    return A;
}

graph graph_of_edges(sl_context *host, sl_context *engine, const char *name, const sl_edges *edges,
                     unsigned flags, unsigned purpose)
{
    graph g = {.name = name, .on_host = matrix_of(host, edges, flags)};
    OK(host, sl_matrix_copy_csr(&g.rows, g.on_host));
    g.tested = matrix_of(engine, edges, flags);
    if (purpose)
        OK(engine, sl_matrix_optimize(g.tested, purpose));
    return g;
}

graph graph_of_model(sl_context *host, sl_context *engine, const char *name,
                     const sl_generator *model, unsigned flags, unsigned purpose)
{
    sl_edges edges;
    OK(host, sl_generate(&edges, host, model));
    graph g = graph_of_edges(host, engine, name, &edges, flags, purpose);
    sl_edges_free(&edges);
    return g;
}

void free_graph(graph *g)
{
    sl_matrix_free(g->on_host);
    sl_matrix_free(g->tested);
    free_rows(&g->rows);
}

int64_t *take_array(sl_vector *v)
{
    int64_t *array = NULL;
    if (v)
        OK(sl_vector_context(v), sl_search_array(&array, v));
    sl_vector_free(v);
    return array;
}

sl_check_result validate(const graph *g, uint64_t source, const int64_t *parents,
                         const int64_t *levels, int64_t depth)
{
    const sl_graph_view view = sl_view_of(&g->rows);
    sl_check_result verdict;
    assert_int_equal(sl_validate_search(&verdict, &view, source, parents, levels, depth), SL_OK);
    return verdict;
}
