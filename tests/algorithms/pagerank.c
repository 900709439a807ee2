/*
 * PageRank of graphs large enough for first iterations in fp32, on every engine: plain loops in fp64 find the same
 * ranks, at every tolerance; the sum of the ranks is 1; and a run that ends in fp32 has not converged.
 */
#include <math.h>

#include <semla/checks.h>
#include <semla/io.h>

#include "component_graphs.h"

enum { SCALE = 15, VERTICES = 1 << SCALE };

/* A Kronecker graph, with edges in one direction only if `directed`: then many vertices have no outgoing edges. */
static sl_matrix *large_graph(sl_context *ctx, bool directed)
{
    const sl_generator kronecker = {.model = SL_MODEL_KRONECKER, .seed = 5, .scale = SCALE};
    const sl_read_options options = {.flags = directed ? 0 : SL_READ_SYMMETRIC};
    sl_edges edges;
    sl_matrix *A;
    uint64_t entries;
    OK(ctx, sl_generate(&edges, ctx, &kronecker));
    OK(ctx, sl_matrix_from_edges(&A, ctx, &edges, &options));
    sl_edges_free(&edges);
    OK(ctx, sl_matrix_nvals(&entries, A));
    assert_true(entries >= 1 << 18);
    return A;
}

typedef struct {
    sl_context *ctx;
    sl_matrix *A;
    sl_csr rows;
    sl_graph_view view;
    double *jump; /* or NULL */
} graph;

static double distance(const double *a, const double *b)
{
    double sum = 0;
    for (uint64_t v = 0; v < VERTICES; v++)
        sum += fabs(a[v] - b[v]);
    return sum;
}

/* The ranks differ in sum by at most `within` from the ranks of plain loops that make as many iterations. */
static void check_ranks(const graph *g, sl_pagerank_options o, bool converges, double within)
{
    sl_vector *rank;
    sl_pagerank_result r, plain;
    sl_scalar sum;
    uint64_t count = VERTICES;
    double *found = sl_malloc(VERTICES * sizeof *found),
           *wanted = sl_malloc(VERTICES * sizeof *wanted);
    OK(g->ctx, sl_pagerank(&rank, g->A, &o, &r));
    OK(g->ctx, sl_vector_reduce(&sum, NULL, SL_PLUS_MONOID_FP64, rank));
    OK(g->ctx, sl_vector_extract_tuples(NULL, found, &count, rank));
    assert_int_equal(count, VERTICES);
    assert_true(fabs(sum.as.fp64_ - 1) < 1e-9);
    assert_int_equal(r.converged, converges);
    assert_true(!converges || r.residual <= o.tolerance);
    o.tolerance = 1e-300;
    o.max_iterations = r.iterations;
    assert_int_equal(sl_plain_pagerank(wanted, &g->view, g->jump, &o, &plain), SL_OK);
    const double far = distance(found, wanted);
    if (!(far <= within))
        fail_msg("the ranks differ by %g in sum, more than %g, after %d iterations", far, within,
                 (int)r.iterations);
    sl_vector_free(rank);
    sl_free(found);
    sl_free(wanted);
}

static void check_graph(const graph *g, const sl_vector *weights)
{
    static const struct {
        double tolerance, within;
    } cases[] = {{1e-3, 1e-5}, {1e-6, 1e-6}, {1e-12, 1e-8}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        check_ranks(g,
                    (sl_pagerank_options){.tolerance = cases[k].tolerance,
                                          .max_iterations = 300,
                                          .personalisation = weights},
                    true, cases[k].within);
    check_ranks(
        g,
        (sl_pagerank_options){.tolerance = 1e-6, .max_iterations = 3, .personalisation = weights},
        false, 1e-5);
}

static void check_engine(sl_engine_choice engine, bool directed)
{
    graph g = {.jump = NULL};
    sl_vector *weights;
    assert_int_equal(sl_context_create(&g.ctx, engine), SL_OK);
    g.A = large_graph(g.ctx, directed);
    OK(g.ctx, sl_matrix_copy_csr(&g.rows, g.A));
    g.view = sl_view_of(&g.rows);
    check_graph(&g, NULL);
    OK(g.ctx, sl_matrix_optimize(g.A, SL_FOR_TRAVERSAL));
    check_graph(&g, NULL);
    g.jump = sl_calloc(VERTICES, sizeof *g.jump);
    OK(g.ctx, sl_vector_new(&weights, g.ctx, SL_FP64, VERTICES));
    for (uint64_t v = 0; v < 4; v++) {
        g.jump[v] = 0.25;
        OK(g.ctx, sl_vector_set(weights, v, sl_scalar_fp64(7)));
    }
    check_graph(&g, weights);
    sl_vector_free(weights);
    sl_free(g.jump);
    sl_free(g.rows.start);
    sl_free(g.rows.index);
    sl_free(g.rows.values);
    sl_matrix_free(g.A);
    sl_context_free(g.ctx);
}

static void large_graphs(void **state)
{
    sl_engine_info info;
    (void)state;
    for (size_t position = 0; next_engine(&info, &position);)
        for (int directed = 0; directed < 2; directed++)
            check_engine(info.choice, directed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(large_graphs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
