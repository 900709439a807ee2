/*
 * Out of memory: each allocation of each algorithm fails in turn, those of SuiteSparse included,
 * and a context's memory limit is reached. The status is SL_NO_MEMORY and nothing leaks.
 */
#include "check_all.h"

#include <math.h>
#include <string.h>

static sl_context *ctx;

/* Two components, one with a triangle and a hub, 0. */
static sl_status make_graph(sl_matrix **A, sl_type type, unsigned flags)
{
    uint64_t from[] = {0, 0, 1, 0, 0, 4, 6, 7}, to[] = {1, 2, 2, 3, 4, 5, 7, 8};
    sl_edges edges = {.nrows = 9, .ncols = 9, .count = 8, .row = from, .col = to, .type = type};
    sl_read_options options = {.flags = flags};
    return sl_matrix_from_edges(A, ctx, &edges, &options);
}

static sl_status run_searches(void *data)
{
    const uint64_t sources[] = {3, 6};
    const unsigned *flags = data;
    sl_matrix *A = NULL, *parent = NULL, *level = NULL;
    sl_vector *near = NULL, *path = NULL;
    bool connected;
    sl_status status = make_graph(&A, SL_BOOL, *flags);
    if (status == SL_OK)
        status = sl_multi_source_bfs(&parent, &level, A, sources, 2, NULL);
    if (status == SL_OK)
        status = sl_khop(&near, A, sources, 2, 2);
    if (status == SL_OK)
        status = sl_st_connected(&connected, NULL, &path, A, 0, 5);
    sl_matrix_free(A);
    sl_matrix_free(parent);
    sl_matrix_free(level);
    sl_vector_free(near);
    sl_vector_free(path);
    return status;
}

static sl_status run_undirected(void *data)
{
    (void)data;
    sl_matrix *A = NULL;
    sl_vector *side = NULL, *cycle = NULL, *per_vertex = NULL;
    sl_diameter d;
    uint64_t count;
    bool bipartite;
    sl_status status = make_graph(&A, SL_BOOL, SL_READ_SYMMETRIC);
    if (status == SL_OK)
        status = sl_bipartite(&bipartite, &side, &cycle, A);
    if (status == SL_OK)
        status = sl_pseudo_diameter(&d, A, NULL);
    if (status == SL_OK)
        status = sl_triangles(&count, &per_vertex, A);
    sl_matrix_free(A);
    sl_vector_free(side);
    sl_vector_free(cycle);
    sl_vector_free(per_vertex);
    return status;
}

/* The degrees of a star are so skewed that vertices are sorted before triangles are counted. */
static sl_status run_star(void *data)
{
    (void)data;
    const sl_generator star = {.model = SL_MODEL_STAR, .vertices = 41};
    const sl_read_options symmetric = {.flags = SL_READ_SYMMETRIC};
    sl_edges edges = {0};
    sl_matrix *A = NULL;
    sl_vector *per_vertex = NULL;
    uint64_t count;
    sl_status status = sl_generate(&edges, ctx, &star);
    if (status == SL_OK)
        status = sl_matrix_from_edges(&A, ctx, &edges, &symmetric);
    if (status == SL_OK)
        status = sl_triangles(&count, &per_vertex, A);
    sl_edges_free(&edges);
    sl_matrix_free(A);
    sl_vector_free(per_vertex);
    return status;
}

static sl_status run_ranks(void *data)
{
    const unsigned *flags = data;
    const sl_pagerank_options two_iterations = {.max_iterations = 2};
    sl_matrix *A = NULL;
    sl_vector *component = NULL, *rank = NULL, *centrality = NULL;
    sl_status status = make_graph(&A, SL_BOOL, *flags);
    if (status == SL_OK)
        status = sl_components(&component, A);
    if (status == SL_OK)
        status = sl_pagerank(&rank, A, &two_iterations, NULL);
    if (status == SL_OK)
        status = sl_betweenness(&centrality, A, SL_ALL, 0, NULL);
    sl_matrix_free(A);
    sl_vector_free(component);
    sl_vector_free(rank);
    sl_vector_free(centrality);
    return status;
}

