/* Wrong arguments of the algorithms: the status, a message that names the argument, and no output.
 */
#include "check_all.h"

#include <math.h>
#include <string.h>

static sl_context *ctx;
static sl_matrix *row, *oblong, *one_way; /* 0 - 1 - 2 - 3; 3 x 4; 0 -> 1 -> 2 */

static void expect(sl_status got, sl_status status, const char *message)
{
    if (got != status || (message && strcmp(sl_context_message(ctx), message) != 0))
        fail_msg("status %d (%s), not %d (%s)", got, sl_context_message(ctx), status,
                 message ? message : "any message");
}

static sl_status make(sl_matrix **A, sl_type type, uint64_t n, const uint64_t *pairs,
                      uint64_t count, unsigned flags)
{
    uint64_t from[16], to[16];
    for (uint64_t k = 0; k < count; k++) {
        from[k] = pairs[2 * k];
        to[k] = pairs[2 * k + 1];
    }
    sl_edges edges = {.nrows = n, .ncols = n, .count = count, .row = from, .col = to, .type = type};
    sl_read_options options = {.flags = flags};
    return sl_matrix_from_edges(A, ctx, &edges, &options);
}

/* ---- arguments ---------------------------------------------------------- */

/* The value of an output before a call that must set it to NULL. */
#define JUNK ((void *)1)

static void nulls(void **state)
{
    (void)state;
    sl_vector *v = JUNK, *w = JUNK;
    sl_matrix *M = JUNK;
    bool b;
    uint64_t count;
    sl_diameter d;
    const uint64_t source = 0;
    expect(sl_components(&v, NULL), SL_INVALID, NULL);
    assert_null(v);
    expect(sl_components(NULL, row), SL_INVALID, "components: component is NULL");
    expect(sl_multi_source_bfs(NULL, NULL, row, &source, 1, NULL), SL_INVALID,
           "multi_source_bfs: parent and level are both NULL");
    expect(sl_multi_source_bfs(&M, NULL, NULL, &source, 1, NULL), SL_INVALID, NULL);
    assert_null(M);
    expect(sl_multi_source_bfs(&M, NULL, row, NULL, 1, NULL), SL_INVALID,
           "multi_source_bfs: the list of sources is NULL");
    expect(sl_khop(NULL, row, &source, 1, 1), SL_INVALID, "khop: level is NULL");
    expect(sl_khop(&v, row, NULL, 2, 1), SL_INVALID, "khop: the list of sources is NULL");
    expect(sl_sssp(NULL, &w, row, 0), SL_INVALID, "sssp: distance is NULL");
    assert_null(w);
    expect(sl_pagerank(NULL, row, NULL, NULL), SL_INVALID, "pagerank: rank is NULL");
    expect(sl_betweenness(NULL, row, SL_ALL, 0, NULL), SL_INVALID,
           "betweenness: centrality is NULL");
    expect(sl_triangles(NULL, NULL, row), SL_INVALID, "triangles: count is NULL");
    expect(sl_bipartite(NULL, &v, &w, row), SL_INVALID, "bipartite: bipartite is NULL");
    expect(sl_pseudo_diameter(NULL, row, NULL), SL_INVALID, "pseudo_diameter: diameter is NULL");
    expect(sl_st_connected(NULL, NULL, NULL, row, 0, 1), SL_INVALID,
           "st_connected: connected is NULL");
    expect(sl_sssp(&v, &w, NULL, 0), SL_INVALID, NULL);
    expect(sl_pagerank(&v, NULL, NULL, NULL), SL_INVALID, NULL);
    expect(sl_betweenness(&v, NULL, SL_ALL, 0, NULL), SL_INVALID, NULL);
    expect(sl_triangles(&count, &v, NULL), SL_INVALID, NULL);
    expect(sl_bipartite(&b, &v, &w, NULL), SL_INVALID, NULL);
    expect(sl_pseudo_diameter(&d, NULL, NULL), SL_INVALID, NULL);
    expect(sl_st_connected(&b, NULL, &v, NULL, 0, 1), SL_INVALID, NULL);
    expect(sl_khop(&v, NULL, &source, 1, 1), SL_INVALID, NULL);
}

