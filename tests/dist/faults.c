/*
 * Memory runs out on one rank during a workflow, a check or a benchmark, at one allocation after
 * another and on each rank in turn: all ranks return the same error, nothing leaks, and no rank
 * waits for ever (the time limit of the test). SEMLA_TEST_EVERY=1 tests every allocation instead of
 * a sample; SEMLA_TEST_ONLY=NAME runs one workflow.
 */
#include "ranks.h"
#include "support.h"

#include <semla/checks.h>

enum { N = 26, SOURCES = 2, SAMPLES = 9 };

static sl_context *ctx;
static int rank, ranks;
static sl_matrix *A, *directed, *negative;
static const uint64_t sources[SOURCES] = {0, 7};

#define TRY(call)                                                                                  \
    do {                                                                                           \
        status = (call);                                                                           \
        if (status != SL_OK)                                                                       \
            goto out;                                                                              \
    } while (0)

/* ---- workflows ------------------------------------------------------------------------- */

static sl_status bfs(void)
{
    sl_vector *parent = NULL, *level = NULL;
    int64_t *array = NULL;
    sl_check_result verdict;
    sl_status status;
    TRY(sl_bfs(&parent, &level, A, 3, NULL));
    TRY(sl_validate_search_in_place(&verdict, A, 3, parent, level, -1));
    assert_true(verdict.valid);
    TRY(sl_search_array(&array, parent));
out:
    sl_free(array);
    sl_vector_free(parent);
    sl_vector_free(level);
    return status;
}

static sl_status bfs_plain(void)
{
    sl_vector *parent = NULL;
    sl_status status = sl_bfs_plain(&parent, NULL, directed, 3, true);
    sl_vector_free(parent);
    return status;
}

static sl_status bfs_options(void)
{
    static const uint64_t targets[] = {11};
    sl_iteration_log log = {0};
    const sl_bfs_options options = {
        .deterministic = true, .targets = targets, .ntargets = 1, .log = &log};
    sl_vector *parent = NULL;
    sl_status status = sl_bfs(&parent, NULL, directed, 3, &options);
    sl_vector_free(parent);
    sl_iteration_log_clear(&log);
    return status;
}

static sl_status multi_source(void)
{
    sl_matrix *parent = NULL, *level = NULL;
    int64_t *table = NULL;
    sl_status status;
    TRY(sl_multi_source_bfs(&parent, &level, A, sources, SOURCES, NULL));
    TRY(sl_search_table(&table, level));
out:
    sl_free(table);
    sl_matrix_free(parent);
    sl_matrix_free(level);
    return status;
}

static sl_status khop(void)
{
    sl_vector *level = NULL;
    sl_status status = sl_khop(&level, A, sources, SOURCES, 2);
    sl_vector_free(level);
    return status;
}

static sl_status st_connected(void)
{
    bool connected;
    uint64_t distance;
    sl_vector *path = NULL;
    sl_status status = sl_st_connected(&connected, &distance, &path, directed, 7, 12);
    sl_vector_free(path);
    return status;
}

static sl_status diameter(void)
{
    sl_diameter d;
    return sl_pseudo_diameter(&d, A, NULL);
}

static sl_status bipartite(void)
{
    bool is;
    sl_vector *side = NULL, *cycle = NULL;
    sl_status status = sl_bipartite(&is, &side, &cycle, A);
    sl_vector_free(side);
    sl_vector_free(cycle);
    return status;
}

static sl_status independent_set(void)
{
    sl_vector *set = NULL;
    sl_status status = sl_independent_set(&set, A, 7);
    sl_vector_free(set);
    return status;
}

static sl_status label_propagation(void)
{
    sl_vector *label = NULL;
    sl_status status = sl_label_propagation(&label, directed, 2, NULL);
    sl_vector_free(label);
    return status;
}

static sl_status components(void)
{
    sl_vector *component = NULL;
    sl_status status = sl_components(&component, directed);
    sl_vector_free(component);
    return status;
}