/* Betweenness where searches reach so little in their first levels that each thread takes a source. */
static sl_status run_deep(void *data)
{
    (void)data;
    const sl_generator path = {.model = SL_MODEL_PATH, .vertices = 200};
    sl_edges edges = {0};
    sl_matrix *A = NULL;
    sl_vector *centrality = NULL;
    sl_status status = sl_generate(&edges, ctx, &path);
    if (status == SL_OK)
        status = sl_matrix_from_edges(&A, ctx, &edges, NULL);
    if (status == SL_OK)
        status = sl_betweenness(&centrality, A, (const uint64_t[]){190, 187}, 2, NULL);
    sl_edges_free(&edges);
    sl_matrix_free(A);
    sl_vector_free(centrality);
    return status;
}

/* Shortest paths on a cycle of n int32 lengths. */
static sl_status run_cycle(uint64_t n, int64_t negative)
{
    uint64_t from[36], to[36];
    int64_t length[36];
    for (uint64_t k = 0; k < n; k++) {
        from[k] = k;
        to[k] = (k + 1) % n;
        length[k] = k == 3 ? negative : 1;
    }
    sl_edges edges = {.nrows = n, .ncols = n, .count = n, .row = from, .col = to};
    edges.type = SL_INT64;
    edges.values = length;
    sl_matrix *A = NULL, *B = NULL;
    sl_vector *distance = NULL, *parent = NULL;
    sl_status status = sl_matrix_from_edges(&A, ctx, &edges, NULL);
    if (status == SL_OK)
        status = sl_matrix_new(&B, ctx, SL_INT32, n, n);
    if (status == SL_OK)
        status = sl_matrix_apply(B, NULL, NULL, SL_IDENTITY_INT32, A, NULL);
    if (status == SL_OK)
        status = sl_sssp(&distance, &parent, B, 0);
    sl_matrix_free(A);
    sl_matrix_free(B);
    sl_vector_free(distance);
    sl_vector_free(parent);
    return status;
}

/* One length is negative, so that a negative cycle is looked for. */
static sl_status run_negative(void *data)
{
    (void)data;
    return run_cycle(20, -2);
}

/* So many iterations that delta-stepping is used. */
static sl_status run_long(void *data)
{
    (void)data;
    return run_cycle(36, 1);
}

/* A star whose leaves are all in one bucket, which grows; the lengths of 0 need another search for
 * parents. */
static sl_status run_star_paths(void *data)
{
    (void)data;
    enum { LEAVES = 6000 };
    uint64_t *from = sl_malloc(LEAVES * sizeof *from), *to = sl_malloc(LEAVES * sizeof *to);
    int64_t *length = sl_calloc(LEAVES, sizeof *length);
    sl_matrix *A = NULL;
    sl_vector *distance = NULL, *parent = NULL;
    sl_status status = from && to && length ? SL_OK : SL_NO_MEMORY;
    for (uint64_t k = 0; status == SL_OK && k < LEAVES; k++) {
        from[k] = 0;
        to[k] = k + 1;
        length[k] = k % 2;
    }
    sl_edges edges = {.nrows = LEAVES + 1, .ncols = LEAVES + 1, .count = LEAVES};
    edges.row = from;
    edges.col = to;
    edges.type = SL_INT64;
    edges.values = length;
    if (status == SL_OK)
        status = sl_matrix_from_edges(&A, ctx, &edges, NULL);
    if (status == SL_OK)
        status = sl_sssp(&distance, &parent, A, 0);
    sl_free(from);
    sl_free(to);
    sl_free(length);
    sl_matrix_free(A);
    sl_vector_free(distance);
    sl_vector_free(parent);
    return status;
}