static void shapes(void **state)
{
    (void)state;
    sl_vector *v = JUNK, *w = JUNK;
    sl_matrix *M = JUNK, *N = JUNK;
    bool b;
    uint64_t count;
    sl_diameter d;
    const uint64_t source = 0;
    expect(sl_components(&v, oblong), SL_MISMATCH, "components: the matrix is 3 x 4, not square");
    assert_null(v);
    expect(sl_multi_source_bfs(&M, &N, oblong, &source, 1, NULL), SL_MISMATCH,
           "multi_source_bfs: the matrix is 3 x 4, not square");
    assert_true(M == NULL && N == NULL);
    expect(sl_khop(&v, oblong, &source, 1, 1), SL_MISMATCH,
           "khop: the matrix is 3 x 4, not square");
    expect(sl_sssp(&v, &w, oblong, 0), SL_MISMATCH, "sssp: the matrix is 3 x 4, not square");
    expect(sl_pagerank(&v, oblong, NULL, NULL), SL_MISMATCH,
           "pagerank: the matrix is 3 x 4, not square");
    expect(sl_betweenness(&v, oblong, SL_ALL, 0, NULL), SL_MISMATCH,
           "betweenness: the matrix is 3 x 4, not square");
    expect(sl_triangles(&count, &v, oblong), SL_MISMATCH,
           "triangles: the matrix is 3 x 4, not square");
    expect(sl_bipartite(&b, &v, &w, oblong), SL_MISMATCH,
           "bipartite: the matrix is 3 x 4, not square");
    expect(sl_pseudo_diameter(&d, oblong, NULL), SL_MISMATCH,
           "pseudo_diameter: the matrix is 3 x 4, not square");
    expect(sl_st_connected(&b, NULL, &v, oblong, 0, 1), SL_MISMATCH,
           "st_connected: the matrix is 3 x 4, not square");
}

static void vertices(void **state)
{
    (void)state;
    const uint64_t sources[] = {1, 4, 9};
    sl_vector *v = JUNK, *w = JUNK;
    sl_matrix *M, *empty;
    sl_diameter d;
    bool b;
    expect(sl_multi_source_bfs(&M, NULL, row, sources, 3, NULL), SL_OUT_OF_RANGE,
           "multi_source_bfs: source 4 is out of range: the graph has 4 vertices");
    expect(sl_khop(&v, row, sources, 2, 1), SL_OUT_OF_RANGE,
           "khop: source 4 is out of range: the graph has 4 vertices");
    assert_null(v);
    expect(sl_sssp(&v, &w, row, UINT64_MAX), SL_OUT_OF_RANGE,
           "sssp: source 18446744073709551615 is out of range: the graph has 4 vertices");
    expect(sl_betweenness(&v, row, sources + 2, 1, NULL), SL_OUT_OF_RANGE,
           "betweenness: source 9 is out of range: the graph has 4 vertices");
    expect(sl_st_connected(&b, NULL, &v, row, 0, 5), SL_OUT_OF_RANGE,
           "st_connected: vertex 5 is out of range: the graph has 4 vertices");
    sl_diameter_options o = {.has_start = true, .start = 6};
    expect(sl_pseudo_diameter(&d, row, &o), SL_OUT_OF_RANGE,
           "pseudo_diameter: start 6 is out of range: the graph has 4 vertices");
    OK(ctx, sl_matrix_new(&empty, ctx, SL_BOOL, 0, 0));
    expect(sl_pseudo_diameter(&d, empty, NULL), SL_OUT_OF_RANGE,
           "pseudo_diameter: vertex 0 is out of range: the graph has 0 vertices");
    expect(sl_sssp(&v, NULL, empty, 0), SL_OUT_OF_RANGE,
           "sssp: source 0 is out of range: the graph has 0 vertices");
    sl_matrix_free(empty);
}

static void directed(void **state)
{
    (void)state;
    sl_vector *v = JUNK, *w = JUNK;
    sl_diameter d;
    uint64_t count;
    bool b;
    expect(sl_triangles(&count, &v, one_way), SL_INVALID,
           "triangles: the graph is directed: the edge from 1 to 2 has no mirror edge; add the "
           "mirror edges (SL_READ_SYMMETRIC, --symmetric)");
    assert_null(v);
    expect(sl_bipartite(&b, &v, &w, one_way), SL_INVALID,
           "bipartite: the graph is directed: the edge from 1 to 2 has no mirror edge; add the "
           "mirror edges (SL_READ_SYMMETRIC, --symmetric)");
    assert_true(v == NULL && w == NULL);
    expect(sl_pseudo_diameter(&d, one_way, NULL), SL_INVALID,
           "pseudo_diameter: the graph is directed: the edge from 1 to 2 has no mirror edge; add "
           "the mirror edges (SL_READ_SYMMETRIC, --symmetric)");
}