static sl_status scc(void)
{
    sl_vector *component = NULL;
    sl_status status = sl_scc(&component, NULL, directed);
    sl_vector_free(component);
    return status;
}

static sl_status sssp(void)
{
    sl_vector *distance = NULL, *parent = NULL;
    void *array = NULL;
    sl_status status;
    TRY(sl_sssp(&distance, &parent, directed, 7));
    TRY(sl_distance_array(&array, distance));
out:
    sl_free(array);
    sl_vector_free(distance);
    sl_vector_free(parent);
    return status;
}

static sl_status spanning_forest(void)
{
    sl_matrix *forest = NULL;
    sl_status status = sl_spanning_forest(&forest, NULL, directed);
    sl_matrix_free(forest);
    return status;
}

/* All ranks find and name a cycle of negative length. */
static sl_status negative_cycle(void)
{
    sl_vector *distance = NULL;
    sl_status status = sl_sssp(&distance, NULL, negative, 0);
    assert_null(distance);
    if (status == SL_INVALID)
        assert_non_null(strstr(sl_context_message(ctx), "negative"));
    return status == SL_INVALID ? SL_OK : status;
}

static sl_status pagerank(void)
{
    const sl_pagerank_options options = {.max_iterations = 3};
    sl_vector *r = NULL;
    sl_status status = sl_pagerank(&r, directed, &options, NULL);
    sl_vector_free(r);
    return status;
}

static sl_status betweenness(void)
{
    sl_vector *c = NULL;
    sl_status status = sl_betweenness(&c, A, sources, SOURCES, NULL);
    sl_vector_free(c);
    return status;
}

static sl_status closeness(void)
{
    const sl_closeness_options estimate = {.estimate = true};
    sl_vector *c = NULL;
    sl_status status = sl_closeness(&c, directed, sources, SOURCES, NULL);
    sl_vector_free(c);
    if (status == SL_OK)
        status = sl_closeness(&c, directed, sources, SOURCES, &estimate);
    if (status == SL_OK)
        sl_vector_free(c);
    return status;
}

static sl_status triangles(void)
{
    uint64_t count;
    sl_vector *corners = NULL;
    sl_status status = sl_triangles(&count, &corners, A);
    sl_vector_free(corners);
    return status;
}

static sl_status local_clustering(void)
{
    sl_vector *coefficient = NULL;
    sl_status status = sl_local_clustering(&coefficient, A, NULL);
    sl_vector_free(coefficient);
    return status;
}

static sl_status core_numbers(void)
{
    sl_vector *core = NULL;
    sl_status status = sl_core_numbers(&core, NULL, A);
    sl_vector_free(core);
    return status;
}

static sl_status ktruss(void)
{
    sl_matrix *truss = NULL;
    sl_status status = sl_ktruss(&truss, A, 3);
    sl_matrix_free(truss);
    return status;
}

static sl_status graph500(void)
{
    sl_graph500_report report;
    const sl_graph500_options options = {.scale = 4, .roots = 2, .sssp = true};
    return sl_graph500(&report, ctx, &options);
}

static const struct {
    const char *name;
    sl_status (*run)(void);
} workflows[] = {
    {"bfs", bfs},
    {"bfs_plain", bfs_plain},
    {"bfs_options", bfs_options},
    {"multi_source", multi_source},
    {"khop", khop},
    {"st_connected", st_connected},
    {"diameter", diameter},
    {"bipartite", bipartite},
    {"independent_set", independent_set},
    {"label_propagation", label_propagation},
    {"components", components},
    {"scc", scc},
    {"sssp", sssp},
    {"spanning_forest", spanning_forest},
    {"negative_cycle", negative_cycle},
    {"pagerank", pagerank},
    {"betweenness", betweenness},
    {"closeness", closeness},
    {"triangles", triangles},
    {"local_clustering", local_clustering},
    {"core_numbers", core_numbers},
    {"ktruss", ktruss},
    {"graph500", graph500},
};
enum { WORKFLOWS = sizeof workflows / sizeof *workflows };