/* Calls that fail with a message: computing the message allocates memory too. */
static sl_status run_failures(void *data)
{
    (void)data;
    sl_matrix *A = NULL;
    sl_vector *distance = NULL;
    uint64_t count;
    sl_status status = make_graph(&A, SL_FP64, 0);
    if (status == SL_OK)
        status = sl_triangles(&count, NULL, A);
    if (status == SL_INVALID)
        status = sl_matrix_set(A, 1, 1, sl_scalar_fp64(NAN));
    if (status == SL_OK)
        status = sl_sssp(&distance, NULL, A, 0);
    if (status == SL_INVALID)
        status = SL_OK;
    sl_matrix_free(A);
    sl_vector_free(distance);
    return status;
}

/* A memory limit of the context, which bounds the host's memory, applies to algorithms; without it
 * they succeed. */
static void limited_memory(void **state)
{
    (void)state;
    const sl_generator grid = {.model = SL_MODEL_GRID, .side = {60, 60}};
    const sl_read_options symmetric = {.flags = SL_READ_SYMMETRIC};
    sl_context *small;
    sl_edges edges;
    sl_matrix *A;
    sl_vector *centrality;
    sl_context_memory memory;
    assert_int_equal(sl_context_create(&small, SL_ENGINE_OPENMP), SL_OK);
    OK(small, sl_context_set_memory_limit(small, 1 << 30));
    OK(small, sl_generate(&edges, small, &grid));
    OK(small, sl_matrix_from_edges(&A, small, &edges, &symmetric));
    sl_edges_free(&edges);
    OK(small,
       sl_betweenness(&centrality, A, (const uint64_t[]){7}, 1, NULL)); /* rows kept with A */
    sl_vector_free(centrality);
    sl_context_get_memory(small, &memory);
    const uint64_t before = memory.used;
    OK(small, sl_context_set_memory_limit(small, before + 50000));
    assert_int_equal(sl_betweenness(&centrality, A, SL_ALL, 0, NULL), SL_NO_MEMORY);
    assert_null(centrality);
    assert_non_null(strstr(sl_context_message(small), "bytes"));
    sl_context_get_memory(small, &memory);
    assert_true(memory.used <= before + 1000); /* SuiteSparse may keep a little memory with A */
    OK(small, sl_context_set_memory_limit(small, 0));
    OK(small, sl_betweenness(&centrality, A, (const uint64_t[]){7}, 1, NULL));
    sl_vector_free(centrality);
    sl_matrix_free(A);
    sl_context_free(small);
}

/* Runs a scenario once, then once for each of its allocations, which fails. */
static void runs_out(sl_status (*scenario)(void *data), void *data)
{
    OK(ctx, scenario(data));
    assert_true(allocator_fail_each(scenario, data) > 30);
}

static void memory_of_searches(void **state)
{
    (void)state;
    unsigned undirected = SL_READ_SYMMETRIC, directed = 0;
    runs_out(run_searches, &undirected);
    runs_out(run_searches, &directed);
    runs_out(run_undirected, NULL);
    runs_out(run_star, NULL);
}

static void memory_of_others(void **state)
{
    (void)state;
    unsigned undirected = SL_READ_SYMMETRIC, directed = 0;
    runs_out(run_ranks, &undirected);
    runs_out(run_ranks, &directed);
    runs_out(run_deep, NULL);
    runs_out(run_negative, NULL);
    runs_out(run_long, NULL);
    runs_out(run_star_paths, NULL);
    runs_out(run_failures, NULL);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_of_searches),
        cmocka_unit_test(memory_of_others),
        cmocka_unit_test(limited_memory),
    };
    int failed = 0;
    for (int choice = SL_ENGINE_AUTO; choice <= SL_ENGINE_SUITESPARSE; choice++) {
        if (sl_context_create(&ctx, choice) != SL_OK)
            return 1;
        failed += cmocka_run_group_tests(tests, NULL, NULL);
        sl_context_free(ctx);
    }
    return failed;
}