static void expect_pagerank(sl_pagerank_options o, sl_status status, const char *message)
{
    sl_vector *rank = JUNK;
    expect(sl_pagerank(&rank, row, &o, NULL), status, message);
    assert_null(rank);
}

static void pagerank_options(void **state)
{
    (void)state;
    expect_pagerank((sl_pagerank_options){.damping = 1}, SL_INVALID,
                    "pagerank: damping is 1; it must be from 0 to below 1");
    expect_pagerank((sl_pagerank_options){.damping = -0.1}, SL_INVALID,
                    "pagerank: damping is -0.1; it must be from 0 to below 1");
    expect_pagerank((sl_pagerank_options){.damping = NAN}, SL_INVALID, NULL);
    expect_pagerank((sl_pagerank_options){.tolerance = -1}, SL_INVALID,
                    "pagerank: tolerance is -1; it must not be negative");
    expect_pagerank((sl_pagerank_options){.tolerance = NAN}, SL_INVALID, NULL);

    static const double weights[][2] = {{0, 0}, {1, -1}, {1, NAN}, {1, INFINITY}};
    sl_vector *p;
    for (int k = 0; k < 4; k++) {
        OK(ctx, sl_vector_new(&p, ctx, SL_FP64, 4));
        OK(ctx, sl_vector_set(p, 0, sl_scalar_fp64(weights[k][0])));
        OK(ctx, sl_vector_set(p, 2, sl_scalar_fp64(weights[k][1])));
        expect_pagerank((sl_pagerank_options){.personalisation = p}, SL_INVALID, NULL);
        assert_non_null(
            strstr(sl_context_message(ctx), "pagerank: the weights of the personalisation"));
        sl_vector_free(p);
    }
    OK(ctx, sl_vector_new(&p, ctx, SL_FP64, 4)); /* no weights */
    expect_pagerank((sl_pagerank_options){.personalisation = p}, SL_INVALID, NULL);
    sl_vector_free(p);
    OK(ctx, sl_vector_new(&p, ctx, SL_FP64, 5));
    expect_pagerank((sl_pagerank_options){.personalisation = p}, SL_MISMATCH,
                    "pagerank: the personalisation has 5 elements, the graph 4 vertices");
    sl_vector_free(p);
    sl_context *other;
    assert_int_equal(sl_context_create(&other, SL_ENGINE_AUTO), SL_OK);
    OK(other, sl_vector_new(&p, other, SL_FP64, 4));
    expect_pagerank((sl_pagerank_options){.personalisation = p}, SL_MISMATCH,
                    "pagerank: the personalisation belongs to another context");
    sl_vector_free(p);
    sl_context_free(other);
}

int main(void)
{
    const uint64_t line[] = {0, 1, 1, 2, 2, 3}, arrows[] = {0, 1, 1, 0, 1, 2};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nulls),    cmocka_unit_test(shapes),           cmocka_unit_test(vertices),
        cmocka_unit_test(directed), cmocka_unit_test(pagerank_options),
    };
    int failed = 0;
    for (int choice = SL_ENGINE_AUTO; choice <= SL_ENGINE_SUITESPARSE; choice++) {
        if (sl_context_create(&ctx, choice) != SL_OK ||
            make(&row, SL_BOOL, 4, line, 3, SL_READ_SYMMETRIC) != SL_OK ||
            make(&one_way, SL_BOOL, 3, arrows, 3, 0) != SL_OK ||
            sl_matrix_new(&oblong, ctx, SL_BOOL, 3, 4) != SL_OK)
            return 1;
        failed += cmocka_run_group_tests(tests, NULL, NULL);
        sl_matrix_free(row);
        sl_matrix_free(one_way);
        sl_matrix_free(oblong);
        sl_context_free(ctx);
    }
    return failed;
}