/* ---- graphs ------------------------------------------------------------------------------ */

/* A path with random edges; rank 0 passes all tuples. */
static void build(sl_matrix **M, bool symmetric, bool is_negative)
{
    uint64_t rows[6 * N], cols[6 * N], count = 0;
    int64_t values[6 * N];
    for (uint64_t k = 0; k < 2 * N && rank == 0; k++) {
        const uint64_t from = k < N ? k : k * 7919 % N, to = k < N ? k + 1 : k * 104729 % N;
        if (from == to || to >= N)
            continue;
        for (int mirrored = 0; mirrored <= symmetric; mirrored++) {
            rows[count] = mirrored ? to : from;
            cols[count] = mirrored ? from : to;
            values[count++] = is_negative && from > to ? -40 : 1 + (int64_t)(k % 5);
        }
    }
    OK(ctx, sl_matrix_new(M, ctx, SL_INT64, N, N));
    OK(ctx, sl_matrix_build(*M, rows, cols, values, count, SL_FIRST_INT64));
}

/* ---- attempts ----------------------------------------------------------------------------- */

static long
    left; /* allocations that the last run could still have made, on the rank that is to fail */

/* One run in which allocation n of one rank fails; returns the status that all ranks agree on. */
static sl_status attempt(int which, int failing, long n)
{
    const long before = allocator_alive();
    if (rank == failing)
        allocator_fail_after(n);
    sl_status status = workflows[which].run();
    left = allocator_left();
    allocator_fail_after(-1);
    int most = status, least = status;
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (most != least || (status != SL_OK && status != SL_NO_MEMORY))
        fail_msg("%s, allocation %ld of rank %d failing: rank %d says %s: %s",
                 workflows[which].name, n, failing, rank, sl_status_string(status),
                 sl_context_message(ctx));
    if (failing >= 0 && allocator_alive() != before)
        fail_msg("%s, allocation %ld of rank %d failing: rank %d leaked %ld", workflows[which].name,
                 n, failing, rank, allocator_alive() - before);
    return status;
}

/* The number of allocations that a run makes on the last rank, which is similar on the others. */
static long allocations(int which)
{
    enum { ENOUGH = 1 << 20 };
    assert_int_equal(attempt(which, ranks - 1, ENOUGH), SL_OK);
    long made = ENOUGH - left;
    MPI_Bcast(&made, 1, MPI_LONG, ranks - 1, MPI_COMM_WORLD);
    return made;
}

static void run_on(int rows, int cols)
{
    const char *only = getenv("SEMLA_TEST_ONLY");
    OK(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_SUITESPARSE));
    build(&A, true, false);
    build(&directed, false, false);
    build(&negative, false, true);
    for (int w = 0; w < WORKFLOWS; w++) {
        if (only && *only && strcmp(only, workflows[w].name) != 0)
            continue;
        assert_int_equal(attempt(w, -1, 0), SL_OK);
        const long all = allocations(w);
        const long stride = getenv("SEMLA_TEST_EVERY") || all < SAMPLES ? 1 : all / SAMPLES;
        for (int failing = 0; failing < ranks; failing++)
            for (long n = failing; n < all + stride; n += stride)
                attempt(w, failing, n);
        if (only && rank == 0)
            fprintf(stderr, "%dx%d %s: %ld allocations\n", rows, cols, workflows[w].name, all);
    }
    sl_matrix_free(A);
    sl_matrix_free(directed);
    sl_matrix_free(negative);
    sl_context_free(ctx);
}

static void workflows_out_of_memory(void **unused)
{
    if (ranks % 2)
        run_on(1, ranks);
    else
        run_on(ranks, 1);
    assert_int_equal(allocator_alive(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(workflows_out_of_memory)};
    allocator_install();
    MPI_Init(NULL, NULL);
    rank = world_rank();
    ranks = world_size();
    return run_ranks("faults", tests, sizeof tests / sizeof *tests);
}
